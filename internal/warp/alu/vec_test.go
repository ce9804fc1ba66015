package alu

import (
	"math/rand"
	"sort"
	"testing"
	"unsafe"
)

// edges are bit patterns at which integers of every size, floats and doubles
// change their behavior.
var edges = []uint64{
	0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256,
	0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
	0x7fffffffffffffff, 1 << 63, ^uint64(0), ^uint64(1), 1 << 32,
	// f32: 1, -1, 0.5, 1.5, 2.5, inf, -inf, NaNs, largest, smallest normal and subnormal
	0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0x7f800000, 0xff800000,
	0x7fc00000, 0x7f800001, 0xffc12345, 0x7f7fffff, 0x00800000, 0x00000001, 0x80000001, 0x007fffff,
	0x4f000000, 0xcf000000, 0x5f000000, 0x4f800000, 0x42c80000, 0x7e800001,
	// f64: the same
	0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000, 0x4004000000000000,
	0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001,
	0x7fefffffffffffff, 0x0010000000000000, 0x41e0000000000000, 0x43e0000000000000, 0x41dfffffffc00000,
	// f16 and bf16 pairs
	0x3c003c00, 0x7c00fc00, 0x7e00ffff, 0x04000001, 0x3f80bf80, 0x7f80ff80, 0x7fc00001,
}

// operands fills 32 lanes with edge and random values of the width.
func operands(r *rand.Rand, w Width) (p unsafe.Pointer, v [Lanes]uint64) {
	for i := range v {
		switch r.Intn(3) {
		case 0:
			v[i] = r.Uint64()
		case 1:
			v[i] = uint64(r.Intn(40))
		default:
			v[i] = edges[r.Intn(len(edges))]
		}
		if w != W64 {
			v[i] &= mask(32)
		}
	}
	return store(w, v), v
}

func store(w Width, v [Lanes]uint64) unsafe.Pointer {
	if w == W64 {
		c := v
		return unsafe.Pointer(&c)
	}
	var c [Lanes]uint32
	for i := range v {
		c[i] = uint32(v[i])
	}
	return unsafe.Pointer(&c)
}

// narrow cuts operands to the sizes their types have, as registers do.
func narrow(o *Op, v *[Lanes]uint64, w Width) {
	if w == W32 && o.DstBits == 16 {
		for i := range v {
			v[i] &= 0xffff
		}
	}
}

// forEachISA runs a test with every instruction set of the processor.
func forEachISA(t *testing.T, f func(t *testing.T)) {
	saved := ISA()
	defer func() {
		if err := SetISA(saved); err != nil {
			t.Error(err)
		}
	}()
	for _, isa := range []string{"avx512", "avx2", "go"} {
		t.Run(isa, func(t *testing.T) {
			if err := SetISA(isa); err != nil {
				t.Skip(err)
			}
			f(t)
		})
	}
}

func TestVectorsAgreeWithFn(t *testing.T) { forEachISA(t, vectorsAgreeWithFn) }

func vectorsAgreeWithFn(t *testing.T) {
	simd := kernelsInUse()
	for _, name := range All() {
		o, err := Lookup(name)
		if err != nil {
			t.Error(err)
			continue
		}
		r := rand.New(rand.NewSource(int64(len(name))))
		rounds := 2
		switch {
		case simd.vec[name] != nil || simd.vec4[name] != nil || simd.cmp[name] != nil:
			rounds = 100
		case hotVecs()[name] != nil || plainCmps[name] != nil:
			rounds = 40
		}
		for k := 0; k < rounds; k++ {
			if !agree(t, o, r) {
				break
			}
		}
	}
}

// agree runs one vector of random lanes through the operation's vector function,
// into a fresh register and into the first operand's, and through Fn.
func agree(t *testing.T, o *Op, r *rand.Rand) bool {
	t.Helper()
	var p [4]unsafe.Pointer
	var v [4][Lanes]uint64
	preds := r.Uint32()
	for i, w := range o.Args {
		_, v[i] = operands(r, w)
		narrow(o, &v[i], w)
		p[i] = store(w, v[i])
		for l := range v[i] {
			if w == Pred {
				v[i][l] = uint64(preds >> l & 1)
			}
		}
	}
	var want, want2 [Lanes]uint64
	for l := range want {
		want[l], want2[l] = o.Fn(v[0][l], v[1][l], v[2][l], v[3][l])
	}
	for _, got := range vectorResults(o, p, preds) {
		for l := range want {
			if got[l] != want[l] {
				t.Errorf("%s(%#x, %#x, %#x, %#x) = %#x by vector, %#x by lane", o.Name,
					v[0][l], v[1][l], v[2][l], v[3][l], got[l], want[l])
				return false
			}
			if limit := widthMask(o.Dst); want[l]&^limit != 0 {
				t.Errorf("%s: result %#x is wider than its register", o.Name, want[l])
				return false
			}
		}
	}
	return true
}

