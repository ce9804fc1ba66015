// Package analysis says what the values of a kernel are, as expressions over
// thread and block ids, dimensions, parameters, loop iterators and values of
// which nothing is known: their ranges, their alignment, who shares them, and
// for a block of known shape the exact distances between the lanes' values.
//
// All arithmetic is exact modulo 2^width, in 32 and in 64 bits. A rule that
// holds only where nothing wraps is used only where ranges prove that nothing
// does (or where Env.Assume allows to take it for granted, which is noted).
package analysis

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Kind tells the forms of an expression.
type Kind uint8

// An expression is a symbol; a sum of products plus a constant, modulo 2^W;
// or an operation of package ssa on other expressions.
const (
	Symbol Kind = iota
	Sum
	App
)

// Level says which threads share a value.
type Level uint8

// Each level shares less than the one before.
const (
	Launch Level = iota // all threads of the launch, at all times
	Block               // all threads of the block, at all times
	Warp                // the lanes that execute it together; other warps and rounds may differ
	Thread              // a single thread
)

var levelNames = [...]string{"launch", "block", "warp", "thread"}

func (l Level) String() string { return levelNames[l] }

// Expr is an expression. Expressions of one Analysis that are equal in form
// are the same pointer. They must not be changed.
type Expr struct {
	// ID numbers the expressions of an Analysis in the order they were made.
	ID   int
	Kind Kind
	// W is the width in bits: 1 for a predicate.
	W int
	// Sym is the symbol.
	Sym *Sym
	// Terms and C are the sum. A constant has no terms.
	Terms []Term
	C     uint64
	// Op is the operation on Args; Name tells functions of Op Pure apart.
	Op   ssa.Op
	Name string
	Args []*Expr
	// Level is the highest level of the symbols in the expression.
	Level Level

	ulo, uhi uint64
	slo, shi int64
	// size is the number of parts, those in two places counted twice.
	size int
	// loops are the loops whose iterators occur, outer ones first.
	loops []*ssa.Loop
	// assumed is set if Env.Assume was made use of.
	assumed bool
}

// algebra makes expressions, simplified, each once.
type algebra struct {
	env Env

	exprs  map[string]*Expr
	symIDs map[*Sym]int
	buf    []byte
}

// Term is a product of a coefficient and factors, each a Symbol or an App, in
// the order of their IDs.
type Term struct {
	Coef    uint64
	Factors []*Expr
}

// IsConst reports whether e is a constant, and returns its bits.
func (e *Expr) IsConst() (uint64, bool) { return e.C, e.Kind == Sum && len(e.Terms) == 0 }

// Range bounds the value as an unsigned number.
func (e *Expr) Range() (lo, hi uint64) { return e.ulo, e.uhi }

// SRange bounds the value as a signed number.
func (e *Expr) SRange() (lo, hi int64) { return e.slo, e.shi }

// Assumed is set if the expression's form relies on Env.Assume.
func (e *Expr) Assumed() bool { return e.assumed }

// Loops are the loops whose iterators occur in the expression.
func (e *Expr) Loops() []*ssa.Loop { return e.loops }

// SymKind tells the kinds of symbols.
type SymKind uint8

// The kinds of symbols.
const (
	Special    SymKind = iota // a special register
	Param                     // bytes of a kernel parameter
	Iter                      // the number of rounds that a loop has begun before this one
	Last                      // that number when the loop was left
	ObjectAddr                // where a variable begins
	Opaque                    // a value of which nothing is known
	Large                     // an expression of too many parts, of which no more is known than of an Opaque
)

// Sym is a symbol.
type Sym struct {
	Kind SymKind
	// Name is the special register or the parameter, else a name for people.
	Name string
	// Off is the offset of a Param in bytes.
	Off int
	W   int
	// Level says who shares the value.
	Level Level
	// Value is the origin of an Opaque, Loop that of an Iter or Last, Object
	// that of an ObjectAddr.
	Value  *ssa.Value
	Loop   *ssa.Loop
	Object *ssa.Object
	// Lo and Hi bound the value, unsigned.
	Lo, Hi uint64
	// Loops are the loops between whose rounds the value may differ.
	Loops []*ssa.Loop
}

// Const is the constant x of width w.
func (a *algebra) Const(w int, x uint64) *Expr {
	return a.intern(&Expr{Kind: Sum, W: w, C: mask(x, w)})
}

// mask keeps the lowest w bits.
func mask(x uint64, w int) uint64 {
	if w >= 64 {
		return x
	}
	return x & (1<<w - 1)
}

// signed is a number of w bits with its sign extended.
func signed(x uint64, w int) int64 {
	if w == 0 {
		return 0
	}
	return int64(x<<(64-w)) >> (64 - w)
}

// intern returns the one expression of e's form. It computes what depends on
// the form.
func (a *algebra) intern(e *Expr) *Expr {
	key := string(a.key(e))
	if x, ok := a.exprs[key]; ok {
		return x
	}
	e.ID = len(a.exprs)
	if e.describe(); e.size > maxSize {
		a.exprs[key] = a.large(e)
		return a.exprs[key]
	}
	a.exprs[key] = e
	a.bound(e)
	return e
}

