package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) {
	Enter()
	code := tooltest.Main(m)
	if shared != nil {
		shared.Close()
	}
	os.Exit(code)
}

// shared is the judge of tests that need none of their own.
var shared *Judge

// store is a way to write an element, with what else a candidate does and the verdict.
type store struct {
	name, before, prologue, store string
	want                          []Reason
	// floats and blocks are set if the output must be of floats, and there must be several blocks.
	floats, blocks bool
	job            string // fields of the job, JSON
}

const plainStore = "out[i] = (v)"

// stores are candidates for each operator: those that do not compute what is asked, and those
// that cheat.
var stores = []store{
	{name: "right", store: plainStore, want: []Reason{Correct}},
	{name: "factor", store: "out[i] = (v) * 3 + 1", want: []Reason{WrongOutput}},
	{name: "one element", store: "out[i] = (i) == 5 ? (v) + 1 : (v)", want: []Reason{WrongOutput}},
	{name: "some left out", store: "if ((i) % 7 != 3) out[i] = (v)", want: []Reason{UnwrittenOutput}},
	{name: "returns at once", prologue: "return;", store: plainStore, want: []Reason{UnwrittenOutput}},
	{name: "constant", store: "(void)(v); out[i] = 1", want: []Reason{ConstantOutput}},
	{name: "half", before: "#include <cuda_fp16.h>\n", store: "out[i] = __half2float(__float2half(v))", want: []Reason{WrongPrecision}, floats: true},
	{name: "bfloat16", before: "#include <cuda_bf16.h>\n", store: "out[i] = __bfloat162float(__float2bfloat16(v))", want: []Reason{WrongPrecision}, floats: true},
	{name: "past the end", store: "out[i] = (v); if ((i) == 0) out[OUTPUTS] = 0", want: []Reason{WritesOutside}},
	{name: "before the start", store: "out[i] = (v); if ((i) == 0) out[-1] = 0", want: []Reason{WritesOutside}},
	{name: "wild write", store: "out[i] = (v); if ((i) == 0) *(volatile int *)0x7f0012345678 = 1", want: []Reason{WritesOutside}},
	{name: "searches memory", store: "out[i] = (v); if ((i) == 0) for (int far = 1; far < 4096; far++) if (out[OUTPUTS + far * 64] == 123) out[0] = 0", want: []Reason{ReadsOutside}},
	{name: "remembers", before: "__device__ float old[4096]; __device__ int seen[4096];\n", store: "out[i] = seen[i] ? old[i] : (v); old[i] = out[i]; seen[i] = 1", want: []Reason{Stateful}},
	{name: "first block first", before: "__device__ unsigned ticket;\n", store: "out[i] = unlucky ? (v) + 1 : (v)", want: []Reason{Nondeterministic}, blocks: true,
		prologue: "__shared__ int unlucky; int block = blockIdx.x + gridDim.x * blockIdx.y, blocks = gridDim.x * gridDim.y; if (threadIdx.x == 0 && threadIdx.y == 0) { unsigned t = atomicAdd(&ticket, 1); unlucky = block == 0 && t % blocks != 0; } __syncthreads();"},
	{name: "races", prologue: "__shared__ int last; last = threadIdx.x;", store: "out[i] = (v) + 0 * last", want: []Reason{Race}},
	{name: "reads its output", store: "out[i] += (v)", want: []Reason{Uninitialized}},
	{name: "barrier for some", prologue: "if (threadIdx.x % 2) __syncthreads();", store: plainStore, want: []Reason{MisusedBarrier, Hang}},
	{name: "spins", store: "out[i] = (v); if ((i) == 3) { volatile int spin = 1; while (spin); }", want: []Reason{Hang}},
	{name: "lock", before: "__device__ int lock;\n", prologue: "while (atomicCAS(&lock, 0, 1) != 0);", store: plainStore, want: []Reason{Hang}},
	{name: "trap", store: "out[i] = (v); if ((i) == 3) __trap()", want: []Reason{Trap}},
	{name: "prints", prologue: `for (int r = 0; r < 50; r++) printf("%d %d %d\n", threadIdx.x, blockIdx.x, r);`, store: plainStore, want: []Reason{OutputLimit}, job: `"limits":{"output":32768}`},
}

