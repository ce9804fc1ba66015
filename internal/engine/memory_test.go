package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

func TestMemory(t *testing.T) {
	runCases(t, []bodyCase{
		{name: "local, dynamic index and generic pointer", body: `
			.local .align 8 .b8 loc[64];
			mov.u64 %d0, loc; cvta.local.u64 %d1, %d0;
			and.b32 %r1, %t, 7; mul.wide.u32 %d2, %r1, 8; add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2;
			st.local.u32 [%d3], %t; st.u16 [%d4+4], 0x1234; st.u8 [%d4+6], -2; st.local.u8 [%d3+7], 3;
			ld.u32 %r2, [%d4]; ld.local.u16 %r3, [%d3+4]; ld.s8 %r4, [%d4+6]; ld.local.u64 %d5, [%d3]; shr.u64 %d5, %d5, 56; cvt.u32.u64 %r5, %d5;
			add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; st.global.u32 [%o], %r2;`,
			want: func(i uint32) uint32 { return i + 0x1234 - 2 + 3 }},
		{name: "shared: several variables and dynamic", decls: `
			.shared .align 1 .b8 a[3]; .shared .align 8 .b64 b[4]; .extern .shared .align 16 .b8 dyn[];`, body: `
			setp.ne.u32 %p0, %t, 0; @%p0 bra S;
			st.shared.u8 [a+2], 9; st.shared.u64 [b+24], 100; st.shared.u32 [dyn+60], 1000;
			mov.u64 %d0, dyn; cvta.shared.u64 %d0, %d0; st.u32 [%d0+4], 10000; mov.u64 %d1, b; cvta.shared.u64 %d1, %d1; st.u64 [%d1], 7;
		S:	bar.sync 0;
			ld.shared.u8 %r0, [a+2]; ld.shared.u32 %r1, [b+24]; ld.shared.u32 %r2, [dyn+60]; ld.shared.u32 %r3, [dyn+4]; ld.shared.u32 %r4, [b];
			add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r4; st.global.u32 [%o], %r0;`,
			l: launch{shared: 64, block: 70}, want: func(uint32) uint32 { return 11116 }},
		{name: "spaces of generic addresses", decls: ".shared .b32 s; .global .b32 unused;", body: `
			.local .b32 l; mov.u64 %d0, s; cvta.shared.u64 %d0, %d0; mov.u64 %d1, l; cvta.local.u64 %d1, %d1;
			isspacep.shared %p0, %d0; isspacep.local %p1, %d1; isspacep.global %p2, %o; isspacep.global %p3, %d0;
			selp.u32 %r0, 1, 0, %p0; selp.u32 %r1, 2, 0, %p1; selp.u32 %r2, 4, 0, %p2; selp.u32 %r3, 8, 0, %p3;
			add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3; st.global.u32 [%o], %r0;`,
			want: func(uint32) uint32 { return 7 }},
		{name: "a generic address of all lanes, each in its local memory", body: `
			.local .align 8 .b8 loc[16]; mov.u64 %d0, loc; cvta.local.u64 %d1, %d0;
			st.local.u32 [loc+4], %t; mov.u32 %r1, 0; mov.u32 %r2, 0;
		L:	ld.u32 %r3, [%d1+4]; add.u32 %r1, %r1, %r3; add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 9; @%p0 bra L;
			st.global.u32 [%o], %r1;`,
			want: func(i uint32) uint32 { return 9 * i }},
		{name: "vectors in local memory, at an index by lane", body: `
			.local .align 16 .b8 loc[64]; mov.u64 %d0, loc; mov.u32 %r2, 0; mov.u32 %r9, 0;
		L:	add.u32 %r1, %t, %r2; and.b32 %r1, %r1, 3; mul.wide.u32 %d1, %r1, 16; add.u64 %d1, %d1, %d0;
			add.u32 %r3, %r1, 100; add.u32 %r4, %t, %r1; st.local.v4.u32 [%d1], {%r1, %r3, %r4, %t};
			add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 9; @%p0 bra L;
			mov.u32 %r2, 0;
		M:	add.u32 %r1, %t, %r2; and.b32 %r1, %r1, 3; mul.wide.u32 %d1, %r1, 16; add.u64 %d1, %d1, %d0;
			ld.local.v4.u32 {%r5, %r6, %r7, %r8}, [%d1]; add.u32 %r9, %r9, %r5; add.u32 %r9, %r9, %r6; add.u32 %r9, %r9, %r7; add.u32 %r9, %r9, %r8;
			ld.local.v2.u32 {%r5, %r6}, [%d1+8]; sub.u32 %r9, %r9, %r6;
			add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 4; @%p0 bra M;
			st.global.u32 [%o], %r9;`,
			want: func(i uint32) uint32 { return 6 + 406 + 4*i + 6 }},
		{name: "atomics of several warps between barriers", decls: ".shared .b32 s[4];", body: `
			add.u32 %r5, %t, 7; setp.gt.u32 %p0, %t, 3; mul.wide.u32 %d0, %t, 4; mov.u64 %d1, s; add.u64 %d0, %d0, %d1; @%p0 bra Z; st.shared.u32 [%d0], 0;
		Z:	bar.sync 0;
			and.b32 %r1, %t, 3; mul.wide.u32 %d0, %r1, 4; add.u64 %d0, %d0, %d1; atom.shared.add.u32 %r2, [%d0], 1;
			add.u32 %r5, %r5, 1;
			bar.sync 0;
			ld.shared.u32 %r3, [%d0]; add.u32 %r3, %r3, %r5; st.global.u32 [%o], %r3;`,
			l: launch{block: 128}, want: func(i uint32) uint32 { return 32 + i + 8 }},
		{name: "generic addresses where offsets in the space are meant, which are truncated", decls: ".shared .align 8 .b8 s[512];", body: `
			.local .align 8 .b8 loc[16]; mov.u64 %d0, loc; cvta.local.u64 %d0, %d0; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1;
			and.b32 %r1, %t, 63; mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2;
			st.shared.u32 [%d2+4], %t; st.local.u32 [%d0+4], %t; atom.shared.add.u32 %r3, [%d2+4], 5;
			bar.sync 0;
			ld.shared.u32 %r4, [%d1+8]; ld.local.u32 %r5, [%d0+4]; ld.shared.u32 %r6, [%d2+4];
			add.u32 %r0, %r5, %r6; add.u32 %r0, %r0, %r4; st.global.u32 [%o], %r0;`,
			l: launch{block: 64}, want: func(i uint32) uint32 { return i + i + 5 + 6 }},
		{name: "one load of lanes in three spaces", decls: ".shared .b32 s;", body: `
			.local .b32 l; st.local.u32 [l], 5; st.shared.u32 [s], 6; st.global.u32 [%o], 7;
			mov.u64 %d0, s; cvta.shared.u64 %d0, %d0; mov.u64 %d1, l; cvta.local.u64 %d1, %d1;
			rem.u32 %r0, %t, 3; setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r0, 1; selp.b64 %d2, %d0, %o, %p0; selp.b64 %d2, %d1, %d2, %p1;
			ld.u32 %r1, [%d2]; st.u32 [%d2], 1; st.global.u32 [%o], %r1;`,
			want: func(i uint32) uint32 { return []uint32{6, 5, 7}[i%3] }},
		{name: "stores of many lanes to one place", decls: ".shared .align 16 .b8 s[32];", body: `
			mov.u32 %r0, 0; mov.u32 %r9, 0; st.shared.v4.u32 [s], {0, 0, 0, 0}; st.shared.v2.u64 [s+16], {0, 0}; st.global.u32 [%base+4], 0;
		L:	mad.lo.u32 %r1, %t, 7, %r0; rem.u32 %r1, %r1, 11; cvt.u64.u32 %d0, %r1; shl.b64 %d0, %d0, 33;
			setp.lt.u32 %p0, %r1, %r0; @%p0 bra M;
			st.shared.v2.u32 [s], {%t, %r1}; st.shared.u8 [s+9], %r1; st.shared.u16 [s+10], %t; st.shared.u64 [s+16], %d0; st.shared.u32 [s+28], 3; st.global.u32 [%base+4], %t;
		M:	bar.warp.sync -1;
			ld.shared.u32 %r2, [s]; mad.lo.u32 %r9, %r9, 5, %r2; ld.shared.u32 %r2, [s+4]; mad.lo.u32 %r9, %r9, 5, %r2;
			ld.shared.u32 %r2, [s+8]; mad.lo.u32 %r9, %r9, 5, %r2; ld.shared.u32 %r2, [s+20]; mad.lo.u32 %r9, %r9, 5, %r2;
			ld.shared.u32 %r2, [s+28]; mad.lo.u32 %r9, %r9, 5, %r2; ld.global.u32 %r2, [%base+4]; mad.lo.u32 %r9, %r9, 5, %r2;
			bar.warp.sync -1;
			add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 13; @%p0 bra L;
			st.global.u32 [%o], %r9;`,
			want: func(uint32) uint32 { return lastStores() }},
		{name: "narrow types", body: `
			.local .align 8 .b8 l[8]; st.local.u32 [l], 0x80ff7f01;
			ld.local.s8 %r0, [l+2]; ld.local.u8 %r1, [l+2]; ld.local.s16 %r2, [l+2]; ld.local.s8 %h0, [l+3]; ld.local.s32 %d0, [l]; ld.local.u16 %d1, [l+2]; ld.local.s16 %d2, [l+2];
			cvt.s32.s16 %r3, %h0; shr.u64 %d0, %d0, 60; cvt.u32.u64 %r4, %d0; add.s64 %d1, %d1, %d2; cvt.u32.u64 %r5, %d1;
			add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r4; add.u32 %r0, %r0, %r5; st.global.u32 [%o], %r0;`,
			want: func(uint32) uint32 {
				const h = 0x80ff // signed: h - 0x10000
				return uint32(int64(-1+255+(h-0x10000)-128+15+h+(h-0x10000)) & 0xffffffff)
			}},
	})
}

