package texture

import (
	"encoding/binary"
	"math"
	"runtime"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// textureOf makes a texture of one level over data, which must be kept alive.
func textureOf(data []byte, f mem.TexelFormat, w, h, d uint32) *mem.Texture {
	pitch := uint64(w) * f.Bytes()
	return &mem.Texture{Format: f, Levels: []mem.TextureLevel{{
		Base: uint64(uintptr(unsafe.Pointer(&data[0]))), Width: w, Height: h, Depth: d,
		Pitch: pitch, Slice: pitch * uint64(max(h, 1)),
	}}}
}

func floatBytes(v ...float32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

var oneFloat = mem.TexelFormat{Channels: 1, Bits: 32, Kind: mem.TexelFloat}

func read(t *mem.Texture, dims int, p texPoint) texel {
	s := sampler{tex: t, dims: dims, valid: func(uint64) bool { return true }}
	return s.sample(&p)
}

func readFloat(t *mem.Texture, dims int, at ...float64) float32 {
	var p texPoint
	copy(p.at[:], at)
	return math.Float32frombits(read(t, dims, p)[0])
}

// TestTextureModes reads T = {3, 10, 4, 7} as "CUDA C++ Programming Guide",
// "Texture Fetching" says: tex(x) = T[floor(x)], or
// (1-a) T[i] + a T[i+1] with xB = x - 0.5, i = floor(xB), a = frac(xB).
func TestTextureModes(t *testing.T) {
	data := floatBytes(3, 10, 4, 7)
	defer runtime.KeepAlive(data)
	for _, c := range []struct {
		name               string
		mode               mem.AddressMode
		linear, normalized bool
		x                  float64
		want               float32
	}{
		{"inside", mem.AddressClamp, false, false, 2.99, 4},
		{"below", mem.AddressClamp, false, false, -3, 3},
		{"above", mem.AddressClamp, false, false, 4, 7},
		{"border below", mem.AddressBorder, false, false, -0.01, -1},
		{"border above", mem.AddressBorder, false, false, 4, -1},
		{"wrap", mem.AddressWrap, false, true, 1.25, 10},
		{"wrap below", mem.AddressWrap, false, true, -0.25, 7},
		{"mirror", mem.AddressMirror, false, true, 1.0, 7},
		{"mirror below", mem.AddressMirror, false, true, -0.25, 3},
		{"mirror far", mem.AddressMirror, false, true, 2.25, 10},
		{"wrap of texels is clamp", mem.AddressWrap, false, false, 5, 7},
		{"linear middle", mem.AddressClamp, true, false, 1.5, 10},
		{"linear between", mem.AddressClamp, true, false, 1, 6.5},
		{"linear quarter", mem.AddressClamp, true, false, 1.75, 8.5},
		{"linear edge", mem.AddressClamp, true, false, 0, 3},
		{"linear border", mem.AddressBorder, true, false, 0, 1},
		{"linear wrap", mem.AddressWrap, true, true, 0, 5},
		{"linear mirror", mem.AddressMirror, true, true, 1, 7},
		{"weight of 8 bits", mem.AddressClamp, true, false, 0.5 + 1.4/256, 3 + 7.0/256},
		{"weight rounds to one", mem.AddressClamp, true, false, 1.4999, 10},
		{"not a number", mem.AddressClamp, false, false, math.NaN(), 3},
		{"infinite", mem.AddressClamp, true, false, math.Inf(1), 7},
	} {
		tex := textureOf(data, oneFloat, 4, 0, 0)
		tex.Address = [3]mem.AddressMode{c.mode, c.mode, c.mode}
		tex.Linear, tex.Normalized, tex.Border[0] = c.linear, c.normalized, -1
		if got := readFloat(tex, 1, c.x); got != c.want {
			t.Errorf("%s: %g gives %g, want %g", c.name, c.x, got, c.want)
		}
	}
}

func TestTextureDimensions(t *testing.T) {
	data := floatBytes(0, 1, 2, 3, 10, 11, 12, 13, 100, 101, 102, 103, 110, 111, 112, 113)
	defer runtime.KeepAlive(data)
	tex := textureOf(data, oneFloat, 4, 2, 2)
	tex.Address = [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp, mem.AddressClamp}
	tex.Linear = true
	if got := readFloat(tex, 2, 2, 1); got != (1+2+11+12)/4.0 {
		t.Errorf("2D between four texels: %g", got)
	}
	if got := readFloat(tex, 3, 2, 1, 1); got != (1+2+11+12+101+102+111+112)/8.0 {
		t.Errorf("3D between eight texels: %g", got)
	}
	tex.Levels[0].Depth, tex.Layers = 0, 2
	for _, c := range []struct {
		layer uint32
		want  float32
	}{{0, 1}, {1, 101}, {7, 101}} {
		p := texPoint{at: [3]float64{1.5, 0.5}, layer: c.layer}
		if got := math.Float32frombits(read(tex, 2, p)[0]); got != c.want {
			t.Errorf("layer %d: %g, want %g", c.layer, got, c.want)
		}
	}
	tex.Linear = false
	p := texPoint{at: [3]float64{1, 0}, offset: [3]int32{2, 1}, whole: true}
	if got := math.Float32frombits(read(tex, 2, p)[0]); got != 13 {
		t.Errorf("offset: %g", got)
	}
}

// TestTexels decodes each kind of channel. Missing ones are 0, alpha 1.
func TestTexels(t *testing.T) {
	f := math.Float32bits
	for _, c := range []struct {
		name   string
		format mem.TexelFormat
		floats bool
		srgb   bool
		data   []byte
		want   texel
	}{
		{"u8", mem.TexelFormat{Channels: 4, Bits: 8, Kind: mem.TexelUnsigned}, false, false, []byte{1, 128, 255, 0}, texel{1, 128, 255, 0}},
		{"s8", mem.TexelFormat{Channels: 2, Bits: 8}, false, false, []byte{0x80, 127}, texel{0xffffff80, 127, 0, 1}},
		{"u8 normalized", mem.TexelFormat{Channels: 2, Bits: 8, Kind: mem.TexelUnsigned}, true, false, []byte{51, 255}, texel{f(0.2), f(1), 0, f(1)}},
		{"s8 normalized", mem.TexelFormat{Channels: 2, Bits: 8}, true, false, []byte{0x80, 127}, texel{f(-1), f(1), 0, f(1)}},
		{"s16 normalized", mem.TexelFormat{Channels: 1, Bits: 16}, true, false, []byte{0x01, 0x80}, texel{f(-1), 0, 0, f(1)}},
		{"u16", mem.TexelFormat{Channels: 1, Bits: 16, Kind: mem.TexelUnsigned}, false, false, []byte{0x34, 0x12}, texel{0x1234, 0, 0, 1}},
		{"s32", mem.TexelFormat{Channels: 1, Bits: 32}, true, false, []byte{0xfe, 0xff, 0xff, 0xff}, texel{0xfffffffe, 0, 0, 1}},
		{"f16", mem.TexelFormat{Channels: 2, Bits: 16, Kind: mem.TexelFloat}, false, false, []byte{0, 0x3c, 1, 0x80}, texel{f(1), f(-0x1p-24), 0, f(1)}},
		{"f32", oneFloat, false, false, floatBytes(-2.5), texel{f(-2.5), 0, 0, f(1)}},
		{"sRGB", mem.TexelFormat{Channels: 4, Bits: 8, Kind: mem.TexelUnsigned}, true, true, []byte{255, 0, 0, 51}, texel{f(1), 0, 0, f(0.2)}},
	} {
		tex := textureOf(c.data, c.format, 1, 0, 0)
		tex.NormalizedFloat, tex.SRGB = c.floats, c.srgb
		if got := readTexel(tex, tex.Levels[0].Base); got != c.want {
			t.Errorf("%s: %x, want %x", c.name, got, c.want)
		}
		runtime.KeepAlive(c.data)
	}
}

func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		v := halfToFloat(uint16(h))
		if got := floatToHalf(v); got != uint16(h) && v == v {
			t.Fatalf("half %#x is %g, which is half %#x", h, v, got)
		}
	}
	for _, c := range []struct {
		v    float32
		want uint16
	}{{1 + 0x1p-11, 0x3c00}, {1 + 3*0x1p-11, 0x3c02}, {65519, 0x7bff}, {65520, 0x7c00}, {0x1p-25, 0}, {0x1.8p-25, 1},
		{0x1.ff8p-15, 0x3ff}, {0x1.ffcp-15, 0x400}, {2 - 0x1p-12, 0x4000}} {
		if got := floatToHalf(c.v); got != c.want {
			t.Errorf("%x: %#x, want %#x", c.v, got, c.want)
		}
	}
}

