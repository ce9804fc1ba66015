package evidence

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Flags remembers the releases and acquires of threads by flags, locks and
// tickets, for a race between two of them where the fence is missing.
// Words are those of the release sequences; threads are named as in Locks. In
// shared memory, where flags live no longer than a barrier interval, each
// thread counts as a block of its own.
type Flags struct {
	// Released has the last release of each block to each word.
	Released map[ReleaseKey]Release
	// acquired is what each thread of the block at work acquired; warps has the same of each warp, latest what any did last.
	acquired, warps []acquires
	latest          Acquire
}

// acquires are the last acquire of a thread, the last one from another word before that, and the last one by which it waited: words
// that it has read since may be data.
type acquires struct{ last, before, polled Acquire }

func (as *acquires) note(a Acquire) {
	if as.last.Word != a.Word {
		as.before = as.last
	}
	if as.last = a; a.Polled {
		as.polled = a
	}
}

func (as *acquires) all() []Acquire { return []Acquire{as.last, as.before, as.polled} }

// ReleaseKey is a word and a block that writes it.
type ReleaseKey struct {
	Word  uint64
	Block uint32
}

// Release is a strong write to a word, the last one of a block.
type Release struct {
	Thread          uint64
	Site            *trace.Site
	Interval, Stamp uint32
	Tick            uint32
	// Fence is the writer's last fence before, if Fenced is set.
	Fence  hb.Fence
	Fenced bool
}

// Acquire is a strong read, by a thread of the block.
type Acquire struct {
	Word   uint64
	Site   *trace.Site
	Thread int
	Stamp  uint32
	// Interval is that of a block whose threads share flags with other blocks.
	Interval uint32
	// Polled: a loop waits by the read.
	Polled bool
}

// NewFlags makes the log of a block of so many threads.
func NewFlags(threads int) *Flags {
	return &Flags{Released: map[ReleaseKey]Release{}, acquired: make([]acquires, threads), warps: make([]acquires, (threads+31)/32)}
}

// Forget is for a new block: its threads have acquired nothing.
func (f *Flags) Forget() {
	if f.latest.Site != nil {
		clear(f.acquired)
		clear(f.warps)
		f.latest = Acquire{}
	}
}

// Reset is for a new interval of a block that shares nothing with others.
func (f *Flags) Reset() {
	if f != nil {
		clear(f.Released)
		f.Forget()
	}
}

// Release notes what a block writes.
func (f *Flags) Release(block uint32, word uint64, r Release) {
	f.Released[ReleaseKey{word, block}] = r
}

// WarpOf stands for the warp of a thread, where threads stand for blocks.
func WarpOf(thread uint32) uint32 { return thread/32 | 1<<31 }

// Acquire notes what a thread of the block at work reads.
func (f *Flags) Acquire(a Acquire) {
	f.acquired[a.Thread].note(a)
	f.warps[a.Thread/32].note(a)
	f.latest = a
}

// Link is how a flag connects the thread of the first access with that of the
// second.
type Link struct {
	Release
	Acquire Acquire
	OK      bool
	// joined: another lane of the first thread's warp has released, behind a
	// __syncwarp of both; apart: another lane of the second thread's warp
	// has acquired, and no __syncwarp of both follows.
	joined, apart bool
	// Lane: another lane of the first thread's warp has released.
	Lane bool
}

// Links are the flags by which a thread of the block at work, or else any other
// of it, has acquired from another block by another word than one of them. lock is the
// word of a lock that both have held, which comes first.
func (f *Flags) Links(first uint32, t int, not uint64, lock Acquire) (out []Link) {
	for _, a := range append(append([]Acquire{lock}, f.acquired[t].all()...), f.latest) {
		if l := f.from(first, a, not); l.OK {
			out = append(out, l)
		}
	}
	return out
}

