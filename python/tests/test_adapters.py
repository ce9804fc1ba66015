"""Run by TestPythonClient with the path of warpgrind in WARPGRIND."""

import os
import unittest

from warpgrind_client import Judge
from warpgrind_client.adapters import CannotJudge, from_definition, from_load_inline

SAXPY = '''
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

// a comment with <<<>>> in it
template <typename T>
__device__ T twice(T x) { return x + x; }

__global__ void saxpy_kernel(const float* __restrict__ x, const float* y, float* out, float a, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) out[i] = a * x[i] + twice(y[i]) - y[i];
}

torch::Tensor saxpy(torch::Tensor x, torch::Tensor y) {
    auto size = x.numel();
    auto out = torch::empty_like(x);
    const int threads = 256;
    const int blocks = (size + threads - 1) / threads;
    saxpy_kernel<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), 2.5f, size);
    return out;
}
"""
cpp = "torch::Tensor saxpy(torch::Tensor x, torch::Tensor y);"
module = load_inline(name="saxpy", cpp_sources=cpp, cuda_sources=source, functions=["saxpy"])

class ModelNew(nn.Module):
    def forward(self, x, y):
        return module.saxpy(x, y)
'''

REFERENCE = {"source": """void reference(const float *x, const float *y, float *out, float a, int n) {
    for (int i = 0; i < n; i++) out[i] = 2.5f * x[i] + y[i]; }"""}

MATMUL = '''
source = r"""
#include <torch/extension.h>
#define TILE 16
__global__ void mm(const float* A, const float* B, float* C, int M, int N, int K) {
    int r = blockIdx.y * TILE + threadIdx.y, c = blockIdx.x * TILE + threadIdx.x;
    if (r < M && c < N) { float s = 0; for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c]; C[r * N + c] = s; }
}
torch::Tensor matmul(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(A.is_cuda(), "A must be on the GPU");
    int M = A.size(0), K = A.size(1), N = B.size(1);
    auto C = torch::zeros({M, N}, A.options());
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16);
    mm<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), M, N, K);
    return C;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("matmul", &matmul); }
"""
mod = load_inline("mm", cpp_sources="", cuda_sources=[source])
'''

DEFINITION = {
    "name": "rms", "op_type": "rmsnorm", "axes": {"rows": {"type": "var"}, "hidden": {"type": "const", "value": 64}},
    "inputs": {"x": {"shape": ["rows", "hidden"], "dtype": "float16"}, "w": {"shape": ["hidden"], "dtype": "float16"}},
    "outputs": {"out": {"shape": ["rows", "hidden"], "dtype": "float16"}}, "reference": "def run(x, w): ...",
}
WORKLOAD = {"axes": {"rows": 5}, "inputs": {"x": {"type": "random"}, "w": {"type": "random"}}, "uuid": "1"}
SOLUTION = {
    "name": "rms-1", "definition": "rms", "spec": {"language": "cuda", "entry_point": "rms.cu::run"},
    "sources": [{"path": "rms.cu", "content": """
#include <cuda_fp16.h>
#include <torch/extension.h>
__global__ void rms(const __half *x, const __half *w, __half *out, int hidden) {
    const __half *row = x + blockIdx.x * hidden;
    float s = 0;
    for (int c = threadIdx.x; c < hidden; c += 32) { float v = __half2float(row[c]); s += v * v; }
    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    float r = rsqrtf(s / hidden + 1e-6f);
    for (int c = threadIdx.x; c < hidden; c += 32) out[blockIdx.x * hidden + c] = __float2half(__half2float(row[c]) * r * __half2float(w[c]));
}
void run(torch::Tensor x, torch::Tensor w, torch::Tensor out) {
    int rows = x.size(0), hidden = x.size(1);
    rms<<<rows, 32, 0, at::cuda::getCurrentCUDAStream()>>>((const __half *)x.data_ptr(), (const __half *)w.data_ptr(), reinterpret_cast<__half *>(out.data_ptr()), hidden);
}
"""}],
}
RMS = {"source": """void reference(const float *x, const float *w, float *out, int hidden) { for (int r = 0; r < 5; r++) { double s = 0;
    for (int c = 0; c < hidden; c++) s += x[r * hidden + c] * x[r * hidden + c];
    for (int c = 0; c < hidden; c++) out[r * hidden + c] = x[r * hidden + c] / sqrt(s / hidden + 1e-6) * w[c]; } }"""}


