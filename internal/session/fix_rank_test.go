package session

import (
	"context"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/repair"
)

// TestPreferred: which of two patches that hold is taken.
func TestPreferred(t *testing.T) {
	left := func(n int) map[string]bool {
		m := map[string]bool{}
		for i := range n {
			m[string(rune('a'+i))] = true
		}
		return m
	}
	for i, c := range []struct{ better, worse trialRun }{
		{trialRun{left: left(0), changed: []string{"x"}}, trialRun{left: left(1), succeeds: true}},
		{trialRun{succeeds: true, changed: []string{"x"}}, trialRun{}},
		{trialRun{}, trialRun{changed: []string{"x"}}},
		{trialRun{changed: []string{"x"}}, trialRun{changed: []string{"x"}, inexact: true, valid: 9}},
		{trialRun{inexact: true, valid: 9}, trialRun{inexact: true, valid: 8}},
	} {
		for _, pair := range [][2]*trialRun{{&c.better, &c.worse}, {&c.worse, &c.better}} {
			if taken, other, why := preferred(pair[0], pair[1]); taken != &c.better || other != &c.worse || why != ranks[i].why {
				t.Errorf("case %d: %+v is taken before %+v: %s", i, *taken, *other, why)
			}
		}
	}
	a, b := &trialRun{}, &trialRun{}
	if taken, _, _ := preferred(a, b); taken != a {
		t.Error("of two that are as good the second is taken")
	}
}

// copiedProgram forgets a copy to the device, and notices it; and it does not wait for work in streams.
const copiedProgram = `#include <cstdio>
#include <vector>
#define CHECK(call) do { cudaError_t e = (call); if (e) return 2; } while (0)
__global__ void twice(const int *a, int *b, int n) { if (threadIdx.x < n) b[threadIdx.x] = a[threadIdx.x] == 3 ? 6 : 5; }
int main() {
  const int n = 32;
  std::vector<int> other(n, 7), input(n, 3), output(n);
  int *a, *b, *host;
  cudaStream_t s, t;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&a, n * sizeof(int))); // cudaMemcpy(a, input.data()
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(cudaMallocHost(&host, n * sizeof(int)));
  twice<<<1, n>>>(a, b, n);
  CHECK(cudaMemcpy(output.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost));
  twice<<<1, n, 0, s>>>(b, b, n);
  twice<<<1, n, 0, t>>>(b, b, n); // cudaStreamWaitEvent(t,
  CHECK(cudaStreamSynchronize(t));
  CHECK(cudaMemcpyAsync(host, b, n * sizeof(int), cudaMemcpyDeviceToHost, s));
  if (host[0] == 1) return 3; // cudaStreamSynchronize(s)
  return output[0] != 6;
}
`

// TestFixHost: copies to the device and waits of the host and of streams. Of the copies the one is taken with
// which the program succeeds, and of the waits the weakest that is enough.
func TestFixHost(t *testing.T) {
	file := tidyFile(t, copiedProgram)
	r, _, err := Fix(context.Background(), fixConfig(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cudaMemcpy(a, input.data()", "cudaStreamWaitEvent(t, ", "cudaStreamSynchronize(s)"} {
		found := false
		for _, x := range r.Results {
			found = found || x.Outcome == repair.Fixed && strings.Contains(x.What, want)
		}
		if !found {
			t.Errorf("no patch has %s", want)
		}
	}
	if r.Exit != ExitClean || len(r.Files) != 1 || strings.Contains(r.Files[0].After, "other.data()") || strings.Contains(r.Files[0].After, "cudaDeviceSynchronize") {
		for _, x := range r.Results {
			t.Logf("%s %s: %+v", x.Outcome, x.What, x.Tried)
		}
		t.Errorf("%+v", r)
	}
}