// LinksInBlock are links for two threads of one block: only what the second, or a
// lane of its warp, has acquired itself counts, and what single threads of warps release
// and acquire: counters that all lanes add to hand nothing from thread to thread, nor does a
// thread that reads back its own update. synced
// reports whether a __syncwarp has joined two threads of a warp between two stamps.
func (f *Flags) LinksInBlock(from []uint32, first uint64, stamp uint32, t int, not uint64, single func(*trace.Site) bool,
	synced func(a, b int, from, to uint32) bool) (out []Link) {
	a := int(uint16(first))
	for _, x := range append(f.acquired[t].all(), f.warps[t/32].all()...) {
		for _, b := range from {
			l := f.from(b, x, not)
			by := int(uint16(l.Thread))
			if !l.OK || by == t || by == x.Thread || by/32 == t/32 && a/32 != t/32 || !single(l.Site) || !single(x.Site) {
				continue
			}
			l.Lane = by != a && by/32 == a/32
			l.joined = l.Lane && synced(a, by, stamp, l.Stamp)
			l.apart = x.Thread != t && !synced(x.Thread, t, x.Stamp, Now)
			out = append(out, l)
		}
	}
	return out
}

func (f *Flags) from(first uint32, a Acquire, not uint64) Link {
	r, ok := f.Released[ReleaseKey{a.Word, first}]
	if a.Site == nil || a.Word == not || !ok {
		return Link{}
	}
	return Link{Release: r, Acquire: a, OK: true}
}

// connects reports whether a flag may be about an access: it is not of an
// earlier barrier interval, and not the access itself.
func (l *Link) connects(thread uint64, at *Access) bool {
	same := l.Thread == thread && l.Interval == at.Interval && l.Tick == at.Tick
	return l.OK && l.Interval >= at.Interval && !same
}

// Fault is why a link does not order the access before it.
type Fault uint8

// Faults.
const (
	NoAcquire   Fault = iota // no fence after the flag is read
	NoRelease                // no fence before the flag is set
	EarlyFence               // the fence comes before the access
	EarlySignal              // the flag is set before the access
	NoJoin                   // another thread sets it, without a barrier before
	NoSpread                 // another lane has read it, without a __syncwarp behind
)

// fault looks at an access by a thread.
func (l *Link) fault(thread uint64, at *Access) Fault {
	own := l.Thread == thread || l.joined
	f := l.Fence
	switch {
	case l.Thread == thread && l.Interval == at.Interval && l.Tick < at.Tick:
		return EarlySignal
	case !own && at.Interval == l.Interval:
		return NoJoin
	case !l.Fenced:
		return NoRelease
	case f.Interval < at.Interval, f.Interval == at.Interval && !(own && at.Stamp < f.Stamp):
		return EarlyFence
	case l.apart:
		return NoSpread
	}
	return NoAcquire
}

// SetLink keeps the first of the links between two threads that is about the first
// access, one that is set behind it if there is any, and of these one for which the second thread waited.
// A flag is not linked by its own accesses to another element.
func (e *Evidence) SetLink(ls []Link, thread uint64, first, then *Access) {
	for _, l := range ls {
		if !l.connects(thread, first) || l.Site == first.Site || l.Acquire.Site == then.Site {
			continue
		}
		if f := l.fault(thread, first); !e.Link.OK || l.rank(f) > e.Link.rank(e.Fault) {
			e.Link, e.Fault = l, f
		}
	}
}

// rank is how well a link with a fault explains a race: a volatile word that is set too early or that no loop polls may be data.
func (l *Link) rank(f Fault) int {
	switch {
	case f == EarlySignal:
		return 0
	case l.Acquire.Site.Order == trace.OrderVolatile && !l.Acquire.Polled:
		return 1
	}
	return 2
}

// Published reports whether the first access comes before a flag at another word that
// the second thread has seen: it is data, and not a flag itself.
func (e *Evidence) Published() bool {
	return e.Link.OK && (e.Fault == NoAcquire || e.Fault == NoRelease || e.Fault == EarlyFence || e.Fault == NoSpread)
}

// BlockAcquires are the last strong reads of each block, by site.
type BlockAcquires map[uint32][]Acquire

// maxAcquires bounds a block's list.
const maxAcquires = 8

// Note adds a read. Those that a loop repeats in one interval at one word are one.
func (as BlockAcquires) Note(block uint32, a Acquire) {
	list := as[block]
	i := slices.IndexFunc(list, func(o Acquire) bool { return o.Site == a.Site })
	switch {
	case i >= 0 && list[i].Word == a.Word && list[i].Interval == a.Interval:
		return
	case i < 0 && len(list) < maxAcquires:
		as[block] = append(list, a)
		return
	}
	i = max(i, 0)
	copy(list[i:], list[i+1:])
	list[len(list)-1] = a
}
