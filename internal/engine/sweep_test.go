package engine_test

import (
	"fmt"
	"slices"
	"strings"
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

// detours are what one warp of each round does that leaves generated code, before or in place of the barrier that
// the others reach: p1 holds in that warp, p2 in its first lane as well.
var detours = map[string]string{
	"fence":              `@%p1 membar.gl;`,
	"fence of a lane":    `@!%p2 bra AFTER; membar.gl; AFTER:`,
	"exit":               `@%p1 membar.gl; @%p1 exit;`,
	"exit of a lane":     `@%p1 membar.gl; @%p2 exit;`,
	"arrival":            `@!%p1 bra AFTER; membar.gl; add.u32 %r9, %nt, 31; and.b32 %r9, %r9, -32; bar.arrive 0, %r9; bra NEXT; AFTER:`,
	"arrival, then wait": `@!%p1 bra AFTER; membar.gl; add.u32 %r9, %nt, 31; and.b32 %r9, %r9, -32; bar.arrive 0, %r9; AFTER:`,
	"same barrier":       `@!%p1 bra AFTER; membar.gl; bar.sync 0; bra NEXT; AFTER:`,
	"barrier of a warp":  `@!%p1 bra AFTER; membar.gl; bar.sync 2, 32; AFTER:`,
	"barrier of a lane":  `@!%p2 bra AFTER; membar.gl; barrier.sync 0; bra NEXT; AFTER:`,
	"other barrier":      `@!%p1 bra AFTER; membar.gl; bar.arrive 1, 64; AFTER: add.u32 %r5, %r2, 1; setp.eq.u32 %p3, %r5, %r6; @!%p3 bra MET; bar.sync 1, 64; MET:`,
	"reduction":          `@!%p1 bra AFTER; membar.gl; bar.red.popc.u32 %r7, 0, %p2; st.global.u32 [%o+65536], %r7; bra NEXT; AFTER:`,
	"long":               `@%p1 membar.gl; mov.u32 %r7, 0; @!%p1 bra AFTER; LONG: add.u32 %r7, %r7, 1; setp.lt.u32 %p3, %r7, 900; @%p3 bra LONG; membar.gl; AFTER:`,
	"reads":              `@%p1 membar.gl; mov.u32 %r7, 0; @!%p1 bra AFTER; LONG: add.u32 %r7, %r7, 1; ld.volatile.global.u32 %r8, [%o+65536]; setp.lt.u32 %p3, %r7, 90; @%p3 bra LONG; membar.gl; AFTER:`,
}

// leaving is a kernel of rounds in which one warp leaves generated code. Its warps log their turns as turns' do. The first
// block is for native code to be made.
func leaving(how string) string {
	return simple("", `
	shr.u32 %r2, %t, 5; mov.u32 %r0, 0; mul.wide.u32 %d0, %lane, 4; add.u64 %d0, %d0, %base;
ROUND:
	shr.u32 %r6, %r0, 1; mad.lo.u32 %r6, %r0, %r0, %r6; and.b32 %r6, %r6, 3; setp.eq.u32 %p1, %r2, %r6; setp.eq.u32 %p2, %lane, 0; and.pred %p2, %p2, %p1;
	ld.global.u32 %r1, [%d0]; mul.wide.u32 %d1, %r1, 128; add.u64 %d2, %d0, %d1;
	st.global.u32 [%d2+256], %r2; add.u32 %r1, %r1, 1; st.global.u32 [%d0], %r1;
	`+how+`
	ld.global.u32 %r1, [%d0]; mul.wide.u32 %d1, %r1, 128; add.u64 %d2, %d0, %d1;
	st.global.u32 [%d2+256], %r2; add.u32 %r1, %r1, 1; st.global.u32 [%d0], %r1;
	bar.sync 0;
NEXT:
	add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 12; @%p0 bra ROUND;`)
}

// TestSweepsContinue compares the turns of the executors, and what observers hear, where a warp leaves
// generated code between two barriers, so that a sweep ends and another one continues with the warps after it.
func TestSweepsContinue(t *testing.T) {
	best := alu.ISA()
	defer alu.SetISA(best)
	defer useOwnExecutor()
	for round := range 4 { // the last warp of a sweep in one of them
		detours[fmt.Sprint("wrong barrier in round ", 4+round)] = fmt.Sprintf(`setp.eq.u32 %%p3, %%ct, 2; and.pred %%p1, %%p1, %%p3;
			setp.ge.u32 %%p3, %%r0, %d; and.pred %%p1, %%p1, %%p3; @!%%p1 bra AFTER; membar.gl; bar.sync 3; bra NEXT; AFTER:`, 4+round)
	}
	for name, how := range detours {
		for i, block := range []int{32, 150, 160} {
			for _, order := range []engine.Order{engine.DefaultOrder, engine.ReverseOrder} {
				for _, steps := range []int64{0, 24} {
					want := runLeaving(t, "off", how, block, steps, order)
					for _, simd := range []string{best, "avx2"} {
						if alu.SetISA(simd) != nil || simd != best && (i != 2 || !takes(len(name))) {
							continue
						}
						if got := runLeaving(t, "always", how, block, steps, order); got != want {
							t.Errorf("%s, %v/%d/%d, with %s:\n%s\nthe interpreter:\n%s", name, order, block, steps, simd, got, want)
						}
					}
					alu.SetISA(best)
				}
			}
		}
	}
}

// runLeaving returns the log, the counts and the events of a run.
func runLeaving(t *testing.T, executor, how string, block int, steps int64, order engine.Order) string {
	t.Helper()
	if err := warp.UseExecutor(executor); err != nil {
		t.Fatal(err)
	}
	if steps > 0 {
		defer engine.SetSchedule(steps, 1<<10)()
	}
	log := newBuffer(t, 1<<17)
	var events strings.Builder
	o := &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
			return &trace.BlockObserver{
				Barrier: func(e *trace.Barrier) {
					fmt.Fprintln(&events, "barrier", e.Site.PTXLine, e.ID, e.Arrived, e.Synced, e.Again, e.Full, e.Divergent != nil)
				},
				Arrived: func(e *trace.Arrival) { fmt.Fprintln(&events, "arrival", e.ID, e.Warp, e.Mask) },
				Fence:   func(e *trace.Fence) { fmt.Fprintln(&events, "fence", e.Warp, e.Mask) },
			}
		}}}
	}}
	res, err := tryRun(t, launch{src: leaving(how), block: block, grid: 3, params: []any{log}, observers: []*trace.Observer{o}, schedule: engine.Schedule{Order: order}})
	if err != nil {
		t.Fatal(err)
	}
	if f := res.Fault; f != nil { // such a barrier may wait for too many
		fmt.Fprintln(&events, f.Kind, f.Warp, f.Message, f.Notes)
	}
	for i, x := range log.u32() {
		if x != 0 {
			fmt.Fprintf(&events, "%d:%d ", i, x)
		}
	}
	return events.String() + fmt.Sprint(res.Counts.WarpInstrs, res.Counts.ThreadInstrs, res.Counts.Accesses)
}
