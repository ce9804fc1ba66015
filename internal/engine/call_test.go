package engine_test

import "testing"

const fibonacci = `
.func (.param .b32 r) fib(.param .b32 n)
{
	.reg .b32 %a, %b, %c; .reg .pred %p; .local .b32 keep[4]; .reg .b64 %l;
	ld.param.b32 %a, [n];
	st.local.u32 [keep+4], %a;
	setp.lt.u32 %p, %a, 2;
	@%p bra BASE;
	{ .param .b32 x; .param .b32 y; sub.u32 %b, %a, 1; st.param.b32 [x], %b; call.uni (y), fib, (x); ld.param.b32 %b, [y]; }
	{ .param .b32 x; .param .b32 y; sub.u32 %c, %a, 2; st.param.b32 [x], %c; call.uni (y), fib, (x); ld.param.b32 %c, [y]; }
	ld.local.u32 %a, [keep+4];
	mul.lo.u32 %a, %a, 0;
	add.u32 %b, %b, %c; add.u32 %b, %b, %a;
	st.param.b32 [r], %b;
	ret;
BASE:
	st.param.b32 [r], %a;
	ret;
}
.func (.reg .b32 r) ack(.reg .b32 m, .reg .b32 n)
{
	.reg .pred %p; .reg .b32 %x, %y;
	setp.ne.u32 %p, m, 0; @%p bra A;
	add.u32 r, n, 1; ret;
A:	setp.ne.u32 %p, n, 0; @%p bra B;
	sub.u32 %x, m, 1; call (r), ack, (%x, 1); ret;
B:	sub.u32 %y, n, 1; call (%y), ack, (m, %y);
	sub.u32 %x, m, 1; call (r), ack, (%x, %y); ret;
}
.func (.param .b32 r) odd(.param .b32 n);
.func (.param .b32 r) even(.param .b32 n)
{
	.reg .b32 %a; .reg .pred %p; ld.param.b32 %a, [n]; setp.eq.u32 %p, %a, 0; @%p bra Z;
	{ .param .b32 x; .param .b32 y; sub.u32 %a, %a, 1; st.param.b32 [x], %a; call (y), odd, (x); ld.param.b32 %a, [y]; st.param.b32 [r], %a; ret; }
Z:	st.param.b32 [r], 1; ret;
}
.func (.param .b32 r) odd(.param .b32 n)
{
	.reg .b32 %a; .reg .pred %p; ld.param.b32 %a, [n]; setp.eq.u32 %p, %a, 0; @%p bra Z;
	{ .param .b32 x; .param .b32 y; sub.u32 %a, %a, 1; st.param.b32 [x], %a; call (y), even, (x); ld.param.b32 %a, [y]; st.param.b32 [r], %a; ret; }
Z:	st.param.b32 [r], 0; ret;
}
`

func fib(n uint32) uint32 {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func ack(m, n uint32) uint32 {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ack(m-1, 1)
	}
	return ack(m-1, ack(m, n-1))
}

func TestRecursion(t *testing.T) {
	call := func(f string) string {
		return "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r0; call (y), " + f + ", (x); ld.param.b32 %r0, [y]; }\n"
	}
	store := "st.global.u32 [%o], %r0;"
	runCases(t, []bodyCase{
		{name: "fib, the same everywhere", decls: fibonacci, body: "mov.u32 %r0, 9;" + call("fib") + store,
			want: func(uint32) uint32 { return 34 }},
		{name: "fib by lane", decls: fibonacci, body: "and.b32 %r0, %t, 7;" + call("fib") + store,
			want: func(i uint32) uint32 { return fib(i & 7) }},
		{name: "fib under divergence", decls: fibonacci, body: "and.b32 %r0, %t, 7; setp.gt.u32 %p0, %t, 12; @%p0 bra E;" + call("fib") + "E:" + store,
			want: func(i uint32) uint32 { return pick(i > 12, i&7, fib(i&7)) }},
		{name: "ackermann", decls: fibonacci, body: "and.b32 %r1, %t, 1; add.u32 %r1, %r1, 1; and.b32 %r2, %t, 3; call (%r0), ack, (%r1, %r2);" + store,
			want: func(i uint32) uint32 { return ack(i&1+1, i&3) }},
		{name: "mutual", decls: fibonacci, body: "mov.u32 %r0, %t;" + call("even") + store,
			want: func(i uint32) uint32 { return 1 - i&1 }},
	})
}

