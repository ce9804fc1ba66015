package host

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// doTexture makes a texture or surface object, or binds a reference whose
// variable has the address that the request names. It answers the handle.
func (p *process) doTexture(q *request, in *protocol.Texture, r *reply, out *protocol.TextureReply) {
	handle, alloc, t := in.Handle, uint64(in.Array), textureOf(in)
	if msg := p.checkTexture(handle, alloc, t); msg != "" {
		p.misuse(q, r, ErrorInvalidValue, "%s", msg)
		return
	}
	what := kindOf(t.Surface)
	arena := p.s.cfg.Arena
	if handle == 0 {
		handle = arena.Textures.NewHandle()
		t.Name = fmt.Sprintf("%s object %d", what, handle)
	} else {
		t.Name = fmt.Sprintf("%s reference %s", what, arena.Find(handle).Name)
	}
	arena.Textures.Set(handle, t)
	p.textures[handle] = q.device
	out.Handle = handle
}

func kindOf(surface bool) string {
	if surface {
		return "surface"
	}
	return "texture"
}

// textureOf is the texture that a request describes.
func textureOf(in *protocol.Texture) *mem.Texture {
	t := &mem.Texture{Surface: in.Surface, Kind: mem.TextureKind(in.Kind), Cube: in.Cube, Layers: in.Layers,
		Format: mem.TexelFormat{Channels: int(in.Channels), Bits: int(in.Bits), Kind: mem.TexelKind(in.Format)},
		Sampler: mem.Sampler{Linear: in.Linear, LinearMip: in.LinearMip, Normalized: in.Normalized,
			NormalizedFloat: in.NormalizedFloat, SRGB: in.SRGB, Border: in.Border,
			LevelBias: in.LevelBias, LevelMin: in.LevelMin, LevelMax: in.LevelMax}}
	for i, mode := range in.Address {
		t.Address[i] = mem.AddressMode(mode)
	}
	for _, l := range in.Levels {
		t.Levels = append(t.Levels, mem.TextureLevel{Base: uint64(l.Base), Width: l.Width, Height: l.Height, Depth: l.Depth,
			Pitch: l.Pitch, Slice: l.Slice})
	}
	return t
}

// checkTexture checks what the program can get wrong and what the shim
// must not; it returns "" or one line.
func (p *process) checkTexture(handle, alloc uint64, t *mem.Texture) string {
	arena := p.s.cfg.Arena
	if handle != 0 {
		if al := arena.Find(handle); al == nil || al.Base != handle || al.Kind != mem.Symbol {
			return "the reference is not a variable of a module"
		}
	}
	switch {
	case !t.Format.Valid() || t.Kind > mem.TexturePitch2D:
		return "textures do not support the channel format"
	case t.Surface && alloc == 0:
		return "a surface needs a CUDA array"
	case slices.Max(t.Address[:]) > mem.AddressBorder:
		return "textures do not support the address mode"
	case slices.ContainsFunc(t.Levels, func(l mem.TextureLevel) bool { return l.Width == 0 }):
		return "a level of the texture has no texels"
	case t.Cube && (t.Layers == 0 || t.Layers%6 != 0):
		return "the view lacks some of the six faces of a cubemap"
	}
	base := t.Levels[0].Base
	if alloc == 0 {
		if arena.Find(base) == nil {
			return fmt.Sprintf("the texture's memory at 0x%x %s", base, p.outside(base))
		}
		return ""
	}
	t.Alloc = arena.Find(alloc)
	if t.Alloc == nil || t.Alloc.Base != alloc {
		return "the CUDA array is freed"
	}
	for i := range t.Levels {
		b := levelBox(t, &t.Levels[i])
		if n, ok := b.extent(); !ok || !t.Alloc.Contains(b.Addr) || n > t.Alloc.End()-b.Addr {
			return "the texture is larger than its CUDA array"
		}
	}
	return ""
}

// outside says what is wrong with an address that is in no allocation.
func (p *process) outside(addr uint64) string {
	if !p.s.cfg.Arena.Contains(addr, 1) {
		return "is not device memory"
	}
	_, what := p.describe(addr, 1)
	return what
}

// levelBox is the memory of a level with all its slices.
func levelBox(t *mem.Texture, l *mem.TextureLevel) Box {
	return Box{Addr: l.Base, Width: uint64(l.Width) * t.Format.Bytes(), Height: uint64(max(l.Height, 1)),
		Depth: uint64(max(l.Depth, t.Layers, 1)), Pitch: l.Pitch, Slice: l.Slice}
}

// doTextureFree destroys an object or unbinds a reference.
func (p *process) doTextureFree(q *request, in *protocol.TextureFree, r *reply) {
	handle, surface := in.Handle, in.Surface
	arena := p.s.cfg.Arena
	t := arena.Textures.Get(handle)
	reference := arena.Contains(handle, 1)
	switch {
	case q.bad || t == nil && reference:
		return
	case t == nil || t.Surface != surface || !p.holds(handle):
		p.misuse(q, r, ErrorInvalidValue, "0x%x is not a %s object, or it was destroyed", handle, kindOf(surface))
		return
	}
	arena.Textures.Set(handle, nil)
	delete(p.textures, handle)
}

// forgetTextures destroys all that the process has.
func (p *process) forgetTextures() {
	for h := range p.textures {
		p.s.cfg.Arena.Textures.Set(h, nil)
	}
	p.textures = map[uint64]uint8{}
}

// holds reports whether a texture or surface is the process's.
func (p *process) holds(handle uint64) bool {
	_, ok := p.textures[handle]
	return ok
}
