package judge

import (
	"encoding/json"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// hostCandidates are candidates with host code. Their function is run, which takes (a, b, out, n); with tensors it takes
// (a, b, n) and returns out, unless job says otherwise.
var hostCandidates = []struct {
	name, source string
	tensors      bool
	job          string
	want         Reason
}{
	{name: "right", source: "RUN { add<<<(n + 255) / 256, 256>>>(a, b, out, n); }", want: Correct},
	{name: "main of its own", source: "RUN { add<<<4, 256>>>(a, b, out, n); }\nint main() { return 7; }", want: Correct},
	{name: "temporary memory", source: "RUN { float *t; cudaMalloc(&t, 4 * n); add<<<4, 256>>>(a, b, t, n); cudaMemcpy(out, t, 4 * n, cudaMemcpyDeviceToDevice); cudaFree(t); }", want: Correct},
	{name: "threads", source: "#include <thread>\nRUN { std::thread others[7]; for (int i = 0; i < 7; i++) others[i] = std::thread([=] { int k = i * 128; add<<<1, 128>>>(a + k, b + k, out + k, n - k < 128 ? n - k : 128); cudaStreamSynchronize(0); }); for (auto &o : others) o.join(); add<<<1, 128>>>(a + 896, b + 896, out + 896, n - 896); }", want: Correct},
	{name: "graph", source: "RUN { cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); add<<<4, 256, 0, s>>>(a, b, out, n); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); }", want: Correct},
	{name: "stream", source: "RUN { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); add<<<4, 256, 0, s>>>(a, b, out, n); cudaStreamSynchronize(s); }", want: Correct},
	{name: "blocking stream", source: "RUN { cudaStream_t s; cudaStreamCreate(&s); add<<<4, 256, 0, s>>>(a, b, out, n); }", want: Correct},
	{name: "stream that nothing waits for", source: "RUN { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); add<<<4, 256, 0, s>>>(a, b, out, n); }", want: UnfinishedWork},
	{name: "on the host", source: "#include <vector>\nRUN { std::vector<float> x(n), y(n); cudaMemcpy(x.data(), a, 4 * n, cudaMemcpyDeviceToHost); cudaMemcpy(y.data(), b, 4 * n, cudaMemcpyDeviceToHost); for (int i = 0; i < n; i++) x[i] += y[i]; cudaMemcpy(out, x.data(), 4 * n, cudaMemcpyHostToDevice); }", want: HostOutput},
	{name: "device memory on the host", source: "RUN { for (int i = 0; i < n; i++) out[i] = a[i] + b[i]; }", want: HostFailed},
	{name: "exits", source: "#include <cstdlib>\nRUN { add<<<4, 256>>>(a, b, out, n); exit(0); }", want: HostFailed},
	{name: "crashes", source: "RUN { *(volatile int *)8 = 1; }", want: HostFailed},
	{name: "spins on the host", source: "RUN { for (volatile int i = 0;;) i++; }", job: `"limits":{"seconds":2}`, want: Timeout},
	{name: "remembers on the host", source: "RUN { static float *old; if (old) { cudaMemcpy(out, old, 4 * n, cudaMemcpyDeviceToDevice); return; } add<<<4, 256>>>(a, b, out, n); cudaMalloc(&old, 4 * n); cudaMemcpy(old, out, 4 * n, cudaMemcpyDeviceToDevice); }", want: Stateful},
	{name: "shared memory of processes", source: "#include <sys/mman.h>\nRUN { void *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); add<<<4, 256>>>(a, b, out, p != MAP_FAILED ? 1 : n); }", want: Correct},
	{name: "files without a name", source: "#include <sys/mman.h>\nRUN { int f = memfd_create(\"hidden\", 0); add<<<4, 256>>>(a, b, out, f >= 0 ? 1 : n); }", want: Correct},
	{name: "segments of shared memory", source: "#include <sys/shm.h>\nRUN { int s = shmget(IPC_PRIVATE, 1 << 20, 0600); add<<<4, 256>>>(a, b, out, s >= 0 ? 1 : n); }", want: Correct},
	{name: "device memory that the host fills", source: "#include <cstring>\nRUN { char *p[4]; for (int k = 0; k < 4; k++) { cudaMallocManaged(&p[k], 100 << 20); memset(p[k], 1, 100 << 20); } add<<<4, 256>>>(a, b, out, n); }", job: `"limits":{"memory":268435456}`, want: MemoryLimit},
	{name: "many threads", source: "#include <pthread.h>\n#include <unistd.h>\nvoid *wait(void *) { sleep(100); return nullptr; }\nRUN { for (int i = 0; i < 1000; i++) { pthread_t t; if (pthread_create(&t, nullptr, wait, nullptr)) _exit(1); } sleep(5); add<<<4, 256>>>(a, b, out, n); }", want: HostFailed},
	{name: "large block", source: "RUN { add<<<1, 4096>>>(a, b, out, n); }", want: InvalidLaunch},
	{name: "too far", source: "RUN { add<<<4, 256>>>(a, b, out, 1024); }", want: WritesOutside},
	{name: "a half", source: "RUN { add<<<4, 256>>>(a, b, out, n / 2); }", want: UnwrittenOutput},
	{name: "nothing", source: "RUN { }", want: UnwrittenOutput},
	{name: "no function", source: "", want: CompileError},
	{name: "other arguments", source: "void run(const float *a) { }", want: CompileError},
	{name: "reads a file", source: "#include <cstdio>\nRUN { FILE *f = fopen(\"/etc/passwd\", \"r\"); add<<<4, 256>>>(a, b, out, f ? 1 : n); }", want: Correct},
	{name: "forks", source: "#include <unistd.h>\nRUN { int p = fork(); add<<<4, 256>>>(a, b, out, p >= 0 ? 1 : n); }", want: Correct},
	{name: "connects", source: "#include <sys/socket.h>\nRUN { int s = socket(AF_UNIX, SOCK_STREAM, 0); add<<<4, 256>>>(a, b, out, s >= 0 ? 1 : n); }", want: Correct},
	{name: "claims that it is done", source: "#include <unistd.h>\nRUN { char c = 0; write(5, &c, 1); }", want: UnwrittenOutput},
	{name: "confuses the engine", source: "#include <unistd.h>\nRUN { for (int i = 0; i < 1000; i++) write(6, a, 0), write(6, \"garbage and not a request\", 25); }", job: `"limits":{"seconds":2}`, want: Timeout},
	{name: "prints", source: "#include <cstdio>\nRUN { for (;;) puts(\"a line\"); }", job: `"limits":{"output":10000}`, want: OutputLimit},
	{name: "tensors", source: "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { TORCH_CHECK(a.is_cuda(), \"want CUDA\"); auto out = torch::empty_like(a); add<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n); return out; }\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"run\", &run, \"add\", py::arg(\"a\")); }",
		tensors: true, want: Correct},
	{name: "several tensors", source: "std::vector<torch::Tensor> run(torch::Tensor a, torch::Tensor b, int n) { auto out = torch::zeros({a.size(0)}, a.options().dtype(torch::kFloat32)); add<<<4, 256>>>(a.contiguous().data_ptr<float>(), b.view({-1}).data_ptr<float>(), out.data_ptr<float>(), out.numel()); return {out}; }",
		tensors: true, want: Correct},
	{name: "tensors as arguments", source: "void run(torch::Tensor a, torch::Tensor b, torch::Tensor out) { const at::cuda::OptionalCUDAGuard guard(a.device()); AT_DISPATCH_FLOATING_TYPES(a.scalar_type(), \"run\", ([&] { add<<<4, 256, 0, at::cuda::getCurrentCUDAStream()>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), a.numel()); })); C10_CUDA_KERNEL_LAUNCH_CHECK(); }",
		tensors: true, job: `"host":{"function":"run","tensors":true,"arguments":["a","b","out"]}`, want: Correct},
	{name: "wrong shape", source: "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { return torch::empty({n, 2}, a.options()); }", tensors: true, want: HostFailed},
	{name: "failed check", source: "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { TORCH_CHECK(a.dim() == 2, \"want a matrix, got \", a.dim()); return a; }", tensors: true, want: HostFailed},
	{name: "returns its input", source: "torch::Tensor run(torch::Tensor a, torch::Tensor b, int64_t n) { return a; }", tensors: true, want: WrongOutput},
}

// TestHostCode judges candidates with host code.
func TestHostCode(t *testing.T) {
	tooltest.NeedsClang(t)
	var list []candidate
	var lines []string
	for i, h := range hostCandidates {
		if !tooltest.Sampled(i, 18) {
			continue
		}
		job := map[string]any{}
		o := operators[0]
		source := "__global__ void add(const float *a, const float *b, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = a[i] + b[i]; }\n#define RUN void run(const float *a, const float *b, float *out, int n)\n" + h.source
		if h.tensors {
			source = "#include <torch/extension.h>\n" + source
		}
		_ = json.Unmarshal([]byte(o.line("host: "+h.name, source, "")), &job)
		delete(job, "launches")
		job["source"], job["host"] = source, map[string]any{"function": "run", "tensors": h.tensors}
		if h.job != "" {
			if err := json.Unmarshal([]byte("{"+h.job+"}"), &job); err != nil {
				t.Fatal(err)
			}
		}
		line, _ := json.Marshal(job)
		list, lines = append(list, candidate{h.name, string(line), []Reason{h.want}}), append(lines, string(line))
	}
	check(t, list, stream(t, newJudge(t), "", lines...))
}
