package engine_test

import (
	"testing"
)

// bodyCase is a body for simple and what each thread must store at [%o].
type bodyCase struct {
	name  string
	decls string
	body  string
	want  func(i uint32) uint32
	l     launch
}

func runCases(t *testing.T, cases []bodyCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			expect(t, outs(t, c.l, c.decls, c.body), c.want)
		})
	}
}

func pick(b bool, x, y uint32) uint32 {
	if b {
		return x
	}
	return y
}

func TestDivergence(t *testing.T) {
	runCases(t, []bodyCase{
		{name: "if else", body: `
			setp.lt.u32 %p0, %t, 10;
			@%p0 bra A;
			mov.u32 %r0, 7; bra B;
		A:	mov.u32 %r0, 5;
		B:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i < 10, 5, 7) }},
		{name: "nested", body: `
			and.b32 %r1, %t, 1; and.b32 %r2, %t, 2;
			setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p1, %r2, 0;
			mov.u32 %r0, 0;
			@%p0 bra E;
			@%p1 bra A;
			add.u32 %r0, %r0, 3; bra B;
		A:	add.u32 %r0, %r0, 1;
		B:	add.u32 %r0, %r0, 100;
		E:	add.u32 %r0, %r0, 1000;
			st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 {
				switch i & 3 {
				case 1:
					return 1101
				case 3:
					return 1103
				}
				return 1000
			}},
		{name: "loop with divergent exits", body: `
			mov.u32 %r0, 0; mov.u32 %r1, 0;
		L:	setp.ge.u32 %p0, %r1, %t;
			@%p0 bra E;
			add.u32 %r0, %r0, %r1; add.u32 %r1, %r1, 1;
			setp.eq.u32 %p1, %r1, 20;
			@%p1 bra F;
			bra L;
		F:	add.u32 %r0, %r0, 1000;
		E:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 {
				if i >= 20 {
					return 190 + 1000
				}
				return i * (i - 1) / 2 * pick(i > 0, 1, 0)
			}},
		{name: "early exit", body: `
			mov.u32 %r0, 1; st.global.u32 [%o], %r0;
			and.b32 %r1, %t, 3; setp.eq.u32 %p0, %r1, 1;
			@%p0 exit;
			setp.eq.u32 %p0, %r1, 2;
			@%p0 ret;
			mov.u32 %r0, 2; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i&3 == 1 || i&3 == 2, 1, 2) }},
		{name: "shared tail", body: `
			and.b32 %r1, %t, 3; mov.u32 %r0, 0;
			setp.eq.u32 %p0, %r1, 0; @%p0 bra A;
			setp.eq.u32 %p0, %r1, 1; @%p0 bra B;
			add.u32 %r0, %r0, 1; bra C;
		A:	add.u32 %r0, %r0, 10;
		B:	add.u32 %r0, %r0, 100;
		C:	add.u32 %r0, %r0, 1000;
			st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return []uint32{1110, 1100, 1001, 1001}[i&3] }},
		{name: "brx.idx", body: `
			and.b32 %r1, %t, 3;
		T:	.branchtargets A, B, A, C;
			brx.idx %r1, T;
		A:	mov.u32 %r0, 1; bra E;
		B:	mov.u32 %r0, 2; bra E;
		C:	mov.u32 %r0, 3;
		E:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return []uint32{1, 2, 1, 3}[i&3] }},
		{name: "brx.idx.uni and ret.uni", body: `
			mov.u32 %r1, 1;
		T:	.branchtargets A, B;
			brx.idx.uni %r1, T;
		A:	mov.u32 %r0, 1; st.global.u32 [%o], %r0; ret.uni;
		B:	mov.u32 %r0, 2; st.global.u32 [%o], %r0; ret.uni;`,
			want: func(uint32) uint32 { return 2 }},
		{name: "brx.idx whose reconvergence point follows", body: `
			and.b32 %r1, %t, 1; mov.u32 %r0, 0; bra S;
		A:	mov.u32 %r0, 1; bra E;
		B:	mov.u32 %r0, 2; bra E;
		T:	.branchtargets A, B;
		S:	brx.idx %r1, T;
		E:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return 1 + i&1 }},
		{name: "guarded brx.idx", body: `
			and.b32 %r1, %t, 1; setp.lt.u32 %p0, %t, 16; mov.u32 %r0, 9;
		T:	.branchtargets A, B;
			@%p0 brx.idx %r1, T;
			bra E;
		A:	mov.u32 %r0, 1; bra E;
		B:	mov.u32 %r0, 2;
		E:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i < 16, 1+i&1, 9) }},
		{name: "nested scopes", body: `
			mov.u32 %r0, 1;
			{ .reg .b32 x, %r0; mov.u32 x, 5; mov.u32 %r0, 6; { .reg .b32 x<3>; mov.u32 x2, 7; add.u32 %r1, x2, x; } add.u32 %r1, %r1, %r0; }
			{ .reg .b32 x; mov.u32 x, 100; add.u32 %r1, %r1, x; }
			add.u32 %r1, %r1, %r0;
			st.global.u32 [%o], %r1;`,
			want: func(i uint32) uint32 { return 7 + 5 + 6 + 100 + 1 }},
		{name: "scope shadows one of many", body: `
			mov.u32 %r1, 1;
			{ .reg .b32 %r1; mov.u32 %r1, 50; }
			{ .reg .b32 %r<2>; mov.u32 %r1, 60; }
			st.global.u32 [%o], %r1;`,
			want: func(i uint32) uint32 { return 1 }},
	})
}

