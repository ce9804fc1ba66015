package static

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// hostExpression is a random expression of C++ over n and m whose value stays within 20 bits.
func hostExpression(r *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"n", "m", fmt.Sprint(r.IntN(500) + 1)}[r.IntN(3)]
	}
	a, b := hostExpression(r, depth-1), hostExpression(r, depth-1)
	c := r.IntN(300) + 1
	switch r.IntN(12) {
	case 0:
		return fmt.Sprintf("((%s + %s) & 0xfffff)", a, b)
	case 1:
		return fmt.Sprintf("((%s - %s) %% 5000)", a, b)
	case 2:
		return fmt.Sprintf("((%s & 0x3ff) * (%s & 0x3ff))", a, b)
	case 3:
		return fmt.Sprintf("((%s + %d) / %d)", a, c-1, c)
	case 4:
		return fmt.Sprintf("(%s / ((%s & 63) + 1))", a, b)
	case 5:
		return fmt.Sprintf("(%s < %s ? %s : %s)", a, b, a, b)
	case 6:
		return fmt.Sprintf("std::min(%s, %s)", a, b)
	case 7:
		return fmt.Sprintf("((int)((unsigned)%s >> %d) & 0xfffff)", a, r.IntN(8))
	case 8:
		return fmt.Sprintf("((int)std::ceil(%s / %d.0) & 0xfffff)", a, c)
	case 9:
		return fmt.Sprintf("((int)std::floor((double)%s / %d) & 0xfffff)", a, c)
	case 10:
		return fmt.Sprintf("(int)(((long long)%s * %s) %% 1000)", a, b)
	}
	return fmt.Sprintf("std::max(%s ^ %s, 1)", a, b)
}

// TestHostValues compares what host code passes to kernels, as terms, with what the compiled code computes.
func TestHostValues(t *testing.T) {
	tooltest.NeedsClang(t)
	const kernels, seed = 80, 1
	r := rand.New(rand.NewPCG(seed, seed))
	var cuda, plain strings.Builder
	for _, b := range []*strings.Builder{&cuda, &plain} {
		b.WriteString("#include <algorithm>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n")
	}
	plain.WriteString("int main(int, char **v) {\n  int n = atoi(v[1]), m = atoi(v[2]);\n")
	var launches strings.Builder
	for i := range kernels {
		e := hostExpression(r, 1+i%4)
		fmt.Fprintf(&cuda, "__global__ void k%d(int n, int m, int v) {}\n", i)
		fmt.Fprintf(&launches, "  k%d<<<dim3(%s, 2), 32>>>(n, m, %s);\n", i, e, e)
		fmt.Fprintf(&plain, "  printf(\"%%d\\n\", %s);\n", e)
	}
	fmt.Fprintf(&cuda, "void launch(int n, int m) {\n%s}\n", launches.String())
	plain.WriteString("}\n")

	tc, err := clang.Find("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "a.cu"), filepath.Join(dir, "a")
	os.WriteFile(source, []byte(cuda.String()), 0o666)
	os.WriteFile(program+".cpp", []byte(plain.String()), 0o666)
	irs, err := tc.HostIR(context.Background(), clang.Options{Sources: []string{source}, WorkDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(tc.Clang, "-O1", "-x", "c++", program+".cpp", "-lstdc++", "-lm", "-o", program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h := &HostCode{}
	h.Read(irs[0])

	computed := 0
	for _, in := range [][2]int{{1, 1}, {1024, 7}, {1000, 4096}, {3, 255}, {4999, 256}} {
		out, err := exec.Command(program, fmt.Sprint(in[0]), fmt.Sprint(in[1])).Output()
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range bytes.Fields(out) {
			var want int32
			fmt.Sscan(string(line), &want)
			l := h.Launches(entry(fmt.Sprintf("_Z%dk%diii", len(fmt.Sprintf("k%d", i)), i), 4, 4, 4))[0]
			model := solve.Model{l.facts.params[Part{0, 0}].Name(): uint64(in[0]), l.facts.params[Part{1, 0}].Name(): uint64(in[1])}
			for what, value := range map[string]struct {
				term     *solve.Term
				constant uint64
			}{"argument": {l.facts.params[Part{2, 0}], l.Params[Part{2, 0}]}, "grid": {l.facts.grid[0], uint64(l.Grid[0])}} {
				got := value.constant
				if value.term != nil {
					if slices.ContainsFunc(solve.Variables(value.term), func(v *solve.Term) bool { _, ok := model[v.Name()]; return !ok }) {
						continue // it comes from a branch: a variable of its own
					}
					got = solve.Eval(value.term, model)
					computed++
				}
				if uint32(got) != uint32(want) {
					t.Errorf("k%d, n = %d, m = %d: %s %d, want %d", i, in[0], in[1], what, int32(got), want)
				}
			}
		}
	}
	if computed < 5*kernels { // of ten
		t.Errorf("%d values computed", computed)
	}
}

// TestHostDepth: long and shared computations end, with variables where they are not followed.
func TestHostDepth(t *testing.T) {
	var b strings.Builder
	b.WriteString("define dso_local void @f(i32 noundef %n, i64 noundef %w) #0 {\n  %a0 = add i32 %n, 1\n  %o0 = or i64 %w, 1\n")
	const long = 200_000
	for i := range long {
		fmt.Fprintf(&b, "  %%a%d = add i32 %%a%d, 3\n", i+1, i)
	}
	for i := range 60 {
		fmt.Fprintf(&b, "  %%o%d = or i64 %%o%d, %%o%d\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "  %%c = call i32 @__cudaPushCallConfiguration(i64 %%o60, i32 1, i64 4294967552, i32 1, i64 noundef 0, ptr noundef null)\n"+
		"  call void @_Z16__device_stub__ki(i32 noundef %%a%d)\n  ret void\n}\n", long)
	h := &HostCode{}
	h.Read([]byte(b.String()))
	l := h.Launches(entry("_Z1ki", 4))[0]
	if p := l.facts.params[Part{0, 0}]; p == nil || len(solve.Variables(p)) != 1 || l.facts.grid[0] == nil {
		t.Errorf("argument %v, grid %v", p, l.facts.grid[0])
	}
}
