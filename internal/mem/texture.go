package mem

import (
	"maps"
	"sync"
	"sync/atomic"
)

// TexelKind is how the bits of a channel are read (cudaChannelFormatKind).
type TexelKind uint8

// Kinds of channel, numbered as cudaChannelFormatKind.
const (
	TexelSigned TexelKind = iota
	TexelUnsigned
	TexelFloat
)

// TexelFormat describes one texel: 1, 2 or 4 channels of 8, 16 or 32 bits.
type TexelFormat struct {
	Channels, Bits int
	Kind           TexelKind
}

// Bytes is the size of a texel.
func (f TexelFormat) Bytes() uint64 { return uint64(f.Channels * f.Bits / 8) }

// Valid reports whether f is a format that CUDA has ("CUDA C++ Programming Guide", "Texture
// Memory": 1, 2 or 4 components).
func (f TexelFormat) Valid() bool {
	switch f.Channels {
	case 1, 2, 4:
	default:
		return false
	}
	switch f.Bits {
	case 8:
		return f.Kind < TexelFloat
	case 16, 32:
		return f.Kind <= TexelFloat
	}
	return false
}

// AddressMode says what stands for a coordinate out of range
// (cudaTextureAddressMode).
type AddressMode uint8

// Address modes, numbered as cudaTextureAddressMode.
const (
	AddressWrap AddressMode = iota
	AddressClamp
	AddressMirror
	AddressBorder
)

// TextureKind is where a texture's texels are (cudaResourceType).
type TextureKind uint8

// Kinds of texture, numbered as cudaResourceType.
const (
	TextureArray TextureKind = iota
	TextureMipmapped
	TextureLinear
	TexturePitch2D
)

// TextureLevel is one level of a texture: Width, Height and Depth in texels
// (0 where the texture lacks that dimension), Pitch and Slice in bytes from
// row to row and from slice, layer or face to the next.
type TextureLevel struct {
	Base                 uint64
	Width, Height, Depth uint32
	Pitch, Slice         uint64
}

// Sampler says how a texture is read (cudaTextureDesc). Coordinates are in
// texels unless Normalized; NormalizedFloat makes floats in [0, 1] or [-1, 1]
// of integer texels of 8 and 16 bits.
type Sampler struct {
	Address                       [3]AddressMode
	Linear, LinearMip             bool
	Normalized, NormalizedFloat   bool
	SRGB                          bool
	Border                        [4]float32
	LevelBias, LevelMin, LevelMax float32
}

// Texture is what a texture or surface handle stands for. It does not change
// once it is made.
type Texture struct {
	// Name is for messages: "texture object 3", "texture reference tex".
	Name    string
	Kind    TextureKind
	Surface bool
	Format  TexelFormat
	// Levels has at least one level.
	Levels []TextureLevel
	// Layers is the number of layers, six for each cubemap; 0 if it has none.
	Layers uint32
	Cube   bool
	Sampler
	// Alloc is the CUDA array's memory, nil for linear memory.
	Alloc *Allocation
}

// Textures maps handles to textures. The zero value is empty. Get takes no
// lock.
type Textures struct {
	mu   sync.Mutex
	last uint64
	cur  atomic.Pointer[map[uint64]*Texture]
}

// Get returns the texture of a handle, or nil.
func (t *Textures) Get(handle uint64) *Texture {
	if m := t.cur.Load(); m != nil {
		return (*m)[handle]
	}
	return nil
}

// NewHandle returns a number that no texture had before. It is not 0, and no
// address.
func (t *Textures) NewHandle() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	return t.last
}

// Set gives a handle its texture; nil takes it away.
func (t *Textures) Set(handle uint64, tex *Texture) {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := map[uint64]*Texture{}
	if m := t.cur.Load(); m != nil {
		next = maps.Clone(*m)
	}
	if tex == nil {
		delete(next, handle)
	} else {
		next[handle] = tex
	}
	t.cur.Store(&next)
}
