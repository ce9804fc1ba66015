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
			delete(b.objects, a.Addr[bits.TrailingZeros32(m)])
		}
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
		unordered := before.site == now.site && before.thread != now.thread && before.barriers == now.barriers
		if valid && !unordered && b.holdsMBarrier(at) {
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

// initializedAgain is the finding of an initialization of a valid object.
func (o launchObserver) initializedAgain(block, at uint64, before, now initialization) *finding.Finding {
	l := o.launch
	thread := func(i initialization) *finding.Thread { return check.Thread(l, block, i.thread/32, i.thread%32) }
	name := check.SharedElement(l, at, 8, 8)
	if name == "" {
		name = fmt.Sprintf("at offset %d of shared memory", at)
	}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "barrier", Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "initialization",
		Witness: [4]uint64{uint64(l.ID), block, uint64(now.thread), at},
		Message: fmt.Sprintf("mbarrier %s is initialized again while it is valid", name),
		Notes:   []string{"mbarrier.init on a valid object is undefined: pending arrivals are lost, and the phase restarts"},
		Primary: check.Place(now.site, "initialized again by", thread(now)),
		Related: []finding.Place{check.Place(before.site, "initialized by", thread(before))},
		Key:     "reinit\x00" + check.SiteKey(before.site) + "\x00" + check.SiteKey(now.site),
		Cause:   InitializedAgain,
	}
	f.Object, f.Range = check.SharedObject(l, at, 8)
	repair(f, InvalidateFirst)
	return f
}
