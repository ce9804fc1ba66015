package evidence

import (
	"cmp"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Hazard is the order in which the two accesses of a race were made.
type Hazard uint8

// Hazards, the one to report first where a pair shows several.
const (
	RAW Hazard = iota
	WAR
	WAW
	Hazards
)

func (h Hazard) String() string { return [...]string{"RAW", "WAR", "WAW"}[h] }

// HazardOf is that of two accesses in their order.
func HazardOf(earlier, later trace.Kind) Hazard {
	switch {
	case later == trace.Read:
		return RAW
	case earlier == trace.Read:
		return WAR
	}
	return WAW
}

// Distance is how far apart the threads of a pair are.
type Distance uint8

// Distances.
const (
	InWarp Distance = iota
	InBlock
	AcrossBlocks
	Distances
)

// Key is an unordered pair of sites (A <= B) and the shared variable in which they meet,
// an index in Launch.Shared or -1; 0 for global memory.
type Key struct{ A, B, Variable int }

// KeyOf orders two sites.
func KeyOf(a, b, variable int) Key { return Key{min(a, b), max(a, b), variable} }

// Compare orders keys by their sites.
func (k Key) Compare(o Key) int { return cmp.Or(k.A-o.A, k.B-o.B, k.Variable-o.Variable) }

// Sorted returns the keys of a map in order: findings of one place of which the
// compiler made several sites are merged, and the first one's text is kept.
func Sorted[P any](pairs map[Key]P) []Key { return slices.SortedFunc(maps.Keys(pairs), Key.Compare) }

// Words are those in which a pair meets, from the first to the last; not all
// between need be of them.
type Words struct {
	some   bool
	lo, hi uint64
}

// Add adds a word by its number.
func (p *Words) Add(word uint64) {
	if !p.some {
		p.some, p.lo, p.hi = true, word, word
	}
	p.lo, p.hi = min(p.lo, word), max(p.hi, word)
}

func (p *Words) merge(o Words) {
	if o.some {
		p.Add(o.lo)
		p.Add(o.hi)
	}
}

// Several reports whether they are more than one.
func (p *Words) Several() bool { return p.some && p.lo != p.hi }

// Within are their bytes, as offsets from where an object of so many bytes begins.
func (p *Words) Within(base, size uint64) finding.Bytes {
	lo, hi := int64(4*p.lo-base), int64(4*p.hi+4-base)
	return finding.Bytes{Lo: max(lo, 0), Hi: min(hi, int64(size))}
}

// Access is one access of a race.
type Access struct {
	Site       *trace.Site
	Block      uint32
	Warp, Lane int
	// Interval and Stamp are when it was by the block's clock, Tick in accesses of its warp.
	Interval, Stamp, Tick uint32
	// Passed is what its thread passed last in its barrier interval, nil for nothing.
	Passed *Passed
	// Since is what began the interval.
	Since Start
	// Wrote is the element that a write stores, or an atomic's operand, if HasWrote is set.
	Wrote    uint64
	HasWrote bool
}

// Number is the access's thread in its block.
func (a *Access) Number() int { return 32*a.Warp + a.Lane }

// ThreadOf names a thread of a launch.
func ThreadOf(block uint32, t int) uint64 { return uint64(block)<<16 | uint64(t) }

// Start is the full barrier that began an interval.
type Start struct {
	// Number counts full barriers of the block; 0 is the kernel's start.
	Number uint64
	// Site is the barrier, nil if unknown.
	Site *trace.Site
}

// Witness is one race: two accesses, in the order of the run, to a place, and the evidence
// about why nothing orders them.
type Witness struct {
	First, Then Access
	// Swapped: the program, as far as all warps keep step, has them the other way round.
	Swapped bool
	// Time is when in the block it was found.
	Time uint64
	// Addr is the first byte that both access, Bytes how many of its word.
	Addr  uint64
	Bytes int
	// Owner is the block that shared memory is of, counted from 1; 0 for other memory.
	Owner uint32
	// Found is the element that Then finds there, before it takes effect, if HasFound is set.
	Found    uint64
	HasFound bool
	// Differ: the two write different values.
	Differ bool
	Evidence
}

// Evidence is what supports the reason for a race, as it was when the race was found.
type Evidence struct {
	// OneInstr: both are lanes of one instruction. Apart: they are at different steps of
	// their programs, perhaps of a loop.
	OneInstr, Apart bool
	// InFlight: one is an asynchronous copy that has not completed.
	InFlight bool
	// Async is what lacks where one is an asynchronous operation.
	Async AsyncFault
	// Observed: the thread of the other access has waited for an earlier operation of the same instruction.
	Observed bool
	// Between is a synchronization between the two that left one of them out, nil for none.
	// Early: the first thread took part in it, but before its access.
	Between *Passed
	Early   bool
	// Update: the thread that writes has read the place before, by what may be the other
	// access. Polled: one of the accesses is a loop's that waits for the other.
	Update, Polled bool
	Lock           LockState
	// Link is the flag that connects the threads, Fault what it lacks.
	Link  Link
	Fault Fault
	// Waited are the places where the first thread's block has read flags or counters,
	// where that is another block than the second one's.
	Waited []Acquire
}

// InProgram returns the accesses as they follow each other where all warps keep step,
// whatever order they were run in.
func (w *Witness) InProgram() (a, z *Access) {
	if w.Swapped {
		return &w.Then, &w.First
	}
	return &w.First, &w.Then
}

// Hazard is that of the accesses in the program's order.
func (w *Witness) Hazard() Hazard {
	a, z := w.InProgram()
	return HazardOf(a.Site.Kind, z.Site.Kind)
}

// Distance is that of the two threads.
func (w *Witness) Distance() Distance {
	switch {
	case w.First.Block != w.Then.Block:
		return AcrossBlocks
	case w.First.Warp != w.Then.Warp:
		return InBlock
	}
	return InWarp
}

// Pair is what was seen of two sites that race.
type Pair struct {
	// Count has thread pairs by hazard, in the order of the run, and by distance.
	Count [Hazards][Distances]uint64
	// Different: two of their writes had different values. Scattered: two such writes were not
	// those of lanes of one instruction at once, nor of two warps whose lanes wrote the same values.
	Different, Scattered bool
	Words                Words
	// Awaited: a copy's thread has waited for it where the program comes to the other
	// access, and what is missing is a barrier behind that.
	Awaited bool
	// witness has the first of each hazard, in different warps and in one, nil for none.
	witness [Hazards][2]*Witness
}

// Witness returns the one that is kept of a hazard.
func (p *Pair) Witness(h Hazard, inWarp bool) *Witness { return p.witness[h][index(inWarp)] }

// Keep makes w the witness of a hazard.
func (p *Pair) Keep(h Hazard, inWarp bool, w *Witness) { p.witness[h][index(inWarp)] = w }

// KeepOnly makes w the only witness.
func (p *Pair) KeepOnly(w *Witness) {
	p.witness = [Hazards][2]*Witness{{w}}
}

func index(inWarp bool) int {
	if inWarp {
		return 1
	}
	return 0
}

// By are the thread pairs by distance.
func (p *Pair) By() (by [Distances]uint64) {
	for _, c := range p.Count {
		for d, n := range c {
			by[d] += n
		}
	}
	return by
}

// Of are the thread pairs of a hazard.
func (p *Pair) Of(h Hazard) uint64 {
	c := &p.Count[h]
	return c[InWarp] + c[InBlock] + c[AcrossBlocks]
}

// Merge adds what another slot saw of the same pair.
func (p *Pair) Merge(o *Pair) {
	p.Different, p.Scattered = p.Different || o.Different, p.Scattered || o.Scattered
	p.Awaited = p.Awaited || o.Awaited
	p.Words.merge(o.Words)
	for h := range p.Count {
		for d := range p.Count[h] {
			p.Count[h][d] += o.Count[h][d]
		}
		for i, b := range o.witness[h] {
			if a := p.witness[h][i]; a == nil || b != nil && b.Before(a) {
				p.witness[h][i] = b
			}
		}
	}
}

// Choose returns the witness to show: RAW before WAR before WAW, then the
// preferred one. inWarp asks for one within a warp where there is one.
func (p *Pair) Choose(inWarp bool) *Witness {
	for _, only := range []bool{inWarp, false} {
		for _, ws := range p.witness {
			w := ws[1]
			if !only && (w == nil || ws[0] != nil && ws[0].Before(w)) {
				w = ws[0]
			}
			if w != nil {
				return w
			}
		}
	}
	panic("race: a pair without a witness")
}

// Best returns the preferred witness, whatever its hazard.
func (p *Pair) Best() (best *Witness) {
	for _, ws := range p.witness {
		for _, w := range ws {
			if w != nil && (best == nil || w.Before(best)) {
				best = w
			}
		}
	}
	return best
}

// Before is the order in which witnesses are preferred: values that differ, then the
// smallest block, then the first in time, or where nothing tells the time of two blocks,
// the smallest place.
func (w *Witness) Before(o *Witness) bool {
	if w.Differ != o.Differ {
		return w.Differ
	}
	return slices.Compare(w.rank(), o.rank()) < 0
}

func (w *Witness) rank() []uint64 {
	a, z := w.InProgram()
	if w.Time > 0 {
		return []uint64{uint64(a.Block), w.Time}
	}
	return []uint64{uint64(max(a.Block, z.Block)), uint64(min(a.Block, z.Block)), w.Addr, uint64(z.Interval), uint64(z.Tick),
		uint64(a.Tick), uint64(z.Warp), uint64(a.Warp), uint64(z.Lane), uint64(a.Lane), uint64(a.Site.ID),
		uint64(z.Block)}
}
