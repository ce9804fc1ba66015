package program

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// Wgmma is one warp's part in wgmma.mma_async (PTX ISA, "Asynchronous Multiply-and-
// Accumulate Instruction: wgmma.mma_async" and "wgmma.mma_async.sp"): of the 64 rows of A
// and D, warp i of the warpgroup has rows 16*i to 16*i+15. D = A*B + D, or A*B where
// scale-d is false.
//
// The product takes effect at the instruction, which is one of the moments at which it may.
// Arithmetic is that of MMA.
type Wgmma struct {
	Site *trace.Site
	// ID numbers the products of a program.
	ID int
	// SiteA and SiteB are the reads of shared memory; SiteA is nil if A is in registers.
	SiteA, SiteB *trace.Site
	Kind         MulKind
	// Neg is set if just one of A and B is negated.
	Sat, Neg bool
	// FragA is the layout of A in registers, 16 by K (K/2 if Sparse); FragD that of D,
	// 16 by N.
	FragA, FragD *Frag
	ElemA, ElemB Elem
	RegsA, RegsD []int32
	// DescA and DescB are the slots of matrix descriptors, 64 bits each; DescA is NoSlot
	// if A is in registers.
	DescA, DescB int32
	// TransA and TransB are set for M-major A and N-major B.
	TransA, TransB bool
	// Scale is the slot of the predicate scale-d; if it is NoSlot, Fresh tells whether D
	// starts at zero.
	Scale           int32
	ScaleNot, Fresh bool
	// N and K are the extents of B. K counts words of 32 for one-bit elements.
	N, K int
	// Meta is the slot of a sparse A's metadata, NoSlot for a dense one, Sel the selector.
	Meta int32
	Sel  int
	// Changed are the instructions that may have changed the accumulator since the last wgmma.fence, products and RegisterChanges
	// by their IDs, ChangedA those that may have changed the fragment of A.
	Changed, ChangedA []int
	// Noted is set for a product that is one of those of another.
	Noted bool
}

// RegisterChange notes that a warp executes an instruction which may change a register of a product.
type RegisterChange struct {
	Site *trace.Site
	ID   int
	// Loads are loads from local memory, LocalChanges: if there are any it is a change only if one of them has got a value of a
	// product.
	Loads []int
}

// Slots implements Step.
func (s *RegisterChange) Slots(SlotFunc) {}

// Slots implements Step.
func (s *Wgmma) Slots(f SlotFunc) {
	if s.FragA != nil {
		slotRegs(s.RegsA, s.FragA, Reads, f)
	}
	f(&s.DescA, alu.W64, Reads)
	f(&s.DescB, alu.W64, Reads)
	f(&s.Scale, alu.Pred, Reads)
	f(&s.Meta, alu.W32, Reads)
	slotRegs(s.RegsD, s.FragD, Reads|Writes, f)
}

// Sparse reports whether s is a product whose A has at most half of its elements.
func (s *Wgmma) Sparse() bool { return s.Meta != NoSlot }

// WgmmaOrderKind is what a WgmmaOrder does.
type WgmmaOrderKind uint8

// The kinds.
const (
	WgmmaFence WgmmaOrderKind = iota
	WgmmaCommit
	WgmmaWait
)

// WgmmaOrder is wgmma.fence, wgmma.commit_group or wgmma.wait_group (PTX ISA,
// "Asynchronous wgmma Proxy Operations").
type WgmmaOrder struct {
	Site *trace.Site
	Kind WgmmaOrderKind
	// Leave is the number of groups that may still be pending after a wait.
	Leave int
}

// ProductCheck comes before an instruction that accesses a register of one of Products, products and loads from
// tensor memory by their IDs, if that has not ended: then the access is undefined.
type ProductCheck struct {
	Site     *trace.Site
	Products []Flying
	// Unless is for a load or store by a generic address, which does not count in local memory; nil for others.
	Unless *Mem
}

// Flying is a product that may be on its way, and the load by which its value came from local
// memory, a LocalFlight's, or NoLoad.
type Flying struct{ Product, Load int }

// NoLoad stands for a register that moves alone have passed on, and for a store.
const NoLoad = -1

