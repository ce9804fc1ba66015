package check

import (
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/analysis/equivalent"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Exemplars lets one block stand for others that are proved to do the same in
// shared memory: what a rule sees in it, a Seen, it would see in each of them, and
// they need not be watched.
type Exemplars[Seen any] struct {
	prove func(*trace.Launch) *equivalent.Proof
	// known are proofs of which a launch before had an exemplar.
	known map[*equivalent.Proof]Seen
}

// NewExemplars makes the exemplars of a rule. They never spare a block where
// cfg.Equivalent is nil.
func NewExemplars[Seen any](cfg Config) *Exemplars[Seen] {
	return &Exemplars[Seen]{prove: cfg.Equivalent, known: map[*equivalent.Proof]Seen{}}
}

// maxKnown bounds Exemplars.known.
const maxKnown = 1 << 10

// Exemplar is the block of a launch that stands for others. A nil Exemplar spares
// none.
type Exemplar[Seen any] struct {
	all   *Exemplars[Seen]
	proof *equivalent.Proof
	grid  trace.Dim3
	// before is set if a launch before had the exemplar.
	before bool
	chosen atomic.Bool
	mu     sync.Mutex
	seen   Seen
	// spared counts blocks, lowest is the lowest of all that it stands for.
	spared, lowest uint64
}

// Of returns what stands for a launch's blocks, nil if they are not proved to be
// equivalent. straight asks for proofs of how lanes run together.
func (x *Exemplars[Seen]) Of(l *trace.Launch, straight bool) *Exemplar[Seen] {
	if x.prove == nil || l.ClusterSize() > 1 { // blocks reach each other's shared memory
		return nil
	}
	p := x.prove(l)
	if p == nil || straight && !p.Straight {
		return nil
	}
	e := &Exemplar[Seen]{all: x, proof: p, grid: l.Grid, lowest: l.Grid.Size()}
	e.seen, e.before = x.known[p]
	e.chosen.Store(e.before)
	return e
}

// Spares is for trace.LaunchObserver.
func (e *Exemplar[Seen]) Spares(block uint64) bool {
	if !e.StandsFor(block) {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lowest = min(e.lowest, block)
	if e.chosen.Load() {
		e.spared++
	}
	return e.chosen.Load()
}

// StandsFor reports whether the block is one of those that are equivalent.
func (e *Exemplar[Seen]) StandsFor(block uint64) bool {
	if e == nil {
		return false
	}
	c := e.grid.At(block)
	return e.proof.Has([3]uint32{c.X, c.Y, c.Z})
}

// Wanted reports whether the block, which is watched, may become the exemplar.
func (e *Exemplar[Seen]) Wanted(block uint64) bool {
	return e.StandsFor(block) && !e.chosen.Load()
}

// Choose makes a block that has ended the exemplar, if it was watched to its end
// and there is none yet.
func (e *Exemplar[Seen]) Choose(b *trace.Block, seen Seen) {
	if !e.Wanted(b.Index) || b.Cut {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.chosen.Load() {
		e.seen = seen
		e.chosen.Store(true)
	}
}

// Spared is what came of an exemplar in a launch.
type Spared[Seen any] struct {
	// Seen is what it did, Before is set if it ran in a launch before.
	Seen   Seen
	Before bool
	// Alike is how many blocks the launch has that do the same, Ran how many of
	// them ran without being watched. Lowest is the first of them all.
	Alike, Ran, Lowest uint64
}

// Close ends the launch, with nil if no block was chosen.
func (e *Exemplar[Seen]) Close() *Spared[Seen] {
	if e == nil || !e.chosen.Load() {
		return nil
	}
	if len(e.all.known) == maxKnown {
		clear(e.all.known)
	}
	if !e.proof.Reads {
		e.all.known[e.proof] = e.seen
	}
	return &Spared[Seen]{Seen: e.seen, Before: e.before, Alike: e.proof.Blocks(), Ran: e.spared, Lowest: e.lowest}
}
