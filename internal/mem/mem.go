// Package mem is the memory that the program and the emulated GPU share: one
// arena at a fixed address in both processes, its allocations, and the
// windows of the generic address space that are not memory of the arena.
//
// Device, symbol and device-heap allocations lie in the lower half of the
// arena, pinned and managed ones in the upper half (HostBase): the program
// maps only the upper half readable, so that a device pointer that host code
// follows faults there as it does beside a real GPU.
package mem

import (
	"errors"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/ctype"
)

// The generic address space (PTX ISA, "Generic Addressing"). The arena's
// place is free in Linux processes on x86-64 and arm64 with 47 or 48 bits of
// address, also in the layouts of Go, its race detector and AddressSanitizer. The windows stand for
// addresses that are not memory of either process.
const (
	// ArenaBase is where the arena is mapped in both processes.
	ArenaBase uint64 = 0x1100_0000_0000
	// MaxSize bounds an arena's virtual size: half of it is eight GPUs of 80 GiB and more, or four of 192.
	MaxSize uint64 = 3 << 39
	// SharedWindow is the generic address of offset 0 of shared memory. The
	// block's own comes first, then that of each block of its cluster, by rank,
	// ClusterStride bytes apart.
	SharedWindow     uint64 = 0x1300_0000_0000
	SharedWindowSize uint64 = 128 * ClusterStride
	ClusterStride    uint64 = 1 << ClusterShift
	ClusterShift            = 24
	// LocalWindow is the generic address of offset 0 of a thread's local memory.
	LocalWindow     uint64 = 0x1400_0000_0000
	LocalWindowSize uint64 = 1 << 32
	// ParamWindow is the generic address of offset 0 of a kernel's parameters.
	ParamWindow     uint64 = 0x1500_0000_0000
	ParamWindowSize uint64 = 1 << 20
	// CodeBase is the address of the first device function.
	CodeBase     uint64 = 0x1500_0000_0000
	CodeBaseSize uint64 = 1 << 32
)

// MinAlign is the least alignment of an allocation (CUDA C++ Programming
// Guide, "Device Memory Accesses": at least 256 bytes).
const MinAlign = 256

// RedZone is the least distance in bytes between two allocations.
const RedZone = 512

// Kind says where an allocation comes from.
type Kind uint8

// The kinds: cudaMalloc and friends, page-locked host memory, managed memory,
// a module's variable, and device-side malloc.
const (
	Device Kind = iota
	Pinned
	Managed
	Symbol
	Heap
)

var kindNames = [...]string{"device", "pinned", "managed", "symbol", "heap"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// HostVisible reports whether the program may follow pointers to it.
func (k Kind) HostVisible() bool { return k == Pinned || k == Managed }

// Caller is a call by its function, and its place as "file:line"; both are "" where unknown.
type Caller struct{ Call, At string }

func (c Caller) String() string {
	if c.At == "" {
		return c.Call
	}
	return c.Call + " at " + c.At
}

// Allocation is a range of the arena. But for FreedBy, and for Written and Taint, which are safe
// for concurrent use, it does not change once it is made.
type Allocation struct {
	// Base is the address of the first byte, Size the bytes asked for.
	Base, Size uint64
	Kind       Kind
	// Name is a variable's name; "" for others.
	Name string
	// ID counts allocations of the arena from 0.
	ID int
	// ReadOnly marks a __constant__ variable.
	ReadOnly bool
	// Where is the call that made it, for people: "cudaMalloc #3 at a.cu:17". Call and
	// At are its parts: "cudaMalloc", "a.cu:17"; "" where unknown.
	Where, Call, At string
	// Written notes which bytes were written; nil where all count as written.
	Written *Written
	// Taint has the bytes to which undefined values were stored; nil where that is not
	// followed.
	Taint *Taint
	// Type is a variable's, nil where it is not known.
	Type *ctype.Type
	// Rows are those of pitched memory.
	Rows Rows
	// Mapped is set if it is memory mapped at reserved addresses.
	Mapped bool
	// Reserved is set if it fills a reserved range, which stays reserved when it is freed.
	Reserved bool
	// FreedBy is the call that ended it; set by Free, and read of those only that Nearest returns as freed, a FreeError names, or Free returns.
	FreedBy Caller
	// foot is the bytes that it takes with its red zone.
	foot uint64
}

// End is the address after the last byte.
func (al *Allocation) End() uint64 { return al.Base + al.Size }

// Contains reports whether addr lies in the allocation.
func (al *Allocation) Contains(addr uint64) bool { return addr-al.Base < al.Size }

// ErrOutOfMemory is returned when the limit or the address range is used up.
var ErrOutOfMemory = errors.New("out of device memory")

// FreeError is returned for a Free of what is not the base of a live
// allocation.
type FreeError struct {
	Addr uint64
	// Double is set if Addr was the base of Alloc, which is freed already.
	Double bool
	// Alloc is the allocation freed before, or the live one that contains
	// Addr, or nil.
	Alloc *Allocation
}

func (e *FreeError) Error() string {
	switch {
	case e.Double:
		return fmt.Sprintf("double free of 0x%x (%d bytes)", e.Addr, e.Alloc.Size)
	case e.Alloc != nil:
		return fmt.Sprintf("free of 0x%x, %d bytes inside an allocation of %d bytes",
			e.Addr, e.Addr-e.Alloc.Base, e.Alloc.Size)
	}
	return fmt.Sprintf("free of 0x%x, which is not an allocation", e.Addr)
}
