package alu

import (
	"math/rand"
	"testing"
)

// BenchmarkVec measures one vector operation of 32 lanes, by instruction set.
func BenchmarkVec(b *testing.B) {
	saved := ISA()
	for _, isa := range ISAs() {
		if err := SetISA(isa); err != nil {
			b.Fatal(err)
		}
		b.Run(isa, benchVec)
	}
	if err := SetISA(saved); err != nil {
		b.Error(err)
	}
}

func benchVec(b *testing.B) {
	for _, name := range []string{"mov.b32", "add.s32", "add.s64", "mad.lo.s32", "mul.wide.u32", "and.b32", "shl.b32", "shf.l.wrap.b32",
		"prmt.b32", "bfe.u32", "popc.b32", "lop3.b32:lut=0x96", "shr.s64", "min.s64", "mul.lo.s64", "mul.hi.u32", "mad.wide.s32",
		"div.s32", "div.u32", "cvt.u32.u64", "add.f32", "add.ftz.f32", "max.f32", "sqrt.rn.f32", "rsqrt.approx.f32", "cvt.f64.f32", "add.f64", "fma.rn.f32", "fma.rn.ftz.f32", "div.rn.f32", "fma.rn.f64", "min.f32", "cvt.rn.f32.s32", "cvt.rzi.s32.f32",
		"cvt.f32.f16", "fma.rn.f16x2", "ex2.approx.ftz.f32", "lg2.approx.ftz.f32", "setp.lt.s32", "setp.lt.u64", "setp.lt.f64", "setp.geu.f32", "selp.b32"} {
		o, err := Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		r := rand.New(rand.NewSource(1))
		fill := func(w Width) (v [Lanes]uint64) {
			for i := range v {
				v[i] = uint64(0x3f800000 + r.Intn(1<<20))
				if w == W64 {
					v[i] |= 0x3ff<<52 + uint64(r.Intn(1<<30))
				}
			}
			return v
		}
		d := store(o.Dst, [Lanes]uint64{})
		x, y, z := store(o.Args[0], fill(o.Args[0])), store(W64, fill(W64)), store(W64, fill(W64))
		if len(o.Args) > 1 {
			y = store(o.Args[1], fill(o.Args[1]))
		}
		if len(o.Args) > 2 {
			z = store(o.Args[2], fill(o.Args[2]))
		}
		b.Run(name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				switch {
				case o.Vec != nil:
					o.Vec(d, x, y, z)
				case o.Cmp != nil:
					o.Cmp(x, y, z)
				default:
					o.Sel(d, x, y, 0x55aa33cc)
				}
			}
		})
	}
}

// BenchmarkLookup measures the first and the repeated look-up of an opcode.
func BenchmarkLookup(b *testing.B) {
	b.Run("build", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			build("fma.rn.ftz.sat.f32")
		}
	})
	b.Run("cached", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			if _, err := Lookup("fma.rn.f32"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
