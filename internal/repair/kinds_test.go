package repair_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
	"github.com/warpgrind/warpgrind/internal/repair/order"
	"github.com/warpgrind/warpgrind/internal/source"
)

// kindsText has what repairs of one kind change, and what looks like it. Findings are at the comments.
const kindsText = `#include <cstdio>
struct Node { int value; Node *next; int own[4]; };
__device__ Node *some(int);
__device__ int use(int *p, int n);
__global__ void pointers(Node *list, int *a, int n)
{
    __shared__ int tile[4];
    /*member*/ a[0] = list->next->value;
    /*array*/ tile[0] = list[0].own[n];
    /*called*/ a[1] = some(n)->value;
    /*passed*/ use(a + n, n);
    int declared = /*declared*/ list->value;
    a[2] = tile[declared];
}
__global__ void parts(float *out, int n)
{
    extern __shared__ float all[];
    float *first = all, *second = all + n;
    int *unset;
    out[0] = /*part*/ first[n];
    /*second*/ second[n - 1] = 0;
    unset = nullptr;
    out[1] = unset ? 1 : 0;
}
__global__ void __cluster_dims__(2, 1, 1) paired(int *out) {}
__global__ void single(int *out) {}
__device__ void arrive(unsigned bar) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory"); }
__device__ void leave(unsigned bar) { asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(bar) : "memory"); }
__global__ void early(int *out, unsigned bar)
{
    if (threadIdx.x == 0) arrive(bar);
    leave(bar);
    /*used*/ out[0] = 1;
    out[1] = 2;
}
__global__ void chases(int *p, int *q, int n)
{
    int i = /*chased*/ p[n];
    while (p[i] != i) { p[n] = p[i]; i = p[p[i]]; }
    atomicMax(&p[n], q[i]);
    /*counted*/ q[n]++;
}
__global__ void wraps(char *p, int row, int pitch, int n)
{
    /*direct*/ p[row * pitch + n] = 0;
    const int off = (row + 1) * pitch * 4 + n * n;
    /*kept*/ p[off + 1] = 1;
    unsigned compared = row * pitch;
    if (compared < n) /*compared*/ p[compared] = 2;
    /*halved*/ p[row * pitch / 2] = 3;
}
void launches(int *out, int size)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a;
    a.val.clusterDim.x = 8;
    c.attrs = &a;
    /*paired*/ cudaLaunchKernelEx(&c, paired, out);
}
`

// kindCase is a finding at a mark of a text, and what the repair of its kind makes of it.
type kindCase struct {
	mark, kernel string
	kind         finding.RepairKind
	// maker makes the patches that are wanted, nil for a maker of the package's own.
	maker func(*code.Program, *finding.Finding) []*code.Patch
	// set gives the finding what else the maker reads; at is the place of a mark.
	set func(f *finding.Finding, at func(mark string) *finding.Point)
	// want are texts of which each is made by a candidate, refused what none makes. An ellipsis stands for any text.
	want, refused []string
}

// finding is the finding of a case.
func (c *kindCase) finding(t *testing.T, text, file string) *finding.Finding {
	t.Helper()
	at := func(mark string) *finding.Point { return &finding.Point{Pos: atIn(t, text, file, mark)} }
	f := &finding.Finding{Primary: finding.Place{Loc: source.Location{Pos: at(c.mark).Pos}}, KernelName: c.kernel + "(int *)", Repair: &finding.Repair{Kind: c.kind}}
	if c.set != nil {
		c.set(f, at)
	}
	return f
}

// short has other words for the long ones in patches of atomics.
var short = strings.NewReplacer("cuda::atomic_ref<int, cuda::thread_scope_device>(", "@", "cuda::memory_order_relaxed", "$")

// made are the texts that each of some patches makes of a text, in short.
func made(texts map[string][]byte, file string, patches []*code.Patch) (out []string) {
	for _, patch := range patches {
		out = append(out, short.Replace(string(code.Apply(texts, []*code.Patch{patch}, true)[file])))
	}
	return out
}

// indexMade is which of some texts has the parts of another in their order, -1 for none.
func indexMade(made []string, text string) int {
	return slices.IndexFunc(made, func(m string) bool {
		for part := range strings.SplitSeq(text, "…") {
			_, rest, ok := strings.Cut(m, part)
			if !ok {
				return false
			}
			m = rest
		}
		return true
	})
}

// testKinds checks what is proposed for the cases of a text, and that each patch that is wanted compiles. nested is set for a text with
// launches in device code, which clang takes only as the compiler adapts them.
func testKinds(t *testing.T, text string, nested bool, cases []kindCase) {
	p, file, texts := readProgram(t, text, nested)
	var wanted []*code.Patch
	for _, c := range cases {
		f := c.finding(t, text, file)
		candidates := repair.Candidates(p, f)
		all, own := made(texts, file, candidates), []string(nil)
		if c.maker != nil {
			own = made(texts, file, code.Distinct(c.maker(p, f)))
		}
		for _, w := range c.want {
			i := indexMade(all, w)
			switch {
			case indexMade([]string{short.Replace(text)}, w) == 0:
				t.Errorf("%s, %s: the text has %q already", c.mark, c.kind, w)
			case i < 0:
				t.Errorf("%s, %s: none of %d candidates makes %q:\n%s", c.mark, c.kind, len(all), w, differing(text, all))
			case c.maker != nil && indexMade(own, w) < 0:
				t.Errorf("%s, %s: the maker does not make %q:\n%s", c.mark, c.kind, w, differing(text, own))
			default:
				wanted = append(wanted, candidates[i])
			}
		}
		for _, w := range c.refused {
			if i := indexMade(all, w); i >= 0 {
				t.Errorf("%s, %s: a candidate makes %q:\n%s", c.mark, c.kind, w, differing(text, all[i:i+1]))
			}
		}
	}
	compile(t, file, texts, nested, wanted)
}

