package sync

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// mbarriers are the valid mbarrier objects of a block, by offset.
type mbarriers map[uint64]initialization

// initialization is how an mbarrier object became valid.
type initialization struct {
	site     *trace.Site
	thread   int
	barriers int
}

// makesMBarriers reports whether a launch initializes mbarrier objects.
func makesMBarriers(l *trace.Launch) bool {
	return slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.Op.Kind == inst.MBarrierInit })
}

// Shared follows which mbarrier objects are valid.
func (b *blockObserver) Shared(a *trace.Access) {
	switch a.Site.Op.Kind {
	case inst.MBarrierInit:
		b.initialize(a)
	case inst.MBarrierInval:
		for m := a.Mask; m != 0; m &= m - 1 {
			b.forget(a.Addr[bits.TrailingZeros32(m)])
		}
	default:
		b.overwrite(a)
	}
}

// initialize reports objects that are valid already. Threads that execute one
// initialization in the same barrier interval are the race rule's.
func (b *blockObserver) initialize(a *trace.Access) {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		at := a.Addr[lane]
		now := initialization{a.Site, 32*a.Warp + lane, b.barriers}
		before, valid := b.objects[at]
		b.objects[at] = now
		b.valid.set(at)
		unordered := before.site == now.site && before.thread != now.thread && before.barriers == now.barriers
		if valid && !unordered && b.holdsMBarrier(at) && !b.in.mayHaveEnded(at, before) {
			b.report(b.in.initializedAgain(b.block, at, before, now))
		}
	}
}

// holdsMBarrier reports whether no plain write has put something else there.
func (b *blockObserver) holdsMBarrier(at uint64) bool {
	return at+8 <= uint64(len(b.running.Shared)) && trace.IsMBarrier(b.running.Shared[at:at+8])
}

func (b *blockObserver) report(f *finding.Finding) {
	c := b.in.checker
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set.Add(f)
}

// objectName names the memory of an mbarrier.
func (o launchObserver) objectName(at uint64) string {
	if name := check.SharedElement(o.launch, at, 8, 8); name != "" {
		return name
	}
	return fmt.Sprintf("at offset %d of shared memory", at)
}

// misusedObject is what the findings of misused memory of an mbarrier have in common.
func (o launchObserver) misusedObject(block, at uint64, before, now initialization) *finding.Finding {
	l := o.launch
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "barrier", Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1,
		Witness: [4]uint64{uint64(l.ID), block, uint64(now.thread), at},
		Related: []finding.Place{check.Place(before.site, "initialized by", check.Thread(l, block, before.thread/32, before.thread%32))},
	}
	f.Object, f.Range = check.SharedObject(l, at, 8)
	return f
}

// initializedAgain is the finding of an initialization of a valid object.
func (o launchObserver) initializedAgain(block, at uint64, before, now initialization) *finding.Finding {
	f := o.misusedObject(block, at, before, now)
	f.Message = fmt.Sprintf("mbarrier %s is initialized again while it is valid", o.objectName(at))
	f.Notes = []string{"mbarrier.init on a valid object is undefined: pending arrivals are lost, and the phase restarts"}
	f.Primary = check.Place(now.site, "initialized again by", check.Thread(o.launch, block, now.thread/32, now.thread%32))
	f.Unit, f.Cause = "initialization", InitializedAgain
	f.Key = "reinit\x00" + check.SiteKey(before.site) + "\x00" + check.SiteKey(now.site)
	repair(f, finding.InvalidateFirst)
	return f
}
