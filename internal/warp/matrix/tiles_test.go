package matrix

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// tileFragments are tiled fragments of each type.
func tileFragments() (list []*program.Frag) {
	type shape struct{ m, n, k int }
	add := func(e program.Elem, shapes ...shape) {
		for _, s := range shapes {
			list = append(list, program.NewFrag(program.RoleA, e, s.m, s.n, s.k), program.NewFrag(program.RoleB, e, s.m, s.n, s.k))
		}
	}
	halves := []shape{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 8, 8}, {16, 8, 16}}
	add(program.ElemF16, halves...)
	add(program.ElemBF16, halves...)
	add(program.ElemTF32, shape{16, 16, 8}, shape{16, 8, 4}, shape{16, 8, 8})
	add(program.ElemS8, shape{16, 16, 16}, shape{8, 8, 16}, shape{16, 8, 32}, shape{32, 8, 16})
	add(program.ElemU8, shape{16, 16, 16}, shape{8, 32, 16}, shape{16, 8, 16})
	for _, s := range []shape{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 8, 8}, {8, 8, 16}} {
		for _, e := range []program.Elem{program.ElemF16, program.ElemF32, program.ElemS32} {
			list = append(list, program.NewFrag(program.RoleC, e, s.m, s.n, s.k))
		}
	}
	return list
}

// layOut gives a unit a slab of so many words of 64 bits.
func layOut(w *Unit, n int) {
	w.regs.Allocate(int32(8 * n))
}

// allWords are its registers.
func allWords(w *Unit) []uint64 { return w.regs.Words(0, int32(8*(len(w.regs.Slab())-16))) }

// fragmentUnit is a unit with a random fragment: mostly ordinary numbers, some of any bits.
func fragmentUnit(r *rand.Rand, n int) (*Unit, []int32) {
	w, regs := &Unit{regs: new(vec.Registers)}, make([]int32, n)
	layOut(w, 16*(n+1))
	for i := range regs {
		regs[i] = int32(128 * (i + 1))
		for l := range w.regs.V32(regs[i]) {
			v := math.Float32bits(float32(r.NormFloat64()))
			switch r.Intn(8) {
			case 0:
				v = r.Uint32()
			case 1:
				v = uint32([]uint64{0x7f80ff80, 0xff807c00, 0x7fc07e01, 1, 0x80000000, 0x03ff0001}[r.Intn(6)])
			}
			w.regs.V32(regs[i])[l] = v
		}
	}
	return w, regs
}

// TestTiles compares moves by vectors with those by elements.
func TestTiles(t *testing.T) {
	if !vec.UseAVX512 {
		t.Skip("no AVX-512")
	}
	r := rand.New(rand.NewSource(1))
	for _, f := range tileFragments() {
		plain := *f
		plain.Tiled = false
		for range 20 {
			w, regs := fragmentUnit(r, len(f.Index))
			switch f.Elem {
			case program.ElemS8, program.ElemU8, program.ElemS32:
				var got, want [1024]int32
				UnpackIntegers(w.regs, &got, f, regs)
				if UnpackIntegers(w.regs, &want, &plain, regs); got != want {
					t.Fatalf("role %d, element %d, %d by %d: other integers", f.Role, f.Elem, f.Rows, f.Cols)
				}
			default:
				var got, want [1024]float32
				UnpackFloats(w.regs, &got, f, regs)
				UnpackFloats(w.regs, &want, &plain, regs)
				for i := range got {
					if g, x := math.Float32bits(got[i]), math.Float32bits(want[i]); g != x && got[i] == got[i] || (got[i] == got[i]) != (want[i] == want[i]) {
						t.Fatalf("role %d, element %d, %d by %d: element %d is %#x, want %#x", f.Role, f.Elem, f.Rows, f.Cols, i, g, x)
					}
				}
				if f.Role == program.RoleC {
					comparePuts(t, r, f, &plain)
				}
			}
		}
	}
}

// comparePuts packs random results.
func comparePuts(t *testing.T, r *rand.Rand, f, plain *program.Frag) {
	t.Helper()
	var v [1024]float32
	for i := range v {
		if v[i] = float32(r.NormFloat64() * math.Pow(2, float64(r.Intn(40)-20))); r.Intn(10) == 0 {
			v[i] = math.Float32frombits(r.Uint32())
		}
	}
	got, regs := fragmentUnit(r, len(f.Index))
	want, _ := fragmentUnit(r, len(f.Index))
	copy(allWords(want), allWords(got))
	if r.Intn(2) == 0 {
		regs[r.Intn(len(regs))] = program.NoSlot
	}
	packFloats(got.regs, &v, f, regs)
	if packFloats(want.regs, &v, plain, regs); !slices.Equal(allWords(got), allWords(want)) {
		t.Fatalf("element %d, %d by %d: other registers", f.Elem, f.Rows, f.Cols)
	}
}

// TestDoubles compares products of f64 by tiles with those by elements, bit by bit. D may be an operand.
func TestDoubles(t *testing.T) {
	if !vec.UseAVX512 {
		t.Skip("no AVX-512")
	}
	r := rand.New(rand.NewSource(1))
	for _, s := range [][2]int{{8, 4}, {16, 4}, {16, 8}, {16, 16}} {
		for range 300 {
			compareDoubles(t, r, s[0], s[1])
		}
	}
}

func compareDoubles(t *testing.T, r *rand.Rand, m, k int) {
	t.Helper()
	frag := func(role program.Role) *program.Frag { return program.NewFrag(role, program.ElemF64, m, 8, k) }
	s := &mma{Kind: program.MulF64, A: frag(program.RoleA), B: frag(program.RoleB), C: frag(program.RoleC), D: frag(program.RoleC), M: m, N: 8, K: k, Count: 1}
	n := 0
	take := func(f *program.Frag) (regs []int32) {
		for range f.Index {
			n++
			regs = append(regs, int32(256*n))
		}
		return regs
	}
	s.RegsA, s.RegsB, s.RegsC, s.RegsD = take(s.A), take(s.B), take(s.C), take(s.D)
	switch r.Intn(4) {
	case 0:
		s.RegsD = s.RegsC
	case 1:
		copy(s.RegsD, s.RegsA)
	case 2:
		s.RegsD[r.Intn(len(s.RegsD))] = program.NoSlot
	}
	got, want := &Unit{regs: new(vec.Registers)}, &Unit{regs: new(vec.Registers)}
	layOut(got, 32*(n+1))
	layOut(want, 32*(n+1))
	for i := 1; i <= n; i++ {
		for l := range 32 {
			v := math.Float64bits(r.NormFloat64())
			if r.Intn(20) == 0 {
				v = []uint64{r.Uint64(), 0x7ff0000000000000, 0x7ff8000000000001, 0xfff8000000000000, 1, 1 << 63}[r.Intn(6)]
			}
			got.regs.V64(int32(256 * i))[l] = v
		}
	}
	copy(allWords(want), allWords(got))
	if !s.doubles(got) {
		t.Fatal("not a product by tiles")
	}
	plain := *s
	a := *s.A
	a.Tiled = false
	plain.A = &a
	if plain.exec(want, ^uint32(0)); !slices.Equal(allWords(got), allWords(want)) {
		t.Fatalf("m%dn8k%d: other results", m, k)
	}
}