func TestCalls(t *testing.T) {
	const funcs = `
.func (.param .b32 r) narrow(.param .b8 a, .param .b16 b, .param .b32 c, .param .b64 d)
{
	.reg .b32 %x, %y; .reg .b64 %d; .reg .b16 %h;
	ld.param.s8 %x, [a]; ld.param.u16 %h, [b]; cvt.u32.u16 %y, %h; add.u32 %x, %x, %y;
	ld.param.u32 %y, [c]; add.u32 %x, %x, %y; ld.param.u64 %d, [d]; cvt.u32.u64 %y, %d; add.u32 %x, %x, %y;
	shr.u64 %d, %d, 32; cvt.u32.u64 %y, %d; add.u32 %x, %x, %y; st.param.b32 [r], %x; ret;
}
.func (.param .align 8 .b8 r[16]) twice(.param .align 8 .b8 s[16])
{
	.reg .b32 %x; .reg .b64 %d; .reg .b16 %h;
	ld.param.u32 %x, [s]; shl.b32 %x, %x, 1; st.param.b32 [r], %x;
	ld.param.s8 %x, [s+5]; shl.b32 %x, %x, 1; st.param.b8 [r+5], %x;
	ld.param.b64 %d, [s+8]; shl.b64 %d, %d, 1; st.param.b64 [r+8], %d; ret;
}
.func (.reg .b32 r, .reg .b64 q) old(.reg .b32 a, .reg .b64 b) { add.u32 r, a, 1; add.u64 q, b, 2; ret; }
.func (.param .b32 r) outer(.param .b32 a) { .reg .b32 %x; .reg .b64 %d; ld.param.b32 %x, [a]; call (%x, %d), old, (%x, 5); call (%x, %d), old, (%x, %d); st.param.b32 [r], %x; ret; }
.func (.param .b32 r) f0(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, 100; st.param.b32 [r], %x; ret; }
.func (.param .b32 r) f1(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; mul.lo.u32 %x, %x, 3; st.param.b32 [r], %x; ret; }
.func none() { ret; }
`
	runCases(t, []bodyCase{
		{name: "parameters of all sizes", decls: funcs, body: `
			{ .param .b8 a; .param .b16 b; .param .b32 c; .param .b64 d; .param .b32 y;
			sub.u32 %r1, %t, 20; st.param.b8 [a], %r1; st.param.b16 [b], 300; st.param.b32 [c], %t; mov.b64 %d0, {%t, 7}; st.param.b64 [d], %d0;
			call (y), narrow, (a, b, c, d); ld.param.b32 %r0, [y]; }
			st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return i - 20 + 300 + i + i + 7 }},
		{name: "structs", decls: funcs, body: `
			{ .param .align 8 .b8 s[16]; .param .align 8 .b8 y[16];
			st.param.b32 [s], %t; st.param.b8 [s+5], -3; cvt.u64.u32 %d0, %t; st.param.b64 [s+8], %d0;
			call (y), twice, (s);
			ld.param.b32 %r0, [y]; ld.param.s8 %r1, [y+5]; ld.param.b64 %d1, [y+8]; }
			cvt.u32.u64 %r2, %d1; add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return 2*i - 6 + 2*i }},
		{name: "registers, several results, nested", decls: funcs, body: `
			call (%r0, %d0), old, (%t, %d19); sub.u64 %d0, %d0, %d19; cvt.u32.u64 %r1, %d0; add.u32 %r0, %r0, %r1;
			{ .param .b32 a; .param .b32 y; st.param.b32 [a], %r0; call (y), outer, (a); ld.param.b32 %r0, [y]; } call none, (); call none;
			st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return i + 1 + 2 + 2 }},
		{name: "guarded", decls: funcs, body: `
			setp.lt.u32 %p0, %t, 9; mov.u32 %r0, %t; @!%p0 call (%r0, %d0), old, (%t, 1); st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 { return pick(i < 9, i, i+1) }},
		{name: "indirect", decls: funcs + ".global .align 8 .u64 table[2];", body: `
			and.b32 %r1, %t, 1; setp.eq.u32 %p0, %r1, 0; mov.u64 %d0, f0; mov.u64 %d1, f1; selp.b64 %d2, %d0, %d1, %p0;
			P: .callprototype (.param .b32 _) _ (.param .b32 _);
			{ .param .b32 a; .param .b32 y; st.param.b32 [a], %t; call (y), %d2, (a), P; ld.param.b32 %r0, [y]; }
			setp.lt.u32 %p1, %t, 16;
			{ .param .b32 a; .param .b32 y; st.param.b32 [a], %r0; @%p1 call (y), %d2, (a), P; @%p1 ld.param.b32 %r0, [y]; }
			st.global.u32 [%o], %r0;`,
			want: func(i uint32) uint32 {
				f := func(x uint32) uint32 { return pick(i&1 == 0, x+100, x*3) }
				return pick(i < 16, f(f(i)), f(i))
			}},
		{name: "exit and return in a function", decls: `.func leave(.param .b32 a) { .reg .b32 %x; .reg .pred %p; ld.param.b32 %x, [a];
				setp.eq.u32 %p, %x, 3; @%p exit; setp.gt.u32 %p, %x, 8; @%p ret; setp.eq.u32 %p, %x, 5; @%p exit; ret; }`, body: `
			st.global.u32 [%o], 1; { .param .b32 a; st.param.b32 [a], %t; call leave, (a); } st.global.u32 [%o], 2;`,
			want: func(i uint32) uint32 { return pick(i == 3 || i == 5, 1, 2) }},
	})
}