// TestVectors stores and loads each vector type.
func TestVectors(t *testing.T) {
	for _, v := range []struct {
		mods, class string
		n, size     int
	}{{"v2.u8", "h", 2, 1}, {"v4.u8", "r", 4, 1}, {"v2.s16", "h", 2, 2}, {"v4.b16", "h", 4, 2}, {"v2.f32", "f", 2, 4},
		{"v4.f32", "f", 4, 4}, {"v4.u32", "r", 4, 4}, {"v2.u64", "d", 2, 8}, {"v2.f64", "g", 2, 8}} {
		t.Run(v.mods, func(t *testing.T) {
			var regs []string
			for i := range v.n {
				regs = append(regs, fmt.Sprintf("%%%s%d", v.class, i))
			}
			list := "{" + strings.Join(regs, ", ") + "}"
			in, out := newBuffer(t, 32*16), newBuffer(t, 32*16)
			for i := range in.bytes() {
				in.bytes()[i] = byte(i*7 + 3)
			}
			src := strings.Replace(simple("", fmt.Sprintf(`
				ld.param.u64 %%d10, [k_in]; mul.wide.u32 %%d11, %%t, 16; add.u64 %%d10, %%d10, %%d11; add.u64 %%d11, %%base, %%d11;
				ld.global.%s %s, [%%d10]; st.global.%s [%%d11], %s;`, v.mods, list, v.mods, list)),
				".u64 k_out)", ".u64 k_out, .param .u64 k_in)", 1)
			mustRun(t, launch{src: src, params: []any{out, in}})
			for i, b := range out.bytes() {
				want := byte(0)
				if i%16 < v.n*v.size {
					want = in.bytes()[i]
				}
				if b != want {
					t.Fatalf("byte %d: got %d, want %d", i, b, want)
				}
			}
		})
	}
}

