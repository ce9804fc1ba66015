package solve

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// z3 returns a solver with the real z3.
func z3(t *testing.T, o Options) *Solver {
	t.Helper()
	tooltest.NeedsZ3(t)
	s := New(o)
	t.Cleanup(s.Close)
	return s
}

func TestCheck(t *testing.T) {
	x, y := Var("x", 32), Var("y", 32)
	i, j := Var("i", Int), Var("a b|c", Int)
	p := Var("p", Bool)
	tests := []struct {
		name string
		ask  []*Term
		want Status
	}{
		{"empty", nil, Sat},
		{"constants", []*Term{ULt(BV(3, 8), BV(2, 8))}, Unsat},
		{"wraps around", []*Term{Eq(Add(x, BV(1, 32)), BV(0, 32))}, Sat},
		{"two threads of one word", []*Term{Not(Eq(x, y)), ULt(x, BV(256, 32)), ULt(y, BV(256, 32)), Eq(Mul(x, BV(4, 32)), Mul(y, BV(4, 32)))}, Unsat},
		{"neighbors", []*Term{Not(Eq(x, y)), Eq(Add(x, BV(1, 32)), y)}, Sat},
		{"signs", []*Term{SLt(x, BV(0, 32)), ULt(x, BV(0x80000000, 32))}, Unsat},
		{"integers", []*Term{SLt(Mul(i, Integer(3)), Integer(-7)), SLt(Integer(-4), i), Eq(j, Sub(i, Integer(1)))}, Sat},
		{"integers, not", []*Term{Eq(Mul(i, Integer(2)), Integer(7))}, Unsat},
		{"truth", []*Term{p, Not(p)}, Unsat},
		{"widths", []*Term{Eq(SignExt(Extract(x, 0, 8), 64), BV(^uint64(0), 64)), Eq(ZeroExt(Extract(x, 8, 3), 32), BV(5, 32))}, Sat},
	}
	s := z3(t, Options{})
	for _, test := range tests {
		a := s.Check(context.Background(), test.ask...)
		if a.Status != test.want {
			t.Errorf("%s: %v (%s), want %v", test.name, a.Status, a.Reason, test.want)
		}
		if a.Status == Sat && Eval(And(test.ask...), a.Model) != 1 {
			t.Errorf("%s: the model %v does not fit", test.name, a.Model)
		}
	}
}

func TestCache(t *testing.T) {
	s := z3(t, Options{})
	for range 3 {
		s.Check(context.Background(), square(1))
	}
	if s.Asked() != 1 {
		t.Errorf("z3 was asked %d times, want 1", s.Asked())
	}
}

// random makes a term of the width over x, y and constants.
func random(r *rand.Rand, width, depth int) *Term {
	sub := func() *Term { return random(r, width, depth-1) }
	if depth == 0 {
		switch r.Intn(4) {
		case 0:
			return BV(r.Uint64(), width)
		case 1:
			return BV(uint64(r.Intn(4)), width)
		}
		return Var([]string{"x", "y"}[r.Intn(2)]+fmt.Sprint(width), Sort(width))
	}
	binary := []func(a, b *Term) *Term{Add, Sub, Mul, UDiv, URem, SDiv, SRem, BitAnd, BitOr, BitXor, Shl, LShr, AShr}
	compare := []func(a, b *Term) *Term{ULt, ULe, SLt, SLe, Eq}
	switch k := r.Intn(18); {
	case k < len(binary):
		return binary[k](sub(), sub())
	case k == 13:
		return BitNot(sub())
	case k == 14:
		return Ite(Or(compare[r.Intn(5)](sub(), sub()), Not(compare[r.Intn(5)](sub(), sub()))), sub(), sub())
	case k == 15:
		return SignExt(Extract(sub(), r.Intn(width/2), width/2), width)
	case k == 16:
		return ZeroExt(Extract(sub(), r.Intn(width/2), width/2), width)
	}
	return Extract(SignExt(sub(), 64), 0, width)
}

