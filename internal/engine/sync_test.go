package engine_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/trace"
)

func TestBarriers(t *testing.T) {
	const s = ".shared .align 8 .b32 s[64]; .shared .b32 n;"
	runCases(t, []bodyCase{
		{name: "reductions", body: `
			setp.lt.u32 %p0, %t, 20; setp.lt.u32 %p1, %t, 100; setp.gt.u32 %p2, %t, 100;
			bar.red.popc.u32 %r0, 0, %p0; bar.red.and.pred %p3, 1, %p1; bar.red.or.pred %p4, 0, %p2; bar.red.or.pred %p5, 0, !%p0; bar.red.and.pred %p6, 0, %p0;
			selp.u32 %r1, 100, 0, %p3; selp.u32 %r2, 1000, 0, %p4; selp.u32 %r3, 10000, 0, %p5; selp.u32 %r4, 100000, 0, %p6;
			add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r4; st.global.u32 [%o], %r0;`,
			l: launch{block: 70}, want: func(uint32) uint32 { return 10120 }},
		{name: "producer and consumer", decls: s, body: `
			setp.ge.u32 %p0, %t, 32; @%p0 bra C;
			mul.wide.u32 %d0, %t, 4; mov.u64 %d1, s; add.u64 %d0, %d0, %d1; add.u32 %r0, %t, 7; st.shared.u32 [%d0], %r0;
			bar.arrive 1, 64; bra DONE;
		C:	bar.sync 1, 64;
			sub.u32 %r1, %t, 32; mul.wide.u32 %d0, %r1, 4; mov.u64 %d1, s; add.u64 %d0, %d0, %d1; ld.shared.u32 %r0, [%d0]; st.global.u32 [%o], %r0;`,
			l: launch{block: 64}, want: func(i uint32) uint32 { return pick(i < 32, 0, i-32+7) }},
		{name: "exited warps and lanes", decls: s, body: `
			setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [n], 5;
			setp.ge.u32 %p0, %t, 40; @%p0 exit;
			bar.sync 0; ld.shared.u32 %r0, [n]; st.global.u32 [%o], %r0;`,
			l: launch{block: 100}, want: func(i uint32) uint32 { return pick(i < 40, 5, 0) }},
		{name: "both sides of a branch, each with its own", decls: s, body: `
			setp.eq.u32 %p1, %t, 31; @%p1 st.shared.u32 [n], 5;
			and.b32 %r0, %t, 1; setp.eq.u32 %p0, %r0, 0; @%p0 bra A;
			bar.sync 0; ld.shared.u32 %r0, [n]; bra E;
		A:	bar.sync 0; ld.shared.u32 %r0, [n]; add.u32 %r0, %r0, 1;
		E:	st.global.u32 [%o], %r0;`,
			l: launch{block: 64}, want: func(i uint32) uint32 { return 6 - i&1 }},
		{name: "in a loop", decls: s, body: `
			@%p9 bra DONE; setp.eq.u32 %p0, %t, 0; @%p0 st.shared.u32 [n], 0; mov.u32 %r1, 0; mov.u32 %r3, 0;
		L:	bar.sync 0; ld.shared.u32 %r2, [n]; add.u32 %r3, %r3, %r2; bar.sync 0;
			@%p0 add.u32 %r2, %r2, 1; @%p0 st.shared.u32 [n], %r2; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra L;
			st.global.u32 [%o], %r3;`,
			l: launch{block: 96}, want: func(uint32) uint32 { return 10 }},
	})
}

func TestDeadlock(t *testing.T) {
	for name, body := range map[string]string{
		"half of a warp":   "setp.lt.u32 %p0, %t, 16; @!%p0 bra E; bar.sync 0; E: st.global.u32 [%o], 1; bar.sync 1;",
		"different ones":   "setp.lt.u32 %p0, %t, 32; @%p0 bra A; bar.sync 1; bra DONE; A: bar.sync 2;",
		"too few":          "bar.sync 0, 128;",
		"shuffle of all":   "setp.lt.u32 %p0, %t, 32; @!%p0 bra DONE; setp.lt.u32 %p0, %t, 4; @!%p0 bra A; shfl.sync.idx.b32 %r0, %t, 0, 31, -1; A: bar.sync 0;",
		"different shapes": "setp.lt.u32 %p0, %t, 4; @%p0 bra A; vote.sync.any.pred %p1, %p0, -1; bra DONE; A: bar.warp.sync -1;",
	} {
		t.Run(name, func(t *testing.T) {
			out := newBuffer(t, 256)
			f := mustFault(t, launch{src: simple("", body), block: 64, params: []any{out}}, trace.FaultDeadlock)
			if f.Site == nil || len(f.Notes) == 0 {
				t.Errorf("site %v, notes %v", f.Site, f.Notes)
			}
		})
	}
}