// TestAtomics lets all lanes of a warp change one place and compares with
// the operations one after the other in the order of lanes.
func TestAtomics(t *testing.T) {
	f32 := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }
	for _, a := range []struct {
		op, typ string
		size    int
		start   uint64
		operand func(i uint64) uint64
		fn      func(old, b uint64) uint64
	}{
		{"add", "u32", 4, 5, func(i uint64) uint64 { return i }, func(o, b uint64) uint64 { return o + b }},
		{"add", "u64", 8, 1 << 40, func(i uint64) uint64 { return i << 20 }, func(o, b uint64) uint64 { return o + b }},
		{"add", "f32", 4, f32(1), func(i uint64) uint64 { return f32(float64(i) / 4) },
			func(o, b uint64) uint64 {
				return f32(float64(math.Float32frombits(uint32(o)) + math.Float32frombits(uint32(b))))
			}},
		{"add", "f64", 8, math.Float64bits(1), func(i uint64) uint64 { return math.Float64bits(float64(i)) },
			func(o, b uint64) uint64 {
				return math.Float64bits(math.Float64frombits(o) + math.Float64frombits(b))
			}},
		{"min", "s32", 4, 3, func(i uint64) uint64 { return uint64(uint32(10 - int32(i))) },
			func(o, b uint64) uint64 { return uint64(uint32(min(int32(o), int32(b)))) }},
		{"max", "u32", 4, 3, func(i uint64) uint64 { return i * 5 % 31 }, func(o, b uint64) uint64 { return max(o, b) }},
		{"min", "u64", 8, 99, func(i uint64) uint64 { return 60 - i%50 }, func(o, b uint64) uint64 { return min(o, b) }},
		{"and", "b32", 4, 0xffffffff, func(i uint64) uint64 { return ^(1 << (i % 32)) & 0xffffffff }, func(o, b uint64) uint64 { return o & b }},
		{"or", "b64", 8, 0, func(i uint64) uint64 { return 1 << i }, func(o, b uint64) uint64 { return o | b }},
		{"xor", "b32", 4, 7, func(i uint64) uint64 { return i * 3 }, func(o, b uint64) uint64 { return o ^ b }},
		{"exch", "b32", 4, 7, func(i uint64) uint64 { return i }, func(_, b uint64) uint64 { return b }},
		{"inc", "u32", 4, 3, func(uint64) uint64 { return 5 }, func(o, b uint64) uint64 {
			if o >= b {
				return 0
			}
			return o + 1
		}},
		{"dec", "u32", 4, 3, func(uint64) uint64 { return 5 }, func(o, b uint64) uint64 {
			if o == 0 || o > b {
				return b
			}
			return o - 1
		}},
	} {
		for _, space := range []string{"shared", "global", "generic", "generic shared"} {
			t.Run(a.op+"."+a.typ+" "+space, func(t *testing.T) {
				const n = 32
				out := newBuffer(t, 8*n+8)
				ops := newBuffer(t, 8*n)
				for i := range uint64(n) {
					binary.LittleEndian.PutUint64(ops.bytes()[8*i:], a.operand(i))
				}
				mod := map[string]string{"shared": ".shared", "global": ".global"}[space]
				place := map[string]string{
					"shared": "mov.u64 %d0, s;", "generic shared": "mov.u64 %d0, s; cvta.shared.u64 %d0, %d0;",
				}[space]
				if place == "" {
					place = fmt.Sprintf("add.u64 %%d0, %%base, %d;", 8*n)
				}
				bits := fmt.Sprint(8 * a.size)
				r := map[int]string{4: "%r", 8: "%d"}[a.size]
				body := fmt.Sprintf(`
					%s ld.param.u64 %%d3, [k_in]; mul.wide.u32 %%d4, %%t, 8; add.u64 %%d3, %%d3, %%d4; add.u64 %%d4, %%base, %%d4;
					setp.eq.u32 %%p0, %%t, 0; @%%p0 st%s.b%s [%%d0], %d; bar.sync 0;
					ld.global.b%s %s5, [%%d3]; atom%s.%s.%s %s6, [%%d0], %s5; st.global.b%s [%%d4], %s6;
					bar.sync 0; ld%s.b%s %s7, [%%d0]; @%%p0 st.global.b%s [%%base+%d], %s7;`,
					place, mod, bits, a.start, bits, r, mod, a.op, a.typ, r, r, bits, r, mod, bits, r, bits, 8*n, r)
				src := strings.Replace(simple(".shared .align 8 .b64 s;", body), ".u64 k_out)", ".u64 k_out, .param .u64 k_in)", 1)
				mustRun(t, launch{src: src, block: n, params: []any{out, ops}})
				got := out.u64()
				v := a.start
				for i := range uint64(n) {
					if got[i] != v {
						t.Fatalf("thread %d got the old value %#x, want %#x", i, got[i], v)
					}
					v = a.fn(v, a.operand(i))
					if a.size == 4 {
						v &= 0xffffffff
					}
				}
				if got[n] != v {
					t.Fatalf("in the end %#x, want %#x", got[n], v)
				}
			})
		}
	}
}

