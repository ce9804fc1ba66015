package race

import "github.com/warpgrind/warpgrind/internal/trace"

// signals remembers what threads say to each other in flags, locks and
// tickets, to tell of a race between two of them where the fence is missing.
// Words are those of the release sequences; threads are named as in locks. In
// shared memory, where signals live no longer than a barrier interval, each
// thread counts as a block of its own.
type signals struct {
	said map[saying]signal
	// heard is what each thread of the block at work heard last, and the last
	// at another word before that; latest what any of them did.
	heard  [][2]hearing
	latest hearing
	// warps has the same of each warp.
	warps [][2]hearing
}

type saying struct {
	word  uint64
	block uint32
}

// signal is a strong write to a word, the last one of a block.
type signal struct {
	thread          uint64
	site            *trace.Site
	interval, stamp uint32
	tick            uint32
	// fence is the writer's last fence before, if fenced is set.
	fence  fenced
	fenced bool
}

// hearing is a strong read, by a thread of the block.
type hearing struct {
	word   uint64
	site   *trace.Site
	thread int
	stamp  uint32
	// interval is that of a block whose threads share signals.
	interval uint32
}

func newSignals(threads int) *signals {
	return &signals{said: map[saying]signal{}, heard: make([][2]hearing, threads), warps: make([][2]hearing, (threads+31)/32)}
}

// forget is for a new block, or for a new interval of a block that shares
// nothing with others.
func (s *signals) forget() {
	if s.latest.site != nil {
		clear(s.heard)
		clear(s.warps)
		s.latest = hearing{}
	}
}

func (s *signals) reset() {
	if s != nil {
		clear(s.said)
		s.forget()
	}
}

func (s *signals) say(block uint32, word uint64, g signal) { s.said[saying{word, block}] = g }

// warpOf stands for the warp of a thread, where threads stand for blocks.
func warpOf(thread uint32) uint32 { return thread/32 | 1<<31 }

// hear notes what a thread of the block at work reads.
func (s *signals) hear(h hearing) {
	for _, mine := range []*[2]hearing{&s.heard[h.thread], &s.warps[h.thread/32]} {
		if mine[0].word != h.word {
			mine[1] = mine[0]
		}
		mine[0] = h
	}
	s.latest = h
}

// link is how a signal connects the thread of the first access with that of the
// second.
type link struct {
	signal
	heard hearing
	ok    bool
	// joined says that another lane of the first thread's warp has said it, behind a
	// __syncwarp of both; apart that another lane of the second thread's warp
	// has heard it, and no __syncwarp of both follows.
	joined, apart bool
	// lane says that it is said by another lane of the first thread's warp.
	lane bool
}

// links are the signals that a thread of the block at work, or else any other
// of it, has had from another block at another word than one of them. lock is the
// word of a lock that both have held, which comes first.
func (s *signals) links(first uint32, t int, not uint64, lock hearing) (out []link) {
	for _, h := range [...]hearing{lock, s.heard[t][0], s.heard[t][1], s.latest} {
		if l := s.from(first, h, not); l.ok {
			out = append(out, l)
		}
	}
	return out
}

// linksInBlock are links for two threads of one block: only what the second, or a
// lane of its warp, has heard itself counts, and what single threads of warps say and
// hear. Counters that all lanes add to tell nobody anything. synced reports
// whether a __syncwarp has joined two threads of a warp between two stamps.
func (s *signals) linksInBlock(from []uint32, first uint64, stamp uint32, t int, not uint64, single func(*trace.Site) bool,
	synced func(a, b int, from, to uint32) bool) (out []link) {
	a := int(uint16(first))
	for _, h := range [...]hearing{s.heard[t][0], s.heard[t][1], s.warps[t/32][0], s.warps[t/32][1]} {
		for _, f := range from {
			l := s.from(f, h, not)
			by := int(uint16(l.thread))
			if !l.ok || by == t || by/32 == t/32 && a/32 != t/32 || !single(l.site) || !single(h.site) {
				continue
			}
			l.lane = by != a && by/32 == a/32
			l.joined = l.lane && synced(a, by, stamp, l.stamp)
			l.apart = h.thread != t && !synced(h.thread, t, h.stamp, ^uint32(0))
			out = append(out, l)
		}
	}
	return out
}

func (s *signals) from(first uint32, h hearing, not uint64) link {
	g, ok := s.said[saying{h.word, first}]
	if h.site == nil || h.word == not || !ok {
		return link{}
	}
	return link{signal: g, heard: h, ok: true}
}

// connects reports whether a signal may be about an access: it is not of an
// earlier barrier interval, and not the access itself.
func (l *link) connects(thread uint64, interval, tick uint32) bool {
	same := l.thread == thread && l.interval == interval && l.tick == tick
	return l.ok && l.interval >= interval && !same
}

// linkFault is why a link does not order the access before it.
type linkFault uint8

const (
	noAcquire   linkFault = iota // no fence after the flag is read
	noRelease                    // no fence before the flag is set
	earlyFence                   // the fence comes before the access
	earlySignal                  // the flag is set before the access
	noJoin                       // another thread sets it, without a barrier before
	noSpread                     // another lane has read it, without a __syncwarp behind
)

// fault looks at an access by thread at interval, stamp and tick.
func (l *link) fault(thread uint64, interval, stamp, tick uint32) linkFault {
	own := l.thread == thread || l.joined
	f := l.fence
	switch {
	case l.thread == thread && l.interval == interval && l.tick < tick:
		return earlySignal
	case !own && interval == l.interval:
		return noJoin
	case !l.fenced:
		return noRelease
	case f.interval < interval, f.interval == interval && !(own && stamp < f.stamp):
		return earlyFence
	case l.apart:
		return noSpread
	}
	return noAcquire
}
