package analysis_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

var (
	blockLine  = regexp.MustCompile(`^// block (\d+)(?:, (\d+))?(?:, (\d+))?$`)
	kernelLine = regexp.MustCompile(`^__global__ void (\w+)\(`)
	wantLine   = regexp.MustCompile(`// ((?:step|exact|needs|lanes|align) .*)$`)
	parameter  = regexp.MustCompile(`param_(\d+)$`)
)

// expected is what the lines of a kernel say: for each line the accesses that
// it names, in any order.
type expected struct {
	block [3]uint32
	lines map[int][]string
}

func readExpected(t *testing.T) map[string]*expected {
	text, err := os.ReadFile("testdata/addresses.cu")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*expected{}
	var block [3]uint32
	var cur *expected
	for i, line := range strings.Split(string(text), "\n") {
		if m := blockLine.FindStringSubmatch(line); m != nil {
			for k := range block {
				n, _ := strconv.Atoi("0" + m[1+k])
				block[k] = uint32(max(n, 1))
			}
		} else if m := kernelLine.FindStringSubmatch(line); m != nil {
			cur = &expected{block, map[int][]string{}}
			out[m[1]] = cur
		} else if m := wantLine.FindStringSubmatch(line); m != nil && cur != nil {
			cur.lines[i+1] = strings.Split(m[1], "; ")
		}
	}
	return out
}

// needs names the symbols that distances depend on.
func needs(l *analysis.Lanes) (words []string) {
	for _, s := range l.Needs {
		w := s.Name
		switch s.Kind {
		case analysis.Param:
			w = parameter.FindStringSubmatch(s.Name)[1]
		case analysis.Opaque:
			w = "loaded"
		case analysis.Iter, analysis.Last:
			w = "round"
		}
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// says reports whether a word of an expectation is true of an access.
func says(clause string, l *analysis.Lanes, maybe uint32) bool {
	word, rest, _ := strings.Cut(clause, " ")
	switch word {
	case "step":
		n, _ := strconv.ParseInt(rest, 10, 64)
		for lane, off := range l.Off {
			if off != n*int64(lane) {
				return false
			}
		}
		return l.Exact
	case "exact":
		for lane, w := range strings.Fields(rest) {
			if n, _ := strconv.ParseInt(w, 10, 64); l.Off[lane+1] != n {
				return false
			}
		}
		return l.Exact
	case "needs":
		for _, w := range strings.Fields(rest) {
			if !slices.Contains(needs(l), w) {
				return false
			}
		}
		return !l.Exact
	case "align":
		a := min(l.Align, 128)
		return rest == fmt.Sprintf("%d+%d", a, l.Residue%a)
	case "lanes":
		return rest == fmt.Sprintf("%x", maybe)
	case "assumed":
		return true
	}
	return false
}

// TestAddresses compares the facts about the addresses of compiled kernels
// with what their lines say.
func TestAddresses(t *testing.T) {
	text, err := os.ReadFile("testdata/addresses.ptx")
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse("addresses.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range readExpected(t) {
		var f *ssa.Func
		for _, it := range m.Items {
			if k, ok := it.(*ptx.Func); ok && k.Entry && strings.HasPrefix(k.Name, fmt.Sprintf("_Z%d%s", len(name), name)) {
				if f, err = ssa.Build(m, k, ssa.Options{Verify: true}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if f == nil {
			t.Fatalf("no kernel %s", name)
		}
		t.Run(name, func(t *testing.T) { checkKernel(t, f, want) })
	}
}

func checkKernel(t *testing.T, f *ssa.Func, want *expected) {
	plain := analysis.New(f, analysis.Env{Block: want.block})
	a := analysis.New(f, analysis.Env{Block: want.block, Assume: true})
	for _, x := range a.Accesses() {
		line := x.Value.Loc.Line
		if x.Mem.Space == ptx.Local || len(want.lines[line]) == 0 && x.Mem.Space != ptx.Global {
			continue
		}
		if len(want.lines[line]) == 0 {
			t.Errorf("line %d: nothing expected of %s", line, x.Addr.Expr)
			continue
		}
		l := a.Lanes(x.Addr.Expr, want.block, 1, ^uint32(0))
		_, maybe := a.Active(a.Path(x.Block), want.block, 1)
		ok := slices.ContainsFunc(want.lines[line], func(w string) bool {
			clauses := strings.Split(w, ", ")
			for _, c := range clauses {
				if !says(c, l, maybe) {
					return false
				}
			}
			return l.Assumed && x.Mem.Space == ptx.Global || !slices.Contains(clauses, "assumed")
		})
		if !ok {
			t.Errorf("line %d: %s: distances %v, known %x, align %d+%d, lanes %x, needs %v, want %q", line, x.Addr.Expr, l.Off, l.Known, l.Align, l.Residue, maybe, needs(l), want.lines[line])
		}
		checkUnassumed(t, plain, a, x, want, line)
	}
}

// checkUnassumed wants a line that says nothing of assumptions to be as exact
// without them.
func checkUnassumed(t *testing.T, plain, a *analysis.Analysis, x *analysis.Access, want *expected, line int) {
	for _, w := range want.lines[line] {
		if strings.Contains(w, "assumed") {
			return
		}
	}
	with := a.Lanes(x.Addr.Expr, want.block, 1, ^uint32(0))
	without := plain.Lanes(plain.Address(x.Mem, x.Block).Expr, want.block, 1, ^uint32(0))
	if with.Exact != without.Exact || with.Off != without.Off {
		t.Errorf("line %d: exact %v without assumptions, %v with them: %s", line, without.Exact, with.Exact, plain.Address(x.Mem, x.Block).Expr)
	}
}