// maxSize bounds the parts of an expression, and with them what it costs to
// look at one; maxExprs bounds the expressions of an Analysis. Where values are
// computed from values again and again, both would grow without end.
const (
	maxSize  = 500
	maxExprs = 1 << 20
)

// large is the symbol that stands for an expression with too many parts.
func (a *algebra) large(e *Expr) *Expr {
	return a.symbol(&Sym{Kind: Large, Name: fmt.Sprintf("large%d", e.ID), W: e.W, Level: e.Level, Hi: mask(^uint64(0), e.W), Loops: e.loops})
}

// spent reports whether no more expressions should be made: values that were not
// asked for before are opaque from now on.
func (a *algebra) spent() bool { return len(a.exprs) > maxExprs }

// key writes the form of an expression as bytes.
func (a *algebra) key(e *Expr) []byte {
	b := append(a.buf[:0], byte(e.Kind), byte(e.W))
	switch e.Kind {
	case Symbol:
		b = binary.AppendUvarint(b, uint64(a.symIDs[e.Sym]))
	case Sum:
		b = binary.AppendUvarint(b, e.C)
		for _, t := range e.Terms {
			b = binary.AppendUvarint(b, t.Coef)
			b = binary.AppendUvarint(b, uint64(len(t.Factors)))
			for _, f := range t.Factors {
				b = binary.AppendUvarint(b, uint64(f.ID))
			}
		}
	case App:
		b = append(b, byte(e.Op))
		b = append(b, e.Name...)
		b = append(b, 0)
		for _, x := range e.Args {
			b = binary.AppendUvarint(b, uint64(x.ID))
		}
	}
	a.buf = b
	return b
}

// describe fills in the level, the loops and the size.
func (e *Expr) describe() {
	e.size = 1
	from := func(x *Expr) {
		e.size += x.size
		e.Level = max(e.Level, x.Level)
		e.loops = union(e.loops, x.loops)
		e.assumed = e.assumed || x.assumed
	}
	switch e.Kind {
	case Symbol:
		e.Level, e.loops = e.Sym.Level, e.Sym.Loops
	case Sum:
		for _, t := range e.Terms {
			for _, f := range t.Factors {
				from(f)
			}
		}
	case App:
		for _, x := range e.Args {
			from(x)
		}
	}
}

// union joins sorted lists of loops, without copying where one holds the other.
func union(a, b []*ssa.Loop) []*ssa.Loop {
	if len(b) == 0 || subset(b, a) {
		return a
	}
	if subset(a, b) {
		return b
	}
	list := append(slices.Clone(a), b...)
	slices.SortFunc(list, func(x, y *ssa.Loop) int { return x.Header.ID - y.Header.ID })
	return slices.Compact(list)
}

func subset(small, big []*ssa.Loop) bool {
	if len(small) > len(big) {
		return false
	}
	for _, l := range small {
		if !slices.Contains(big, l) {
			return false
		}
	}
	return true
}

// Syms lists the symbols in e, each once, in the order of their appearance.
func (e *Expr) Syms() []*Sym {
	return e.syms(1 << 30)
}

// syms looks at so many parts of e at most.
func (e *Expr) syms(most int) []*Sym {
	var list []*Sym
	seen := map[*Expr]bool{}
	var walk func(*Expr)
	walk = func(x *Expr) {
		if seen[x] || len(seen) >= most {
			return
		}
		seen[x] = true
		if x.Kind == Symbol {
			list = append(list, x.Sym)
		}
		for _, t := range x.Terms {
			for _, f := range t.Factors {
				walk(f)
			}
		}
		for _, y := range x.Args {
			walk(y)
		}
	}
	walk(e)
	return list
}

// maxTerms bounds the terms of a sum; one with more becomes a function of its
// parts, of which only level and width are known.
const maxTerms = 32

// sum makes a normal form: terms sorted and joined, none with coefficient 0.
func (a *algebra) sum(w int, c uint64, terms []Term) *Expr {
	c = mask(c, w)
	terms = joinTerms(w, terms)
	if len(terms) == 0 {
		return a.Const(w, c)
	}
	if c == 0 && len(terms) == 1 && terms[0].Coef == 1 && len(terms[0].Factors) == 1 {
		return terms[0].Factors[0]
	}
	if len(terms) > maxTerms {
		return a.frozen(w, c, terms)
	}
	return a.intern(&Expr{Kind: Sum, W: w, C: c, Terms: terms})
}

// frozen makes a long sum a function of its factors.
func (a *algebra) frozen(w int, c uint64, terms []Term) *Expr {
	args := []*Expr{a.Const(w, c)}
	for _, t := range terms {
		args = append(args, a.Const(w, t.Coef))
		args = append(args, t.Factors...)
	}
	return a.intern(&Expr{Kind: App, Op: ssa.Pure, Name: "sum", W: w, Args: args})
}

