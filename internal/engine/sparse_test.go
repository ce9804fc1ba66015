package engine_test

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// sparseCase is a variant of mma.sp: a is the layout of the elements of A that are stored.
type sparseCase struct {
	shape          string
	k              int
	a              layout
	td, ta, tb, tc string
	sat            string
	// lanes of each group of four have the metadata.
	lanes int
}

func sparseCases() []sparseCase {
	var list []sparseCase
	add := func(k int, a layout, lanes int, types ...string) {
		for _, t := range types {
			w := strings.Fields(t)
			c := sparseCase{fmt.Sprintf("m16n8k%d", k), k, a, w[0], w[1], w[2], w[3], "", lanes}
			list = append(list, c)
			if c.td == "s32" {
				c.sat = ".satfinite"
				list = append(list, c)
			}
		}
	}
	add(16, a1688, 1, "f16 f16 f16 f16", "f32 f16 f16 f32", "f32 bf16 bf16 f32")
	add(32, a16816, 2, "f16 f16 f16 f16", "f32 f16 f16 f32", "f32 bf16 bf16 f32")
	add(8, a1684, 1, "f32 tf32 tf32 f32")
	add(16, a1688t, 2, "f32 tf32 tf32 f32")
	add(64, a16832, 4, "f32 e4m3 e4m3 f32", "f32 e4m3 e5m2 f32", "f32 e5m2 e4m3 f32", "f32 e5m2 e5m2 f32")
	bytes := []string{"s32 s8 s8 s32", "s32 s8 u8 s32", "s32 u8 s8 s32", "s32 u8 u8 s32"}
	add(32, a16816b, 2, bytes...)
	add(64, a16832, 4, bytes...)
	nibbles := []string{"s32 s4 s4 s32", "s32 s4 u4 s32", "s32 u4 s4 s32", "s32 u4 u4 s32"}
	add(64, a16832n, 2, nibbles...)
	add(128, a16864, 4, nibbles...)
	return list
}

// sparseB is B's fragment: four lanes have the elements of four registers side by side.
func sparseB(k, bits int) layout {
	per := 32 / bits
	return layout{k / 4, func(l, i int) (int, int) { return l%4*per + i%per + i/per*4*per, l / 4 }}
}

// thin makes A sparse. It returns what is stored, and each lane's metadata.
func (c *sparseCase) thin(r *rand.Rand, a matrix, sel int) (stored matrix, meta [32]uint32) {
	stored = newMatrix(16, c.k/2)
	bits := elemBits[c.ta]
	wide, unit := 4, 1 // pieces of a chunk, elements of a piece
	switch bits {
	case 4:
		unit = 2
	case 32:
		wide = 2
	}
	for row := range 16 {
		for chunk := range c.k / (wide * unit) {
			p := r.Perm(wide)[:wide/2]
			places := uint32(0b0100 + 0b1010*p[0])
			if wide == 4 {
				p[0], p[1] = min(p[0], p[1]), max(p[0], p[1])
				places = uint32(p[0] | p[1]<<2)
			}
			whole := a[row][chunk*wide*unit : (chunk+1)*wide*unit]
			kept := make([]float64, len(whole))
			for i, at := range p {
				for u := range unit {
					kept[at*unit+u] = whole[at*unit+u]
					stored[row][(chunk*wide/2+i)*unit+u] = whole[at*unit+u]
				}
			}
			copy(whole, kept)
			// In a row of the group's lanes that have metadata.
			lane, bit := row%8*4, 0
			switch {
			case c.lanes == 1:
				lane, bit = lane+sel, row/8*16+4*chunk
			case c.lanes == 2 && bits >= 16:
				lane, bit = lane+2*sel+chunk/4, row/8*16+4*(chunk%4)
			case c.lanes == 2:
				lane, bit = lane+2*sel+row/8, 4*chunk
			default:
				lane, bit = lane+2*(chunk/8)+row/8, 4*(chunk%8)
			}
			meta[lane] |= places << bit
		}
	}
	return stored, meta
}

// TestSparseMMA checks mma.sp against a plain product.
func TestSparseMMA(t *testing.T) {
	r := newRand(3)
	for i, c := range sparseCases() {
		for _, op := range []string{"mma.sp", "mma.sp::ordered_metadata"} {
			name := fmt.Sprintf("%s.sync.aligned.%s.row.col%s.%s.%s.%s.%s", op, c.shape, c.sat, c.td, c.ta, c.tb, c.tc)
			variant(t, i, name, func(t *testing.T) {
				for sel := range 4 / c.lanes {
					c.check(t, r, name, sel)
				}
			})
		}
	}
}

func (c *sparseCase) check(t *testing.T, r *rand.Rand, name string, sel int) {
	a, b, acc := randomMatrix(r, 16, c.k, c.ta), randomMatrix(r, c.k, 8, c.tb), randomMatrix(r, 16, 8, c.tc)
	stored, meta := c.thin(r, a, sel)
	fb := sparseB(c.k, elemBits[c.tb])
	na, nb, nc := regWords(c.a, c.ta), regWords(fb, c.tb), regWords(accumulator16, c.tc)
	var data []byte
	for l := range 32 {
		data = append(data, packFragment(t, c.a, c.ta, stored, l)...)
		data = append(data, packFragment(t, fb, c.tb, b, l)...)
		data = append(data, packFragment(t, accumulator16, c.tc, acc, l)...)
		data = binary.LittleEndian.AppendUint32(data, meta[l])
	}
	in, out := newBuffer(t, len(data)), newBuffer(t, 32*4*nc)
	copy(in.bytes(), data)
	mustRun(t, launch{src: sparseSource(name, sel, na, nb, nc), params: []any{in, out}})
	bits := elemBits[c.td]
	for l := range 32 {
		for i := range accumulator16.n {
			row, col := accumulator16.at(l, i)
			want := acc[row][col]
			for k := range c.k {
				want += a[row][k] * b[k][col]
			}
			var w [8]byte
			copy(w[:bits/8], out.bytes()[l*4*nc+i*bits/8:])
			if got := decode(c.td, binary.LittleEndian.Uint64(w[:])); got != want {
				t.Fatalf("selector %d, row %d, column %d: got %v, want %v", sel, row, col, got, want)
			}
		}
	}
}

func sparseSource(name string, sel, na, nb, nc int) string {
	var b strings.Builder
	b.WriteString(header + ".visible .entry k(.param .u64 k_in, .param .u64 k_out)\n{\n.reg .b32 %l, %v<40>; .reg .b64 %in, %out, %x;\nld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out]; mov.u32 %l, %laneid;\n")
	n := na + nb + nc + 1
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
	fmt.Fprintf(&b, "%s %s, %s, %s, %s, %%v%d, %d;\n", name, vector(na+nb, nc), vector(0, na), vector(na, nb), vector(na+nb, nc), n-1, sel)
	for i := range nc {
		fmt.Fprintf(&b, "st.global.b32 [%%out+%d], %%v%d;\n", 4*i, na+nb+i)
	}
	return b.String() + "ret;\n}\n"
}
