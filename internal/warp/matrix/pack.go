package matrix

import (
	"math"
	"sync"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// This file moves matrices between registers and flat arrays.

// UnpackFloats unpacks a fragment of a type that f32 holds exactly.
func UnpackFloats(w *vec.Registers, dst *[1024]float32, f *program.Frag, regs []int32) {
	if vec.UseAVX512 && f.Tiled && floatTiles(w, dst, f, regs) {
		return
	}
	for r := range f.Index {
		row, at := w.V32(regs[r]), &f.Index[r]
		switch f.Elem {
		case program.ElemF16:
			t := Halves()
			for l, v := range row {
				i := int(at[l])
				dst[i&1023], dst[(i+f.Step)&1023] = t[v&0xffff], t[v>>16]
			}
		case program.ElemBF16:
			for l, v := range row {
				i := int(at[l])
				dst[i&1023], dst[(i+f.Step)&1023] = math.Float32frombits(v<<16), math.Float32frombits(v&0xffff0000)
			}
		case program.ElemTF32: // the low bits are not read (PTX ISA, "Alternate Floating-Point Data Formats")
			for l, v := range row {
				dst[at[l]&1023] = math.Float32frombits(v &^ 0x1fff)
			}
		case program.ElemF4:
			t := Eights(program.ElemE2M1)
			for l, v := range row {
				for k := range 8 {
					dst[(int(at[l])+k*f.Step)&1023] = t[v>>(4*k)&15<<2]
				}
			}
		case program.ElemE4M3, program.ElemE5M2, program.ElemE2M3, program.ElemE3M2, program.ElemE2M1:
			t := Eights(f.Elem)
			for l, v := range row {
				for k := range 4 {
					dst[(int(at[l])+k*f.Step)&1023] = t[v>>(8*k)&0xff]
				}
			}
		default:
			for l, v := range row {
				dst[at[l]&1023] = math.Float32frombits(v)
			}
		}
	}
}

// CanonicalNaN is what tensor cores return for any NaN.
const CanonicalNaN = 0x7fffffff

// saturate makes the results finite: infinities become the largest number of
// the type, NaN becomes 0 (PTX ISA, "wmma.mma", .satfinite).
func saturate(v []float32, e program.Elem) {
	most := float32(math.MaxFloat32)
	if e == program.ElemF16 {
		most = 65504
	}
	for i, x := range v {
		if x != x {
			v[i] = 0
			continue
		}
		v[i] = min(max(x, -most), most)
	}
}

// packFloats packs an accumulator of f32 or f16.
func packFloats(w *vec.Registers, src *[1024]float32, f *program.Frag, regs []int32) {
	if vec.UseAVX512 && f.Tiled {
		packTiles(w, src, f, regs)
		return
	}
	for r := range f.Index {
		if regs[r] == program.NoSlot {
			continue
		}
		row, at := w.V32(regs[r]), &f.Index[r]
		for l := range row {
			i := int(at[l])
			if f.Elem == program.ElemF16 {
				row[l] = RoundHalf(src[i&1023]) | RoundHalf(src[(i+f.Step)&1023])<<16
				continue
			}
			v := src[i&1023]
			if row[l] = math.Float32bits(v); v != v {
				row[l] = CanonicalNaN
			}
		}
	}
}

// aluFn returns the function of an instruction that is known to exist.
func aluFn(opcode string) alu.Fn {
	op, err := alu.Lookup(opcode)
	if err != nil {
		panic(err)
	}
	return op.Fn
}

// Halves has every f16 as an f32.
var Halves = sync.OnceValue(func() *[1 << 16]float32 {
	fn, t := aluFn("cvt.f32.f16"), new([1 << 16]float32)
	for i := range t {
		v, _ := fn(uint64(i), 0, 0, 0)
		t[i] = math.Float32frombits(uint32(v))
	}
	return t
})

var toHalf = sync.OnceValue(func() alu.Fn { return aluFn("cvt.rn.f16.f32") })

func RoundHalf(v float32) uint32 {
	h, _ := toHalf()(uint64(math.Float32bits(v)), 0, 0, 0)
	return uint32(h)
}

// Eights has every float of eight bits, or of fewer in a byte, as an f32.
func Eights(e program.Elem) *[256]float32 {
	switch e {
	case program.ElemE4M3:
		return e4m3s()
	case program.ElemE2M3:
		return e2m3s()
	case program.ElemE3M2:
		return e3m2s()
	case program.ElemE2M1:
		return e2m1s()
	}
	return e5m2s()
}

var (
	e4m3s = sync.OnceValue(func() *[256]float32 { return eightTable("cvt.rn.f16x2.e4m3x2") })
	e5m2s = sync.OnceValue(func() *[256]float32 { return eightTable("cvt.rn.f16x2.e5m2x2") })
	e2m3s = sync.OnceValue(func() *[256]float32 { return smallTable(2, 3, 0) })
	e3m2s = sync.OnceValue(func() *[256]float32 { return smallTable(3, 2, 0) })
	e2m1s = sync.OnceValue(func() *[256]float32 { return smallTable(2, 1, 2) })
)

// smallTable is that of floats with so many bits of exponent and fraction, from bit number shift of
// a byte on, without infinity and NaN (PTX ISA, "Alternate Floating-Point Data Formats").
func smallTable(exponent, fraction, shift int) *[256]float32 {
	t := new([256]float32)
	bias := 1<<(exponent-1) - 1
	for i := range t {
		v := i >> shift & (2<<(exponent+fraction) - 1)
		e, f := v>>fraction&(1<<exponent-1), v&(1<<fraction-1)
		if e == 0 {
			t[i] = float32(math.Ldexp(float64(f), 1-bias-fraction))
		} else {
			t[i] = float32(math.Ldexp(float64(f+1<<fraction), e-bias-fraction))
		}
		if v>>(exponent+fraction) != 0 {
			t[i] = -t[i]
		}
	}
	return t
}

func eightTable(opcode string) *[256]float32 {
	fn, t := aluFn(opcode), new([256]float32)
	for i := range t {
		v, _ := fn(uint64(i), 0, 0, 0)
		t[i] = Halves()[v&0xffff]
	}
	return t
}

func unpackDoubles(w *vec.Registers, dst *[1024]float64, f *program.Frag, regs []int32) {
	for r := range f.Index {
		for l, v := range w.V64(regs[r]) {
			dst[f.Index[r][l]&1023] = math.Float64frombits(v)
		}
	}
}

func packDoubles(w *vec.Registers, src *[1024]float64, f *program.Frag, regs []int32) {
	for r := range f.Index {
		if regs[r] == program.NoSlot {
			continue
		}
		row := w.V64(regs[r])
		for l := range row {
			row[l] = math.Float64bits(src[f.Index[r][l]&1023])
		}
	}
}

// UnpackIntegers unpacks elements of 4, 8 or 32 bits.
func UnpackIntegers(w *vec.Registers, dst *[1024]int32, f *program.Frag, regs []int32) {
	if vec.UseAVX512 && f.Tiled && integerTiles(w, dst, f, regs) {
		return
	}
	for r := range f.Index {
		row, at := w.V32(regs[r]), &f.Index[r]
		switch f.Elem {
		case program.ElemS8:
			for l, v := range row {
				i := int(at[l])
				dst[i&1023], dst[(i+f.Step)&1023] = int32(int8(v)), int32(int8(v>>8))
				dst[(i+2*f.Step)&1023], dst[(i+3*f.Step)&1023] = int32(int8(v>>16)), int32(v)>>24
			}
		case program.ElemS4:
			for l, v := range row {
				for k := range 8 {
					dst[(int(at[l])+k*f.Step)&1023] = int32(v<<(28-4*k)) >> 28
				}
			}
		default:
			n := uint(f.Elem.Bits())
			for l, v := range row {
				for k := range f.PerReg {
					dst[(int(at[l])+k*f.Step)&1023] = int32(uint64(v) >> (uint(k) * n) & vec.LowBits(n))
				}
			}
		}
	}
}

func packIntegers(w *vec.Registers, src *[1024]int32, f *program.Frag, regs []int32) {
	for r := range f.Index {
		if regs[r] == program.NoSlot {
			continue
		}
		row := w.V32(regs[r])
		for l := range row {
			row[l] = uint32(src[f.Index[r][l]&1023])
		}
	}
}
