package fix

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/repair"
)

// hostPrograms misuse what the host calls: their comments are parts of what the patches say, "none" where no patch may hold:
// make returns what it allocates, so it cannot free that at its end.
var hostPrograms = []string{`__global__ void use(float *p) { p[threadIdx.x] = 1; }
__global__ void large(float *p) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
  p[threadIdx.x] = s[threadIdx.x];
}
static float *make() {
  float *p;
  cudaMalloc(&p, 128); // none
  return p;
}
static float *work;
static void prepare() {
  cudaMalloc(&work, 128); // free work: add cudaFree(work) before line 31
}
int main() {
  const int n = 32;
  float host[n], *d, *few, *lost;
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&few, n);
  cudaMalloc(&lost, n * sizeof(float)); // free lost
  use<<<1, n>>>(lost);
  use<<<1, n>>>(d);
  cudaMemcpy(host, d, sizeof(host), cudaMemcpyHostToDevice); // write cudaMemcpyDeviceToHost
  cudaMemcpy(few, host, n * sizeof(float), cudaMemcpyHostToDevice); // write n * sizeof(float) for n
  large<<<1, n, 50000>>>(d); // add cudaFuncSetAttribute
  use<<<1, n>>>(make());
  prepare();
  cudaFree(few);
  cudaFree(d);
  return 0;
}
`, `__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *d, i = 0;
  cudaMalloc(&d, 128);
  fill<<<1, 32>>>(d);
  while (d[i] < 9) i++; // allocate d as managed memory in line 4, add cudaStreamSynchronize(0) before line 6
  cudaFree(d);
  return i - 9;
}
`, `#include <cstdlib>
#include <cstring>
__global__ void late(float *p, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  p[i] = 1;
  __syncthreads();
  p[i] += 1;
}
int main(int argc, char **) {
  float host[32], more[64], *d;
  cudaMalloc(&d, 128);
  late<<<1, 64>>>(d, 20);
  cudaMemcpy(more, d, sizeof(more), cudaMemcpyDeviceToHost); // write 128 for sizeof(more)
  cudaMemset(&d, 0, 4); // write d for &d
  memcpy(host, d, argc * 64); // cudaMemcpyDefault) for memcpy(host, d, argc * 64) in line 16, copy d[3] between
  host[1] = d[3];
  cudaFree(d);
  if (host[0] + host[1] > 3) abort();
  return 0;
}
`}

// TestFixHost: copies, allocations, attributes and accesses of the host.
func TestFixHost(t *testing.T) {
	for i, text := range hostPrograms {
		t.Run(fmt.Sprint(i), func(t *testing.T) { fixesAsMarked(t, text, "") })
	}
}

// fixesAsMarked repairs a program, in which comments are parts of what the patches say, "none" where none may hold.
func fixesAsMarked(t *testing.T, text, arch string) {
	t.Helper()
	cfg := fixConfig(tidyFile(t, text))
	cfg.Arch = arch
	cfg.LeakCheck = "full"
	r, _, err := Fix(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text, "\n")
	seen := map[int]bool{}
	for _, x := range r.Results {
		line := x.Finding.Primary.Loc.Line
		if line == 0 { // memory of malloc in device code
			if x.Outcome != repair.Fixed {
				t.Errorf("%s: %s: %+v", x.Finding.Message, x.Outcome, x.Tried)
			}
			continue
		}
		_, want, ok := strings.Cut(lines[line-1], "// ")
		if seen[line] = true; x.Outcome == repair.Gone {
			continue
		}
		if fixed := x.Outcome == repair.Fixed; !ok || fixed != (want != "none") || fixed && !strings.Contains(x.What, want) {
			t.Errorf("line %d: %s: %s: %s %+v", line, x.Finding.Message, x.Outcome, x.What, x.Tried)
		}
	}
	for i, l := range lines {
		if strings.Contains(l, "// ") && !seen[i+1] {
			t.Errorf("line %d: nothing was found", i+1)
		}
	}
}

// returnedProgram has threads that leave before a barrier, which architectures before sm_70 wait for.
const returnedProgram = `__global__ void late(float *p, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  p[i] = 1;
  __syncthreads(); // let threads that return in line 3 come to the barriers after it
  p[i] += 1;
}
int main() {
  float *d;
  cudaMalloc(&d, 256);
  late<<<1, 64>>>(d, 20);
  cudaFree(d);
  return 0;
}
`

func TestFixReturned(t *testing.T) { fixesAsMarked(t, returnedProgram, "sm_60") }