// shuffled is the model of shfl.sync (PTX ISA, "shfl.sync").
func shuffled(mode string, lane, b, c uint32) (from uint32, ok bool) {
	seg, clamp := c>>8&31, c&31
	maxLane := lane&seg | clamp&^seg
	switch mode {
	case "up":
		return lane - b, int32(lane)-int32(b) >= int32(maxLane)
	case "down":
		return lane + b, lane+b <= maxLane
	case "bfly":
		return lane ^ b, lane^b <= maxLane
	}
	j := lane&seg | b&^seg
	return j, j <= maxLane
}

func TestShuffles(t *testing.T) {
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		for _, width := range []uint32{32, 16, 8, 2} {
			for _, b := range []uint32{0, 1, 3, 9, 31} {
				c := (32-width)<<8 | 31
				if mode == "up" {
					c = (32 - width) << 8
				}
				for _, form := range []string{"sync", ""} {
					op, last := "shfl.sync."+mode+".b32", ", -1"
					if form == "" {
						op, last = "shfl."+mode+".b32", ""
					}
					got := outs(t, launch{}, "", fmt.Sprintf(`add.u32 %%r1, %%t, 100; %s %%r0|%%p0, %%r1, %d, %d%s;
						selp.u32 %%r2, 1000, 0, %%p0; add.u32 %%r0, %%r0, %%r2; st.global.u32 [%%o], %%r0;`, op, b, c, last))
					expect(t, got, func(i uint32) uint32 {
						if from, ok := shuffled(mode, i, b, c); ok {
							return from + 1100
						}
						return i + 100
					})
				}
			}
		}
	}
}

