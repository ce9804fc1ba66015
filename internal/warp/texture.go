package warp

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// exec implements Step: it does op for the lanes of one handle at a time.
func (w textureUnit) exec(op *program.Tex, m uint32) bool {
	if op.Op == program.TexIsType {
		w.textures().isType(op, m)
		return true
	}
	for m != 0 {
		handle := w.v64(op.Handle)[lowest(m)&31]
		same := failing(m, func(l int) bool { return w.v64(op.Handle)[l] == handle })
		tex, ok := w.textures().findTexture(op, handle, same)
		if !ok || !w.textures().textureOf(op, tex, same) {
			return false
		}
		m &^= same
	}
	return true
}

func (w textureUnit) textureOf(op *program.Tex, tex *mem.Texture, m uint32) bool {
	switch op.Op {
	case program.TexSample, program.TexGather:
		w.Reads++
		if op.Sampler != nil {
			tex = op.Sampler.Apply(tex)
		}
		return w.readTexture(op, tex, m)
	case program.TexQuery:
		v := queryTexture(tex, op.Query, w.queryLevel(op, m))
		for b := m; b != 0; b &= b - 1 {
			w.setLane(op.Dst[0], alu.W32, lowest(b), uint64(v))
		}
		return true
	}
	return w.surface(op, tex, m)
}

// findTexture looks a handle up and checks that the instruction can use it.
func (w textureUnit) findTexture(op *program.Tex, handle uint64, m uint32) (*mem.Texture, bool) {
	arena := w.Env.Arena
	tex := arena.Textures.Get(handle)
	what, surface := "texture", op.Op >= program.SurfLoad
	if surface {
		what = "surface"
	}
	switch {
	case tex == nil:
		msg := fmt.Sprintf("%#x is not a %s object, or it was destroyed", handle, what)
		if al := arena.Find(handle); al != nil && al.Base == handle && al.Kind == mem.Symbol {
			msg = fmt.Sprintf("%s reference %s is not bound to memory", what, al.Name)
		}
		return nil, w.textureFault(op, m, handle, msg)
	case op.Op != program.TexQuery && tex.Surface != surface:
		return nil, w.textureFault(op, m, handle, tex.Name+" is used as a "+what)
	case tex.Alloc != nil && arena.Find(tex.Alloc.Base) != tex.Alloc:
		w.textureFault(op, m, tex.Alloc.Base, fmt.Sprintf("%s through %s, whose CUDA array is freed", op.Sites[0].Kind, tex.Name))
		w.Env.Fault.Cause = trace.CauseFreed
		w.Env.Fault.Notes = append(w.Env.Fault.Notes, "the array came from "+tex.Alloc.Where)
		return nil, false
	case op.Cube && !tex.Cube:
		return nil, w.textureFault(op, m, handle, tex.Name+" is no cubemap")
	case tex.Alloc != nil:
		w.Env.cached = tex.Alloc
	}
	return tex, true
}

func (w textureUnit) textureFault(op *program.Tex, m uint32, addr uint64, msg string) bool {
	site := op.Sites[0]
	f := w.fault(trace.FaultOutOfBounds, trace.CauseTexture, site, m, "%s", msg)
	f.Space, f.Access, f.Addr, f.Size = trace.SpaceGlobal, site.Kind, addr, site.Size
	return false
}

// readTexture samples lane by lane, and tells the observers which texels were
// read.
func (w textureUnit) readTexture(op *program.Tex, tex *mem.Texture, m uint32) bool {
	s := sampler{tex: tex, dims: op.Dims, valid: func(uint64) bool { return true }, hits: w.Env.hits[:0]}
	if tex.Alloc == nil {
		size := tex.Format.Bytes()
		s.valid = func(a uint64) bool { return w.readable(a, size) }
	}
	var ends [32]int
	var bad uint32
	for b := m; b != 0; b &= b - 1 {
		l := lowest(b) & 31
		p := w.texPoint(op, tex, l)
		var v texel
		if op.Op == program.TexGather {
			v = s.gather(&p, op.Component)
		} else {
			v = s.sample(&p)
		}
		if s.failed {
			bad |= 1 << l
			s.failed = false
		}
		ends[l] = len(s.hits)
		w.setTexel(op, l, v)
	}
	w.Env.hits = s.hits
	w.count(texSite(op, tex), trace.SpaceGlobal)
	if bad != 0 {
		return w.beyondTexture(op, tex, bad, s.bad)
	}
	if w.Env.On.Global != nil || w.Env.MarksWritten {
		w.emitTexels(op, tex, m, &ends)
	}
	return true
}

