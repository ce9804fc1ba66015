package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The textures of these tests have 4 x 4 texels in each of 6 slices, layers or
// faces, with 4 channels of 32 bits: channel c of texel (x, y, s) is
// 64 s + 16 y + 4 x + c.
const texSide, texSlices = 4, 6

func texelValue(x, y, s, c int) uint32 { return uint32(64*s + 16*y + 4*x + c) }

// image is a texture or surface in memory.
type image struct {
	*buffer
	tex    *mem.Texture
	handle uint64
}

// newImage makes one that fits an instruction of the geometry.
func newImage(t testing.TB, geom string, kind mem.TexelKind, surface bool) *image {
	t.Helper()
	b := newBuffer(t, texSide*texSide*texSlices*16)
	for i := range len(b.bytes()) / 4 {
		v := uint32(i)
		if kind == mem.TexelFloat {
			v = math.Float32bits(float32(i))
		}
		binary.LittleEndian.PutUint32(b.bytes()[4*i:], v)
	}
	l := mem.TextureLevel{Base: b.Base, Width: texSide, Height: texSide, Pitch: texSide * 16, Slice: texSide * texSide * 16}
	x := &mem.Texture{Name: "image", Surface: surface, Format: mem.TexelFormat{Channels: 4, Bits: 32, Kind: kind}, Alloc: b.Allocation}
	x.Address = [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp, mem.AddressClamp}
	switch geom {
	case "1d", "a1d":
		l.Height, l.Slice = 0, l.Pitch*texSide
	case "3d":
		l.Depth = texSlices
	}
	if geom[0] == 'a' || geom == "cube" {
		x.Layers = texSlices
		x.Cube = strings.HasSuffix(geom, "cube")
	}
	x.Levels = []mem.TextureLevel{l}
	im := &image{b, x, arena.Textures.NewHandle()}
	arena.Textures.Set(im.handle, x)
	t.Cleanup(func() { arena.Textures.Set(im.handle, nil) })
	return im
}

// spot is the texel that a lane reads.
func spot(geom string, lane int) (x, y, s int) {
	x, y, s = lane%texSide, lane/texSide%texSide, lane%texSlices
	switch geom {
	case "1d":
		return x, 0, 0
	case "a1d":
		return x, 0, s
	case "2d":
		return x, y, 0
	}
	return x, y, s
}

// coordinates are the operands that address a place on the image: texel
// (x, y, s) plus shift in x and y. Those of layers are integers.
func coordinates(geom string, lane int, shift float64, whole bool) []uint32 {
	x, y, s := spot(geom, lane)
	num := func(v float64) uint32 {
		if whole {
			return uint32(int32(v))
		}
		return math.Float32bits(float32(v))
	}
	fx, fy := float64(x)+shift, float64(y)+shift
	u, v := 2*fx/texSide-1, 2*fy/texSide-1
	direction := [][3]float64{{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}}[s]
	switch geom {
	case "1d":
		return []uint32{num(fx)}
	case "2d":
		return []uint32{num(fx), num(fy)}
	case "3d":
		return []uint32{num(fx), num(fy), num(float64(s) + shift), 0}
	case "a1d":
		return []uint32{uint32(s), num(fx)}
	case "a2d":
		return []uint32{uint32(s), num(fx), num(fy), 0}
	case "cube":
		return []uint32{num(direction[0]), num(direction[1]), num(direction[2]), 0}
	}
	return []uint32{0, num(direction[0]), num(direction[1]), num(direction[2])}
}

// texKernel loads four coordinates into %r0 to %r3 and stores %r4 to %r7. The
// image is %d5.
func texKernel(body string) string {
	start := `ld.param.u64 %d5, [k_image]; ld.param.u64 %d0, [k_in]; mul.wide.u32 %d1, %t, 16; add.u64 %d0, %d0, %d1;
ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d0]; mov.u32 %r8, 0; mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;
`
	end := "\nadd.u64 %d2, %base, %d1; st.global.v4.u32 [%d2], {%r4, %r5, %r6, %r7};"
	return withParams(simple("", start+body+end), ".param .u64 k_in, .param .u64 k_image")
}