func TestCompareAndSwap(t *testing.T) {
	got := outs(t, launch{block: 64}, ".shared .b32 s;", `
		setp.eq.u32 %p0, %t, 0; @%p0 st.shared.u32 [s], 0; bar.sync 0;
	L:	ld.volatile.shared.u32 %r0, [s]; add.u32 %r1, %r0, %t;
		atom.shared.cas.b32 %r2, [s], %r0, %r1; setp.ne.u32 %p1, %r2, %r0; @%p1 bra L;
		bar.sync 0; ld.shared.u32 %r3, [s]; st.global.u32 [%o], %r3;`)
	expect(t, got, func(uint32) uint32 { return 64 * 63 / 2 })
}

// TestFaults has one lane do something wrong.
func TestFaults(t *testing.T) {
	only := func(lane int, what string) string {
		return fmt.Sprintf("setp.ne.u32 %%p0, %%t, %d; @%%p0 bra DONE; %s", lane, what)
	}
	cases := []struct {
		name, decls, body string
		kind              trace.FaultKind
		lane              int
		message           string
	}{
		{"out of bounds", "", only(5, "st.global.u32 [%base+4096], 1;"), trace.FaultOutOfBounds, 5, "global write of 4 bytes"},
		{"just behind", "", only(9, "ld.global.u64 %d0, [%base+128];"), trace.FaultOutOfBounds, 9, "global read of 8 bytes"},
		{"null", "", only(0, "mov.u64 %d0, 0; ld.u32 %r0, [%d0];"), trace.FaultOutOfBounds, 0, "null pointer"},
		{"misaligned", "", only(3, "ld.global.u32 %r0, [%base+2];"), trace.FaultMisaligned, 3, "misaligned global read of 4 bytes"},
		{"misaligned vector", "", only(3, "ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%base+8];"), trace.FaultMisaligned, 3, "16 bytes"},
		{"shared", ".shared .b32 s[4];", only(31, "mov.u64 %d0, s; ld.shared.u32 %r0, [%d0+16];"), trace.FaultOutOfBounds, 31, "shared read"},
		{"shared, negative", ".shared .b32 s[4];", only(31, "mov.u64 %d0, s; ld.shared.u32 %r0, [%d0+-4];"), trace.FaultOutOfBounds, 31, "shared read"},
		{"shared, generic and too far", ".shared .b32 s[4];", only(31, "mov.u64 %d0, s; cvta.shared.u64 %d0, %d0; ld.shared.u32 %r0, [%d0+16];"), trace.FaultOutOfBounds, 31, "shared read of 4 bytes at offset 16"},
		{"shared, an address of global memory", ".shared .b32 s[4];", only(31, "ld.shared.u32 %r0, [%base];"), trace.FaultOutOfBounds, 31, "shared read"},
		{"local", "", ".local .b32 l;" + only(2, "mov.u64 %d0, l; st.local.u32 [%d0+1000000], 1;"), trace.FaultStack, 2, "local write"},
		{"local, negative", "", ".local .b32 l;" + only(2, "mov.u64 %d0, l; st.local.u32 [%d0+-4], 1;"), trace.FaultOutOfBounds, 2, "local write"},
		{"trap", "", only(4, "trap;"), trace.FaultTrap, 4, "trap"},
		{"brx.idx out of range", "", only(4, "T: .branchtargets A, A; mov.u32 %r0, 2; brx.idx %r0, T; A:"), trace.FaultTrap, 4, "index 2"},
		{"call through nothing", "", only(4, "mov.u64 %d0, 64; P: .callprototype _ (); call %d0, (), P;"), trace.FaultOutOfBounds, 4, "not the address of a function"},
		{"endless recursion", ".func rec() { call rec; ret; }", only(7, "call rec;"), trace.FaultStack, 7, "nested so deeply"},
		{"barrier out of range", "", "bar.sync %t;", trace.FaultBarrier, 16, "barrier 16"},
		{"unsupported", "", only(1, "multimem.cp.async.bulk.dst [%base], [%base], %r0;"), trace.FaultUnsupported, 1, "multimem.cp.async.bulk"},
		{"missing function", ".extern .func gone();", only(1, "call gone;"), trace.FaultUnsupported, 1, "gone"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out := newBuffer(t, 128)
			f := mustFault(t, launch{src: simple(c.decls, c.body), params: []any{out}}, c.kind)
			if f.Lane != c.lane || f.Mask>>c.lane&1 == 0 {
				t.Errorf("lane %d of %#x, want %d", f.Lane, f.Mask, c.lane)
			}
			if f.Site == nil || f.Site.PTXLine == 0 {
				t.Errorf("no site")
			}
			if !strings.Contains(f.Message, c.message) {
				t.Errorf("message %q lacks %q", f.Message, c.message)
			}
		})
	}
}