func TestWarpOperations(t *testing.T) {
	odd := uint32(0xaaaaaaaa)
	runCases(t, []bodyCase{
		{name: "votes", body: `
			setp.lt.u32 %p0, %t, 20; setp.lt.u32 %p1, %t, 32;
			vote.sync.ballot.b32 %r0, %p0, -1; vote.sync.all.pred %p2, %p0, -1; vote.sync.any.pred %p3, %p0, -1; vote.sync.uni.pred %p4, %p1, -1; vote.sync.all.pred %p5, !%p0, -1;
			vote.ballot.b32 %r5, !%p0; xor.b32 %r0, %r0, %r5;
			selp.u32 %r1, 1, 0, %p2; selp.u32 %r2, 2, 0, %p3; selp.u32 %r3, 4, 0, %p4; selp.u32 %r4, 8, 0, %p5;
			add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r4; st.global.u32 [%o], %r0;`,
			want: func(uint32) uint32 { return 5 }},
		{name: "match", body: `
			rem.u32 %r0, %t, 3; cvt.u64.u32 %d0, %r0; match.any.sync.b32 %r1, %r0, -1; match.all.sync.b64 %r2|%p0, %d0, -1; match.all.sync.b32 %r3|%p1, %nt, -1;
			@%p0 add.u32 %r1, %r1, 1; @!%p1 add.u32 %r1, %r1, 1; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; st.global.u32 [%o], %r1;`,
			want: func(i uint32) uint32 {
				m := uint32(0)
				for k := range uint32(32) {
					if k%3 == i%3 {
						m |= 1 << k
					}
				}
				return m - 1
			}},
		{name: "redux", body: `
			redux.sync.add.u32 %r0, %t, -1; redux.sync.max.s32 %r1, %t, -1; redux.sync.xor.b32 %r2, %t, -1; redux.sync.min.u32 %r3, %t, -1;
			add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3; st.global.u32 [%o], %r0;`,
			want: func(uint32) uint32 { return 496 + 31 }},
		{name: "groups by mask in one instruction", body: `
			and.b32 %r0, %t, 1; setp.eq.u32 %p0, %r0, 1; selp.b32 %r1, 0xaaaaaaaa, 0x55555555, %p0;
			redux.sync.add.u32 %r2, %t, %r1; vote.sync.ballot.b32 %r3, %p0, %r1; add.u32 %r2, %r2, %r3; st.global.u32 [%o], %r2;`,
			want: func(i uint32) uint32 { return pick(i&1 == 1, 256+odd, 240) }},
		{name: "diverged halves meet", decls: ".shared .b32 s[32];", body: `
			mul.wide.u32 %d0, %t, 4; mov.u64 %d1, s; add.u64 %d0, %d1, %d0;
			setp.lt.u32 %p0, %t, 16; @%p0 bra A;
			st.shared.u32 [%d0], %t; bar.warp.sync -1; ld.shared.u32 %r0, [%d0+-64]; bra E;
		A:	st.shared.u32 [%d0], %t; bar.warp.sync -1; ld.shared.u32 %r0, [%d0+64];
		E:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return i ^ 16 }},
		{name: "diverged halves shuffle", body: `
			setp.lt.u32 %p0, %t, 16; @%p0 bra A;
			shfl.sync.bfly.b32 %r0, %t, 16, 31, -1; bra E;
		A:	shfl.sync.bfly.b32 %r0, %t, 16, 31, -1;
		E:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return i ^ 16 }},
		{name: "active lanes", body: `
			mov.u32 %r0, 0; setp.lt.u32 %p0, %t, 5; @!%p0 bra E; activemask.b32 %r0;
		E:	bar.warp.sync -1; activemask.b32 %r1; add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i < 5, 30, ^uint32(0)) }},
		{name: "a partial warp", body: `
			setp.eq.u32 %p0, %t, %t; vote.sync.ballot.b32 %r0, %p0, -1; activemask.b32 %r1; xor.b32 %r1, %r1, %r0; add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;`,
			l: launch{block: 7}, want: func(uint32) uint32 { return 127 }},
		{name: "exited lanes are not waited for", body: `
			setp.lt.u32 %p0, %t, 8; @%p0 exit; setp.eq.u32 %p1, %t, %t; vote.sync.ballot.b32 %r0, %p1, -1; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i < 8, 0, 0xffffff00) }},
	})
}

