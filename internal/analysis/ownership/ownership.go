// Package ownership proves for a launch, whose shape and arguments are known, that
// accesses to global memory cannot race: nothing writes the array that they go
// to, or each of its bytes belongs to one thread of the grid.
//
// An address is a sum of thread and block coordinates and loop iterators times
// coefficients. Ordered by the size of the coefficients, such sums are like
// numbers in a mixed radix: if each coefficient is greater than all that the
// smaller ones can add up to (the constants and the bytes of an access
// included), then equal addresses have equal digits, so that they are of one
// thread. What the smaller ones add up to is bounded by the coordinates' ranges
// and by the conditions under which the access runs, as in "column < n".
package ownership

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Launch holds the facts about a launch.
type Launch struct {
	Block, Grid [3]uint32
	// Params is the parameter buffer.
	Params []byte
	// Memory returns the live allocation that holds a device address.
	Memory func(addr uint64) (Memory, bool)
	// Symbol returns the device address of a variable of the module; it may be nil.
	Symbol func(name string) (addr uint64, ok bool)
}

// Memory is an allocation in global memory.
type Memory struct {
	ID         int
	Base, Size uint64
}

// Site names an instruction: the function that holds it and its line in the
// PTX text.
type Site struct {
	Func string
	Line int
}

// Proof says which sites of a launch are safe.
type Proof struct {
	// Safe has the sites of which all executions are safe; Known those whose
	// addresses are understood at all.
	Safe, Known map[Site]bool
	// Meets is set if blocks share bytes that they write, in an array of which the
	// addresses are understood.
	Meets bool
}

// Prove looks at all accesses of f to global memory. It proves nothing for a
// kernel that may access global memory in ways that its form does not tell.
func Prove(f *ssa.Func, l Launch) *Proof {
	p := &prover{f: f, l: l, arrays: map[int]*array{}, pointers: f.Pointers()}
	p.a = analysis.New(f, analysis.Env{Block: l.Block, Grid: l.Grid, PtrAlign: 1, Param: p.param})
	out := &Proof{Safe: map[Site]bool{}, Known: map[Site]bool{}}
	if !p.collect() {
		return out
	}
	bad := map[Site]bool{}
	for _, v := range p.elsewhere {
		out.Known[site(f, v)], out.Safe[site(f, v)] = true, true
	}
	for _, r := range p.arrays {
		out.Meets = out.Meets || p.meets(r)
		safe := !r.writes || !p.unknownRead && p.private(r)
		for _, x := range r.list {
			s := site(f, x.acc.Value)
			out.Known[s] = true
			if safe {
				out.Safe[s] = true
			} else {
				bad[s] = true
			}
		}
	}
	for _, v := range p.unknown {
		out.Known[site(f, v)] = true
		bad[site(f, v)] = true
	}
	for s := range bad {
		delete(out.Safe, s)
	}
	return out
}

// site is where a value's instruction stands.
func site(f *ssa.Func, v *ssa.Value) Site {
	s := Site{Func: f.Name, Line: v.Instr.Pos.Line}
	if v.Ctx != nil {
		s.Func = v.Ctx.Callee
	}
	return s
}

type prover struct {
	f      *ssa.Func
	l      Launch
	a      *analysis.Analysis
	arrays map[int]*array
	// unknown are reads of which the array is not known.
	unknown     []*ssa.Value
	unknownRead bool
	pointers    *ssa.Pointers
	// elsewhere are accesses to other spaces than global memory.
	elsewhere []*ssa.Value
	// uses and controls are those of f, once they are needed; see steers.
	uses     [][]*ssa.Value
	controls map[*ssa.Value]bool
}

// array is an allocation and the accesses that go there.
type array struct {
	mem    Memory
	writes bool
	// odd is set if an access's offset is not a plain sum, or not an ordinary access.
	odd  bool
	list []*access
}

// access is one access: its offset in the array, and what its path limits.
type access struct {
	acc    *analysis.Access
	off    *analysis.Affine
	limits []analysis.Limit
}

// param gives the arguments that are not pointers: those stay symbols, as the
// base of addresses.
func (p *prover) param(name string, off, size int) (uint64, bool) {
	x, ok := p.argument(name, off, size)
	if !ok {
		return 0, false
	}
	if size == 8 {
		if _, isPointer := p.l.Memory(x); isPointer {
			return 0, false
		}
	}
	return x, true
}

func (p *prover) argument(name string, off, size int) (uint64, bool) {
	return analysis.Argument(p.f, p.l.Params, name, off, size)
}

// collect sorts the accesses by array. It returns false if some access may
// write anywhere.
func (p *prover) collect() bool {
	if p.f.Irreducible || !p.plain() {
		return false
	}
	for _, x := range p.a.Accesses() {
		if x.Mem.Space != ptx.Global && x.Mem.Space != ptx.NoSpace {
			p.elsewhere = append(p.elsewhere, x.Value)
			continue
		}
		to, off := p.place(x)
		if len(to) == 0 {
			if x.Writes {
				return false
			}
			p.unknown, p.unknownRead = append(p.unknown, x.Value), true
			continue
		}
		for _, m := range to {
			r := p.arrays[m.ID]
			if r == nil {
				r = &array{mem: m}
				p.arrays[m.ID] = r
			}
			r.writes = r.writes || x.Writes
			r.odd = r.odd || off == nil || x.Atomic || strong(x.Mem) || x.Mem.Size() == 0 || x.Block.Tangled
			r.list = append(r.list, &access{acc: x, off: off, limits: p.a.Limits(p.a.Path(x.Block))})
		}
	}
	return true
}

