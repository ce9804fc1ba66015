package shared

import (
	"bytes"
	"encoding/json"
	"math/bits"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/tooltest"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
)

// twins play the same random events to an observer behind a sieve and to one without.
type twins struct {
	sieved, precise *player
	group           *recall.Group
	rng             *rand.Rand
	// copies are asynchronous ones on their way.
	copies []copying
	// crossed: two of the block were on their way to one place; recovered counts clean intervals after that.
	crossed   bool
	recovered int
	// clean and suspected count intervals, flown those that are clean in spite of copies.
	clean, suspected, flown int
	flew                    bool
	// lands: all copies come before the interval ends, landed counts clean intervals of that kind.
	lands  bool
	landed int
}

// copying is an asynchronous copy that was issued: where it goes, and what completes it.
type copying struct {
	base, warp int
	mask       uint32
	complete   func(p *player)
}

func newTwins(t *testing.T, model check.RaceModel, seed int64) *twins {
	tw := &twins{sieved: newPlayerOf(t, model, 96, 2, fence), precise: newPlayerOf(t, model, 96, 2, fence), rng: rand.New(rand.NewSource(seed)), lands: seed%5 == 1}
	tw.both(func(p *player) { // one more atomic operation, of another size
		s := p.launch.Sites[vwr]
		s.Kind, s.Order, s.Size, s.Elem = trace.Atomic, trace.OrderRelaxed, 8, 8
		if unit := []int{4, 1, 2, 0}[seed/3%4]; unit > 0 { // states of bytes or halves, and vectors of them
			p.launch.SharedUnit = unit
			small, wide := unit, unit
			if unit == 4 { // there are bytes none the less
				small = 1
			}
			for _, i := range []int{rd1, wr1} {
				p.launch.Sites[i].Size, p.launch.Sites[i].Elem = small, small
			}
			p.launch.Sites[rd16].Elem, p.launch.Sites[wr8].Elem = wide, wide
		}
		p.lo.sites = p.config.Sites(p.launch)
	})
	tw.group = tw.sieved.behindSieve(seed%3 != 0)
	return tw
}

// behindSieve puts a group before the player's observer, one that knows no interval or one
// that learns them.
func (p *player) behindSieve(retired bool) *recall.Group { return p.behindSieveOf(retired, nil) }

// behindSieveOf gives long intervals room.
func (p *player) behindSieveOf(retired bool, room *recall.Room) *recall.Group {
	p.shapes = new(trace.Shapes)
	g := recall.New(p.launch, p.shapes, room)
	g.Add(p.bo.observer())
	p.group = g
	if retired {
		g.Retire()
	}
	p.to = g.Observer()
	return g
}

// takesRead does with a read of an even warp what an engine does: it asks the group first, by its shape.
func (p *player) takesRead(a *trace.Access) bool {
	if p.group == nil || a.Site.Kind != trace.Read || a.Warp%2 != 0 {
		return false
	}
	base := a.Addr[bits.TrailingZeros32(a.Mask)]
	if a.Shape = p.shapes.Find(a.Addr, a.Mask); a.Shape == nil {
		return false
	}
	return p.group.Known(a.Site, a.Warp, a.Shape, base) || p.group.TakesRead(a.Site, a.Warp, a.Shape, base)
}

// both does the same to both.
func (tw *twins) both(f func(p *player)) {
	f(tw.sieved)
	f(tw.precise)
}

// access is mostly one to elements of the warp's own lanes, at times one to any.
func (tw *twins) access(strangers bool) {
	r := tw.rng
	s := []int{wr, rd, wr2, at, rd, wr, rd16, wr8, vrd, rd1, vwr, wr1, wr1}[r.Intn(13)]
	warp, mask := r.Intn(3), r.Uint32()|1
	if r.Intn(3) == 0 {
		mask = ^uint32(0)
	}
	base, turn, value := 0, r.Intn(32), r.Intn(3)
	if strangers && r.Intn(6) == 0 {
		base = 16 * r.Intn(64)
	}
	atomic, narrow := s == at || s == vwr, tw.size(s) < 4 && r.Intn(2) == 0
	arrived := tw.flew && tw.size(s) <= 8 && r.Intn(4) == 0 // where copies went
	if atomic {
		base = 4096
	}
	addr := func(l int) int {
		switch {
		case base == 0 && narrow:
			return 2048 + tw.size(s)*(32*warp+l)
		case arrived:
			return 5120 + 768*value + 8*(32*warp+l)
		case base == 0:
			return 16*(32*warp+l) + 16 - max(tw.size(s), 16)
		case s == at:
			return base + 4*(l*turn%32)
		case s == vwr:
			return base + 64*value + 8*(l*turn%32)
		}
		return base + 16*l
	}
	val := func(l int) int { return value * (l & 3) }
	tw.both(func(p *player) {
		p.access(s, warp, mask, addr, val)
		if atomic { // as an engine would
			p.block.Shared[addr(0)] += byte(1 + turn)
		}
	})
}

