package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// u16At reads element i of a buffer of 16-bit elements.
func u16At(b []byte, i int) uint32 { return uint32(binary.LittleEndian.Uint16(b[2*i:])) }

// TestMatrixRows checks ldmatrix and stmatrix by their definition: lane 8i+r
// addresses row r of matrix i; lane l holds elements 2*(l%4) and the next of row
// l/4, or of column l/4 with .trans.
func TestMatrixRows(t *testing.T) {
	const rows = 32
	in := newBuffer(t, rows*16)
	for i := range rows * 8 {
		binary.LittleEndian.PutUint16(in.bytes()[2*i:], uint16(1000+i))
	}
	element := func(matrix, row, col int) uint32 { return u16At(in.bytes(), (8*matrix+row)*8+col) }
	held := func(matrix, lane int, trans bool) uint32 {
		i, j := lane/4, lane%4*2
		if trans {
			return element(matrix, j, i) | element(matrix, j+1, i)<<16
		}
		return element(matrix, i, j) | element(matrix, i, j+1)<<16
	}
	// Row r of the input goes to row 31-r of the tile, so that addresses matter.
	const start = `
	ld.param.u64 %d0, [k_in]; mul.wide.u32 %d1, %t, 16; add.u64 %d0, %d0, %d1; ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%d0];
	mov.u32 %r0, tile; sub.u32 %r5, 31, %t; mad.lo.u32 %r0, %r5, 16, %r0; st.shared.v4.u32 [%r0], {%r1,%r2,%r3,%r4}; bar.warp.sync -1;
`
	for n, regs := range map[int]string{1: "{%r10}", 2: "{%r10,%r11}", 4: "{%r10,%r11,%r12,%r13}"} {
		for kind := range 6 {
			trans := kind%2 == 1
			mod := fmt.Sprintf("x%d", n) + either(trans, ".trans", "") + []string{".shared", ".shared::cta", ""}[kind/2]
			start, at := start, "[%r0]"
			if kind/2 == 2 {
				start, at = start+"cvt.u64.u32 %d5, %r0; cvta.shared.u64 %d5, %d5;\n", "[%d5]"
			}
			t.Run(mod, func(t *testing.T) {
				body := start + "ldmatrix.sync.aligned.m8n8." + mod + ".b16 " + regs + ", " + at + ";\n"
				body += "mul.wide.u32 %d2, %t, 16; add.u64 %d2, %base, %d2;\n"
				for i := range n {
					body += fmt.Sprintf("st.global.u32 [%%d2+%d], %%r%d;\n", 4*i, 10+i)
				}
				out := newBuffer(t, 512)
				src := strings.Replace(simple(asyncDecls, body), "k(.param .u64 k_out)", "k(.param .u64 k_out, .param .u64 k_in)", 1)
				mustRun(t, launch{src: src, params: []any{out, in}})
				for l := range 32 {
					for i := range n {
						if got, want := out.u32()[4*l+i], held(i, l, trans); got != want {
							t.Fatalf("lane %d matrix %d: got %#x, want %#x", l, i, got, want)
						}
					}
				}
				// And back: what stmatrix stores is what was loaded.
				body = start + "ldmatrix.sync.aligned.m8n8." + mod + ".b16 " + regs + ", " + at + ";\n" +
					"mov.u32 %r20, 0; st.shared.v4.u32 [%r0], {%r20,%r20,%r20,%r20}; bar.warp.sync -1;\n" +
					"stmatrix.sync.aligned.m8n8." + mod + ".b16 " + at + ", " + regs + "; bar.warp.sync -1;\n" +
					"ld.shared.u32 %r6, [%r0+4]; st.global.u32 [%o], %r6;"
				out = newBuffer(t, 128)
				src = strings.Replace(simple(asyncDecls, body), "k(.param .u64 k_out)", "k(.param .u64 k_out, .param .u64 k_in)", 1)
				mustRun(t, launch{src: src, params: []any{out, in}})
				expect(t, out.u32(), func(i uint32) uint32 {
					if int(i) >= 8*n {
						return 0
					}
					return binary.LittleEndian.Uint32(in.bytes()[16*i+4:])
				})
			})
		}
	}
}