func joinTerms(w int, terms []Term) []Term {
	if len(terms) > 1 {
		slices.SortStableFunc(terms, func(x, y Term) int { return compareFactors(x.Factors, y.Factors) })
	}
	out := terms[:0]
	for _, t := range terms {
		t.Coef = mask(t.Coef, w)
		if n := len(out); n > 0 && slices.Equal(out[n-1].Factors, t.Factors) {
			out[n-1].Coef = mask(out[n-1].Coef+t.Coef, w)
		} else {
			out = append(out, t)
		}
	}
	return slices.DeleteFunc(out, func(t Term) bool { return t.Coef == 0 })
}

func compareFactors(x, y []*Expr) int {
	return slices.CompareFunc(x, y, func(a, b *Expr) int { return a.ID - b.ID })
}

// parts takes an expression apart as a sum. The terms must not be changed.
func parts(e *Expr) (uint64, []Term) {
	if e.Kind == Sum {
		return e.C, e.Terms
	}
	return 0, []Term{{1, []*Expr{e}}}
}

// Add is x + y.
func (a *algebra) Add(x, y *Expr) *Expr {
	cx, tx := parts(x)
	cy, ty := parts(y)
	return a.whole(a.sum(x.W, cx+cy, append(slices.Clone(tx), ty...)))
}

// Sub is x - y.
func (a *algebra) Sub(x, y *Expr) *Expr { return a.Add(x, a.Scale(y, ^uint64(0))) }

// Scale is x times a constant.
func (a *algebra) Scale(x *Expr, k uint64) *Expr {
	c, t := parts(x)
	out := make([]Term, len(t))
	for i := range t {
		out[i] = Term{t[i].Coef * k, t[i].Factors}
	}
	return a.whole(a.sum(x.W, c*k, out))
}

// Mul is x * y.
func (a *algebra) Mul(x, y *Expr) *Expr {
	if c, ok := x.IsConst(); ok {
		return a.Scale(y, c)
	}
	if c, ok := y.IsConst(); ok {
		return a.Scale(x, c)
	}
	cx, tx := parts(x)
	cy, ty := parts(y)
	if (len(tx)+1)*(len(ty)+1) > maxProduct || tooDeep(tx, ty) {
		return a.commuting(ssa.Mul, x.W, x, y)
	}
	var out []Term
	for _, p := range append(slices.Clone(tx), Term{cx, nil}) {
		for _, q := range append(slices.Clone(ty), Term{cy, nil}) {
			if p.Factors == nil && q.Factors == nil {
				continue
			}
			f := append(slices.Clone(p.Factors), q.Factors...)
			slices.SortFunc(f, func(a, b *Expr) int { return a.ID - b.ID })
			out = append(out, Term{p.Coef * q.Coef, f})
		}
	}
	return a.whole(a.sum(x.W, cx*cy, out))
}

// maxFactors bounds the factors of a term, maxProduct the terms that a product
// of sums is taken apart to.
const (
	maxFactors = 5
	maxProduct = 25
)

func tooDeep(x, y []Term) bool {
	most := func(ts []Term) (n int) {
		for _, t := range ts {
			n = max(n, len(t.Factors))
		}
		return n
	}
	return most(x)+most(y) > maxFactors
}

// commuting makes an operation whose arguments may be swapped.
func (a *algebra) commuting(op ssa.Op, w int, x, y *Expr) *Expr {
	if x.ID > y.ID {
		x, y = y, x
	}
	return a.intern(&Expr{Kind: App, Op: op, W: w, Args: []*Expr{x, y}})
}

// whole replaces d * (y / d) in a sum by y - y % d, so that what is divided
// and multiplied again is seen as what it is.
func (a *algebra) whole(e *Expr) *Expr {
	if e.Kind != Sum {
		return e
	}
	for i, t := range e.Terms {
		k := -1
		for n, f := range t.Factors {
			if f.Kind == App && f.Op == ssa.DivU {
				if d, ok := f.Args[1].IsConst(); ok && d > 0 && d <= 1<<62 && signed(t.Coef, e.W)%int64(d) == 0 {
					k = n
				}
			}
		}
		if k < 0 {
			continue
		}
		f := t.Factors[k]
		d, _ := f.Args[1].IsConst()
		rest := Term{uint64(signed(t.Coef, e.W) / int64(d)), slices.Delete(slices.Clone(t.Factors), k, k+1)}
		by := a.sum(e.W, e.C, slices.Delete(slices.Clone(e.Terms), i, i+1))
		m := a.Sub(f.Args[0], a.rem(f.Args[0], d))
		if len(rest.Factors) == 0 {
			m = a.Scale(m, rest.Coef)
		} else {
			m = a.Mul(a.sum(e.W, 0, []Term{rest}), m)
		}
		return a.Add(by, m)
	}
	return e
}

// symbol is the expression of a symbol.
func (a *algebra) symbol(s *Sym) *Expr {
	if _, ok := a.symIDs[s]; !ok {
		a.symIDs[s] = len(a.symIDs)
	}
	return a.intern(&Expr{Kind: Symbol, W: s.W, Sym: s})
}
