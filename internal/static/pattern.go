package static

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Pattern is what warps of a block access at one place.
type Pattern struct {
	Access *analysis.Access
	// Shape are the block's extents that Warps are for; Guessed is set if the
	// launch does not give them.
	Shape   [3]uint32
	Guessed bool
	// Warps are executions by warps whose addresses are known but for a part
	// that their lanes have in common. Some warps and rounds of loops stand for
	// all of a large block.
	Warps []WarpAccess
	// Needs is what the addresses of other executions depend on; with one they
	// are not all known.
	Needs []Need
	// OneThread is set if no more than one thread of a warp is active.
	OneThread bool
}

// WarpAccess is an access by a warp.
type WarpAccess struct {
	Mask uint32
	// Addr are the addresses less a part that is the same in all lanes and a
	// multiple of Align, a power of two.
	Addr  [32]uint64
	Align uint64
}

// The block that is taken where the launch does not say: in one dimension, and
// in two.
var (
	guessed1D = [3]uint32{256, 1, 1}
	guessed2D = [3]uint32{16, 16, 1}
)

const (
	// someWarps is how many warps stand for a larger block.
	someWarps = 8
	// someBlocks is how many blocks are examined where they differ.
	someBlocks = 4
	// mostLooked bounds the executions that are examined of one kernel's
	// accesses: those that come after are not known.
	mostLooked = 50_000
	// someRounds is how many rounds of loops are examined one by one.
	someRounds = 64
)

// Analysis is the kernel's symbolic analysis for the launch, or for a guessed
// block.
func (u *Unit) Analysis() (a *analysis.Analysis, shape [3]uint32, guessed bool) {
	shape = u.Launch.Block
	if guessed = !u.Launch.Known(); guessed {
		shape = guessed1D
		if used := specials(u.F); used["%tid.y"] || used["%tid.z"] {
			shape = guessed2D
		}
	}
	if u.symbolic == nil {
		u.symbolic = analysis.New(u.F, analysis.Env{Block: shape, Grid: u.Launch.Grid, Param: u.paramBytes, Assume: true})
	}
	return u.symbolic, shape, guessed
}

// paramBytes gives known parameters.
func (u *Unit) paramBytes(name string, off, size int) (bits uint64, ok bool) {
	i := slices.IndexFunc(u.F.PTX.Params, func(v *ptx.Variable) bool { return v.Name == name })
	return u.Launch.Value(Part{i, off}, size)
}

// Patterns describes the accesses to a space, Shared or Global.
func (u *Unit) Patterns(space ptx.Space) []Pattern {
	if u.F.Irreducible {
		return nil
	}
	a, shape, guessed := u.Analysis()
	var out []Pattern
	for _, x := range a.Accesses() {
		if s := x.Mem.Space; s != space && !(s == ptx.NoSpace && space == ptx.Global) || x.Mem.Size() == 0 {
			continue
		}
		p := Pattern{Access: x, Shape: shape, Guessed: guessed}
		w := &warps{u: u, a: a, p: &p, shape: shape, path: a.Path(x.Block)}
		w.fill()
		out = append(out, p)
	}
	return out
}

// warps fills in a pattern.
type warps struct {
	u     *Unit
	a     *analysis.Analysis
	p     *Pattern
	shape [3]uint32
	path  *analysis.Path
}

func (w *warps) fill() {
	e := w.p.Access.Addr.Expr
	if w.p.Access.Mem.Space == ptx.Shared && w.p.Access.Addr.Offset != nil {
		e = w.p.Access.Addr.Offset
	}
	w.p.OneThread = true
	for _, warp := range chosen(analysis.Warps(w.shape)) {
		if !w.atMostOne(warp) {
			w.p.OneThread = false
			w.warp(e, w.path, warp, nil)
		}
	}
	w.p.Needs = sortNeeds(w.p.Needs)
}