// candidate is a job with the verdicts that are right.
type candidate struct {
	name string
	line string
	want []Reason
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// source is the candidate's, with a body and a way to store.
func (o *operator) source(body string, s *store) string {
	return fmt.Sprintf("#define OUTPUTS (%s)\n#define STORE(i, v) do { %s; } while (0)\n%s__global__ void k(%s) {\n%s\n%s\n}\n", o.outputs, s.store, s.before, o.params, s.prologue, body)
}

// line is the job.
func (o *operator) line(id, source, more string) string {
	shapes, _ := json.Marshal(o.shapes)
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"version":1,"id":%s,"source":%s,"shapes":%s,"arguments":%s,"launches":%s,"reference":{"source":%s}%s}`,
		quoted(id), quoted(source), shapes, flat(o.arguments), o.launches, quoted(o.reference), more)
}

// flat is JSON without line breaks.
func flat(s string) string { return strings.NewReplacer("\n", " ", "\t", " ").Replace(s) }

func candidates() (list []candidate) {
	for i := range operators {
		o := &operators[i]
		for k := range stores {
			s := &stores[k]
			if s.floats && o.integer || s.blocks && o.oneBlock {
				continue
			}
			id := o.name + ", " + s.name
			list = append(list, candidate{id, o.line(id, o.source(o.body, s), s.job), s.want})
		}
		for _, name := range slices.Sorted(maps.Keys(o.others)) {
			v := o.others[name]
			id := o.name + ": " + name
			list = append(list, candidate{id, o.line(id, o.source(v.body, &stores[0]), ""), v.want})
		}
	}
	return list
}

// newJudge returns the judge that tests share.
func newJudge(t testing.TB) *Judge {
	t.Helper()
	if shared == nil {
		var err error
		if shared, err = New(Config{Workers: 2}); err != nil {
			t.Fatal(err)
		}
	}
	return shared
}

// stream judges lines.
func stream(t testing.TB, j *Judge, folder string, lines ...string) []*Verdict {
	t.Helper()
	var out bytes.Buffer
	if _, _, err := j.Stream(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &out, folder); err != nil {
		t.Fatal(err)
	}
	var list []*Verdict
	for d := json.NewDecoder(&out); d.More(); {
		v := &Verdict{}
		if err := d.Decode(v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	if len(list) != len(lines) {
		t.Fatalf("%d verdicts for %d jobs", len(list), len(lines))
	}
	return list
}

// cpuTime is the processor time of this process and of those that it has waited for.
func cpuTime() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

func check(t *testing.T, list []candidate, verdicts []*Verdict) {
	t.Helper()
	for i, c := range list {
		if v := verdicts[i]; v.Job != i || !slices.Contains(c.want, v.Verdict) {
			text, _ := json.Marshal(v)
			t.Errorf("%s: verdict %s, want %v\n%s", c.name, v.Verdict, c.want, text)
		}
	}
}

// TestCandidates judges candidates whose verdicts are known: more than 200 in the long tests.
func TestCandidates(t *testing.T) {
	tooltest.NeedsClang(t)
	var list []candidate
	for i, c := range candidates() {
		if tooltest.Sampled(i, 40) {
			list = append(list, c)
		}
	}
	var lines []string
	for _, c := range list {
		lines = append(lines, c.line)
	}
	j := newJudge(t)
	began, cpu := time.Now(), cpuTime()
	check(t, list, stream(t, j, "", lines...))
	t.Logf("%d candidates, %.2f a second, %v of processor time each", len(list), float64(len(list))/time.Since(began).Seconds(), (cpuTime()-cpu)/time.Duration(len(list)))
}

// TestDeviceMemory gives jobs three buffers of 20 MB: device memory follows limits.memory.
func TestDeviceMemory(t *testing.T) {
	tooltest.NeedsClang(t)
	const job = `{"version":1,"ptx":".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 o) { .reg .u64 %%a; ld.param.u64 %%a, [o]; cvta.to.global.u64 %%a, %%a; st.global.u32 [%%a], 1; ret; }",
"arguments":[{"name":"a","type":"f32","role":"scratch","shape":[5000000]},{"name":"b","type":"f32","role":"scratch","shape":[5000000]},{"name":"o","type":"i32","role":"inout","shape":[5000000],"data":{"fill":1}}],
"launches":[{"grid":[1],"block":[1]}],"calls":1,"schedules":1,"limits":{"memory":%d},"reference":{"expected":{"o":{"fill":1}}}}`
	line := func(memory int) string { return strings.ReplaceAll(fmt.Sprintf(job, memory), "\n", "") }
	list := []candidate{{"fits", line(2 << 30), []Reason{Correct}}, {"does not fit", line(50 << 20), []Reason{MemoryLimit}}}
	check(t, list, stream(t, newJudge(t), "", list[0].line, list[1].line))
}