// TestUniformUnderDivergence has values that are the same in all lanes but
// must not be shared by lanes that went different ways.
func TestUniformUnderDivergence(t *testing.T) {
	runCases(t, []bodyCase{
		{name: "written on one side", body: `
			mov.u32 %r0, 1; setp.lt.u32 %p0, %t, 8;
			@!%p0 bra E;
			mov.u32 %r0, 2;
		E:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i < 8, 2, 1) }},
		{name: "read on one side, written on the other", body: `
			mov.u32 %r0, 1; setp.lt.u32 %p0, %t, 8;
			@%p0 bra A;
			mov.u32 %r0, 2; st.global.u32 [%o], %r0; bra E;
		A:	st.global.u32 [%o], %r0;
		E:`,
			want: func(i uint32) uint32 { return pick(i < 8, 1, 2) }},
		{name: "one write in a loop", body: `
			mov.u32 %r1, 0; mov.u32 %r3, 0; setp.ge.u32 %p2, %nt, 1;
		N:	add.u32 %r0, %r1, 10;
		M:	add.u32 %r3, %r3, %r0; add.u32 %r1, %r1, 1;
			setp.ge.u32 %p1, %r1, 6; @%p1 bra E;
			shr.u32 %r2, %t, %r1; and.b32 %r2, %r2, 1; setp.eq.u32 %p0, %r2, 1;
			@%p0 bra N;
			bra M;
		E:	st.global.u32 [%o], %r3;`,
			want: func(i uint32) uint32 {
				x, sum := uint32(10), uint32(10)
				for k := uint32(1); k < 6; k++ {
					if i>>k&1 == 1 {
						x = k + 10
					}
					sum += x
				}
				return sum
			}},
		{name: "a side reads the last round's value", body: `
			mov.u32 %r1, 0; mov.u32 %r3, 0;
		L:	add.u32 %r2, %t, %r1; and.b32 %r2, %r2, 1; setp.eq.u32 %p0, %r2, 0;
			@%p0 bra A;
			add.u32 %r3, %r3, %r0; bra M;
		A:	mul.lo.u32 %r0, %r1, 10;
		M:	add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra L;
			st.global.u32 [%o], %r3;`,
			want: func(i uint32) uint32 {
				x, sum := uint32(0), uint32(0)
				for k := range uint32(5) {
					if (i+k)&1 == 0 {
						x = k * 10
					} else {
						sum += x
					}
				}
				return sum
			}},
		{name: "lanes that leave a loop at different times", body: `
			mov.u32 %r0, 0; mov.u32 %r3, 0;
		L:	setp.eq.u32 %p0, %r0, %t; @%p0 bra S;
			add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 40; @%p1 bra L;
			bra E;
		S:	add.u32 %r3, %r0, 7; add.u32 %r0, %r0, 100;
		E:	add.u32 %r3, %r3, %r0; st.global.u32 [%o], %r3;`,
			want: func(i uint32) uint32 { return i + 7 + i + 100 }},
		{name: "uniform predicates on a side without lane 0", body: `
			ld.param.u64 %d0, [k_out]; setp.ne.u64 %p1, %d0, 0; setp.eq.u64 %p2, %d0, 0;
			setp.lt.u32 %p0, %t, 8; mov.u32 %r0, 0;
			@%p0 bra E;
			and.pred %p3, %p1, %p1; or.pred %p4, %p2, !%p1; not.pred %p5, %p2; mov.pred %p6, %p1; xor.pred %p7, %p1, %p2;
			selp.u32 %r0, 1, 0, %p3; selp.u32 %r1, 2, 0, %p4; selp.u32 %r2, 4, 0, %p5; selp.u32 %r3, 8, 0, %p6; selp.u32 %r4, 16, 0, %p7;
			add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r4;
		E:	st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i < 8, 0, 1+4+8+16) }},
		{name: "wide results of narrow operations", body: `
			ld.param.u64 %d0, [k_out]; setp.ne.u64 %p1, %d0, 0;
			selp.b32 %r0, -5, 3, %p1;
			cvt.s32.s32 %d1, %r0; cvt.s8.s32 %h1, %r0; cvt.u32.s32 %d2, %r0;
			setp.eq.s64 %p2, %d1, -5; setp.eq.u64 %p3, %d2, 0xfffffffb; cvt.s32.s16 %r3, %h1;
			selp.u32 %r1, 1, 0, %p2; selp.u32 %r2, 2, 0, %p3; add.u32 %r1, %r1, %r2; sub.u32 %r1, %r1, %r3;
			st.global.u32 [%o], %r1;`,
			want: func(i uint32) uint32 { return 1 + 2 + 5 }},
		{name: "carry chain of uniform values", body: `
			ld.param.u64 %d0, [k_out]; setp.ne.u64 %p1, %d0, 0;
			selp.b32 %r0, -1, 3, %p1; selp.b32 %r1, 2, 3, %p1;
			add.cc.u32 %r2, %r0, %r1; addc.cc.u32 %r3, %r0, 0; addc.u32 %r4, %r1, 5;
			mad.lo.u32 %r5, %r3, 100, %r2; mad.lo.u32 %r5, %r4, 10, %r5; st.global.u32 [%o], %r5;`,
			want: func(i uint32) uint32 { return 1 + 0 + 80 }},
	})
}

