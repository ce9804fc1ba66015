package race

import "github.com/warpgrind/warpgrind/internal/trace"

// retried reports a read and an atomic operation that may happen in any order: a
// compare-and-swap repeats what the thread did if the value is no longer there.
// This is how the CUDA C++ Programming Guide makes atomic operations of others
// ("Atomic Functions"), with a read that is not volatile.
func (c *checker) retried(l *trace.Launch, a, z *trace.Site) bool {
	if a.Kind != trace.Read {
		a, z = z, a
	}
	return a.Kind == trace.Read && z.Kind == trace.Atomic && a.Size == a.Elem && c.factsOf(l).Retried(guardSite(a))
}
