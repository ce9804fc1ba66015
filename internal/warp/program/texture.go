package program

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// TexOp tells the texture and surface operations.
type TexOp uint8

// The operations: tex, tld4, txq and suq, istypep, suld.b, sust.b, sust.p and
// sured.
const (
	TexSample TexOp = iota
	TexGather
	TexQuery
	TexIsType
	SurfLoad
	SurfStore
	SurfFormatted
	SurfReduce
)

// SurfMode says what is done beyond a surface (PTX ISA, ".clamp").
type SurfMode uint8

// Modes beyond a surface.
const (
	SurfTrap SurfMode = iota
	SurfClamp
	SurfZero
)

// TexSizes is how many sizes of texel there are: 1 to 16 bytes.
const TexSizes = 5

// Tex describes a texture or surface instruction. Slots are vector slots,
// NoSlot where absent.
type Tex struct {
	Op   TexOp
	Dims int
	// Layered and Cube tell the geometry; Whole integer coordinates.
	Layered, Cube, Whole bool
	// Sites has the site for each size of texel: index i for 1<<i bytes.
	Sites [TexSizes]*trace.Site
	// Handle is a 64-bit slot; the others have 32 bits. Coords and Layer are
	// those of the instruction, as are Offset, Level and the derivatives.
	Handle         int32
	Coords, Offset [3]int32
	Layer, Level   int32
	DX, DY         [3]int32
	// Component is what TexGather reads; Query what TexQuery asks.
	Component int
	Query     string
	// Sampler replaces that of the texture, if it is not nil.
	Sampler *TexSampler
	// Dst are the results, Resident a predicate. Half makes results of 16
	// bits, Packed two of them a register.
	Dst          [4]int32
	Resident     int32
	Half, Packed bool
	// Mode and Mem are for surfaces: Mem's address is computed from the
	// coordinates. Formatted coordinates count texels, others bytes in x.
	Mode      SurfMode
	Formatted bool
	Mem       Mem
	// SignedFn is what a formatted SurfReduce computes on signed elements, as
	// Mem.Fn does on others.
	SignedFn func(old, b, c uint64) uint64
}

// Slots implements Step.
func (t *Tex) Slots(f SlotFunc) {
	f(&t.Handle, alu.W64, Reads|Late)
	for _, l := range [][]int32{t.Coords[:], t.Offset[:], t.DX[:], t.DY[:]} {
		for i := range l {
			f(&l[i], alu.W32, Reads|Late)
		}
	}
	f(&t.Layer, alu.W32, Reads|Late)
	f(&t.Level, alu.W32, Reads|Late)
	f(&t.Mem.B, t.Mem.Width, Reads|Late)
	use := Reads | Late
	if t.Op == SurfLoad {
		use = Writes
	}
	for i := range t.Mem.Regs {
		f(&t.Mem.Regs[i], t.Mem.Width, use)
	}
	for i := range t.Dst {
		f(&t.Dst[i], alu.W32, Writes)
	}
	f(&t.Resident, alu.Pred, Writes)
}

// TexSampler is a sampler of its own: it replaces the address and filter modes
// of the texture, and can do without normalized coordinates.
type TexSampler struct {
	Address              [3]mem.AddressMode
	Linear, Unnormalized bool
}

// Apply returns the texture as the sampler reads it.
func (s *TexSampler) Apply(t *mem.Texture) *mem.Texture {
	c := *t
	c.Address, c.Linear = s.Address, s.Linear
	c.Normalized = c.Normalized && !s.Unnormalized
	return &c
}

// NewTex returns a description without operands.
func NewTex(op TexOp) *Tex {
	t := &Tex{Op: op, Mem: noMem()}
	t.Slots(func(s *int32, _ alu.Width, _ Use) { *s = NoSlot })
	return t
}

// noMem is a memory operation without operands.
func noMem() Mem {
	m := Mem{Base: NoSlot, B: NoSlot, C: NoSlot, Width: alu.W32}
	for i := range m.Regs {
		m.Regs[i], m.Bcast[i] = NoSlot, NoSlot
	}
	return m
}
