package engine_test

import "testing"

// TestPredicateParameters has functions with predicates for results and
// parameters (PTX ISA, "Kernel and Function Directives: .func").
func TestPredicateParameters(t *testing.T) {
	decls := `
.func (.reg .pred r) odd(.reg .u32 x) { .reg .u32 o; and.b32 o, x, 1; setp.ne.u32 r, o, 0; ret; }
.func (.reg .u32 r) pick(.reg .pred c, .reg .u32 a) { selp.u32 r, a, 7, c; ret; }
.func (.reg .pred r) flip(.reg .pred c) { not.pred r, c; ret; }
`
	body := `
call (%p1), odd, (%t);
call (%p2), flip, (%p1);
call (%r0), pick, (%p2, %t);
st.global.u32 [%o], %r0;`
	expect(t, outs(t, launch{}, decls, body), func(i uint32) uint32 {
		if i%2 == 0 {
			return i
		}
		return 7
	})
}

// TestVectorRegisters has vector registers as a whole, by their elements, and
// packed into scalars (PTX ISA, "Vectors", "Vectors as Operands").
func TestVectorRegisters(t *testing.T) {
	decls := ".shared .align 16 .b8 sh[2048];"
	body := `
.reg .v4 .u32 v, w; .reg .v2 .f32 f; .reg .v2 .u32 h<3>; .reg .v4 .u32 id; .reg .b64 %sa;
mov.v4.u32 id, %tid;
mul.wide.u32 %d0, %t, 16; mov.u64 %sa, sh; add.u64 %sa, %sa, %d0;
mov.u32 v.x, 1; mov.u32 v.g, 20; mov.u32 v.z, 300; mov.u32 v.a, 4000;
st.shared.v4.u32 [%sa], v;
ld.shared.v4.u32 w, [%sa];
mov.v4.u32 {%r1, %r2, %r3, %r4}, w;
add.u32 %r0, %r1, %r2; add.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r4;
mov.v4.u32 v, w; add.u32 %r0, %r0, v.w;
st.shared.v2.f32 [%sa], {0f3F800000, 0f40000000};
ld.shared.v2.f32 f, [%sa];
mov.v2.f32 f, f; add.f32 f.x, f.x, f.y; cvt.rzi.u32.f32 %r5, f.r;
mov.u32 h1.x, 5; mov.u32 h1.y, 7; mov.b64 %d1, h1; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r6, %d1;
mov.b64 h2, %d1; add.u32 %r6, %r6, h2.x;
add.u32 %r0, %r0, %r5; add.u32 %r0, %r0, %r6; add.u32 %r0, %r0, id.x;
{ .reg .v2 .u32 v; mov.u32 v.x, 1; mov.u32 v.y, 100000; st.shared.v2.u32 [%sa], v; ld.shared.u32 %r7, [%sa+4]; }
add.u32 %r0, %r0, %r7; add.u32 %r0, %r0, v.x;
st.global.u32 [%o], %r0;`
	expect(t, outs(t, launch{}, decls, body), func(i uint32) uint32 { return 4321 + 4000 + 3 + 14 + i + 100001 })
}

// TestCarry has the flag of a subtraction taken by an addition, and the reverse: it is
// the adder's carry, which a subtraction without borrow sets.
func TestCarry(t *testing.T) {
	body := `
sub.cc.u32 %r1, %t, 3; addc.u32 %r2, 0, 0;
add.cc.u32 %r1, %t, -3; subc.u32 %r3, 0, 0; neg.s32 %r3, %r3;
sub.cc.u64 %d1, %d2, %d3; addc.cc.u32 %r4, -1, 0; addc.u32 %r4, 0, 0;
mad.lo.u32 %r0, %r2, 10, %r3; mad.lo.u32 %r0, %r4, 100, %r0;
st.global.u32 [%o], %r0;`
	expect(t, outs(t, launch{}, "", "mov.u64 %d2, 5; mov.u64 %d3, 5;"+body), func(i uint32) uint32 {
		if i < 3 {
			return 101
		}
		return 110
	})
}

// TestAllocaBesideLocals has memory of the stack beside a local variable, both in a
// kernel (PTX ISA, "Stack Manipulation Instructions").
func TestAllocaBesideLocals(t *testing.T) {
	decls := ""
	body := `
.local .align 8 .b8 depot[16]; .reg .b64 %SPL, %SP, %q; .reg .pred %more;
mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL;
add.u64 %d1, %SPL, 0; mov.b64 %d2, %d1;
st.local.u64 [%d2], %o; st.u32 [%SP+8], %t;
stacksave.u64 %d7;
mul.wide.u32 %d3, %t, 4; add.u64 %d3, %d3, 15; and.b64 %d3, %d3, -8;
alloca.u64 %d4, %d3, 0; cvta.local.u64 %d4, %d4; cvta.to.local.u64 %d5, %d4;
mov.u32 %r1, 0; mov.u64 %q, %d5;
L: st.local.u32 [%q], 77; add.u64 %q, %q, 4; add.u32 %r1, %r1, 1; setp.le.u32 %more, %r1, %t; @%more bra L;
ld.u32 %r2, [%d4];
stackrestore.u64 %d7;
alloca.u64 %d8, 8; sub.u64 %d8, %d8, %d5; cvt.u32.u64 %r4, %d8;
ld.local.u64 %d6, [%d2]; ld.local.u32 %r3, [%d2+8];
add.u32 %r0, %r2, %r3; add.u32 %r0, %r0, %r4;
st.global.u32 [%d6], %r0;`
	expect(t, outs(t, launch{}, decls, body), func(i uint32) uint32 { return 77 + i })
}
