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

// hearing is a strong read.
type hearing struct {
	word uint64
	site *trace.Site
}

func newSignals(threads int) *signals {
	return &signals{said: map[saying]signal{}, heard: make([][2]hearing, threads)}
}

// forget is for a new block, or for a new interval of a block that shares
// nothing with others.
func (s *signals) forget() {
	if s.latest.site != nil {
		clear(s.heard)
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

// hear notes what thread t of the block at work reads.
func (s *signals) hear(t int, h hearing) {
	mine := &s.heard[t]
	if mine[0].word != h.word {
		mine[1] = mine[0]
	}
	mine[0] = h
	s.latest = h
}

// link is how a signal connects the thread of the first access with that of the
// second.
type link struct {
	signal
	heard hearing
	ok    bool
}

// link returns the signal that a thread of the block at work, or else any other
// of it, has had from another block at another word than one of them.
func (s *signals) link(first uint32, t int, not uint64) link {
	for _, h := range [...]hearing{s.heard[t][0], s.heard[t][1], s.latest} {
		if l := s.from(first, h, not); l.ok {
			return l
		}
	}
	return link{}
}

// linkInBlock is link for two threads of one block: only what the second has
// heard itself counts, and what single threads of warps say and hear. Counters
// that all lanes add to tell nobody anything.
func (s *signals) linkInBlock(first uint32, t int, not uint64, single func(*trace.Site) bool) link {
	for _, h := range s.heard[t] {
		if l := s.from(first, h, not); l.ok && int(uint16(l.thread)) != t && single(l.site) && single(h.site) {
			return l
		}
	}
	return link{}
}

func (s *signals) from(first uint32, h hearing, not uint64) link {
	g, ok := s.said[saying{h.word, first}]
	if h.site == nil || h.word == not || !ok {
		return link{}
	}
	return link{g, h, true}
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
)

// fault looks at an access by thread at interval, stamp and tick.
func (l *link) fault(thread uint64, interval, stamp, tick uint32) linkFault {
	own := l.thread == thread
	f := l.fence
	switch {
	case own && l.interval == interval && l.tick < tick:
		return earlySignal
	case !own && interval == l.interval:
		return noJoin
	case !l.fenced:
		return noRelease
	case f.interval < interval, f.interval == interval && !(own && stamp < f.stamp):
		return earlyFence
	}
	return noAcquire
}