func TestMovMatrix(t *testing.T) {
	got := outs(t, launch{}, "", `
	shl.b32 %r1, %t, 1; add.u32 %r2, %r1, 1; shl.b32 %r2, %r2, 16; or.b32 %r1, %r1, %r2;
	movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r1; st.global.u32 [%o], %r3;`)
	// Element (i, j) is 8*i+j; lane l gets (2*(l%4), l/4) and (2*(l%4)+1, l/4).
	expect(t, got, func(l uint32) uint32 {
		at := func(i, j uint32) uint32 { return 8*i + j }
		return at(l%4*2, l/4) | at(l%4*2+1, l/4)<<16
	})
}

// wmmaCase is a product of one tile with wmma: shape, types of A, C and D, and
// the numbers of registers of A, B and C.
type wmmaCase struct {
	shape      string
	m, n, k    int
	ta, tc, td string
	na, nb, nc int
	mul        string // modifiers of wmma.mma after the shape
	bits       string // the operation on bits, ".xor.popc" or ".and.popc"
}

func wmmaCases() []wmmaCase {
	var list []wmmaCase
	for _, s := range []struct {
		shape   string
		m, n, k int
		a, b    int // registers of bytes; twice as many for bf16
	}{{"m16n16k16", 16, 16, 16, 2, 2}, {"m32n8k16", 32, 8, 16, 4, 1}, {"m8n32k16", 8, 32, 16, 1, 4}} {
		for _, sat := range []string{"", ".satfinite"} { // nothing is out of range; see TestSaturate
			for _, c := range []string{"f32", "f16"} {
				for _, d := range []string{"f32", "f16"} {
					list = append(list, wmmaCase{s.shape, s.m, s.n, s.k, "f16", c, d, 8, 8, either(c == "f32", 8, 4), d + "." + c + sat, ""})
				}
			}
			list = append(list,
				wmmaCase{s.shape, s.m, s.n, s.k, "s8", "s32", "s32", s.a, s.b, 8, "s32.s8.s8.s32" + sat, ""},
				wmmaCase{s.shape, s.m, s.n, s.k, "u8", "s32", "s32", s.a, s.b, 8, "s32.u8.u8.s32" + sat, ""})
		}
		list = append(list, wmmaCase{s.shape, s.m, s.n, s.k, "bf16", "f32", "f32", 2 * s.a, 2 * s.b, 8, "f32.bf16.bf16.f32", ""})
	}
	for _, rounding := range []string{"", "rn.", "rz.", "rm.", "rp."} { // the results are exact
		list = append(list, wmmaCase{"m8n8k4", 8, 8, 4, "f64", "f64", "f64", 1, 1, 2, rounding + "f64.f64.f64.f64", ""})
	}
	for _, sat := range []string{"", ".satfinite"} {
		list = append(list,
			wmmaCase{"m8n8k32", 8, 8, 32, "s4", "s32", "s32", 1, 1, 2, "s32.s4.s4.s32" + sat, ""},
			wmmaCase{"m8n8k32", 8, 8, 32, "u4", "s32", "s32", 1, 1, 2, "s32.u4.u4.s32" + sat, ""})
	}
	return append(list,
		wmmaCase{"m16n16k8", 16, 16, 8, "tf32", "f32", "f32", 4, 4, 8, "f32.tf32.tf32.f32", ""},
		wmmaCase{"m8n8k128", 8, 8, 128, "b1", "s32", "s32", 1, 1, 2, "s32.b1.b1.s32", ".xor.popc"},
		wmmaCase{"m8n8k128", 8, 8, 128, "b1", "s32", "s32", 1, 1, 2, "s32.b1.b1.s32", ".and.popc"})
}

// wmmaSpaces are those that loads and stores may name, generic addresses last: of global and of shared memory.
var wmmaSpaces = []string{".global", ".shared", ".shared::cta", ".shared::cluster", "", " "}

