package sync

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// defectKey tells the defects of a block apart.
type defectKey struct {
	site *trace.Site
	kind trace.DefectKind
}

// Defect is the event of that name.
func (b *blockObserver) Defect(d *trace.Defect) {
	k := defectKey{d.Site, d.Kind}
	if b.misused[k] || !wrongMask(d) {
		return
	}
	b.misused[k] = true
	c := b.in.checker
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case splitCauses[d.Kind] != "":
		c.set.Add(b.in.split(b.block, d))
	case d.Registers != nil:
		c.set.Add(b.in.registers(b.block, d))
	case d.Kind == trace.DefectTensorRegister:
		c.set.Add(b.in.unwaited(b.block, d))
	default:
		c.set.Add(b.in.misused(b.block, d))
	}
}

// wrongMask reports whether a defect is worth a finding. A lane that reads from
// one that its mask leaves out is often the end of a reduction, where nothing
// looks at the lane's result; if all do, somebody does.
func wrongMask(d *trace.Defect) bool {
	switch d.Kind {
	case trace.DefectExcluded, trace.DefectNeverCame, trace.DefectArrivedTwice, trace.DefectNeverWaited, trace.DefectArrivedEarly, trace.DefectTensorRegister,
		trace.DefectRegistersDiffer, trace.DefectRegisterCount:
		return true
	case trace.DefectAbsent:
		return d.Others&d.Named != 0 || d.Mask == d.Came
	}
	return false
}

func (o launchObserver) misused(block uint64, d *trace.Defect) *finding.Finding {
	l, lane := o.launch, bits.TrailingZeros32(d.Mask)
	op := check.OpName(d.Site)
	f := &finding.Finding{
		Rule: Rule.ID, Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "block",
		Witness: [4]uint64{uint64(l.ID), block, uint64(d.Warp), uint64(lane)},
		Primary: check.CalledPlace(d.Site, d.Callers, "executed by", check.Thread(l, block, d.Warp, lane)),
	}
	mask := fmt.Sprintf("the mask 0x%x of warp %d", d.Named, d.Warp)
	switch d.Kind {
	case trace.DefectExcluded:
		f.Kind, f.Message = "mask", "the mask of "+op+" omits lanes that execute it"
		f.Notes = []string{fmt.Sprintf("%s omits %s, which %s here", mask, check.Lanes(d.Mask), is(d.Mask))}
		f.Cause = MaskExcludes
		repair(f, finding.NameLanes)
	case trace.DefectNeverCame:
		f.Kind, f.Message = "mask", "the mask of "+op+" includes lanes that never reach it"
		f.Notes = []string{
			fmt.Sprintf("%s includes %s, which exited without reaching it; %s reached it", mask, check.Lanes(d.Others), check.Lanes(d.Came)),
			"a GPU waits for them, or continues with undefined results",
		}
		f.Cause = MaskTooWide
		repair(f, finding.MoveOperation)
	case trace.DefectAbsent:
		absent(f, d, op)
	}
	f.Key = fmt.Sprintf("%s\x00%d\x00%s", f.Kind, d.Kind, check.SiteKey(d.Site))
	return f
}

// absent describes a shuffle from lanes that do not take part. It is an error
// if all lanes ask for the same lane. Else reductions of partly filled warps may
// not use what they get: it is information if they do not even name the lane.
func absent(f *finding.Finding, d *trace.Defect, op string) {
	f.Kind, f.Level = "absent-lane", finding.Info
	if d.Others&d.Named != 0 {
		f.Level = finding.Warning
	}
	if d.Mask == d.Came && bits.OnesCount32(d.Others) == 1 && bits.OnesCount32(d.Came) > 1 {
		f.Level = finding.Error
	}
	f.Message = op + " reads from lanes that do not participate"
	f.Notes = []string{
		fmt.Sprintf("%s of warp %d %s the value of %s; %s %s here, and the mask is 0x%x", check.Lanes(d.Mask), d.Warp, verb(d.Mask, "read"),
			check.Lanes(d.Others), check.Lanes(d.Came), is(d.Came), d.Named),
		"the value of such a lane is undefined; warpgrind returns 0",
	}
	if none := d.Others &^ d.Exist; none != 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("the warp has no %s: the block is too small", check.Lanes(none)))
	}
	f.Cause = AbsentLane
	if f.Level == finding.Error {
		repair(f, finding.ReadPresentLane)
		return
	}
	repair(f, finding.AllLanes)
}

func is(lanes uint32) string {
	if bits.OnesCount32(lanes) == 1 {
		return "is"
	}
	return "are"
}

func verb(lanes uint32, v string) string {
	if bits.OnesCount32(lanes) == 1 {
		return v + "s"
	}
	return v
}
