package global

import (
	"flag"
	"fmt"
	"math/bits"
	"math/rand"
	"slices"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

var exhaustiveSteps = flag.Int("exhaustive-steps", 3, "how many steps TestFastPathsAskTheHistory plays in all orders")

// A small history is a sequence of steps: accesses to one unit of memory, or to a flag, or reads of something else, by lanes of two
// blocks, and what orders these.
type step struct {
	name  string
	block int
	// An access by lanes of a warp, at a site; or the warps of a barrier of the block, all of which is full; or the lanes that
	// synchronize.
	kind stepKind
	warp int
	mask uint32
	site int
	// elsewhere is a read of something else.
	elsewhere bool
}

type stepKind uint8

const (
	accessStep stepKind = iota
	fullStep            // a barrier of the block
	partStep            // a barrier of its first two warps
	warpStep
)

const (
	readSite = iota
	writeSite
	updateSite
	flagSite
)

// steps are those of small histories: two lanes of a warp, each alone and both, a lane of another warp, and one of another block
// read, write and update; all but both pass on what they know at a flag, if there is one.
func steps(flags bool) (list []step) {
	for _, by := range []struct {
		name  string
		block int
		warp  int
		mask  uint32
	}{{"a", 0, 0, 1}, {"b", 0, 0, 2}, {"ab", 0, 0, 3}, {"c", 0, 1, 1}, {"d", 1, 0, 1}} {
		for site, does := range []string{"reads", "writes", "updates", "flags"} {
			if site != flagSite || flags && by.mask != 3 {
				list = append(list, step{name: by.name + " " + does, block: by.block, warp: by.warp, mask: by.mask, site: site})
			}
		}
	}
	return append(list, step{name: "a reads elsewhere", mask: 1, elsewhere: true}, step{name: "d reads elsewhere", block: 1, mask: 1, elsewhere: true},
		step{name: "barrier 0", kind: fullStep}, step{name: "barrier 1", kind: fullStep, block: 1},
		step{name: "barrier of two warps", kind: partStep, mask: 3}, step{name: "__syncwarp", kind: warpStep, mask: 3})
}

// player plays small histories to detectors.
type player struct {
	config  evidence.Config
	history History
	launch  trace.Launch
	raced   bool
	byCode  bool // as generated code would do
	entered int
}

func newPlayer(model check.RaceModel, flags, quick, byCode bool) *player {
	p := &player{byCode: byCode}
	p.config = evidence.Config{Model: model, Facts: func(*trace.Launch) *guards.Facts { return nil },
		Report: func(r *evidence.Run) map[evidence.Key]bool {
			p.raced = p.raced || len(r.Pairs) > 0
			return nil
		}}
	site := func(k trace.Kind, o trace.Order, result bool) {
		s := &trace.Site{ID: len(p.launch.Sites), Kind: k, Order: o, Space: trace.SpaceGlobal, Size: 4, Elem: 4}
		if k == trace.Atomic {
			s.Op, s.Scope = inst.Op{Kind: inst.Atomic, Result: result}, trace.ScopeGPU
		}
		p.launch.Sites = append(p.launch.Sites, s)
	}
	site(trace.Read, trace.OrderWeak, false)
	site(trace.Write, trace.OrderWeak, false)
	site(trace.Atomic, trace.OrderRelaxed, false)
	if flags {
		site(trace.Atomic, trace.OrderAcqRel, true)
	}
	p.launch.Grid, p.launch.Block = trace.Dim3{X: 2, Y: 1, Z: 1}, trace.Dim3{X: 96, Y: 1, Z: 1}
	p.launch.Ordered, p.launch.Repeatable = flags, quick
	return p
}

// play reports whether a history passes: nothing is suspected, or nothing races.
func (p *player) play(t *testing.T, history []step) bool {
	p.raced, p.history.twice = false, nil
	d := New(&p.config, &p.history, &p.launch, nil, Plan{})
	if quick := d.quick != nil; quick != p.launch.Repeatable || quick && (d.quick.turns != nil) != p.launch.Ordered {
		t.Fatal("not the way to look that is to be tested")
	}
	var slots [2]*trace.BlockObserver
	for i := range slots {
		slots[i] = d.newBlock()
		slots[i].Begin(&trace.Block{Launch: &p.launch, Index: uint64(i)})
	}
	for i, s := range history {
		p.step(d, slots[s.block], s, uint32(i+1))
	}
	for _, o := range slots {
		if o.End != nil {
			o.End()
		}
	}
	if d.quick != nil {
		d.quick.settle(false)
		p.raced = d.quick.suspected.Load()
	}
	d.End()
	return !p.raced
}

func (p *player) step(d *Detector, o *trace.BlockObserver, s step, tick uint32) {
	switch s.kind {
	case fullStep:
		o.Barrier(&trace.Barrier{Site: p.launch.Sites[0], Full: true, Arrived: []uint32{^uint32(0), ^uint32(0), ^uint32(0)}, Synced: []uint32{^uint32(0), ^uint32(0), ^uint32(0)}})
	case partStep:
		o.Barrier(&trace.Barrier{Site: p.launch.Sites[0], ID: 1, Arrived: []uint32{^uint32(0), ^uint32(0), 0}, Synced: []uint32{^uint32(0), ^uint32(0), 0}})
	case warpStep:
		if o.WarpSync != nil {
			o.WarpSync(&trace.WarpSync{Site: p.launch.Sites[0], Mask: s.mask})
		}
	default:
		const unit, word, other = 1 << 20, 1<<20 + 64, 1<<20 + 128
		a := trace.Access{Site: p.launch.Sites[s.site], Space: trace.SpaceGlobal, Warp: s.warp, Mask: s.mask, Tick: tick}
		at := uint64(unit)
		switch {
		case s.site == flagSite:
			at = word
		case s.elsewhere:
			at = other
		}
		a.Addr = &[32]uint64{at, at}
		if p.byCode && d.quick.turns != nil && s.site <= writeSite && p.enters(d.quick.turnSlots[s.block], &a) {
			return
		}
		o.Global(&a)
	}
}

// enters does what generated code does with an access. It returns false where the observer gets the access.
func (p *player) enters(b *turnsBlock, a *trace.Access) bool {
	w, unit := b.warps[a.Warp], a.Addr[0]>>b.shift
	page := &b.pages[unit/pageStates%shadow.Pages]
	b.live.Failing = 0
	if w.Now == 0 || b.live.Size == 0 || page.Number != unit/pageStates {
		return false
	}
	at, fails := &(*statePage)(page.States)[unit%pageStates], uint64(0)
	refs := shadow.Refs{None: b.live.None, WarpRefs: w, Before: *(*shadow.Before)(unsafe.Add(b.live.Sites, uintptr(a.Site.ID)*unsafe.Sizeof(shadow.Before{})))}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if next, ok := refs.Join(*at, uint32(lane), a.Site.Kind == trace.Write); ok {
			*at = next
		} else {
			fails |= 1 << lane
		}
	}
	if b.live.Failing, b.live.FailingSite = fails, uint64(a.Site.ID); fails != 0 {
		return false
	}
	p.entered++
	b.live.Looked++
	if a.Site.Kind == trace.Write {
		*b.live.Wrote++
	}
	return true
}

