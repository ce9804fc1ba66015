package texture

import (
	"math"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// texPoint is where a lane reads a texture.
type texPoint struct {
	// at are the coordinates x, y and z, whole if they are integers.
	at [3]float64
	// whole is set if the instruction has integer coordinates, which are
	// texels whatever the sampler says.
	whole  bool
	offset [3]int32
	// layer is the index of a layered texture; face that of a cubemap, if cube
	// says that the coordinates are on one.
	layer, face uint32
	cube        bool
	level       float64
}

// sampler reads one texture for one lane after the other. The addresses of
// the texels that the present lane needs are noted in hits.
type sampler struct {
	tex  *mem.Texture
	dims int
	// valid reports whether a texel's address may be read.
	valid func(addr uint64) bool
	hits  []uint64
	// bad is the first address that may not be read, 0 for none; failed says
	// that the present lane met one.
	bad    uint64
	failed bool
}

// axis is the part of a footprint in one dimension: texels lo and hi, which
// are -1 beyond the border, and the weight of hi in 1/256.
type axis struct {
	lo, hi int64
	weight float64
}

// place computes the footprint in dimension d, which has n texels ("CUDA C++
// Programming Guide", "Texture Fetching"). The weight has 8 bits of fraction,
// as the guide says of the hardware.
func (s *sampler) place(p *texPoint, d int, n uint32, linear bool) axis {
	n = max(n, 1)
	t := s.tex
	x := p.at[d]
	mode := t.Address[d]
	switch {
	case p.cube:
		x, mode = float64(float32(x)*float32(n)), mem.AddressClamp
	case t.Normalized && !p.whole:
		x = float64(float32(x) * float32(n))
	case mode == mem.AddressWrap || mode == mem.AddressMirror:
		mode = mem.AddressClamp // these need normalized coordinates
	}
	if t.Kind == mem.TextureLinear && p.whole {
		mode = mem.AddressBorder // reads beyond linear memory give 0
	}
	if math.IsNaN(x) {
		x = 0
	}
	x = min(max(x, -1<<40), 1<<40) + float64(p.offset[d])
	if !linear {
		i := int64(math.Floor(x))
		return axis{lo: inRange(i, int64(n), mode)}
	}
	x -= 0.5
	i := math.Floor(x)
	w := math.Floor((x-i)*256 + 0.5)
	return axis{inRange(int64(i), int64(n), mode), inRange(int64(i)+1, int64(n), mode), w}
}

// inRange applies an address mode to texel i of n; -1 is the border.
func inRange(i, n int64, mode mem.AddressMode) int64 {
	if i >= 0 && i < n {
		return i
	}
	switch mode {
	case mem.AddressWrap:
		return ((i % n) + n) % n
	case mem.AddressMirror:
		if i = ((i % (2 * n)) + 2*n) % (2 * n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	case mem.AddressBorder:
		return -1
	}
	return min(max(i, 0), n-1)
}

// fetch reads one texel of a level.
func (s *sampler) fetch(l *mem.TextureLevel, p *texPoint, x, y, z int64) texel {
	if x < 0 || y < 0 || z < 0 {
		if s.tex.Kind == mem.TextureLinear {
			return texel{}
		}
		return borderTexel(s.tex)
	}
	if s.tex.Layers > 0 {
		z = int64(s.slice(p))
	}
	addr := l.Base + uint64(z)*l.Slice + uint64(y)*l.Pitch + uint64(x)*s.tex.Format.Bytes()
	if !s.valid(addr) {
		if s.failed = true; s.bad == 0 {
			s.bad = addr
		}
		return texel{}
	}
	s.hits = append(s.hits, addr)
	return readTexel(s.tex, addr)
}

// slice is the layer or face that a lane reads; a layer out of range is
// clamped.
func (s *sampler) slice(p *texPoint) uint32 {
	if !p.cube {
		return min(p.layer, s.tex.Layers-1)
	}
	return min(p.layer, s.tex.Layers/6-1)*6 + p.face
}

// extents are the sizes of a level in its first dims dimensions.
func extents(l *mem.TextureLevel, dims int) []uint32 {
	return []uint32{l.Width, l.Height, l.Depth}[:dims]
}

// level reads one level of the texture.
func (s *sampler) level(l *mem.TextureLevel, p *texPoint) texel {
	linear := s.tex.Linear && !p.whole && floats(s.tex)
	var a [3]axis
	for d, n := range extents(l, s.dims) {
		a[d] = s.place(p, d, n, linear)
	}
	if !linear {
		return s.fetch(l, p, a[0].lo, a[1].lo, a[2].lo)
	}
	var sum [4]float64
	for k := range 1 << s.dims {
		w := 1.0
		at := [3]int64{}
		for d := range s.dims {
			if k>>d&1 == 0 {
				at[d] = a[d].lo
				w *= (256 - a[d].weight) / 256
			} else {
				at[d] = a[d].hi
				w *= a[d].weight / 256
			}
		}
		if w > 0 {
			v := s.fetch(l, p, at[0], at[1], at[2])
			for c := range sum {
				sum[c] += w * float64(math.Float32frombits(v[c]))
			}
		}
	}
	return toTexel(sum)
}

func toTexel(v [4]float64) (t texel) {
	for c, x := range v {
		t[c] = math.Float32bits(float32(x))
	}
	return t
}

// sample reads the texture at p: it chooses the level and, with linear
// filtering between levels, blends two.
func (s *sampler) sample(p *texPoint) texel {
	t := s.tex
	last := float64(len(t.Levels) - 1)
	lod := p.level
	if t.Kind == mem.TextureMipmapped {
		lod = min(max(lod+float64(t.LevelBias), float64(t.LevelMin)), float64(t.LevelMax))
	}
	lod = min(max(lod, 0), last)
	if math.IsNaN(lod) {
		lod = 0
	}
	if !t.LinearMip || !floats(t) {
		return s.level(&t.Levels[int(math.Ceil(lod-0.5))], p)
	}
	i := math.Floor(lod)
	w := math.Floor((lod-i)*256+0.5) / 256
	low := s.level(&t.Levels[int(i)], p)
	if w == 0 {
		return low
	}
	high := s.level(&t.Levels[int(i)+1], p)
	var sum [4]float64
	for c := range sum {
		sum[c] = (1-w)*float64(math.Float32frombits(low[c])) + w*float64(math.Float32frombits(high[c]))
	}
	return toTexel(sum)
}

// gather reads component c of the four texels that a linear filter would
// blend, counter-clockwise from the lower left (PTX ISA, "tld4").
func (s *sampler) gather(p *texPoint, c int) texel {
	l := &s.tex.Levels[0]
	x, y := s.place(p, 0, l.Width, true), s.place(p, 1, l.Height, true)
	return texel{
		s.fetch(l, p, x.lo, y.hi, 0)[c], s.fetch(l, p, x.hi, y.hi, 0)[c],
		s.fetch(l, p, x.hi, y.lo, 0)[c], s.fetch(l, p, x.lo, y.lo, 0)[c],
	}
}

// cubeFace turns a direction into a face and normalized coordinates on it
// ("CUDA C++ Programming Guide", "Cubemap Textures").
func cubeFace(p *texPoint) {
	x, y, z := p.at[0], p.at[1], p.at[2]
	var m, s, t float64
	switch ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z); {
	case ax >= ay && ax >= az:
		p.face, m, s, t = 0, ax, -z, -y
		if math.Signbit(x) {
			p.face, s = 1, z
		}
	case ay >= az:
		p.face, m, s, t = 2, ay, x, z
		if math.Signbit(y) {
			p.face, t = 3, -z
		}
	default:
		p.face, m, s, t = 4, az, x, -y
		if math.Signbit(z) {
			p.face, s = 5, -x
		}
	}
	if m == 0 {
		m = 1
	}
	p.cube = true
	p.at = [3]float64{(s/m + 1) / 2, (t/m + 1) / 2, 0}
}

// texelScale is how many texels of level 0 a coordinate of 1 spans.
func texelScale(t *mem.Texture, dims int) (scale [3]float64) {
	for d, n := range extents(&t.Levels[0], dims) {
		scale[d] = 1
		if t.Normalized {
			scale[d] = float64(max(n, 1))
		}
	}
	return scale
}

// cubeScale is the same for a direction: a face spans twice its major axis.
func cubeScale(t *mem.Texture, at [3]float64) [3]float64 {
	m := max(math.Abs(at[0]), math.Abs(at[1]), math.Abs(at[2]))
	if m == 0 {
		m = 1
	}
	n := float64(t.Levels[0].Width) / (2 * m)
	return [3]float64{n, n, n}
}

// gradientLevel is the level of detail for the coordinates' derivatives in x
// and y: the logarithm of the longer one in texels, without anisotropy.
func gradientLevel(scale, dx, dy [3]float64) float64 {
	var x, y float64
	for d, s := range scale {
		x += dx[d] * dx[d] * s * s
		y += dy[d] * dy[d] * s * s
	}
	if r := max(x, y); r > 0 {
		return math.Log2(r) / 2
	}
	return math.Inf(-1)
}
