package work

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// handoverSites are what the warps of TestHandovers execute.
var handoverSites = []*trace.Site{
	{Kind: trace.Read, Order: trace.OrderWeak}, {Kind: trace.Write, Order: trace.OrderWeak},
	{Kind: trace.Read, Order: trace.OrderAcquire}, {Kind: trace.Read, Order: trace.OrderRelaxed},
	{Kind: trace.Write, Order: trace.OrderRelease}, {Kind: trace.Write, Order: trace.OrderRelaxed},
	{Op: inst.Op{Kind: inst.Fence}},
}

// knowledge is how many steps of each warp come before something: warps 0 and 1 are of the first launch.
type knowledge [4]int

func (k *knowledge) join(o knowledge) {
	for i, n := range o {
		k[i] = max(k[i], n)
	}
}

// handoverModel is the memory model for warps of one lane: vector clocks, by warp and by write.
type handoverModel struct {
	now, fenced, unfenced [4]knowledge
	released              [3]knowledge // what the last write to each word released
	done                  []handoverAccess
	raced                 map[uint64]bool
}

type handoverAccess struct {
	who, step int
	addr      uint64
	write     bool
}

func (m *handoverModel) access(a handoverAccess) {
	a.step = m.now[a.who][a.who]
	for _, o := range m.done {
		if o.who/2 != a.who/2 && o.addr == a.addr && (o.write || a.write) && o.step > m.now[a.who][o.who] {
			m.raced[a.addr] = true
		}
	}
	m.done = append(m.done, a)
}

func (m *handoverModel) fence(who int) {
	m.now[who].join(m.unfenced[who])
	m.fenced[who] = m.now[who]
}

func (m *handoverModel) barrier(a, b int) {
	for _, i := range []int{a, b} {
		m.now[i].join(m.unfenced[i])
	}
	m.now[a].join(m.now[b])
	m.now[b].join(m.now[a])
	m.fenced[a].join(m.fenced[b])
	m.fenced[b].join(m.fenced[a])
}

// TestHandovers has two launches of two warps execute random operations in two streams, one launch after the other, and
// compares the races that are reported with those of the model: none is false, and most are found.
func TestHandovers(t *testing.T) {
	const data, words = 0x1000, 0x2000
	for i, s := range handoverSites {
		s.ID, s.PTXLine = i, i+1
		s.Space, s.Size, s.Elem, s.Scope = trace.SpaceGlobal, 4, 4, trace.ScopeGPU
	}
	streams := []trace.Stream{{ID: 16}, {ID: 32}}
	races, hits := 0, 0
	for seed := range int64(3000) {
		r := rand.New(rand.NewSource(seed))
		m := &handoverModel{raced: map[uint64]bool{}}
		found, log := map[uint64]bool{}, &strings.Builder{}
		config := &evidence.Config{Facts: func(*trace.Launch) *guards.Facts { return nil }}
		d := New(config, func(p *evidence.WorkPair) { found[p.Addr] = true })
		for _, id := range streams {
			d.StreamOrder(&trace.StreamOrder{Action: trace.NewStream, Stream: id, NonBlocking: true})
		}
		for k := range 2 {
			l := &trace.Launch{ID: k, Kernel: fmt.Sprint(k), Sites: handoverSites, Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 64, Y: 1, Z: 1}}
			d.Enqueued(&trace.Enqueued{Launch: k, Stream: streams[k]})
			d.Runs(k)
			o := d.Launch(l)
			b := o.Block()
			b.Begin(&trace.Block{Launch: l})
			for range 4 + r.Intn(14) {
				w, n, op := r.Intn(2), r.Intn(3), r.Intn(9)
				who := 2*k + w
				m.now[who][who]++
				fmt.Fprintf(log, "warp %d: operation %d, word %d\n", who, op, n)
				send := func(site int, addr uint64) {
					b.Global(&trace.Access{Site: handoverSites[site], Space: trace.SpaceGlobal, Warp: w, Mask: 1, Addr: &[32]uint64{addr}})
				}
				switch word := words + 4*uint64(n); op {
				case 0, 1, 2, 3: // plain accesses of two places, not neighbors
					addr := data + 16*uint64(op/2)
					send(op%2, addr)
					m.access(handoverAccess{who: who, addr: addr, write: op%2 == 1})
				case 4:
					send(2, word)
					m.now[who].join(m.released[n])
				case 5:
					send(3, word)
					m.unfenced[who].join(m.released[n])
				case 6:
					send(4, word)
					m.released[n] = m.now[who]
				case 7:
					send(5, word)
					m.released[n] = m.fenced[who]
				case 8:
					if n == 0 {
						b.Barrier(&trace.Barrier{Arrived: []uint32{1, 1}, Synced: []uint32{1, 1}, Full: true})
						m.barrier(2*k, 2*k+1)
					} else {
						b.Fence(&trace.Fence{Site: handoverSites[6], Warp: w, Mask: 1, Scope: trace.ScopeGPU})
						m.fence(who)
					}
				}
			}
			b.End()
			o.End()
			d.Finished(k)
		}
		d.Settle()
		for addr := range found {
			if !m.raced[addr] {
				t.Fatalf("seed %d: a false race at %#x\n%s", seed, addr, log)
			}
			hits++
		}
		races += len(m.raced)
	}
	t.Logf("%d of %d races found", hits, races)
	if races == 0 || hits*10 < races*9 {
		t.Errorf("%d of %d races found, want nine tenths", hits, races)
	}
}