func TestFreedAndConstant(t *testing.T) {
	out := newBuffer(t, 128)
	al, _ := arena.Alloc(64, 256, 0, "")
	arena.Free(al.Base)
	body := "mov.u64 %d0, " + fmt.Sprint(al.Base) + "; ld.global.u32 %r0, [%d0];"
	f := mustFault(t, launch{src: simple("", body), params: []any{out}}, trace.FaultOutOfBounds)
	if notes := strings.Join(f.Notes, " "); !strings.Contains(notes, "freed") {
		t.Errorf("notes %q", notes)
	}
}

// TestLowestFault has many blocks fail; the first counts.
func TestLowestFault(t *testing.T) {
	for _, workers := range []int{1, 4} {
		out := newBuffer(t, 4*32*40)
		f := mustFault(t, launch{src: simple("", "setp.lt.u32 %p0, %ct, 7; @%p0 bra DONE; trap;"), grid: 40, workers: workers,
			params: []any{out}}, trace.FaultTrap)
		if f.Block != 7 {
			t.Errorf("%d workers: block %d", workers, f.Block)
		}
	}
}

// lastStores is the result of "stores of many lanes to one place".
func lastStores() (sum uint32) {
	var lane, value, wide uint32
	three := uint32(0)
	for round := range uint32(13) {
		for t := range uint32(32) {
			if x := (7*t + round) % 11; x >= round {
				lane, value, wide, three = t, x, x<<1, 3
			}
		}
		for _, x := range []uint32{lane, value, value<<8 | lane<<16, wide, three, lane} {
			sum = 5*sum + x
		}
	}
	return sum
}
