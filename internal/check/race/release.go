package race

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// releases keeps what strong accesses to shared memory hand from thread to
// thread (PTX ISA, "Memory Consistency Model": release and acquire patterns): a
// fence followed by a strong write releases; a strong read of it followed by a
// fence acquires. A lock or a flag in shared memory works like that.
//
// It takes a strong read to observe every earlier release to its word, and a
// release to hand on what its thread knows at the write. Both may order a
// little more than the model promises; neither makes a report of what is
// ordered.
type releases struct {
	// fences has, for each thread that executed a fence in this interval, its
	// warp's stamp behind the last one.
	fences map[int]uint32
	// released maps a word to what who acquires it learns, a row of the clock.
	released map[uint64][]uint32
	// pending is what a thread has read and will learn at its next fence.
	pending map[int][]uint32
	// phases are those of the mbarrier objects, by offset.
	phases map[uint64]*phases
}

// begin makes the maps at the first use.
func (r *releases) begin() {
	if r.fences == nil {
		r.fences, r.pending, r.released = map[int]uint32{}, map[int][]uint32{}, map[uint64][]uint32{}
		r.phases = map[uint64]*phases{}
	}
}

func (r *releases) reset() {
	clear(r.fences)
	clear(r.released)
	clear(r.pending)
	clear(r.phases)
}

// handsOver reports whether a launch may have release and acquire patterns: it
// has a fence or an instruction that releases or acquires by itself.
func handsOver(l *trace.Launch) bool {
	for _, s := range l.Sites {
		if s.Order >= trace.OrderAcquire || s.Op.IsFence() {
			return true
		}
	}
	return false
}

// Fence takes note of a fence: it ends an acquire and begins a release.
func (b *blockObserver) Fence(e *trace.Fence) {
	if !b.launch.handsOver || e.Warp >= b.clock.warps {
		return
	}
	r := &b.releases
	r.begin()
	b.clock.now[e.Warp]++
	for m := e.Mask & b.clock.exist[e.Warp]; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		if row := r.pending[t]; row != nil {
			b.learn(t, row)
			delete(r.pending, t)
		}
		r.fences[t] = b.clock.now[e.Warp]
	}
}

// strongAccess acquires and releases for the lanes of a strong access.
func (b *blockObserver) strongAccess(a *trace.Access) {
	if isMBarrier(a.Site) {
		b.mbarrier(a)
		return
	}
	one := oneAddress(a) // as locks and flags are accessed
	if !one && b.releases.fences == nil && a.Site.Order < trace.OrderAcquire {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		t := 32*a.Warp + lane
		for at := uint64(0); at < uint64(a.Site.Size); at += 4 {
			word := wordOf(a.Space, a.Addr[lane]+at)
			if one {
				b.say(a, lane, word)
			}
			if a.Site.Kind != trace.Write {
				b.acquire(t, word, a.Site.Order)
			}
			if a.Site.Kind != trace.Read {
				b.release(t, word, a.Site)
			}
		}
	}
}

// wordOf names a word of shared or global memory.
func wordOf(space trace.Space, addr uint64) uint64 {
	if space == trace.SpaceShared {
		return addr>>2 | 1<<63
	}
	return addr >> 2
}

// say notes what a strong access means for locks and signals.
func (b *blockObserver) say(a *trace.Access, lane int, word uint64) {
	s, t := a.Site, 32*a.Warp+lane
	if b.locks != nil {
		b.locks.strong(s, uint64(t), word, operand(a, lane))
	}
	if s.Kind != trace.Write {
		b.signals.hear(hearing{word: word, site: s, thread: t, stamp: b.clock.now[t/32]})
	}
	if s.Kind != trace.Read {
		stamp, fenced := b.releases.fences[t]
		g := signal{thread: uint64(t), site: s, stamp: b.clock.now[t/32], tick: b.ticks[t/32], fenced: fenced}
		g.fence.stamp = stamp
		b.signals.say(uint32(t), word, g)
		b.signals.say(warpOf(uint32(t)), word, g)
	}
}

// operand is what a lane writes, or an atomic's operand; 0 where that is not
// known.
func operand(a *trace.Access, lane int) uint64 {
	if a.Data == nil || !a.Site.Kind.Writes() {
		return 0
	}
	return a.Data.Value(lane, 0)
}

// acquire lets thread t learn what was released at word: at once, or at its
// next fence where the access itself does not acquire.
func (b *blockObserver) acquire(t int, word uint64, o trace.Order) {
	r := &b.releases
	row := r.released[word]
	switch {
	case row == nil:
	case o == trace.OrderAcquire || o >= trace.OrderAcqRel:
		b.learn(t, row)
	default:
		b.pend(t, row)
	}
}

// pend lets thread t learn row at its next fence.
func (b *blockObserver) pend(t int, row []uint32) {
	r := &b.releases
	if r.pending[t] == nil {
		r.pending[t] = append([]uint32(nil), row...)
	} else {
		maxInto(r.pending[t], row)
	}
}

// release makes what thread t did before its last fence, or before this access
// where it releases by itself, known to who acquires word.
func (b *blockObserver) release(t int, word uint64, s *trace.Site) {
	r := &b.releases
	stamp, fenced := r.fences[t]
	if s.Order >= trace.OrderRelease {
		stamp, fenced = b.nextStamp(t), true
	}
	if !fenced {
		if s.Kind == trace.Write {
			delete(r.released, word) // ends the release sequence
		}
		return
	}
	r.begin()
	row := b.handOut(t, stamp)
	if old := r.released[word]; old != nil && s.Kind == trace.Atomic {
		maxInto(row, old)
	}
	r.released[word] = row
}

// nextStamp parts what the warp of thread t did from what it does from now on.
func (b *blockObserver) nextStamp(t int) uint32 {
	b.clock.now[t/32]++
	return b.clock.now[t/32]
}

// handOut returns the row of what thread t knows and did before stamp, in
// lockstep its whole warp.
func (b *blockObserver) handOut(t int, stamp uint32) []uint32 {
	if !b.clock.partial {
		b.clock.rows.begin(b.clock)
		b.clock.partial = true
	}
	row := append([]uint32(nil), b.clock.rows.row(b.clock.rows.of[t])...)
	from, to := t, t+1
	if b.model == check.Lockstep {
		from, to = t&^31, min(t|31, b.clock.threads-1)+1
	}
	for i := from; i < to; i++ {
		row[i] = max(row[i], stamp)
	}
	return row
}

// learn joins row into what thread t knows, in lockstep into what all lanes of
// its warp know.
func (b *blockObserver) learn(t int, row []uint32) {
	rows := &b.clock.rows
	from, to := t, t+1
	if b.model == check.Lockstep {
		from, to = t&^31, min(t|31, b.clock.threads-1)+1
	}
	for i := from; i < to; i++ {
		rows.learn(i, row)
	}
}

// handedOver reports whether two strong accesses to word are part of a release
// and acquire pattern: then they are what synchronises, and no race.
func (b *blockObserver) handedOver(o, k key, word uint32) bool {
	return b.releases.released[wordOf(trace.SpaceShared, 4*uint64(word))] != nil && b.launch.strong[o.site()] && b.launch.strong[k.site()]
}
