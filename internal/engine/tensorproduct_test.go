package engine_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// tensorCase is a tcgen05.mma: D = A*B + D, of m by n by k.
type tensorCase struct {
	kind       string
	td, ta, tb string
	m, n, k    int
	pair, ws   bool
	sparse     bool
	scales     int // for each row, 0 for none
	e8m0       bool
	// By chance:
	tmemA, transA, transB, fresh, predicate bool
	negA, negB, saturate                    bool
	modeA, modeB                            int  // swizzling
	half                                    bool // lane 16
	disabled                                bool
	shift                                   bool // .ashift
	down, sel, idA, idB                     int
	mods                                    string
}

// Elements of four and six bits: exponent and fraction bits.
var smallFloats = map[string][2]int{"e2m1": {2, 1}, "e2m3": {2, 3}, "e3m2": {3, 2}, "f4": {2, 1}}

// tensorValue is an element's value with its bits, as they are in bytes of shared memory where
// elements of less than eight bits are packed.
type tensorValue struct {
	v    float64
	bits uint64
}

func tensorElement(t testing.TB, r *rand.Rand, typ string) tensorValue {
	if f, ok := smallFloats[typ]; ok {
		code := r.Intn(2 << (f[0] + f[1]))
		e, m := code>>f[1]&(1<<f[0]-1), code&(1<<f[1]-1)
		bias := 1<<(f[0]-1) - 1
		v := float64(m) / float64(int(1)<<f[1]) * math.Pow(2, float64(1-bias))
		if e > 0 {
			v = (1 + float64(m)/float64(int(1)<<f[1])) * math.Pow(2, float64(e-bias))
		}
		if code>>(f[0]+f[1]) != 0 {
			v = -v
		}
		return tensorValue{v, uint64(code)}
	}
	v := smallValue(r, typ)
	return tensorValue{v, encode(t, typ, v)}
}

// tensorBits is the size of an element in memory without padding.
func tensorBits(typ string) int {
	if f, ok := smallFloats[typ]; ok {
		return 1 + f[0] + f[1]
	}
	return elemBits[typ]
}

// perSixteen is the number of elements in 16 bytes of shared memory.
func perSixteen(typ string) int {
	if typ == "f4" {
		return 32
	}
	if tensorBits(typ) < 8 {
		return 16
	}
	return 128 / tensorBits(typ)
}

// tensorShared puts a matrix at an offset of shared memory: pieces of 16 bytes where the canonical
// layout has them, which is that of wgmma but for one mode.
func tensorShared(mem []byte, at int, typ string, mode, outer, k int, mnMajor bool, value func(i, k int) tensorValue) (desc uint64, next int) {
	per := perSixteen(typ)
	swizzle := map[int]int{0: 16, 1: 128, 2: 128, 4: 64, 6: 32}[mode]
	bits := 128 / per
	lead, stride, size := strides(bits, swizzle, outer, k, mnMajor)
	if mode == 1 { // ((T,8,m),(4,k)):((1,T,LBO),(8T,SBO)), Swizzle<2,5,2>
		stride = 512
		lead = stride * (k / 4)
		size = lead * ((outer*bits/8 + 127) / 128)
	}
	for i := range outer {
		for j := range k {
			inPiece, x := j%per, 0
			if mnMajor {
				inPiece = i % per
			}
			if mode == 1 {
				unit := i / per
				x = unit%8*16 + unit/8*lead + j%4*128 + j/4*stride
				x ^= x >> 7 & 3 << 5
			} else if mnMajor {
				x = canonical(bits, swizzle, lead, stride, true, i/per*per, j) / 8
			} else {
				x = canonical(bits, swizzle, lead, stride, false, i, j/per*per) / 8
			}
			v := value(i, j).bits
			for b := range tensorBits(typ) {
				if v>>b&1 != 0 {
					y := 8*(at+x) + inPiece*tensorBits(typ) + b
					mem[y/8] |= 1 << (y % 8)
				}
			}
		}
	}
	return descriptor(at, lead, stride, mode), (at + size + 1023) / 1024 * 1024
}

