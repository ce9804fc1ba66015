package static

import (
	"context"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Beyond is an access beyond the end, or before the begin, of an array or a local
// variable, or an index beyond a member array or a row.
type Beyond struct {
	Access *Access
	// Size is that of the array in bytes; of an allocation of the host's it is that of the example.
	Size    int64
	Verdict Verdict
	Needs   []Need
	// Evidence has one thread; its Offset is that of the access in the array.
	Evidence *Evidence

	unusual bool // it takes unusual values of parameters
	open    bool // the solver gave up
	why     string
}

// Bounds finds accesses outside of the variables that they name, of dynamic shared
// memory where its size is known, of allocations where host code shows their size, of local arrays, member arrays and
// rows.
func (u *Unit) Bounds(ctx context.Context) []Beyond {
	c := newCheck(ctx, u, ITS)
	var out []Beyond
	for i, a := range c.bounded() {
		size := c.sizeOf(a)
		switch {
		case size == nil && a.Local == nil && (a.Root == nil || a.Root.Op == ssa.Param):
			u.unsized++
		case size == nil || a.Mem.Size() == 0:
		case u.F.Irreducible:
			u.leave(indices, severalEntries, 1)
		case c.asked > mostAsked:
			u.leave(indices, fmt.Sprintf("more than %d questions about indices", mostAsked), 1)
		default:
			b := c.beyond(a, size)
			c.beyondInExamples(i, &b)
			if b.Verdict == Watched {
				u.leave(indices, b.why, 1)
			}
			if b.Verdict == Possible && a.external() && !u.Launch.Known() { // the size was chosen for the block
				b.Verdict = Watched
				u.leave(indices, "it depends on the extents of the block", 1)
			}
			if g := u.Launch.Grid; b.Verdict == Possible && a.ofModule() && (!u.Launch.Known() || g[0]*g[1]*g[2] == 0) {
				b.Verdict = Watched // it was made for the launches that the program makes
				u.leave(indices, "it depends on the extents of the launch", 1)
			}
			if b.Verdict == Possible && slices.ContainsFunc(b.Needs, func(n Need) bool { return n.Kind == NeedsBlock }) {
				c.beyondInUsualBlocks(i, &b)
			}
			if b.Verdict > Watched {
				c.smallestBeyond(i, &b)
				out = append(out, b)
			}
		}
	}
	return out
}

// Unsized is how many accesses through pointers Bounds has not examined, as the sizes of what they point to are not known.
func (u *Unit) Unsized() int { return u.unsized }

// bounded are the accesses whose bounds are examined, always in the same order.
func (c *raceCheck) bounded() []*Access {
	if c.indexed == nil {
		c.indexed = slices.Concat(c.accesses, c.constantAccesses(), c.localAccesses())
	}
	return c.indexed
}

// beyondInUsualBlocks leaves an index that depends on the block's extents to the run, if
// it is within the array in usual blocks of one shape: the array was made for those.
func (c *raceCheck) beyondInUsualBlocks(i int, b *Beyond) {
	var example *Beyond
	if len(c.usual()) == 0 { // the kernel assumes another block
		return
	}
	for _, s := range c.usual() {
		a := s.bounded()[i]
		q := s.beyond(a, s.sizeOf(a))
		if q.Verdict == Safe || q.Verdict == Watched && q.unusual {
			x := s.shape.launch.Block
			c.unit.leave(indices, fmt.Sprintf("an index beyond the array takes other blocks than of %dx%dx%d threads", x[0], x[1], x[2]), 1)
			b.Verdict = Watched
			return
		}
		if q.Verdict > Watched && example == nil {
			example = &q
		}
	}
	if example == nil {
		c.unit.leave(indices, "no index beyond the array was found in blocks of usual extents", 1)
		b.Verdict = Watched
		return
	}
	b.Evidence = example.Evidence
}

// sizeOf is the size in bytes, of 64 bits, of the variable or allocation that an access is to; nil if it is not known.
func (c *raceCheck) sizeOf(a *Access) *solve.Term {
	size := int64(0)
	switch {
	case a.Local != nil:
		size = int64(a.Local.Type.Size)
	case a.Root == nil:
	case a.allocated():
		p, _ := c.unit.Parameter(a)
		return c.unit.Launch.facts.sizes[p]
	case a.Root.Op != ssa.Addr:
	case a.external():
		size = c.unit.Launch.Shared
	default:
		size = a.Root.Object.Size
	}
	if size <= 0 {
		return nil
	}
	return solve.BV(uint64(size), 64)
}

// atLeastABlock keeps the values that a size is computed from at those for which programs use a GPU.
func atLeastABlock(size *solve.Term) (out []*solve.Term) {
	for _, v := range solve.Variables(size) {
		if w := int(v.Sort()); w >= 32 {
			out = append(out, solve.ULe(solve.BV(maxBlock, w), v))
		}
	}
	return out
}

// Parameter is the part of the parameters that an access's pointer is, ok if it comes from one alone.
func (u *Unit) Parameter(a *Access) (p Part, ok bool) {
	if a.Root == nil || a.Root.Op != ssa.Param {
		return p, false
	}
	i := slices.IndexFunc(u.F.PTX.Params, func(v *ptx.Variable) bool { return v.Name == a.Root.Name })
	return Part{i, int(a.Root.Const)}, i >= 0
}

// ofModule reports whether a is an access to a variable in global or constant memory.
func (a *Access) ofModule() bool {
	return a.Local == nil && a.Root != nil && a.Root.Op == ssa.Addr && a.Mem.Space != ptx.Shared
}

// allocated reports whether a is an access to an array that the host allocated.
func (a *Access) allocated() bool {
	return a.Local == nil && a.Root != nil && a.Root.Op == ssa.Param && a.Mem.Space != ptx.Shared
}

// mostAsked bounds the questions to z3 about one kernel's bounds.
const mostAsked = 1000

func (c *raceCheck) beyond(a *Access, size *solve.Term) Beyond {
	bytes, fixed := size.Constant()
	if f := c.footprint(a); fixed && a.Local == nil && f != nil && f.below(bytes) {
		return Beyond{Access: a}
	}
	c.asked++
	e := c.one[0]
	at := c.free(e, a.Value.Block, "round")
	offset := e.addressOf(a.Mem, at, true)
	if a.Local != nil {
		offset = solve.Sub(offset, solve.BV(a.Local.Offset, int(offset.Sort())))
	}
	k := solve.BV(uint64(a.Mem.Size()), 64)
	within := solve.Sub(size, k)
	last := solve.Extract(within, 0, int(offset.Sort()))
	terms := []*solve.Term{e.reach(a.Value.Block, at), solve.ULe(k, size), solve.ULt(last, offset)}
	terms = c.complete(withAssumed(terms, e.assumed(a.Value.Block, at)), c.one[:1])
	if c.surelyWithin(offset, size, int64(a.Mem.Size()), slices.Concat(terms[:1], terms[3:])) {
		return Beyond{Access: a}
	}
	o := c.ask(terms, append(atLeastABlock(size), realistic(size)...)...)
	if o.verdict == Possible && runsOver(offset, o.model) {
		o = outcome{verdict: Watched, why: tooLargeIndex}
	}
	if o.verdict == Possible && a.allocated() && !c.sameValues(size, terms) {
		o = outcome{verdict: Watched, why: "not decided: the array's size is not computed from the values that the index depends on"}
	}
	b := Beyond{Access: a, Verdict: o.verdict, Needs: o.needs, unusual: o.unusual, open: o.open, why: o.why}
	if fixed && bytes < uint64(a.Mem.Size()) { // the size as an unsigned number would wrap around
		b.Verdict, b.why, b.open = Watched, "it is larger than the array", false
	}
	if b.Verdict > Watched {
		b.Evidence = c.example(c.one[:1], []*env{at}, o.model)
		b.Evidence.Offset = signedBits(solve.Eval(offset, o.model), int(offset.Sort()))
		b.Size = int64(solve.Eval(size, o.model))
	}
	return b
}
