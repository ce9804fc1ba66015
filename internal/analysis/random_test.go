package analysis

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// tree is an expression as it was asked for, before any simplification.
type tree struct {
	op   ssa.Op
	w    int
	c    uint64
	sym  *Sym
	args []*tree
}

func (t *tree) String() string {
	switch {
	case t.sym != nil:
		return fmt.Sprintf("%s:%d[%d,%d]", t.sym.Name, t.w, t.sym.Lo, t.sym.Hi)
	case t.op == ssa.Const:
		return fmt.Sprintf("%d:%d", signed(t.c, t.w), t.w)
	}
	return fmt.Sprintf("%s%d%v", t.op, t.w, t.args)
}

// eval computes the tree by the meaning of its operations alone.
func (t *tree) eval(vals map[*Sym]uint64) (uint64, bool) {
	switch {
	case t.sym != nil:
		return vals[t.sym], true
	case t.op == ssa.Const:
		return t.c, true
	}
	args := make([]uint64, len(t.args))
	for i, x := range t.args {
		v, ok := x.eval(vals)
		if !ok {
			return 0, false
		}
		args[i] = v
	}
	return ssa.Eval(t.op, t.w, t.args[0].w, args...)
}

// maker makes random trees and the expressions that they simplify to.
type maker struct {
	*rand.Rand
	a    *Analysis
	syms map[int][]*Sym
}

// consts are those that index computations have, and awkward ones.
var someConsts = []uint64{0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 20, 31, 32, 33, 48, 64, 96, 100, 255, 256, 1024,
	^uint64(0), ^uint64(3), ^uint64(31), 0xaaaaaaab, 0x55555556, 0xcccccccd, 0x24924925, 0x80000000, 0x7fffffff, 0xff00, 0x33}

func (m *maker) make(w, depth int) (*tree, *Expr) {
	if depth == 0 || m.Intn(8) == 0 {
		if list := m.syms[w]; len(list) > 0 && m.Intn(3) > 0 {
			s := list[m.Intn(len(list))]
			return &tree{w: w, sym: s}, m.a.symbol(s)
		}
		c := mask(someConsts[m.Intn(len(someConsts))], w)
		return &tree{op: ssa.Const, w: w, c: c}, m.a.Const(w, c)
	}
	if w == 1 {
		return m.predicate(depth)
	}
	ops := []ssa.Op{ssa.Add, ssa.Add, ssa.Add, ssa.Sub, ssa.Mul, ssa.Mul, ssa.And, ssa.Or, ssa.Xor, ssa.Not, ssa.Neg, ssa.Abs,
		ssa.MinS, ssa.MinU, ssa.MaxS, ssa.MaxU, ssa.DivU, ssa.DivU, ssa.RemU, ssa.RemU, ssa.DivS, ssa.RemS, ssa.Shl, ssa.ShrU, ssa.ShrS,
		ssa.MulHiU, ssa.MulHiS, ssa.Select, ssa.Zext, ssa.Sext, ssa.Trunc}
	op := ops[m.Intn(len(ops))]
	switch op {
	case ssa.Zext, ssa.Sext:
		if w == 64 {
			return m.build(op, w, depth, 32)
		}
		return m.make(w, depth-1)
	case ssa.Trunc:
		if w == 32 {
			return m.build(op, w, depth, 64)
		}
		return m.make(w, depth-1)
	case ssa.Not, ssa.Neg, ssa.Abs:
		return m.build(op, w, depth, w)
	case ssa.Shl, ssa.ShrU, ssa.ShrS:
		return m.build(op, w, depth, w, 32)
	case ssa.Select:
		return m.build(op, w, depth, 1, w, w)
	}
	return m.build(op, w, depth, w, w)
}

func (m *maker) predicate(depth int) (*tree, *Expr) {
	ops := []ssa.Op{ssa.Eq, ssa.Ne, ssa.LtS, ssa.LeS, ssa.LtU, ssa.LeU, ssa.And, ssa.Or, ssa.Xor, ssa.Not, ssa.Select}
	switch op := ops[m.Intn(len(ops))]; op {
	case ssa.And, ssa.Or, ssa.Xor:
		return m.build(op, 1, depth, 1, 1)
	case ssa.Not:
		return m.build(op, 1, depth, 1)
	case ssa.Select:
		return m.build(op, 1, depth, 1, 1, 1)
	default:
		w := 32 << m.Intn(2)
		if m.Intn(3) == 0 {
			return m.sharing(op, w, depth)
		}
		return m.build(op, 1, depth, w, w)
	}
}

// sharing compares two sums that share a term.
func (m *maker) sharing(op ssa.Op, w, depth int) (*tree, *Expr) {
	s, es := m.make(w, depth-1)
	x, ex := m.make(w, depth-1)
	y, ey := m.make(w, depth-1)
	t := &tree{op: op, w: 1, args: []*tree{{op: ssa.Add, w: w, args: []*tree{s, x}}, {op: ssa.Add, w: w, args: []*tree{y, s}}}}
	return t, m.a.Apply(op, 1, "", m.a.Add(es, ex), m.a.Add(ey, es))
}