// TestProgress has lanes and blocks that wait for others by reading memory.
func TestProgress(t *testing.T) {
	const s = ".shared .b32 flag; .shared .b32 sum;"
	const start = "setp.eq.u32 %p9, %t, 0; @%p9 st.shared.u32 [flag], 0; @%p9 st.shared.u32 [sum], 0; bar.sync 0;\n"
	runCases(t, []bodyCase{
		{name: "a lane waits for one that comes later", decls: s, body: start + `
			setp.ne.u32 %p0, %t, 3; @%p0 bra A;
		L:	ld.volatile.shared.u32 %r0, [flag]; setp.eq.u32 %p1, %r0, 0; @%p1 bra L;
			bra E;
		A:	setp.eq.u32 %p2, %t, 9; @%p2 st.volatile.shared.u32 [flag], 5; mov.u32 %r0, 1;
		E:	st.global.u32 [%o], %r0;`, want: func(i uint32) uint32 { return pick(i == 3, 5, 1) }},
		{name: "lanes wait for those behind the reconvergence point", decls: s, body: start + `
			setp.eq.u32 %p0, %t, 3; mov.u32 %r0, 1; @!%p0 bra E;
		L:	ld.volatile.shared.u32 %r0, [flag]; setp.eq.u32 %p1, %r0, 0; @%p1 bra L;
		E:	@!%p0 st.volatile.shared.u32 [flag], 5;
			st.global.u32 [%o], %r0;`, want: func(i uint32) uint32 { return pick(i == 3, 5, 1) }},
		{name: "two waiting groups and one behind the reconvergence point", decls: s, body: start + `
			mov.u32 %r0, 1; setp.gt.u32 %p0, %t, 1; @%p0 bra E; setp.eq.u32 %p1, %t, 0; @%p1 bra M;
		L:	ld.volatile.shared.u32 %r0, [flag]; setp.eq.u32 %p2, %r0, 0; @%p2 bra L; bra E;
		M:	ld.volatile.shared.u32 %r0, [flag]; setp.eq.u32 %p2, %r0, 0; @%p2 bra M; add.u32 %r0, %r0, 1;
		E:	@%p0 st.volatile.shared.u32 [flag], 5;
			st.global.u32 [%o], %r0;`, want: func(i uint32) uint32 {
			if i > 1 {
				return 1
			}
			return 6 - i
		}},
		{name: "a lane that counts in memory while it waits", decls: s, body: start + `
			setp.eq.u32 %p0, %t, 3; mov.u32 %r0, 1; mov.u32 %r1, 0; @!%p0 bra E;
		L:	add.u32 %r1, %r1, 1; st.volatile.shared.u32 [sum], %r1; ld.volatile.shared.u32 %r0, [flag]; setp.eq.u32 %p1, %r0, 0; @%p1 bra L;
		E:	@!%p0 st.volatile.shared.u32 [flag], 5;
			st.global.u32 [%o], %r0;`, want: func(i uint32) uint32 { return pick(i == 3, 5, 1) }},
		{name: "a lock for each thread in turn", decls: s, body: start + `
		L:	atom.shared.cas.b32 %r0, [flag], 0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra L;
			ld.volatile.shared.u32 %r1, [sum]; add.u32 %r1, %r1, 1; st.volatile.shared.u32 [sum], %r1;
			atom.shared.exch.b32 %r2, [flag], 0;
			bar.sync 0; ld.shared.u32 %r1, [sum]; st.global.u32 [%o], %r1;`,
			l: launch{block: 64}, want: func(uint32) uint32 { return 64 }},
		{name: "lanes hand a token on", decls: s, body: start + `
			mov.u32 %r3, 0;
		L:	ld.volatile.shared.u32 %r0, [flag]; setp.ne.u32 %p0, %r0, %t; @%p0 bra L;
			add.u32 %r1, %r0, 1; st.volatile.shared.u32 [flag], %r1; st.global.u32 [%o], %r1;`,
			l: launch{block: 64}, want: func(i uint32) uint32 { return i + 1 }},
		{name: "uniform values of lanes that went ahead", decls: s, body: start + `
			setp.eq.u32 %p0, %t, 3; mov.u32 %r0, 1; mov.u32 %r4, 0; @!%p0 bra E;
		L:	ld.volatile.shared.u32 %r0, [flag]; setp.eq.u32 %p1, %r0, 0; @%p1 bra L;
		E:	mov.u32 %r5, 0;
		M:	add.u32 %r5, %r5, 1; mul.lo.u32 %r6, %r5, 3; add.u32 %r4, %r4, %r6; setp.lt.u32 %p2, %r5, 10; @%p2 bra M;
			@!%p0 st.volatile.shared.u32 [flag], 5;
			add.u32 %r0, %r0, %r4; add.u32 %r0, %r0, %r5; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i == 3, 5, 1) + 165 + 10 }},
	})
}

// TestBlocksWait has each block wait for the one after it.
func TestBlocksWait(t *testing.T) {
	for _, workers := range []int{1, 4} {
		const grid = 60
		out := newBuffer(t, 4*grid*32)
		body := fmt.Sprintf(`setp.eq.u32 %%p0, %%ct, %d; mul.wide.u32 %%d0, %%ct, 128; add.u64 %%d0, %%d0, %%base; @%%p0 bra W;
		L:	ld.volatile.global.u32 %%r0, [%%d0+128]; setp.eq.u32 %%p1, %%r0, 0; @%%p1 bra L;
		W:	mov.u32 %%r1, 1; bar.sync 0; st.volatile.global.u32 [%%o], %%r1;`, grid-1)
		mustRun(t, launch{src: simple("", body), grid: grid, workers: workers, params: []any{out}})
		expect(t, out.u32(), func(uint32) uint32 { return 1 })
	}
}

const hangDecls = `.shared .b32 s;
.func (.reg .b32 r) spin (.reg .b32 a) { .reg .pred %p; .reg .b32 %n; mov.u32 %n, 0;
L:	add.u32 %n, %n, 1; setp.eq.u32 %p, a, a; @%p bra L; mov.u32 r, %n; ret; }
`

// TestHangs must not take long.
func TestHangs(t *testing.T) {
	for name, body := range map[string]string{
		"nothing":                       "L: bra L;",
		"no change":                     "mov.u32 %r0, 0; L: add.u32 %r0, %r0, 1; and.b32 %r0, %r0, 3; bra L;",
		"one lane":                      "setp.eq.u32 %p0, %t, 7; L: @%p0 bra L;",
		"a flag":                        "L: ld.volatile.global.u32 %r0, [%o]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;",
		"a lock that is set":            "atom.global.exch.b32 %r0, [%o], 1; L: atom.global.cas.b32 %r0, [%o], 0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra L;",
		"a flag of a block":             "setp.eq.u32 %p1, %ct, 5; @%p1 bra DONE; L: ld.volatile.global.u32 %r0, [%o]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;",
		"a flag, counting":              "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; ld.volatile.global.u32 %r0, [%o]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L; st.global.u32 [%o], %r1;",
		"a way out that is never taken": "mov.u32 %r1, 0; mov.u32 %r2, %ctaid.y; L: add.u32 %r1, %r1, 3; setp.ne.u32 %p0, %r2, 7; @%p0 bra L; st.global.u32 [%o], %r1;",
		"no way out, storing":           "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; st.global.u32 [%o], %r1; bra L;",
		"no way out, barriers":          "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; st.shared.u32 [s], %r1; bar.sync 0; bra L;",
		"one thread has no way out":     "setp.eq.u32 %p0, %t, 7; @!%p0 bra DONE; L: atom.global.add.u32 %r0, [%o], 1; bra L;",
		"in a function":                 "{ call (%r0), spin, (%r1); } st.global.u32 [%o], %r0;",
		"local memory":                  ".local .b32 l; st.local.u32 [l], 0; L: ld.local.u32 %r0, [l]; st.local.u32 [l], %r0; ld.volatile.global.u32 %r0, [%o]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;",
	} {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d workers", name, workers), func(t *testing.T) {
				start := time.Now()
				out := newBuffer(t, 4*64*20)
				f := mustFault(t, launch{src: simple(hangDecls, body), block: 64, grid: 20, workers: workers, params: []any{out}}, trace.FaultBudget)
				if d := time.Since(start); d > 30*time.Second { // proved, not run to a limit; much for a busy machine
					t.Errorf("%v for %q", d, f.Message)
				}
				if f.Block != 0 {
					t.Errorf("block %d", f.Block)
				}
			})
		}
	}
}

// TestHangReport wants the loop, the threads and the values of its condition.
func TestHangReport(t *testing.T) {
	out := newBuffer(t, 4*64)
	src := strings.ReplaceAll(simple("", `
	.loc 1 10 3
		mov.u32 %r0, 5; setp.lt.u32 %p0, %t, 40; @!%p0 bra DONE;
	.loc 1 11 5
	L:	add.u32 %r1, %r1, 1;
	.loc 1 12 9
		ld.volatile.global.u32 %r2, [%o]; setp.ne.u32 %p0, %r2, %r0;
	.loc 1 12 3
		@%p0 bra L;`), ".visible .entry", ".file 1 \"a.cu\"\n.visible .entry")
	f := mustFault(t, launch{src: src, block: 64, params: []any{out}}, trace.FaultBudget)
	text := f.Message + "\n" + strings.Join(f.Notes, "\n")
	for _, want := range []string{
		"repeat the same steps", "40 threads run in the loop at a.cu:11-12 (warp 0 all lanes, warp 1 lanes 0-7)",
		"condition at a.cu:12:3: 0 != 5",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if f.Site == nil || f.Site.Loc.Line != 12 {
		t.Errorf("site %+v", f.Site)
	}
}

// TestLongLoops end, however they look.
func TestLongLoops(t *testing.T) {
	runCases(t, []bodyCase{
		{name: "a counter far beyond a turn", body: `
			mov.u32 %r0, 0; L: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 1000000; @%p0 bra L; st.global.u32 [%o], %r0;`,
			want: func(uint32) uint32 { return 1000000 }},
		{name: "the slow counter is outside", body: `
			mov.u32 %r0, 0;
		M:	mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 65536; @%p0 bra L;
			add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 40; @%p0 bra M; st.global.u32 [%o], %r0;`,
			want: func(uint32) uint32 { return 40 }},
		{name: "a loop in a function that is called in a loop", decls: `
			.func (.reg .b32 r) f (.reg .b32 a) { .reg .pred %p; .reg .b32 %n; mov.u32 %n, 0;
			L: add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 65533; @%p bra L; add.u32 r, a, 1; ret; }`, body: `
			mov.u32 %r0, 0; M: call (%r0), f, (%r0); setp.lt.u32 %p0, %r0, 40; @%p0 bra M; st.global.u32 [%o], %r0;`,
			want: func(uint32) uint32 { return 40 }},
		{name: "lanes with different counts", body: `
			mul.lo.u32 %r2, %t, 20000; mov.u32 %r0, 0;
		L:	add.u32 %r0, %r0, 1; setp.le.u32 %p0, %r0, %r2; @%p0 bra L; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return 20000*i + 1 }},
	})
}

