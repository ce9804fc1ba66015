package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// locks follows who holds a lock, to say of a race that a lock is missing. A
// thread holds a word from its compare-and-swap or exchange on it, which a
// thread that goes on has won, until it stores to the word; words that nobody
// stores to while he holds them are no locks but data that is updated by
// compare-and-swap.
//
// Threads are named by block<<16 | number in the block.
type locks struct {
	held map[uint64]uint64
	// ever has the words that each thread held, real those that are locks.
	ever map[owner]bool
	// takers has for each word the site that took it last.
	takers map[uint64]*trace.Site
	real   map[uint64]bool
	// sites has for each site whether it was reached with a lock and without.
	sites []siteLock
}

type owner struct{ thread, word uint64 }

type siteLock struct {
	locked, free bool
	word         uint64 // held there last
	// swaps and exchanges say what the site's atomic is.
	swaps, exchanges bool
}

// newLocks returns nil for a kernel that cannot take a lock.
func newLocks(l *trace.Launch) *locks {
	k := &locks{held: map[uint64]uint64{}, ever: map[owner]bool{}, takers: map[uint64]*trace.Site{}, real: map[uint64]bool{}, sites: make([]siteLock, len(l.Sites))}
	any := false
	for i, s := range l.Sites {
		if takes(s) {
			any = true
			k.sites[i].swaps = s.Op.IsCAS()
			k.sites[i].exchanges = !k.sites[i].swaps
		}
	}
	if !any {
		return nil
	}
	return k
}

// takes reports whether an atomic can take a lock.
func takes(s *trace.Site) bool {
	return s.Kind == trace.Atomic && s.Op.IsSwap()
}

// strong notes a strong access to a word; value is its operand. An exchange
// with 0 takes no lock.
func (k *locks) strong(s *trace.Site, thread, word, value uint64) {
	in := &k.sites[s.ID]
	may := in.swaps || in.exchanges
	if h, ok := k.held[thread]; s.Kind != trace.Atomic && (!ok || h != word) { // data, though volatile
		k.weak(s.ID, thread)
	}
	if s.Kind == trace.Read || !may && len(k.held) == 0 {
		return
	}
	switch h, ok := k.held[thread]; {
	case ok && h == word && !in.swaps && (s.Kind == trace.Write || value == 0):
		k.real[word] = true
		delete(k.held, thread)
	case may && (in.swaps || value != 0) && (!ok || h != word):
		k.held[thread] = word
		k.ever[owner{thread, word}] = true
		k.takers[word] = s
	}
}

// weak notes an access that no other orders by itself.
func (k *locks) weak(site int, thread uint64) {
	s := &k.sites[site]
	if w, ok := k.held[thread]; ok {
		s.locked, s.word = true, w
	} else {
		s.free = true
	}
}

// state is what a witness remembers of locks.
type lockState struct {
	// locks is not nil if one of the accesses was made under what may be a lock,
	// word; both says that the other was too and that its thread had the same
	// lock at some time.
	locks *locks
	word  uint64
	both  bool
	// first says that it is the first access.
	first bool
}

// of tells about the first access, of a thread by a site, and the second one,
// which its thread makes now.
func (k *locks) of(site int, first, then uint64) lockState {
	s := k.sites[site]
	if w, ok := k.held[then]; ok {
		return lockState{locks: k, word: w, both: s.locked && k.ever[owner{first, w}]}
	}
	if s.locked && !s.free {
		return lockState{locks: k, word: s.word, first: true}
	}
	return lockState{}
}

// taken is how the second thread took a lock that both have held.
func (l lockState) taken() hearing {
	if !l.both {
		return hearing{}
	}
	return hearing{word: l.word, site: l.locks.takers[l.word]}
}

// missing reports whether one of the accesses lacks the lock. It is asked for
// after the launch, when it is known which words are locks.
func (l lockState) missing() bool { return l.locks != nil && !l.both && l.locks.real[l.word] }

// reason says which of two accesses, in the order of the run, is locked.
func (l lockState) reason(first, then *trace.Site, file string) string {
	locked := then
	if l.first {
		locked = first
	}
	return fmt.Sprintf("the %s of %s is made under a lock, which the other thread does not hold", locked.Kind, check.Where(locked, file))
}