// runTex runs the body for a warp and returns four values for each lane.
func runTex(t testing.TB, im *image, at func(lane int) []uint32, body string) []uint32 {
	t.Helper()
	in, out := newBuffer(t, 32*16), newBuffer(t, 32*16)
	for l := range 32 {
		for i, v := range at(l) {
			binary.LittleEndian.PutUint32(in.bytes()[16*l+4*i:], v)
		}
	}
	mustRun(t, launch{src: texKernel(body), params: []any{out, in, im.handle}})
	return out.u32()
}

// texVariant is a variant of a texture instruction taken apart.
type texVariant struct {
	text, mode, geom string
	dtype, ctype     string
	words            []string
}

func texVariants(op string) []texVariant {
	var list []texVariant
	for _, m := range executedVariants(op) {
		v := texVariant{text: m.text, words: strings.Split(m.text, ".")[1:]}
		for _, w := range v.words {
			switch {
			case isa.ParseType(w) != isa.TypeNone && v.dtype == "":
				v.dtype = w
			case isa.ParseType(w) != isa.TypeNone:
				v.ctype = w
			case strings.Contains(" 1d 2d 3d a1d a2d cube acube ", " "+w+" "):
				v.geom = w
			case w == "level" || w == "grad" || w == "base":
				v.mode = w
			}
		}
		list = append(list, v)
	}
	return list
}

func (v texVariant) kind() mem.TexelKind {
	switch v.dtype {
	case "u32":
		return mem.TexelUnsigned
	case "s32":
		return mem.TexelSigned
	}
	return mem.TexelFloat
}

// vector is the operand that addresses the image, or a gradient of it.
func vector(geom string, first string) string {
	list := map[string]string{"1d": "{%r0}", "2d": "{%r0, %r1}", "a1d": "{%r0, %r1}"}[geom]
	if list == "" {
		list = "{%r0, %r1, %r2, %r3}"
	}
	if first == "" {
		return list
	}
	n := map[string]int{"1d": 1, "a1d": 1, "2d": 2, "a2d": 2}[geom]
	if n == 0 {
		n = 4
	}
	return "{" + strings.TrimSuffix(strings.Repeat(first+", ", n), ", ") + "}"
}

// read is the instruction with what follows it: results become floats' bits
// or integers in %r4 to %r7.
func (v texVariant) read() string {
	tail := ""
	switch v.mode {
	case "level":
		tail = ", %r8"
	case "grad":
		tail = ", " + vector(v.geom, "%r8") + ", " + vector(v.geom, "%r8")
	}
	where := fmt.Sprintf("[%%d5, %s]%s;", vector(v.geom, ""), tail)
	switch v.dtype {
	case "f16x2":
		return v.text + " {%r4, %r6}, " + where + `
mov.b32 {%h0, %h1}, %r4; mov.b32 {%h2, %h3}, %r6;` + widenHalves
	case "f16":
		return v.text + " {%h0, %h1, %h2, %h3}, " + where + widenHalves
	}
	return v.text + " {%r4, %r5, %r6, %r7}, " + where
}

const widenHalves = `
cvt.f32.f16 %f0, %h0; cvt.f32.f16 %f1, %h1; cvt.f32.f16 %f2, %h2; cvt.f32.f16 %f3, %h3;
mov.b32 %r4, %f0; mov.b32 %r5, %f1; mov.b32 %r6, %f2; mov.b32 %r7, %f3;`

func (v texVariant) value(x, y, s, c int) uint32 {
	n := texelValue(x, y, s, c)
	if v.kind() == mem.TexelFloat {
		return math.Float32bits(float32(n))
	}
	return n
}

