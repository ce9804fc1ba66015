package race

import "github.com/warpgrind/warpgrind/internal/trace"

// signals remembers what threads say to each other in flags, locks and
// tickets, to tell of a race between two of them where the fence is missing.
// Words are those of the release sequences; threads are named as in locks. In
// shared memory, where signals live no longer than a barrier interval, each
// thread counts as a block of its own.
type signals struct {
	said  map[saying]signal
	heard map[uint64]hearing
	// latest is what any thread of a block heard last.
	latest map[uint32]hearing
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

func newSignals() *signals {
	return &signals{map[saying]signal{}, map[uint64]hearing{}, map[uint32]hearing{}}
}

func (s *signals) reset() {
	if s != nil {
		clear(s.said)
		clear(s.heard)
		clear(s.latest)
	}
}

func (s *signals) say(block uint32, word uint64, g signal) { s.said[saying{word, block}] = g }

func (s *signals) hear(block uint32, thread uint64, h hearing) {
	s.heard[thread] = h
	s.latest[block] = h
}

// link is how a signal connects the thread of the first access with that of the
// second.
type link struct {
	signal
	heard hearing
	ok    bool
}

// link returns the signal that the second thread has had from the first one's
// block.
func (s *signals) link(first, then uint32, thread uint64) link {
	for _, h := range []hearing{s.heard[thread], s.latest[then]} {
		if h.site == nil {
			continue
		}
		if g, ok := s.said[saying{h.word, first}]; ok {
			return link{g, h, true}
		}
	}
	return link{}
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
	case own && l.tick < tick:
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
