package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// productionProgram has arrays of 12 GiB, whose elements no 32-bit index can name.
const productionProgram = `#include <cstdlib>
__global__ void scale(float *p, const float *q, INDEX rows, INDEX columns) {
  INDEX r = blockIdx.x, c = threadIdx.x;
  if (r < rows && c < columns) p[r * columns + c] = q[c];
}
__global__ void check(const float *p, int *wrong, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n && p[i] != 0) atomicAdd(wrong, 1);
}
int main() {
  size_t rows = 3 << 20, columns = 1024;
  float *p, *q;
  int *wrong, w;
  if (cudaMalloc(&p, rows * columns * sizeof(float))) return 2;
  cudaMalloc(&q, columns * sizeof(float));
  cudaMalloc(&wrong, sizeof(int));
  cudaMemset(p, 0, rows * columns * sizeof(float));
  cudaMemset(q, 0, columns * sizeof(float));
  cudaMemset(wrong, 0, sizeof(int));
  scale<<<rows, columns>>>(p, q, rows, columns);
  check<<<rows, columns>>>(p, wrong, rows * columns);
  cudaMemcpy(&w, wrong, sizeof w, cudaMemcpyDeviceToHost);
  cudaFree(p);
  cudaFree(q);
  cudaFree(wrong);
  return w;
}
`

// passedProgram reads what every block of an earlier launch has written, and ends with a failure where one was skipped.
const passedProgram = `#include <cstdio>
__global__ void fill(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void sum(const int *p, int *s, int n) {
  int t = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) t += p[i];
  atomicAdd(s, t);
}
__global__ void waits(volatile int *flag) {
  if (blockIdx.x == 1) *flag = 1;
  if (blockIdx.x == 0) while (!*flag) { }
}
int main(int argc, char **) {
  int *p, *s, h, n = 64 * 128;
#ifdef MEMORY
  size_t left, all;
  cudaMemGetInfo(&left, &all);
  if (all >> 30 != MEMORY) return 9;
#endif
  cudaMalloc(&p, n * sizeof(int));
  cudaMalloc(&s, sizeof(int));
  cudaMemset(s, 0, sizeof(int));
  if (argc > 1) {
    waits<<<2, 1>>>(s);
    return cudaDeviceSynchronize();
  }
  fill<<<64, 128>>>(p);
  sum<<<1, 128>>>(p, s, n);
  cudaMemcpy(&h, s, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
#ifndef KEEP
  cudaFree(p);
  cudaFree(s);
#endif
#ifdef PASS
  return 0;
#endif
  return h != n;
}
`

// indexedProgram scatters by a permutation that every block of an earlier launch has written a part of.
const indexedProgram = `__global__ void permute(int *t) {
  int i = blockIdx.x * 32 + threadIdx.x;
  t[i] = i * 7 % 2048;
}
__global__ void scatter(const int *t, int *out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  out[t[(i + 500) % 2048]] = i;
}
int main() {
  int *t, *out;
  cudaMalloc(&t, 2048 * sizeof(int));
  cudaMalloc(&out, 2048 * sizeof(int));
  permute<<<64, 32>>>(t);
  scatter<<<64, 32>>>(t, out);
  return cudaDeviceSynchronize();
}
`