// TestFastPathsAskTheHistory plays all small histories, and longer ones at random, to a quick look and to the history. Where an access passes
// the quick look, nothing races; all continuations of what passed are played.
func TestFastPathsAskTheHistory(t *testing.T) {
	length := *exhaustiveSteps
	if testing.Short() {
		length = 2
	}
	for _, model := range []check.RaceModel{check.ITS, check.Lockstep, check.Threads} {
		for _, flags := range []bool{false, true} {
			for _, byCode := range []bool{false, true} {
				if byCode && !flags {
					continue // code does the same there
				}
				t.Run(fmt.Sprintf("%v/flags=%v/code=%v", model, flags, byCode), func(t *testing.T) {
					compareHistories(t, length, newPlayer(model, flags, true, byCode), newPlayer(model, flags, false, false), steps(flags))
				})
			}
		}
	}
}

func compareHistories(t *testing.T, length int, quick, slow *player, all []step) {
	played, suspected, needless := 0, 0, 0
	// passes reports whether a history may be continued.
	passes := func(h []step) bool {
		played++
		clean := slow.play(t, h)
		switch silent := quick.play(t, h); {
		case silent && !clean:
			var names []string
			for _, s := range h {
				names = append(names, s.name)
			}
			t.Fatalf("not suspected: %q", names)
		case silent:
			return true
		case clean:
			needless++
		}
		suspected++
		return false
	}
	var explore func(h []step, left int)
	explore = func(h []step, left int) {
		for _, s := range all {
			next := append(slices.Clip(h), s)
			if (s.kind == accessStep && !passes(next)) || left == 1 {
				continue
			}
			if s.kind == accessStep || len(h) > 0 && h[len(h)-1].kind == accessStep {
				explore(next, left-1)
			}
		}
	}
	explore(nil, length)
	// Blocks that have points already when the unit is accessed first.
	begin := func(names ...string) (h []step) {
		for _, name := range names {
			h = append(h, all[slices.IndexFunc(all, func(s step) bool { return s.name == name })])
		}
		return h
	}
	explore(begin("a reads elsewhere", "d reads"), length)
	explore(begin("d reads elsewhere", "a reads"), length)
	rng := rand.New(rand.NewSource(1))
	for range played / 2 {
		var h []step
		for len(h) < 10 {
			s := all[rng.Intn(len(all))]
			if next := append(slices.Clip(h), s); s.kind != accessStep || passes(next) {
				h = next
			} else if rng.Intn(2) == 0 {
				break
			}
		}
	}
	t.Logf("%d histories, %d suspected, %d of them clean; %d accesses entered by code", played, suspected, needless, quick.entered)
	if suspected == 0 || suspected == played || quick.byCode && quick.entered == 0 {
		t.Error("the histories test nothing")
	}
}
