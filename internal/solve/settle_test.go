package solve

import (
	"context"
	"maps"
	"math/rand"
	"testing"
)

// TestIntern compares random terms with what an interner makes of them, for
// values of the variables within their bounds.
func TestIntern(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	in := NewInterner()
	for i := range 6000 {
		width := []int{8, 16, 32, 64}[r.Intn(4)]
		term := random(r, width, 1+r.Intn(4))
		if r.Intn(2) == 0 {
			term = boundVariables(term)
		}
		if r.Intn(3) == 0 {
			term = Ite(Eq(term, boundVariables(random(r, width, 2))), BV(1, width), term)
		}
		made := in.Intern(term)
		if again := in.Intern(made); again != made {
			t.Fatalf("%v\nbecomes %v\nand then %v", term, made, again)
		}
		for range 20 {
			m := modelOf(r, term)
			if want, got := Eval(term, m), Eval(made, m); want != got {
				t.Fatalf("%d: %v\nis %#x with %v, and as\n%v\n%#x", i, term, want, m, made, got)
			}
			if s := in.span(made); Eval(made, m) < s.low || Eval(made, m) > s.high {
				t.Fatalf("%v is %#x with %v, said %#x", made, Eval(made, m), m, s)
			}
		}
	}
}

// boundVariables has variables of small ranges instead of any.
func boundVariables(t *Term) *Term {
	if t.op == OpVar {
		return Bounded("small "+t.name, int(t.sort), 9)
	}
	n := *t
	n.args = nil
	for _, a := range t.args {
		n.args = append(n.args, boundVariables(a))
	}
	return &n
}

func modelOf(r *rand.Rand, ts ...*Term) Model {
	m := Model{}
	for _, v := range Variables(ts...) {
		m[v.name] = r.Uint64() & varMask(v.sort)
		if r.Intn(2) == 0 {
			m[v.name] &= 7
		}
		if v.most > 0 {
			m[v.name] %= v.most + 1
		}
	}
	return m
}

// linear makes a random sum with small variables, as addresses are.
func linear(r *rand.Rand, vars []*Term) *Term {
	t := BV(uint64(r.Intn(3))*uint64(1+r.Intn(8)), 32)
	for _, v := range vars {
		if r.Intn(2) == 0 {
			t = Add(t, Mul(v, BV([]uint64{1, 1, 2, 4, 5, 16, 20, 0xfffffffc}[r.Intn(8)], 32)))
		}
	}
	return t
}

// TestSettle tries all values of small variables on random conjunctions: what
// is drawn from one holds wherever it does, and nothing else does.
func TestSettle(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	vars := []*Term{Bounded("a", 32, 3), Bounded("b", 32, 3), Bounded("c", 32, 4), Bounded("d", 32, 2), Var("e", 32)}
	never, gone := 0, 0
	for i := range 400 {
		all := []*Term{ULe(vars[4], BV(4, 32))}
		for range 1 + r.Intn(3) {
			x, y := linear(r, vars), linear(r, vars)
			switch r.Intn(6) {
			case 0:
				all = append(all, Not(Eq(x, y)))
			case 1:
				all = append(all, ULt(x, y))
			case 2:
				all = append(all, Eq(SignExt(x, 64), Mul(ZeroExt(y, 64), BV(uint64(1+r.Intn(2)), 64))))
			default:
				all = append(all, Eq(x, y))
			}
		}
		s := settle(And(all...))
		found := false
		whole, rest := NewEvaluator(And(all...)), NewEvaluator(And(s.terms...))
		each(vars, 5, Model{}, func(m Model) {
			holds := whole.Eval(m) == 1
			found = found || holds
			if !s.never {
				c := maps.Clone(m)
				s.complete(c)
				settled := rest.Eval(m) == 1
				if holds && !(settled && maps.Equal(c, m)) || settled && whole.Eval(c) != 1 && inBounds(vars, c) {
					t.Fatalf("%d: %v with %v: %v, settled %v with %v", i, And(all...), m, holds, And(s.terms...), c)
				}
			}
		})
		if s.never && found {
			t.Fatalf("%d: %v can be met", i, And(all...))
		}
		if gone += len(s.given); s.never {
			never++
		}
	}
	if never < 40 || gone < 40 {
		t.Errorf("%d conjunctions are settled and %d variables gone, of 400", never, gone)
	}
}

func inBounds(vars []*Term, m Model) bool {
	for _, v := range vars {
		if v.most > 0 && m[v.name] > v.most {
			return false
		}
	}
	return true
}

// each tries all values below n of variables.
func each(vars []*Term, n uint64, m Model, f func(Model)) {
	if len(vars) == 0 {
		f(m)
		return
	}
	v := vars[0]
	for x := range n {
		if v.most == 0 || x <= v.most {
			m[v.name] = x
			each(vars[1:], n, m, f)
		}
	}
}

// TestSettled has questions about addresses that need no z3.
func TestSettled(t *testing.T) {
	s := New(Options{Path: "no-such-z3"})
	defer s.Close()
	n := Var("n", 32)
	at := func(name string) (*Term, *Term) {
		tid, block := Bounded(name+".tid", 32, 255), Bounded(name+".block", 32, 1<<21)
		return tid, Add(Mul(block, BV(256, 32)), tid)
	}
	t1, i1 := at("1")
	t2, i2 := at("2")
	other := Not(And(Eq(t1, t2), Eq(Bounded("1.block", 32, 1<<21), Bounded("2.block", 32, 1<<21))))
	wide := func(x *Term) *Term { return Mul(SignExt(x, 64), BV(4, 64)) }
	for name, test := range map[string]struct {
		ask  []*Term
		want Status
	}{
		"own element":                 {[]*Term{Eq(wide(i1), wide(i2)), other}, Unsat},
		"own element, plus a product": {[]*Term{Eq(wide(Add(i1, Mul(n, BV(3, 32)))), wide(Add(Mul(n, BV(3, 32)), i2))), other}, Unsat},
		"other residue":               {[]*Term{Eq(Mul(n, BV(8, 32)), Add(Mul(i1, BV(8, 32)), BV(4, 32)))}, Unsat},
		"tile and column": {[]*Term{Eq(Add(Mul(LShr(t1, BV(4, 32)), BV(17, 32)), BitAnd(t1, BV(15, 32))), Add(Mul(LShr(t2, BV(4, 32)), BV(17, 32)), BitAnd(t2, BV(15, 32)))),
			Not(Eq(LShr(t1, BV(4, 32)), LShr(t2, BV(4, 32))))}, Unsat},
		"beyond the range": {[]*Term{Eq(Add(t1, BV(256, 32)), t2)}, Unsat},
		"given":            {[]*Term{Eq(t1, t2), Eq(t2, BV(7, 32))}, Sat},
		"neighbor":         {[]*Term{Eq(Add(t1, BV(1, 32)), t2), Not(Eq(t1, t2))}, Sat},
		"a root":           {[]*Term{square(0)}, Unknown},
	} {
		if a := s.Check(context.Background(), test.ask...); a.Status != test.want {
			t.Errorf("%s: %v %s, want %v", name, a.Status, a.Reason, test.want)
		}
	}
}
