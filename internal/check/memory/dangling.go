package memory

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// dangling notes an access to a local variable that has ended, with its function or with its scope.
func (b *blockObserver) dangling(d *trace.Defect) {
	k, n := strayKey{d.Site, d.Meant.Base, 0}, uint64(bits.OnesCount32(d.Mask))
	if f := b.seen[k]; f != nil {
		f.Count += n
		return
	}
	l, lane := b.in.launch, bits.TrailingZeros32(d.Mask)
	at := d.Addr[lane]
	f := &finding.Finding{
		Rule: Rule.ID, Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: n, Unit: "access",
		Primary: check.CalledPlace(d.Site, d.Callers, check.Role(d.Site.Kind), check.Thread(l, b.block, d.Warp, lane)),
		Key:     fmt.Sprintf("dangling\x00%s\x00%s\x00%s", check.SiteKey(d.Site), d.Func, d.Meant.Name),
		Witness: [4]uint64{uint64(l.ID), b.block, uint64(d.Warp), uint64(lane)},
		Details: Details{Space: d.Space.String(), Access: d.Site.Kind.String(), Address: at, Size: int(d.Size), Lanes: bits.OnesCount32(d.Mask)},
	}
	what := d.Site.Kind.String() + " of local memory"
	if m := &d.Meant; m.Name != "" {
		v := trace.Variable{Name: m.Name, Addr: m.Base, Size: m.Size, Type: m.Type}
		f.Object = check.VariableObject(trace.SpaceLocal, &v)
		f.Range = check.Range(at, m.Base, int(d.Size))
		what = fmt.Sprintf("%s of local variable %s", d.Site.Kind, check.ElementOf(&v, int64(at-m.Base), int(d.Size), d.Site.Elem))
	}
	if d.Kind == trace.DefectReturned {
		afterReturn(f, d, what)
	} else {
		afterScope(f, d, what)
	}
	if k := bits.OnesCount32(d.Mask); k > 1 {
		f.Notes = append(f.Notes, sameLanes(k))
	}
	b.seen[k] = f
}

// afterReturn describes an access to a local variable of a function that has returned.
func afterReturn(f *finding.Finding, d *trace.Defect, what string) {
	f.Kind, f.Cause = "after-return", FunctionReturned
	f.Repair, f.Help = &finding.Repair{Kind: finding.OutliveFunction}, helps[finding.OutliveFunction]
	f.Message = fmt.Sprintf("%s of %s, which has returned", what, finding.Demangle(d.Func))
	f.Notes = append(f.Notes, "a local variable ends with its function: later calls reuse its memory")
}

// afterScope describes an access to a local variable whose scope has ended.
func afterScope(f *finding.Finding, d *trace.Defect, what string) {
	f.Kind, f.Cause = "after-scope", ScopeEnded
	f.Repair, f.Help = &finding.Repair{Kind: finding.OutliveScope}, helps[finding.OutliveScope]
	f.Message = what + " after its scope has ended"
	f.Notes = append(f.Notes, "a local variable ends with its block or loop iteration: the compiler reuses its memory")
	if d.End.Loc.Line > 0 {
		f.Related = append(f.Related, check.Place(d.End, "scope ends at", nil))
	}
}
