package analysis

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Env holds the facts about a launch, and what is taken for granted.
type Env struct {
	// Block and Grid are the shape; zero where it is not known.
	Block, Grid [3]uint32
	// Part, if not nil, is the part of the grid whose blocks are meant.
	Part *Part
	// MaxThreads bounds the threads of a block of unknown shape. 0 stands for
	// what the kernel's .maxntid or .reqntid says, else 1024.
	MaxThreads int
	// Param returns bytes of a kernel parameter, if they are known. It may be nil.
	Param func(name string, off, size int) (bits uint64, ok bool)
	// PtrAlign is the alignment in bytes, a power of two, that pointers among
	// the parameters are taken to have; 0 stands for 256, what cudaMalloc gives
	// (CUDA C++ Programming Guide, "Device Memory Accesses").
	PtrAlign uint64
	// Assume takes for granted that sums of 32 bits that are widened to
	// addresses do not wrap, where ranges do not prove it. In C++ the overflow
	// of a signed index is undefined.
	Assume bool
}

// Part is the blocks of a grid with coordinates from First to Last, both of
// them included.
type Part struct{ First, Last [3]uint32 }

// Analysis holds the expressions of one kernel for one Env. It is not safe for
// concurrent use.
type Analysis struct {
	F *ssa.Func
	algebra
	// named are the symbols that have a name: special registers, parameters,
	// variables.
	named map[string]*Expr
	// opaque are the symbols of values, last those of loops.
	opaque map[*ssa.Value]*Expr
	last   map[*ssa.Loop]*Expr
	values map[*ssa.Value]*Expr
	loops  map[*ssa.Loop]*LoopInfo
	paths  map[*ssa.Block]*Path
	// levels says by Value.ID who shares a value, ends who leaves a loop in the
	// same round.
	levels []Level
	ends   map[*ssa.Loop]Level
	// left keeps what expressions are outside of loops, by the innermost loop
	// around the place they are seen from; lanes what they are for each lane of
	// a warp; held for which of its lanes they hold.
	left  map[*ssa.Loop]map[*Expr]*Expr
	lanes map[warpKey]*[WarpSize]map[*Expr]*Expr
	held  map[holdsKey][2]uint32
}

// New starts an analysis. Expressions are made when they are asked for.
func New(f *ssa.Func, env Env) *Analysis {
	a := &Analysis{
		F: f, algebra: algebra{env: env, exprs: map[string]*Expr{}, symIDs: map[*Sym]int{}}, named: map[string]*Expr{},
		opaque: map[*ssa.Value]*Expr{}, last: map[*ssa.Loop]*Expr{},
		values: map[*ssa.Value]*Expr{}, loops: map[*ssa.Loop]*LoopInfo{},
		paths: map[*ssa.Block]*Path{}, ends: map[*ssa.Loop]Level{},
		left: map[*ssa.Loop]map[*Expr]*Expr{}, lanes: map[warpKey]*[WarpSize]map[*Expr]*Expr{}, held: map[holdsKey][2]uint32{},
	}
	a.shape()
	a.findLevels()
	return a
}

// Env returns what the analysis takes as known, with the defaults filled in.
func (a *Analysis) Env() Env { return a.env }

// shape fills in what the kernel's header says about its blocks (PTX ISA,
// "Performance-Tuning Directives").
func (a *Analysis) shape() {
	e := &a.env
	if e.PtrAlign == 0 {
		e.PtrAlign = 256
	}
	for _, d := range a.F.PTX.Directives {
		switch d.Name {
		case "reqntid":
			if e.Block == [3]uint32{} {
				e.Block = [3]uint32{1, 1, 1}
				for i, x := range d.Args {
					e.Block[i%3] = uint32(x)
				}
			}
		case "maxntid":
			n := 1
			for _, x := range d.Args {
				n *= int(x)
			}
			if e.MaxThreads == 0 {
				e.MaxThreads = n
			}
		}
	}
	if e.Block != [3]uint32{} {
		e.MaxThreads = int(e.Block[0]) * int(e.Block[1]) * int(e.Block[2])
	}
	if e.MaxThreads <= 0 || e.MaxThreads > 1024 {
		e.MaxThreads = 1024
	}
}

// maxGrid are the limits of a grid, maxBlock those of a block in each
// dimension (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability").
var (
	maxGrid  = [3]uint64{1<<31 - 1, 65535, 65535}
	maxBlock = [3]uint64{1024, 1024, 64}
)