def saxpy(text=SAXPY):
    return from_load_inline(text, {"x": ("float32", ["n"]), "y": ("float32", ["n"])}, {"out": ("float32", ["n"])}, REFERENCE, shapes={"n": 1000})


class Adapters(unittest.TestCase):
    def test_load_inline(self):
        job = saxpy()
        self.assertEqual(job["launches"][0]["block"], [256])
        self.assertEqual(job["launches"][0]["arguments"], ["x", "y", "out", "scalar_0", "scalar_1"])
        self.assertNotIn("torch", job["source"])
        self.assertTrue(any("ModelNew" in n for n in job["notes"]))

    def test_cannot(self):
        for old, new, want in [
            ("cuda_sources=source", "cuda_sources=open('x').read()", "not a constant"),
            ("<<<blocks, threads>>>", "<<<blocks, threads, 0, other>>>", "stream"),
            ("const int threads = 256;", "int threads = pick(x);", "blocks|threads"),
            ("2.5f, size", "2.5f, config.size", "config"),
            ("(x.data_ptr<float>()", "(z.data_ptr<float>()", "z is neither"),
            ("saxpy_kernel<<<", "for (int r = 0; r < 3; r++) { if (r) saxpy_kernel<<<", "loop|closed"),
        ]:
            with self.assertRaisesRegex(CannotJudge, want):
                saxpy(SAXPY.replace(old, new))

    def test_host(self):
        saxpy_reference = {"source": "void reference(const float *x, const float *y, float *out) { for (int i = 0; i < 1000; i++) out[i] = 2.5f * x[i] + y[i]; }"}

        def of(text):
            return from_load_inline(text, {"x": ("float32", ["n"]), "y": ("float32", ["n"])}, {"out": ("float32", ["n"])}, saxpy_reference, host=True, shapes={"n": 1000})

        rms = from_definition(DEFINITION, WORKLOAD, SOLUTION, {"source": RMS["source"].replace(", int hidden) {", ") { const int hidden = 64;")}, host=True)
        self.assertEqual(rms["host"]["arguments"], ["x", "w", "out"])
        loop = SAXPY.replace("saxpy_kernel<<<", "for (int again = 0; again < 3; again++) saxpy_kernel<<<")
        jobs = [of(SAXPY), of(loop), of(SAXPY.replace("a * x[i] +", "a * x[i] -")), of(SAXPY.replace("torch::empty_like(x)", "x")), rms]
        with Judge(program=os.environ["WARPGRIND"]) as judge:
            verdicts = list(judge.judge_all(jobs))
        self.assertEqual([v["verdict"] for v in verdicts], ["correct", "correct", "wrong_output", "modifies_inputs", "correct"], verdicts)
        with self.assertRaisesRegex(CannotJudge, "z is neither"):
            of(SAXPY.replace("torch::Tensor y) {", "torch::Tensor z) {"))

    def test_judge(self):
        with Judge(program=os.environ["WARPGRIND"]) as judge:
            wrong = SAXPY.replace("a * x[i] +", "a * x[i] -")
            mm = from_load_inline(MATMUL, {"A": ("f32", ["m", "k"]), "B": ("f32", ["k", "n"])}, {"C": ("f32", ["m", "n"])}, {"source":
                "void reference(const float *A, const float *B, float *C, int M, int N, int K) { for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {"
                " double s = 0; for (int k = 0; k < K; k++) s += (double)A[i * K + k] * B[k * N + j]; C[i * N + j] = s; } }"},
                shapes={"m": 20, "n": 33, "k": 17})
            rms = from_definition(DEFINITION, WORKLOAD, SOLUTION, RMS)
            verdicts = list(judge.judge_all([saxpy(), saxpy(wrong), mm, rms, {"version": 1}]))
            self.assertEqual([v["verdict"] for v in verdicts], ["correct", "wrong_output", "correct", "correct", "invalid_job"], verdicts)
            self.assertEqual(judge.judge(mm)["verdict"], "correct")

            def broken():
                yield mm
                raise KeyError("x")
            with self.assertRaises(KeyError):
                list(judge.judge_all(broken()))


if __name__ == "__main__":
    unittest.main()
