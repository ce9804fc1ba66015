package race

import "github.com/warpgrind/warpgrind/internal/trace"

// retried reports a read and a strong operation that may happen in any order: a
// compare-and-swap repeats what the thread did if the value is no longer there.
// This is how the CUDA C++ Programming Guide makes atomic operations of others
// ("Atomic Functions"), with a read that is not volatile. If the swap is for an element of
// the word, that holds for any write: one to the element races with the swap itself.
func (c *checker) retried(l *trace.Launch, a, z *trace.Site) bool {
	if a.Kind != trace.Read {
		a, z = z, a
	}
	if a.Kind != trace.Read || a.Size != a.Elem {
		return false
	}
	facts := c.factsOf(l)
	return isStrong(z) && facts.Retried(guardSite(a)) || facts.Rebuilt(guardSite(a))
}