// TestEval compares the evaluation of terms with z3's.
func TestEval(t *testing.T) {
	s := z3(t, Options{})
	r := rand.New(rand.NewSource(1))
	for i := range 400 {
		width := []int{8, 32, 64}[r.Intn(3)]
		term := random(r, width, 3)
		m := Model{}
		fixed := []*Term{}
		for _, v := range Variables(term) {
			m[v.Name()] = r.Uint64() & mask(v.Sort())
			if r.Intn(2) == 0 {
				m[v.Name()] &= 7
			}
			fixed = append(fixed, Eq(v, BV(m[v.Name()], width)))
		}
		want := BV(Eval(term, m), width)
		p := part{all: And(append(fixed, Not(Eq(term, want)))...)} // not simplified
		p.script, p.vars = script(p.all)
		if a := s.part(context.Background(), 1_000_000, p); a.Status != Unsat {
			t.Fatalf("%d: %v with %v is not %v: %v %s", i, term, m, want, a.Status, a.Reason)
		}
	}
}

// TestEvaluatorRoots has a root that is a part of another.
func TestEvaluatorRoots(t *testing.T) {
	x := Var("x", 8)
	if got := NewEvaluator(Add(x, BV(1, 8)), x).Eval(Model{"x": 5}); got != 5 {
		t.Errorf("the last root is %d, want 5", got)
	}
}

func TestIntegerDivision(t *testing.T) {
	s := z3(t, Options{})
	for a := int64(-7); a <= 7; a++ {
		for _, b := range []int64{-3, -1, 2, 5} {
			x := Var("x", Int)
			div, mod := SDiv(x, Integer(b)), SRem(x, Integer(b))
			m := Model{"x": uint64(a)}
			ask := []*Term{Eq(x, Integer(a)), Eq(div, Integer(int64(Eval(div, m)))), Eq(mod, Integer(int64(Eval(mod, m))))}
			if got := s.Check(context.Background(), ask...); got.Status != Sat {
				t.Errorf("%d div, mod %d: %d, %d: z3 disagrees", a, b, int64(Eval(div, m)), int64(Eval(mod, m)))
			}
		}
	}
}

// square is a question that only z3 answers, at once.
func square(i uint64) *Term {
	x, n := Var("x", 16), 20001+2*i
	return Eq(Mul(x, x), BV(n*n, 16))
}

// factors is a question that takes z3 long.
func factors() *Term {
	x, y := Var("x", 64), Var("y", 64)
	return And(Eq(Mul(x, y), BV(0x7fffffffffffffe7, 64)), ULt(BV(1, 64), x), ULt(x, BV(1<<32, 64)), ULt(BV(1, 64), y), ULt(y, BV(1<<32, 64)))
}

