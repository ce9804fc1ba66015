package perf

import "slices"

// Pattern is what the lanes of one warp accessed with one instruction, for a
// picture of it.
type Pattern struct {
	// Size is the bytes that each lane accesses.
	Size int `json:"size"`
	// Lanes are the active ones in ascending order. Offsets are their first
	// bytes, counted from a multiple of 128 bytes at or before the lowest one:
	// sectors and lines begin where they do in memory.
	Lanes   []int   `json:"lanes"`
	Offsets []int64 `json:"offsets"`
}

// NewPattern makes the pattern of the lanes in mask, nil where there is none.
// Where relative is false offsets are the addresses themselves, as suits shared
// memory.
func NewPattern(mask uint32, addr *[32]uint64, size int, relative bool) *Pattern {
	p := &Pattern{Size: size}
	var at []uint64
	for lane := range 32 {
		if mask>>lane&1 != 0 {
			p.Lanes = append(p.Lanes, lane)
			at = append(at, addr[lane])
		}
	}
	if len(at) == 0 {
		return nil
	}
	base := uint64(0)
	if relative {
		base = slices.Min(at) &^ 127
	}
	for _, a := range at {
		p.Offsets = append(p.Offsets, int64(a-base))
	}
	return p
}