func TestBudget(t *testing.T) {
	out := newBuffer(t, 128)
	src := simple("", "mov.u32 %r0, 1; L: add.u32 %r0, %r0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra L;") // long, but it ends
	mustFault(t, launch{src: src, params: []any{out}, maxSteps: 1 << 20}, trace.FaultBudget)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := tryRun(t, launch{src: src, params: []any{out}, ctx: ctx}); err == nil {
		t.Error("no error of a canceled run")
	}
	if d := time.Since(start); d > 3*time.Second {
		t.Errorf("canceled after %v", d)
	}
}

func TestClock(t *testing.T) {
	got := outs(t, launch{block: 64, grid: 3}, "", `
		mov.u32 %r0, %clock; mov.u64 %d0, %clock64; mov.u64 %d1, %globaltimer; mov.u32 %r1, %clock;
		cvt.u64.u32 %d2, %r0; cvt.u64.u32 %d3, %r1; setp.lt.u64 %p0, %d2, %d0; setp.lt.u64 %p1, %d0, %d3; setp.lt.u64 %p2, %d0, %d1;
		selp.u32 %r2, 1, 0, %p0; selp.u32 %r3, 2, 0, %p1; selp.u32 %r4, 4, 0, %p2; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; st.global.u32 [%o], %r2;`)
	expect(t, got, func(uint32) uint32 { return 7 })
	read := "mov.u32 %r0, %clock; st.global.u32 [%o], %r0;"
	one, four := outs(t, launch{grid: 9}, "", read), outs(t, launch{grid: 9, workers: 4}, "", read)
	if !slices.Equal(one, four) {
		t.Error("the clock depends on the number of workers")
	}
}

