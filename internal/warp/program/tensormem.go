package program

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// The steps of this file are the instructions of tensor memory (PTX ISA, "TensorCore 5th
// Generation Family Instructions"). Asynchronous operations take effect at the instruction,
// which is one of the moments at which they may.

// TensorAddr is an address in tensor memory: a register of 32 bits, with the lane in the upper
// half and the column in the lower one, and what is added to it. Slot is NoSlot for none.
type TensorAddr struct {
	Slot   int32
	Offset uint32
}

func (a *TensorAddr) slots(f SlotFunc) {
	f(&a.Slot, alu.W32, Reads)
}

// NoTensorAddr is the operand of an instruction that lacks one.
var NoTensorAddr = TensorAddr{Slot: NoSlot}

// TensorManageKind is what a TensorManage does.
type TensorManageKind uint8

// The kinds.
const (
	TensorAlloc TensorManageKind = iota
	TensorDealloc
	TensorPermit
)

// TensorManage is tcgen05.alloc, tcgen05.dealloc or tcgen05.relinquish_alloc_permit.
type TensorManage struct {
	Site *trace.Site
	Kind TensorManageKind
	// Pair is set for .cta_group::2.
	Pair bool
	// Mem is where an allocation writes its address.
	Mem Mem
	// Addr and Columns are slots: what to deallocate, and how many columns.
	Addr, Columns int32
}

// Slots implements Step.
func (s *TensorManage) Slots(f SlotFunc) {
	if s.Kind == TensorAlloc {
		s.Mem.slots(f)
	}
	f(&s.Addr, alu.W32, Reads)
	f(&s.Columns, alu.W32, Reads)
}

// TensorShape is the shape of tcgen05.ld and tcgen05.st.
type TensorShape uint8

// The shapes: lanes, and bits for each lane and repetition.
const (
	Tensor32x32b TensorShape = iota
	Tensor16x64b
	Tensor16x128b
	Tensor16x256b
	Tensor16x32bx2
)

// TensorMove is tcgen05.ld or tcgen05.st. The fragments are those of the figures "Matrix
// Fragment for shape .32x32b" to ".16x32bx2".
type TensorMove struct {
	Site *trace.Site
	// ID is the number of a load for which a ProductCheck looks, -1 for others.
	ID    int
	Store bool
	Shape TensorShape
	Addr  TensorAddr
	// Split is the distance of the two halves of .16x32bx2 in columns.
	Split int
	// Half is set if each column has 16 bits that matter: .pack::16b, .unpack::16b. A register
	// holds those of two columns.
	Half bool
	Regs []int32
	// Red is the operation of tcgen05.ld.red, nil for none: Dst gets its result over the lane's
	// registers, whose absolute values count if First is not nil.
	Red, First alu.Fn
	Dst        int32
}

// Slots implements Step.
func (s *TensorMove) Slots(f SlotFunc) {
	s.Addr.slots(f)
	for i := range s.Regs {
		f(&s.Regs[i], alu.W32, resultUse(s.Store))
	}
	f(&s.Dst, alu.W32, Writes)
}

// Lanes is the number of lanes of tensor memory that the shape accesses.
func (s *TensorMove) Lanes() int {
	if s.Shape == Tensor32x32b {
		return 32
	}
	return 16
}

// Place is the cell, relative to the address, of a lane's register number r: where both have
// one cell for each register. half selects that of .16x32bx2 whose column is relative to
// the second address.
func (s *TensorMove) Place(lane, r int) (at, column int, half bool) {
	switch s.Shape {
	case Tensor16x64b:
		return lane/4 + 8*(lane%2), 2*r + lane/2%2, false
	case Tensor16x128b:
		return lane/4 + 8*(r%2), 4*(r/2) + lane%4, false
	case Tensor16x256b:
		return lane/4 + 8*(r/2%2), 8*(r/4) + 2*(lane%4) + r%2, false
	case Tensor16x32bx2:
		return lane % 16, r, lane >= 16
	}
	return lane, r, false
}

// Columns is the number of columns that the instruction accesses, each half of .16x32bx2 by
// itself.
func (s *TensorMove) Columns() int {
	n := len(s.Regs)
	if s.Shape != Tensor32x32b && s.Shape != Tensor16x32bx2 {
		n *= 2
	}
	if s.Half {
		n *= 2
	}
	return n
}

// TensorWait is tcgen05.wait.
type TensorWait struct {
	Site   *trace.Site
	Stores bool
}

// Slots implements Step.
func (s *TensorWait) Slots(SlotFunc) {}

// TensorCopyShape is the shape of tcgen05.cp, with its multicast.
type TensorCopyShape uint8

// The shapes: 128 rows; 64 for warps 0 and 2, 1 and 3, or for warps 0 and 1, 2 and 3; 32 for all
// four warps; 4, one for each warp.
const (
	TensorRows128 TensorCopyShape = iota
	TensorRows64Apart
	TensorRows64Adjacent
	TensorRows32
	TensorRows4
)

// TensorCopy is tcgen05.cp: rows of Chunks times 16 bytes from shared memory, which lies there
// as a matrix that is K-major.
type TensorCopy struct {
	// Site is the write of tensor memory, Source the read of shared memory.
	Site, Source *trace.Site
	Pair         bool
	Shape        TensorCopyShape
	Chunks       int
	// Packed is the number of bits of an element that becomes eight bits, 0 for a plain copy.
	Packed int
	Addr   TensorAddr
	Desc   int32
}

// Slots implements Step.
func (s *TensorCopy) Slots(f SlotFunc) {
	s.Addr.slots(f)
	f(&s.Desc, alu.W64, Reads)
}

// Rows is the number of rows.
func (s *TensorCopy) Rows() int { return []int{128, 64, 64, 32, 4}[s.Shape] }

// LanesOf are the lanes, relative to the address, that a row goes to.
func (s *TensorCopy) LanesOf(row int) []int {
	switch s.Shape {
	case TensorRows64Apart:
		return []int{row, row + 64}
	case TensorRows64Adjacent:
		at := row%32 + row/32*64
		return []int{at, at + 32}
	case TensorRows32:
		return []int{row, row + 32, row + 64, row + 96}
	case TensorRows4:
		return []int{32 * row}
	}
	return []int{row}
}

// TensorShift is tcgen05.shift.
type TensorShift struct {
	Site *trace.Site
	Pair bool
	Addr TensorAddr
}

// Slots implements Step.
func (s *TensorShift) Slots(f SlotFunc) { s.Addr.slots(f) }

// TensorCommit is tcgen05.commit.
type TensorCommit struct {
	Mem  Mem
	Pair bool
	// Mask is the slot of the blocks whose mbarriers get an arrival, NoSlot for that of the
	// address.
	Mask int32
}

// Slots implements Step.
func (s *TensorCommit) Slots(f SlotFunc) {
	s.Mem.slots(f)
	f(&s.Mask, alu.W32, Reads)
}
