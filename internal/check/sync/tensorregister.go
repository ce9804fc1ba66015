package sync

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// unwaited is the finding of a register of tcgen05.ld that is accessed before tcgen05.wait::ld. It is a warning: compilers may
// have moved an instruction before the wait that comes after it in the source.
func (o launchObserver) unwaited(block uint64, d *trace.Defect) *finding.Finding {
	l, lane := o.launch, bits.TrailingZeros32(d.Mask)
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "register", Level: finding.Warning, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "block",
		Witness: [4]uint64{uint64(l.ID), block, uint64(d.Warp), uint64(lane)},
		Primary: check.Place(d.Site, "executed by", check.Thread(l, block, d.Warp, lane)),
		Message: "access to a register of tcgen05.ld before tcgen05.wait::ld",
		Notes:   []string{"the load is asynchronous: until the warp has waited for it, the registers' values are undefined"},
		Key:     "tensor register\x00" + check.SiteKey(d.Site),
		Cause:   finding.Cause(trace.CauseInFlight),
	}
	f.Related = append(f.Related, check.Place(d.Load, "loaded by", check.Thread(l, block, d.Warp, lane)))
	repair(f, finding.WaitForTensor)
	return f
}
