package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
)

// scaledCase is an mma.kind: D = A*B + C of 16 by 8 by k.
type scaledCase struct {
	kind, mods, td, ta, tb, stype string
	k, scales                     int
	sparse                        bool
}

func scaledCases() (list []scaledCase) {
	floats := []string{"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"}
	for _, sparse := range []bool{false, true} {
		twice := either(sparse, 2, 1)
		for _, a := range floats {
			for _, b := range floats {
				for _, d := range []string{"f16", "f32"} {
					list = append(list, scaledCase{"f8f6f4", "", d, a, b, "", 32 * twice, 0, sparse})
				}
				list = append(list, scaledCase{"mxf8f6f4", ".block_scale.scale_vec::1X", "f32", a, b, "ue8m0", 32 * twice, 1, sparse},
					scaledCase{"mxf8f6f4", ".block_scale", "f32", a, b, "ue8m0", 32 * twice, 1, sparse})
			}
		}
		list = append(list, scaledCase{"mxf4", ".block_scale", "f32", "f4", "f4", "ue8m0", 64 * twice, 2, sparse},
			scaledCase{"mxf4", ".block_scale.scale_vec::2X", "f32", "f4", "f4", "ue8m0", 64 * twice, 2, sparse},
			scaledCase{"mxf4nvf4", ".block_scale.scale_vec::2X", "f32", "f4", "f4", "ue8m0", 64 * twice, 2, sparse},
			scaledCase{"mxf4nvf4", ".block_scale.scale_vec::4X", "f32", "f4", "f4", "ue8m0", 64 * twice, 4, sparse},
			scaledCase{"mxf4nvf4", ".block_scale.scale_vec::4X", "f32", "f4", "f4", "ue4m3", 64 * twice, 4, sparse})
	}
	return list
}

func (c *scaledCase) name() string {
	op, stype := "mma", ""
	if c.sparse {
		op = "mma.sp::ordered_metadata"
	}
	if c.stype != "" {
		stype = "." + c.stype
	}
	name := func(t string) string { return strings.Replace(t, "f4", "e2m1", either(t == "f4", 1, 0)) }
	return fmt.Sprintf("%s.sync.aligned.m16n8k%d.row.col.kind::%s%s.%s.%s.%s.%s%s", op, c.k, c.kind, c.mods, c.td, name(c.ta), name(c.tb), c.td, stype)
}

// words packs elements: those of four and six bits in bytes, except f4.
func scaledWords(typ string, list []tensorValue) []uint32 {
	bits := either(typ == "f4", 4, 8)
	out := make([]uint32, (len(list)*bits+31)/32)
	for i, v := range list {
		code := v.bits
		if typ == "e2m1" {
			code <<= 2
		}
		out[i*bits/32] |= uint32(code) << (i * bits % 32)
	}
	return out
}

// TestScaledMMA checks mma with kinds of types, block-scaled and not, against a plain product.
func TestScaledMMA(t *testing.T) {
	r := newRand(5)
	for i, c := range scaledCases() {
		variant(t, i, c.name(), func(t *testing.T) { c.check(t, r) })
	}
}

