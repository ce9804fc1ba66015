//go:build toolchains

package fix

import (
	"context"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/session"
)

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

// TestToolchainFixHost: copies to the device and waits of the host and of streams. Of the copies the one is taken with
// which the program succeeds, and of the waits the weakest that is enough.
func TestToolchainFixHost(t *testing.T) {
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
	if r.Exit != session.ExitClean || len(r.Files) != 1 || strings.Contains(r.Files[0].After, "other.data()") || strings.Contains(r.Files[0].After, "cudaDeviceSynchronize") {
		for _, x := range r.Results {
			t.Logf("%s %s: %+v", x.Outcome, x.What, x.Tried)
		}
		t.Errorf("%+v", r)
	}
}

// changedProgram has one thing wrong in each kernel or call: what removes it is in its comment.
const changedProgram = `__global__ void fill(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
__global__ void dynamic(int *a) {
  extern __shared__ int s[];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void wide(int *a) {
  int v = a[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_xor_sync(0xffffffff, v, 8);
  a[threadIdx.x] = v;
}
__global__ void narrow(int *a) {
  a[threadIdx.x] += __shfl_xor_sync(0xffff, a[threadIdx.x], 8); // __shfl_xor_sync(0xffffffff,
}
int main() {
  const int n = 100;
  int *a, *b;
  cudaMalloc(&a, 1024);
  cudaMalloc(&b, 1024);
  cudaMemset(a, 0, 1024);
  cudaMemset(b, 0, 1024);
  fill<<<n / 256, 256>>>(a, n); // <<<(n + 256 - 1) / 256, 256>>>
  dynamic<<<1, 128, 64 * sizeof(int)>>>(a); // <<<1, 128, 128 * sizeof(int)>>>
  wide<<<1, 32>>>(a);
  narrow<<<1, 32>>>(a);
  cudaFree(b);
  fill<<<1, 256>>>(b, n);
  return cudaDeviceSynchronize();
}
`

// TestToolchainFixLaunch: sizes of launches and arrays, masks, and what is freed too early.
func TestToolchainFixLaunch(t *testing.T) {
	r, _, err := Fix(context.Background(), fixConfig(tidyFile(t, changedProgram)), nil)
	if err != nil || len(r.Files) != 1 || r.Exit != session.ExitClean {
		t.Fatalf("%v, %+v", err, r)
	}
	after := r.Files[0].After
	for _, l := range strings.Split(changedProgram, "\n") {
		if _, want, ok := strings.Cut(l, " // "); ok && strings.Count(after, want) != 2 {
			t.Errorf("%s is not there", want)
		}
	}
	for _, want := range []string{"fill<<<1, 256>>>(b, n);\n  cudaFree(b);\n", "  unsigned lanes10 = __ballot_sync(0xffffffff, threadIdx.x < 16);\n  if (threadIdx.x < 16) v += __shfl_xor_sync(lanes10, v, 8);"} {
		if strings.Count(after, want) != 1 {
			t.Errorf("%q is not there once", want)
		}
	}
	if t.Failed() {
		t.Log(after)
	}
}
