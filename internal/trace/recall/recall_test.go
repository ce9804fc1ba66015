package recall

import (
	"math/rand/v2"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// counter counts accesses, told or repeated.
type counter struct {
	told, repeated, since int
	kept                  []int
}

func (c *counter) observer() *trace.BlockObserver {
	return &trace.BlockObserver{Begin: c.Begin, Shared: c.Access, Barrier: c.Barrier,
		Interval: &trace.IntervalObserver{Settled: c.Settled, Keep: c.Keep, Repeat: c.Repeat}}
}

func (c *counter) Begin(*trace.Block)   { c.since = c.told }
func (c *counter) Access(*trace.Access) { c.told++ }
func (c *counter) Settled() bool        { return true }
func (c *counter) Repeat(token int32)   { c.repeated += c.kept[token] }

func (c *counter) Barrier(e *trace.Barrier) { c.since = c.told }

func (c *counter) Keep() int32 {
	c.kept = append(c.kept, c.told-c.since)
	return int32(len(c.kept) - 1)
}

// rig sends accesses to a group as a slot does.
type rig struct {
	g      *Group
	shapes trace.Shapes
	launch *trace.Launch
	sent   int
}

func newRig(c *counter) *rig {
	r := &rig{launch: &trace.Launch{}}
	for i := range 4 {
		r.launch.Sites = append(r.launch.Sites, &trace.Site{ID: i, Size: 4})
	}
	r.g = New(r.launch, &r.shapes, nil)
	r.g.Add(c.observer())
	return r
}

func (r *rig) access(site, warp int, base uint64, step uint64, mask uint32) {
	var addr [32]uint64
	for l := range addr {
		addr[l] = base + uint64(l)*step
	}
	sh := r.shapes.Find(&addr, mask)
	r.sent++
	if sh == nil || !r.g.Known(r.launch.Sites[site], warp, sh, base) {
		r.g.Access(&trace.Access{Site: r.launch.Sites[site], Space: trace.SpaceShared, Warp: warp, Mask: mask, Addr: &addr, Shape: sh})
	}
}

func (r *rig) barrier() { r.g.Barrier(&trace.Barrier{Site: r.launch.Sites[3], Full: true}) }

// TestNothingIsLost sends more intervals than there is room for, some of
// which come again and some of which do not.
func TestNothingIsLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, random := range []int{0, 1, 30, 100} { // per cent of intervals
		c := &counter{}
		r := newRig(c)
		for range 300 {
			r.g.Begin(&trace.Block{Launch: r.launch})
			for i := range 20 {
				for w := range 8 {
					base := uint64(128 * w)
					if rng.IntN(100) < random {
						base = 4 * rng.Uint64N(4096)
					}
					r.access(i%3, w, base, uint64(4*(i%5)), ^uint32(0)>>(i%2))
				}
				r.barrier()
			}
			r.g.End()
		}
		if c.told+c.repeated != r.sent {
			t.Errorf("%d%% random: %d told and %d repeated of %d", random, c.told, c.repeated, r.sent)
		}
		if len(r.g.nodes) > maxNodes {
			t.Errorf("%d nodes", len(r.g.nodes))
		}
		if got := r.g.Irregular(); got != (random >= 30) {
			t.Errorf("%d%% random: irregular: %v", random, got)
		}
		if random == 0 && c.told > 200 {
			t.Errorf("%d told of %d", c.told, r.sent)
		}
	}
}

// TestUnknownEvents: an access without a shape makes its interval one that
// cannot be repeated, and what came before it is told first.
func TestUnknownEvents(t *testing.T) {
	c := &counter{}
	r := newRig(c)
	for range 3 {
		r.g.Begin(&trace.Block{Launch: r.launch})
		r.access(0, 0, 0, 4, 1)
		r.g.Access(&trace.Access{Site: r.launch.Sites[1], Space: trace.SpaceShared, Mask: 1, Addr: new([32]uint64)})
		r.sent++
		r.access(2, 0, 0, 4, 1)
		r.barrier()
		r.access(2, 1, 0, 4, 1)
		r.g.End()
	}
	if c.told != 10 || c.repeated != 2 {
		t.Errorf("%d told, %d repeated", c.told, c.repeated)
	}
}

func BenchmarkKnown(b *testing.B) {
	r := newRig(&counter{})
	var addr [32]uint64
	sh := r.shapes.Find(&addr, ^uint32(0))
	r.g.Begin(&trace.Block{Launch: r.launch})
	for i := 0; b.Loop(); i++ {
		if !r.g.Known(r.launch.Sites[i%3], i%8, sh, uint64(i%64)) {
			r.g.Access(&trace.Access{Site: r.launch.Sites[i%3], Space: trace.SpaceShared, Addr: &addr, Shape: sh})
		}
		if i%192 == 191 {
			r.barrier()
		}
	}
}
