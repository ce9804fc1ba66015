package ssa_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

var update = flag.Bool("update", false, "write the golden files")

func parse(t *testing.T, name string, text []byte) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// kernels builds all kernels of a module, verified after each pass.
func kernels(t *testing.T, m *ptx.Module) []*ssa.Func {
	t.Helper()
	var list []*ssa.Func
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Entry && f.Body != nil {
			g, err := ssa.Build(m, f, ssa.Options{Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, g)
		}
	}
	return list
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, f := range kernels(t, parse(t, name, text)) {
				got.WriteString(f.String())
			}
			golden := strings.TrimSuffix(name, ".ptx") + ".ssa"
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, _ := os.ReadFile(golden)
			if got.String() != string(want) {
				t.Errorf("differs from %s:\n%s", golden, got.String())
			}
		})
	}
}

// TestCompiled verifies the form of modules as several compilers make them.
func TestCompiled(t *testing.T) {
	files, _ := filepath.Glob("../ptx/testdata/*.ptx")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		kernels(t, parse(t, name, text))
	}
}

const header = ".version 8.3\n.target sm_80\n.address_size 64\n"

func source(t *testing.T, body string) *ssa.Func {
	t.Helper()
	text := header + ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %d<99>; .shared .b8 s[64];\n" + body + "\n}\n"
	return kernels(t, parse(t, "test.ptx", []byte(text)))[0]
}

func TestTrips(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		want       int64
	}{
		{"up", "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 3; setp.lt.u32 %p1, %r1, 10; @%p1 bra L;", 4},
		{"down", "mov.u32 %r1, 10; L: add.s32 %r1, %r1, -1; setp.gt.s32 %p1, %r1, 0; @%p1 bra L;", 10},
		{"tested first", "mov.u32 %r1, 0; L: setp.ge.u32 %p1, %r1, 5; @%p1 bra E; add.u32 %r1, %r1, 1; bra L; E:", 6},
		{"halves", "mov.u32 %r1, 128; L: shr.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;", 8},
		{"doubles", "mov.u32 %r1, 1; L: shl.b32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 256; @%p1 bra L;", 8},
		{"limit on the left", "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.gt.u32 %p1, 7, %r1; @%p1 bra L;", 7},
		{"wraps", "mov.u32 %r1, -2; L: add.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 1; @%p1 bra L;", 3},
		{"not constant", "mov.u32 %r1, %tid.x; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;", -1},
		{"two exits", "mov.u32 %r1, 0; ld.param.u32 %r2, [n]; L: setp.eq.u32 %p2, %r1, %r2; @%p2 bra E; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; E:", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := source(t, c.loop+" bar.sync 0; ret;")
			if len(f.Loops) != 1 || f.Loops[0].Trips != c.want {
				t.Errorf("want %d trips:\n%s", c.want, f)
			}
		})
	}
}

// TestBudget leaves calls alone when the text would grow beyond the budget.
func TestBudget(t *testing.T) {
	var s strings.Builder
	s.WriteString(header + ".func f0() { .reg .b32 %r; add.u32 %r, %r, 1; bar.sync 0; ret; }\n")
	for i := 1; i < 30; i++ { // without a budget, 2^29 copies of f0
		fmt.Fprintf(&s, ".func f%d() { call f%d; call f%d; ret; }\n", i, i-1, i-1)
	}
	s.WriteString(".visible .entry k() { call f29; ret; }\n")
	m := parse(t, "deep.ptx", []byte(s.String()))
	f, err := ssa.Build(m, m.Func("k"), ssa.Options{Budget: 5000, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpCall {
				calls++
				if v.Call.Why != "too large" || !v.Call.Barrier || v.Call.Global {
					t.Fatalf("%s: %+v", v, v.Call)
				}
			}
		}
	}
	if calls == 0 || f.NumValues > 50_000 {
		t.Errorf("%d calls left, %d values", calls, f.NumValues)
	}
}

// TestLarge builds a kernel of many blocks and registers, all of which live
// through it, and one of deeply nested branches to a common end.
func TestLarge(t *testing.T) {
	var s strings.Builder
	s.WriteString("ld.param.u32 %r1, [n]; ld.param.u64 %d1, [p];\n")
	for i := range 5000 {
		fmt.Fprintf(&s, "setp.lt.u32 %%p1, %%r1, %d; @%%p1 bra E; add.u32 %%r1, %%r1, %%r%d;\nst.global.u32 [%%d1+%d], %%r1;\n", i, 2+i%90, 4*i)
	}
	s.WriteString("E: st.global.u32 [%d1], %r1; ret;")
	f := source(t, s.String())
	if len(f.Blocks) < 5000 {
		t.Errorf("%d blocks", len(f.Blocks))
	}
	s.Reset()
	s.WriteString("mov.u32 %r1, 0; ld.param.u32 %r2, [n];\n")
	for i := range 60 {
		fmt.Fprintf(&s, "L%d: add.u32 %%r1, %%r1, 1;\n", i)
	}
	for i := 59; i >= 0; i-- {
		fmt.Fprintf(&s, "setp.lt.u32 %%p1, %%r1, %d; @%%p1 bra L%d; add.u32 %%r1, %%r1, 1;\n", 1000-i, i)
	}
	if f := source(t, s.String()+"bar.sync 0; ret;"); len(f.Loops) != 60 || f.Loops[59].Depth != 60 {
		t.Errorf("%d loops", len(f.Loops))
	}
}

func TestErrors(t *testing.T) {
	m := parse(t, "x.ptx", []byte(header+".extern .func f();\n.visible .entry k() { .reg .b32 %r; brx.idx %r, L; L: ret; }\n"))
	for name, want := range map[string]string{"f": "x.ptx:4:1: f has no body", "k": `x.ptx:5:37: "L" is not a list of branch targets`} {
		if _, err := ssa.Build(m, m.Func(name), ssa.Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// TestPredicateParameters has predicates for results and parameters of functions,
// inlined and called.
func TestPredicateParameters(t *testing.T) {
	const text = `.version 8.3
.target sm_80
.address_size 64
.func (.reg .pred r) odd(.reg .u32 x) { .reg .u32 o; and.b32 o, x, 1; setp.ne.u32 r, o, 0; ret; }
.func (.reg .u32 r) pick(.reg .pred c, .reg .u32 a) { selp.u32 r, a, 7, c; ret; }
.func (.reg .pred r) again(.reg .pred c) { @c call (r), again, (c); ret; }
.visible .entry k(.param .u64 p)
{
.reg .pred %q; .reg .u32 %t; .reg .u64 %d;
mov.u32 %t, %tid.x;
call (%q), odd, (%t);
call (%t), pick, (%q, %t);
call (%q), again, (%q);
ld.param.u64 %d, [p];
@%q st.global.u32 [%d], %t;
ret;
}
`
	f := kernels(t, parse(t, "predicates", []byte(text)))[0].String()
	for _, want := range []string{"select", "store", "call again (recursion)"} {
		if !strings.Contains(f, want) {
			t.Errorf("no %s in\n%s", want, f)
		}
	}
}