// copy issues an asynchronous copy, mostly to places that nothing else accesses soon, or completes one.
func (tw *twins) copy(strangers bool) {
	r := tw.rng
	tw.flew = true
	if n := len(tw.copies); n > 0 && r.Intn(2) == 0 {
		i := r.Intn(n)
		tw.both(tw.copies[i].complete)
		tw.copies = slices.Delete(tw.copies, i, i+1)
		return
	}
	site, warp, mask := []int{wr, wr8}[r.Intn(2)], r.Intn(3), r.Uint32()|1
	if r.Intn(3) == 0 {
		mask = ^uint32(0)
	}
	base := 5120 + 768*r.Intn(4)
	if strangers && r.Intn(6) == 0 {
		base = 16 * r.Intn(64)
	}
	addr := func(l int) int { return base + 8*(32*warp+l) }
	tw.both(func(p *player) { p.copyTo(site, trace.AsyncIssue, warp, mask, addr) })
	for _, f := range tw.copies {
		tw.crossed = tw.crossed || f.base == base && f.warp == warp && f.mask&mask != 0
	}
	tw.copies = append(tw.copies, copying{base, warp, mask, func(p *player) { p.copyTo(site, trace.AsyncComplete, warp, mask, addr) }})
}

// land completes all copies.
func (tw *twins) land() {
	for _, f := range tw.copies {
		tw.both(f.complete)
	}
	tw.copies = nil
}

func (tw *twins) size(site int) int { return tw.sieved.launch.Sites[site].Size }

// sync ends the interval, or orders something in it.
func (tw *twins) sync(t *testing.T) {
	switch tw.rng.Intn(6) {
	case 0:
		w, mask := tw.rng.Intn(3), tw.rng.Uint32()|1
		tw.both(func(p *player) { p.syncwarp(w, mask) })
	case 1:
		some := []uint32{tw.rng.Uint32(), tw.rng.Uint32(), 0}
		tw.both(func(p *player) { p.part(some, some) })
	case 2:
		mask := tw.rng.Uint32() | 1
		tw.both(func(p *player) {
			p.to.Arrived(&trace.Arrival{Site: p.launch.Sites[bar], ID: 1, Warp: 1, Mask: mask})
		})
	default:
		if tw.lands {
			tw.land()
		}
		tw.judge(t)
		tw.both(func(p *player) { p.barrier() })
	}
}

// judge compares what the two have found in the interval.
func (tw *twins) judge(t *testing.T) {
	if open := tw.group.Quiet(); open && tw.precise.bo.dirty {
		t.Fatal("the sieve suspects nothing, and the precise rule has found a race")
	} else if open {
		if tw.clean++; tw.flew {
			tw.flown++
			if tw.lands {
				tw.landed++
			}
			if tw.crossed {
				tw.recovered++
			}
		}
	} else {
		tw.suspected++
	}
}

