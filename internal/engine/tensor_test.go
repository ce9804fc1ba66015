package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// A matrix element as the test handles it: exact numbers, since the inputs are
// small.
type matrix [][]float64

func newMatrix(rows, cols int) matrix {
	m := make(matrix, rows)
	for i := range m {
		m[i] = make([]float64, cols)
	}
	return m
}

// place is where element i of lane l of a fragment lies (PTX ISA, sections
// "Matrix Fragments for mma...": groupID is l/4, threadID_in_group l%4).
type place func(l, i int) (row, col int)

// layout is a fragment as the ISA's tables have it: n elements a lane.
type layout struct {
	n  int
	at place
}

func either[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// The formulas of the sections, one by one.
var (
	accumulator8  = layout{2, func(l, i int) (int, int) { return l / 4, l%4*2 + i&1 }}
	accumulator16 = layout{4, func(l, i int) (int, int) { return either(i < 2, l/4, l/4+8), l%4*2 + i&1 }}

	quadHalf = layout{8, func(l, i int) (int, int) { return either(l < 16, l%4, l%4+4), i }}
	quadC32  = layout{8, func(l, i int) (int, int) {
		x := l&1 + i&2
		return either(l < 16, x, x+4), i&4 + l&2 + i&1
	}}
	quadRowA = layout{4, func(l, i int) (int, int) { return either(l < 16, l%4, l%4+4), i }}
	quadColA = layout{4, func(l, i int) (int, int) { return either(l < 16, i%4, i%4+4), l % 4 }}
	quadRowB = layout{4, func(l, i int) (int, int) { return l % 4, either(l < 16, i, i+4) }}
	quadColB = layout{4, func(l, i int) (int, int) { return i, either(l < 16, l%4, l%4+4) }}

	a884  = layout{1, func(l, i int) (int, int) { return l / 4, l % 4 }}
	b884  = layout{1, func(l, i int) (int, int) { return l % 4, l / 4 }}
	a1684 = layout{2, func(l, i int) (int, int) { return either(i == 0, l/4, l/4+8), l % 4 }}
	// m16n8k8, f16 and bf16
	a1688  = layout{4, func(l, i int) (int, int) { return either(i < 2, l/4, l/4+8), l%4*2 + i&1 }}
	b1688  = layout{2, func(l, i int) (int, int) { return l%4*2 + i, l / 4 }}
	a1688t = layout{4, func(l, i int) (int, int) { return either(i == 0 || i == 2, l/4, l/4+8), either(i < 2, l%4, l%4+4) }}
	b1688t = layout{2, func(l, i int) (int, int) { return either(i == 0, l%4, l%4+4), l / 4 }}
	// m16n8k16
	a16816 = layout{8, func(l, i int) (int, int) {
		return either(i < 2 || 4 <= i && i < 6, l/4, l/4+8), either(i < 4, l%4*2+i&1, l%4*2+i&1+8)
	}}
	b16816  = layout{4, func(l, i int) (int, int) { return either(i < 2, l%4*2+i&1, l%4*2+i&1+8), l / 4 }}
	a16816d = layout{8, func(l, i int) (int, int) { return either(i%2 == 0, l/4, l/4+8), either(i%2 == 0, i*2+l%4, i*2-2+l%4) }}
	b16816d = layout{4, func(l, i int) (int, int) { return l%4 + i*4, l / 4 }}
	a16816b = layout{8, func(l, i int) (int, int) { return either(i < 4, l/4, l/4+8), l%4*4 + i&3 }}
	b16816b = layout{4, func(l, i int) (int, int) { return l%4*4 + i, l / 4 }}
	// m16n8k32
	a16832 = layout{16, func(l, i int) (int, int) {
		return either(i < 4 || 8 <= i && i < 12, l/4, l/4+8), either(i < 8, l%4*4+i&3, l%4*4+i&3+16)
	}}
	b16832  = layout{8, func(l, i int) (int, int) { return either(i < 4, l%4*4+i&3, l%4*4+i&3+16), l / 4 }}
	a16832n = layout{16, func(l, i int) (int, int) { return either(i < 8, l/4, l/4+8), l%4*8 + i&7 }}
	b16832n = layout{8, func(l, i int) (int, int) { return l%4*8 + i, l / 4 }}
	a16864  = layout{32, func(l, i int) (int, int) {
		return either(i < 8 || 16 <= i && i < 24, l/4, l/4+8), either(i < 16, l%4*8+i&7, l%4*8+i&7+32)
	}}
	b16864 = layout{16, func(l, i int) (int, int) { return either(i < 8, l%4*8+i&7, l%4*8+i&7+32), l / 4 }}
	a8816  = layout{4, func(l, i int) (int, int) { return l / 4, l%4*4 + i }}
	b8816  = layout{4, func(l, i int) (int, int) { return l%4*4 + i, l / 4 }}
	a8832  = layout{8, func(l, i int) (int, int) { return l / 4, l%4*8 + i }}
	b8832  = layout{8, func(l, i int) (int, int) { return l%4*8 + i, l / 4 }}
	// one-bit elements
	a88128  = layout{32, func(l, i int) (int, int) { return l / 4, l%4*32 + i }}
	b88128  = layout{32, func(l, i int) (int, int) { return l%4*32 + i, l / 4 }}
	a168128 = layout{64, func(l, i int) (int, int) { return either(i < 32, l/4, l/4+8), l%4*32 + i&31 }}
	a168256 = layout{128, func(l, i int) (int, int) {
		return either(i < 32 || 64 <= i && i < 96, l/4, l/4+8), either(i < 64, l%4*32+i&31, l%4*32+i&31+128)
	}}
	b168256 = layout{64, func(l, i int) (int, int) { return either(i < 32, l%4*32+i&31, l%4*32+i&31+128), l / 4 }}
)

type mmaCase struct {
	mods       string // after mma.sync.aligned
	a, b, c, d layout
	ta, tb     string
	tc, td     string
	k          int
}

func mmaCases() []mmaCase {
	var list []mmaCase
	add := func(mods string, a, b, c, d layout, k int, types string) {
		t := strings.Fields(types)
		list = append(list, mmaCase{mods, a, b, c, d, t[1], t[2], t[3], t[0], k})
	}
	for _, la := range []string{"row", "col"} {
		for _, lb := range []string{"row", "col"} {
			a, b := quadRowA, quadRowB
			if la == "col" {
				a = quadColA
			}
			if lb == "col" {
				b = quadColB
			}
			add("m8n8k4."+la+"."+lb+".f32.f16.f16.f32", a, b, quadC32, quadC32, 4, "f32 f16 f16 f32")
			add("m8n8k4."+la+"."+lb+".f16.f16.f16.f16", a, b, quadHalf, quadHalf, 4, "f16 f16 f16 f16")
			add("m8n8k4."+la+"."+lb+".f32.f16.f16.f16", a, b, quadHalf, quadC32, 4, "f32 f16 f16 f16")
		}
	}
	plain := func(shape string, a, b layout, k int, types string) {
		t := strings.Fields(types)
		acc := accumulator16
		if strings.HasPrefix(shape, "m8") {
			acc = accumulator8
		}
		add(shape+".row.col."+strings.Join(t, "."), a, b, acc, acc, k, types)
	}
	for _, c := range []string{"f32", "f16"} {
		plain("m16n8k8", a1688, b1688, 8, c+" f16 f16 "+c)
		plain("m16n8k16", a16816, b16816, 16, c+" f16 f16 "+c)
		for _, in := range []string{" e4m3 e4m3 ", " e4m3 e5m2 ", " e5m2 e4m3 ", " e5m2 e5m2 "} {
			plain("m16n8k32", a16832, b16832, 32, c+in+c)
			plain("m16n8k16", a16816b, b16816b, 16, c+in+c)
		}
	}
	plain("m16n8k8", a1688, b1688, 8, "f32 bf16 bf16 f32")
	plain("m16n8k16", a16816, b16816, 16, "f32 bf16 bf16 f32")
	plain("m16n8k4", a1684, b884, 4, "f32 tf32 tf32 f32")
	plain("m16n8k8", a1688t, b1688t, 8, "f32 tf32 tf32 f32")
	for _, rounding := range []string{"", ".rn", ".rz", ".rm", ".rp"} { // the results are exact
		from := len(list)
		plain("m8n8k4", a884, b884, 4, "f64 f64 f64 f64")
		plain("m16n8k4", a1684, b884, 4, "f64 f64 f64 f64")
		plain("m16n8k8", a1688t, b1688t, 8, "f64 f64 f64 f64")
		plain("m16n8k16", a16816d, b16816d, 16, "f64 f64 f64 f64")
		modify(list[from:], rounding)
	}
	for _, t := range []string{"s32 s8 s8 s32", "s32 u8 u8 s32", "s32 s8 u8 s32", "s32 u8 s8 s32"} {
		plain("m8n8k16", a8816, b8816, 16, t)
		plain("m16n8k16", a16816b, b16816b, 16, t)
		plain("m16n8k32", a16832, b16832, 32, t)
		n := strings.ReplaceAll(t, "8", "4")
		plain("m8n8k32", a8832, b8832, 32, n)
		plain("m16n8k32", a16832n, b16832n, 32, n)
		plain("m16n8k64", a16864, b16864, 64, n)
	}
	for _, c := range list {
		if c.tc == "s32" { // no result is out of range; see TestSaturate
			list = append(list, c)
			modify(list[len(list)-1:], ".satfinite")
		}
	}
	for _, op := range []string{"xor", "and"} {
		plain("m8n8k128", a88128, b88128, 128, "s32 b1 b1 s32")
		list[len(list)-1].mods += "." + op + ".popc"
		plain("m16n8k128", a168128, b88128, 128, "s32 b1 b1 s32")
		list[len(list)-1].mods += "." + op + ".popc"
		plain("m16n8k256", a168256, b168256, 256, "s32 b1 b1 s32")
		list[len(list)-1].mods += "." + op + ".popc"
	}
	return list
}

// modify adds a modifier after the layouts.
func modify(list []mmaCase, mod string) {
	for i := range list {
		list[i].mods = strings.Replace(list[i].mods, ".row.col", ".row.col"+mod, 1)
	}
}

var elemBits = map[string]int{
	"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "s32": 32,
}

// encode gives the bits of a small integer as an element of the type.
func encode(t testing.TB, typ string, v float64) uint64 {
	f32 := uint64(math.Float32bits(float32(v)))
	conv := func(op string) uint64 {
		o, err := alu.Lookup(op)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := o.Fn(0, f32, 0, 0)
		return r
	}
	switch typ {
	case "f16":
		o, _ := alu.Lookup("cvt.rn.f16.f32")
		r, _ := o.Fn(f32, 0, 0, 0)
		return r
	case "bf16":
		return f32 >> 16
	case "tf32":
		return f32 | 0x7 // the low bits must not matter
	case "f32":
		return f32
	case "f64":
		return math.Float64bits(v)
	case "e4m3":
		return conv("cvt.rn.satfinite.e4m3x2.f32") & 0xff
	case "e5m2":
		return conv("cvt.rn.satfinite.e5m2x2.f32") & 0xff
	}
	return uint64(int64(v)) & (1<<elemBits[typ] - 1)
}

// decode is the inverse for accumulators.
func decode(typ string, v uint64) float64 {
	switch typ {
	case "f16":
		o, _ := alu.Lookup("cvt.f32.f16")
		r, _ := o.Fn(v, 0, 0, 0)
		return float64(math.Float32frombits(uint32(r)))
	case "f32":
		return float64(math.Float32frombits(uint32(v)))
	case "f64":
		return math.Float64frombits(v)
	}
	return float64(int32(v))
}

func smallValue(r *rand.Rand, typ string) float64 {
	switch typ[0] {
	case 'u':
		return float64(r.Intn(1 << elemBits[typ]))
	case 's':
		n := min(elemBits[typ], 20)
		return float64(r.Intn(1<<n) - 1<<(n-1))
	case 'b':
		if typ == "b1" {
			return float64(r.Intn(2))
		}
	}
	return float64(r.Intn(9) - 4)
}

func randomMatrix(r *rand.Rand, rows, cols int, typ string) matrix {
	m := newMatrix(rows, cols)
	for i := range m {
		for j := range m[i] {
			m[i][j] = smallValue(r, typ)
		}
	}
	return m
}

// regWords is the number of words of 32 bits in a lane's fragment.
func regWords(f layout, typ string) int { return (f.n*elemBits[typ] + 31) / 32 }

// pack puts a fragment of lane l into words.
func packFragment(t testing.TB, f layout, typ string, m matrix, l int) []byte {
	words := make([]byte, 4*regWords(f, typ))
	bits := elemBits[typ]
	for i := range f.n {
		row, col := f.at(l, i)
		v := encode(t, typ, m[row][col])
		for b := range bits {
			if v>>b&1 != 0 {
				at := i*bits + b
				words[at/8] |= 1 << (at % 8)
			}
		}
	}
	return words
}

// mmaSource is a kernel k(in, out): each lane has its words of A, B and C side
// by side in, and its words of D in out.
func (c *mmaCase) source() string {
	var b strings.Builder
	b.WriteString(header + ".visible .entry k(.param .u64 k_in, .param .u64 k_out)\n{\n")
	b.WriteString(".reg .b32 %r<40>; .reg .b64 %d<40>; .reg .b64 %in, %out, %x;\n.reg .b32 %l, %a<40>, %b<40>, %c<40>, %e<40>; .reg .f64 %fa<40>, %fb<40>, %fc<40>, %fe<40>;\n")
	b.WriteString("ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out]; mov.u32 %l, %laneid;\n")
	na, nb, nc, nd := regWords(c.a, c.ta), regWords(c.b, c.tb), regWords(c.c, c.tc), regWords(c.d, c.td)
	fmt.Fprintf(&b, "mul.wide.u32 %%x, %%l, %d; add.u64 %%in, %%in, %%x; mul.wide.u32 %%x, %%l, %d; add.u64 %%out, %%out, %%x;\n", 4*(na+nb+nc), 4*nd)
	prefix, size := "%", 1
	if c.ta == "f64" {
		prefix, size = "%f", 2
	}
	at := 0
	vector := func(name string, words int, load bool) string {
		var regs []string
		for i := range words / size {
			reg := fmt.Sprintf("%s%s%d", prefix, name, i)
			regs = append(regs, reg)
			if load && size == 2 {
				fmt.Fprintf(&b, "ld.global.f64 %s, [%%in+%d];\n", reg, at)
			} else if load {
				fmt.Fprintf(&b, "ld.global.b32 %s, [%%in+%d];\n", reg, at)
			}
			if load {
				at += 4 * size
			}
		}
		return "{" + strings.Join(regs, ", ") + "}"
	}
	a, bb, cc, d := vector("a", na, true), vector("b", nb, true), vector("c", nc, true), vector("e", nd, false)
	fmt.Fprintf(&b, "mma.sync.aligned.%s %s, %s, %s, %s;\n", c.mods, d, a, bb, cc)
	for i := range nd / size {
		if size == 2 {
			fmt.Fprintf(&b, "st.global.f64 [%%out+%d], %%fe%d;\n", 8*i, i)
		} else {
			fmt.Fprintf(&b, "st.global.b32 [%%out+%d], %%e%d;\n", 4*i, i)
		}
	}
	b.WriteString("ret;\n}\n")
	return b.String()
}

// product is the plain matrix product with the element operation of the case.
func (c *mmaCase) product(a, b, acc matrix) matrix {
	d := newMatrix(len(acc), len(acc[0]))
	for i := range d {
		for j := range d[i] {
			d[i][j] = acc[i][j]
			for k := range c.k {
				switch x, y := a[i][k], b[k][j]; {
				case strings.HasSuffix(c.mods, "xor.popc"):
					d[i][j] += math.Abs(x - y)
				default:
					d[i][j] += x * y
				}
			}
		}
	}
	return d
}

// TestMMA checks mma.sync against a plain product, with fragments laid out by
// the formulas of the ISA.
func TestMMA(t *testing.T) {
	for _, c := range mmaCases() {
		t.Run(c.mods, func(t *testing.T) { c.check(t) })
	}
}

func (c *mmaCase) check(t *testing.T) {
	rnd := newRand(1)
	rows := 16
	quads := strings.HasPrefix(c.mods, "m8n8k4") && c.ta == "f16"
	if strings.HasPrefix(c.mods, "m8") {
		rows = 8
	}
	n := either(quads, 4, 1)
	var a, b, acc []matrix
	for range n {
		a, b = append(a, randomMatrix(rnd, rows, c.k, c.ta)), append(b, randomMatrix(rnd, c.k, 8, c.tb))
		acc = append(acc, randomMatrix(rnd, rows, 8, c.tc))
	}
	quad := func(l int) int { return either(quads, l/4%4, 0) }
	var data []byte
	for l := range 32 {
		q := quad(l)
		data = append(data, packFragment(t, c.a, c.ta, a[q], l)...)
		data = append(data, packFragment(t, c.b, c.tb, b[q], l)...)
		data = append(data, packFragment(t, c.c, c.tc, acc[q], l)...)
	}
	nd := 4 * regWords(c.d, c.td)
	in, out := newBuffer(t, len(data)), newBuffer(t, 32*nd)
	copy(in.bytes(), data)
	mustRun(t, launch{src: c.source(), params: []any{in, out}})
	bits := elemBits[c.td]
	for l := range 32 {
		want := c.product(a[quad(l)], b[quad(l)], acc[quad(l)])
		for i := range c.d.n {
			row, col := c.d.at(l, i)
			var w [8]byte
			copy(w[:bits/8], out.bytes()[l*nd+i*bits/8:])
			if got := decode(c.td, binary.LittleEndian.Uint64(w[:])); got != want[row][col] {
				t.Fatalf("lane %d element %d (row %d, column %d): got %v, want %v", l, i, row, col, got, want[row][col])
			}
		}
	}
}

func newRand(seed int) *rand.Rand { return rand.New(rand.NewSource(int64(seed))) }
