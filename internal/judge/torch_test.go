package judge

import (
	"encoding/json"
	"testing"

	"github.com/warpgrind/warpgrind/internal/nvrtc"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

const (
	tensorRun = "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { auto out = torch::empty_like(a); "
	tensorAdd = "add<<<4, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n); return out; }"
)

// tensorCandidates use PyTorch's interface; each returns a + b unless it is wrong.
var tensorCandidates = []struct {
	name, source string
	want         Reason
}{
	{"deprecated type", tensorRun + "TORCH_CHECK(a.type().is_cuda(), \"want CUDA\"); AT_DISPATCH_FLOATING_TYPES_AND_HALF(a.type(), \"run\", ([&] { addAny<<<4, 256>>>(a.data_ptr<scalar_t>(), b.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n); })); return out; }", Correct},
	{"dispatch of three more types", tensorRun + "AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, a.scalar_type(), \"run\", [&] { addAny<<<4, 256>>>(a.data_ptr<scalar_t>(), b.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n); }); return out; }", Correct},
	{"elementwise", "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { auto c = torch::mul(a, 2); c.add_(b, 2); return at::relu(c.div(2.0)) - torch::relu(-(a + b)) ; }", Correct},
	{"views and types", "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { auto two = torch::full({2, n}, 0.0, a.options()); two[0].copy_(a); two[1].copy_(b); auto t = two.to(torch::kDouble).t().contiguous(); return (t.select(1, 0) + t.narrow(1, 1, 1).squeeze(1)).to(a.dtype()); }", Correct},
	{"accessors", "__global__ void acc(torch::PackedTensorAccessor32<float, 1, torch::RestrictPtrTraits> a, at::PackedTensorAccessor64<float, 1> b, at::PackedTensorAccessor32<float, 2> out) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < a.size(0)) out[0][i] = a[i] + b[i]; }\ntorch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { auto out = torch::empty({1, n}, a.options()); acc<<<4, 256>>>(a.packed_accessor32<float, 1, torch::RestrictPtrTraits>(), b.packed_accessor64<float, 1>(), out.packed_accessor32<float, 2>()); return out.view({n}); }", Correct},
	{"item", tensorRun + "auto two = torch::full({1}, 2); TORCH_CHECK_EQ(torch::ones({1}, a.options()).item<float>() + two.item().toInt(), 3); " + tensorAdd, Correct},
	{"memory format", tensorRun + "a = a.contiguous(at::MemoryFormat::Contiguous); TORCH_CHECK(a.is_contiguous(a.suggest_memory_format()) && !a.is_contiguous(torch::MemoryFormat::ChannelsLast)); " + tensorAdd, Correct},
	{"math header", "#include <c10/cuda/CUDAMathCompat.h>\n__global__ void m(const float *a, const float *b, float *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = c10::cuda::compat::max(a[i] + b[i], -9.0f); }\n" + tensorRun + "m<<<4, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n); return out; }", Correct},
	{"cublas handle", "#include <ATen/cuda/CUDAContext.h>\n" + tensorRun + "out.copy_(b); float one = 1; cublasSaxpy(at::cuda::getCurrentCUDABlasHandle(), n, &one, a.data_ptr<float>(), 1, out.data_ptr<float>(), 1); return out; }", Unsupported}, // cuBLAS compiles its kernels when they are called, and there is no compiler
	{"own function of an operator's name", "torch::Tensor softmax(torch::Tensor a, int64_t b) { return a; }\n" + tensorRun + "a = softmax(a, 1); " + tensorAdd, Correct},
	{"operator that is not called", tensorRun + "if (n < 0) a = torch::matmul(a, b).sum(0); " + tensorAdd, Correct},
	{"absent function", "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { return torch::cumsum(a, 0) + b; }", Unsupported},
	{"absent method", "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { auto [v, i] = a.sort(0); float m = a.mean().item<float>(); return v.softmax(0); }", Unsupported},
	{"absent method that is caught", "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { try { a.sum(); } catch (...) {} return a; }", Unsupported},
	{"absent name", "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { torch::nn::Linear l(n, n); return l(a); }", Unsupported},
	{"absent macro", tensorRun + "TORCH_NOT_HERE(a); " + tensorAdd, Unsupported},
	{"absent header", "#include <ATen/native/cuda/Loops.cuh>\n" + tensorRun + tensorAdd, Unsupported},
	{"absent name of its own", tensorRun + "helper(a); " + tensorAdd, CompileError},
	{"absent header of its own", "#include \"mine.h\"\n" + tensorRun + tensorAdd, CompileError},
	{"method that PyTorch lacks", tensorRun + "a.sizess(); " + tensorAdd, CompileError},
	{"own error before", "int f() { return x; }\n" + tensorRun + "torch::nn::Linear l(n, n); " + tensorAdd, CompileError},
}

// TestTensors judges candidates by what they use of PyTorch: what the headers lack is not blamed on them.
func TestTensors(t *testing.T) {
	tooltest.NeedsClang(t)
	var list []candidate
	var lines []string
	for i, h := range tensorCandidates {
		if !tooltest.Sampled(i, 18) {
			continue
		}
		job := map[string]any{}
		source := "#include <torch/extension.h>\n__global__ void add(const float *a, const float *b, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = a[i] + b[i]; }\ntemplate <class T> __global__ void addAny(const T *a, const T *b, T *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = T(float(a[i]) + float(b[i])); }\n" + h.source
		_ = json.Unmarshal([]byte(operators[0].line("tensors: "+h.name, source, "")), &job)
		delete(job, "launches")
		job["source"], job["host"] = source, map[string]any{"function": "run", "tensors": true}
		line, _ := json.Marshal(job)
		list, lines = append(list, candidate{h.name, string(line), []Reason{h.want}}), append(lines, string(line))
	}
	check(t, list, stream(t, newJudge(t), "", lines...))
}

// TestAbsentTorch names what stands where the compiler points.
func TestAbsentTorch(t *testing.T) {
	const include = "#include <ATen/ATen.h>\n"
	for _, c := range []struct {
		text    string
		col     int
		missing string
		want    string
	}{
		{include + "f(torch::nn::Linear(3));", 10, "", "torch::nn"},
		{include + "::at::cuda::thing x;", 13, "", "::at::cuda::thing"},
		{include + "mytorch::thing x;", 10, "", ""},
		{include + "own::at::thing x;", 10, "", ""},
		{include + "C10_LAUNCH_BOUNDS_9(3)", 1, "", "C10_LAUNCH_BOUNDS_9"},
		{include + "matmul(a, b);", 1, "", ""},
		{include + "using namespace torch; matmul(a, b);", 24, "", "matmul"},
		{include + "thing x;", 1, "", ""},
		{"#include <vector>\ntorch::Tensor x;", 8, "", ""},
		{include + "#include <c10/x.h>", 10, "c10/x.h", "c10/x.h"},
		{include + "#include <mine/x.h>", 10, "mine/x.h", ""},
	} {
		got := absentTorch(&nvrtc.Compiled{Missing: c.missing, Errors: []report.Diagnostic{{File: candidateFile, Line: 2, Col: c.col}}}, c.text)
		if got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.col, got, c.want)
		}
	}
}