// readable reports whether size bytes at addr lie in an allocation.
func (w textureUnit) readable(addr, size uint64) bool {
	if al := w.Env.cached; al != nil && al.Contains(addr) && size <= al.End()-addr {
		return true
	}
	al := w.Env.Arena.Find(addr)
	if al == nil || size > al.End()-addr {
		return false
	}
	w.Env.cached = al
	return true
}

// beyondTexture records that lanes m read a texture of linear memory where no
// allocation is any more, or never was; addr is where the first does.
func (w textureUnit) beyondTexture(op *program.Tex, tex *mem.Texture, m uint32, addr uint64) bool {
	size := tex.Format.Bytes()
	f := w.fault(trace.FaultOutOfBounds, trace.CauseOutside, texSite(op, tex), m, "")
	f.Space, f.Addr, f.Size = trace.SpaceGlobal, addr, int(size)
	w.locate(f, addr)
	f.Message = fmt.Sprintf("read of %d bytes at %#x through %s is out of bounds", size, addr, tex.Name)
	if f.Cause == trace.CauseFreed {
		f.Message = fmt.Sprintf("read of %d bytes at %#x through %s, in freed memory", size, addr, tex.Name)
	}
	f.Notes = append(f.Notes, describeAddress(w.Env.Arena, addr, size))
	return false
}

// site is the instruction's site for texels of tex.
func texSite(op *program.Tex, tex *mem.Texture) *trace.Site {
	i := 0
	for n := tex.Format.Bytes(); n > 1; n >>= 1 {
		i++
	}
	return op.Sites[min(i, program.TexSizes-1)]
}

// emitTexels sends an event for the first texel that each lane read, one for
// the second, and so on. ends tells where a lane's texels end in Env.hits.
func (w textureUnit) emitTexels(op *program.Tex, tex *mem.Texture, m uint32, ends *[32]int) {
	site, addr := texSite(op, tex), &w.Env.addr
	for k := 0; ; k++ {
		var some uint32
		start := 0
		for b := m; b != 0; b &= b - 1 {
			l := lowest(b) & 31
			if start+k < ends[l] {
				some |= 1 << l
				addr[l] = w.Env.hits[start+k]
			}
			start = ends[l]
		}
		if some == 0 {
			return
		}
		w.touch(&program.Mem{Site: site}, some, addr)
	}
}

// touch tells the observers that lanes m access texels in memory.
func (w *Warp) touch(op *program.Mem, m uint32, addr *row64) {
	env := w.Env
	env.span.measure(addr, m)
	if env.MarksWritten {
		env.undefining.found.Mask = 0
		w.initialize(op, m, addr, &env.span, uint64(op.Site.Size))
		w.taints().followTexels(op, m, addr)
	}
	if env.On.Global != nil {
		w.emit(op, trace.SpaceGlobal, m, addr, &env.span, env.On.Global)
	}
}

// texPoint collects the operands of lane l.
func (w textureUnit) texPoint(op *program.Tex, tex *mem.Texture, l int) texPoint {
	p := texPoint{whole: op.Whole}
	for d := range 3 {
		p.at[d] = w.texCoord(op.Coords[d], l, op.Whole)
		if s := op.Offset[d]; s != program.NoSlot {
			p.offset[d] = int32(w.v32(s)[l])
		}
	}
	if op.Layered {
		p.layer = w.v32(op.Layer)[l]
	}
	direction := p.at
	if op.Cube {
		cubeFace(&p)
	}
	switch {
	case op.Level != program.NoSlot:
		p.level = w.texCoord(op.Level, l, op.Whole)
	case op.DX[0] != program.NoSlot:
		scale := texelScale(tex, op.Dims)
		if op.Cube {
			scale = cubeScale(tex, direction)
		}
		p.level = gradientLevel(scale, w.texCoords(&op.DX, l), w.texCoords(&op.DY, l))
	}
	return p
}

