package guards_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

var wantLine = regexp.MustCompile(`// ((?:waits|tested \d+).*)$`)

// TestFind looks at testdata/kernels.ptx, which "warpgrind cc -ptx" makes of
// kernels.cu, and compares what is found with the comments there.
func TestFind(t *testing.T) {
	source, err := os.ReadFile("testdata/kernels.cu")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/kernels.ptx")
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse("kernels.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]string{}
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Entry {
			look(t, m, f, found)
		}
	}
	for i, line := range strings.Split(string(source), "\n") {
		want := ""
		if w := wantLine.FindStringSubmatch(line); w != nil {
			want = w[1]
		}
		if got := found[i+1]; got != want {
			t.Errorf("line %d: %s\ngot  %q\nwant %q", i+1, line, got, want)
		}
	}
}

// look writes down by line of the source what is found in a kernel.
func look(t *testing.T, m *ptx.Module, f *ptx.Func, found map[int]string) {
	g, err := ssa.Build(m, f, ssa.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	x := guards.Find(g)
	lines := map[guards.Site]int{}
	for _, b := range g.Blocks {
		for _, v := range b.Values {
			if v.Mem != nil && v.Instr != nil {
				lines[guards.Site{Func: g.Name, Line: v.Instr.Pos.Line}] = v.Loc.Line
			}
		}
	}
	for s, line := range lines {
		if x.Waits(s) {
			found[line] = "waits"
		}
		if test, ok := x.Test(s); ok {
			words := []string{fmt.Sprintf("tested %d", lines[test.Read])}
			for _, w := range []struct {
				is   bool
				name string
			}{{test.Last, "last"}, {test.Extreme, "extreme"}, {test.Moved, "moved"}} {
				if w.is {
					words = append(words, w.name)
				}
			}
			found[line] = strings.Join(slices.Compact(words), " ")
		}
	}
}

// TestNil finds nothing where there is no form.
func TestNil(t *testing.T) {
	var x *guards.Facts
	if _, ok := x.Test(guards.Site{}); ok || x.Waits(guards.Site{}) {
		t.Error("facts without a kernel")
	}
}
