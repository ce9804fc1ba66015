package repair_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
	"github.com/warpgrind/warpgrind/internal/repair/order"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

// program reads the text as clang does.
func program(t *testing.T) (p *code.Program, file string, texts map[string][]byte) {
	t.Helper()
	return programOf(t, text)
}

func programOf(t *testing.T, text string) (p *code.Program, file string, texts map[string][]byte) {
	t.Helper()
	return readProgram(t, text, false)
}

// readProgram reads a text; a lenient reader takes one that clang alone rejects.
func readProgram(t *testing.T, text string, lenient bool) (p *code.Program, file string, texts map[string][]byte) {
	t.Helper()
	tc, opts := toCompile(t, text)
	file = opts.Sources[0]
	r, err := tc.Reader(opts)
	if err != nil {
		t.Fatal(err)
	}
	r.Lenient = lenient
	texts = map[string][]byte{file: []byte(text)}
	err = r.Tree(t.Context(), nil, func(tree io.Reader) (err error) {
		p, err = code.Read(texts, tree)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p, file, texts
}

// toCompile are a compiler and the options to compile a text.
func toCompile(t *testing.T, text string) (*clang.Toolchain, clang.Options) {
	t.Helper()
	tooltest.NeedsClang(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "a.cu")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tc, err := clang.Find("")
	if err != nil {
		t.Fatal(err)
	}
	return tc, clang.Options{Sources: []string{file}, WorkDir: dir, DeviceOnly: true}
}

// at is the position after a mark.
func at(t *testing.T, file, mark string) source.Pos {
	t.Helper()
	return atIn(t, text, file, mark)
}

// atIn is the place behind a mark in a text.
func atIn(t *testing.T, text, file, mark string) source.Pos {
	t.Helper()
	comment := "/*" + mark + "*/ "
	i := strings.Index(text, comment)
	if i < 0 {
		t.Fatalf("no mark %q", mark)
	}
	before := text[:i+len(comment)]
	return source.Pos{File: file, Line: strings.Count(before, "\n") + 1, Col: len(before) - strings.LastIndexByte(before, '\n')}
}

// allocation is an array of which the end is passed.
var allocation = &finding.Object{Kind: finding.Allocation, Space: "global", Size: 192}

// candidateCases are findings at the marks of the text.
var candidateCases = []struct {
	mark, related string
	kind          finding.RepairKind
	object        *finding.Object
	// want are texts of which each is made by a candidate, refused what none makes; none is set
	// if there is no candidate.
	want, refused []string
	none          bool
	// maker makes one of the texts that are wanted, nil for any.
	maker func(*code.Program, *finding.Finding) []*code.Patch
}{
	{mark: "read", kind: "check-index", want: []string{"(row < rows ? in[row] : 0)", "if (!(row < rows)) return;"}},
	{mark: "quads", kind: "check-index", want: []string{"if (!(row < n)) return;", "if (q < step) a[q] = 0;"}},
	{mark: "write", kind: "check-index", want: []string{"if (row < rows) out[row * columns] = first;"}, refused: []string{"if (columns < rows)"}},
	{mark: "joined", kind: "check-index", want: []string{"if (columns > 1 && row < rows) /*joined*/ out[row] += 1;"}},
	{mark: "choice", kind: "check-index", want: []string{"row < rows ? /*choice*/ in[row] : 0"}},
	{mark: "behind", kind: "check-index", want: []string{"if (row >= columns) tile[threadIdx.x]"}},
	{mark: "square", kind: "check-index", want: []string{"if (x + 1 < SIDE) a[SIDE * (x + 1) + y] = 0;"}},
	{mark: "sum", kind: "check-index", maker: memory.PassSize, want: []string{"__global__ void shared(int *out, int n, size_t count_out)", "32>>>(p, n, n);\n    cudaFree(q);", "if (n < count_out) out[n] = sum[n]"}},
	{mark: "quads", kind: "check-index", refused: []string{"count_a"}}, // launched with a null pointer
	{mark: "pair", kind: "check-index", want: []string{" && x < size) b[y * size + x] = 0;"}},
	{mark: "array", kind: "check-index", want: []string{"if (row < 64) tile[row] = 0;"}},
	{mark: "narrow", kind: "check-index", none: true},
	{mark: "bins", kind: "write-first", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "bins"},
		want: []string{"total;\n    for (unsigned i = threadIdx.x; i < 16; i += blockDim.x) bins[i] = 0;\n", "bins[i] = 0;\n    __syncthreads();\n"}},
	{mark: "sum", kind: "write-first", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "grid"},
		want: []string{"i < 4 * 8; i += blockDim.x) (&grid[0][0])[i] = 0;"}},
	{mark: "sum", kind: "write-first", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "total"},
		want: []string{"if (threadIdx.x == 0) total = 0;"}},
	{mark: "sum", kind: "initialize", object: &finding.Object{Kind: finding.Variable, Space: "local", Name: "sum"}, maker: memory.InitializeVariable, want: []string{"int sum[4] = {};"}},
	{mark: "malloc", kind: "fill", want: []string{"cudaMalloc(&p, n * sizeof(int));\n    cudaMemset(p, 0, n * sizeof(int));\n", "cudaMemset(p, 0, n * sizeof(int));\n    shared<<<"}},
	{mark: "checked", kind: "fill", want: []string{"CHECK(cudaMalloc((void **)&q, n));\n    CHECK(cudaMemset(q, 0, n));\n"}},
	{mark: "checked", kind: "fill", want: []string{"/*part*/ CHECK(cudaMemset(q, 0, n));"}, refused: []string{"cudaMemset(p, 0, n / 2)"}},
	{mark: "pitched", kind: "fill", want: []string{"cudaMemset2D(rows, pitch, 0, 4 * n, n);"}},
	{mark: "branch", kind: "fill", want: []string{" {\n        cudaMalloc(&q, n);\n        cudaMemset(q, 0, n);\n    }\n"}},
	{mark: "load", related: "store", kind: "split-branch", want: []string{"\n    }\n    __syncthreads();\n    if (threadIdx.x < 16) {\n"}},
	{mark: "load", related: "store", kind: "syncwarp", want: []string{"__syncwarp(lanes"}, refused: []string{"+= 1;\n        __syncwarp();"}},
	{mark: "store", related: "load", kind: "atomic", want: []string{"atomicAdd(&bins[threadIdx.x], 1);"}},
	{mark: "narrow", kind: "scope", maker: order.WidenScopes, want: []string{"/*narrow*/ atomicAdd(&out[1], 1);\n    __threadfence_block();", "/*narrow*/ atomicAdd(&out[1], 1);\n    __threadfence();"}},
	{mark: "flag", kind: "scope", want: []string{"    __threadfence();"}},
	{mark: "flag", kind: "volatile", maker: order.MakeVolatile, want: []string{"*(volatile int *)&out[2] == 0"}},
	{mark: "write", kind: "another kind", none: true},
	{mark: "chosen", kind: "check-index", want: []string{"Body me = at < n ? /*chosen*/ in[at] : Body();"}},
	{mark: "copied", kind: "check-index", want: []string{"/*copied*/ (at < n ? in[at] : Body{});"}},
	{mark: "stored", kind: "check-index", want: []string{"/*stored*/ if (at < n) out[at] = other;"}, refused: []string{"(at < n ? out[at]"}},
	{mark: "launch", kind: "round-up", want: []string{"<<<(n + (2 * 16) - 1) / (2 * 16), 32>>>"}},
	{mark: "dynamic", kind: "round-up", none: true},
	{mark: "malloc", kind: "free-later", maker: memory.FreeLater, want: []string{"n);\n    if (n > 3)\n        shared<<<1, 32>>>(p, n);\n    CHECK(cudaFree(p));\n"}},
	{mark: "again", kind: "free-once", want: []string{"    /*again*/ \n"}},
	{mark: "masked", kind: "name-lanes", want: []string{"__syncwarp(0xffffffff)", "__syncwarp(mask)", "= __ballot_sync(0xffffffff, t < 8);\n    if (t < 8) {\n",
		" = __ballot_sync(0xffffffff, !(t >= 16));\n    if (t >= 16) return;"}, refused: []string{"!(t < n)", "__syncwarp(other)"}},
	{mark: "more", kind: "more-shared-memory", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "more", Size: 64},
		want: []string{"quads<<<1, 32, 32 * sizeof(float)>>>", "quads<<<1, 32, n + 936>>>"}},
	{mark: "array", kind: "check-index", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "tile", Size: 256}, maker: memory.ResizeArray, want: []string{"float tile[250];"}},
	{mark: "second", related: "first", kind: "syncwarp", want: []string{"= other;\n        tile.sync();\n", "= other;\n        __syncwarp(mask);\n",
		" = __ballot_sync(0xffffffff, t < n);\n    if (t < n) {\n", "= other;\n        __syncwarp(lanes"}, refused: []string{"__syncwarp(other)", "pipe."}},
	{mark: "second", related: "first", kind: "wait", want: []string{"= other;\n        pipe.consumer_wait();\n"}, refused: []string{"tile.sync()"}},
	{mark: "tree", related: "tree", kind: "atomic", maker: guard.GuardByStride, want: []string{"step /= 2)\n        /*tree*/ if (t < step) sums[t] += sums[t + step];", "sums[t + step];\n        __syncthreads();\n    }"},
		refused: []string{"step < t"}},
	{mark: "derived", kind: "check-index", want: []string{"/*derived*/ if (next < 99) out[2 * t] = 0;"}, refused: []string{"(n < 98) out[2"}},
	{mark: "malloc", kind: "fill", want: []string{"cudaMemcpy(p, ints.data(), ints.size() * sizeof(ints[0]), cudaMemcpyHostToDevice);\n    for (int i",
		"cudaMemsetAsync(p, 0, n * sizeof(int), stream);"}, refused: []string{"floats.data()"}},
	{mark: "below", kind: "check-index", want: []string{"t >= step ? /*below*/ s[t - step] : 0"}},
	{mark: "within", kind: "check-index", want: []string{"if (t < n) /*within*/"}, refused: []string{"i < n)"}},
	{mark: "loop", kind: "check-index", want: []string{"i = t; i < n; i += 64"}},
	{mark: "left", kind: "check-index", want: []string{"if (t >= n || add > 3) return;"}, refused: []string{"add > 2", "add >= 3", "i < n;"}},
	{mark: "inner", related: "call", kind: "check-index", want: []string{"if (t < n) put(out, t, 1);"}},
	{mark: "plus", kind: "check-index", want: []string{"if (t < n) *(out + t) = 2;"}},
	{mark: "fixed", kind: "check-index", object: allocation, want: []string{"if (2 * t < SAMPLES)"}, refused: []string{"< OTHERS"}},
	{mark: "ticket", kind: "check-index", refused: []string{"ticket(out) <"}, want: []string{"if (t < n) out[ticket"}},
	{mark: "zero", kind: "check-index", want: []string{"if (t > 0) /*zero*/", "if (t >= 0 && t >= 1)"}},
	{mark: "thread", kind: "check-index", want: []string{"if (threadIdx.x < 64) s[threadIdx.x] = 6;"}},
	{mark: "least", kind: "check-index", want: []string{"if (min(t, step) < n) out[min"}},
	{mark: "readonly", kind: "coherent-load", want: []string{"out[t] = /*readonly*/ *(&in[t]);"}},
	{mark: "loop", kind: "coherent-load", want: []string{"*(volatile int *)&out[i] = 0"}, refused: []string{"*(&"}},
	{mark: "middle", kind: "match-free", want: []string{"/*middle*/ CHECK(cudaFree(p));", "CHECK(cudaFreeHost(p + n));", "    /*middle*/ \n"}},
	{mark: "again", kind: "match-free", want: []string{"/*again*/ CHECK(free(p));"}, refused: []string{"/*again*/ CHECK(cudaFree(n"}},
	{mark: "late", kind: "return-later", maker: order.ReturnLater, want: []string{"    bool active152 = !(i >= n);\n    float own = active152 ? in[i] : 0;\n    for (int k = 0; k < 2; k++) {\n        if (active152) own += 1;\n        /*late*/ __syncthreads();\n    }\n    if (active152) out[i] = own;\n"}},
	{mark: "read", kind: "return-later", none: true},
	{mark: "alike", kind: "move-barrier", want: []string{"        out[0] = 1;\n        /*alike*/ \n    } else {\n    }\n    __syncthreads();\n"}},
	{mark: "else", kind: "check-index", want: []string{"/*else*/ { if (threadIdx.x < SAMPLES) out[threadIdx.x] = 2; }\n    else"}, object: allocation},
	{mark: "leak", kind: "free", want: []string{"    cudaFree(d);\n    return cudaSuccess;\n"}, refused: []string{"cudaFreeHost(d)"}},
	{mark: "pass", kind: "free", want: []string{"        if (n > 6) break;\n        cudaFree(pass);\n    }\n", "        /*pass*/ cudaMalloc(&pass, n);\n        cudaFree(pass);\n"}, refused: []string{"cudaFree(pass);\n    return"}},
	{mark: "read", kind: "free", none: true},
	{mark: "long", kind: "copy-less", want: []string{"cudaMemcpy(d, local, n * sizeof(float), cuda", "cudaMemcpy(d, local, sizeof(local), cuda"}, refused: []string{"sizeof(float) * sizeof(float)"}},
	{mark: "few", kind: "copy-less", want: []string{"cudaMalloc(&few, n * sizeof(float));"}, refused: []string{"cudaMemcpy(few, host, n, cuda"}},
	{mark: "wrong", kind: "direction", want: []string{"cudaMemcpy(local, d, sizeof(local), cudaMemcpyDeviceToHost);", "cudaMemcpy(d, local, sizeof(local), cudaMemcpyHostToDevice);"}},
	{mark: "address", kind: "direction", want: []string{"cudaMemset(d, 0, 4);"}},
	{mark: "gone", kind: "copy-earlier", want: []string{"DeviceToHost);\n    cudaFree(d);\n    return"}},
	{mark: "host", kind: "copy-to-host", want: []string{"/*host*/ {\n        float copy180;\n        cudaMemcpy(&copy180, &d[1], sizeof(copy180), cudaMemcpyDeviceToHost);\n        local[0] = copy180;\n    }\n    else local[1]",
		"cudaMallocManaged(&d, n * sizeof(float));\n"}},
	{mark: "both ways", kind: "copy-to-host", want: []string{"copy182 += 1;\n    cudaMemcpy(&d[2], &copy182, sizeof(copy182), cudaMemcpyHostToDevice);\n"}},
	{mark: "by C", kind: "copy-to-host", want: []string{"/*by C*/ cudaMemcpy(local, d, 8, cudaMemcpyDefault);"}},
	{mark: "narrow", kind: "scope", want: []string{"atomicAdd_system(&out[1], 1);\n    __threadfence_system();"}},
	{mark: "unread", kind: "check-result", want: []string{"/*unread*/ { CHECK(cudaDeviceSynchronize()); }\n    else", "{ if (cudaError_t failed = cudaDeviceSynchronize()) return failed; }\n    else"}},
	{mark: "unchecked", kind: "check-launch", want: []string{"(d, d, n);\n    CHECK(cudaGetLastError());\n"}},
	{mark: "unchecked", kind: "check-result", none: true},
	{mark: "unchecked", kind: "opt-in-shared", want: []string{"cudaFuncSetAttribute(late, cudaFuncAttributeMaxDynamicSharedMemorySize, n);\n    late<<<n / 32, 32, n>>>"}},
	{mark: "unchecked", kind: "launch-cooperatively", want: []string{"        config185.gridDim = n / 32;\n        config185.blockDim = 32;\n        config185.dynamicSmemBytes = n;\n", ".val.cooperative = 1;", "cudaLaunchKernelEx(&config185, late, d, d, n);\n    }\n"}},
	{mark: "both", kind: "check-index", want: []string{"if (row < rows && column < columns) c[0]"}, refused: []string{"column < row)"}},
}

