package evidence

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Locks follows who holds a lock, for races that a lock is missing from. A
// thread holds a word from its compare-and-swap or exchange on it, which a
// thread that continues has won, until it stores to the word; words that no holder
// stores to are not locks but data that is updated by compare-and-swap.
//
// Threads are named by ThreadOf.
type Locks struct {
	held map[uint64]uint64
	// holders has the lanes that hold one, by warp: the number of its first thread.
	holders map[uint64]uint32
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
	// swaps and exchanges: the site's atomic is one of these.
	swaps, exchanges bool
}

// NewLocks returns nil for a kernel that cannot take a lock.
func NewLocks(l *trace.Launch) *Locks {
	if !slices.ContainsFunc(l.Sites, TakesLock) {
		return nil
	}
	k := &Locks{held: map[uint64]uint64{}, holders: map[uint64]uint32{}, ever: map[owner]bool{}, takers: map[uint64]*trace.Site{}, real: map[uint64]bool{}, sites: make([]siteLock, len(l.Sites))}
	for i, s := range l.Sites {
		if TakesLock(s) {
			k.sites[i].swaps = s.Op.IsCAS()
			k.sites[i].exchanges = !k.sites[i].swaps
		}
	}
	return k
}

// TakesLock reports whether an atomic can take a lock.
func TakesLock(s *trace.Site) bool {
	return s.Kind == trace.Atomic && s.Op.IsSwap()
}

// Strong notes a strong access to a word; value is its operand. An exchange
// with 0 takes no lock.
func (k *Locks) Strong(s *trace.Site, thread, word, value uint64) {
	if k == nil {
		return
	}
	in := &k.sites[s.ID]
	may := in.swaps || in.exchanges
	if h, ok := k.held[thread]; s.Kind != trace.Atomic && (!ok || h != word) { // data, though volatile
		k.Weak(s.ID, thread)
	}
	if s.Kind == trace.Read || !may && len(k.held) == 0 {
		return
	}
	switch h, ok := k.held[thread]; {
	case ok && h == word && !in.swaps && (s.Kind == trace.Write || value == 0):
		k.real[word] = true
		delete(k.held, thread)
		if k.holders[thread&^31] &^= 1 << (thread & 31); k.holders[thread&^31] == 0 {
			delete(k.holders, thread&^31)
		}
	case may && (in.swaps || value != 0) && (!ok || h != word):
		k.held[thread] = word
		k.holders[thread&^31] |= 1 << (thread & 31)
		k.ever[owner{thread, word}] = true
		k.takers[word] = s
	}
}

// Plain notes a plain access by lanes of the warp whose first thread is warp.
func (k *Locks) Plain(site int, warp uint64, lanes uint32) {
	if k == nil {
		return
	}
	held := lanes & k.holders[warp]
	if lanes != held {
		k.sites[site].free = true
	}
	for m := held; m != 0; m &= m - 1 {
		k.Weak(site, warp+uint64(bits.TrailingZeros32(m)))
	}
}

// Weak notes an access that no other orders by itself.
func (k *Locks) Weak(site int, thread uint64) {
	s := &k.sites[site]
	if w, ok := k.held[thread]; ok {
		s.locked, s.word = true, w
	} else {
		s.free = true
	}
}

// Free reports whether a site was also reached without a lock.
func (k *Locks) Free(site int) bool { return k == nil || k.sites[site].free }

// IsLock reports whether a word is a lock. It is asked for after the launch.
func (k *Locks) IsLock(word uint64) bool { return k != nil && k.real[word] }

// LockState is what a witness remembers of locks.
type LockState struct {
	// locks is not nil if one of the accesses was made under what may be a lock, word.
	locks *Locks
	word  uint64
	// Both: the other was too, and its thread had the same lock at some time.
	Both bool
	// First: it is the first access that was.
	First bool
}

// Of is about the first access, of a thread by a site, and the second one,
// which its thread makes now.
func (k *Locks) Of(site int, first, then uint64) LockState {
	if k == nil {
		return LockState{}
	}
	s := k.sites[site]
	if w, ok := k.held[then]; ok {
		return LockState{locks: k, word: w, Both: s.locked && k.ever[owner{first, w}]}
	}
	if s.locked && !s.free {
		return LockState{locks: k, word: s.word, First: true}
	}
	return LockState{}
}

// Taken is how the second thread took a lock that both have held.
func (l LockState) Taken() Acquire {
	if !l.Both {
		return Acquire{}
	}
	return Acquire{Word: l.word, Site: l.locks.takers[l.word]}
}

// Missing reports whether one of the accesses lacks the lock. It is asked for
// after the launch, when it is known which words are locks.
func (l LockState) Missing() bool { return l.locks != nil && !l.Both && l.locks.real[l.word] }