// TestDelay: threads that wait for the clock and do nothing else wait for a short time.
func TestDelay(t *testing.T) {
	const loop = `mov.u64 %d0, %clock64; mov.u64 %d2, 0;
	L:	add.u64 %d2, %d2, 1; mov.u64 %d1, %clock64; sub.u64 %d1, %d1, %d0; setp.lt.u64 %p0, %d1, 4000000000; @%p0 bra L;
		st.global.u64 [%o], %d2;`
	src := simple("", "sub.u64 %d9, %o, %base; add.u64 %o, %o, %d9;"+loop)
	var first []byte
	for _, workers := range []int{1, 4} {
		out := newBuffer(t, 8*64*5)
		res := mustRun(t, launch{src: src, grid: 5, block: 64, workers: workers, params: []any{out}})
		if n := res.Counts.WarpInstrs; n > 100000 {
			t.Errorf("%d warp instructions", n)
		}
		for at := 0; at < len(out.bytes()); at += 8 {
			if n := binary.LittleEndian.Uint64(out.bytes()[at:]); n == 0 || n > 1000 {
				t.Fatalf("thread %d read the clock %d times", at/8, n)
			}
		}
		if first == nil {
			first = slices.Clone(out.bytes())
		} else if !slices.Equal(first, out.bytes()) {
			t.Error("the delay depends on the number of workers")
		}
	}
	// Time that is measured around work is not changed.
	got := outs(t, launch{}, "", `mov.u32 %r9, 0;
	L:	mov.u32 %r0, %clock; ld.global.u32 %r2, [%o]; mov.u32 %r1, %clock; sub.u32 %r1, %r1, %r0; add.u32 %r9, %r9, 1; setp.lt.u32 %p0, %r9, 100; @%p0 bra L;
		st.global.u32 [%o], %r1;`)
	expect(t, got, func(uint32) uint32 { return got[0] })
	if got[0] > 8 {
		t.Errorf("a load takes %d ticks", got[0])
	}
}