// TestCandidates: what is proposed for a finding, and how it stands in the text.
func TestCandidates(t *testing.T) {
	p, file, texts := program(t)
	below := []string{"below", "zero"}
	for _, c := range candidateCases {
		f := &finding.Finding{Primary: finding.Place{Loc: source.Location{Pos: at(t, file, c.mark)}}, Object: c.object, KernelName: "shared(int *, int)",
			Repair: &finding.Repair{Kind: c.kind}, Range: finding.Bytes{Lo: 96, Hi: 1000}}
		if c.related != "" {
			f.Related = []finding.Place{{Loc: source.Location{Pos: at(t, file, c.related)}}}
		}
		if slices.Contains(below, c.mark) {
			f.Range = finding.Bytes{Lo: -4, Hi: 0}
		}
		if c.mark == "inner" {
			f.Related, f.Primary.Loc.InlinedAt = nil, []source.Pos{f.Related[0].Loc.Pos}
		}
		if c.object == allocation {
			f.Range = finding.Bytes{Lo: 192, Hi: 196}
		}
		if c.mark == "more" {
			f.KernelName = "quads(float *, int)"
		}
		if c.kind == "fill" || c.kind == "free-later" {
			f.Repair.From = &finding.Point{Pos: source.Pos{File: file, Line: f.Primary.Loc.Line}}
		}
		var made []string
		for _, patch := range repair.Candidates(p, f) {
			made = append(made, string(code.Apply(texts, []*code.Patch{patch}, false)[file]))
			inline := string(code.Apply(texts, []*code.Patch{patch}, true)[file])
			if strings.Count(inline, "\n") != strings.Count(text, "\n") {
				t.Errorf("%s, %s: %s: lines have moved:\n%s", c.mark, c.kind, patch.What, inline)
			}
		}
		if c.none != (len(made) == 0) {
			t.Errorf("%s, %s: %d candidates", c.mark, c.kind, len(made))
		}
		if c.maker != nil && !slices.ContainsFunc(code.Distinct(c.maker(p, f)), func(patch *code.Patch) bool {
			text := string(code.Apply(texts, []*code.Patch{patch}, false)[file])
			return slices.ContainsFunc(c.want, func(w string) bool { return strings.Contains(text, w) })
		}) {
			t.Errorf("%s, %s: the maker makes none of %q", c.mark, c.kind, c.want)
		}
		for _, w := range c.want {
			if !slices.ContainsFunc(made, func(m string) bool { return strings.Contains(m, w) }) {
				t.Errorf("%s, %s: none of %d candidates makes %q:\n%s", c.mark, c.kind, len(made), w, changed(made))
			}
		}
		for _, w := range c.refused {
			if slices.ContainsFunc(made, func(m string) bool { return strings.Contains(m, w) }) {
				t.Errorf("%s, %s: a candidate makes %q", c.mark, c.kind, w)
			}
		}
	}
}

