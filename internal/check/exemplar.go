package check

import (
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/analysis/alike"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Exemplars lets one block stand for others that are proved to do the same in
// shared memory: if a rule finds nothing in it, there is nothing to find in them,
// and they need not be watched.
type Exemplars struct {
	prove func(*trace.Launch) *alike.Proof
	// known are proofs of which a launch before had an exemplar, with its accesses.
	known map[*alike.Proof]uint64
}

// NewExemplars makes the exemplars of a rule. They never spare a block where
// cfg.Alike is nil.
func NewExemplars(cfg Config) *Exemplars {
	return &Exemplars{prove: cfg.Alike, known: map[*alike.Proof]uint64{}}
}

// maxKnown bounds Exemplars.known.
const maxKnown = 1 << 10

// Exemplar is the block of a launch that stands for others. A nil Exemplar spares
// none.
type Exemplar struct {
	all   *Exemplars
	proof *alike.Proof
	grid  trace.Dim3
	// before says that a launch before had the exemplar.
	before bool
	clean  atomic.Bool
	mu     sync.Mutex
	// accesses are those of the exemplar, apart those of the blocks that it does
	// not stand for, seen those of all blocks that it might have stood for.
	accesses, apart, seen uint64
}

// Of returns what stands for a launch's blocks, nil if they are not proved to be
// alike. straight asks for proofs of how lanes run together.
func (x *Exemplars) Of(l *trace.Launch, straight bool) *Exemplar {
	if x.prove == nil {
		return nil
	}
	p := x.prove(l)
	if p == nil || straight && !p.Straight {
		return nil
	}
	e := &Exemplar{all: x, proof: p, grid: l.Grid}
	if n, ok := x.known[p]; ok {
		e.before, e.accesses = true, n
		e.clean.Store(true)
	}
	return e
}

// Spares implements trace.Sparing.
func (e *Exemplar) Spares(block uint64) bool {
	return e != nil && e.clean.Load() && e.standsFor(block)
}

func (e *Exemplar) standsFor(block uint64) bool {
	c := e.grid.At(block)
	return e.proof.Has([3]uint32{c.X, c.Y, c.Z})
}

// Ended takes note of a block that was watched: of its accesses to shared memory,
// and whether nothing was found in it.
func (e *Exemplar) Ended(b *trace.Block, clean bool, accesses uint64) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.standsFor(b.Index) {
		e.apart += accesses
		return
	}
	e.seen += accesses
	if clean && !b.Cut && !e.clean.Load() {
		e.accesses = accesses
		e.clean.Store(true)
	}
}

// Close ends the launch. It returns how many accesses to shared memory had to be
// watched, and how many did not. Blocks that ran before the exemplar ended count
// as spared, so that the numbers do not depend on how many run at once.
func (e *Exemplar) Close() (watched, spared uint64) {
	if e == nil {
		return 0, 0
	}
	if !e.clean.Load() {
		return e.apart + e.seen, 0
	}
	n := e.proof.Blocks()
	if len(e.all.known) == maxKnown {
		clear(e.all.known)
	}
	if !e.proof.Reads {
		e.all.known[e.proof] = e.accesses
	}
	if e.before {
		return e.apart, n * e.accesses
	}
	return e.apart + e.accesses, (n - 1) * e.accesses
}
