package sync

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// words has a bit for each 8 bytes of shared memory at which an mbarrier object is valid: most
// accesses of a kernel go elsewhere, and must be told apart quickly.
type words []uint64

func (s words) set(at uint64) {
	if i := at / 512; i < uint64(len(s)) {
		s[i] |= 1 << (at / 8 % 64)
	}
}

func (s words) unset(at uint64) {
	if i := at / 512; i < uint64(len(s)) {
		s[i] &^= 1 << (at / 8 % 64)
	}
}

// find returns the first object that n bytes at an offset overlap.
func (s words) find(at, n uint64) (object uint64, ok bool) {
	for o := at &^ 7; o < at+n && o/512 < uint64(len(s)); {
		if w := s[o/512] >> (o / 8 % 64); w != 0 {
			o += 8 * uint64(bits.TrailingZeros64(w))
			return o, o < at+n
		}
		o = (o/512 + 1) * 512
	}
	return 0, false
}

// plainWrite reports whether s is an access that writes memory as data. Operations on an mbarrier, and those that
// complete on one, access it as atomic operations of other kinds.
func plainWrite(s *trace.Site) bool {
	return s.Kind == trace.Write && !s.Op.IsMBarrier() || s.Op.Kind == inst.Atomic && s.Kind == trace.Atomic
}

// overwrite looks for valid mbarrier objects in what the block writes.
func (b *blockObserver) overwrite(a *trace.Access) {
	if len(b.objects) == 0 || !plainWrite(a.Site) {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if at, ok := b.valid.find(a.Addr[lane], uint64(a.Site.Size)); ok {
			b.overwritten(at, initialization{a.Site, 32*a.Warp + lane, b.barriers})
		}
	}
}

// AsyncBegan is overwrite for bulk copies and other operations that write later.
func (b *blockObserver) AsyncBegan(e *trace.AsyncAccess) {
	if len(b.objects) == 0 || e.Tensor || e.Mask == 0 || e.Issuer != b.block || e.Site.Kind != trace.Write || e.Site.Op.IsMBarrier() {
		return
	}
	for _, r := range e.Ranges {
		if at, ok := b.valid.find(r.Addr, r.N); ok {
			b.overwritten(at, initialization{e.Site, 32*e.Warp + bits.TrailingZeros32(e.Mask), b.barriers})
		}
	}
}

// overwritten reports a write to a valid object, which is none any more. A write by another warp in the
// barrier interval of the initialization may come before it: that is the race rule's.
func (b *blockObserver) overwritten(at uint64, now initialization) {
	before := b.objects[at]
	if before.thread/32 != now.thread/32 && before.barriers == now.barriers {
		return
	}
	b.forget(at)
	if b.in.mayHaveEnded(at, before) {
		return
	}
	b.report(b.in.overwrittenObject(b.block, at, before, now))
}

// forget takes an object as invalid from now on.
func (b *blockObserver) forget(at uint64) {
	delete(b.objects, at)
	b.valid.unset(at)
}

// overwrittenObject is the finding of a write to a valid object.
func (o launchObserver) overwrittenObject(block, at uint64, before, now initialization) *finding.Finding {
	f := o.misusedObject(block, at, before, now)
	f.Message = fmt.Sprintf("mbarrier %s is overwritten while it is valid", o.objectName(at))
	f.Notes = []string{"only mbarrier operations may access a valid mbarrier: its phase and its counts are lost"}
	f.Primary = check.Place(now.site, "written by", check.Thread(o.launch, block, now.thread/32, now.thread%32))
	f.Unit, f.Cause = "write", OverwrittenMBarrier
	f.Key = "overwritten\x00" + check.SiteKey(before.site) + "\x00" + check.SiteKey(now.site)
	repair(f, finding.InvalidateBefore)
	return f
}
