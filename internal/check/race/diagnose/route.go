package diagnose

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// How fast warps run says little about the order of two accesses: a helper that is called twice
// writes for the second call before slow threads have read for the first one. The kernel's static
// form tells which order the program has, and whether a loop or a second call leads from one access to
// the other.

// route is a way from one access to another.
type route struct {
	from, to *ssa.Value
	// loop is the loop whose next pass comes to the second access, nil where that follows in the same pass.
	loop *ssa.Loop
}

// route returns a way from a to z, wherever these are inlined, one without a loop if there is any; nil for none. With
// stops only ways count on which no barrier of the block lies.
func (w *ways) route(a, z *trace.Site, stops bool) (best *route) {
	if w == nil {
		return nil
	}
	for _, x := range w.at(a) {
		for _, y := range w.at(z) {
			if r := routeBetween(x, y, stops); r != nil && (best == nil || best.loop != nil && r.loop == nil) {
				best = r
			}
		}
	}
	return best
}

func routeBetween(x, y *ssa.Value, stops bool) *route {
	if leads(x, y, nil, stops) {
		return &route{x, y, nil}
	}
	for l := x.Block.Loop; l != nil; l = l.Parent {
		if l.Contains(y.Block) && leads(x, y, l, stops) {
			return &route{x, y, l}
		}
	}
	return nil
}

// leads reports whether a thread may come from x to y without another pass of a loop, other than those of again and the
// loops in it.
func leads(x, y *ssa.Value, again *ssa.Loop, stops bool) bool {
	walk := walker{goal: y, stops: stops, seen: map[*ssa.Block]bool{}}
	walk.from(x, again)
	return walk.found
}

// from walks behind x, without another pass of a loop other than those of again and the loops in it.
func (w *walker) from(x *ssa.Value, again *ssa.Loop) {
	open := w.behind(x)
	for work := []*ssa.Block{x.Block}; open && (w.fences || !w.found) && len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs {
			back := s.Loop != nil && s.Loop.Header == s && s.Loop.Contains(b)
			if w.seen[s] || back && (again == nil || !again.Contains(s)) {
				continue
			}
			w.seen[s] = true
			if w.through(s.Values) {
				work = append(work, s)
			}
		}
	}
}

// walker goes through blocks until it finds its goal.
type walker struct {
	goal  *ssa.Value
	stops bool
	seen  map[*ssa.Block]bool
	found bool
	// fence is set if a fence or a barrier is on a way, which is looked for if fences is set.
	fences, fence bool
}

// behind walks from x to the end of its block.
func (w *walker) behind(x *ssa.Value) (open bool) {
	for i, v := range x.Block.Values {
		if v == x {
			return w.through(x.Block.Values[i+1:])
		}
	}
	return true
}

// through reports whether the walk continues behind some values.
func (w *walker) through(vs []*ssa.Value) (open bool) {
	for _, v := range vs {
		if v == w.goal {
			w.found = true
			return false
		}
		w.fence = w.fence || w.fences && (v.Op == ssa.Fence || v.Bar != nil)
		if w.stops && v.Bar != nil && v.Bar.WholeBlock() {
			return false
		}
	}
	return true
}

// places returns the places of a route's accesses in the innermost function that both are in, or that its loop is in.
func (r *route) places() (p, q source.Pos) {
	a, z := frames(r.from), frames(r.to)
	depth := len(a) + len(z)
	if r.loop != nil {
		depth = depthOf(r.loop)
	}
	i, j := len(a)-1, len(z)-1
	for a[i] == z[j] && i > 0 && j > 0 && len(a)-1-i < depth {
		i, j = i-1, j-1
	}
	return a[i], z[j]
}

// feeds reports whether what a site writes is computed from what is read at the place of another one, which may be of another copy of an
// unrolled loop.
func (w *ways) feeds(read, write *trace.Site) bool {
	if w == nil || read.Kind != trace.Read || !write.Kind.Writes() || read == write {
		return false
	}
	seen := map[*ssa.Value]bool{}
	var made func(v *ssa.Value) bool
	made = func(v *ssa.Value) bool {
		if seen[v] || len(seen) > maxFed {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(v.Args, func(x *ssa.Value) bool {
			return x.Op == ssa.Load && x.Loc.Pos == read.Loc.Pos || x.Op != ssa.Phi && made(x)
		})
	}
	return slices.ContainsFunc(w.at(write), made)
}

// maxFed bounds the values that feeds looks at.
const maxFed = 100

// frames are the place of a value and those of the calls that lead there, innermost first.
func frames(v *ssa.Value) []source.Pos {
	return append([]source.Pos{v.Loc.Pos}, v.Loc.InlinedAt...)
}

// depthOf is how many inlined calls lead to the function that has a loop in its text: no branch of the loop
// is further out.
func depthOf(l *ssa.Loop) int {
	depth := -1
	for _, b := range l.Blocks {
		if b.Instr == nil || !b.Loc.IsValid() {
			continue
		}
		if n := len(b.Loc.InlinedAt); depth < 0 || n < depth {
			depth = n
		}
	}
	return max(depth, 0)
}

// settle puts the accesses of two threads of a block into the order that the program has for them, where it has one
// alone. Threads that wait for each other by what they read have orders of their own.
func (d *diagnosis) settle() {
	if d.across() || d.w.OneInstr || d.w.InFlight || d.w.Link.OK || d.w.Between != nil || d.w.Lock.Both || d.inCluster() || d.early.Site == d.late.Site {
		return
	}
	ways := d.ways(d.run.Launch)
	if ways.route(d.early.Site, d.late.Site, true) != nil || ways.route(d.late.Site, d.early.Site, true) == nil || d.waitsSomewhere() {
		return
	}
	w := *d.w
	w.Swapped = !w.Swapped
	d.choose(&w)
}

// waitsSomewhere reports whether a loop of the kernel waits for another thread.
func (d *diagnosis) waitsSomewhere() bool {
	return slices.ContainsFunc(d.run.Launch.Sites, func(s *trace.Site) bool { return s.Kind == trace.Read && d.facts.Waits(hb.GuardSite(s)) })
}