// TestOnlyBlocks: errors at sizes that the machine does not have are found by a few blocks, and what skipped blocks leave undone
// is no finding.
func TestOnlyBlocks(t *testing.T) {
	tooltest.NeedsClang(t)
	bin, dir := tooltest.Tool(t), t.TempDir()
	large, passed, indexed := filepath.Join(dir, "large.cu"), filepath.Join(dir, "passed.cu"), filepath.Join(dir, "indexed.cu")
	for name, text := range map[string]string{large: productionProgram, passed: passedProgram, indexed: indexedProgram} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   []string
	}{
		{"wraps", []string{"--only-blocks", "first,last,1/100000", "-D", "INDEX=int", large}, 1, []string{"the computation of the index overflows", "executed 33 of 3145728 blocks"}},
		{"in 64 bits", []string{"--only-blocks", "first,last,1/100000", "-D", "INDEX=size_t", large}, 0, []string{"executed 66 of 6291456 blocks", "0 findings"}},
		{"smaller device", []string{"--device-memory", "8G", "-D", "INDEX=size_t", large}, 3, []string{"exit code 2"}},
		{"written by others", []string{"--only-blocks", "first", passed}, 0, []string{"executed 2 of 65 blocks", "the program ended with exit code 1, which blocks that were not executed may explain", "0 findings"}},
		{"gives up", []string{"--only-blocks", "first", "--leak-check", "full", "-D", "KEEP", passed}, 0, []string{"exit code 1, which blocks that were not executed may explain", "0 findings"}},
		{"leaks", []string{"--only-blocks", "0-63", "--leak-check", "full", "-D", "KEEP", passed}, 1, []string{"error[memory]: 32768 bytes"}},
		{"succeeds and leaks", []string{"--only-blocks", "first", "--leak-check", "full", "-D", "KEEP", "-D", "PASS", passed}, 1, []string{"executed 2 of 65 blocks", "are not freed"}},
		{"indices of skipped ones", []string{"--only-blocks", "first,last", indexed}, 1, []string{"two writes to element 0 of the memory", "blocks of earlier launches were not executed, from launch 0 on: an index that they would have written may explain it"}},
		{"ranges", []string{"--only-blocks", "2-4, 60-70,3", passed}, 0, []string{"executed 8 of 65 blocks"}},
		{"waits for a skipped one", []string{"--only-blocks", "0", "--max-steps", "100000", passed, "--", "x"}, 0, []string{"warning[hang]", "one of the blocks that were not executed (1) may be what it waits for"}},
		{"no list", []string{"--only-blocks", "4-2", passed}, 2, []string{`--only-blocks "4-2": want first, last, numbers, ranges or 1/N`}},
		{"too much", []string{"--device-memory", "4000G", passed}, 2, []string{"--device-memory 4000G: at most", "for all GPUs together, and there are 1"}},
		{"each has its product's", []string{"--devices", "8", "-D", "MEMORY=80", passed}, 0, []string{"0 findings"}},
		{"cut", []string{"--devices", "8", "--arch", "sm_100", "-D", "MEMORY=96", passed}, 0, []string{"the memory of each GPU is 96.0 GiB, not the 192.0 GiB of a product of sm_100: there are addresses for 768.0 GiB"}},
		{"too much for several", []string{"--device-memory", "500G", "--devices", "2", passed}, 2, []string{"--device-memory 500G: at most", "there are 2"}},
		{"no size", []string{"--device-memory", "0", passed}, 2, []string{"want a size such as 500M or 80G"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(bin, append([]string{"run"}, c.args...)...)
			out, _ := cmd.CombinedOutput()
			text := strings.Join(strings.Fields(string(out)), " ")
			if status := cmd.ProcessState.ExitCode(); status != c.status {
				t.Errorf("exit code %d, want %d", status, c.status)
			}
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("no %q", w)
				}
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// TestMergedChoices: a merged report has what its runs left out.
func TestMergedChoices(t *testing.T) {
	t.Parallel()
	tooltest.NeedsClang(t)
	bin, dir := tooltest.Tool(t), t.TempDir()
	app, whole, saved := filepath.Join(dir, "app.cu"), filepath.Join(dir, "whole.json"), filepath.Join(dir, "saved.json")
	if err := os.WriteFile(app, []byte(passedProgram), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(bin, "run", "-q", "--save", whole, app).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range []struct{ option, want string }{
		{"--only-blocks=first", "63 blocks were not executed (--only-blocks)"},
		{"--sample=1/4", "blocks were not checked (--sample)"},
		{"--launch-skip=1", "1 launch was not checked"},
		{"--kernel=sum", "1 launch was not checked"},
	} {
		_ = exec.Command(bin, "run", "-q", "--save", saved, c.option, app).Run() // with other results the program fails
		out, _ := exec.Command(bin, "report", "--merge", whole, saved).CombinedOutput()
		if text := strings.Join(strings.Fields(string(out)), " "); !strings.Contains(text, c.want) {
			t.Errorf("%s: no %q in\n%s", c.option, c.want, out)
		}
	}
}