// TestWMMA multiplies a tile in all layouts and spaces, with rows further apart than they
// are long.
func TestWMMA(t *testing.T) {
	for _, c := range wmmaCases() {
		layouts := []string{"row", "col"}
		for _, la := range layouts {
			for _, lb := range layouts {
				for _, space := range wmmaSpaces {
					t.Run(c.shape+c.bits+"."+c.mul+"."+la+"."+lb+space, func(t *testing.T) { c.check(t, la, lb, space) })
				}
			}
		}
	}
}

// put writes a matrix as elements of the type, one line every pitch elements.
func put(t testing.TB, b []byte, m matrix, typ string, col bool, pitch int) {
	bits := elemBits[typ]
	for i := range m {
		for j := range m[i] {
			at := (i*pitch + j) * bits
			if col {
				at = (j*pitch + i) * bits
			}
			v := encode(t, typ, m[i][j])
			for k := range bits {
				if v>>k&1 != 0 {
					b[(at+k)/8] |= 1 << ((at + k) % 8)
				}
			}
		}
	}
}

// pitchOf is a line's length in elements, more than it holds and a multiple of
// 16 bytes.
func pitchOf(m matrix, typ string, col bool) int {
	n := len(m[0])
	if col {
		n = len(m)
	}
	unit := 128 / elemBits[typ]
	return (n/unit + 2) * unit
}

func (c *wmmaCase) check(t *testing.T, la, lb, space string) {
	rnd := newRand(c.m + c.n + c.k)
	a, b := randomMatrix(rnd, c.m, c.k, c.ta), randomMatrix(rnd, c.k, c.n, c.ta)
	acc := randomMatrix(rnd, c.m, c.n, c.tc)
	la2, lb2 := la == "col", lb == "col" // C is laid out as B, D as A
	aLayout, bLayout := c.operandLayouts(la, lb)
	aCol, bCol := aLayout == "col", bLayout == "col"
	pa, pb, pc := pitchOf(a, c.ta, aCol), pitchOf(b, c.ta, bCol), pitchOf(acc, c.tc, lb2)
	const size = 16384
	in, out := newBuffer(t, 3*size), newBuffer(t, size)
	put(t, in.bytes(), a, c.ta, aCol, pa)
	put(t, in.bytes()[size:], b, c.ta, bCol, pb)
	put(t, in.bytes()[2*size:], acc, c.tc, lb2, pc)
	mustRun(t, launch{src: c.source(la, lb, space, pa, pb, pc), shared: 3 * size, params: []any{in, out}})
	mc := mmaCase{k: c.k, mods: c.bits}
	want := mc.product(a, b, acc)
	bits := elemBits[c.td]
	for i := range want {
		for j := range want[i] {
			at := either(la2, j*c.m+i, i*c.n+j) * bits / 8 // stored without a stride
			var w [8]byte
			copy(w[:bits/8], out.bytes()[at:])
			if got := decode(c.td, binary.LittleEndian.Uint64(w[:])); got != want[i][j] {
				t.Fatalf("row %d, column %d: got %v, want %v", i, j, got, want[i][j])
			}
		}
	}
}

// operandLayouts are those of A and B: elements of less than a byte have but one.
func (c *wmmaCase) operandLayouts(la, lb string) (a, b string) {
	if elemBits[c.ta] < 8 {
		return "row", "col"
	}
	return la, lb
}

