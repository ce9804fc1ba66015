package ownership

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis"
)

// meets reports whether two blocks access one byte of an array, which one of them
// writes: what they do then depends on which is first. Some blocks and rounds of
// loops are examined. A write is taken to happen unless its path implies that it
// does not; two writes only count where their paths are understood. Blocks that
// read and write at places that are not plain sums of coordinates, such as
// remainders, are taken to meet, and so are blocks that read and write at places
// that depend on data, if what they read steers them.
func (p *prover) meets(r *array) bool {
	if !r.writes || p.private(r) {
		return false
	}
	switch plain, computed := understood(r); {
	case !computed:
		return p.steered(r)
	case !plain:
		return slices.ContainsFunc(r.list, func(x *access) bool { return x.acc.Reads && !x.acc.Atomic })
	}
	m := meeting{p: p, r: r, bytes: map[int64]user{}, left: maxLooks}
	blocks := p.someBlocks()
	for _, writes := range []bool{true, false} {
		for _, x := range r.list {
			if x.acc.Writes != writes && !x.acc.Atomic {
				continue
			}
			m.x, m.sure = x, p.sure(x)
			for b, at := range blocks {
				if m.look(b, at) {
					return true
				}
			}
		}
	}
	return false
}

// understood reports whether all offsets are computed from coordinates and iterators
// and nothing else, and plain that they are sums of them. It is false where all
// accesses are atomic: those are known from the program's text.
func understood(r *array) (plain, computed bool) {
	plain = true
	atomic := true
	for _, x := range r.list {
		if x.acc.Block.Tangled || !ofCoordinates(x.acc.Addr.Offset, map[*analysis.Expr]bool{}) {
			return false, false
		}
		plain = plain && x.off != nil
		atomic = atomic && x.acc.Atomic
	}
	return plain, !atomic
}

// ofCoordinates reports whether e is an expression of coordinates, iterators and constants.
func ofCoordinates(e *analysis.Expr, seen map[*analysis.Expr]bool) bool {
	if e == nil || e.Sym != nil && e.Sym.Kind != analysis.Iter && !isCoordinate(e.Sym) {
		return false
	}
	if seen[e] {
		return true
	}
	seen[e] = true
	parts := e.Args
	for _, t := range e.Terms {
		parts = append(slices.Clip(parts), t.Factors...)
	}
	return !slices.ContainsFunc(parts, func(a *analysis.Expr) bool { return !ofCoordinates(a, seen) })
}

func isCoordinate(s *analysis.Sym) bool {
	return s.Kind == analysis.Special && slices.Contains(coordinates, s.Name)
}

// sure reports whether the conditions of an access's path are all understood.
func (p *prover) sure(x *access) bool {
	path := p.a.Path(x.acc.Block)
	for _, c := range path.Conds {
		if len(p.a.Limits(&analysis.Path{Conds: []*analysis.Expr{c}})) == 0 {
			return false
		}
	}
	return path.Exact
}

// someBlocks are the first block, and in each dimension its neighbor and the last
// one.
func (p *prover) someBlocks() [][3]uint32 {
	list := [][3]uint32{{}}
	for i, n := range p.l.Grid {
		for _, at := range []uint32{1, n - 1} {
			var b [3]uint32
			if b[i] = at; at < n && !slices.Contains(list, b) {
				list = append(list, b)
			}
		}
	}
	return list
}

// maxLooks bounds the accesses of threads that are examined.
const maxLooks = 1 << 18

// meeting follows who accesses the bytes of an array.
type meeting struct {
	p     *prover
	r     *array
	bytes map[int64]user
	left  int
	// x is the access at work, sure that its path is understood.
	x    *access
	sure bool
}

// user is the first block that writes a byte, and whether it does so for sure.
type user struct {
	block int
	sure  bool
}

// look takes note of the accesses that a block makes at m.x, and reports whether
// one of them meets another block's.
func (m *meeting) look(block int, at [3]uint32) bool {
	l := &m.p.l
	var c coords
	copy(c[3:], at[:])
	for c[2] = 0; c[2] < l.Block[2]; c[2]++ {
		for c[1] = 0; c[1] < l.Block[1]; c[1]++ {
			for c[0] = 0; c[0] < l.Block[0]; c[0]++ {
				for round := range rounds(m.x) {
					if m.left--; m.left < 0 {
						return false
					}
					if m.visit(block, &c, round) {
						return true
					}
				}
			}
		}
	}
	return false
}

// coords has the values of coordinates.
type coords [6]uint32

// rounds is how many values of iterators are examined: the first two and the
// last.
func rounds(x *access) int {
	for _, t := range x.off.Terms {
		if t.Sym.Kind == analysis.Iter {
			return 3
		}
	}
	return 1
}

func (m *meeting) visit(block int, c *coords, round int) bool {
	for _, l := range m.x.limits {
		if v, ok := value(l.Of, c, round); ok && (v < l.Lo || v > l.Hi) {
			return false
		}
	}
	off, ok := value(m.x.off, c, round)
	if !ok || off < 0 {
		return false
	}
	for b := off; b < off+int64(m.x.acc.Mem.Size()) && b < int64(m.r.mem.Size); b++ {
		u, have := m.bytes[b]
		switch {
		case have && u.block != block && (!m.x.acc.Writes || u.sure && m.sure):
			return true
		case !have && m.x.acc.Writes:
			m.bytes[b] = user{block, m.sure}
		}
	}
	return false
}

// value is that of a sum, with all iterators in one round of their loops; ok is
// false if it has other symbols.
func value(f *analysis.Affine, c *coords, round int) (v int64, ok bool) {
	v = f.C
	for _, t := range f.Terms {
		switch i := slices.Index(coordinates, t.Sym.Name); {
		case t.Sym.Kind == analysis.Iter:
			n := t.Sym.Hi
			if round < 2 {
				n = min(t.Sym.Lo+uint64(round), n)
			}
			v += t.Coef * int64(n)
		case t.Sym.Kind == analysis.Special && i >= 0:
			v += t.Coef * int64(c[i])
		default:
			return 0, false
		}
	}
	return v, true
}
