package engine_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// listener writes down the events of a launch, block by block.
type listener struct {
	// byInterval makes the observers ones of barrier intervals.
	byInterval bool
	// moody ones refuse to settle or to repeat every few intervals.
	moody bool
	// ordering ones hear atomic operations on global memory, too, in order with the others.
	ordering bool
	blocks   map[uint64][]string
	repeated int
}

func (l *listener) observer() *trace.Observer {
	return eachBlock(func() *trace.BlockObserver {
		n := &intervalNotes{notes: notes{l: l}}
		o := &trace.BlockObserver{Begin: n.Begin, End: n.End, Shared: n.Access, Barrier: n.Barrier, WarpSync: n.WarpSync, Fence: n.Fence}
		if l.byInterval {
			o.Interval = &trace.IntervalObserver{Settled: n.Settled, Keep: n.Keep, Repeat: n.Repeat, Repeatable: n.Repeatable}
		}
		if l.ordering {
			o.Global = func(a *trace.Access) {
				if orders(a.Site) {
					n.add("site %d warp %d mask %x", a.Site.ID, a.Warp, a.Mask)
				}
			}
			if l.byInterval {
				o.Interval.Orders = orders
			}
		}
		return o
	})
}

func orders(s *trace.Site) bool { return s.Kind == trace.Atomic }

// eachBlock observes a run by the block observers that f makes.
func eachBlock(f func() *trace.BlockObserver) *trace.Observer {
	return &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver { return []*trace.LaunchObserver{{Block: f}} }}
}

// notes is a plain observer.
type notes struct {
	l     *listener
	block uint64
}

func (n *notes) add(format string, args ...any) {
	n.l.blocks[n.block] = append(n.l.blocks[n.block], fmt.Sprintf(format, args...))
}

func (n *notes) Begin(b *trace.Block) {
	n.block = b.Index
	n.add("begin")
}

func (n *notes) Access(a *trace.Access) {
	var addr []uint64
	for l := range 32 {
		if a.Mask>>l&1 != 0 {
			addr = append(addr, a.Addr[l])
		}
	}
	step := "irregular"
	if a.Regular {
		step = fmt.Sprint("step ", a.Step)
	}
	n.add("site %d warp %d mask %x %x %s %v", a.Site.ID, a.Warp, a.Mask, addr, step, a.Space)
}

func (n *notes) Barrier(e *trace.Barrier) {
	n.add("barrier %d %d %x %x %v", e.Site.ID, e.ID, e.Arrived, e.Synced, e.Full)
}

func (n *notes) WarpSync(e *trace.WarpSync) {
	n.add("sync %d %d %x", e.Site.ID, e.Warp, e.Mask)
}

func (n *notes) Fence(e *trace.Fence) {
	n.add("fence %d %d %x %v %v", e.Site.ID, e.Warp, e.Mask, e.Scope, e.Order)
}

func (n *notes) End() { n.add("end") }

// intervalNotes can repeat what it heard.
type intervalNotes struct {
	notes
	begun int
	kept  [][]string
	asked int
}

func (n *intervalNotes) Begin(b *trace.Block) {
	n.notes.Begin(b)
	n.begun = 1
}

func (n *intervalNotes) Barrier(e *trace.Barrier) {
	n.notes.Barrier(e)
	if e.Full {
		n.begun = len(n.l.blocks[n.block])
	}
}

func (n *intervalNotes) refuses() bool {
	n.asked++
	return n.l.moody && n.asked%3 == 0
}

func (n *intervalNotes) Settled() bool { return !n.refuses() }

func (n *intervalNotes) Keep() int32 {
	n.kept = append(n.kept, slices.Clone(n.l.blocks[n.block][n.begun:]))
	return int32(len(n.kept) - 1)
}

func (n *intervalNotes) Repeatable(int32) bool { return !n.refuses() }

func (n *intervalNotes) Repeat(token int32) {
	n.l.blocks[n.block] = append(n.l.blocks[n.block], n.kept[token]...)
	n.l.repeated++
}

// TestIntervalsAreRepeated runs random programs with an observer that hears
// every event and one that hears known intervals only as a whole: in the end
// both must know the same, also where some accesses order others.
func TestIntervalsAreRepeated(t *testing.T) {
	defer useOwnExecutor()
	repeated := map[bool]int{}
	for seed := range programs(80) {
		p := lowered(t, parse(t, generate(seed, 1+int(seed%6))), "k", nil)
		for _, mode := range executors() {
			warp.UseExecutor(mode)
			for _, ordering := range []bool{false, true} {
				want := listen(t, p, seed, &listener{ordering: ordering})
				for _, moody := range []bool{false, true} {
					l := &listener{byInterval: true, moody: moody, ordering: ordering}
					got := listen(t, p, seed, l)
					repeated[ordering] += l.repeated
					for b := range want {
						if i := firstDifference(got[b], want[b]); i >= 0 {
							t.Fatalf("seed %d, executor %s, ordering %v: block %d event %d:\n%s\nwant:\n%s", seed, mode, ordering, b, i,
								at(got[b], i), at(want[b], i))
						}
					}
				}
			}
		}
	}
	if least := int(programs(100)); repeated[false] < least || repeated[true] < least {
		t.Errorf("only so many intervals were repeated, by whether something orders: %v", repeated)
	}
}

func firstDifference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if at(a, i) != at(b, i) {
			return i
		}
	}
	return -1
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

func listen(t *testing.T, p *program.Program, seed int64, l *listener) map[uint64][]string {
	t.Helper()
	l.blocks = map[uint64][]string{}
	block := []int{32, 64, 50, 96}[seed%4]
	var params []byte
	for _, n := range []int{diffTable, diffGrid * block * 256, 4} {
		params = binary.LittleEndian.AppendUint64(params, newBuffer(t, n).Base)
	}
	a, _ := arch.Parse("sm_80")
	e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1, MaxSteps: 1 << 20, Observers: []*trace.Observer{l.observer()}})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if _, err := e.Run(ctx, p, engine.Launch{
		Grid: trace.Dim3{X: diffGrid, Y: 1, Z: 1}, Block: trace.Dim3{X: uint32(block), Y: 1, Z: 1}, Params: params,
	}); err != nil {
		t.Fatal(err)
	}
	return l.blocks
}
