package texture

import (
	"fmt"
	"math"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Exec does op for lanes m, the lanes of one handle at a time. It returns false after a fault.
func (u *Unit) Exec(w Warp, regs *vec.Registers, did *vec.Activity, op *program.Tex, m uint32) bool {
	u.warp, u.regs, u.did = w, regs, did
	if op.Op == program.TexIsType {
		u.isType(op, m)
		return true
	}
	for m != 0 {
		handle := regs.V64(op.Handle)[vec.Lowest(m)&31]
		same := vec.Failing(m, func(l int) bool { return regs.V64(op.Handle)[l] == handle })
		tex, ok := u.findTexture(op, handle, same)
		if !ok || !u.textureOf(op, tex, same) {
			return false
		}
		m &^= same
	}
	return true
}

func (u *Unit) textureOf(op *program.Tex, tex *mem.Texture, m uint32) bool {
	switch op.Op {
	case program.TexSample, program.TexGather:
		u.did.Reads++
		if op.Sampler != nil {
			tex = op.Sampler.Apply(tex)
		}
		return u.readTexture(op, tex, m)
	case program.TexQuery:
		v := queryTexture(tex, op.Query, u.queryLevel(op, m))
		for b := m; b != 0; b &= b - 1 {
			u.regs.SetLane(op.Dst[0], alu.W32, vec.Lowest(b), uint64(v))
		}
		return true
	}
	return u.surface(op, tex, m)
}

// findTexture looks a handle up and checks that the instruction can use it.
func (u *Unit) findTexture(op *program.Tex, handle uint64, m uint32) (*mem.Texture, bool) {
	arena := u.warp.Memory()
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
		return nil, u.refuse(op, m, handle, msg)
	case op.Op != program.TexQuery && tex.Surface != surface:
		return nil, u.refuse(op, m, handle, tex.Name+" is used as a "+what)
	case tex.Alloc != nil && arena.Find(tex.Alloc.Base) != tex.Alloc:
		f := u.fault(op, m, tex.Alloc.Base, fmt.Sprintf("%s through %s, whose CUDA array is freed", op.Sites[0].Kind, tex.Name))
		f.Cause = trace.CauseFreed
		f.Notes = append(f.Notes, "the array came from "+tex.Alloc.Where)
		return nil, false
	case op.Cube && !tex.Cube:
		return nil, u.refuse(op, m, handle, tex.Name+" is no cubemap")
	case tex.Alloc != nil: // its texels are looked at next
		u.warp.Allocation(tex.Alloc.Base, 1)
	}
	return tex, true
}

// refuse records that lanes m cannot use a texture.
func (u *Unit) refuse(op *program.Tex, m uint32, addr uint64, msg string) bool {
	u.fault(op, m, addr, msg)
	return false
}

func (u *Unit) fault(op *program.Tex, m uint32, addr uint64, msg string) *trace.Fault {
	site := op.Sites[0]
	f := u.warp.Fault(trace.FaultOutOfBounds, trace.CauseTexture, site, m, "%s", msg)
	f.Space, f.Access, f.Addr, f.Size = trace.SpaceGlobal, site.Kind, addr, site.Size
	return f
}

// readTexture samples lane by lane, and tells the observers which texels were
// read.
func (u *Unit) readTexture(op *program.Tex, tex *mem.Texture, m uint32) bool {
	s := sampler{tex: tex, dims: op.Dims, valid: func(uint64) bool { return true }, hits: u.hits[:0]}
	if tex.Alloc == nil {
		size := tex.Format.Bytes()
		s.valid = func(a uint64) bool { return u.warp.Allocation(a, size) != nil }
	}
	var ends [32]int
	var bad uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		p := u.texPoint(op, tex, l)
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
		u.setTexel(op, l, v)
	}
	u.hits = s.hits
	u.warp.Count(texSite(op, tex), trace.SpaceGlobal)
	if bad != 0 {
		return u.beyondTexture(op, tex, bad, s.bad)
	}
	u.tellTexels(op, tex, m, &ends)
	return true
}

