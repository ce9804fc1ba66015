package predict

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Access is one access of a warp, or an operation, as a place in what its block does.
type Access struct {
	Block    uint32
	Warp     int
	Interval uint32
	Tick     uint32 // of its warp in the interval
}

// operation is a strong write of a warp to global memory, number by the warp's operations from 1.
type operation struct {
	Access
	number uint32
	site   *trace.Site
}

// Pair is two accesses that conflict, in the order in which the run had them. Locked: both are under what
// may be the same lock.
type Pair struct {
	First, Then Access
	Locked      bool
}

// Log is of one execution; nil for none.
type Log struct {
	operations map[uint32][]operation // of a block, in their order
	count      int
	// pairs has, by their sites, the first and the last pair of accesses; keys are these in
	// the order in which they were found.
	pairs map[evidence.Key][2]Pair
	keys  []evidence.Key
}

// Bounds of a log. A loop that adds to counters has many operations.
const (
	maxOperations = 1 << 18
	maxPairs      = 32
)

// NewLog makes an empty log.
func NewLog() *Log {
	return &Log{operations: map[uint32][]operation{}, pairs: map[evidence.Key][2]Pair{}}
}

// Operation notes an operation.
func (l *Log) Operation(a Access, number uint32, site *trace.Site) {
	if l == nil || l.count == maxOperations {
		return
	}
	l.count++
	l.operations[a.Block] = append(l.operations[a.Block], operation{a, number, site})
}

// Ordered notes accesses of two blocks that conflict and do not race, as the second block has acquired what the
// first one released.
func (l *Log) Ordered(k evidence.Key, p Pair) {
	ps, ok := l.pairs[k]
	switch {
	case ok:
		ps[1] = p
	case len(l.keys) == maxPairs:
		return
	default:
		ps = [2]Pair{p, p}
		l.keys = append(l.keys, k)
	}
	l.pairs[k] = ps
}

// Some reports whether there is a pair.
func (l *Log) Some() bool { return l != nil && len(l.keys) > 0 }

// ahead reports whether a block does a before b for sure: it is of the same warp, or of an earlier
// barrier interval.
func ahead(a, b Access) bool {
	return a.Interval < b.Interval || a.Interval == b.Interval && a.Warp == b.Warp && a.Tick < b.Tick
}

// next is the first operation of a's block behind a.
func (l *Log) next(a Access) (operation, bool) {
	for _, x := range l.operations[a.Block] {
		if ahead(a, x.Access) {
			return x, true
		}
	}
	return operation{}, false
}

// last is the last operation but so many of a's block ahead of a.
func (l *Log) last(a Access, but int) (operation, bool) {
	list := l.operations[a.Block]
	for i := len(list) - 1; i >= 0; i-- {
		if ahead(list[i].Access, a) {
			if but == 0 {
				return list[i], true
			}
			but--
		}
	}
	return operation{}, false
}

// Order is an order to try, for a pair of sites. Of its holds, At are the operations.
type Order struct {
	Pair  evidence.Key
	Holds []check.Hold
	At    []*trace.Site
}

func (o *Order) add(x operation) {
	o.Holds = append(o.Holds, check.Hold{Block: x.Block, Warp: x.Warp, Operation: x.number})
	o.At = append(o.At, x.site)
}

// Orders lists the orders to try: of all pairs one, then the next of all. An access may be under several locks, of
// which the outermost is taken depth operations before it.
func (l *Log) Orders(depth int) (out []Order) {
	seen := map[string]bool{}
	add := func(o Order, ok bool) {
		if id := fmt.Sprint(o.Holds); ok && !seen[id] {
			seen[id] = true
			out = append(out, o)
		}
	}
	for which := range 2 {
		for _, k := range l.keys {
			add(l.late(k, l.pairs[k][which]))
		}
		for but := range depth {
			for _, k := range l.keys {
				add(l.reverse(k, l.pairs[k][which], but))
			}
		}
	}
	return out
}

// late lets the first block rest behind its access.
func (l *Log) late(k evidence.Key, p Pair) (o Order, ok bool) {
	o.Pair = k
	x, ok := l.next(p.First)
	o.add(x)
	return o, ok
}

// reverse lets the first block rest ahead of its access, and the second one behind its own. Under one lock that
// shows nothing; if it is none, late does.
func (l *Log) reverse(k evidence.Key, p Pair, but int) (o Order, ok bool) {
	if o.Pair = k; p.Locked {
		return o, false
	}
	x, ok := l.last(p.First, but)
	o.add(x)
	if y, some := l.next(p.Then); some {
		o.add(y)
	}
	return o, ok
}