// fasterCases are findings of performance rules at the marks of the text.
var fasterCases = []struct {
	mark, object string
	kind         finding.RepairKind
	want         []string
}{
	{"sum", "grid", "pad-rows", []string{"grid[4][8 + 1];"}},
	{"sum", "grid", "pad-rows", []string{"grid[n][n ^ (n & 7)] + total;"}},
	{"bins", "bins", "pad-rows", nil},
	{"square", "", "unit-stride", []string{"int x = blockIdx.x, y = threadIdx.x;"}},
	{"write", "", "unit-stride", []string{"int row = threadIdx.x * gridDim.x + blockIdx.x;"}},
	{"write", "", "other-work", nil},
}

// TestFaster: what is proposed for a finding of a performance rule.
func TestFaster(t *testing.T) {
	p, file, texts := program(t)
	for _, c := range fasterCases {
		f := &finding.Finding{Primary: finding.Place{Loc: source.Location{Pos: at(t, file, c.mark)}}, Repair: &finding.Repair{Kind: c.kind},
			Object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: c.object}}
		var made []string
		for _, patch := range repair.Faster(p, f) {
			made = append(made, string(code.Apply(texts, []*code.Patch{patch}, false)[file]))
		}
		for _, w := range c.want {
			if !slices.ContainsFunc(made, func(m string) bool { return strings.Contains(m, w) }) {
				t.Errorf("%s, %s: none of %d candidates makes %q:\n%s", c.mark, c.kind, len(made), w, changed(made))
			}
		}
		if c.want == nil && len(made) > 0 {
			t.Errorf("%s, %s: %d candidates", c.mark, c.kind, len(made))
		}
	}
}

