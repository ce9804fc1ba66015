package texture

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Warp is what reading textures needs of the warp that executes the instruction.
type Warp interface {
	// Memory has the texture objects and the allocations.
	Memory() *mem.Arena
	// Allocation returns the allocation that has size bytes at an address, nil for none.
	Allocation(addr, size uint64) *mem.Allocation
	// Count counts an access by a site.
	Count(site *trace.Site, sp trace.Space)
	// Watched reports whether Touch has something to do.
	Watched() bool
	// Touch tells observers that lanes m access texels in memory. data is what a store writes, nil where
	// that is in the registers of op.
	Touch(op *program.Mem, m uint32, addr *vec.Row64, data trace.Data)
	// Wrote notes that lane l has written n bytes.
	Wrote(addr uint64, l, n int)
	// AtomicIn updates memory for lanes m. It returns false after a fault.
	AtomicIn(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span) bool
	// Fault ends the block by a fault of lanes m. Locate fills in why memory at an address cannot
	// be accessed, and returns where it lies.
	Fault(kind trace.FaultKind, cause trace.Cause, site *trace.Site, m uint32, format string, args ...any) *trace.Fault
	Locate(f *trace.Fault, addr, size uint64) string
}

// Unit executes the instructions on textures and surfaces of a block's warps, one at a time. The zero value is
// ready.
type Unit struct {
	// warp is the one whose instruction is at work, regs its registers, did its counts.
	warp Warp
	regs *vec.Registers
	did  *vec.Activity
	// hits are the addresses of the texels that the instruction reads.
	hits []uint64
	addr vec.Row64
	span vec.Span
}