// TestCubeFaces follows the table of "Cubemap Textures" in the guide.
func TestCubeFaces(t *testing.T) {
	for _, c := range []struct {
		x, y, z float64
		face    uint32
		s, t    float64
	}{
		{2, 1, -1, 0, 0.75, 0.25}, {-2, 1, -1, 1, 0.25, 0.25},
		{1, 2, -1, 2, 0.75, 0.25}, {1, -2, -1, 3, 0.75, 0.75},
		{1, -1, 2, 4, 0.75, 0.75}, {1, -1, -2, 5, 0.25, 0.75},
		{0, 0, 0, 0, 0.5, 0.5},
	} {
		p := texPoint{at: [3]float64{c.x, c.y, c.z}}
		cubeFace(&p)
		if p.face != c.face || p.at[0] != c.s || p.at[1] != c.t {
			t.Errorf("(%g, %g, %g): face %d at (%g, %g), want %d at (%g, %g)", c.x, c.y, c.z, p.face, p.at[0], p.at[1], c.face, c.s, c.t)
		}
	}
}

func TestMipmaps(t *testing.T) {
	data := floatBytes(1, 1, 1, 1, 3, 3, 9)
	defer runtime.KeepAlive(data)
	tex := textureOf(data, oneFloat, 4, 0, 0)
	tex.Kind, tex.Normalized, tex.LevelMax = mem.TextureMipmapped, true, 9
	l := tex.Levels[0]
	tex.Levels = append(tex.Levels, mem.TextureLevel{Base: l.Base + 16, Width: 2}, mem.TextureLevel{Base: l.Base + 24, Width: 1})
	for _, c := range []struct {
		name      string
		linear    bool
		lod, bias float64
		low, high float32
		want      float32
	}{
		{"level 0", false, 0, 0, 0, 9, 1}, {"nearest", false, 0.6, 0, 0, 9, 3}, {"last", false, 7, 0, 0, 9, 9},
		{"negative", true, -3, 0, 0, 9, 1}, {"between", true, 0.5, 0, 0, 9, 2}, {"between 1 and 2", true, 1.25, 0, 0, 9, 4.5},
		{"bias", true, 0.25, 1, 0, 9, 4.5}, {"clamped above", true, 2, 0, 0, 1, 3}, {"clamped below", true, 0, 0, 1.5, 9, 6},
	} {
		tex.LinearMip, tex.LevelBias, tex.LevelMin, tex.LevelMax = c.linear, float32(c.bias), c.low, c.high
		if got := math.Float32frombits(read(tex, 1, texPoint{at: [3]float64{0.5}, level: c.lod})[0]); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	for _, c := range []struct{ dx, dy, want float64 }{{0.25, 0, 0}, {0.5, 0.25, 1}, {0.25, 1, 2}, {0, 0, math.Inf(-1)}} {
		if got := gradientLevel(texelScale(tex, 1), [3]float64{c.dx}, [3]float64{c.dy}); got != c.want {
			t.Errorf("gradients %g and %g: level %g, want %g", c.dx, c.dy, got, c.want)
		}
	}
}

// TestCubeGradient: 8 texels span a face, which spans 4 in the coordinates of a
// direction with the major axis 2.
func TestCubeGradient(t *testing.T) {
	tex := &mem.Texture{Cube: true, Layers: 6, Levels: []mem.TextureLevel{{Width: 8, Height: 8}}}
	scale := cubeScale(tex, [3]float64{1, -2, 0.5})
	if got := gradientLevel(scale, [3]float64{0, 0, 2}, [3]float64{1, 0, 0}); got != 2 {
		t.Errorf("level %g, want 2", got)
	}
}

func TestGather(t *testing.T) {
	data := floatBytes(0, 1, 2, 3, 10, 11, 12, 13)
	defer runtime.KeepAlive(data)
	tex := textureOf(data, oneFloat, 4, 2, 0)
	tex.Address = [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp, mem.AddressClamp}
	s := sampler{tex: tex, dims: 2, valid: func(uint64) bool { return true }}
	got := s.gather(&texPoint{at: [3]float64{2, 1}}, 0)
	for i, want := range []float32{11, 12, 2, 1} {
		if v := math.Float32frombits(got[i]); v != want {
			t.Errorf("texel %d: %g, want %g", i, v, want)
		}
	}
}

func TestEncodeTexel(t *testing.T) {
	for _, c := range []struct {
		kind mem.TexelKind
		bits int
		v    uint32
		want uint64
	}{
		{mem.TexelUnsigned, 8, 300, 255}, {mem.TexelUnsigned, 16, 300, 300}, {mem.TexelSigned, 8, ^uint32(0), 255},
		{mem.TexelSigned, 8, 200, 127}, {mem.TexelSigned, 16, uint32(1) << 31, 0x8000}, {mem.TexelSigned, 32, 1 << 31, 1 << 31},
		{mem.TexelFloat, 16, math.Float32bits(1), 0x3c00}, {mem.TexelFloat, 32, math.Float32bits(1), one},
	} {
		if got := encodeTexel(mem.TexelFormat{Channels: 1, Bits: c.bits, Kind: c.kind}, c.v); got != c.want {
			t.Errorf("kind %d of %d bits: %#x gives %#x, want %#x", c.kind, c.bits, c.v, got, c.want)
		}
	}
}
