package lower

import (
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/program"
)

const (
	nothing = program.AwaitsNothing
	weak    = program.AwaitsWeak
	strong  = program.AwaitsStrong
)

// loopCases are bodies of kernels with what lanes may wait for at their fences, in order. %d0 is the parameter
// k_p, %r0 the parameter k_n, %r9 the thread, %p7 whether it is a low one.
var loopCases = []struct {
	name, decls, body string
	want              []program.Awaited
}{
	{"a flag", "", "L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L;", []program.Awaited{strong}},
	{"a plain word", "", "L: membar.gl; ld.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L;", []program.Awaited{weak}},
	{"a clock", "", "L: membar.gl; mov.u32 %r1, %clock; setp.lt.u32 %p0, %r1, %r0; @%p0 bra L;", []program.Awaited{strong}},
	{"a flag, a thousand times at most", "", `mov.u32 %r2, 0; L: membar.gl; add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 1000; @%p1 bra E;
		ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L; E:`, []program.Awaited{strong}},
	{"a lock whose taker leaves later", "", `mov.u32 %r2, 0; L: membar.gl; atom.global.cas.b32 %r1, [%d0], 0, 1; setp.ne.u32 %p0, %r1, 0; @%p0 bra N;
		membar.gl; atom.global.exch.b32 %r3, [%d0], 0; mov.u32 %r2, 1; N: setp.eq.u32 %p1, %r2, 0; @%p1 bra L;`, []program.Awaited{strong, strong}},
	{"a lock whose taker leaves by a guard", "", `mov.u32 %r2, 0; L: membar.gl; atom.global.cas.b32 %r1, [%d0], 0, 1; setp.eq.u32 %p0, %r1, 0;
		@%p0 mov.u32 %r2, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;`, []program.Awaited{strong}},
	{"a flag that chooses between two values", "", `L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra A; mov.u32 %r2, 1; bra N;
		A: mov.u32 %r2, 0; N: setp.eq.u32 %p1, %r2, 0; @%p1 bra L;`, []program.Awaited{strong}},
	{"a flag by a vote", "", `L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; vote.sync.any.pred %p1, %p0, -1; @%p1 bra L;`, []program.Awaited{strong}},
	{"a round that may not count", "", `mov.u32 %r2, 0; L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra N;
		add.u32 %r2, %r2, 1; N: setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;`, []program.Awaited{strong}},
	{"rounds before one that counts", "", `mov.u32 %r2, 0; L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L;
		add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;`, []program.Awaited{strong}},
	{"a return if a flag is set", "", `mov.u32 %r2, 0; L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.ne.u32 %p0, %r1, 0; @%p0 ret;
		add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;`, []program.Awaited{strong}},
	{"a flag that says whether another condition matters", "", `mov.u32 %r2, 0; L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra N;
		@%p7 bra E; N: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L; E:`, []program.Awaited{strong}},
	{"no way out", "", `L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra N; st.global.u32 [%d0], 0; N: bra L;`, []program.Awaited{strong}},
	{"no way out but a trap", "", `L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L; trap;`, []program.Awaited{strong}},
	{"two entries", "", `@%p7 bra B; A: membar.gl; B: ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra A;`, []program.Awaited{strong}},
	{"a flag in local memory", "", `.local .align 4 .b8 kept[4]; L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; st.local.u32 [kept], %r1;
		ld.local.u32 %r2, [kept]; setp.eq.u32 %p0, %r2, 0; @%p0 bra L;`, []program.Awaited{strong}},
	{"a function returns the flag", ".func (.reg .b32 x) f (.reg .b64 a) { ld.volatile.global.u32 x, [a]; ret; }",
		"L: membar.gl; call (%r1), f, (%d0); setp.eq.u32 %p0, %r1, 0; @%p0 bra L;", []program.Awaited{strong}},
	{"a function stores the flag", ".func f (.reg .b64 a, .reg .b64 to) { .reg .b32 %x; ld.volatile.global.u32 %x, [a]; st.u32 [to], %x; ret; }",
		".local .align 4 .b8 kept[4]; cvta.local.u64 %d1, kept; L: membar.gl; call f, (%d0, %d1); ld.local.u32 %r1, [kept]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L;", []program.Awaited{strong}},

	{"rounds that count", "", "mov.u32 %r2, 0; L: membar.gl; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;", []program.Awaited{nothing}},
	{"a branch within a round", "", `mov.u32 %r2, 0; L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra N; red.global.add.u32 [%d0], 1;
		N: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;`, []program.Awaited{nothing}},
	{"branches within branches", "", `mov.u32 %r2, 0; L: @%p7 bra N; membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra N;
		ld.volatile.global.u32 %r3, [%d0+4]; setp.eq.u32 %p2, %r3, 0; @%p2 bra N; mov.u32 %r4, %r3; membar.gl;
		N: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L; st.global.u32 [%d0+8], %r4;`, []program.Awaited{nothing, nothing}},
	{"a guard within a round", "", `mov.u32 %r2, 0; L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 red.global.add.u32 [%d0], 1;
		add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;`, []program.Awaited{nothing}},
	{"a failed assertion", "", `mov.u32 %r2, 0; L: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.ne.u32 %p0, %r1, 0; @%p0 bra T;
		add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L; ret; T: trap;`, []program.Awaited{nothing}},
	{"a volatile counter of its own", "", `.local .align 4 .b8 kept[4]; st.volatile.local.u32 [kept], 0; L: membar.gl; ld.volatile.local.u32 %r2, [kept]; add.u32 %r2, %r2, 1; st.volatile.local.u32 [kept], %r2;
		setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;`, []program.Awaited{nothing}},
	{"an atomic that counts rounds", "", `mov.u32 %r2, 0; L: membar.gl; atom.global.add.u32 %r1, [%d0], 1; st.global.u32 [%d0+4], %r1; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;`,
		[]program.Awaited{nothing}},

	{"rounds that wait in a loop of their own", "", `mov.u32 %r2, 0; L: membar.gl; S: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra S;
		membar.gl; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L; membar.gl;`, []program.Awaited{nothing, strong, nothing, nothing}},
	{"a loop that counts in one that waits", "", `L: membar.gl; mov.u32 %r2, 0; S: membar.gl; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra S;
		ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L;`, []program.Awaited{strong, strong}},
	{"rounds as many as memory says", "", `mov.u32 %r2, 0; L: membar.gl; mov.u32 %r3, 0; S: membar.gl; ld.global.u32 %r1, [%d0]; add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, %r1; @%p0 bra S;
		add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;`, []program.Awaited{nothing, weak}},
	{"out of both loops", "", `mov.u32 %r2, 0; L: membar.gl; mov.u32 %r3, 0; S: membar.gl; ld.volatile.global.u32 %r1, [%d0]; setp.ne.u32 %p2, %r1, 0; @%p2 bra E;
		add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 9; @%p0 bra S; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L; E:`, []program.Awaited{strong, strong}},
}

func TestLoopsAwait(t *testing.T) {
	const start = "ld.param.u64 %d0, [k_p]; ld.param.u32 %r0, [k_n]; mov.u32 %r9, %tid.x; setp.lt.u32 %p7, %r9, 5;\n"
	for _, c := range loopCases {
		t.Run(c.name, func(t *testing.T) {
			p := mustLower(t, kernel(t, c.decls, start+c.body+"\nret;"))
			if len(p.Messages) > 0 {
				t.Fatal(p.Messages)
			}
			var got []program.Awaited
			for pc := range p.Code[:end(p)] {
				if p.Code[pc].Op == program.OpFence {
					got = append(got, p.Loops().Awaits(int32(pc)))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("lanes may wait for %v, want %v", got, c.want)
			}
			if polls := slices.Contains(c.want, strong); p.Polls() != polls {
				t.Errorf("the program polls: %v, want %v", p.Polls(), polls)
			}
		})
	}
}

// end is the end of the kernel's code.
func end(p *program.Program) int32 {
	if len(p.Funcs) > 1 {
		return p.Funcs[1].Entry
	}
	return int32(len(p.Code))
}