// source is a kernel k(in, out) that loads A, B and C from a space of wmmaSpaces, multiplies, and
// stores D there.
func (c *wmmaCase) source(la, lb, space string, pa, pb, pc int) string {
	typ, class := "b32", "%r"
	if c.ta == "f64" {
		typ, class = "f64", "%f"
	}
	regs := func(first, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%s%d", class, first+i))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	nd := c.nc
	if c.td != c.tc {
		nd = either(c.td == "f32", 8, 4)
	}
	A, B, C, D := regs(0, c.na), regs(10, c.nb), regs(20, c.nc), regs(30, nd)
	var s strings.Builder
	s.WriteString(header + ".extern .shared .align 32 .b8 dyn[];\n.visible .entry k(.param .u64 k_in, .param .u64 k_out)\n{\n")
	fmt.Fprintf(&s, ".reg .%s %s<50>; .reg .b64 %%in, %%out, %%p<4>; .reg .b32 %%i, %%s; .reg .pred %%q; .reg .u64 %%x; .reg .u8 %%v; .reg .b32 %%stride;\n", typ, class)
	s.WriteString("ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out];\n")
	ss := strings.TrimSpace(space)
	shared := strings.HasPrefix(space, ".shared") || space == " "
	if shared {
		s.WriteString("mov.u32 %i, %tid.x;\nL: cvt.u64.u32 %x, %i; add.u64 %x, %in, %x; ld.global.u8 %v, [%x]; mov.u32 %s, dyn; add.u32 %s, %s, %i; st.shared.u8 [%s], %v;\n" +
			"add.u32 %i, %i, 32; setp.lt.u32 %q, %i, 49152; @%q bra L;\nbar.sync 0; mov.u64 %in, dyn;\n" + either(ss == "", "cvta.shared.u64 %in, %in;\n", ""))
	}
	s.WriteString("add.u64 %p1, %in, 16384; add.u64 %p2, %in, 32768;\n")
	fmt.Fprintf(&s, "mov.u32 %%stride, %d;\n", pb)
	aLayout, bLayout := c.operandLayouts(la, lb)
	fmt.Fprintf(&s, "wmma.load.a.sync.aligned.%s.%s%s.%s %s, [%%in], %d;\n", aLayout, c.shape, ss, c.ta, A, pa)
	fmt.Fprintf(&s, "wmma.load.b.sync.aligned.%s.%s%s.%s %s, [%%p1], %%stride;\n", bLayout, c.shape, ss, c.ta, B)
	fmt.Fprintf(&s, "wmma.load.c.sync.aligned.%s.%s%s.%s %s, [%%p2], %d;\n", lb, c.shape, ss, c.tc, C, pc)
	fmt.Fprintf(&s, "wmma.mma%s.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n", c.bits, aLayout, bLayout, c.shape, c.mul, D, A, B, C)
	store := fmt.Sprintf("wmma.store.d.sync.aligned.%s.%s%s.%s ", la, c.shape, ss, c.td)
	if !shared {
		fmt.Fprintf(&s, "%s[%%out], %s;\nret;\n}\n", store, D)
		return s.String()
	}
	fmt.Fprintf(&s, "bar.sync 0; %s[%%in], %s; bar.sync 0; mov.u32 %%i, %%tid.x;\nM: cvt.u64.u32 %%x, %%i; add.u64 %%x, %%out, %%x; mov.u32 %%s, dyn; add.u32 %%s, %%s, %%i; ld.shared.u8 %%v, [%%s]; st.global.u8 [%%x], %%v;\n"+
		"add.u32 %%i, %%i, 32; setp.lt.u32 %%q, %%i, 2048; @%%q bra M;\nret;\n}\n", store, D)
	return s.String()
}

// TestSaturate: integer sums are exact, then wrap around or are clamped.
func TestSaturate(t *testing.T) {
	for _, tt := range []struct {
		mod  string
		c    int64
		want uint32
	}{
		{"", math.MaxInt32, uint32(uint64(math.MaxInt32+16*127*127) & 0xffffffff)},
		{".satfinite", math.MaxInt32, math.MaxInt32},
		{".satfinite", math.MinInt32, uint32(int64(math.MinInt32+16*127*127) & 0xffffffff)},
		{".satfinite", 5, 5 + 16*127*127},
	} {
		body := fmt.Sprintf(`mov.u32 %%r1, 0x7f7f7f7f; mov.u32 %%r2, %d;
		mma.sync.aligned.m8n8k16.row.col%s.s32.s8.s8.s32 {%%r3, %%r4}, {%%r1}, {%%r1}, {%%r2, %%r2}; st.global.u32 [%%o], %%r4;`, tt.c, tt.mod)
		expect(t, outs(t, launch{}, "", body), func(uint32) uint32 { return tt.want })
	}
}

// TestMMASpecialValues: infinities and NaN, and one rounding for f16.
func TestMMASpecialValues(t *testing.T) {
	run := func(a, b, c, typ string) []uint32 {
		return outs(t, launch{}, "", fmt.Sprintf(`mov.b32 %%r1, %s; mov.b32 %%r2, %s; mov.b32 %%r3, %s;
		mma.sync.aligned.m16n8k8.row.col.%s {%%r4, %%r5%s}, {%%r1, %%r1}, {%%r2}, {%%r3, %%r3%s}; st.global.u32 [%%o], %%r4;`,
			a, b, c, typ, map[bool]string{true: ", %r6, %r7"}[strings.HasPrefix(typ, "f32")], map[bool]string{true: ", %r3, %r3"}[strings.HasPrefix(typ, "f32")]))
	}
	const f32, f16 = "f32.f16.f16.f32", "f16.f16.f16.f16"
	for _, tt := range []struct {
		a, b, c, typ string
		want         uint32
	}{
		{"0x7c007c00", "0x3c003c00", "0", f32, 0x7f800000},          // inf * 1
		{"0x7c007c00", "0x00000000", "0", f32, 0x7fffffff},          // inf * 0
		{"0x7e007e00", "0x3c003c00", "0", f32, 0x7fffffff},          // NaN
		{"0x00010001", "0x3c003c00", "0", f32, 0x35000000},          // 8 * 2^-24: subnormal inputs count
		{"0x7bff7bff", "0x40004000", "0", f16, 0x7c007c00},          // overflow of f16
		{"0x3c003c00", "0x3c003c00", "0x68006800", f16, 0x68046804}, // 2048 + 8: exact in steps of 2
		{"0x10001000", "0x10001000", "0x3c003c00", f16, 0x3c003c00}, // 1 + 8*2^-22: lost in the rounding
	} {
		expect(t, run(tt.a, tt.b, tt.c, tt.typ), func(uint32) uint32 { return tt.want })
	}
}

// BenchmarkMMA reports the time of one matrix multiplication of a warp.
func BenchmarkMMA(b *testing.B) {
	for _, c := range []struct{ name, mma string }{
		{"f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};"},
		{"s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r7,%r8,%r9,%r10}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r7,%r8,%r9,%r10};"},
		{"f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%g1,%g2}, {%g3}, {%g4}, {%g1,%g2};"},
		{"ldmatrix", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r12];"},
		{"wmma.load", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%r13], 16;"},
	} {
		b.Run(c.name, func(b *testing.B) {
			body := fmt.Sprintf("mov.u32 %%r13, tile; mad.lo.u32 %%r12, %%t, 16, %%r13; mov.u32 %%r20, 0;\nL: %s\nadd.u32 %%r20, %%r20, 1; setp.lt.u32 %%p1, %%r20, %d; @%%p1 bra L;", c.mma, b.N)
			out := newBuffer(b, 128)
			b.ReportAllocs()
			mustRun(b, launch{src: simple(asyncDecls, body), params: []any{out}})
		})
	}
}

// TestSaturateFloats: .satfinite of wmma.mma makes results finite.
func TestSaturateFloats(t *testing.T) {
	for _, tt := range []struct {
		a, typ string
		want   uint32
	}{
		{"0x7bff7bff", "f16.f16", 0x7bff7bff}, // overflow of f16
		{"0xfbfffbff", "f16.f16", 0xfbfffbff},
		{"0x7e007e00", "f16.f16", 0},          // NaN
		{"0x7c007c00", "f32.f32", 0x7f7fffff}, // infinity
	} {
		c, d := "{%r3,%r3,%r3,%r3}", "{%r4,%r5,%r6,%r7}"
		if tt.typ == "f32.f32" {
			c, d = "{%r3,%r3,%r3,%r3,%r3,%r3,%r3,%r3}", "{%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}"
		}
		body := fmt.Sprintf(`mov.b32 %%r1, %s; mov.b32 %%r2, 0x40004000; mov.b32 %%r3, 0;
		wmma.mma.sync.aligned.row.col.m16n16k16.%s.satfinite %s, {%%r1,%%r1,%%r1,%%r1,%%r1,%%r1,%%r1,%%r1}, {%%r2,%%r2,%%r2,%%r2,%%r2,%%r2,%%r2,%%r2}, %s;
		st.global.u32 [%%o], %%r7;`, tt.a, tt.typ, d, c)
		expect(t, outs(t, launch{}, "", body), func(uint32) uint32 { return tt.want })
	}
}