func TestGuards(t *testing.T) {
	runCases(t, []bodyCase{
		{name: "every kind", decls: `
			.shared .align 4 .b8 s[128];
			.func (.param .b32 r) inc(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; add.u32 %r, %r, 1; st.param.b32 [r], %r; ret; }`,
			body: `
			and.b32 %r1, %t, 1; setp.eq.u32 %p0, %r1, 1; mov.u32 %r0, 50; mov.u32 %r2, 0; mov.u32 %r3, 0;
			mul.wide.u32 %d0, %t, 4; mov.u64 %d1, s; add.u64 %d1, %d1, %d0;
			st.shared.u32 [%d1], %t;
			@%p0 add.u32 %r0, %r0, 1;
			@!%p0 mov.b64 %d2, {%r0, %r1};
			@%p0 mov.u64 %d2, 0;
			@%p0 st.shared.u32 [%d1], 7;
			@!%p0 ld.shared.u32 %r2, [%d1];
			@%p0 atom.shared.add.u32 %r3, [%d1], 1;
			@%p0 setp.eq.u32 %p1, %t, %t;
			@!%p0 setp.ne.u32 %p1, %t, %t;
			@%p1 add.u32 %r0, %r0, 1000;
			{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r0; @%p0 call (r), inc, (a); @%p0 ld.param.b32 %r0, [r]; }
			cvt.u32.u64 %r4, %d2; add.u32 %r0, %r0, %r4; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3;
			st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i&1 == 1, 1052+7, 50+50+i) }},
		{name: "shuffle and vote of some lanes", body: `
			setp.lt.u32 %p0, %t, 16; mov.u32 %r0, 99; mov.u32 %r1, 0;
			@%p0 shfl.sync.bfly.b32 %r0, %t, 1, 31, 0xffff;
			@%p0 vote.sync.ballot.b32 %r1, %p0, 0xffff;
			add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i < 16, i^1+0xffff, 99) }},
	})
}
