package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// turns is a kernel whose warps log their turns between barriers, in a racy way and a log for
// each lane: what it has depends on the order of the turns and on where they end. More rounds than a sweep passes
// by itself, of two barriers each.
var turns = simple("", `
	shr.u32 %r2, %t, 5; mov.u32 %r0, 0; mul.wide.u32 %d0, %lane, 4; add.u64 %d0, %d0, %base;
ROUND:
	mad.lo.u32 %r3, %r2, 7, %r0; rem.u32 %r3, %r3, 11; mov.u32 %r4, %t;
WORK:
	mad.lo.u32 %r4, %r4, 3, 1; sub.u32 %r3, %r3, 1; setp.gt.s32 %p0, %r3, 0; @%p0 bra WORK;
	ld.global.u32 %r1, [%d0]; mul.wide.u32 %d1, %r1, 128; add.u64 %d2, %d0, %d1;
	st.global.u32 [%d2+256], %r2; add.u32 %r1, %r1, 1; st.global.u32 [%d0], %r1;
	bar.sync 0;
	mad.lo.u32 %r3, %r2, 3, %r0; rem.u32 %r3, %r3, 11;
MORE:
	mad.lo.u32 %r4, %r4, 5, 1; sub.u32 %r3, %r3, 1; setp.gt.s32 %p0, %r3, 0; @%p0 bra MORE;
	ld.global.u32 %r1, [%d0+128]; mad.lo.u32 %r1, %r1, 5, %r2; st.global.u32 [%d0+128], %r1;
	bar.sync 3;
	add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 150; @%p0 bra ROUND;`)

// TestSweepsKeepTurns compares the turns of the executors, and the barriers that observers
// hear of.
func TestSweepsKeepTurns(t *testing.T) {
	best := alu.ISA()
	defer alu.SetISA(best)
	defer useOwnExecutor()
	for _, order := range []engine.Order{engine.DefaultOrder, engine.ReverseOrder} {
		for i, block := range []int{32, 64, 150, 256} {
			for _, steps := range []int64{0, 20, 24, 28, 32} {
				name := fmt.Sprintf("%v/%d/%d", order, block, steps)
				want := runTurns(t, "off", block, steps, order)
				for _, simd := range []string{best, "avx2"} {
					if alu.SetISA(simd) != nil || warp.UseExecutor("always") != nil || simd != best && !takes(i) {
						continue
					}
					if got := runTurns(t, "always", block, steps, order); !slices.Equal(got, want) {
						t.Errorf("%s: with %s the turns differ from the interpreter's", name, simd)
					}
				}
				alu.SetISA(best)
			}
		}
	}
}

// runTurns returns the log, the counts and the barriers of a run.
func runTurns(t *testing.T, executor string, block int, steps int64, order engine.Order) (out []uint32) {
	t.Helper()
	if err := warp.UseExecutor(executor); err != nil {
		t.Fatal(err)
	}
	if steps > 0 {
		defer engine.SetSchedule(steps, 1<<10)()
	}
	log := newBuffer(t, 128*(2+8*150))
	var barriers []uint32
	o := &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
			return &trace.BlockObserver{Barrier: func(e *trace.Barrier) {
				barriers = append(barriers, uint32(e.Site.PTXLine), uint32(e.ID), uint32(len(e.Synced)))
			}}
		}}}
	}}
	res := mustRun(t, launch{src: turns, block: block, params: []any{log}, observers: []*trace.Observer{o}, schedule: engine.Schedule{Order: order}})
	out = append(log.u32(), uint32(res.Counts.WarpInstrs), uint32(res.Counts.ThreadInstrs), uint32(res.Counts.Accesses))
	return append(out, barriers...)
}