// cell is where an element of D is: the block, the lane and the column (PTX ISA, "Data Path Layout
// Organization", as CuTe's tmem_frg has the layouts).
func (c *tensorCase) cell(i, j int) (block, lane, column int) {
	if c.pair {
		block, i = i/(c.m/2), i%(c.m/2)
	}
	base := 0
	if c.half {
		base = 16
	}
	switch {
	case c.ws && c.m == 32: // layout G
		return block, i + 32*(j/(c.n/4)), j % (c.n / 4)
	case c.ws && c.m == 64, c.pair && c.m == 128 && !c.sparse: // layouts E, B
		return block, i + 64*(j/(c.n/2)), j % (c.n / 2)
	case !c.pair && c.m == 64, c.pair && c.m == 128: // layouts F, C
		return block, base + i%16 + i/16*32, j
	}
	return block, i, j
}

// copies are the lanes that need a row of A, its metadata and its scales.
func (c *tensorCase) copies(i int) (block int, lanes []int) {
	for j := range c.n {
		b, lane, _ := c.cell(i, j)
		if block = b; !slices.Contains(lanes, lane) {
			lanes = append(lanes, lane)
		}
	}
	return block, lanes
}

// Columns of tensor memory.
const (
	tensorColumnD, tensorColumnA, tensorColumnE, tensorColumnSA, tensorColumnSB = 0, 256, 320, 328, 336
)

// sparsify chooses which elements of A are stored.
func (c *tensorCase) sparsify(r *rand.Rand, a [][]tensorValue, meta func(row, chunk int, bits uint32)) (stored [][]tensorValue) {
	size, keep := 4, 1 // chunks of four units of one element
	switch {
	case c.ta == "tf32":
		size = 2
	case c.ta == "f4":
		keep = 2
	}
	for i, row := range a {
		var list []tensorValue
		if c.shift { // the text leaves open which row's metadata goes with a shifted row
			r = newRand(1)
		}
		for chunk := range c.k / (size * keep) {
			units := row[chunk*size*keep:][:size*keep]
			lo, hi := 0, 0
			if size == 2 {
				lo = r.Intn(2)
				hi = lo
				meta(i, chunk, uint32(either(lo == 0, 0b0100, 0b1110)))
			} else {
				p := r.Perm(4)[:2]
				lo, hi = min(p[0], p[1]), max(p[0], p[1])
				meta(i, chunk, uint32(lo|hi<<2))
			}
			for u := range size {
				for e := range keep {
					if u == lo || u == hi {
						list = append(list, units[u*keep+e])
					} else {
						units[u*keep+e].v = 0
					}
				}
			}
		}
		stored = append(stored, list)
	}
	return stored
}

func (c *tensorCase) run(t *testing.T, r *rand.Rand) {
	blocks := 1
	if c.pair {
		blocks = 2
	}
	k := &tensorKernel{}
	for range blocks {
		img := new(tensorImage)
		for lane := range img {
			for i := range img[lane] {
				img[lane][i] = r.Uint32()
			}
		}
		k.before, k.shared = append(k.before, img), append(k.shared, make([]byte, 96<<10))
	}
	matrixOf := func(rows, cols int, typ string) [][]tensorValue {
		m := make([][]tensorValue, rows)
		for i := range m {
			for range cols {
				m[i] = append(m[i], tensorElement(t, r, typ))
			}
		}
		return m
	}
	a, b, d := matrixOf(c.m, c.k, c.ta), matrixOf(c.n, c.k, c.tb), matrixOf(c.m, c.n, c.td)
	if c.shift { // the text leaves open whether a row moves from one warp's lanes to another's
		for i := 32; i < c.m; i += 32 {
			a[i] = a[i-1]
		}
	}
	for i := range d {
		for j := range d[i] {
			block, lane, column := c.cell(i, j)
			k.before[block][lane][tensorColumnD+column] = uint32(d[i][j].bits) | uint32(either(c.td == "f16", 0xabc00000, 0))
		}
	}
	stored := a
	if c.sparse {
		for i := range c.m { // metadata starts at zero
			block, lanes := c.copies(i)
			for _, lane := range lanes {
				for col := range 4 {
					k.before[block][lane][tensorColumnE+col] = 0
				}
			}
		}
		stored = c.sparsify(r, a, func(row, chunk int, bits uint32) {
			block, lanes := c.copies(row)
			for _, lane := range lanes {
				if tensorBits(c.ta) >= 16 {
					half, n := chunk/4, chunk%4
					k.before[block][lane/16*16+lane%8+8*half][tensorColumnE+c.sel] |= bits << (16*(lane/8%2) + 4*n)
				} else {
					k.before[block][lane][tensorColumnE+chunk/8] |= bits << (4 * (chunk % 8))
				}
			}
		})
	}
	scaleA, scaleB := c.putScales(r, k)
	descA, descB, after := uint64(0), uint64(0), 0
	rows, columns := c.m/blocks, c.n/blocks
	for block := range blocks {
		next := 0
		if !c.tmemA {
			descA, next = tensorShared(k.shared[block], 0, c.ta, c.modeA, rows, len(stored[0]), c.transA, func(i, j int) tensorValue { return stored[block*rows+i][j] })
		}
		descB, after = tensorShared(k.shared[block], next, c.tb, c.modeB, columns, c.k, c.transB, func(i, j int) tensorValue { return b[block*columns+i][j] })
	}
	for block := range blocks {
		k.shared[block] = k.shared[block][:after]
	}
	if c.tmemA {
		c.putA(k, stored)
	}
	if c.shift {
		a = shiftedRows(a)
	}
	k.regs = ".reg .b64 %da, %db; .reg .b32 %id, %dl, %m<8>;"
	k.body = issued(c.source(descA, descB), blocks)
	got, _ := k.run(t)
	c.compare(t, a, b, d, scaleA, scaleB, k.before, got)
}

