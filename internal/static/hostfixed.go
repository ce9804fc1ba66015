package static

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
)

// fix takes the values that the branches on the way to a launch leave for constants: behind "case 8:" the block is of
// 8x8 threads where it is of tile x tile.
func (l *Launch) fix(f *ptx.Func) {
	if values := l.facts.equations(); len(values) > 0 {
		l.substitute(f, values)
	}
}

// substitute takes variables of the host code for constants.
func (l *Launch) substitute(f *ptx.Func, values map[string]uint64) {
	fixExtents(&l.Block, &l.facts.block, values)
	fixExtents(&l.Grid, &l.facts.grid, values)
	for p, t := range l.facts.params {
		t = solve.Substitute(t, values)
		l.facts.params[p] = t
		c, ok := t.Constant()
		switch {
		case !ok:
		case structure(f.Params[p.Param]):
			l.words[p] = c
		default:
			l.Params[p] = c
		}
	}
	for p, t := range l.facts.sizes {
		l.facts.sizes[p] = solve.Substitute(t, values)
	}
}

// fixExtents takes those extents for known that are constants then.
func fixExtents(known *[3]uint32, terms *[3]*solve.Term, values map[string]uint64) {
	for i, t := range terms {
		if t == nil {
			continue
		}
		t = solve.Substitute(t, values)
		terms[i] = t
		if c, ok := t.Constant(); ok {
			known[i], terms[i] = uint32(c), nil
		}
	}
}
