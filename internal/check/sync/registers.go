package sync

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// registers is the finding of a setmaxnreg whose number is wrong. Warps of a warpgroup that set different numbers are a
// warning: PTX leaves it undefined, but kernels of NVIDIA's own libraries rely on it.
func (o launchObserver) registers(block uint64, d *trace.Defect) *finding.Finding {
	l, r, lane := o.launch, d.Registers, bits.TrailingZeros32(d.Mask)
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "registers", Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "block",
		Witness: [4]uint64{uint64(l.ID), block, uint64(d.Warp), uint64(lane)},
		Primary: check.Place(d.Site, "executed by", check.Thread(l, block, d.Warp, lane)),
		Key:     fmt.Sprintf("registers\x00%d\x00%s", d.Kind, check.SiteKey(d.Site)),
	}
	if d.Kind == trace.DefectRegistersDiffer {
		f.Level, f.Cause = finding.Warning, RegistersDiffer
		f.Message = "warps of one warpgroup set different numbers of registers"
		f.Related = []finding.Place{check.Place(r.Other, "another warp of the warpgroup executed", nil)}
		f.Notes = []string{fmt.Sprintf("warp %d executes %s, another warp of its warpgroup %s", d.Warp, setmaxnreg(r.More, r.Want), setmaxnreg(r.OtherMore, r.OtherWant)),
			"all warps of a warpgroup must execute the same setmaxnreg, otherwise the behavior is undefined (PTX ISA)"}
		repair(f, finding.SetByWarpgroup)
		return f
	}
	f.Cause = RegisterCount
	f.Message = fmt.Sprintf("%s by threads that have %d registers", setmaxnreg(r.More, r.Want), r.Has)
	f.Notes = []string{"the behavior is undefined if .inc asks for fewer registers than a thread has, or .dec leaves more (PTX ISA)"}
	repair(f, finding.CorrectCount)
	return f
}

// setmaxnreg is an instruction as PTX has it.
func setmaxnreg(more bool, n int) string {
	if more {
		return fmt.Sprintf("setmaxnreg.inc %d", n)
	}
	return fmt.Sprintf("setmaxnreg.dec %d", n)
}
