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

// TestKinds: what is proposed by kinds of repair, and what is not.
func TestKinds(t *testing.T) {
	p, file, texts := programOf(t, kindsText)
	for _, c := range []struct {
		mark, kernel  string
		kind          finding.RepairKind
		want, refused []string
	}{
		{"member", "pointers", "check-pointer", []string{"if ((list->next) != nullptr) a[0]", "(list != nullptr ? ", "if (a != nullptr) a[0]"}, nil},
		{"array", "pointers", "check-pointer", []string{"if (list != nullptr) tile[0]"}, []string{"tile != nullptr", "own != nullptr", "own) != nullptr"}},
		{"called", "pointers", "check-pointer", []string{"if (a != nullptr) a[1]"}, []string{"some(n) != nullptr", "(some(n)) != nullptr"}},
		{"passed", "pointers", "check-malloc", []string{"if (a != nullptr) use(a + n, n);"}, []string{"(a + n) != nullptr"}},
		{"declared", "pointers", "check-pointer", []string{"(list != nullptr ? list->value : 0)"}, []string{"if (list != nullptr) int"}},
		{"part", "parts", "move-part", []string{"((const char *)&first[n] < (const char *)second ? first[n] : 0)"}, []string{"(const char *)unset", "(const char *)first"}},
		{"part", "parts", "check-index", nil, []string{"(const char *)second"}},
		{"used", "early", "count-arrivals", []string{"leave(bar); if (threadIdx.x == 0) arrive(bar);", "out[0] = 1; if (threadIdx.x == 0) arrive(bar);", "out[0] = 1; __syncwarp(); if (threadIdx.x == 0) arrive(bar);"},
			[]string{"out[0] = 1; leave(bar);", "if (threadIdx.x == 0) ;"}},
		{"chased", "chases", "relaxed-atomic", []string{"{ @p[n]).store(@p[i]).load($), $); i = @p[@p[i]).load($)]).load($); }", "atomicMax(&p[n], q[i]);", "int i = /*chased*/ @p[n]).load($);"}, nil},
		{"counted", "chases", "relaxed-atomic", nil, []string{"@"}},
		{"direct", "wraps", "widen-index", []string{"p[(size_t)row * pitch + n]"}, nil},
		{"kept", "wraps", "widen-index", []string{"const size_t off = (size_t)(row + 1) * pitch * 4 + (size_t)n * n;"}, nil},
		{"compared", "wraps", "widen-index", nil, []string{"size_t"}},
		{"halved", "wraps", "widen-index", nil, []string{"size_t"}},
		{"paired", "paired", "keep-limit", []string{"a.val.clusterDim.x = 2;"}, nil},
		{"paired", "single", "keep-limit", nil, []string{"a.val.clusterDim.x = 2;"}},
	} {
		i := strings.Index(kindsText, "/*"+c.mark+"*/ ")
		before := kindsText[:i+len(c.mark)+5]
		pos := source.Pos{File: file, Line: strings.Count(before, "\n") + 1, Col: len(before) - strings.LastIndexByte(before, '\n')}
		f := &finding.Finding{Primary: finding.Place{Loc: source.Location{Pos: pos}}, KernelName: c.kernel + "(int *)", Repair: &finding.Repair{Kind: c.kind}}
		var made []string
		for _, patch := range repair.Candidates(p, f) {
			made = append(made, string(code.Apply(texts, []*code.Patch{patch}, true)[file]))
		}
		has := func(text string) bool {
			return slices.ContainsFunc(made, func(m string) bool { return strings.Contains(m, text) })
		}
		short := strings.NewReplacer("cuda::atomic_ref<int, cuda::thread_scope_device>(", "@", "cuda::memory_order_relaxed", "$")
		for i, m := range made {
			made[i] = short.Replace(m)
		}
		for _, w := range c.want {
			if !has(w) {
				t.Errorf("%s, %s: none of %d candidates makes %q: %q", c.mark, c.kind, len(made), w, made)
			}
		}
		for _, w := range c.refused {
			if has(w) {
				t.Errorf("%s, %s: a candidate makes %q", c.mark, c.kind, w)
			}
		}
	}
}