// shiftedRows is A by .ashift, where the rows 32*i and 32*i-1 are the same.
func shiftedRows(a [][]tensorValue) (list [][]tensorValue) {
	for i := range a {
		list = append(list, a[either(i%32 == 31, i, i+1)])
	}
	return list
}

// putScales fills in the scales of both matrices, of which each warp's 32 lanes have all.
func (c *tensorCase) putScales(r *rand.Rand, k *tensorKernel) (sa, sb [][]float64) {
	if c.scales == 0 {
		return nil, nil
	}
	put := func(block, quarter, column, i, id int, v []byte) {
		cell := &k.before[block][32*quarter+i%32][column+i/32]
		for n, x := range v {
			*cell = *cell&^(255<<(8*(id+n))) | uint32(x)<<(8*(id+n))
		}
	}
	choose := func() (list []float64, codes []byte) {
		for range c.scales {
			e := r.Intn(4) - 2
			v, code := math.Ldexp(1, e), byte(127+e)
			if !c.e8m0 {
				code = byte(e+7) << 3
				if r.Intn(2) == 0 {
					v, code = v*1.5, code|4
				}
			}
			list, codes = append(list, v), append(codes, code)
		}
		return list, codes
	}
	blocks := len(k.before)
	for i := range c.m {
		list, codes := choose()
		sa = append(sa, list)
		for q := range 4 {
			put(i/(c.m/blocks), q, tensorColumnSA, i%(c.m/blocks), c.idA, codes)
		}
	}
	split := c.pair && c.m == 128 // each half of the lanes has half of the columns
	for j := range c.n {
		list, codes := choose()
		sb = append(sb, list)
		for block := range blocks {
			for q := range 4 {
				if !split {
					put(block, q, tensorColumnSB, j, c.idB, codes)
				} else if q/2 == j/(c.n/2) {
					put(block, q, tensorColumnSB, j%(c.n/2), c.idB, codes)
				}
			}
		}
	}
	return sa, sb
}

// putA puts A into tensor memory: words along K, elements of four and six bits in bytes.
func (c *tensorCase) putA(k *tensorKernel, stored [][]tensorValue) {
	bits := elemBits[c.ta]
	if _, ok := smallFloats[c.ta]; ok {
		bits = either(c.ta == "f4", 4, 8)
	}
	for i, row := range stored {
		block, lanes := c.copies(i)
		for _, lane := range lanes {
			words := k.before[block][lane][tensorColumnA:][:len(row)*bits/32]
			clear(words)
			for e, v := range row {
				code := v.bits
				if c.ta == "e2m1" {
					code <<= 2
				}
				words[e*bits/32] |= uint32(code) << (e * bits % 32)
			}
		}
	}
}

