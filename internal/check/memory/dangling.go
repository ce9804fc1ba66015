package memory

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// returned notes an access to a local variable of a function that has returned.
func (b *blockObserver) returned(d *trace.Defect) {
	k, n := strayKey{d.Site, d.Meant.Base, 0}, uint64(bits.OnesCount32(d.Mask))
	if f := b.seen[k]; f != nil {
		f.Count += n
		return
	}
	l, lane := b.in.launch, bits.TrailingZeros32(d.Mask)
	name := finding.Demangle(d.Func)
	what, at := "local memory", d.Addr[lane]
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "after-return", Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: n, Unit: "access", Cause: FunctionReturned,
		Repair: &finding.Repair{Kind: OutliveFunction}, Help: helps[OutliveFunction],
		Primary: check.CalledPlace(d.Site, d.Callers, check.Role(d.Site.Kind), check.Thread(l, b.block, d.Warp, lane)),
		Key:     fmt.Sprintf("returned\x00%s\x00%s\x00%s", check.SiteKey(d.Site), d.Func, d.Meant.Name),
		Witness: [4]uint64{uint64(l.ID), b.block, uint64(d.Warp), uint64(lane)},
		Details: Details{Space: d.Space.String(), Access: d.Site.Kind.String(), Address: at, Size: int(d.Size), Lanes: bits.OnesCount32(d.Mask)},
	}
	if m := &d.Meant; m.Name != "" {
		v := trace.Variable{Name: m.Name, Addr: m.Base, Size: m.Size, Type: m.Type}
		f.Object = check.VariableObject(trace.SpaceLocal, &v)
		f.Range = check.Range(at, m.Base, int(d.Size))
		what = "local variable " + check.ElementOf(&v, int64(at-m.Base), int(d.Size), d.Site.Elem)
	}
	f.Message = fmt.Sprintf("%s of %s of %s, which has returned", d.Site.Kind, what, name)
	f.Notes = append(f.Notes, "a local variable ends with its function: later calls reuse its memory")
	if k := bits.OnesCount32(d.Mask); k > 1 {
		f.Notes = append(f.Notes, sameLanes(k))
	}
	b.seen[k] = f
}
