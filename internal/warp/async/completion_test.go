package async

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// testHome runs a block in tests: it has shared memory and an observer.
type testHome struct {
	place trace.Block
	on    trace.BlockObserver
}

func (h *testHome) Place() *trace.Block            { return &h.place }
func (h *testHome) Observer() *trace.BlockObserver { return &h.on }
func (h *testHome) Taints() *taint.Block           { return &taint.Block{} }
func (h *testHome) Flush()                         {}
func (h *testHome) Rank(uint64) (*Block, bool)     { return nil, false }

// testWarp is a warp in tests, which has the fault that ended it.
type testWarp struct {
	Warp
	number int
	owner  *Block
	fault  *trace.Fault
}

func (w *testWarp) Number() int   { return w.number }
func (w *testWarp) Owner() *Block { return w.owner }

func (w *testWarp) Fault(kind trace.FaultKind, cause trace.Cause, site *trace.Site, m uint32, format string, args ...any) *trace.Fault {
	w.fault = &trace.Fault{Kind: kind, Cause: cause, Site: site, Mask: m, Message: fmt.Sprintf(format, args...)}
	return w.fault
}

// testUnit is a unit of a warp of a block with n bytes of shared memory.
func testUnit(n int) (*Unit, *testWarp, *testHome) {
	h, w := &testHome{}, &testWarp{}
	if n > 0 {
		h.place.Shared = asShared(n)
	}
	b := &Block{}
	b.Attach(h)
	u := New(w, b, new(vec.Registers), new(vec.Activity), nil)
	return &u, w, h
}

// TestCompletion: a phase with bytes to come ends when the operation that transfers them
// completes, which is when the mbarrier is looked at, after the operation's own effect.
func TestCompletion(t *testing.T) {
	u, w, h := testUnit(64)
	h.place.Index = 3
	b := u.block
	site := &trace.Site{PTX: "cp.async.bulk"}
	var log []string
	var op uint64
	h.on.AsyncEnded = func(e *trace.AsyncEnd) {
		if e.Op != op || op == 0 || e.Issuer != 3 || !e.OnMBarrier || e.MBarrier != 8 || unpackMBarrier(*b.mbarrierAt(8)).phase != 0 {
			t.Errorf("event %+v", e)
		}
		log = append(log, "ended")
	}
	*b.mbarrierAt(8) = mbarrier{expected: 1, pending: 0, tx: 48}.pack()
	for _, n := range []uint64{16, 32} {
		c := &Completion{Site: site, Warp: u, Owner: b, At: 8, Bytes: n, Land: func() bool { log = append(log, "landed"); return true }}
		if n == 16 {
			op = b.NextOp(0)
			c.Ops = []uint64{op}
		}
		c.Defer()
	}
	if !b.settleAt(u, 0) || len(log) != 0 || unpackMBarrier(*b.mbarrierAt(8)).tx != 48 {
		t.Errorf("completed at another mbarrier: %v", log)
	}
	if !b.settleAt(u, 8) || len(log) != 3 || log[0] != "landed" || log[1] != "ended" {
		t.Errorf("got %v, %v", log, w.fault)
	}
	if o := unpackMBarrier(*b.mbarrierAt(8)); o.phase != 1 || o.pending != 1 || o.tx != 0 {
		t.Errorf("phase %d, %d pending, %d bytes", o.phase, o.pending, o.tx)
	}
}

// TestCompletionFaults: what a completion cannot do to an mbarrier is a fault at the
// instruction that issued the operation.
func TestCompletionFaults(t *testing.T) {
	var none trace.Cause
	for name, tt := range map[string]struct {
		bar         uint64
		n, arrivals uint64
		cause       trace.Cause
	}{
		"no mbarrier":       {0, 16, 0, trace.CauseNoMBarrier},
		"too many bytes":    {mbarrier{expected: 1, pending: 1, tx: -maxTx}.pack(), 1, 0, trace.CauseMBarrierUse},
		"too many arrivals": {mbarrier{expected: 1, pending: 0, tx: 4}.pack(), 0, 1, trace.CauseMBarrierUse},
		"before expect_tx":  {mbarrier{expected: 1, pending: 1}.pack(), 16, 0, none},
	} {
		u, w, _ := testUnit(64)
		*u.block.mbarrierAt(0) = tt.bar
		ok := u.block.CompleteTx(u, &trace.Site{PTX: "cp.async.bulk"}, 0, tt.n, tt.arrivals)
		if ok != (tt.cause == none) || !ok && w.fault.Cause != tt.cause {
			t.Errorf("%s: %v, %+v", name, ok, w.fault)
		}
	}
}

// asShared makes n bytes at a multiple of 8.
func asShared(n int) []byte {
	w := make([]uint64, n/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), n)
}

// TestArrivals: who arrived in the phase of an mbarrier, and who only in earlier ones.
func TestArrivals(t *testing.T) {
	first, _, _ := testUnit(0)
	b := first.block
	second, w, _ := testUnit(0)
	second.block, w.number = b, 1
	remote, w, _ := testUnit(0)
	w.owner = b
	first.noteArrival(3, 8, 0)
	second.noteArrival(4, 8, 0)
	remote.noteArrival(0, 8, 0)
	first.noteArrival(3, 16, 1)
	first.noteArrival(3, 8, 1)
	for _, tt := range []struct {
		at, phase              uint64
		first, second, missing uint32
		others                 int
	}{{8, 1, 1 << 3, 0, 1 << 4, 0}, {8, 0, 0, 0, 1 << 4, 0}, {16, 1, 1 << 3, 0, 0, 0}} {
		p := Phase{Offset: tt.at}
		b.arrived(&p, tt.phase)
		at := func(m []uint32, i int) uint32 {
			if i < len(m) {
				return m[i]
			}
			return 0
		}
		if at(p.Arrived, 0) != tt.first || at(p.Arrived, 1) != tt.second || at(p.Missing, 1) != tt.missing || p.FromOthers != tt.others {
			t.Errorf("at %d in phase %d: %+v", tt.at, tt.phase, p)
		}
	}
	remote.noteArrival(0, 8, 1)
	p := Phase{Offset: 8}
	if b.arrived(&p, 1); p.FromOthers != 1 {
		t.Errorf("%d from other blocks", p.FromOthers)
	}
}
