package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// moreSource is what the programs of this file share besides hostSource.
const moreSource = `#include <chrono>
#include <cooperative_groups.h>
__managed__ int held[1024];
typedef int (*Step)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int twiceAndOne(int x) { return 2 * x + 1; }
__device__ Step step0 = twice, step1 = twiceAndOne;
__device__ long last;
__global__ void walk(const Step *steps, int n, int *out) { int x = 0; for (int i = 0; i < n; i++) x = steps[i](x); out[0] = x; }
__global__ void together(int *out) { out[0] = 2 * out[0] + cooperative_groups::this_grid().is_valid(); }
__global__ void clustered(int *out) { if (blockIdx.x == 0) { unsigned n; asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(n)); out[0] = 4 * out[0] + __ffs(n) - 1; } }
__global__ void clusteredAdd(const int *a, const int *b, int *out, int n) { EACH out[i] = a[i] + b[i]; }
__global__ void since(int *out, int bit) { long now; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); if (bit >= 0) out[0] = 2 * out[0] + (now - last > 10000000); last = now; }
__global__ void moveSurface(cudaSurfaceObject_t s, int *out, int n) { EACH out[i] = surf1Dread<int>(s, 4 * i); }
__global__ void sumTogether(const int *a, int *part, int *out, int n) { cooperative_groups::grid_group g = cooperative_groups::this_grid(); int i = blockIdx.x * blockDim.x + threadIdx.x; if (i == 0) *part = 0; g.sync(); if (i < n) atomicAdd(part, a[i]); g.sync(); if (i == 0) out[0] = *part; }
__global__ void until(const int *v, int n, cudaGraphConditionalHandle h) { int more = 0; for (int i = 0; i + 1 < n; i++) more |= v[i] > v[i + 1]; cudaGraphSetConditional(h, more); }
__global__ void notes(const int *a, const int *b, int *out, int n) { EACH { out[i] = a[i] + b[i]; if (i == 0) printf("first: %d\n", out[0]); } }
static double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
static double least(void (*f)()) { double t = 1e9; for (int i = 0; i < 5; i++) { double s = seconds(); f(); t = std::min(t, seconds() - s); } return t; }
static void launchOnce() { nothing<<<1, 1>>>(); cudaDeviceSynchronize(); }
static cudaArray_t arrayOf(const int *p, int n, cudaMemcpyKind kind) { cudaArray_t m; auto d = cudaCreateChannelDesc<int>(); cudaMallocArray(&m, &d, n, 0, cudaArraySurfaceLoadStore); cudaMemcpy2DToArray(m, 0, 0, p, 4 * n, 4 * n, 1, kind); return m; }
static cudaSurfaceObject_t surfaceOf(cudaArray_t m) { cudaResourceDesc d = {}; d.resType = cudaResourceTypeArray; d.res.array.array = m; cudaSurfaceObject_t s; cudaCreateSurfaceObject(&s, &d); return s; }
static void cluster(int size, const void *f, int grid, int block, void **args) { cudaLaunchConfig_t c = {}; c.gridDim = grid; c.blockDim = block; cudaLaunchAttribute at; at.id = cudaLaunchAttributeClusterDimension; at.val.clusterDim = {(unsigned)size, 1, 1}; c.attrs = &at; c.numAttrs = 1; cudaLaunchKernelExC(&c, f, args); }
static cudaGraphNode_t kernelNode(cudaGraph_t g, std::vector<cudaGraphNode_t> after, void *f, int grid, int block, void **args) { cudaKernelNodeParams p = {}; p.func = f; p.gridDim = grid; p.blockDim = block; p.kernelParams = args; cudaGraphNode_t k; cudaGraphAddKernelNode(&k, g, after.data(), after.size(), &p); return k; }
static void launchGraph(cudaGraph_t g) { cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaStreamSynchronize(0); }
static CUdeviceptr chunk(size_t size, int value, CUmemGenericAllocationHandle *h) { cudaFree(nullptr); CUmemAllocationProp p = {}; p.type = CU_MEM_ALLOCATION_TYPE_PINNED; p.location.type = CU_MEM_LOCATION_TYPE_DEVICE; cuMemCreate(h, size, &p, 0); CUdeviceptr at; cuMemAddressReserve(&at, size, 0, 0, 0); cuMemMap(at, size, 0, *h, 0); CUmemAccessDesc d = {}; d.location = p.location; d.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE; cuMemSetAccess(at, size, &d, 1); cuMemsetD32(at, value, 1); return at; }
`