// strong reports whether m is an access that may order others.
func strong(m *ssa.Mem) bool { return m.Order != "" && m.Order != "weak" && m.Order != "volatile" }

// plain reports whether no operation of the kernel may write global memory besides
// those of which the form has the place. It notes whether one may read there.
func (p *prover) plain() bool {
	for _, b := range p.f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpCall && v.Opaque() && v.Call.Global {
				return false
			}
			if v.Op != ssa.Effect || v.Mem != nil {
				continue
			}
			if v.Does.Writes&inst.Global != 0 {
				return false
			}
			p.unknownRead = p.unknownRead || v.Does.Reads&inst.Global != 0
		}
	}
	return true
}

// place finds the arrays that an access may go to, one where the pointer is not chosen, and its
// offset there, nil if that is not a plain sum.
func (p *prover) place(x *analysis.Access) (to []Memory, off *analysis.Affine) {
	ad := x.Addr
	start, m, ok := uint64(0), Memory{}, false
	switch {
	case ad.Param != "":
		start, m, ok = p.pointed(ad.Param, ad.ParamOff)
	case ad.Object != nil:
		start, m, ok = p.variable(ad.Object)
	default:
		return p.chosen(x), nil
	}
	if !ok {
		return nil, nil
	}
	if off, ok = p.a.Affine(ad.Offset); !ok {
		return []Memory{m}, nil
	}
	off.C += int64(start - m.Base)
	return []Memory{m}, off
}

// chosen finds the arrays that a pointer may be in which moves in a loop, or is one of several;
// none if it may be another.
func (p *prover) chosen(x *analysis.Access) (to []Memory) {
	for _, root := range p.pointers.Roots(x.Mem.Base) {
		m, ok := Memory{}, false
		if root.Op == ssa.Param {
			_, m, ok = p.pointed(root.Name, int(root.Const))
		} else {
			_, m, ok = p.variable(root.Object)
		}
		if !ok {
			return nil
		}
		if !slices.Contains(to, m) {
			to = append(to, m)
		}
	}
	return to
}

// pointed is what a parameter points to.
func (p *prover) pointed(param string, off int) (start uint64, m Memory, ok bool) {
	if start, ok = p.argument(param, off, 8); ok {
		m, ok = p.l.Memory(start)
	}
	return start, m, ok
}

// variable is where a variable of the module is.
func (p *prover) variable(o *ssa.Object) (start uint64, m Memory, ok bool) {
	if o.Space != ptx.Global || p.l.Symbol == nil {
		return 0, m, false
	}
	if start, ok = p.l.Symbol(o.Name); ok {
		m, ok = p.l.Memory(start)
	}
	return start, m, ok
}

// digit is a part of an offset: a coordinate, or an iterator.
type digit struct {
	coef int64
	// sym is nil for the iterators, of which several may have one coefficient.
	sym *analysis.Sym
}

// private proves that each byte of the array belongs to one thread.
func (p *prover) private(r *array) bool {
	if r.odd {
		return false
	}
	digits, fixed, ok := p.digits(r)
	return ok && inRadix(r, digits, fixed)
}

// inRadix reports whether the digits, smallest coefficient first, tell all offsets
// apart that differ in one of them: each is greater than what those below it and
// in low can add up to. low takes them in.
func inRadix(r *array, digits []digit, low map[digit]bool) bool {
	for _, d := range digits {
		lo, hi, ok := extent(r, low)
		if !ok || abs(d.coef) <= hi-lo {
			return false
		}
		low[d] = true
	}
	lo, hi, ok := extent(r, low)
	return ok && lo >= 0 && uint64(hi) < r.mem.Size
}

func abs(x int64) int64 { return max(x, -x) }

// coordinates are what tells threads of a grid apart.
var coordinates = []string{"%tid.x", "%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z"}

// digits lists the digits of the array's offsets, smallest coefficient first,
// and apart from them those that the paths of all accesses fix to one value. ok
// is false if a coordinate with several values does not appear in an offset, or
// not with one coefficient.
func (p *prover) digits(r *array) (list []digit, fixed map[digit]bool, ok bool) {
	fixed = map[digit]bool{}
	for i, name := range coordinates {
		many := p.l.Block[i%3] > 1
		if i >= 3 {
			many = p.l.Grid[i%3] > 1
		}
		if !many {
			continue
		}
		d, same := common(r, name)
		switch {
		case !same, d.coef == 0 && !isFixed(r, name):
			return nil, nil, false
		case isFixed(r, name):
			fixed[d] = true
		default:
			list = append(list, d)
		}
	}
	for _, x := range r.list {
		for _, t := range x.off.Terms {
			d := digit{t.Coef, nil}
			switch {
			case isCoordinate(t.Sym):
			case t.Sym.Kind != analysis.Iter:
				return nil, nil, false
			case !slices.Contains(list, d):
				list = append(list, d)
			}
		}
	}
	return sorted(list), fixed, true
}

// sorted puts digits in the order of their coefficients.
func sorted(list []digit) []digit {
	slices.SortStableFunc(list, func(a, b digit) int { return int(min(max(abs(a.coef)-abs(b.coef), -1), 1)) })
	return list
}
