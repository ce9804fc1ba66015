package perf

import (
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

const full = 0xffffffff

func request(warp int, mask uint32, f func(l int) int) Request {
	r := Request{Warp: warp, Mask: mask}
	for l := range r.Addr {
		if mask>>l&1 != 0 {
			r.Addr[l] = uint64(f(l))
		}
	}
	return r
}

// addresses lists those of the lanes that take part.
func addresses(r *Request) []uint64 {
	var out []uint64
	for l, a := range r.Addr {
		if r.Mask>>l&1 != 0 {
			out = append(out, a)
		}
	}
	return out
}

func launch(id int, x, y uint32) *trace.Launch {
	return &trace.Launch{ID: id, Block: trace.Dim3{X: x, Y: y, Z: 1}}
}

// TestExchangeXY: the columns of a 16 by 16 tile become rows.
func TestExchangeXY(t *testing.T) {
	s := &Sample{Launch: launch(0, 16, 16), Size: 4}
	for w := range 8 {
		s.ByWarp = append(s.ByWarp, request(w, full, func(l int) int {
			x, y := l%16, 2*w+l/16
			return 4 * (16*x + y)
		}))
	}
	out := ExchangeXY(s)
	for i := range out {
		for l, a := range out[i].Addr {
			if want := uint64(4 * (32*i + l)); a != want {
				t.Fatalf("request %d lane %d: %d, want %d", i, l, a, want)
			}
		}
	}
	if len(out) != 8 {
		t.Errorf("%d requests, want 8", len(out))
	}
	s.ByWarp = s.ByWarp[1:]
	if ExchangeXY(s) != nil {
		t.Error("a warp is missing, and still it was tried")
	}
	if ExchangeXY(&Sample{Launch: launch(0, 64, 1)}) != nil {
		t.Error("a block of one row was exchanged")
	}
}

// TestExchangeLoop: each lane walks four neighbors; exchanged, 32 lanes do.
func TestExchangeLoop(t *testing.T) {
	s := &Sample{Launch: launch(0, 32, 1), Size: 4}
	for k := range 4 {
		s.InTime = append(s.InTime, request(0, full, func(l int) int { return 16*l + 4*k }))
	}
	out := ExchangeLoop(s)
	if len(out) != 4 || Stride(out[:1]) != 4 || Lowest(&out[1]) != 128 {
		t.Errorf("%d requests: %v", len(out), out)
	}
	s.InTime = s.InTime[:1]
	if ExchangeLoop(s) != nil {
		t.Error("no loop, and still it was tried")
	}
}

func TestMoves(t *testing.T) {
	column := []Request{request(0, 0xf, func(l int) int { return 128*l + 8 })}
	for _, tc := range []struct {
		name string
		got  []Request
		want []uint64
	}{
		{"dense", Dense(column, 128, 4), []uint64{0, 4, 8, 12}},
		{"padded", Padded(column, 128, 4), []uint64{8, 140, 272, 404}},
		{"swizzled", Swizzled(column, 128), []uint64{8, 128 + 12, 256, 384 + 4}},
		{"aligned", Aligned(column, 32), []uint64{0, 128, 256, 384}},
		{"moved", Moved(column, ^uint64(7)), []uint64{0, 128, 256, 384}},
	} {
		if got := addresses(&tc.got[0]); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	if g := Stride(column); g != 128 {
		t.Errorf("stride %d, want 128", g)
	}
}

// TestSample: a sample begins with the first excess, and keeps to its block.
func TestSample(t *testing.T) {
	var s Sample
	l := launch(3, 64, 1)
	site := &trace.Site{Size: 4}
	send := func(block uint64, warp int, at uint64, excess bool) {
		if s.Wants(l, block, excess) {
			s.Record(l, block, &trace.Access{Site: site, Warp: warp, Mask: 1, Addr: &[32]uint64{at}}, excess)
		}
	}
	send(2, 0, 10, false)
	send(2, 1, 11, false)
	if len(s.ByWarp) != 2 || s.Excess {
		t.Fatalf("%+v", s)
	}
	send(5, 1, 20, true)
	send(5, 1, 21, false)
	send(5, 0, 22, false)
	send(7, 1, 30, true)
	if s.Block != 5 || len(s.InTime) != 2 || len(s.ByWarp) != 2 || s.InTime[1].Addr[0] != 21 || s.ByWarp[1].Addr[0] != 22 {
		t.Errorf("%+v", s)
	}
	for i := range 2 * maxRequests {
		send(5, 1, uint64(i), true)
	}
	if len(s.InTime) != maxRequests || s.Wants(l, 5, true) {
		t.Errorf("%d requests in time", len(s.InTime))
	}
}

func TestSamples(t *testing.T) {
	at := func(id int, block uint64, excess bool) *Sample {
		return &Sample{Launch: launch(id, 32, 1), Block: block, Excess: excess}
	}
	all := Samples{}
	all.Keep(4, at(0, 7, false))
	all.Keep(4, at(0, 9, true))
	all.Keep(4, at(0, 8, true))
	all.Keep(4, at(1, 1, true))
	all.Keep(2, at(0, 1, false))
	all.Keep(6, at(0, 1, true))
	all.Keep(1, &Sample{})
	if m := all.Main(); m.Block != 8 || len(all) != 3 {
		t.Errorf("%+v of %d", m, len(all))
	}
	if all.Need(4) != NeedNothing || all.Need(2) != NeedExcess || all.Need(3) != NeedAny {
		t.Error("needs")
	}
	s := Sample{Need: NeedExcess}
	if s.Wants(launch(0, 32, 1), 0, false) || !s.Wants(launch(0, 32, 1), 0, true) {
		t.Error("a sample that needs excess")
	}
	if m := (Samples{}).Main(); m == nil || m.Launch != nil {
		t.Errorf("%+v", m)
	}
}

func TestChoose(t *testing.T) {
	sites := []Site{{Index: 0, Cost: 1000}, {Index: 1, Cost: 100, Excess: 40}, {Index: 2, Cost: 300, Excess: 200},
		{Index: 3, Cost: 50, Excess: 45, Mild: true}, {Index: 4, Cost: 50, Excess: 5}, {Index: 5, Cost: 300, Excess: 250, Exempt: true}}
	c := Choose(sites)
	if len(c.Sites) != 2 || c.Sites[0].Index != 2 || c.Sites[1].Index != 1 || c.Left != 3 || c.LeftExcess != 300 || c.Excess != 540 {
		t.Errorf("%+v", c)
	}
	var many []Site
	for i := range 20 {
		many = append(many, Site{Index: i, Cost: 10, Excess: uint64(i % 7)})
	}
	if c := Choose(many); len(c.Sites) != maxSites || c.Left != 7 || c.Sites[0].Index != 6 {
		t.Errorf("%+v", c)
	}
}

func TestTried(t *testing.T) {
	for _, tc := range []struct {
		before, after, ideal int
		want                 bool
	}{{32, 4, 4, true}, {32, 18, 4, true}, {32, 19, 4, false}, {5, 4, 4, true}, {4, 4, 4, false}, {3, 2, 4, false}, {8, 40, 4, false}} {
		if got := (Tried{Before: tc.before, After: tc.after}).Helps(tc.ideal); got != tc.want {
			t.Errorf("%+v: %v", tc, got)
		}
	}
	a, b := Tried{Before: 68, After: 6}, Tried{Before: 64, After: 4}
	if a.BetterThan(b, 6, 2) != true || b.BetterThan(a, 2, 6) {
		t.Error("what leaves nothing of the excess is not better than what leaves some")
	}
	if Level(true, true) != finding.Warning || Level(true, false) != finding.Info || Level(false, true) != finding.Info {
		t.Error("levels")
	}
}

func TestLaneStride(t *testing.T) {
	request := func(mask uint32, addr func(l uint64) uint64) []Request {
		r := Request{Mask: mask}
		for l := range r.Addr {
			r.Addr[l] = addr(uint64(l))
		}
		return []Request{r}
	}
	for _, tc := range []struct {
		name string
		mask uint32
		addr func(l uint64) uint64
		want uint64
	}{
		{"words", 1<<32 - 1, func(l uint64) uint64 { return 4 * l }, 4},
		{"every other word", 0x55555555, func(l uint64) uint64 { return 4 * l }, 4},
		{"structures", 1<<32 - 1, func(l uint64) uint64 { return 12 * l }, 12},
		{"structures in two rows", 1<<32 - 1, func(l uint64) uint64 { return 12*(l%16) + l/16*4096 }, 12},
		{"down", 1<<32 - 1, func(l uint64) uint64 { return 8 * (31 - l) }, 8},
		{"one place", 1<<32 - 1, func(uint64) uint64 { return 64 }, 0},
		{"data", 1<<32 - 1, func(l uint64) uint64 { return 8 * (l * l * 7919 % 61) }, 0},
	} {
		if got := LaneStride(request(tc.mask, tc.addr)); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}