// chosen are warps that stand for n: all of few, else the first, the last and
// some between.
func chosen(n int) []int {
	var out []int
	if n <= someWarps {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	for i := range someWarps {
		out = append(out, i*(n-1)/(someWarps-1))
	}
	return out
}

// warp adds the executions of a warp. Where lanes are apart by what depends on
// a loop's round, the rounds are taken one by one.
func (w *warps) warp(e *analysis.Expr, path *analysis.Path, warp int, done []*analysis.Sym) {
	if w.u.looked++; w.u.looked > mostLooked {
		w.need(nil)
		return
	}
	_, mask := w.a.Active(path, w.shape, warp)
	if mask == 0 {
		return
	}
	l := w.a.Lanes(e, w.shape, warp, mask)
	if l.Exact {
		w.add(l, mask)
		return
	}
	for _, s := range l.Needs {
		if n := w.rounds(s); n > 0 && !slices.Contains(done, s) {
			for k := range n {
				w.warp(w.set(e, s, k), w.setPath(path, s, k), warp, append(slices.Clone(done), s))
			}
			return
		}
	}
	w.need(l.Needs)
}

// rounds is how many values of a symbol are taken one by one: those of a loop's
// counter, if they are known and few, and some blocks.
func (w *warps) rounds(s *analysis.Sym) int64 {
	if i := slices.Index([]string{"%ctaid.x", "%ctaid.y", "%ctaid.z"}, s.Name); s.Kind == analysis.Special && i >= 0 {
		if n := int64(w.u.Launch.Grid[i]); n > 0 {
			return min(n, someBlocks)
		}
		return someBlocks
	}
	if s.Loop == nil || s.Kind != analysis.Iter {
		return 0
	}
	n := w.a.Loop(s.Loop).Max + 1
	if n > someRounds {
		return 0
	}
	return n
}

func (w *warps) set(e *analysis.Expr, s *analysis.Sym, k int64) *analysis.Expr {
	return w.a.Subst(e, func(x *analysis.Sym) *analysis.Expr {
		if x == s {
			return w.a.Const(s.W, uint64(k))
		}
		return nil
	})
}

func (w *warps) setPath(p *analysis.Path, s *analysis.Sym, k int64) *analysis.Path {
	q := &analysis.Path{Exact: p.Exact}
	for _, c := range p.Conds {
		q.Conds = append(q.Conds, w.set(c, s, k))
	}
	return q
}

// add notes an execution. The lanes' distances count from the first of them.
func (w *warps) add(l *analysis.Lanes, mask uint32) {
	x := WarpAccess{Mask: mask, Align: max(l.Align, 1)}
	for lane := range x.Addr {
		x.Addr[lane] = uint64(int64(l.Residue) + l.Off[lane] + origin)
	}
	w.p.Warps = append(w.p.Warps, x)
}

// origin keeps addresses positive; it is a multiple of all alignments.
const origin = 1 << 40

// need notes what unknown addresses depend on.
func (w *warps) need(syms []*analysis.Sym) {
	for _, s := range syms {
		switch {
		case s.Kind == analysis.Param:
			i := slices.IndexFunc(w.u.F.PTX.Params, func(v *ptx.Variable) bool { return v.Name == s.Name })
			w.p.Needs = append(w.p.Needs, Need{NeedsParam, Part{i, s.Off}})
		case s.Kind == analysis.Special && (s.Name == "%ntid.x" || s.Name == "%ntid.y" || s.Name == "%ntid.z"):
			w.p.Needs = append(w.p.Needs, Need{Kind: NeedsBlock})
		case s.Kind == analysis.Special && s.Name[:4] == "%nct":
			w.p.Needs = append(w.p.Needs, Need{Kind: NeedsGrid})
		case s.Kind != analysis.Special:
			w.p.Needs = append(w.p.Needs, Need{Kind: NeedsData})
		}
	}
	if len(w.p.Needs) == 0 {
		w.p.Needs = []Need{{Kind: NeedsData}}
	}
}

// atMostOne reports whether at most one lane of a warp meets a condition, such as
// "threadIdx.x == k" for a k that all lanes share.
func (w *warps) atMostOne(warp int) bool {
	_, mask := w.a.Active(w.path, w.shape, warp)
	if mask&(mask-1) == 0 {
		return true
	}
	for _, c := range w.path.Conds {
		if c.Kind != analysis.App || c.Op != ssa.Eq || c.Args[0].W == 1 {
			continue
		}
		l := w.a.Lanes(w.a.Sub(c.Args[0], c.Args[1]), w.shape, warp, ^uint32(0))
		if l.Exact && distinct(l) {
			return true
		}
	}
	return false
}

// distinct reports lanes that all differ.
func distinct(l *analysis.Lanes) bool {
	seen := map[int64]bool{}
	for lane := range l.Off {
		if l.Mask>>lane&1 == 0 {
			continue
		}
		if seen[l.Off[lane]] {
			return false
		}
		seen[l.Off[lane]] = true
	}
	return true
}
