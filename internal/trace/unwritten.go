package trace

import (
	"github.com/warpgrind/warpgrind/internal/ctype"
)

// Memory describes an allocation on the device.
type Memory struct {
	// ID counts allocations of the process.
	ID         int
	Base, Size uint64
	// Kind is "device", or "heap" for memory from malloc in device code.
	Kind string
	// Name is a variable's name or "", Where the call that made it, for people:
	// "cudaMalloc #3 at a.cu:17", or "".
	Name, Where string
	// Call is the function that made it, "cudaMalloc", At its place, "a.cu:17"; "" where
	// unknown.
	Call, At string
	// FreedBy is the function that freed it, FreedAt the place of its call; "" where it is not freed or that is unknown.
	FreedBy, FreedAt string
	// Type is a variable's, nil where it is not known.
	Type *ctype.Type
	// Width and Pitch are of pitched memory: the bytes that were asked for in each row,
	// and those from row to row. Both are 0 for other memory.
	Width, Pitch uint64
	// Elems are the sizes in bytes, powers of two, of the elements that kernels have written, or-ed; 0 where
	// none has, or written bytes are not noted.
	Elems int
	// ReadOnly is set for a __constant__ variable.
	ReadOnly bool
}

// Unwritten is a read of global memory, by one warp's execution of a site, of
// bytes that were never written. An atomic operation is a read unless it is an
// exchange.
type Unwritten struct {
	Site *Site
	Warp int
	// All are the lanes that take part, Mask those that read such bytes; Addr
	// has the addresses of All, Missing the bytes of a lane's access that no operation
	// wrote, a bit for each.
	All     uint32
	Mask    uint32
	Addr    *[32]uint64
	Missing *[32]uint64
	// Origin takes the origins of the values read, see UndefinedObserver.
	Origin *[32]uint32
	Memory Memory
}

// RuntimeWrite is N bytes that a lane of a warp wrote to shared or local memory by
// a function of the device runtime.
type RuntimeWrite struct {
	Space      Space
	Warp, Lane int
	Addr       uint64
	N          int
}

// Exchange reports whether an atomic's site only replaces what is there (PTX
// ISA, "atom": .exch).
func (s *Site) Exchange() bool { return s.Op.IsExchange() }

// CopiedUnwritten is a copy of device memory to the host, or another use of it by the host's
// calls, some bytes of which nothing has written.
type CopiedUnwritten struct {
	// Wait is set if a stream waits for what it reads, Operator if it is an operator of a framework
	// that reads it on the device. Computed is set if that is sure to compute with all of it.
	Wait, Operator, Computed bool
	// Call is the API function, Where its place in the program or "".
	Call, Where string
	Memory      Memory
	// Addr and Size are the range that was copied; of a copy by rows, from the
	// first to the last byte.
	Addr, Size uint64
	// Gaps are the first ranges of bytes in it that were never written, Total is how many such
	// bytes there are, and Count how many ranges.
	Gaps         []Gap
	Total, Count uint64
	// Elems are the sizes of the elements that kernels wrote there, powers of two,
	// or-ed; 0 where unknown.
	Elems int
	// Stored is set if these bytes were written, with undefined values; Origin is that of
	// the first one.
	Stored bool
	Origin uint32
}

// Gap is a range of addresses.
type Gap struct{ Addr, Size uint64 }

// maxGaps bounds CopiedUnwritten.Gaps.
const maxGaps = 1 << 12

// Add adds a range after those that are known.
func (e *CopiedUnwritten) Add(addr, size uint64) {
	e.Total += size
	if n := len(e.Gaps); n > 0 && e.Count == uint64(n) && e.Gaps[n-1].Addr+e.Gaps[n-1].Size == addr {
		e.Gaps[n-1].Size += size
		return
	}
	if e.Count++; len(e.Gaps) < maxGaps {
		e.Gaps = append(e.Gaps, Gap{addr, size})
	}
}

// UnusedMemory is an allocation that ends, Total bytes of which were never written; First is
// the first range of them.
type UnusedMemory struct {
	Memory Memory
	First  Gap
	Total  uint64
}
