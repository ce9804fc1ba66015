package judge

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// A fieldCase is a job whose verdict depends on a field: with it, and without. None is any verdict but correct.
type fieldCase struct {
	field, source, value string
	with, without        Reason
	job                  string // more fields of both
}

const none Reason = "none"

const fieldArguments = `"arguments":[{"name":"x","type":"f32","role":"input","shape":["n"]},{"name":"y","type":"f32","role":"output","shape":["n"]},{"name":"n","type":"i32","role":"scalar","value":"n"}]`

// fieldCases are for the fields that other tests have no job for. The kernel is to double n floats.
var fieldCases = []fieldCase{
	{"defines", "KERNEL { EACH y[i] = FACTOR * x[i]; }", `{"FACTOR":"2"}`, Correct, CompileError, ""},
	{"headers", "#include \"factor.h\"\nKERNEL { EACH y[i] = FACTOR * x[i]; }", `{"factor.h":"#define FACTOR 2"}`, Correct, CompileError, ""},
	{"header_files", "#include \"mine.h\"\nKERNEL { EACH y[i] = FACTOR * x[i]; }", `["mine.h"]`, Correct, CompileError, ""},
	{"std", "consteval int two() { return 2; }\nKERNEL { EACH y[i] = two() * x[i]; }", `"c++20"`, Correct, CompileError, ""},
	{"arch", "KERNEL {\n#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900\n#error old\n#endif\n EACH y[i] = 2 * x[i]; }", `"sm_90"`, Correct, CompileError, ""},
	{"build", "KERNEL { __shared__ int s; s = threadIdx.x; EACH y[i] = 2 * x[i]; }", `"optimized"`, Correct, Race, ""},
	{"calls", "__device__ int calls[1024];\nKERNEL { EACH y[i] = calls[i]++ ? 0 : 2 * x[i]; }", "1", Correct, Stateful, ""},
	{"schedules", "__device__ unsigned ticket;\nKERNEL { __shared__ int late; if (threadIdx.x == 0) late = atomicAdd(&ticket, 1) % gridDim.x != 0 && blockIdx.x == 0; __syncthreads(); EACH y[i] = 2 * x[i] + late; }", "1", Correct, Nondeterministic, ""},
	{"tools", "KERNEL { __shared__ int s; s = threadIdx.x; EACH y[i] = 2 * x[i] + 0 * s; }", `"memory"`, Correct, Race, ""},
	{"ignore", "KERNEL { __shared__ int s; s = threadIdx.x; EACH y[i] = 2 * x[i] + 0 * s; }", `["race"]`, Correct, Race, ""},
	{"strict_precision", "#include <cuda_fp16.h>\nKERNEL { EACH y[i] = __half2float(__float2half(2 * x[i])); }", "true", WrongPrecision, Correct, `"tolerance":{"abs":0.1,"rel":0.1}`},
	{"tolerance", "KERNEL { EACH y[i] = 2 * x[i] + 0.01f; }", `{"abs":0.1,"rel":0}`, Correct, WrongOutput, ""},
	{"tolerance", "KERNEL { EACH y[i] = i == 7 ? 9 : 2 * x[i]; }", `{"abs":1e-5,"rel":1e-5,"mismatches":0.01}`, Correct, WrongOutput, ""},
	{"limits", "KERNEL { float s = 0; for (int k = 0; k < 10000; k++) s += k; EACH y[i] = 2 * x[i] + 0 * s; }", `{"instructions":5000}`, Hang, Correct, ""},
	{"limits", `KERNEL { EACH { y[i] = 2 * x[i]; printf("%d\n", i); } }`, `{"output":4096}`, OutputLimit, Correct, ""},
	{"launches", "__global__ void k(float *y, int n, const float *x) { EACH y[i] = 2 * x[i]; }", `[{"grid":["ceil(n, 256)"],"block":[256],"arguments":["y","n","x"]}]`, Correct, none, ""},
	{"launches", "KERNEL { unsigned blocks; asm(\"mov.u32 %0, %%cluster_nctarank;\" : \"=r\"(blocks)); EACH y[i] = blocks * x[i]; }", `[{"grid":[4],"block":[256],"cluster":[2]}]`, Correct, none, `"arch":"sm_90"`},
	{"launches", "#include <cooperative_groups.h>\n__device__ int arrived;\nKERNEL { if (threadIdx.x == 0) atomicAdd(&arrived, 1); cooperative_groups::this_grid().sync(); EACH y[i] = (arrived % 4 ? 3 : 2) * x[i]; }", `[{"grid":[4],"block":[256],"cooperative":true}]`, Correct, none, ""},
	{"arguments", "KERNEL { EACH y[i] = 2 * x[0]; }", `[{"name":"x","type":"f32","role":"input","shape":["n"],"data":{"fill":3}},{"name":"y","type":"f32","role":"output","shape":["n"]},{"name":"n","type":"i32","role":"scalar","value":"n"}]`, Correct, WrongOutput, ""},
	{"arguments", "KERNEL { EACH y[i] = x[max(i - 1, 0)] <= x[i] ? 2 * x[i] : 0; }", `[{"name":"x","type":"f32","role":"input","shape":["n"],"data":{"random":"uniform","low":-5,"high":5,"sorted":true}},{"name":"y","type":"f32","role":"output","shape":["n"]},{"name":"n","type":"i32","role":"scalar","value":"n"}]`, Correct, WrongOutput, ""},
	{"host", "KERNEL { EACH y[i] = 2 * x[i]; }\nnamespace mine { void run(float *y, const float *x) { k<<<4, 256>>>(x, y, 1000); } }", `{"function":"mine::run","arguments":["y","x"]}`, Correct, Correct, ""},
}