func TestTexVariants(t *testing.T) {
	for _, v := range texVariants("tex") {
		im := newImage(t, v.geom, v.kind(), false)
		whole := v.ctype == "s32"
		shift := 0.5
		if whole {
			shift = 0
		}
		got := runTex(t, im, func(l int) []uint32 { return coordinates(v.geom, l, shift, whole) }, v.read())
		for i, g := range got {
			x, y, s := spot(v.geom, i/4)
			if w := v.value(x, y, s, i%4); g != w {
				t.Errorf("%s: lane %d channel %d: %#x, want %#x", v.text, i/4, i%4, g, w)
				break
			}
		}
	}
}

func TestGatherVariants(t *testing.T) {
	for _, v := range texVariants("tld4") {
		im := newImage(t, v.geom, v.kind(), false)
		component := strings.Index("rgba", v.words[0])
		got := runTex(t, im, func(l int) []uint32 { return coordinates(v.geom, l, 0.99, false) }, v.read())
		for i, g := range got {
			x, y, s := spot(v.geom, i/4)
			// Counter-clockwise from the lower left; the edge is repeated.
			x, y = x+[]int{0, 1, 1, 0}[i%4], y+[]int{1, 1, 0, 0}[i%4]
			if w := v.value(min(x, texSide-1), min(y, texSide-1), s, component); g != w {
				t.Errorf("%s: lane %d texel %d: %#x, want %#x", v.text, i/4, i%4, g, w)
				break
			}
		}
	}
}

func TestTextureQueries(t *testing.T) {
	im := newImage(t, "a2d", mem.TexelFloat, false)
	im.tex.Linear, im.tex.Normalized, im.tex.Address[1] = true, true, mem.AddressMirror
	im.tex.Levels = append(im.tex.Levels, mem.TextureLevel{Base: im.Base, Width: 2, Height: 1})
	want := map[string]uint32{
		"width": 4, "height": 4, "depth": 0, "array_size": 6, "num_mipmap_levels": 2, "num_samples": 1,
		"channel_data_type": 0x10de, "channel_order": 0x10b5, "normalized_coords": 1, "force_unnormalized_coords": 0,
		"filter_mode": 1, "addr_mode_0": 1, "addr_mode_1": 2, "addr_mode_2": 1, "memory_layout": 0,
		"level.width": 2, "level.height": 1, "level.depth": 0,
	}
	for _, op := range []string{"txq", "suq"} {
		for _, m := range executedVariants(op) {
			what := strings.TrimSuffix(strings.TrimPrefix(m.text, op+"."), ".b32")
			tail := ";"
			if strings.HasPrefix(what, "level.") {
				tail = ", 1;"
			}
			got := runTex(t, im, func(int) []uint32 { return nil }, m.text+" %r4, [%d5]"+tail)
			w, ok := want[what]
			if !ok || got[0] != w || got[4*31] != w {
				t.Errorf("%s: %d, want %d", m.text, got[0], w)
			}
		}
	}
}

func TestTypeQueries(t *testing.T) {
	for _, c := range []struct {
		what    string
		surface bool
		want    uint32
	}{{"texref", false, 1}, {"texref", true, 0}, {"surfref", false, 0}, {"surfref", true, 1}, {"samplerref", false, 0}} {
		im := newImage(t, "2d", mem.TexelFloat, c.surface)
		got := runTex(t, im, func(int) []uint32 { return nil }, "istypep."+c.what+" %p1, %d5; selp.u32 %r4, 1, 0, %p1;")
		if got[0] != c.want {
			t.Errorf("istypep.%s of surface %v: %d", c.what, c.surface, got[0])
		}
	}
}