// LocalFlight comes before a load or store of local memory, through which it follows products on their way.
type LocalFlight struct {
	// Mem is where, in elements.
	Mem Mem
	// Stored are the products that a store may put there, by element; Load is the number of a load, NoLoad for a store.
	Stored [][]int
	Load   int
}

// LocalChange comes before a load or store of local memory, through which it follows the results of products and what was
// computed with them since the last wgmma.fence: Stored are the numbers of what may have made them, as in Wgmma.Changed.
type LocalChange struct {
	Mem    Mem
	Stored [][]int
	Load   int
}

// Slots implements Step.
func (s *LocalChange) Slots(f SlotFunc) { s.Mem.slots(f) }

// Slots implements Step.
func (s *LocalFlight) Slots(f SlotFunc) { s.Mem.slots(f) }

// Slots implements Step.
func (s *ProductCheck) Slots(f SlotFunc) {
	if s.Unless != nil {
		s.Unless.slots(f)
	}
}

// Slots implements Step.
func (s *WgmmaOrder) Slots(SlotFunc) {}

// SharedMatrix is where a matrix descriptor places a matrix in shared memory (PTX ISA,
// "Matrix Descriptor Format", "Strides", "Canonical Layouts"). The matrix is seen in pieces
// of 16 bytes along the dimension in which its elements are neighbors: along K, or along M
// or N if it is MN-major.
type SharedMatrix struct {
	// Start is the address of the first byte, Lead and Stride the leading and the stride
	// dimension byte offset, all multiples of 16.
	Start, Lead, Stride uint64
	// Swizzle is the width of the pattern in bytes: 16 for none, else 32, 64 or 128.
	Swizzle uint64
	// Base is the matrix base offset: the row, of 128 bytes, at which the pattern begins.
	Base uint64
	// Wide is set if 32 bytes stay together in the pattern ("128-Byte with 32B atomic swizzling").
	Wide bool
}

// swizzles are the widths of the swizzling modes of wgmma.
var swizzles = [4]uint64{16, 128, 64, 32}

// WgmmaMatrix unpacks a descriptor of wgmma.
func WgmmaMatrix(d uint64) SharedMatrix {
	m := SharedMatrix{Start: d & 0x3fff << 4, Lead: d >> 16 & 0x3fff << 4, Stride: d >> 32 & 0x3fff << 4, Swizzle: swizzles[d>>62]}
	if m.Swizzle > 16 {
		m.Base = d >> 49 & 7
	}
	return m
}

// KMajor is the address of the piece with number chunk along K of row (or column of B) i.
func (m SharedMatrix) KMajor(i, chunk int) uint64 {
	at := m.Start + uint64(i/8)*m.Stride
	if m.Swizzle == 16 {
		return at + uint64(i%8)*16 + uint64(chunk)*m.Lead
	}
	return m.swizzled(at + uint64(i%8)*m.Swizzle + uint64(chunk)*16)
}

// MNMajor is the address of the piece with number chunk along M or N at place k.
func (m SharedMatrix) MNMajor(chunk, k int) uint64 {
	if m.Swizzle == 16 {
		return m.Start + uint64(chunk)*m.Stride + uint64(k%8)*16 + uint64(k/8)*m.Lead
	}
	wide := int(m.Swizzle / 16)
	if m.Wide { // ((T,8,m),(4,k)):((1,T,LBO),(8T,SBO))
		at := m.Start + uint64(chunk/wide)*m.Lead + uint64(chunk%wide)*16 + uint64(k%4)*m.Swizzle + uint64(k/4)*m.Stride
		return at ^ (at>>7-m.Base)&3<<5
	}
	return m.swizzled(m.Start + uint64(chunk/wide)*m.Lead + uint64(chunk%wide)*16 + uint64(k%8)*m.Swizzle + uint64(k/8)*m.Stride)
}

// swizzled exchanges pieces within rows of 128 bytes: the bits of an address that choose
// a piece are combined, by exclusive or, with those that number the row in the pattern.
func (m SharedMatrix) swizzled(at uint64) uint64 {
	row := at>>7 - m.Base
	return at ^ (row&(m.Swizzle/16-1))<<4
}