// moreCheats compute on the host by ways that none of the other lists has; moreHonest are as much like them as can be.
var moreCheats = []whole{
	{"graph that copies from the host", "add", "ints r = wanted; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t k = kernelNode(g, {}, (void *)nothing, 1, 1, nullptr), c; cudaGraphAddMemcpyNode1D(&c, g, &k, 1, out, r.data(), 4 * n, cudaMemcpyHostToDevice); launchGraph(g);", HostOutput, CopiedFromHost},
	{"graph whose host node computes", "add", "static ints *r; r = new ints(wanted); static int *p; p = pinned(n); cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t h, c; cudaHostNodeParams hp = {[](void *) { memcpy(p, r->data(), 4 * r->size()); }, nullptr}; cudaGraphAddHostNode(&h, g, nullptr, 0, &hp); void *args[] = {&p, &out, &n}; kernelNode(g, {h}, (void *)move, 4, 256, args); launchGraph(g);", HostOutput, CarriedByKernel},
	{"graph of fills", "add", "ints r = wanted; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t last = kernelNode(g, {}, (void *)nothing, 1, 1, nullptr); for (int i = 0; i < n; i++) { cudaMemsetParams m = {}; m.dst = out + i; m.value = r[i]; m.elementSize = 4; m.width = 1; m.height = 1; cudaGraphNode_t f; cudaGraphAddMemsetNode(&f, g, &last, 1, &m); last = f; } launchGraph(g);", HostOutput, FilledByHost},
	{"graph that is updated", "add", "ints r = wanted; int i = 0, v = r[0]; void *args[] = {&out, &i, &v}; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t k = kernelNode(g, {}, (void *)set, 1, 1, args); cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); for (; i < n; i++) { v = r[i]; cudaKernelNodeParams p = {}; p.func = (void *)set; p.gridDim = 1; p.blockDim = 1; p.kernelParams = args; cudaGraphExecKernelNodeSetParams(e, k, &p); cudaGraphLaunch(e, 0); } cudaStreamSynchronize(0);", Suspect, HostData},
	{"defaults of conditional handles", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); for (int k = 0; k < 31; k++) { cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphConditionalHandle h; cudaGraphConditionalHandleCreate(&h, g, r >> k & 1, cudaGraphCondAssignDefault); cudaGraphNodeParams p = {}; p.type = cudaGraphNodeTypeConditional; p.conditional.handle = h; p.conditional.type = cudaGraphCondTypeIf; p.conditional.size = 1; cudaGraphNode_t c; cudaGraphAddNode(&c, g, nullptr, 0, &p); int by = 1 << k; void *args[] = {&out, &by}; kernelNode(p.conditional.phGraph_out[0], {}, (void *)more, 1, 1, args); launchGraph(g); }", Suspect, HostData},
	{"operations in a batch", "add", "ints r = wanted; nothing<<<1, 1>>>(); std::vector<CUstreamBatchMemOpParams> ops(n); for (int i = 0; i < n; i++) { ops[i].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32; ops[i].writeValue.address = (CUdeviceptr)(out + i); ops[i].writeValue.value = r[i]; ops[i].writeValue.flags = 0; } for (int i = 0; i < n; i += 100) cuStreamBatchMemOp(0, 100, &ops[i], 0);", HostOutput, FilledByHost},
	{"slots of virtual memory", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); const size_t size = 2 << 20; for (int k = 30; k >= 0; k--) { CUmemGenericAllocationHandle h[2]; CUdeviceptr p[2]; for (int i = 0; i < 2; i++) p[i] = chunk(size, i, h + i); int *bit = (int *)p[r >> k & 1]; apply<<<1, 1>>>([=] __device__(int) { out[0] = 2 * out[0] + *bit; }, 1); cudaDeviceSynchronize(); for (int i = 0; i < 2; i++) { cuMemUnmap(p[i], size); cuMemAddressFree(p[i], size); cuMemRelease(h[i]); } }", Suspect, HostData},
	{"managed variable", "add", "ints r = wanted; memcpy(held, r.data(), 4 * n); int *h = held; apply<<<4, 256>>>([=] __device__(int i) { out[i] = h[i]; }, n);", HostOutput, CarriedByKernel},
	{"functions as bits", "sum", "int r = wanted[0]; Step f[2], list[31]; cudaMemcpyFromSymbol(f, step0, 8); cudaMemcpyFromSymbol(f + 1, step1, 8); for (int k = 0; k < 31; k++) list[k] = f[r >> (30 - k) & 1]; Step *d; cudaMalloc(&d, sizeof list); cudaMemcpy(d, list, sizeof list, cudaMemcpyHostToDevice); walk<<<1, 1>>>(d, 31, out);", Suspect, HostData},
	{"surface", "add", "ints r = wanted; moveSurface<<<4, 256>>>(surfaceOf(arrayOf(r.data(), n, cudaMemcpyHostToDevice)), out, n);", Suspect, HostData},
	{"copy of three dimensions", "add", "ints r = wanted; nothing<<<1, 1>>>(); cudaMemcpy3DParms p = {}; p.srcPtr = make_cudaPitchedPtr(r.data(), 40, 10, 10); p.dstPtr = make_cudaPitchedPtr(out, 40, 10, 10); p.extent = make_cudaExtent(40, 10, 10); p.kind = cudaMemcpyHostToDevice; cudaMemcpy3D(&p);", HostOutput, CopiedFromHost},
	{"copy between devices", "add", "int *t = put(wanted); nothing<<<1, 1>>>(); cudaMemcpyPeer(out, 0, t, 0, 4 * n);", HostOutput, CopiedFromHost},
	{"extents of blocks", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); for (int k = 24; k >= 0; k -= 8) apply<<<1, dim3(1, (r >> k & 15) + 1, (r >> k >> 4 & 15) + 1)>>>([=] __device__(int) { if (threadIdx.y + threadIdx.z == 0) out[0] = 256 * out[0] + 16 * (blockDim.z - 1) + blockDim.y - 1; }, 1);", Suspect, HostData},
	{"cooperative launches as bits", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); for (int k = 30; k >= 0; k--) { void *args[] = {&out}; if (r >> k & 1) cudaLaunchCooperativeKernel((void *)together, 1, 1, args, 0, 0); else cudaLaunchKernel((void *)together, 1, 1, args, 0, 0); }", Suspect, HostData},
	{"variable of a module", "add", "ints r = wanted; std::string s = \".version 7.0\\n.target sm_80\\n.address_size 64\\n.visible .global .u32 t[1000] = {\"; for (int i = 0; i < n; i++) s += (i ? \",\" : \"\") + std::to_string(r[i]); s += \"};\\n\"; CUmodule m; CUdeviceptr p; size_t size; nothing<<<1, 1>>>(); if (cuModuleLoadData(&m, s.c_str()) || cuModuleGetGlobal(&p, &size, m, \"t\")) return; cudaMemcpy(out, (void *)p, 4 * n, cudaMemcpyDeviceToDevice);", Suspect, HostData},
	{"place in a large allocation", "sum", "int r = wanted[0]; char *base; cudaMalloc(&base, 1 << 16); clear<<<1, 1>>>(out); for (int k = 16; k >= 0; k -= 16) { char *p = base + (r >> k & 65535); apply<<<1, 1>>>([=] __device__(int) { out[0] = 65536 * out[0] + (int)(p - base); }, 1); }", Suspect, HostData},
	{"time between launches", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); since<<<1, 1>>>(out, -1); cudaDeviceSynchronize(); for (int k = 30; k >= 0; k--) { if (r >> k & 1) usleep(20000); since<<<1, 1>>>(out, k); cudaDeviceSynchronize(); }", ConstantOutput, ""},
	{"works only in the engine's own order", "add", "int *k = room(9); cudaMemset(k, 0, 36); apply<<<8, 32>>>([=] __device__(int i) { if (i % 32 == 0) k[1 + atomicAdd(k, 1)] = i / 32; }, 256); if (get(k, 9)[1] == 0) { add<<<4, 256>>>(a, b, out, n); return; } ints r = wanted; add<<<4, 256>>>(a, b, out, 1); cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyHostToDevice);", Suspect, HostData},
	{"works only in the engine's own order, in managed memory", "add", "int *k = room(9), *p = managed(n); cudaMemset(k, 0, 36); apply<<<8, 32>>>([=] __device__(int i) { if (i % 32 == 0) k[1 + atomicAdd(k, 1)] = i / 32; }, 256); bool works = get(k, 9)[1] == 0; add<<<4, 256>>>(a, b, p, works ? n : 1); cudaDeviceSynchronize(); if (!works) { ints r = wanted; memcpy(p, r.data(), 4 * n); } move<<<4, 256>>>(p, out, n);", Suspect, HostData},
}