// changed are the lines that differ from the text.
func changed(made []string) string {
	var b strings.Builder
	for _, m := range made {
		for _, l := range strings.Split(m, "\n") {
			if !strings.Contains(text, l) {
				b.WriteString(l + "\n")
			}
		}
		b.WriteString("--\n")
	}
	return b.String()
}

// TestMoved: where a place is once a line has other text before it, and back.
func TestMoved(t *testing.T) {
	texts := map[string][]byte{"a.cu": []byte("first;\n  x[i] = y[i];\n")}
	line := len("first;\n")
	add := func(at int, text string) code.Edit {
		return code.Edit{File: "a.cu", From: line + at, To: line + at, Text: text}
	}
	patches := []*code.Patch{
		{Inline: []code.Edit{add(2, "if (i < n) ")}},
		{Inline: []code.Edit{add(9, "(i < m ? "), add(13, " : 0)"), {File: "a.cu", From: 0, To: 5, Text: "1"}}},
	}
	after := string(code.Apply(texts, patches, true)["a.cu"])
	if after != "1;\n  if (i < n) x[i] = (i < m ? y[i] : 0);\n" {
		t.Fatalf("%q", after)
	}
	for _, c := range []struct{ before, after int }{{1, 1}, {3, 14}, {10, 30}, {14, 39}} {
		was, now := source.Pos{File: "a.cu", Line: 2, Col: c.before}, source.Pos{File: "a.cu", Line: 2, Col: c.after}
		if got := code.Moved(texts, patches, was, false); got != now {
			t.Errorf("column %d is then column %d, want %d", c.before, got.Col, c.after)
		}
		if got := code.Moved(texts, patches, now, true); got != was {
			t.Errorf("column %d was column %d, want %d", c.after, got.Col, c.before)
		}
	}
	if at := (source.Pos{File: "b.cu", Line: 1, Col: 3}); code.Moved(texts, patches, at, false) != at {
		t.Error("a place of another file has moved")
	}
}