func (c *tensorCase) compare(t *testing.T, a, b, d [][]tensorValue, sa, sb [][]float64, before, got []*tensorImage) {
	want := make([]tensorImage, len(before))
	for i := range want {
		want[i] = *before[i]
	}
	for i := range c.m {
		for j := range c.n {
			block, lane, column := c.cell(i, j)
			if c.disabled && lane%3 == 0 {
				continue
			}
			sum := 0.0
			for k := range c.k {
				v := a[i][k].v * b[j][k].v
				if c.scales > 0 {
					n := k * c.scales / c.k
					v *= sa[i][n] * sb[j][n]
				}
				sum += v
			}
			if c.negA != c.negB {
				sum = -sum
			}
			if !c.fresh {
				sum += d[i][j].v * math.Ldexp(1, -c.down)
			}
			if c.saturate {
				sum = min(max(sum, math.MinInt32), math.MaxInt32)
			}
			v := got[block][lane][tensorColumnD+column]
			want[block][lane][tensorColumnD+column] = v
			x := decode(c.td, uint64(v)&(1<<elemBits[c.td]-1))
			if c.td == "s32" {
				sum = float64(int32(int64(sum)))
			}
			if x != sum {
				t.Fatalf("%+v: row %d, column %d: got %v, want %v", *c, i, j, x, sum)
			}
		}
	}
	for i := range want {
		compareImages(t, got[i], &want[i]) // nothing else was written
	}
}

func (c *tensorCase) source(descA, descB uint64) string {
	var b strings.Builder
	lane := either(c.half, 16<<16, 0)
	fmt.Fprintf(&b, "mov.u64 %%da, %#x; mov.u64 %%db, %#x; mov.u32 %%id, %#x; mov.u32 %%dl, %#x; setp.ne.u32 %%q, %%t, %d;\n", descA, descB, c.idesc(), lane, either(c.fresh, 0, 1))
	name := "tcgen05.mma"
	if c.ws {
		name += ".ws"
	}
	if c.sparse {
		name += ".sp"
	}
	group := "cta_group::1"
	if c.pair {
		group = "cta_group::2"
	}
	name += "." + group + ".kind::" + c.kind + c.mods
	args := []string{fmt.Sprintf("[%%dl+%d]", tensorColumnD), "%da", "%db"}
	if c.tmemA {
		args[1] = fmt.Sprintf("[%%dl+%d]", tensorColumnA)
	}
	if c.sparse {
		args = append(args, fmt.Sprintf("[%%dl+%d]", tensorColumnE))
	}
	args = append(args, "%id")
	if c.scales > 0 {
		args = append(args, fmt.Sprintf("[%d]", tensorColumnSA), fmt.Sprintf("[%d]", tensorColumnSB))
	}
	if c.disabled {
		var list []string
		n := either(c.pair, 8, 4)
		for i := range n {
			var m uint32
			for bit := range 32 {
				if (i%4*32+bit)%3 == 0 {
					m |= 1 << bit
				}
			}
			fmt.Fprintf(&b, "mov.u32 %%m%d, %#x;\n", i, m)
			list = append(list, fmt.Sprintf("%%m%d", i))
		}
		args = append(args, "{"+strings.Join(list, ", ")+"}")
	}
	if c.predicate {
		args = append(args, "%q")
	} else {
		args = append(args, fmt.Sprint(either(c.fresh, 0, 1)))
	}
	if c.down > 0 {
		args = append(args, fmt.Sprint(c.down))
	}
	return b.String() + name + " " + strings.Join(args, ", ") + ";"
}