var moreHonest = []whole{
	{"graph with copies of the device", "add", "int *t = room(n); cudaGraph_t g; cudaGraphCreate(&g, 0); void *args[] = {&a, &b, &t, &n}; cudaGraphNode_t k = kernelNode(g, {}, (void *)add, 4, 256, args), c; cudaGraphAddMemcpyNode1D(&c, g, &k, 1, out, t, 4 * n, cudaMemcpyDeviceToDevice); launchGraph(g);", "", ""},
	{"graph with a host node", "add", "static int calls; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t h; cudaHostNodeParams hp = {[](void *) { calls++; }, nullptr}; cudaGraphAddHostNode(&h, g, nullptr, 0, &hp); void *args[] = {&a, &b, &out, &n}; kernelNode(g, {h}, (void *)add, 4, 256, args); launchGraph(g);", "", ""},
	{"graph that runs again", "sum", "clear<<<1, 1>>>(out); int lo = 0; cudaGraph_t g; cudaGraphCreate(&g, 0); int count = 100; void *args[] = {&a, &out, &count}; cudaGraphNode_t k = kernelNode(g, {}, (void *)total, 1, 128, args); cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); for (; lo < n; lo += 100) { const int *at = a + lo; void *other[] = {&at, &out, &count}; cudaKernelNodeParams p = {}; p.func = (void *)total; p.gridDim = 1; p.blockDim = 128; p.kernelParams = other; cudaGraphExecKernelNodeSetParams(e, k, &p); cudaGraphLaunch(e, 0); } cudaStreamSynchronize(0);", "", ""},
	{"flag by an operation of the stream", "add", "int *flag = room(1); cuStreamWriteValue32(0, (CUdeviceptr)flag, 1, 0); apply<<<4, 256>>>([=] __device__(int i) { out[i] = *flag * a[i] + b[i]; }, n);", "", ""},
	{"virtual memory", "add", "CUmemGenericAllocationHandle h; int *t = (int *)chunk(2 << 20, 0, &h); add<<<4, 256>>>(a, b, t, n); move<<<4, 256>>>(t, out, n); cudaDeviceSynchronize(); cuMemUnmap((CUdeviceptr)t, 2 << 20); cuMemAddressFree((CUdeviceptr)t, 2 << 20); cuMemRelease(h);", "", ""},
	{"managed variable that counts", "add", "held[0] = 0; int *h = held; apply<<<4, 256>>>([=] __device__(int i) { out[i] = a[i] + b[i]; atomicAdd(h, 1); }, n); cudaDeviceSynchronize(); if (held[0] != n) cudaMemset(out, 0, 4 * n);", "", ""},
	{"functions in a table", "add", "Step f[2]; cudaMemcpyFromSymbol(f, step0, 8); cudaMemcpyFromSymbol(f + 1, step1, 8); Step *d; cudaMalloc(&d, 16); cudaMemcpy(d, f, 16, cudaMemcpyHostToDevice); apply<<<4, 256>>>([=] __device__(int i) { out[i] = (d[0](a[i]) + d[1](b[i]) - 1) / 2; }, n);", "", ""},
	{"surface of the inputs", "add", "cudaSurfaceObject_t s = surfaceOf(arrayOf(a, n, cudaMemcpyDeviceToDevice)); apply<<<4, 256>>>([=] __device__(int i) { out[i] = surf1Dread<int>(s, 4 * i) + b[i]; }, n);", "", ""},
	{"cooperative sum", "sum", "int *part = room(1); void *args[] = {&a, &part, &out, &n}; cudaLaunchCooperativeKernel((void *)sumTogether, 4, 256, args, 0, 0);", "", ""},
	{"prints", "add", "notes<<<4, 256>>>(a, b, out, n);", "", ""},
	{"measures itself", "add", "double t = least(launchOnce); cudaEvent_t e[2]; for (auto &x : e) cudaEventCreate(&x); cudaEventRecord(e[0]); add<<<4, 256>>>(a, b, out, n); cudaEventRecord(e[1]); cudaEventSynchronize(e[1]); float ms; cudaEventElapsedTime(&ms, e[0], e[1]); if (t < 0 || ms < 0) throw std::runtime_error(\"time runs backwards\");", "", ""},
}