func TestBounds(t *testing.T) {
	s := z3(t, Options{Steps: 20_000})
	a := s.Check(context.Background(), factors())
	if a.Reason != "not decided: a question with too many products and quotients for z3" || a.Steps != 0 {
		t.Errorf("gates: %v %q, %d steps", a.Status, a.Reason, a.Steps)
	}
	s = z3(t, Options{Steps: 100_000})
	a = s.Check(context.Background(), factors())
	if a.Status != Unknown || !strings.HasPrefix(a.Reason, "not decided: z3 gave up") {
		t.Errorf("steps: %v %q", a.Status, a.Reason)
	}
	s = z3(t, Options{Steps: 1 << 60, Timeout: 300 * time.Millisecond})
	if a = s.Check(context.Background(), factors()); a.Reason != "not decided: z3 took longer than 300ms" {
		t.Errorf("time: %v %q", a.Status, a.Reason)
	}
	if a = s.Check(context.Background(), square(1)); a.Status != Sat {
		t.Errorf("after a query without an answer: %v %q", a.Status, a.Reason)
	}
	s = z3(t, Options{Queries: 1})
	s.Check(context.Background(), square(1))
	if a = s.Check(context.Background(), square(4)); a.Reason != "not decided: more than 1 questions to z3" {
		t.Errorf("queries: %v %q", a.Status, a.Reason)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if a = s.Check(ctx, square(9)); a.Reason != "not decided: interrupted" {
		t.Errorf("interrupted: %v %q", a.Status, a.Reason)
	}
}

func TestMissing(t *testing.T) {
	s := New(Options{Path: "no-such-z3"})
	defer s.Close()
	a := s.Check(context.Background(), square(1))
	if a.Status != Unknown || a.Reason != "not decided: no-such-z3 not found" {
		t.Errorf("%v %q", a.Status, a.Reason)
	}
	if a := s.Check(context.Background(), False); a.Status != Unsat {
		t.Errorf("what needs no z3: %v", a.Status)
	}
}

// TestKilled ends z3 behind the solver's back: the question is not decided, the
// next one is, and after some deaths z3 is given up.
func TestKilled(t *testing.T) {
	s := z3(t, Options{Steps: 1 << 60})
	for i := range maxDeaths {
		if a := s.Check(context.Background(), square(uint64(i))); a.Status != Sat {
			t.Fatalf("before: %v %q", a.Status, a.Reason)
		}
		p := s.proc.cmd.Process
		time.AfterFunc(100*time.Millisecond, func() { p.Kill() })
		if a := s.Check(context.Background(), factors()); a.Reason != "not decided: z3 ended while it worked" {
			t.Fatalf("killed: %v %q", a.Status, a.Reason)
		}
	}
	if a := s.Check(context.Background(), square(81)); a.Reason != "not decided: z3 ended 3 times" {
		t.Errorf("given up: %v %q", a.Status, a.Reason)
	}
}

// TestStuck has a z3 that never answers, by itself or in a process of its own
// that outlives it: each question ends in time, and after some z3 is given up.
func TestStuck(t *testing.T) {
	for name, body := range map[string]string{"waits": "exec sleep 5", "has another wait": "sleep 5"} {
		file := filepath.Join(t.TempDir(), "z3")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+body+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		s := New(Options{Path: file, Timeout: 200 * time.Millisecond})
		for i := range maxDeaths {
			if a := s.Check(context.Background(), square(uint64(i))); a.Reason != "not decided: z3 took longer than 200ms" {
				t.Errorf("%s: %v %q", name, a.Status, a.Reason)
			}
		}
		if a := s.Check(context.Background(), square(81)); a.Reason != "not decided: z3 took longer than 200ms 3 times" {
			t.Errorf("%s, given up: %v %q", name, a.Status, a.Reason)
		}
		s.Close()
	}
	s := z3(t, Options{Steps: 1 << 60})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	if a := s.Check(ctx, factors()); a.Reason != "not decided: interrupted" {
		t.Errorf("interrupted while it works: %v %q", a.Status, a.Reason)
	}
}

// TestNonsense has a program answer that is not z3.
func TestNonsense(t *testing.T) {
	for name, body := range map[string]string{
		"silent": "exit 0", "babble": "while read l; do echo hm; echo warpgrind-end; done",
		"model": `while read l; do case "$l" in *check-sat*) echo sat;; *get-value*) echo "((v0 cat))";; *echo*) echo warpgrind-end;; esac; done`,
		"liar":  `while read l; do case "$l" in *check-sat*) echo sat;; *get-value*) echo "((v0 #x07))";; *echo*) echo warpgrind-end;; esac; done`,
	} {
		file := filepath.Join(t.TempDir(), "z3")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+body+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		s := New(Options{Path: file, Timeout: 5 * time.Second})
		a := s.Check(context.Background(), square(1))
		if a.Status != Unknown || !strings.HasPrefix(a.Reason, "not decided: ") {
			t.Errorf("%s: %v %q", name, a.Status, a.Reason)
		}
		s.Close()
	}
}

func TestShared(t *testing.T) {
	x := Var("x", 64)
	for range 200 {
		x = Add(x, x) // 2^200 additions as a tree
	}
	if s := z3(t, Options{}).Check(context.Background(), Eq(x, BV(1, 64))); s.Status != Unsat {
		t.Errorf("%v %s", s.Status, s.Reason)
	}
	deep := Var("y", 32)
	for i := range 20_000 {
		deep = Ite(ULt(deep, BV(uint64(i), 32)), BV(uint64(i), 32), deep)
	}
	if text, _ := script(Eq(deep, BV(0, 32))); len(text) > 10<<20 || Size(deep) < 20_000 {
		t.Error("a deep term is printed too long")
	}
}

func TestAlignedTo(t *testing.T) {
	x := Var("x", 64)
	for _, test := range []struct {
		term *Term
		want uint64
	}{
		{x, 1}, {Mul(x, BV(12, 64)), 4}, {Add(Shl(x, BV(3, 64)), BV(16, 64)), 8}, {BitAnd(x, BV(0xf0, 64)), 16},
		{ZeroExt(Mul(Var("i", 32), BV(6, 32)), 64), 2}, {BV(0, 64), 1 << 63},
	} {
		if got := AlignedTo(test.term); got != test.want {
			t.Errorf("%v: %d, want %d", test.term, got, test.want)
		}
	}
}
