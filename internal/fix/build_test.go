package fix

import (
	"bytes"
	"context"
	"debug/elf"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// sidesProgram has places in all kinds of functions: "/*device*/" where only the device executes what stands there, "/*host*/" where
// host code depends on it, and "/*both*/" where it may.
const sidesProgram = `#include <cstdio>
#include <vector>
template <class T> __host__ __device__ T twice(T x) { /*host*/ return x + x; }
static __device__ int total;
__device__ int plain(int n) {
  /*device*/ return n + total;
}
__device__ auto deduced(int n) {
  /*both*/ return n * 2l;
}
__device__ constexpr int folded(int n) {
  /*both*/ return n * 3;
}
template <class T> __device__ T scaled(T x) {
  for (int i = 0; i < 3; i++) {
    /*device*/ x += i;
  }
  return x;
}
struct Functor {
  int by;
  __device__ int operator()(int n) const {
    /*device*/ return n * by;
  }
  __host__ __device__ int both(int n) const {
    /*host*/ return n - by;
  }
};
template <int N, class F> __global__ void apply(int *out, F f) {
  __shared__ int s[N];
  int n = threadIdx.x;
  /*device*/ s[n] = f(plain(n));
  __syncthreads();
  /*device*/ out[n] = twice(s[n]) + folded(n) + int(deduced(n)) + scaled(n) + f.both(n);
}
__global__ void oneLine(int *out) { /*both*/ *out = 1; } int behind(int n) { /*host*/ return n + 1; }
namespace {
__global__ void hidden(int *out) {
  /*device*/ *out = scaled(2.5f);
}
}
static int helper(int n) {
  /*host*/ return twice(n);
}
int main() {
  int *out;
  /*host*/ cudaMalloc(&out, 1024);
  apply<32><<<1, 32>>>(out, Functor{2});
  auto lambda = [](int n) {
    /*host*/ return n + 5;
  };
  oneLine<<<1, 1>>>(out + behind(helper(lambda(1))));
  hidden<<<1, 1>>>(out + Functor{3}.both(7));
  return cudaDeviceSynchronize();
}
`

// TestHostSide: where only the device executes what a patch changes, the host object stays the same byte for byte, but for the module in
// it; other patches compile host code anew.
func TestHostSide(t *testing.T) {
	tooltest.NeedsClang(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "a.cu")
	if err := os.WriteFile(file, []byte(sidesProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{file: []byte(sidesProgram)}
	tc, err := clang.Find("")
	if err != nil {
		t.Fatal(err)
	}
	r, err := tc.Reader(clang.Options{Sources: []string{file}, WorkDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var p *code.Program
	if err := r.Tree(t.Context(), nil, func(tree io.Reader) (err error) {
		p, err = code.Read(texts, tree)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	patch := func(at int, text string) *code.Patch {
		edits := []code.Edit{{File: file, From: at, To: at, Text: text}}
		return &code.Patch{Edits: edits, Inline: edits}
	}
	const more = "{ volatile int more = 3; (void)more; } "
	before := hostSections(t, tc, file, nil)
	var device []*code.Patch
	for mark, kept := range map[string]bool{"/*device*/": false, "/*host*/": true, "/*both*/": true} {
		for at := 0; ; {
			n := strings.Index(sidesProgram[at:], mark)
			if n < 0 {
				break
			}
			at += n + len(mark)
			added := patch(at, more)
			line := strings.Count(sidesProgram[:at], "\n") + 1
			if left := memory.HostSide([]*code.Program{p}, []*code.Patch{added}); len(left) > 0 != kept {
				t.Errorf("line %d: host code depends on it: %t", line, !kept)
			}
			switch mark {
			case "/*device*/":
				device = append(device, added)
				for _, text := range []string{"static int kept; ", "hidden<<<1, 1>>>(0); ", "\n#define A\n"} {
					if len(memory.HostSide([]*code.Program{p}, []*code.Patch{patch(at, text)})) == 0 {
						t.Errorf("line %d: %q is taken for device code alone", line, text)
					}
				}
			case "/*host*/":
				if same(before, hostSections(t, tc, file, code.Apply(texts, []*code.Patch{added}, true))) {
					t.Errorf("line %d: the host object does not depend on it", line)
				}
			}
		}
	}
	after := hostSections(t, tc, file, code.Apply(texts, device, true))
	for name, b := range before {
		if !bytes.Equal(b, after[name]) {
			t.Errorf("section %s differs", name)
		}
	}
	if len(device) < 5 || len(after) != len(before) {
		t.Errorf("%d places, %d sections of %d", len(device), len(after), len(before))
	}
}

func same(a, b map[string][]byte) bool {
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			return false
		}
	}
	return len(a) == len(b)
}

// hostSections are the sections of a source's host object, but for that of the device code.
func hostSections(t *testing.T, tc *clang.Toolchain, file string, replaced map[string][]byte) map[string][]byte {
	t.Helper()
	c, err := nvcc.Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	flags := clang.FlagsOf(c)
	flags.Arch, flags.Opt = "sm_80", "2"
	tc.Settle(&flags)
	p, err := tc.Compile(context.Background(), clang.Unit{Source: file, Lang: nvcc.CUDA, Flags: flags, SM: 80, TellUnread: true, Replaced: replaced})
	if err != nil {
		t.Fatal(err)
	}
	object, err := elf.NewFile(bytes.NewReader(p.Object))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, s := range object.Sections {
		if s.Type == elf.SHT_NULL || s.Type == elf.SHT_NOBITS || s.Name == ".nv_fatbin" {
			continue
		}
		if out[s.Name], err = s.Data(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
