package texture

import (
	"math"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// texel is the four 32-bit results of a texture read, R, G, B and A: integers
// extended to 32 bits, or the bits of floats.
type texel [4]uint32

// one is 1.0 as bits.
const one = 0x3f80_0000

// floats reports whether reads of the texture give floats.
func floats(t *mem.Texture) bool {
	return t.Format.Kind == mem.TexelFloat || promotes(t)
}

// promotes reports integer texels that are read as normalized floats ("CUDA
// C++ Programming Guide", "Texture Memory": of 8 and 16 bits only).
func promotes(t *mem.Texture) bool {
	return t.NormalizedFloat && t.Format.Kind != mem.TexelFloat && t.Format.Bits <= 16
}

// readTexel decodes the texel at an address of the arena. Channels that it
// lacks are 0, alpha 1.
func readTexel(t *mem.Texture, addr uint64) texel {
	f := t.Format
	v := texel{0, 0, 0, 1}
	if floats(t) {
		v[3] = one
	}
	p := vec.DevicePointer(addr)
	for c := range f.Channels {
		v[c] = channel(t, c, uint32(vec.ReadElem(unsafe.Add(p, c*f.Bits/8), f.Bits/8)))
	}
	return v
}

// channel converts the bits of channel c to what a read gives.
func channel(t *mem.Texture, c int, raw uint32) uint32 {
	f := t.Format
	switch {
	case f.Kind == mem.TexelFloat && f.Bits == 16:
		return math.Float32bits(halfToFloat(uint16(raw)))
	case f.Kind == mem.TexelFloat:
		return raw
	case f.Kind == mem.TexelSigned:
		v := int32(raw<<(32-f.Bits)) >> (32 - f.Bits)
		if !promotes(t) {
			return uint32(v)
		}
		most := float32(int32(1)<<(f.Bits-1) - 1)
		return math.Float32bits(max(float32(v)/most, -1))
	case !promotes(t):
		return raw
	}
	x := float32(raw) / float32(uint32(1)<<f.Bits-1)
	if t.SRGB && f.Bits == 8 && c < 3 {
		x = linearOfSRGB(x)
	}
	return math.Float32bits(x)
}

// linearOfSRGB is the transfer function of IEC 61966-2-1.
func linearOfSRGB(x float32) float32 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return float32(math.Pow((float64(x)+0.055)/1.055, 2.4))
}

// borderTexel is what a read beyond the border gives.
func borderTexel(t *mem.Texture) texel {
	var v texel
	for c, x := range t.Border {
		switch {
		case floats(t):
			v[c] = math.Float32bits(x)
		case t.Format.Kind == mem.TexelSigned:
			v[c] = uint32(int32(x))
		default:
			v[c] = uint32(x)
		}
	}
	return v
}

// halfToFloat converts IEEE binary16 exactly.
func halfToFloat(h uint16) float32 {
	sign := float32(1)
	if h>>15 != 0 {
		sign = -1
	}
	exp, frac := int(h>>10&31), float64(h&1023)
	switch exp {
	case 0:
		return sign * float32(math.Ldexp(frac, -24))
	case 31:
		return math.Float32frombits(uint32(h)>>15<<31 | 0x7f80_0000 | uint32(h&1023)<<13)
	}
	return sign * float32(math.Ldexp(1024+frac, exp-25))
}

// floatToHalf rounds to nearest even; what is too large becomes infinite.
func floatToHalf(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	x := math.Abs(float64(f))
	switch {
	case math.IsNaN(x):
		return sign | 0x7fff
	case x >= 65520:
		return sign | 0x7c00
	case x < 0x1p-14:
		return sign | uint16(math.RoundToEven(math.Ldexp(x, 24)))
	}
	frac, exp := math.Frexp(x) // x = frac * 2^exp, frac in [0.5, 1)
	// Rounding up to 2048 carries into the exponent.
	return sign | (uint16(exp+13)<<10 + uint16(math.RoundToEven(math.Ldexp(frac, 11))))
}

// encodeTexel is what sust.p stores of channel c: the value in the surface's
// format, integers saturated (PTX ISA, "sust").
func encodeTexel(f mem.TexelFormat, v uint32) uint64 {
	switch {
	case f.Kind == mem.TexelFloat && f.Bits == 16:
		return uint64(floatToHalf(math.Float32frombits(v)))
	case f.Bits == 32:
		return uint64(v)
	case f.Kind == mem.TexelSigned:
		most := int32(1)<<(f.Bits-1) - 1
		return uint64(uint32(min(max(int32(v), -most-1), most))) & vec.LowBits(uint(f.Bits))
	}
	return uint64(min(v, uint32(1)<<f.Bits-1))
}
