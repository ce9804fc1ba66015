package judge

import (
	"encoding/json"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// handedOn is a sum of parts that kernels have computed and the host reads in one copy.
const handedOn = "int *p = room(17), h[17]; cudaMemset(p, 0, 68); for (int k = 0; k < 16; k++) total<<<1, 64>>>(a + 64 * k, p + k, std::min(64, n - 64 * k)); cudaMemcpy(h, p, sizeof *p * COUNT, cudaMemcpyDeviceToHost);" +
	" clear<<<1, 1>>>(out); for (int k = 0; k < COUNT; k++) more<<<1, 1>>>(out, h[k]);"

// bounds are programs on both sides of the bounds of docs/JUDGE.md: a sixteenth of what an output says, copies of 64 bytes, and
// 256 MiB of followed memory.
var bounds = []whole{
	{"a fiftieth is the host's", "add", "ints r = wanted; add<<<4, 256>>>(a, b, out, n); for (int i = 0; i < n; i += 50) set<<<1, 1>>>(out, i, r[i]);", "", ""},
	{"an eighth is the host's", "add", "ints r = wanted; add<<<4, 256>>>(a, b, out, n); for (int i = 0; i < n; i += 8) set<<<1, 1>>>(out, i, r[i]);", Suspect, HostData},
	{"64 bytes handed on", "sum", "enum { COUNT = 16 }; " + handedOn, "", ""},
	{"68 bytes handed on", "sum", "enum { COUNT = 17 }; " + handedOn, Suspect, HostData},
	{"much memory", "add", "char *m; cudaMallocManaged(&m, 300u << 20); cudaMemset(m, 0, 300u << 20); add<<<4, 256>>>(a, b, out, n);", Suspect, NotFollowed},
}

// TestEndlessAndRacy: a loop without an end whose eight warps all race is a hang, although checking it takes longer than the limit.
func TestEndlessAndRacy(t *testing.T) {
	tooltest.NeedsClang(t)
	const source = "__global__ void k(const float *a, const float *b, float *out, int n) { for (int i = 0; ; i = (i + 1) % n) out[i] = a[i] + threadIdx.x; }"
	const limits = `"limits":{"seconds":1}`
	line := operators[0].line("endless and racy", source, limits)
	var job map[string]any
	if err := json.Unmarshal([]byte(operators[0].line("endless and racy, with host code", source+"\nvoid run(const float *a, const float *b, float *out, int n) { k<<<4, 256>>>(a, b, out, n); }", limits)), &job); err != nil {
		t.Fatal(err)
	}
	delete(job, "launches")
	job["host"] = map[string]any{"function": "run"}
	host, _ := json.Marshal(job)
	check(t, []candidate{{"endless and racy", line, []Reason{Hang}}, {"with host code", string(host), []Reason{Hang}}}, stream(t, newJudge(t), "", line, string(host)))
}