// TestTexOperands covers the offset, the predicate of residency, a scalar
// coordinate, a guard, and handles that differ from lane to lane.
func TestTexOperands(t *testing.T) {
	im := newImage(t, "2d", mem.TexelUnsigned, false)
	at := func(l int) []uint32 { return []uint32{uint32(l % 4), uint32(l / 4 % 4)} }
	got := runTex(t, im, at, "mov.u32 %r9, 1; mov.u32 %r10, -2; tex.2d.v4.u32.s32 {%r4, _, %r6, %r7}|%p1, [%d5, {%r0, %r1}], {%r9, %r10}; selp.u32 %r5, 77, 0, %p1;")
	for l := range 32 {
		x, y := min(l%4+1, 3), max(l/4%4-2, 0)
		if got[4*l] != texelValue(x, y, 0, 0) || got[4*l+1] != 77 || got[4*l+2] != texelValue(x, y, 0, 2) {
			t.Errorf("lane %d with offset: %v", l, got[4*l:4*l+4])
		}
	}
	got = runTex(t, im, at, "setp.lt.u32 %p1, %t, 8; @%p1 tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%d5, %r0];")
	for l := range 32 {
		if want := texelValue(l%4, 0, 0, 1); l < 8 && got[4*l+1] != want || l >= 8 && got[4*l+1] != 0 {
			t.Errorf("lane %d with guard: %v", l, got[4*l:4*l+4])
		}
	}
	other := newImage(t, "2d", mem.TexelUnsigned, false)
	clear(other.bytes())
	choose := fmt.Sprintf("setp.lt.u32 %%p1, %%t, 5; selp.b64 %%d5, %%d5, %d, %%p1; tex.2d.v4.u32.s32 {%%r4, %%r5, %%r6, %%r7}, [%%d5, {%%r0, %%r1}];", other.handle)
	got = runTex(t, im, at, choose)
	for l := range 32 {
		if want := texelValue(l%4, l/4%4, 0, 3); l < 5 && got[4*l+3] != want || l >= 5 && got[4*l+3] != 0 {
			t.Errorf("lane %d of two textures: %v", l, got[4*l:4*l+4])
		}
	}
}

// TestSamplers reads through samplers of the module (independent mode).
func TestSamplers(t *testing.T) {
	im := newImage(t, "1d", mem.TexelFloat, false)
	im.tex.Normalized = true
	const decls = `.global .samplerref mirrored = {addr_mode_0 = mirror, filter_mode = nearest};
.global .samplerref blended = {addr_mode_0 = clamp_to_edge, filter_mode = linear, force_unnormalized_coords = 1};
`
	for _, c := range []struct {
		sampler string
		at      func(l int) float32
		want    func(l int) float32
	}{
		{"mirrored", func(l int) float32 { return (float32(l) + 0.5) / texSide }, func(l int) float32 {
			return float32(4 * min(l%8, 7-l%8))
		}},
		{"blended", func(l int) float32 { return float32(l) + 1 }, func(l int) float32 { return min(float32(4*l)+2, 12) }},
	} {
		in, out := newBuffer(t, 32*16), newBuffer(t, 32*16)
		for l := range 32 {
			binary.LittleEndian.PutUint32(in.bytes()[16*l:], math.Float32bits(c.at(l)))
		}
		src := texKernel("tex.1d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%d5, " + c.sampler + ", {%r0}];")
		mustRun(t, launch{src: strings.Replace(src, ".visible", decls+".visible", 1), params: []any{out, in, im.handle}})
		for l := range 32 {
			if g, w := math.Float32frombits(out.u32()[4*l]), c.want(l); g != w {
				t.Errorf("%s: lane %d: %g, want %g", c.sampler, l, g, w)
			}
		}
	}
}

func texFault(t *testing.T, im *image, at func(int) []uint32, body string, kind trace.FaultKind) *trace.Fault {
	t.Helper()
	in, out := newBuffer(t, 32*16), newBuffer(t, 32*16)
	for l := range 32 {
		for i, v := range at(l) {
			binary.LittleEndian.PutUint32(in.bytes()[16*l+4*i:], v)
		}
	}
	return mustFault(t, launch{src: texKernel(body), params: []any{out, in, im.handle}}, kind)
}

