package fix

import (
	"context"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// slowProgram has bank conflicts and strided accesses. Only the memory that it writes is equal everywhere.
const slowProgram = `__global__ void turn(const float *in, float *out) {
  __shared__ float tile[32][32/*pad*/];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = /*value*/ tile[x][y];
}
__global__ void oblong(const float *in, float *out) {
  int row = threadIdx.x, col = threadIdx.y;
  if (col < 8) out[row * 8 + col] = in[row * 8 + col];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  turn<<<1, dim3(32, 32)>>>(a, b);
  oblong<<<1, dim3(32, 8)>>>(a, b);
  return cudaDeviceSynchronize();
}
`

// TestFixPerf: rows are padded; what is exchanged leaves out accesses, which shows although the values are equal.
// What does not hold is not offered, whatever is proposed.
func TestFixPerf(t *testing.T) {
	file := tidyFile(t, slowProgram)
	r, _, err := FixPerf(context.Background(), fixConfig(file), nil)
	if err != nil || len(r.Files) != 1 || strings.Replace(r.Files[0].After, "32/*pad*/ + 1]", "32/*pad*/]", 1) != slowProgram {
		t.Fatalf("%v, %+v", err, r)
	}
	for _, x := range r.Results {
		switch {
		case x.Outcome == repair.Fixed && x.Finding.Rule == "bank" && x.After.Passes < x.Before.Passes:
		case x.Outcome == repair.Open && x.Finding.Rule == "coalesce" && x.Tried[0].Cause == repair.ValidAccesses:
		default:
			t.Errorf("%+v", x)
		}
	}

	insert := func(what, mark, text string) *code.Patch {
		at := strings.Index(slowProgram, mark)
		edits := []code.Edit{{File: file, From: at, To: at + len(mark), Text: text}}
		return &code.Patch{Edits: edits, Inline: edits, What: what}
	}
	cases := []struct {
		patch *code.Patch
		cause repair.TrialCause
	}{
		{insert("what does not compile", "/*value*/", "nothing +"), repair.NotCompiled},
		{insert("what changes nothing", "/*value*/", ""), repair.NotCheaper},
		{insert("another result", "/*value*/", "1 +"), repair.OtherResult},
		{insert("fewer accesses", "tile[x][y]", "0"), repair.ValidAccesses},
		{insert("a race", "__syncthreads();", ""), repair.NewFinding},
		{insert("no write", "out[y * 32 + x] =", "float v ="), repair.NotWritten},
	}
	propose := func(_ *code.Program, f *finding.Finding) (out []*code.Patch) {
		for _, c := range cases {
			if f.Rule == "bank" {
				out = append(out, c.patch)
			}
		}
		return out
	}
	r, _, err = fixPerfWith(context.Background(), fixConfig(file), nil, propose)
	if err != nil || len(r.Files) > 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	for _, x := range r.Results {
		for i, tried := range x.Tried {
			if tried.Cause != cases[i].cause {
				t.Errorf("%s: %s, %s", tried.What, tried.Cause, tried.Why)
			}
		}
		if x.Finding.Rule == "bank" && len(x.Tried) != len(cases) {
			t.Errorf("%+v", x)
		}
	}
}

// fullProgram has a bank conflict in shared memory that has no room for padding.
const fullProgram = `__global__ void turn(const float *in, float *out) {
  __shared__ float tile[96][128];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = tile[x][y];
}
int main() {
  float *a, *b, host[1024];
  for (int i = 0; i < 1024; i++) host[i] = i;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMemcpy(a, host, 4096, cudaMemcpyHostToDevice);
  turn<<<1, dim3(32, 32)>>>(a, b);
  return cudaDeviceSynchronize();
}
`

// TestFixSwizzle: where padding does not hold, rows are swizzled.
func TestFixSwizzle(t *testing.T) {
	r, _, err := FixPerf(context.Background(), fixConfig(tidyFile(t, fullProgram)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Results {
		if x.Finding.Rule == "bank" && (x.Outcome != repair.Fixed || !strings.Contains(x.What, "swizzle the rows of tile") || x.After.Passes >= x.Before.Passes || x.Tried[0].Cause != repair.NewFinding) {
			t.Errorf("%+v", x)
		}
	}
	if len(r.Files) != 1 || !strings.Contains(r.Files[0].After, "out[y * 32 + x] = tile[x][y ^ (x & 31)];") {
		t.Errorf("%+v", r.Files)
	}
}

// structuresProgram has arrays of structures in shared memory: members of one are all that is used, the other one is copied as well.
const structuresProgram = `struct P { float x, y, z, w; };
__global__ void parts(float *out) {
  __shared__ P s[64];
  s[threadIdx.x].x = threadIdx.x;
  s[threadIdx.x].y = 1;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x].x + s[63 - threadIdx.x].y;
}
__global__ void wholes(float *out) {
  __shared__ P t[64];
  P own = {};
  t[threadIdx.x] = own;
  __syncthreads();
  out[threadIdx.x] = t[63 - threadIdx.x].x;
}
int main() {
  float *out;
  cudaMalloc(&out, 256);
  parts<<<1, 64>>>(out);
  wholes<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`

// TestFixSplit: the members of an array of structures become arrays, where nothing else of it is used.
func TestFixSplit(t *testing.T) {
	r, _, err := FixPerf(context.Background(), fixConfig(tidyFile(t, structuresProgram)), nil)
	if err != nil || len(r.Files) != 1 {
		t.Fatalf("%v %+v", err, r)
	}
	fixed := 0
	for _, x := range r.Results {
		switch line := x.Finding.Primary.Loc.Line; {
		case x.Outcome == repair.Fixed:
			if fixed++; x.After.Passes >= x.Before.Passes {
				t.Errorf("%+v", x)
			}
		case line < 9 && x.Outcome != repair.Gone, line > 9 && x.Outcome != repair.Manual:
			t.Errorf("line %d: %s", line, x.Outcome)
		}
	}
	after := r.Files[0].After
	for _, want := range []string{"  __shared__ float s_x[64];\n  __shared__ float s_y[64];\n", "s_x[63 - threadIdx.x] + s_y[63 - threadIdx.x]", "__shared__ P t[64];"} {
		if !strings.Contains(after, want) {
			t.Errorf("%q is missing in\n%s", want, after)
		}
	}
	if fixed != 1 {
		t.Errorf("%d patches", fixed)
	}
}
