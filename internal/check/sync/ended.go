package sync

import "github.com/warpgrind/warpgrind/internal/check"

// The destructor of libcu++'s cuda::barrier is an mbarrier.inval. That of warpgrind's own class does nothing: clang allows no
// variables in shared memory whose destructor does something. So nothing shows when a program ends the life of such an object
// by itself, which it can do where it has made the object in other memory than a variable of its type.

// mayHaveEnded reports whether an object is of that class, and in memory other than a variable of its type.
func (o launchObserver) mayHaveEnded(at uint64, made initialization) bool {
	if made.site == nil || !made.site.EndsSilently {
		return false
	}
	i := check.SharedVariable(o.launch, at)
	if i < 0 {
		return true
	}
	v := &o.launch.Shared[i]
	return v.Type == nil || !v.Type.IsMember(at-v.Addr, 8)
}