// recorder keeps the events of each block as text.
type recorder struct {
	mu     sync.Mutex
	blocks map[uint64]string
}

func (r *recorder) observer() *trace.Observer {
	return eachBlock(func() *trace.BlockObserver {
		b := &blockRecorder{r: r}
		return &trace.BlockObserver{Begin: b.Begin, End: b.End, Shared: b.Access, Global: b.Access, Local: b.Access, Const: b.Access,
			Barrier: b.Barrier, WarpSync: b.WarpSync, Fence: b.Fence}
	})
}

type blockRecorder struct {
	r  *recorder
	b  *trace.Block
	sb strings.Builder
}

func (b *blockRecorder) Begin(x *trace.Block) { b.b = x; b.sb.Reset() }
func (b *blockRecorder) Access(a *trace.Access) {
	fmt.Fprintf(&b.sb, "access %d %v warp %d %#x", a.Site.ID, a.Space, a.Warp, a.Mask)
	for m := a.Mask; m != 0; m &= m - 1 {
		fmt.Fprintf(&b.sb, " %#x", a.Addr[bits.TrailingZeros32(m)])
	}
	b.sb.WriteByte('\n')
}
func (b *blockRecorder) Barrier(x *trace.Barrier) {
	fmt.Fprintf(&b.sb, "barrier %d %x %x %v\n", x.ID, x.Arrived, x.Synced, x.Full)
}
func (b *blockRecorder) WarpSync(x *trace.WarpSync) {
	fmt.Fprintf(&b.sb, "sync warp %d %#x\n", x.Warp, x.Mask)
}
func (b *blockRecorder) Fence(x *trace.Fence) { fmt.Fprintf(&b.sb, "fence %d %#x\n", x.Warp, x.Mask) }
func (b *blockRecorder) End() {
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	b.r.blocks[b.b.Index] = b.sb.String()
}

// TestSameEvents runs random programs with one and with four workers.
func TestSameEvents(t *testing.T) {
	for seed := int64(1); seed < 15; seed++ {
		src := generate(seed, 40)
		tab, out, ctr := newBuffer(t, diffTable), newBuffer(t, 8*64*256), newBuffer(t, 4)
		var events [2]map[uint64]string
		var memory [2]string
		for i, workers := range []int{1, 4} {
			clear(out.bytes())
			r := &recorder{blocks: map[uint64]string{}}
			mustRun(t, launch{src: src, grid: 8, block: 64, workers: workers, params: []any{tab, out, ctr}, observers: []*trace.Observer{r.observer()}})
			events[i], memory[i] = r.blocks, string(out.bytes())
		}
		if memory[0] != memory[1] {
			t.Errorf("seed %d: results differ", seed)
		}
		for b := range events[0] {
			if events[0][b] != events[1][b] {
				t.Errorf("seed %d: events of block %d differ", seed, b)
			}
		}
	}
}

// TestClusterFaults: what goes wrong between the blocks of a cluster.
func TestClusterFaults(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a block waits alone", "setp.eq.u32 %p0, %ct, 1; @%p0 bra SPIN; barrier.cluster.arrive; SPIN: barrier.cluster.wait;", "without having arrived"},
		{"the owner has ended", "mapa.shared::cluster.u32 %r1, 0, 0; setp.eq.u32 %p0, %ct, 0; @%p0 ret; ld.shared::cluster.u32 %r2, [%r1];", "of block rank 0 of the cluster, which has exited"},
		{"beyond the owner's shared memory", "mapa.shared::cluster.u32 %r1, 8192, 1; ld.shared::cluster.u32 %r2, [%r1]; barrier.cluster.arrive; barrier.cluster.wait;", "out of bounds"},
		{"no such rank", "mapa.shared::cluster.u32 %r1, 0, 5; ld.shared::cluster.u32 %r2, [%r1];", "out of bounds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := newBuffer(t, 4*64)
			res, err := tryRun(t, launch{src: simple(".shared .b32 s[16];", c.body), grid: 2, cluster: 2, params: []any{out}})
			if err != nil {
				t.Fatal(err)
			}
			if f := res.Fault; f == nil || !strings.Contains(f.Message, c.want) {
				t.Errorf("got %+v, want a fault that says %q", f, c.want)
			}
		})
	}
}
