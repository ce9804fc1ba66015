package race

import (
	"math/bits"
	"strings"

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
	released map[uint32][]uint32
	// pending is what a thread has read and will learn at its next fence.
	pending map[int][]uint32
}

func (r *releases) reset() {
	clear(r.fences)
	clear(r.released)
	clear(r.pending)
}

// handsOver reports whether a launch may have release and acquire patterns: it
// has a fence or an instruction that releases or acquires by itself.
func handsOver(l *trace.Launch) bool {
	for _, s := range l.Sites {
		op := opcode(s.PTX)
		if s.Order >= trace.OrderAcquire || strings.HasPrefix(op, "membar") || strings.HasPrefix(op, "fence") {
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
	if r.fences == nil {
		r.fences, r.pending, r.released = map[int]uint32{}, map[int][]uint32{}, map[uint32][]uint32{}
	}
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
	if b.releases.fences == nil && a.Site.Order < trace.OrderAcquire {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		t := 32*a.Warp + lane
		for at := uint64(0); at < uint64(a.Site.Size); at += 4 {
			word := uint32((a.Addr[lane] + at) >> 2)
			if a.Site.Kind != trace.Write {
				b.acquire(t, word, a.Site.Order)
			}
			if a.Site.Kind != trace.Read {
				b.release(t, word, a.Site)
			}
		}
	}
}

// acquire lets thread t learn what was released at word: at once, or at its
// next fence where the access itself does not acquire.
func (b *blockObserver) acquire(t int, word uint32, o trace.Order) {
	r := &b.releases
	row := r.released[word]
	switch {
	case row == nil:
	case o == trace.OrderAcquire || o >= trace.OrderAcqRel:
		b.learn(t, row)
	case r.pending[t] == nil:
		r.pending[t] = append([]uint32(nil), row...)
	default:
		maxInto(r.pending[t], row)
	}
}

// release makes what thread t did before its last fence, or before this access
// where it releases by itself, known to who acquires word.
func (b *blockObserver) release(t int, word uint32, s *trace.Site) {
	r := &b.releases
	stamp, fenced := r.fences[t]
	if s.Order >= trace.OrderRelease {
		b.clock.now[t/32]++
		stamp, fenced = b.clock.now[t/32], true
	}
	if !fenced {
		if s.Kind == trace.Write {
			delete(r.released, word) // ends the release sequence
		}
		return
	}
	if r.released == nil {
		r.fences, r.pending, r.released = map[int]uint32{}, map[int][]uint32{}, map[uint32][]uint32{}
	}
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
	if old := r.released[word]; old != nil && s.Kind == trace.Atomic {
		maxInto(row, old)
	}
	r.released[word] = row
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
	return b.releases.released[word] != nil && b.launch.strong[o.site()] && b.launch.strong[k.site()]
}