func (w textureUnit) texCoords(slots *[3]int32, l int) (v [3]float64) {
	for d := range v {
		v[d] = w.texCoord(slots[d], l, false)
	}
	return v
}

func (w textureUnit) texCoord(slot int32, l int, whole bool) float64 {
	if slot == program.NoSlot {
		return 0
	}
	if whole {
		return float64(int32(w.v32(slot)[l]))
	}
	return float64(math.Float32frombits(w.v32(slot)[l]))
}

// setTexel writes the results of lane l.
func (w textureUnit) setTexel(op *program.Tex, l int, v texel) {
	if op.Half {
		for c := range v {
			v[c] = uint32(floatToHalf(math.Float32frombits(v[c])))
		}
	}
	if op.Packed {
		v[0], v[1] = v[0]|v[1]<<16, v[2]|v[3]<<16
	}
	for c, slot := range op.Dst {
		w.setLane(slot, alu.W32, l, uint64(v[c]))
	}
	w.setLane(op.Resident, alu.Pred, l, 1)
}

// isType answers istypep. No handle stands for a sampler of its own.
func (w textureUnit) isType(op *program.Tex, m uint32) {
	for b := m; b != 0; b &= b - 1 {
		l := lowest(b) & 31
		t := w.Env.Arena.Textures.Get(w.v64(op.Handle)[l])
		is := t != nil && (op.Query == "texref" && !t.Surface || op.Query == "surfref" && t.Surface)
		w.setLane(op.Resident, alu.Pred, l, uint64(bit(is)))
	}
}

// queryLevel is the level that txq.level asks about.
func (w textureUnit) queryLevel(op *program.Tex, m uint32) int {
	if op.Level == program.NoSlot {
		return 0
	}
	return int(int32(w.v32(op.Level)[lowest(m)&31]))
}

// queryTexture answers txq and suq. Enumerations have the values of the CUDA
// runtime's, those of channels OpenCL's (PTX ISA, "Channel Data Type and
// Channel Order Fields").
func queryTexture(t *mem.Texture, what string, level int) uint32 {
	l := &t.Levels[min(max(level, 0), len(t.Levels)-1)]
	switch what {
	case "width":
		return l.Width
	case "height":
		return l.Height
	case "depth":
		return l.Depth
	case "array_size":
		if t.Cube {
			return t.Layers / 6
		}
		return t.Layers
	case "num_mipmap_levels":
		return uint32(len(t.Levels))
	case "num_samples":
		return 1
	case "normalized_coords":
		return bit(t.Normalized)
	case "filter_mode":
		return bit(t.Linear)
	case "addr_mode_0", "addr_mode_1", "addr_mode_2":
		return uint32(t.Address[what[len(what)-1]-'0'])
	case "channel_data_type":
		return channelType(t)
	case "channel_order":
		return [...]uint32{1: 0x10b0, 2: 0x10b2, 4: 0x10b5}[t.Format.Channels]
	case "memory_layout":
		return bit(t.Alloc == nil)
	}
	return 0
}

// channelType is OpenCL's number of the channels' type.
func channelType(t *mem.Texture) uint32 {
	size := uint32(t.Format.Bits / 16) // 0, 1, 2
	switch {
	case t.Format.Kind == mem.TexelFloat:
		return 0x10dd + size - 1
	case promotes(t) && t.Format.Kind == mem.TexelSigned:
		return 0x10d0 + size
	case promotes(t):
		return 0x10d2 + size
	case t.Format.Kind == mem.TexelSigned:
		return 0x10d7 + size
	}
	return 0x10da + size
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// at64 is an address of the arena as a pointer.
func at64(addr uint64) unsafe.Pointer { return unsafe.Add(nil, uintptr(addr)) }
