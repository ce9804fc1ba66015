package static

import (
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// mostSmaller bounds the launches that are tried to make one example smaller, mostShrunk the examples of a kernel that are
// made smaller.
const mostSmaller, mostShrunk = 40, 12

// smallest looks for a smaller launch with the finding of an example: of each value of the host code, each parameter and
// each extent of the grid the smallest power of two is taken with which again has the finding. It returns what again does
// of the last such launch, nil if there is none.
func smallest[T any](c *raceCheck, e *Evidence, again func(*raceCheck) *T) (found *T) {
	if !c.unit.Smallest || e == nil || c.shrunk >= mostShrunk {
		return nil
	}
	c.shrunk++
	values := c.valuesOf(e)
	names := slices.Sorted(maps.Keys(values))
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "ntid.") }) // usual blocks are small
	left := mostSmaller
	for one := true; one; { // a value may have kept another one large
		one = false
		for _, name := range names {
			for v := uint64(1); v < values[name] && left > 0; v *= 2 {
				left--
				smaller := maps.Clone(values)
				smaller[name] = v
				s := c.concrete(smaller)
				if s == nil {
					continue
				}
				if f := again(s); f != nil {
					found, values, one = f, smaller, true
					break
				}
			}
		}
	}
	return found
}

// valuesOf are the values of an example's launch that are not constants of the launch that was asked about.
func (c *raceCheck) valuesOf(e *Evidence) map[string]uint64 {
	given := c.shape.launch.facts
	values := filled(solve.Variables(given.terms()...), given.equations(), e.values, orders[0])
	for name, v := range e.values {
		if p, bits, ok := partAndBits(name); ok && given.param(p, bits) == nil {
			values[name] = v
		}
	}
	for i, x := range axes {
		if c.unit.Launch.Block[i] == 0 && given.block[i] == nil {
			values["ntid."+x] = uint64(e.Shape[i])
		}
		if c.unit.Launch.Grid[i] == 0 && given.grid[i] == nil && e.Grid[i] > 0 {
			values["nctaid."+x] = uint64(e.Grid[i])
		}
	}
	return values
}

// smallestPair takes a smaller launch for a pair's example.
func (c *raceCheck) smallestPair(p *Pair) {
	if p.Verdict != Possible {
		return
	}
	q := smallest(c, p.Evidence, func(s *raceCheck) *Pair {
		q, conflict := s.pair(s.accesses[p.A.index], s.accesses[p.B.index])
		if !conflict || q.Verdict <= Watched || q.SameValue != p.SameValue {
			return nil
		}
		return q
	})
	if q != nil { // what the conflict is between stays what it is in large launches
		p.Evidence = q.Evidence
	}
}

// smallestBeyond takes a smaller launch for the example of an index beyond an array.
func (c *raceCheck) smallestBeyond(i int, b *Beyond) {
	if b.Verdict != Possible {
		return
	}
	q := smallest(c, b.Evidence, func(s *raceCheck) *Beyond {
		a := s.bounded()[i]
		size := s.sizeOf(a)
		if size == nil {
			return nil
		}
		if q := s.beyond(a, size); q.Verdict > Watched {
			return &q
		}
		return nil
	})
	if q != nil {
		b.Evidence, b.Size = q.Evidence, q.Size
	}
}
