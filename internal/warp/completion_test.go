package warp

import (
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestCompletion: a phase with bytes to come ends when the operation that transfers them
// completes, which is when the mbarrier is looked at, after the operation's own effect.
func TestCompletion(t *testing.T) {
	env := &Env{Block: trace.Block{Shared: asShared(64), Index: 3}}
	w := &Warp{Env: env}
	site := &trace.Site{PTX: "cp.async.bulk"}
	var log []string
	var op uint64
	env.On.AsyncEnded = func(e *trace.AsyncEnd) {
		if e.Op != op || op == 0 || e.Issuer != 3 || !e.OnMBarrier || e.MBarrier != 8 || unpackMBarrier(*env.mbarrierAt(8)).phase != 0 {
			t.Errorf("event %+v", e)
		}
		log = append(log, "ended")
	}
	*env.mbarrierAt(8) = mbarrier{expected: 1, pending: 0, tx: 48}.pack()
	for _, n := range []uint64{16, 32} {
		c := &Completion{Site: site, Warp: w, Owner: env, At: 8, Bytes: n, Land: func() bool { log = append(log, "landed"); return true }}
		if n == 16 {
			op = env.NextAsyncOp(0)
			c.Ops = []uint64{op}
		}
		c.Defer()
	}
	if !env.settleAt(w, 0) || len(log) != 0 || unpackMBarrier(*env.mbarrierAt(8)).tx != 48 {
		t.Errorf("completed at another mbarrier: %v", log)
	}
	if !env.settleAt(w, 8) || len(log) != 3 || log[0] != "landed" || log[1] != "ended" {
		t.Errorf("got %v, %v", log, env.Fault)
	}
	if b := unpackMBarrier(*env.mbarrierAt(8)); b.phase != 1 || b.pending != 1 || b.tx != 0 {
		t.Errorf("phase %d, %d pending, %d bytes", b.phase, b.pending, b.tx)
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
		env := &Env{Block: trace.Block{Shared: asShared(64)}}
		w := &Warp{Env: env}
		*env.mbarrierAt(0) = tt.bar
		ok := env.CompleteTx(w, &trace.Site{PTX: "cp.async.bulk"}, 0, tt.n, tt.arrivals)
		if ok != (tt.cause == none) || !ok && env.Fault.Cause != tt.cause {
			t.Errorf("%s: %v, %+v", name, ok, env.Fault)
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
	env, other := &Env{}, &Env{}
	first, second := (&Warp{Env: env}).copies(), (&Warp{Env: env, Index: 1}).copies()
	remote := (&Warp{Env: other}).copies()
	other.owner = env
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
		env.arrived(&p, tt.phase)
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
	if env.arrived(&p, 1); p.FromOthers != 1 {
		t.Errorf("%d from other blocks", p.FromOthers)
	}
}