// idesc is the instruction descriptor (PTX ISA, tables "Instruction descriptor format").
func (c *tensorCase) idesc() uint32 {
	bit := func(b bool, n int) uint32 { return uint32(either(b, 1, 0)) << n }
	number := func(typ string) uint32 {
		return map[string]uint32{"f16": 0, "bf16": 1, "tf32": 2, "e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5, "u8": 0, "s8": 1, "f4": 1}[typ]
	}
	v := bit(c.sparse, 2) | number(c.ta)<<7 | number(c.tb)<<10 | bit(c.negA, 13) | bit(c.negB, 14) | bit(c.transA, 15) | bit(c.transB, 16) | uint32(c.n/8)<<17
	if c.scales > 0 {
		return v | uint32(c.idB)<<4 | bit(c.e8m0, 23) | uint32(c.m/128)<<27 | uint32(c.idA)<<29
	}
	return v | uint32(c.sel) | bit(c.saturate, 3) | map[string]uint32{"f16": 0, "f32": 1, "s32": 2}[c.td]<<4 | uint32(c.m/16)<<24
}

// tensorCases are the shapes of all kinds, with types.
func tensorCases(r *rand.Rand) (list []tensorCase) {
	type kinds struct {
		kind       string
		d, a       []string
		k          int
		scales     []int
		mixed      bool
		integer    bool
		stationary bool
	}
	floats := []string{"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"}
	for _, x := range []kinds{
		{kind: "f16", d: []string{"f32", "f16"}, a: []string{"f16"}, k: 16, stationary: true},
		{kind: "f16", d: []string{"f32"}, a: []string{"bf16"}, k: 16, stationary: true},
		{kind: "tf32", d: []string{"f32"}, a: []string{"tf32"}, k: 8, stationary: true},
		{kind: "f8f6f4", d: []string{"f32"}, a: floats, k: 32, mixed: true, stationary: true},
		{kind: "f8f6f4", d: []string{"f16"}, a: []string{"e4m3", "e5m2"}, k: 32, mixed: true, stationary: true},
		{kind: "i8", d: []string{"s32"}, a: []string{"s8", "u8"}, k: 32, mixed: true, integer: true, stationary: true},
		{kind: "mxf8f6f4", d: []string{"f32"}, a: floats, k: 32, scales: []int{1}, mixed: true},
		{kind: "mxf4", d: []string{"f32"}, a: []string{"f4"}, k: 64, scales: []int{2}},
		{kind: "mxf4nvf4", d: []string{"f32"}, a: []string{"f4"}, k: 64, scales: []int{2, 4}},
	} {
		for _, form := range []struct {
			pair, ws bool
			ms       []int
		}{{false, false, []int{64, 128}}, {true, false, []int{128, 256}}, {false, true, []int{32, 64, 128}}} {
			if form.ws && !x.stationary {
				continue
			}
			for _, m := range form.ms {
				for _, sparse := range []bool{false, true} {
					if x.scales != nil && (!form.pair && m != 128 || form.pair && sparse && m != 256) {
						continue
					}
					for n := 8; n <= 256; n += 8 {
						c := tensorCase{kind: x.kind, m: m, n: n, k: x.k, pair: form.pair, ws: form.ws, sparse: sparse}
						step := either(x.integer && n > 32, 16, 8) * either(form.pair, 2, 1)
						if form.ws && n != 64 && n != 128 && (n != 256 || sparse) || n%step != 0 || n < step {
							continue
						}
						if sparse {
							c.k *= 2
						}
						c.td, c.ta = x.d[r.Intn(len(x.d))], x.a[r.Intn(len(x.a))]
						if c.tb = c.ta; x.mixed {
							c.tb = x.a[r.Intn(len(x.a))]
						}
						if x.scales != nil {
							c.scales = x.scales[r.Intn(len(x.scales))]
						}
						c.choose(r)
						list = append(list, c)
					}
				}
			}
		}
	}
	return list
}

func (c *tensorCase) choose(r *rand.Rand) {
	coin := func() bool { return r.Intn(2) == 0 }
	c.tmemA, c.fresh, c.predicate = coin(), coin(), coin()
	if c.scales == 0 {
		c.half = (!c.pair && c.m == 64 && !c.ws || c.pair && c.m == 128 && c.sparse) && coin()
		c.disabled = !c.ws && coin()
	}
	if c.kind != "i8" {
		c.negA, c.negB = coin(), coin()
	} else {
		c.saturate = coin()
	}
	if c.kind == "f16" || c.kind == "tf32" {
		if !c.ws {
			c.down = r.Intn(3)
		}
		if c.sparse {
			c.sel = r.Intn(2)
		}
	}
	modes := []int{0, 2, 4, 6}
	c.modeA, c.modeB = modes[r.Intn(4)], modes[r.Intn(4)]
	if c.ta != "f4" {
		c.transA, c.transB = !c.tmemA && coin(), coin()
	}
	blocks := either(c.pair, 2, 1)
	if c.transB && c.n/blocks%perSixteen(c.tb) != 0 {
		c.transB = false
	}
	if c.sparse && !c.transB && c.modeB == 6 { // 64 bytes along K
		c.modeB = 2
	}
	if c.ta == "tf32" {
		c.modeA, c.modeB = either(c.transA, 1, c.modeA), either(c.transB, 1, c.modeB)
	}
	switch c.scales {
	case 1:
		c.e8m0, c.idA, c.idB = true, r.Intn(4), r.Intn(4)
		c.mods = ".block_scale" + []string{"", ".scale_vec::1X", ".block32"}[r.Intn(3)]
	case 2:
		c.e8m0, c.idA, c.idB = true, 2*r.Intn(2), 2*r.Intn(2)
		c.mods = ".block_scale" + []string{".scale_vec::2X", ".block32"}[r.Intn(2)]
	case 4:
		c.e8m0 = coin()
		c.mods = ".block_scale" + []string{".scale_vec::4X", ".block16"}[r.Intn(2)]
	}
	if c.ws && coin() {
		c.mods += ".collector::b1::fill"
	} else if !c.ws && coin() {
		c.mods += ".collector::a::discard"
	}
}

// TestTensorProduct compares tcgen05.mma of all kinds and shapes with a plain product.
func TestTensorProduct(t *testing.T) {
	r := newRand(11)
	for i, c := range tensorCases(r) {
		if i%13 == 0 && takes(i) {
			t.Run(fmt.Sprintf("%d %s m%dn%dk%d pair=%v ws=%v sp=%v", i, c.kind, c.m, c.n, c.k, c.pair, c.ws, c.sparse), func(t *testing.T) { c.run(t, r) })
		}
	}
}

// is reports whether the case can be one of a variant of the row.
func (c *tensorCase) is(row string, words []string) bool {
	has := func(w string) bool { return slices.Contains(words, w) }
	scales := map[string]int{"mxf8f6f4": 1, "mxf4": 2}[c.kind] // what the kind has without a word for it
	switch {
	case has("scale_vec::2X"), has("block32") && c.kind != "mxf8f6f4":
		scales = 2
	case has("scale_vec::4X"), has("block16"):
		scales = 4
	}
	return has("kind::"+c.kind) && c.pair == has("cta_group::2") && c.ws == strings.Contains(row, ".ws") && c.sparse == strings.HasSuffix(row, ".sp") &&
		c.scales == scales && (!has("ashift") || c.m == 128*either(c.pair, 2, 1))
}

// TestTensorProductVariants compares each variant of tcgen05.mma with a plain product.
func TestTensorProductVariants(t *testing.T) {
	r := newRand(12)
	cases := tensorCases(r)
	r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	n := 0
	for _, row := range []string{"tcgen05.mma", "tcgen05.mma.sp", "tcgen05.mma.ws", "tcgen05.mma.ws.sp"} {
		for _, v := range executedVariants(row) {
			words := strings.Split(strings.TrimPrefix(v.text, row+"."), ".")
			at := slices.IndexFunc(cases, func(c tensorCase) bool { return c.is(row, words) })
			if at < 0 {
				t.Errorf("no case for %s", v.text)
				continue
			}
			c := cases[at]
			if c.mods = strings.Join(append([]string{""}, words[2:]...), "."); c.mods == ".ashift" {
				c.shift, c.tmemA, c.transA = true, true, false
			}
			n++
			variant(t, n, v.text, func(t *testing.T) { c.run(t, r) })
		}
	}
}

// TestTensorScalesOfKind wants the numbers of scales that a kind does not have refused.
func TestTensorScalesOfKind(t *testing.T) {
	for v, want := range map[string]bool{
		"kind::mxf8f6f4.block_scale": true, "kind::mxf8f6f4.block_scale.block32": true, "kind::mxf8f6f4.block_scale.scale_vec::2X": false, "kind::mxf8f6f4.block_scale.block16": false,
		"kind::mxf4.block_scale": true, "kind::mxf4.block_scale.scale_vec::4X": false, "kind::mxf4.block_scale.block16": false,
		"kind::mxf4nvf4.block_scale.block16": true, "kind::mxf4nvf4.block_scale": false, "kind::mxf4nvf4.block_scale.scale_vec::1X": false,
		"kind::f16.ashift": true, "kind::f16.ashift.collector::a::lastuse": true, "kind::f16.ashift.collector::a::use": false, "kind::f16.ashift.collector::a::fill": false,
	} {
		for _, row := range []string{"tcgen05.mma", "tcgen05.mma.sp"} {
			if _, _, err := isa.Check(row + ".cta_group::1." + v); (err == nil) != want {
				t.Errorf("%s.cta_group::1.%s: %v", row, v, err)
			}
		}
	}
}