// line is the job, with the field or without.
func (c *fieldCase) line(t *testing.T, with bool) string {
	t.Helper()
	source := "#define KERNEL __global__ void k(const float *x, float *y, int n)\n#define EACH int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)\n" + c.source
	job := map[string]any{}
	add := func(fields string) {
		if err := json.Unmarshal([]byte("{"+fields+"}"), &job); err != nil {
			t.Fatal(c.field, err)
		}
	}
	add(`"version":1,"shapes":{"n":1000},` + fieldArguments + `,"launches":[{"grid":[4],"block":[256]}],"reference":{"source":"void reference(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }"}`)
	if job["source"] = source; c.job != "" {
		add(c.job)
	}
	if with {
		if add(quoted(c.field) + ":" + c.value); c.field == "host" {
			delete(job, "launches")
		}
	}
	line, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// TestFields: each field has its effect.
func TestFields(t *testing.T) {
	tooltest.NeedsClang(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.h"), []byte("#define FACTOR 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i := range fieldCases {
		lines = append(lines, fieldCases[i].line(t, true), fieldCases[i].line(t, false))
	}
	for i, v := range stream(t, newJudge(t), dir, lines...) {
		c, want := &fieldCases[i/2], fieldCases[i/2].with
		if i%2 == 1 {
			want = c.without
		}
		if v.Verdict != want && !(want == none && !v.Correct) {
			t.Errorf("%s (%v) %s: %s %v, want %s", c.field, i%2 == 0, c.source, v.Verdict, v.Reasons, want)
		}
	}
}

// TestFindingReasons: a finding of a rule that has no reason of its own, such as api, is a defect.
func TestFindingReasons(t *testing.T) {
	for f, want := range map[Finding]Reason{{Rule: "api"}: Defect, {Rule: "race"}: Race, {Rule: "hang"}: Hang, {Rule: "sync"}: MisusedBarrier, {Rule: "memory"}: InvalidAccess,
		{Rule: "memory", Kind: "out-of-bounds", Access: "read"}: ReadsOutside, {Rule: "memory", Kind: "out-of-bounds", Access: "write"}: WritesOutside, {Rule: "race", waits: true}: Hang} {
		if got := f.reason(); got != want {
			t.Errorf("%+v: %s, want %s", f, got, want)
		}
	}
}

// TestJudgeFailed: a failure of the judge says nothing about the candidate.
func TestJudgeFailed(t *testing.T) {
	tooltest.NeedsClang(t)
	j, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	j.pool.exe = filepath.Join(t.TempDir(), "gone")
	if v := stream(t, j, "", operators[0].line("x", vaddKernel, "")); v[0].Verdict != JudgeFailed {
		t.Errorf("%s %v", v[0].Verdict, v[0].Reasons)
	}
}

// TestEachIsTested: each field of a job, reason and cause is in a test of this package.
func TestEachIsTested(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, f := range append(files, "../../testdata/script/judge.txt") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	words := map[string]bool{}
	for _, w := range regexp.MustCompile(`\w+`).FindAllString(tests.String(), -1) {
		words[w] = true
	}
	for _, v := range []any{Job{}, Argument{}, Launch{}, HostFunction{}, Reference{}, Data{}, Tolerance{}, Limits{}} {
		for _, f := range fields(reflect.TypeOf(v)) {
			if !strings.Contains(tests.String(), `"`+f+`"`) && !strings.Contains(tests.String(), `\"`+f+`\"`) {
				t.Errorf("no test has the field %s of %T", f, v)
			}
		}
	}
	text, err := os.ReadFile("verdict.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+) +(?:Reason|Cause) += "`).FindAllSubmatch(text, -1) {
		names[string(m[1])] = true
	}
	if len(names) < 30 {
		t.Errorf("only %d reasons and causes", len(names))
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !words[name] {
			t.Errorf("no test wants %s", name)
		}
	}
}
