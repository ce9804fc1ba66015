package perf

import "github.com/warpgrind/warpgrind/internal/trace"

// Request is one warp's recorded execution of a place.
type Request struct {
	Warp int
	Mask uint32
	Addr [32]uint64
}

// maxRequests bounds each of a sample's lists.
const maxRequests = 32

// Sample is a compact record of what one place accessed in one block, the lowest
// one that a worker ran. The lowest of all is then the same at any number of
// workers and in any order of the blocks.
type Sample struct {
	Block uint64
	// Launch is the one that the block is of, Size the bytes of an access.
	Launch *trace.Launch
	Size   int
	// InTime has successive executions by one warp, ByWarp the first execution
	// by each warp, in the order in which they came; 32 of each at most.
	InTime, ByWarp []Request
	// Excess is set if one of the executions cost more than it should.
	Excess bool
	Need   Need
	seen   [32]bool
}

// Need says what a sample is to be made of.
type Need uint8

// A sample begins with the first execution; with the first that costs more than
// it should, since an earlier launch left one without excess; or not at all.
const (
	NeedAny Need = iota
	NeedExcess
	NeedNothing
)

// Record notes an execution, if it is of the sample's block and there is room.
// A sample without excess makes way for an execution that has some, also of the
// same block: it then begins there wherever the recording began.
func (s *Sample) Record(l *trace.Launch, block uint64, a *trace.Access, excess bool) {
	switch {
	case s.Launch == nil, excess && !s.Excess, s.lower(block, excess):
		*s = Sample{Block: block, Launch: l, Size: a.Site.Size, InTime: s.InTime[:0], ByWarp: s.ByWarp[:0], Need: s.Need}
	case block != s.Block:
		return
	}
	s.Excess = s.Excess || excess
	if w := a.Warp & 31; !s.seen[w] {
		s.seen[w] = true
		s.ByWarp = append(s.ByWarp, Request{a.Warp, a.Mask, *a.Addr})
	}
	if len(s.InTime) == 0 || len(s.InTime) < maxRequests && s.InTime[0].Warp == a.Warp {
		s.InTime = append(s.InTime, Request{a.Warp, a.Mask, *a.Addr})
	}
}

// Wants reports whether Record would note an execution in a block.
func (s *Sample) Wants(l *trace.Launch, block uint64, excess bool) bool {
	if s.Launch == nil {
		return s.Need == NeedAny || s.Need == NeedExcess && excess
	}
	return excess && !s.Excess || s.lower(block, excess) || block == s.Block && !s.full(l)
}

// lower reports whether an execution in a block makes a sample that is to be
// kept rather than s.
func (s *Sample) lower(block uint64, excess bool) bool {
	return block < s.Block && (excess || !s.Excess)
}

// full reports whether nothing more of the sample's block has to be recorded.
func (s *Sample) full(l *trace.Launch) bool {
	return len(s.InTime) == maxRequests && len(s.ByWarp) >= min(l.Warps(), 32)
}

// Samples are those of one place, by the ID of the site: members of a structure
// that is copied are several sites of one place.
type Samples map[int]*Sample

// Keep adds a site's sample, or replaces a worse one.
func (s Samples) Keep(site int, x *Sample) {
	if x.Launch != nil && better(s[site], x) == x {
		kept := *x
		s[site] = &kept
	}
}

// Need returns what is still to be recorded of a site.
func (s Samples) Need(site int) Need {
	switch x := s[site]; {
	case x == nil:
		return NeedAny
	case x.Excess:
		return NeedNothing
	}
	return NeedExcess
}

// Main returns the sample that speaks for the place: of the first site with
// excess, else of the first. It is an empty one where there is none.
func (s Samples) Main() *Sample {
	best, id := &Sample{}, 0
	for i, x := range s {
		if best.Launch == nil || x.Excess && !best.Excess || x.Excess == best.Excess && i < id {
			best, id = x, i
		}
	}
	return best
}

// better returns the one of two samples of a place to keep: one with excess,
// then of the earlier launch, then of the lower block.
func better(a, b *Sample) *Sample {
	switch {
	case b == nil || b.Launch == nil:
		return a
	case a == nil || a.Launch == nil:
		return b
	case a.Excess != b.Excess:
		if a.Excess {
			return a
		}
		return b
	case a.Launch.ID != b.Launch.ID:
		if a.Launch.ID < b.Launch.ID {
			return a
		}
		return b
	case b.Block < a.Block:
		return b
	}
	return a
}
