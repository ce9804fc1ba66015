package trace

import "github.com/warpgrind/warpgrind/internal/shadow"

// MarkObserver wants to know which memory the instructions of a launch access, and not when, nor which threads do. Code that makes
// accesses to global memory by itself marks them, so that they need not be sent to the observer's Global.
type MarkObserver struct {
	// Takes reports the sites whose accesses may be marked: those to elements of Site.Size bytes, a power of two.
	Takes func(*Site) bool
	// Of returns where to mark the elements of an allocation that a site accesses in the blocks of the slot's worker, false if they have to be sent.
	Of func(s *Site, base, size uint64) (shadow.Marks, bool)
}

// theMarks is the Marks of the one observer that has it.
func theMarks(all []*BlockObserver) *MarkObserver {
	for _, o := range all {
		if o.Marks != nil {
			return o.Marks
		}
	}
	return nil
}