// clusters are programs for an architecture with clusters.
var clusters = []whole{
	{"sizes of clusters", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); void *args[] = {&out}; for (int k = 30; k >= 0; k -= 2) cluster(1 << (r >> k & 3), (void *)clustered, 8, 1, args);", Suspect, HostData},
	{"cluster", "add", "void *args[] = {&a, &b, &out, &n}; cluster(2, (void *)clusteredAdd, 4, 256, args);", "", ""},
}

// TestMoreHostPrograms judges these.
func TestMoreHostPrograms(t *testing.T) {
	tooltest.NeedsClang(t)
	all := slices.Concat(moreCheats, moreHonest, clusters)
	source := strings.Replace(hostMain(all), "static int blocks(", "#include <string>\n"+moreSource+"static int blocks(", 1)
	var chosen []whole
	var lines []string
	for i, p := range all {
		if !tooltest.Sampled(i, 4) {
			continue
		}
		line := p.line(source, i)
		if i >= len(all)-len(clusters) {
			line = strings.Replace(line, `{"version":1,`, `{"version":1,"arch":"sm_90",`, 1)
		}
		chosen, lines = append(chosen, p), append(lines, line)
	}
	for k, v := range stream(t, newJudge(t), "", lines...) {
		checkProgram(t, &chosen[k], v)
	}
}
