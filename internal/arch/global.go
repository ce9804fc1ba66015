package arch

// Coalescing says how the accesses of a warp to global memory become
// transactions.
type Coalescing uint8

// The ways of coalescing, by compute capability.
const (
	// InOrder (1.0, 1.1): a half-warp whose lane k accesses word k of an aligned
	// segment of 64 bytes (128 for 8-byte words, twice 128 for 16-byte words)
	// needs one transaction (two); any other needs one for each lane.
	InOrder Coalescing = iota
	// Segments (1.2, 1.3): a half-warp needs a transaction for each aligned
	// segment it accesses, of 128 bytes (32 for bytes, 64 for 2-byte words),
	// halved as long as one half of it is enough.
	Segments
	// Lines (2.x, 3.x): loads are served by cache lines of 128 bytes, 8-byte
	// words by half-warps and 16-byte words by quarter-warps; stores and atomics
	// by sectors of 32 bytes.
	Lines
	// Sectors (5.0 on): a warp needs each sector of 32 bytes that it accesses.
	Sectors
)

// Coalescing returns how global memory is accessed: CUDA C Programming Guide
// 4.2, appendix F.3.2 and F.4.2; CUDA C++ Programming Guide, "Compute
// Capabilities", "Global Memory" of each capability.
func (a *Arch) Coalescing() Coalescing {
	switch {
	case a.SM < 12:
		return InOrder
	case a.SM < 20:
		return Segments
	case a.SM < 50:
		return Lines
	}
	return Sectors
}
