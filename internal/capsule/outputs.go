package capsule

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// LostSpan is contents that a launch accessed and that the capsule does not have: Bytes from At on
// of the allocation at Addr.
type LostSpan struct{ Addr, At, Bytes uint64 }

// Lost lists, one for each allocation, what a launch that has run in the restored memory accessed
// though the capsule does not have it. Such memory has no pages until it is accessed.
func (c *Capsule) Lost(arena *mem.Arena) []LostSpan {
	var out []LostSpan
	for i := range c.Memory.Allocations {
		a := &c.Memory.Allocations[i]
		lost := LostSpan{Addr: a.Base}
		for _, s := range a.Left {
			_ = arena.Data(a.Base+s.At, s.Bytes, func(addr, n uint64) { // what cannot be told is not lost
				if lost.Bytes == 0 {
					lost.At = addr - a.Base
				}
				lost.Bytes += n
			})
		}
		if lost.Bytes > 0 {
			out = append(out, lost)
		}
	}
	return out
}

// EachOutput calls f for the chunks of an allocation that may differ, in order: their contents after the
// recorded launch, and those in the arena. What the capsule does not have is left out.
func (c *Capsule) EachOutput(id int, arena *mem.Arena, f func(at uint64, want, got []byte)) error {
	i := slices.IndexFunc(c.Memory.Allocations, func(a Allocation) bool { return a.ID == id && !a.Freed })
	if i < 0 {
		return nil
	}
	a := &c.Memory.Allocations[i]
	if al := arena.Find(a.Base); al == nil || al.ID != id || al.Size != a.Size {
		return nil
	}
	want := map[uint64]Object{}
	for _, k := range slices.Concat(a.Chunks, a.After) {
		want[k.At] = k.Data
	}
	offsets := slices.Collect(maps.Keys(want))
	err := eachChunk(a, arena, func(at, _ uint64) error {
		offsets = append(offsets, at)
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(offsets)
	for _, at := range slices.Compact(offsets) {
		if a.left(at) {
			continue
		}
		n := min(ChunkSize, a.Size-at)
		expected := make([]byte, n)
		if o, ok := want[at]; ok {
			if expected, err = c.store.get(o, ChunkSize); err != nil {
				return err
			}
		}
		f(at, expected, arena.Bytes(a.Base+at, n))
	}
	return nil
}

// DropOutputs forgets what the launch has written, of which a smaller launch writes less.
func (c *Capsule) DropOutputs() {
	c.Outputs = false
	for i := range c.Memory.Allocations {
		c.Memory.Allocations[i].After = nil
	}
}

// left reports whether the contents of a chunk were not kept.
func (a *Allocation) left(at uint64) bool {
	for _, s := range a.Left {
		if at >= s.At && at < s.At+s.Bytes {
			return true
		}
	}
	return false
}