// special is the expression of a special register.
func (a *Analysis) special(name string, w int) *Expr {
	if e := a.named[name]; e != nil {
		return e
	}
	s := &Sym{Kind: Special, Name: name, W: w, Level: Block, Hi: mask(^uint64(0), w)}
	base, dim, _ := strings.Cut(name, ".")
	i := strings.IndexByte("xyz", (dim + "?")[0])
	switch {
	case i < 0 && dim != "":
		s.Hi = 0 // the fourth component
	case base == "%tid":
		s.Level, s.Hi = Thread, min(maxBlock[i], uint64(a.env.MaxThreads))-1
		if n := a.env.Block[i]; n > 0 {
			s.Hi = uint64(n) - 1
		}
	case base == "%ntid":
		s.Level, s.Lo, s.Hi = Launch, 1, min(maxBlock[i], uint64(a.env.MaxThreads))
		if n := a.env.Block[i]; n > 0 {
			s.Lo, s.Hi = uint64(n), uint64(n)
		}
	case base == "%ctaid":
		s.Hi = maxGrid[i] - 1
		if n := a.env.Grid[i]; n > 0 {
			s.Hi = uint64(n) - 1
		}
		if p := a.env.Part; p != nil {
			s.Lo, s.Hi = uint64(p.First[i]), uint64(p.Last[i])
		}
	case base == "%nctaid":
		s.Level, s.Lo, s.Hi = Launch, 1, maxGrid[i]
		if n := a.env.Grid[i]; n > 0 {
			s.Lo, s.Hi = uint64(n), uint64(n)
		}
	case name == "%laneid":
		s.Level, s.Hi = Thread, 31
	case strings.HasPrefix(name, "%lanemask"):
		s.Level = Thread
	case name == "%warpid":
		s.Level, s.Hi = Warp, uint64(a.env.MaxThreads+31)/32-1
	case name == "%nwarpid", name == "%nsmid", name == "%gridid", strings.Contains(name, "smem_size"):
		s.Level = Launch
	}
	e := a.symbol(s)
	if s.Lo == s.Hi {
		e = a.Const(w, s.Lo)
	}
	a.named[name] = e
	return e
}

// param is a part of a kernel parameter.
func (a *Analysis) param(v *ssa.Value) *Expr {
	w := v.Width()
	if !a.F.PTX.Entry {
		return a.unknown(v)
	}
	key := fmt.Sprintf("%s+%d:%d", v.Name, v.Const, w)
	if e := a.named[key]; e != nil {
		return e
	}
	var e *Expr
	if a.env.Param != nil {
		if x, ok := a.env.Param(v.Name, int(v.Const), w/8); ok {
			e = a.Const(w, x)
		}
	}
	if e == nil {
		e = a.symbol(&Sym{Kind: Param, Name: v.Name, Off: int(v.Const), W: w, Level: Launch, Hi: mask(^uint64(0), w)})
	}
	a.named[key] = e
	return e
}

// sharedTop bounds offsets in shared and local memory.
const sharedTop = 1 << 24

// object is where a variable begins.
func (a *Analysis) object(o *ssa.Object, w int) *Expr {
	key := fmt.Sprintf("&%d:%d", o.ID, w)
	if e := a.named[key]; e != nil {
		return e
	}
	s := &Sym{Kind: ObjectAddr, Name: o.Name, W: w, Level: Launch, Object: o, Hi: mask(^uint64(0), w)}
	if o.Space == ptx.Shared || o.Space == ptx.Local || o.Space == ptx.Param {
		s.Hi = sharedTop
	}
	e := a.symbol(s)
	a.named[key] = e
	return e
}

// unknown is the symbol of a value of which nothing is known but who shares it.
func (a *Analysis) unknown(v *ssa.Value) *Expr {
	if e := a.opaque[v]; e != nil {
		return e
	}
	s := &Sym{Kind: Opaque, Name: fmt.Sprintf("v%d", v.ID), W: v.Width(), Level: a.levels[v.ID], Value: v, Loops: loopsOf(v.Block)}
	s.Hi = mask(^uint64(0), s.W)
	if m := v.Mem; m != nil && v.Op == ssa.Load && m.Elem.Size()*8 < s.W {
		s.Hi = mask(^uint64(0), 8*m.Elem.Size())
	}
	e := a.symbol(s)
	a.opaque[v] = e
	return e
}