func widthMask(w Width) uint64 {
	return map[Width]uint64{Pred: 1, W32: mask(32), W64: mask(64)}[w]
}

func load(w Width, p unsafe.Pointer) (v [Lanes]uint64) {
	for i := range v {
		v[i] = arg(p, w, i)
	}
	return v
}

func lanesOfMask(m uint32) (v [Lanes]uint64) {
	for i := range v {
		v[i] = uint64(m >> i & 1)
	}
	return v
}

// vectorResults calls whichever vector functions the operation has.
func vectorResults(o *Op, p [4]unsafe.Pointer, preds uint32) (out [][Lanes]uint64) {
	d := store(o.Dst, [Lanes]uint64{})
	switch {
	case o.Cmp != nil:
		return append(out, lanesOfMask(o.Cmp(p[0], p[1], p[2])))
	case o.CmpBool != nil:
		q, _ := o.CmpBool(p[0], p[1], preds)
		return append(out, lanesOfMask(q))
	case o.Sel != nil:
		o.Sel(d, p[0], p[1], preds)
		return append(out, load(o.Dst, d))
	case o.Vec4 != nil:
		o.Vec4(d, p[0], p[1], p[2], p[3])
		return append(out, load(o.Dst, d))
	case o.Vec == nil:
		return nil
	}
	o.Vec(d, p[0], p[1], p[2])
	out = append(out, load(o.Dst, d))
	for i, w := range o.Args {
		if w != o.Dst || i > 2 {
			continue
		}
		saved := load(w, p[i])
		o.Vec(p[i], p[0], p[1], p[2])
		out = append(out, load(w, p[i]))
		p[i] = store(w, saved)
	}
	return out
}

// TestVectorShapes checks that the vector form exists wherever the contract
// promises one.
func TestVectorShapes(t *testing.T) {
	for _, name := range All() {
		o, err := Lookup(name)
		if err != nil {
			continue
		}
		preds := 0
		for _, w := range o.Args {
			preds += int(b2u(w == Pred))
		}
		if o.Dst != Pred && o.Dst2 == None && preds == 0 && o.Vec == nil && o.Vec4 == nil {
			t.Errorf("%s has no Vec", name)
		}
		if o.Dst == Pred && o.Dst2 == None && preds == 0 && o.Cmp == nil {
			t.Errorf("%s has no Cmp", name)
		}
		if o.Alt == Pred && preds == 1 && o.CmpBool == nil {
			t.Errorf("%s has no CmpBool", name)
		}
	}
}

// TestHotNames checks that every hand-written loop belongs to a real opcode.
func TestHotNames(t *testing.T) {
	for name := range hotVecs() {
		if o, err := Lookup(name); err != nil || o.Vec == nil {
			t.Errorf("hot loop %s: %v", name, err)
		}
	}
	for name := range plainCmps {
		if o, err := Lookup(name); err != nil || o.Cmp == nil {
			t.Errorf("hot loop %s: %v", name, err)
		}
	}
}

// TestAnyOpcode builds opcodes out of random parts: none may panic, neither in
// Lookup nor in the functions that it returns.
func TestAnyOpcode(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	var bases, mods, types []string
	seen := map[string]bool{}
	for _, op := range All() {
		in, base := parse(op)
		for _, m := range in.mods {
			if !seen[m] {
				seen[m] = true
				mods = append(mods, m)
			}
		}
		if !seen["base "+base] {
			seen["base "+base] = true
			bases = append(bases, base)
		}
	}
	for n := range typeNames {
		types = append(types, n)
	}
	sort.Strings(types)
	found := 0
	for i := 0; i < 100000; i++ {
		op := bases[r.Intn(len(bases))]
		for k := r.Intn(4); k > 0; k-- {
			op += "." + mods[r.Intn(len(mods))]
		}
		for k := r.Intn(4); k > 0; k-- {
			op += "." + types[r.Intn(len(types))]
		}
		if o := build(op); o != nil {
			found++
			agree(t, o, r)
		}
	}
	if found < 300 {
		t.Errorf("only %d of the random opcodes exist", found)
	}
}
