package alu

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

func TestSetISA(t *testing.T) {
	saved := ISA()
	defer func() {
		if err := SetISA(saved); err != nil {
			t.Error(err)
		}
	}()
	if !slices.Contains(ISAs(), saved) || !slices.Contains(ISAs(), plain) {
		t.Errorf("ISA %q, ISAs %q", saved, ISAs())
	}
	for _, name := range append(ISAs(), "off") {
		if err := SetISA(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if ISA() != plain {
		t.Errorf("off chose %q", ISA())
	}
	if err := SetISA("avx1024"); err == nil || !strings.Contains(err.Error(), plain) {
		t.Errorf("unknown set: %v", err)
	}
	if ISA() != plain {
		t.Errorf("a failed choice changed the set to %q", ISA())
	}
}

func TestEnvironmentChoosesISA(t *testing.T) {
	t.Setenv("WARPGRIND_SIMD", "off")
	if k := initialKernels(); k.isa != plain {
		t.Errorf("off gave %q", k.isa)
	}
	t.Setenv("WARPGRIND_SIMD", "no such set")
	if k := initialKernels(); k.isa != ISAs()[0] {
		t.Errorf("an unknown set gave %q, want the best", k.isa)
	}
}

// TestSimdNames checks that every function in assembly belongs to a real opcode.
func TestSimdNames(t *testing.T) {
	for _, s := range simds {
		for name := range s.vec() {
			if m, ok := LookupMath(name); ok {
				if o, ok := m.Op(); !ok || o.Formula == nil {
					t.Errorf("%s: %s is not a formula", s.name, name)
				}
			} else if o, err := Lookup(name); err != nil || o.Vec == nil {
				t.Errorf("%s: %s: %v", s.name, name, err)
			}
		}
		for name := range s.vec4() {
			if o, err := Lookup(name); err != nil || o.Vec4 == nil {
				t.Errorf("%s: %s: %v", s.name, name, err)
			}
		}
		for name := range s.cmp() {
			if o, err := Lookup(name); err != nil || o.Cmp == nil {
				t.Errorf("%s: %s: %v", s.name, name, err)
			}
		}
	}
}

func TestLop3Tables(t *testing.T) {
	forEachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewSource(3))
		for lut := 0; lut < 256; lut++ {
			o, err := Lookup(fmt.Sprintf("lop3.b32:lut=%#x", lut))
			if err != nil {
				t.Fatal(err)
			}
			agree(t, o, r)
		}
	})
}

// TestManyFloats compares random patterns, of which most edges of floating-point
// arithmetic are too rare for a few rounds.
func TestManyFloats(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 100
	}
	forEachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewSource(4))
		for _, name := range []string{"add.f32", "mul.ftz.f32", "fma.rn.f32", "fma.rn.ftz.f32", "fma.rn.sat.f32", "fma.rn.f64",
			"div.rn.f32", "rsqrt.approx.f32", "ex2.approx.f32", "ex2.approx.ftz.f32", "lg2.approx.f32", "lg2.approx.ftz.f32",
			"add.f16x2", "mul.f16x2", "fma.rn.f16x2", "cvt.rn.bf16.f32", "cvt.rn.f16.f32", "cvt.rn.f32.f64", "cvt.rn.f32.u32",
			"cvt.rn.f32.s64", "cvt.rzi.u32.f32", "cvt.rzi.s32.f32", "cvt.rni.s32.f32", "cvt.rzi.s32.f64", "cvt.rzi.u32.f64",
			"div.u32", "rem.s32", "min.f32", "max.ftz.f32", "setp.ltu.ftz.f32"} {
			o, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			for k := 0; k < rounds && agree(t, o, r); k++ {
			}
		}
	})
}

// TestMathVectors compares the vector forms of device math functions with their
// definitions.
func TestMathVectors(t *testing.T) {
	forEachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewSource(6))
		for _, name := range AllMath() {
			m, _ := LookupMath(name)
			o, ok := m.Op()
			if !ok {
				continue
			}
			rounds := 2
			if o.Formula != nil {
				rounds = 100
			}
			for k := 0; k < rounds && agree(t, o, r); k++ {
			}
		}
	})
}

// TestNoOverrun runs every vector function on unaligned operands between guard
// words.
func TestNoOverrun(t *testing.T) {
	const guard = 0x5afe5afe5afe5afe
	forEachISA(t, func(t *testing.T) {
		for _, name := range All() {
			o, err := Lookup(name)
			if err != nil || o.Dst == Pred || o.Dst2 != None {
				continue
			}
			var buf [Lanes + 3]uint64
			for i := range buf {
				buf[i] = guard
			}
			n := int(o.Dst-W32+1) * Lanes / 2 // words of the result
			x := [Lanes]uint64{}
			a, d := unsafe.Pointer(&x), unsafe.Pointer(&buf[1])
			switch {
			case o.Vec != nil:
				o.Vec(d, a, a, a)
			case o.Vec4 != nil:
				o.Vec4(d, a, a, a, a)
			case o.Sel != nil:
				o.Sel(d, a, a, 0)
			default:
				continue
			}
			if buf[0] != guard || buf[n+1] != guard || buf[n+2] != guard {
				t.Errorf("%s writes outside of its result", name)
			}
		}
	})
}
