package warp

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// TestNativeSync compares warp-level operations in generated code with the interpreter's:
// where lanes that run are those of the member mask, and where they are not, which the code
// leaves.
func TestNativeSync(t *testing.T) { testExecutors(t, testSyncs) }

func testSyncs(t *testing.T, x translator) {
	for k := program.SyncWarp; k <= program.VoteBallot; k++ {
		for _, predicate := range []bool{false, true} {
			for _, m := range []uint32{^uint32(0), 0x0ff0a5f1, 1 << 7} {
				t.Run(fmt.Sprintf("%d %v %#x", k, predicate, m), func(t *testing.T) { testSync(t, x, k, predicate, m) })
			}
		}
	}
}

func testSync(t *testing.T, x translator, k program.SyncKind, predicate bool, m uint32) {
	s := program.Sync{Site: &trace.Site{}, Kind: k, Mask: slotE, A: slotA, B: slotB, C: slotC, Dst: slotD, DstPred: slotP}
	if k >= program.VoteAll {
		s.DstPred, s.DstIsPred, s.PredNot = program.NoSlot, predicate && k != program.VoteBallot, predicate
	} else if predicate {
		s.DstPred = program.NoSlot
	}
	p := nativeProgram(program.Instr{Op: program.OpSync})
	p.Syncs = []program.Sync{s}
	w, v := nativeWarp(t, x, p, m)
	w.Live, w.Exist = m, m
	r, stayed := rand.New(rand.NewSource(int64(k))), 0
	for round := range 200 {
		spread := round%4 == 0 // every lane its own operands
		delta, clamp, wrong := r.Uint32()%40, clamps[r.Intn(len(clamps))], r.Intn(8) == 0
		for l := range 32 {
			w.SetLane(slotA, alu.W32, l, r.Uint64())
			if spread {
				delta = r.Uint32() % 40
			}
			w.SetLane(slotB, alu.W32, l, uint64(delta))
			w.SetLane(slotC, alu.W32, l, uint64(clamp))
			w.SetLane(slotE, alu.W32, l, uint64(m))
			w.SetLane(slotD, alu.W64, l, 0x5555555555555555)
		}
		if wrong {
			w.SetLane(slotE, alu.W32, r.Intn(32), r.Uint64())
		}
		*w.Pred(slotP) = 0x33333333
		if predicates := k >= program.VoteAll; predicates {
			*w.Pred(slotA) = [...]uint32{0, m, ^uint32(0), r.Uint32()}[r.Intn(4)]
		}
		want := w.snapshot()
		want.Live, want.Exist, want.groups = m, m, []group{{mask: m, join: -1, frame: -1}}
		budget := int64(100)
		switch pc := w.native(v, 0, none, m, &budget); {
		case pc == 1:
			continue
		case pc != 3:
			t.Fatalf("left at step %d", pc)
		}
		stayed++
		if !want.sync(0, &p.Code[1], m) {
			t.Fatal("the interpreter waits for lanes")
		}
		if *w.V64(slotD) != *want.V64(slotD) || *w.Pred(slotP)&m != *want.Pred(slotP)&m {
			t.Fatalf("delta %d, clamp %#x: got\n%x %x, want\n%x %x", delta, clamp, *w.V64(slotD), *w.Pred(slotP), *want.V64(slotD), *want.Pred(slotP))
		}
	}
	if stayed < 10 {
		t.Errorf("%d of 200 stayed in the code", stayed)
	}
}

// clamps are third operands of shuffles: segments of 32, 16, 8 and 1 lanes, and odd ones.
var clamps = []uint32{0x1f, 0, 0x101f, 0x1000, 0x181f, 0x1f1f, 0x0715, 0xffffffff}