func (m *maker) build(op ssa.Op, w, depth int, widths ...int) (*tree, *Expr) {
	t := &tree{op: op, w: w}
	var args []*Expr
	for _, aw := range widths {
		x, e := m.make(aw, depth-1)
		t.args = append(t.args, x)
		args = append(args, e)
	}
	return t, m.a.Apply(op, w, "", args...)
}

// values are random ones within the symbols' ranges, often at the ends.
func (m *maker) values() map[*Sym]uint64 {
	vals := map[*Sym]uint64{}
	for _, list := range m.syms {
		for _, s := range list {
			switch m.Intn(4) {
			case 0:
				vals[s] = s.Lo
			case 1:
				vals[s] = s.Hi
			default:
				vals[s] = s.Lo
				if span := s.Hi - s.Lo; span == ^uint64(0) {
					vals[s] = m.Uint64()
				} else {
					vals[s] += m.Uint64() % (span + 1)
				}
			}
		}
	}
	return vals
}

func newMaker(seed int64) *maker {
	f := &ssa.Func{PTX: &ptx.Func{Entry: true}}
	m := &maker{Rand: rand.New(rand.NewSource(seed)), a: New(f, Env{}), syms: map[int][]*Sym{}}
	add := func(name string, w int, level Level, lo, hi uint64) {
		m.syms[w] = append(m.syms[w], &Sym{Kind: Special, Name: name, W: w, Level: level, Lo: lo, Hi: hi})
	}
	add("%tid.x", 32, Thread, 0, 255)
	add("%tid.y", 32, Thread, 0, 7)
	add("%ctaid.x", 32, Block, 0, 1000)
	add("n", 32, Launch, 0, 1<<32-1)
	add("k", 32, Launch, 1, 5000)
	add("p", 64, Launch, 0, ^uint64(0))
	add("i", 64, Warp, 0, 77)
	add("b", 1, Warp, 0, 1)
	return m
}

// check compares a tree with its expression for some values of the symbols.
func (m *maker) check(t *testing.T, x *tree, e *Expr) {
	t.Helper()
	for range 12 {
		vals := m.values()
		want, defined := x.eval(vals)
		if !defined {
			continue
		}
		look := func(s *Sym) (uint64, bool) { return vals[s], true }
		if got, ok := Eval(e, look); !ok || got != want {
			t.Fatalf("%s\n-> %s is %d (%v), want %d\nfor %v", x, e, got, ok, want, show(vals))
		}
		lo, hi := e.Range()
		slo, shi := e.SRange()
		if s := signed(want, e.W); want < lo || want > hi || e.W > 1 && (s < slo || s > shi) {
			t.Fatalf("%s\n-> %s = %d is outside of [%d,%d] or [%d,%d]\nfor %v", x, e, want, lo, hi, slo, shi, show(vals))
		}
		if mod, r := e.Multiple(); want&(mod-1) != r {
			t.Fatalf("%s\n-> %s = %d is not %d mod %d\nfor %v", x, e, want, r, mod, show(vals))
		}
		if f, ok := m.a.Affine(e); ok && e.W > 1 && f.at(vals) != signed(want, e.W) {
			t.Fatalf("%s\n-> %s = %d is not %v = %d\nfor %v", x, e, signed(want, e.W), f, f.at(vals), show(vals))
		}
		if e.W == 1 && want == 1 {
			for _, l := range m.a.limits(nil, e) {
				if n := l.Of.at(vals); n < l.Lo || n > l.Hi {
					t.Fatalf("%s\n-> %s does not limit %d to [%d,%d]\nfor %v", x, e, n, l.Lo, l.Hi, show(vals))
				}
			}
		}
		part := m.a.Subst(e, func(s *Sym) *Expr {
			if s.Level == Thread {
				return m.a.Const(s.W, vals[s])
			}
			return nil
		})
		if got, ok := Eval(part, look); !ok || got != want {
			t.Fatalf("%s\n-> %s\n-> for one thread %s is %d, want %d\nfor %v", x, e, part, got, want, show(vals))
		}
	}
}

// at is the value of an affine sum.
func (f *Affine) at(vals map[*Sym]uint64) int64 {
	n := f.C
	for _, t := range f.Terms {
		n += t.Coef * int64(vals[t.Sym])
	}
	return n
}

func show(vals map[*Sym]uint64) (s string) {
	for k, v := range vals {
		s += fmt.Sprintf("%s=%d ", k.Name, v)
	}
	return s
}

// TestSimplify compares random expressions, simplified, with what their
// operations mean; and ranges, alignment and substitution with the values.
func TestSimplify(t *testing.T) {
	for seed := range int64(60) {
		m := newMaker(seed)
		for range 250 {
			w := []int{1, 32, 32, 64}[m.Intn(4)]
			x, e := m.make(w, 1+m.Intn(5))
			m.check(t, x, e)
		}
	}
}