func (c *scaledCase) check(t *testing.T, r *rand.Rand) {
	fa, bits := a16832, 8
	if c.ta == "f4" {
		fa, bits = a16864, 4
	}
	fb := sparseB(c.k, bits)
	matrixOf := func(rows, cols int, typ string) [][]tensorValue {
		m := make([][]tensorValue, rows)
		for i := range m {
			for range cols {
				m[i] = append(m[i], tensorElement(t, r, typ))
			}
		}
		return m
	}
	a, b, acc := matrixOf(16, c.k, c.ta), matrixOf(c.k, 8, c.tb), matrixOf(16, 8, c.td)
	var lanes [32][]uint32
	var meta [32]uint32
	stored := a
	if c.sparse {
		stored = (&tensorCase{k: c.k, ta: c.ta}).sparsify(r, a, func(row, chunk int, bits uint32) {
			meta[row%8*4+2*(chunk/8)+row/8] |= bits << (4 * (chunk % 8))
		})
	}
	pick := func(f layout, m [][]tensorValue, l int) (list []tensorValue) {
		for i := range f.n {
			row, col := f.at(l, i)
			list = append(list, m[row][col])
		}
		return list
	}
	byteA, byteB, threadA, threadB := 0, 0, r.Intn(2), r.Intn(4)
	if c.scales > 0 && c.scales < 4 {
		byteA, byteB = r.Intn(4/c.scales)*c.scales, r.Intn(4/c.scales)*c.scales
	}
	var dataA, dataB [32]uint32
	for l := range dataA {
		dataA[l], dataB[l] = r.Uint32(), r.Uint32()
	}
	scale := func(data *uint32, at int) float64 {
		e := r.Intn(4) - 2
		v, code := math.Ldexp(1, e), uint32(127+e)
		if c.stype == "ue4m3" {
			code = uint32(e+7) << 3
		}
		*data = *data&^(255<<(8*at)) | code<<(8*at)
		return v
	}
	var sa [16][]float64
	var sb [8][]float64
	for k := range c.scales {
		for i := range sa { // the first lane of the pair has row g, the second one row g+8
			sa[i] = append(sa[i], scale(&dataA[i%8*4+2*threadA+i/8], byteA+k))
		}
		for j := range sb {
			sb[j] = append(sb[j], scale(&dataB[j*4+threadB], byteB+k))
		}
	}
	na, nb := 0, 0
	for l := range lanes {
		wa, wb := scaledWords(c.ta, pick(fa, stored, l)), scaledWords(c.tb, pick(fb, b, l))
		na, nb = len(wa), len(wb)
		lanes[l] = append(append(wa, wb...), accumulatorWords(c.td, pick(accumulator16, acc, l))...)
		lanes[l] = append(lanes[l], meta[l], dataA[l], dataB[l])
	}
	nc := regWords(accumulator16, c.td)
	n := na + nb + nc + 3
	in, out := newBuffer(t, 32*4*n), newBuffer(t, 32*4*nc)
	for l := range lanes {
		for i, v := range lanes[l] {
			binary.LittleEndian.PutUint32(in.bytes()[4*(l*n+i):], v)
		}
	}
	extra := ""
	if c.sparse {
		extra += fmt.Sprintf(", %%v%d, 0", n-3)
	}
	if c.scales > 0 {
		extra += fmt.Sprintf(", %%v%d, {%d, %%h0}, %%v%d, {%%h1, %d}", n-2, byteA, n-1, threadB)
	}
	mustRun(t, launch{src: c.source(na, nb, nc, threadA, byteB, extra), params: []any{in, out}, arch: "sm_120"})
	for l := range 32 {
		for i := range accumulator16.n {
			row, col := accumulator16.at(l, i)
			want := acc[row][col].v
			for k := range c.k {
				v := a[row][k].v * b[k][col].v
				if c.scales > 0 {
					v *= sa[row][k*c.scales/c.k] * sb[col][k*c.scales/c.k]
				}
				want += v
			}
			if c.td == "f16" {
				want = decode("f16", encode(t, "f16", want))
			}
			size := elemBits[c.td] / 8
			var w [8]byte
			copy(w[:size], out.bytes()[l*4*nc+i*size:])
			if got := decode(c.td, binary.LittleEndian.Uint64(w[:])); got != want {
				t.Fatalf("row %d, column %d: got %v, want %v", row, col, got, want)
			}
		}
	}
}

// accumulatorWords packs a fragment of C.
func accumulatorWords(typ string, list []tensorValue) []uint32 {
	bits := elemBits[typ]
	out := make([]uint32, len(list)*bits/32)
	for i, v := range list {
		out[i*bits/32] |= uint32(v.bits) << (i * bits % 32)
	}
	return out
}

func (c *scaledCase) source(na, nb, nc, threadA, byteB int, extra string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".version 8.8\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 k_in, .param .u64 k_out)\n{\n.reg .b32 %%l, %%v<40>; .reg .b16 %%h<2>; .reg .b64 %%in, %%out, %%x;\nld.param.u64 %%in, [k_in]; ld.param.u64 %%out, [k_out]; mov.u32 %%l, %%laneid; mov.u16 %%h0, %d; mov.u16 %%h1, %d;\n", threadA, byteB)
	n := na + nb + nc + 3
	fmt.Fprintf(&b, "mul.wide.u32 %%x, %%l, %d; add.u64 %%in, %%in, %%x; mul.wide.u32 %%x, %%l, %d; add.u64 %%out, %%out, %%x;\n", 4*n, 4*nc)
	for i := range n {
		fmt.Fprintf(&b, "ld.global.b32 %%v%d, [%%in+%d];\n", i, 4*i)
	}
	vector := func(from, n int) string {
		var regs []string
		for i := range n {
			regs = append(regs, fmt.Sprintf("%%v%d", from+i))
		}
		return "{" + strings.Join(regs, ", ") + "}"
	}
	fmt.Fprintf(&b, "%s %s, %s, %s, %s%s;\n", c.name(), vector(na+nb, nc), vector(0, na), vector(na, nb), vector(na+nb, nc), extra)
	for i := range nc {
		fmt.Fprintf(&b, "st.global.b32 [%%out+%d], %%v%d;\n", 4*i, na+nb+i)
	}
	return b.String() + "ret;\n}\n"
}