// TestSieveAgainstHistory has random events, most of them without races. The sieve is
// never clean where the precise rule finds a race, and leaves all that is found and
// reported as it is.
func TestSieveAgainstHistory(t *testing.T) {
	rounds := 1000
	switch {
	case testing.Short():
		rounds = 500
	case tooltest.Long():
		rounds = 20000
	}
	var clean, suspected, flown, landed, recovered, races int
	for seed := range rounds {
		for _, model := range []check.RaceModel{check.ITS, check.Lockstep, check.Threads} {
			tw := newTwins(t, model, int64(seed))
			for block := range uint64(2) {
				tw.both(func(p *player) { p.begin(block) })
				for range 20 {
					if seed%5 < 2 && tw.rng.Intn(4) == 0 {
						tw.copy(seed%2 == 0)
						continue
					}
					tw.access(seed%2 == 0)
					if tw.rng.Intn(4) == 0 {
						tw.sync(t)
					}
				}
				tw.land()
				tw.judge(t)
				tw.flew, tw.crossed = false, false
			}
			tw.both(func(p *player) { p.to.End() })
			tw.both(func(p *player) { p.block = nil })
			if !reflect.DeepEqual(tw.sieved.bo.pairs, tw.precise.bo.pairs) {
				t.Fatalf("seed %d, %v: other pairs:\n%v\n%v", seed, model, tw.sieved.result(true), tw.precise.result(true))
			}
			if got, want := tw.sieved.bo.accesses, tw.precise.bo.accesses; got != want {
				t.Fatalf("seed %d, %v: %d accesses, want %d", seed, model, got, want)
			}
			races += len(tw.precise.bo.pairs)
			got, want := findingsOf(t, tw.sieved), findingsOf(t, tw.precise)
			if !bytes.Equal(got, want) {
				t.Fatalf("seed %d, %v:\n got %s\nwant %s", seed, model, got, want)
			}
			clean, suspected, flown, landed, recovered = clean+tw.clean, suspected+tw.suspected, flown+tw.flown, landed+tw.landed, recovered+tw.recovered
		}
	}
	t.Logf("%d clean intervals, %d of them with asynchronous copies, of which %d all came and %d followed two to one place, %d suspected, %d pairs of sites that race", clean, flown, landed, recovered, suspected, races)
	if clean < rounds || flown < rounds/3 || landed < rounds/10 || recovered < rounds/100 || suspected < rounds || races < rounds {
		t.Errorf("too few: %d clean intervals, %d of them with asynchronous copies, %d suspected, %d races", clean, flown, suspected, races)
	}
}

func findingsOf(t *testing.T, p *player) []byte {
	out, err := json.Marshal(p.end())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSieveGivesUp: where every interval is suspected, the history takes them at once.
func TestSieveGivesUp(t *testing.T) {
	p := newPlayerOf(t, check.ITS, 64, 1, fence)
	g := p.behindSieve(true)
	p.begin(0)
	opened := 0
	for range 64 {
		if g.Quiet() {
			opened++
		}
		p.access(wr, 0, 1, fixed(0), nil)
		p.access(rd, 1, 1, fixed(0), nil)
		p.barrier()
	}
	if opened == 0 || opened > 32 {
		t.Errorf("%d of 64 intervals were tried", opened)
	}
}

// TestSieveOverflow: what the journal has no room for is judged as ever, and reads that are
// repeated need none.
func TestSieveOverflow(t *testing.T) {
	for _, repeats := range []int{rd, wr} {
		p := newPlayerOf(t, check.ITS, 64, 1, fence)
		g := p.behindSieve(true)
		p.begin(0)
		p.access(wr, 0, ^uint32(0), own(0), nil)
		for i := 0; i < 1<<16 && g.Quiet(); i++ {
			p.access(repeats, 0, ^uint32(0), own(0), nil)
		}
		if g.Quiet() != (repeats == rd) {
			t.Fatalf("quiet is %v", g.Quiet())
		}
		if p.bo.dirty {
			t.Fatal("there is a race")
		}
		p.access(wr, 1, 1, fixed(0), nil)
		if !p.bo.dirty {
			t.Error("a race with what was in the journal is not found")
		}
		p.to.End()
		if want := uint64(1<<16 + 2); repeats == rd && p.bo.accesses != want {
			t.Errorf("%d accesses, want %d", p.bo.accesses, want)
		}
	}
}

// TestLongIntervals: intervals that write more than a journal has for itself use the launch's room, in
// turn, and a race with what they did is found.
func TestLongIntervals(t *testing.T) {
	room := recall.NewRoom()
	var open []*player
	write := func(p *player, n int) {
		for range n {
			p.access(wr, 0, ^uint32(0), own(0), nil)
		}
	}
	const long = 1 << 15 // 13 MiB
	for i := range 12 {
		p := newPlayerOf(t, check.ITS, 64, 1, fence)
		g := p.behindSieveOf(true, room)
		p.begin(0)
		for range 2 { // the room is used again
			write(p, long)
			if !g.Quiet() {
				t.Fatalf("the intervals of block %d have no room", i)
			}
			p.barrier()
		}
		write(p, long)
		open = append(open, p)
	}
	for i, p := range open {
		if p.access(wr, 1, 1, fixed(0), nil); !p.bo.dirty {
			t.Errorf("block %d: a race with what was in the journal is not found", i)
		}
	}
	p := newPlayerOf(t, check.ITS, 64, 1, fence)
	g := p.behindSieveOf(true, room)
	p.begin(0)
	for range 1 << 18 {
		if write(p, 1); !g.Quiet() {
			return
		}
	}
	t.Error("a journal of over 100 MiB has room")
}
