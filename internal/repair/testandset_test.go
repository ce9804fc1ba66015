package repair_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// testsText has conditions on objects that are then assigned, and what looks like them.
const testsText = `__device__ int next(int *p) { return ++*p; }
__global__ void tests(int *a, unsigned long long *b, float *f, int *out, int n, int v)
{
    if (/*least*/ *a > v) *a = v;
    if (v >= /*most*/ a[n]) { a[n] = v; }
    if (!/*flag*/ out[n]) {
        out[n] = 1;
        a[0]++;
    }
    if (/*other*/ b[0] != v) {
        b[0] = v;
        a[1] = 0;
    }
    if (/*equal*/ a[2] == n) a[2] = v;
    if (/*value*/ a[3] > v) a[3] = n;
    if (/*float*/ f[0] > v) f[0] = v;
    if (/*else*/ a[4] > v) a[4] = v; else a[5] = 0;
    if (/*effect*/ a[next(out)] > v) a[next(out)] = v;
    if (!/*later*/ out[1]) {
        a[0]++;
        out[1] = 1;
    }
    if (/*another*/ a[6] > v) a[7] = v;
}
`

// TestTestAndSet: tests and assignments become one atomic function where they are about one object and one value.
func TestTestAndSet(t *testing.T) {
	p, file, texts := programOf(t, testsText)
	for mark, want := range map[string]string{
		"least": "    atomicMin(a, v);\n", "most": "    atomicMax(&a[n], v);\n",
		"flag":  "    if (!/*flag*/ atomicCAS(&out[n], 0, 1)) {\n        a[0]++;\n",
		"other": "    if (/*other*/ atomicExch(&b[0], v) != v) {\n        a[1] = 0;\n",
		"equal": "    atomicCAS(&a[2], n, v);\n",
		"value": "", "float": "", "else": "", "effect": "", "later": "", "another": "",
	} {
		f := &finding.Finding{Primary: finding.Place{Loc: source.Location{Pos: atIn(t, testsText, file, mark)}}, Repair: &finding.Repair{Kind: "atomic"}}
		var made []string
		for _, patch := range repair.Candidates(p, f) {
			made = append(made, string(code.Apply(texts, []*code.Patch{patch}, false)[file]))
			if inline := code.Apply(texts, []*code.Patch{patch}, true)[file]; strings.Count(string(inline), "\n") != strings.Count(testsText, "\n") {
				t.Errorf("%s: %s: lines have moved:\n%s", mark, patch.What, inline)
			}
		}
		has := func(text string) bool {
			return slices.ContainsFunc(made, func(m string) bool { return strings.Contains(m, text) })
		}
		if want != "" && !has(want) {
			t.Errorf("%s: none of %d candidates makes %q", mark, len(made), want)
		}
		for _, call := range []string{"atomicMin(", "atomicMax(", "atomicCAS(", "atomicExch("} {
			if !strings.Contains(want, call) && has(call) {
				t.Errorf("%s: a candidate makes %s", mark, call)
			}
		}
	}
}