// TestTextureFaults covers handles that stand for nothing, or for what the
// instruction cannot use, and memory that is gone.
func TestTextureFaults(t *testing.T) {
	at := func(l int) []uint32 { return []uint32{uint32(l), 0} }
	const read = "tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%d5, {%r0}];"
	for _, c := range []struct {
		name, body, want string
		surface          bool
		change           func(*image)
	}{
		{"no handle", read, "not a texture object", false, func(im *image) { im.handle = 1 << 40 }},
		{"destroyed", read, "destroyed", false, func(im *image) { arena.Textures.Set(im.handle, nil) }},
		{"a surface", read, "used as a texture", true, func(*image) {}},
		{"a texture", "suld.b.1d.b32.trap %r4, [%d5, {%r0}];", "used as a surface", false, func(*image) {}},
		{"no cubemap", "tex.cube.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%d5, {%r0, %r0, %r0, %r0}];", "no cubemap", false, func(*image) {}},
		{"freed array", read, "whose CUDA array is freed", false, func(im *image) {
			al, _ := arena.Alloc(64, 0, mem.Device, "")
			im.tex.Alloc, im.tex.Levels[0].Base = al, al.Base
			arena.Free(al.Base)
		}},
		{"beyond memory", read, "out of bounds", false, func(im *image) {
			im.tex.Kind, im.tex.Alloc, im.tex.Levels[0].Width = mem.TextureLinear, nil, 1000
			im.tex.Levels[0].Base = im.End() - 64
		}},
	} {
		im := newImage(t, "1d", mem.TexelUnsigned, c.surface)
		c.change(im)
		f := texFault(t, im, at, c.body, trace.FaultOutOfBounds)
		if !strings.Contains(f.Message, c.want) {
			t.Errorf("%s: %s", c.name, f.Message)
		}
		if c.name == "beyond memory" && f.Mask != 0xffff_fff0 {
			t.Errorf("%s: lanes %#x", c.name, f.Mask)
		}
	}
}

// TestLinearMemory reads beyond a texture of linear memory, which gives 0.
func TestLinearMemory(t *testing.T) {
	im := newImage(t, "1d", mem.TexelUnsigned, false)
	im.tex.Kind, im.tex.Alloc = mem.TextureLinear, nil
	got := runTex(t, im, func(l int) []uint32 { return []uint32{uint32(int32(l - 3))} }, "tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%d5, {%r0}];")
	for l := range 32 {
		want := uint32(0)
		if l >= 3 && l < 3+texSide {
			want = texelValue(l-3, 0, 0, 1)
		}
		if got[4*l+1] != want {
			t.Errorf("texel %d: %d, want %d", l-3, got[4*l+1], want)
		}
	}
}

// TestTextureEvents wants an access for each texel that a linear filter
// blends, at the texel's place in memory.
func TestTextureEvents(t *testing.T) {
	im := newImage(t, "1d", mem.TexelFloat, false)
	im.tex.Linear = true
	r := &recorder{blocks: map[uint64]string{}}
	in, out := newBuffer(t, 32*16), newBuffer(t, 32*16)
	for l := range 32 {
		binary.LittleEndian.PutUint32(in.bytes()[16*l:], math.Float32bits(float32(l)))
	}
	body := "setp.eq.u32 %p1, %t, 2; @%p1 tex.1d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%d5, {%r0}];"
	mustRun(t, launch{src: texKernel(body), params: []any{out, in, im.handle}, observers: []*trace.Observer{r.observer()}})
	for _, x := range []uint64{1, 2} {
		if want := fmt.Sprintf("global warp 0 0x4 %#x\n", im.Base+16*x); strings.Count(r.blocks[0], want) != 1 {
			t.Errorf("texel %d: no event %q in\n%s", x, want, r.blocks[0])
		}
	}
}