// TestAddedWithin: what is added within a line that another patch takes out is kept, on a line of its own.
func TestAddedWithin(t *testing.T) {
	const text = "  a;\n  b;\n  c;\n"
	b := strings.Index(text, "b;")
	patches := []*code.Patch{
		{Edits: []code.Edit{{File: "a.cu", From: b - 2, To: b + 3}}, Inline: []code.Edit{{File: "a.cu", From: b, To: b + 2}}},
		{Edits: []code.Edit{{File: "a.cu", From: b + 2, To: b + 2, Text: "\n  d;"}}, Inline: []code.Edit{{File: "a.cu", From: b + 2, To: b + 2, Text: " d;"}}},
	}
	for inline, want := range map[bool]string{false: "  a;\n  d;\n  c;\n", true: "  a;\n   d;\n  c;\n"} {
		if got := string(code.Apply(map[string][]byte{"a.cu": []byte(text)}, patches, inline)["a.cu"]); got != want {
			t.Errorf("inline %t: %q, want %q", inline, got, want)
		}
	}
}

// TestMovedWithin: a place in what a patch adds was where it is added.
func TestMovedWithin(t *testing.T) {
	texts := map[string][]byte{"a.cu": []byte("x;\ny;\n")}
	patches := []*code.Patch{{Inline: []code.Edit{{File: "a.cu", From: 2, To: 2, Text: " a long call;"}}}}
	at := source.Pos{File: "a.cu", Line: 1, Col: 9}
	if got, want := code.Moved(texts, patches, at, true), (source.Pos{File: "a.cu", Line: 1, Col: 3}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRedundancies: what is proposed to be taken out of the source, and what is left alone.
func TestRedundancies(t *testing.T) {
	p, file, texts := program(t)
	first, last := strings.Index(text, "void tidied"), strings.Index(text, "int host")
	var got []string
	for _, r := range repair.Redundancies(p) {
		line := strings.Split(text, "\n")[r.At.Line-1]
		if !strings.HasPrefix(line[r.At.Col-1:], r.Text) {
			t.Errorf("%q is not at %v", r.Text, r.At)
		}
		if at := strings.Index(text, line); at < first || at > last {
			continue
		}
		for _, patch := range r.Patches {
			for _, inline := range []bool{false, true} {
				now := string(code.Apply(texts, []*code.Patch{patch}, inline)[file])
				if inline && strings.Count(now, "\n") != strings.Count(text, "\n") {
					t.Errorf("%s moves lines", patch.What)
				} else if !inline {
					got = append(got, patch.What+": "+now[first:len(now)-len(text)+last])
				}
			}
		}
	}
	body := text[first:last]
	want := func(what, old, new string) string {
		if !strings.Contains(body, old) {
			t.Fatalf("%q is not there", old)
		}
		return what + ": " + strings.Replace(body, old, new, 1)
	}
	line := strings.Count(text[:first], "\n") + 1
	for i, w := range []string{
		want(fmt.Sprintf("remove __threadfence_system() in line %d", line+3), "    if (threadIdx.x == 0) {\n        __threadfence_system(); // inner\n    }\n", ""),
		want(fmt.Sprintf("use __threadfence_block() instead of __threadfence_system() in line %d", line+3), "__threadfence_system()", "__threadfence_block()"),
		want(fmt.Sprintf("use __threadfence() instead of __threadfence_system() in line %d", line+3), "__threadfence_system()", "__threadfence()"),
		want(fmt.Sprintf("remove __syncthreads() in line %d", line+5), " __syncthreads();", " ;"),
		want(fmt.Sprintf("use __syncwarp() instead of __syncthreads() in line %d", line+5), "__syncthreads()", "__syncwarp()"),
		want(fmt.Sprintf("remove __syncwarp() in line %d", line+7), "__syncwarp();", ";"),
		want(fmt.Sprintf("make the atomic update in line %d a plain one", line+8), "atomicExch(n + 1, 2)", "*(n + 1) = 2"),
	} {
		if i >= len(got) || got[i] != w {
			t.Fatalf("proposal %d is not\n%s\nof\n%s", i, w, strings.Join(got, "\n"))
		}
	}
	if len(got) != 7 {
		t.Errorf("also proposed: %s", got[7:])
	}
}