// beyondTexture records that lanes m read a texture of linear memory where no
// allocation is any more, or never was; addr is where the first does.
func (u *Unit) beyondTexture(op *program.Tex, tex *mem.Texture, m uint32, addr uint64) bool {
	size := tex.Format.Bytes()
	f := u.warp.Fault(trace.FaultOutOfBounds, trace.CauseOutside, texSite(op, tex), m, "")
	f.Space, f.Addr, f.Size = trace.SpaceGlobal, addr, int(size)
	where := u.warp.Locate(f, addr, size)
	f.Message = fmt.Sprintf("read of %d bytes at %#x through %s is out of bounds", size, addr, tex.Name)
	if f.Cause == trace.CauseFreed {
		f.Message = fmt.Sprintf("read of %d bytes at %#x through %s, in freed memory", size, addr, tex.Name)
	}
	f.Notes = append(f.Notes, where)
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

// tellTexels reports the first texel that each lane read, then of the second, and so on.
// ends tells where a lane's texels end in u.hits.
func (u *Unit) tellTexels(op *program.Tex, tex *mem.Texture, m uint32, ends *[32]int) {
	if !u.warp.Watched() {
		return
	}
	site, addr := texSite(op, tex), &u.addr
	for k := 0; ; k++ {
		var some uint32
		start := 0
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			if start+k < ends[l] {
				some |= 1 << l
				addr[l] = u.hits[start+k]
			}
			start = ends[l]
		}
		if some == 0 {
			return
		}
		u.warp.Touch(&program.Mem{Site: site}, some, addr, nil)
	}
}

// texPoint collects the operands of lane l.
func (u *Unit) texPoint(op *program.Tex, tex *mem.Texture, l int) texPoint {
	p := texPoint{whole: op.Whole}
	for d := range 3 {
		p.at[d] = u.texCoord(op.Coords[d], l, op.Whole)
		if s := op.Offset[d]; s != program.NoSlot {
			p.offset[d] = int32(u.regs.V32(s)[l])
		}
	}
	if op.Layered {
		p.layer = u.regs.V32(op.Layer)[l]
	}
	direction := p.at
	if op.Cube {
		cubeFace(&p)
	}
	switch {
	case op.Level != program.NoSlot:
		p.level = u.texCoord(op.Level, l, op.Whole)
	case op.DX[0] != program.NoSlot:
		scale := texelScale(tex, op.Dims)
		if op.Cube {
			scale = cubeScale(tex, direction)
		}
		p.level = gradientLevel(scale, u.texCoords(&op.DX, l), u.texCoords(&op.DY, l))
	}
	return p
}

func (u *Unit) texCoords(slots *[3]int32, l int) (v [3]float64) {
	for d := range v {
		v[d] = u.texCoord(slots[d], l, false)
	}
	return v
}

func (u *Unit) texCoord(slot int32, l int, whole bool) float64 {
	if slot == program.NoSlot {
		return 0
	}
	if whole {
		return float64(int32(u.regs.V32(slot)[l]))
	}
	return float64(math.Float32frombits(u.regs.V32(slot)[l]))
}

// setTexel writes the results of lane l.
func (u *Unit) setTexel(op *program.Tex, l int, v texel) {
	if op.Half {
		for c := range v {
			v[c] = uint32(floatToHalf(math.Float32frombits(v[c])))
		}
	}
	if op.Packed {
		v[0], v[1] = v[0]|v[1]<<16, v[2]|v[3]<<16
	}
	for c, slot := range op.Dst {
		u.regs.SetLane(slot, alu.W32, l, uint64(v[c]))
	}
	u.regs.SetLane(op.Resident, alu.Pred, l, 1)
}

// isType answers istypep. No handle stands for a sampler of its own.
func (u *Unit) isType(op *program.Tex, m uint32) {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		t := u.warp.Memory().Textures.Get(u.regs.V64(op.Handle)[l])
		is := t != nil && (op.Query == "texref" && !t.Surface || op.Query == "surfref" && t.Surface)
		u.regs.SetLane(op.Resident, alu.Pred, l, uint64(vec.Bool32(is)))
	}
}

// queryLevel is the level that txq.level asks about.
func (u *Unit) queryLevel(op *program.Tex, m uint32) int {
	if op.Level == program.NoSlot {
		return 0
	}
	return int(int32(u.regs.V32(op.Level)[vec.Lowest(m)&31]))
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
		return vec.Bool32(t.Normalized)
	case "filter_mode":
		return vec.Bool32(t.Linear)
	case "addr_mode_0", "addr_mode_1", "addr_mode_2":
		return uint32(t.Address[what[len(what)-1]-'0'])
	case "channel_data_type":
		return channelType(t)
	case "channel_order":
		return [...]uint32{1: 0x10b0, 2: 0x10b2, 4: 0x10b5}[t.Format.Channels]
	case "memory_layout":
		return vec.Bool32(t.Alloc == nil)
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