// differing are the lines of some texts that another one does not have.
func differing(text string, made []string) string {
	var b strings.Builder
	old := strings.Split(short.Replace(text), "\n")
	for _, m := range made {
		b.WriteString("--\n")
		for i, line := range strings.Split(m, "\n") {
			if i >= len(old) || line != old[i] {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String()
}

// compile has clang read the text with the patches, as many of them at a time as have nothing to do with each other.
func compile(t *testing.T, file string, texts map[string][]byte, nested bool, patches []*code.Patch) {
	t.Helper()
	for len(patches) > 0 {
		var now, later []*code.Patch
		for _, patch := range patches {
			if slices.ContainsFunc(now, func(o *code.Patch) bool { return overlap(o, patch) }) {
				later = append(later, patch)
			} else {
				now = append(now, patch)
			}
		}
		headers := "" // the inline edits leave these to the compiler's options
		for _, patch := range now {
			for _, h := range patch.Headers {
				headers += "#include <" + h + ">\n"
			}
		}
		patches = later
		changed := headers + string(code.Apply(texts, now, true)[file])
		if !nested {
			programOf(t, changed)
			continue
		}
		tc, opts := toCompile(t, changed)
		if _, err := tc.Build(t.Context(), opts); err != nil {
			t.Error(err)
		}
	}
}

// overlap reports whether two patches change the same part of the text: the lines from the first edit to the last.
func overlap(a, b *code.Patch) bool {
	span := func(p *code.Patch) (from, to int) {
		from = p.Inline[0].From
		for _, e := range p.Inline {
			from, to = min(from, e.From), max(to, e.To)
		}
		return from, to
	}
	aFrom, aTo := span(a)
	bFrom, bTo := span(b)
	return aFrom <= bTo && bFrom <= aTo
}

var kindCases = []kindCase{
	{mark: "member", kernel: "pointers", kind: finding.CheckPointer, maker: guard.CheckPointers, want: []string{"if ((list->next) != nullptr) a[0]", "(list != nullptr ? ", "if (a != nullptr) a[0]"}},
	{mark: "array", kernel: "pointers", kind: finding.CheckPointer, maker: guard.CheckPointers, want: []string{"if (list != nullptr) tile[0]"}, refused: []string{"tile != nullptr", "own != nullptr", "own) != nullptr"}},
	{mark: "called", kernel: "pointers", kind: finding.CheckPointer, maker: guard.CheckPointers, want: []string{"if (a != nullptr) a[1]"}, refused: []string{"some(n) != nullptr", "(some(n)) != nullptr"}},
	{mark: "passed", kernel: "pointers", kind: finding.CheckMalloc, maker: guard.CheckPointers, want: []string{"if (a != nullptr) use(a + n, n);"}, refused: []string{"(a + n) != nullptr"}},
	{mark: "declared", kernel: "pointers", kind: finding.CheckPointer, maker: guard.CheckPointers, want: []string{"(list != nullptr ? list->value : 0)"}, refused: []string{"if (list != nullptr) int"}},
	{mark: "part", kernel: "parts", kind: finding.MovePart, maker: guard.GuardAccess, want: []string{"((const char *)&first[n] < (const char *)second ? first[n] : 0)"}, refused: []string{"(const char *)unset", "(const char *)first"}},
	{mark: "part", kernel: "parts", kind: finding.CheckIndex, maker: guard.GuardAccess, refused: []string{"(const char *)second"}},
	{mark: "used", kernel: "early", kind: finding.CountArrivals, maker: order.CountArrivals, want: []string{"leave(bar); if (threadIdx.x == 0) arrive(bar);", "out[0] = 1; if (threadIdx.x == 0) arrive(bar);", "out[0] = 1; __syncwarp(); if (threadIdx.x == 0) arrive(bar);"}, refused: []string{"out[0] = 1; leave(bar);", "if (threadIdx.x == 0) ;"}},
	{mark: "chased", kernel: "chases", kind: finding.MakeRelaxed, maker: order.RelaxAccesses, want: []string{"{ @p[n]).store(@p[i]).load($), $); i = @p[@p[i]).load($)]).load($); }", "i = @p[@p[i]).load($)]).load($); }\n    atomicMax(&p[n], q[i]);", "int i = /*chased*/ @p[n]).load($);"}},
	{mark: "counted", kernel: "chases", kind: finding.MakeRelaxed, maker: order.RelaxAccesses, refused: []string{"@"}},
	{mark: "direct", kernel: "wraps", kind: finding.WidenIndex, maker: guard.WidenIndex, want: []string{"p[(size_t)row * pitch + n]"}},
	{mark: "kept", kernel: "wraps", kind: finding.WidenIndex, maker: guard.WidenIndex, want: []string{"const size_t off = (size_t)(row + 1) * pitch * 4 + (size_t)n * n;"}},
	{mark: "compared", kernel: "wraps", kind: finding.WidenIndex, maker: guard.WidenIndex, refused: []string{"size_t"}},
	{mark: "halved", kernel: "wraps", kind: finding.WidenIndex, maker: guard.WidenIndex, refused: []string{"size_t"}},
	{mark: "paired", kernel: "paired", kind: finding.KeepLimit, maker: order.FitClusters, want: []string{"a.val.clusterDim.x = 2;"}},
	{mark: "paired", kernel: "single", kind: finding.KeepLimit, maker: order.FitClusters, refused: []string{"a.val.clusterDim.x = 2;"}},
}

// TestKinds: what is proposed by kinds of repair, and what is not.
func TestKinds(t *testing.T) { testKinds(t, kindsText, false, kindCases) }
