package repair_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
	"github.com/warpgrind/warpgrind/internal/repair/order"
)

// memoryText has what repairs of memory, of launches and of the host's calls change, and what looks like it.
const memoryText = `#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#define CHECK(call) do { cudaError_t status = (call); if (status != cudaSuccess) exit(1); } while (0)
__constant__ int table[4];
__constant__ int other[4];
__device__ int counter;
struct Sizes { int a[4], n; };
struct Pair { int a, b; };
__global__ void child(int *out) { out[threadIdx.x] = 1; }
__global__ void writes_table(int *out)
{
    /*constant*/ *(int *)&table[0] = 1;
    out[0] = table[1] + other[0];
}
__global__ void reads_host(int *a, int n)
{
    /*hostread*/ a[n] = 1;
}
__global__ void large(int *out)
{
    /*toolarge*/ out[0] = 1;
}
__global__ void rows(float *out, int n)
{
    extern __shared__ float row[];
    /*beyond*/ row[n] = 0;
    out[0] = row[n];
}
__global__ void __cluster_dims__(2, 1, 1) clustered(int *out) { out[0] = 1; }
__global__ void heap(int *out, int n)
{
    int *filled = (int *)malloc(n * sizeof(int));
    char *kept = (char *)malloc(n + 1);
    /*unwritten*/ out[0] = filled[0] + kept[0];
    free(filled);
    free(kept);
}
__global__ void freed(int *out)
{
    int *p = (int *)malloc(4);
    p[0] = 1;
    free(p);
    /*usedlate*/ out[0] = p[0];
    out[1] = 2;
}
__global__ void clears(int *out)
{
    char local[64];
    /*cleared*/ memset(local, 0, 70);
    out[0] = local[3];
}
__global__ void counted(int *a, int n)
{
    /*counted*/ a[threadIdx.x] = n;
}
void cuScale(float *values, int n);
void sizes(float *values, int n)
{
    int *few, *enough;
    cudaMalloc(&few, n);
    cudaMalloc(&enough, n * sizeof(int));
    counted<<<1, 32>>>(few, n);
    counted<<<1, 32>>>(enough, n);
    /*scaled*/ cuScale(values, n + 1);
    /*unscaled*/ cuScale(values, n + 2);
}
__global__ void parameters(const __grid_constant__ Sizes s, Sizes t, int *out)
{
    ((int *)s.a)[0] = 1;
    /*parameter*/ out[0] = s.a[0] + t.n;
}
__global__ void publishes(int *out, int *flag)
{
    /*result*/ out[threadIdx.x] = 1;
    if (threadIdx.x == 0) /*raised*/ atomicExch(flag, 1);
}
__global__ void unaligned(char *bytes, double *out, int n)
{
    /*wide*/ out[0] = *(double *)(bytes + n);
    /*stored*/ *(int *)(bytes + n) = n;
    out[1] = n > 0 ? /*maybe*/ *(float *)(bytes + 1) : 0;
    /*pairs*/ Pair pair = *(Pair *)(bytes + n);
    /*assigned*/ pair = *(Pair *)(bytes + 2 * n);
    out[2] = pair.a;
}
__global__ void polls(volatile int *flag, int *out)
{
    while (/*polled*/ flag[0] == 0) {}
    out[0] = 1;
}
void waits(int *flag, int *out, CUstream a, CUstream b, CUdeviceptr word, CUdeviceptr other)
{
    polls<<<1, 1>>>(flag, out);
    int first = 1;
    cudaMemcpy(flag, &first, 4, cudaMemcpyHostToDevice);
    first = 2;
    cudaMemcpyAsync(out, &first, 4, cudaMemcpyHostToDevice);
    cuStreamWriteValue32(a, word, 1, 0);
    /*waitvalue*/ cuStreamWaitValue32(b, word, 2, CU_STREAM_WAIT_VALUE_EQ);
    cuStreamWriteValue32(a, other, 3, 0);
    /*clusterless*/ clustered<<<2, 32>>>(out);
}
int main(int argc, char **argv)
{
    int host[32], one = 0, *d, *e;
    int *heap_memory = (int *)malloc(argc * sizeof(int));
    cudaStream_t s, t;
    cudaMalloc(&d, 4096);
    CHECK(cudaMalloc(&e, 4096));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    /*hostarray*/ reads_host<<<1, 1>>>(host, 1);
    /*hostvalue*/ reads_host<<<1, 1>>>(&one, 2);
    /*symbol*/ reads_host<<<1, 1>>>(&counter, 3);
    /*malloced*/ reads_host<<<1, 1>>>(heap_memory, 4);
    /*device*/ reads_host<<<1, 1>>>(d, 5);
    /*flat*/ large<<<2, 2048>>>(d);
    /*deep*/ large<<<2, dim3(8, 8, 128)>>>(d);
    /*measured*/ large<<<argc, argc * 64>>>(d);
    /*rowed*/ rows<<<1, 64, 64>>>(nullptr, 1);
    /*square*/ rows<<<1, dim3(8, argc + 1), 65>>>(nullptr, 1);
    rows<<<1, 64, argc > 1 ? 64 : 32>>>(nullptr, 1);
    /*chosen*/ large<<<2, dim3(8, argc > 2 ? 64 : 32, 4)>>>(d);
    dim3 shape(4, 4, 4);
    /*shaped*/ rows<<<1, shape, 66>>>(nullptr, 1);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute;
    config.gridDim = argc > 1 ? argc : 1;
    attribute.val.clusterDim.x = 2;
    config.attrs = &attribute;
    /*clustered*/ cudaLaunchKernelEx(&config, clustered, d);
    config.gridDim = dim3(argc, 2);
    /*first*/ child<<<1, 32, 0, s>>>(d);
    /*second*/ child<<<1, 32, 0, t>>>(d);
    /*third*/ CHECK(cudaMemcpyAsync(host, d, 128, cudaMemcpyDeviceToHost, t));
    /*reads*/ printf("%d\n", host[0]);
    cudaStreamDestroy(t);
    /*gone*/ one = host[1];
    free(heap_memory);
    return one;
}
`

var memoryCases = []kindCase{
	// Variables, parameters and arguments.
	{mark: "constant", kernel: "writes_table", kind: finding.WriteGlobal, maker: memory.MakeWritable, set: func(f *finding.Finding, _ func(string) *finding.Point) {
		f.Object = &finding.Object{Kind: finding.Variable, Space: "const", Name: "table"}
	}, want: []string{"__device__ int table[4];"}, refused: []string{"__device__ int other[4];"}},
	{mark: "parameter", kernel: "parameters", kind: finding.CopyParameter, maker: memory.CopyParameters, want: []string{"parameters(Sizes s, Sizes t, int *out)"}},
	{mark: "hostread", kernel: "reads_host", kind: finding.DevicePointer, maker: memory.UseDevicePointer,
		want: []string{
			"cudaMemcpy(device…, host, sizeof(host), cudaMemcpyHostToDevice); reads_host<<<1, 1>>>(device…, 1); cudaMemcpy(host, device…, sizeof(host), cudaMemcpyDeviceToHost); cudaFree(device",
			"cudaMemcpy(device…, &one, sizeof(one), cudaMemcpyHostToDevice); reads_host<<<1, 1>>>(device…, 2); cudaMemcpy(&one, device",
			"cudaGetSymbolAddress((void **)&device…, counter); reads_host<<<1, 1>>>(device…, 3);",
			"int *heap_memory; cudaMallocManaged(&heap_memory, argc * sizeof(int));…cudaFree(heap_memory);",
		}, refused: []string{"/*device*/ int *"}},
	// Launches.
	{mark: "flat", kernel: "large", kind: finding.SmallerBlocks, maker: memory.ShrinkBlocks, want: []string{"large<<<(2 * 2048 + 1023) / 1024, 1024>>>(d);"}},
	{mark: "deep", kernel: "large", kind: finding.SmallerBlocks, maker: memory.ShrinkBlocks, want: []string{"large<<<dim3(2, 1, 1 * 2), dim3(8, 8, (128 + 1) / 2)>>>(d);"}},
	{mark: "chosen", kernel: "large", kind: finding.SmallerBlocks, maker: memory.ShrinkBlocks, want: []string{"large<<<dim3(2, 1 * 2, 1), dim3(8, ((argc > 2 ? 64 : 32) + 1) / 2, 4)>>>(d);"}},
	{mark: "measured", kernel: "large", kind: finding.KeepBounds, maker: memory.ShrinkBlocks, want: []string{"large<<<(argc * (argc * 64) + 511) / 512, 512>>>(d);"}},
	{mark: "beyond", kernel: "rows", kind: finding.MoreShared, set: func(f *finding.Finding, _ func(string) *finding.Point) {
		f.Object, f.Range = &finding.Object{Kind: finding.Variable, Space: "shared", Name: "row", Size: 64}, finding.Bytes{Lo: 64, Hi: 256}
	}, want: []string{"rows<<<1, 64, 64 * sizeof(float)>>>", "rows<<<1, dim3(8, argc + 1), 8 * (argc + 1) * sizeof(float)>>>", "rows<<<1, shape, shape.x * shape.y * shape.z * sizeof(float)>>>", "rows<<<1, 64, 64 + 192>>>", "rows<<<1, 64, (argc > 1 ? 64 : 32) + 192>>>"},
		refused: []string{"dim3(8, argc + 1)) *", "shape * sizeof"}},
	{mark: "rowed", kernel: "rows", kind: finding.KeepLimit, maker: memory.FitShared, want: []string{"rows<<<1, 64, 64 * sizeof(float)>>>"}},
	{mark: "square", kernel: "rows", kind: finding.KeepLimit, maker: memory.FitShared, want: []string{"rows<<<1, dim3(8, argc + 1), 8 * (argc + 1) * sizeof(float)>>>"}},
	{mark: "clustered", kernel: "clustered", kind: finding.KeepLimit, maker: order.FitClusters,
		want:    []string{"config.gridDim = ((argc > 1 ? argc : 1) + 2 - 1) / 2 * 2;", "cudaFuncSetAttribute(clustered, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);"},
		refused: []string{"dim3(argc, 2) +", "dim3(argc, 2)) +"}},
	{mark: "clusterless", kernel: "clustered", kind: finding.LaunchCluster,
		want: []string{"gridDim = 2; config…blockDim = 32; cudaLaunchAttribute…cudaLaunchAttributeClusterDimension;…clusterDim.x = …clusterDim.y = …clusterDim.z = 1;…, clustered, out); }"}},
	// Waits for values that come later.
	{mark: "polled", kernel: "polls", kind: finding.EndLoop, want: []string{"cuStreamWriteValue32(a, word, 1, 0); polls<<<"}, refused: []string{"cudaMemcpyAsync(out, &first, 4, cudaMemcpyHostToDevice); polls<<<", "&first, 4, cudaMemcpyHostToDevice); polls<<<"}},
	{mark: "waitvalue", kernel: "polls", kind: finding.WriteValue,
		want:    []string{"cuStreamWriteValue32(a, word, 2, 0);", "cuStreamWaitValue32(b, word, 1, CU_STREAM_WAIT_VALUE_EQ);", "/*waitvalue*/ cuStreamWriteValue32(a, other, 3, 0); cuStreamWaitValue32"},
		refused: []string{"other, 2, 0)", "word, 3"}},
	// The heap of device code.
	{mark: "unwritten", kernel: "heap", kind: finding.WriteHeap, maker: memory.FillHeap,
		want: []string{"if (filled) memset(filled, 0, n * sizeof(int));", "if (kept) memset(kept, 0, n + 1);"}, refused: []string{"memset(heap_memory"}},
	{mark: "usedlate", kernel: "freed", kind: finding.FreeLater, maker: memory.FreeAfter, want: []string{"out[0] = p[0]; free(p);\n    out[1]"}},
	// Sizes.
	{mark: "cleared", kernel: "clears", kind: finding.CheckIndex, maker: memory.ShortenCopies, want: []string{"memset(local, 0, sizeof local);"}},
	{mark: "counted", kernel: "counted", kind: finding.CheckIndex, maker: memory.SizesInBytes, set: func(f *finding.Finding, _ func(string) *finding.Point) {
		f.Object, f.Range = &finding.Object{Kind: finding.Allocation, Space: "global", Size: 32}, finding.Bytes{Lo: 32, Hi: 128}
	}, want: []string{"cudaMalloc(&few, n * sizeof(int));"}, refused: []string{"sizeof(int) * sizeof(int)"}},
	{mark: "scaled", kernel: "counted", kind: finding.CheckIndex, maker: memory.CallLibrary, want: []string{"cuScale(values, n);"}},
	{mark: "unscaled", kernel: "counted", kind: finding.CheckIndex, refused: []string{"cuScale(values, n);"}},
	// Streams.
	{mark: "second", kernel: "child", kind: finding.OrderStreams, maker: memory.OrderWork, set: between("first", "second"),
		want: []string{"cudaEventRecord(done…, s); cudaStreamWaitEvent(t, done…, 0); cudaEventDestroy(done…); child<<<1, 32, 0, t>>>", "/*second*/ cudaStreamSynchronize(s); child", "/*second*/ cudaDeviceSynchronize(); child"}},
	{mark: "third", kernel: "child", kind: finding.HostWait, maker: memory.OrderWork, set: between("third", "reads"),
		want: []string{"/*reads*/ CHECK(cudaStreamSynchronize(t)); printf", "/*reads*/ CHECK(cudaDeviceSynchronize()); printf"}, refused: []string{"cudaEventRecord"}},
	{mark: "third", kernel: "child", kind: finding.HostWait, maker: memory.OrderWork, set: between("third", "gone"), want: []string{"/*gone*/ CHECK(cudaDeviceSynchronize());"}, refused: []string{"cudaStreamSynchronize(t)"}},
	{mark: "result", kernel: "publishes", kind: finding.OrderStreams, maker: memory.Publish, set: accesses(finding.Write, "", ""), want: []string{"out[threadIdx.x] = 1; __threadfence_system(); __syncthreads();"}},
	{mark: "result", kernel: "publishes", kind: finding.OrderStreams, set: accesses(finding.Read, "", ""), refused: []string{"__threadfence_system()"}},
	// Addresses that a type does not allow.
	{mark: "wide", kernel: "unaligned", kind: finding.Align, maker: memory.Align, want: []string{"/*wide*/ double value…; memcpy(&value…, (const char *)(…(bytes + n)), sizeof value…); out[0] = value"}},
	{mark: "stored", kernel: "unaligned", kind: finding.Align, maker: memory.Align, want: []string{"/*stored*/ { int value… = n; memcpy((char *)(…(bytes + n)), &value…, sizeof value…); }"}},
	{mark: "maybe", kernel: "unaligned", kind: finding.Align, refused: []string{"float value"}},
	{mark: "pairs", kernel: "unaligned", kind: finding.Align, maker: memory.Align, want: []string{"/*pairs*/ Pair value…; memcpy(&value…; Pair pair = value"}},
	{mark: "assigned", kernel: "unaligned", kind: finding.Align, maker: memory.Align, want: []string{"/*assigned*/ Pair value…; memcpy(&value…(bytes + 2 * n)…; pair = value"}},
}

// TestMemoryKinds: the repairs of memory, launches and the host's calls.
func TestMemoryKinds(t *testing.T) { testKinds(t, memoryText, false, memoryCases) }

// childText has grids that device code launches.
const childText = `#include <cstdio>
__global__ void child(int *out) { out[threadIdx.x] = 1; }
__global__ void parent(int *out)
{
    /*launched*/ child<<<1, 32>>>(out);
    /*uses*/ out[32] = out[0];
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    /*streamed*/ child<<<1, 32, 0, own>>>(out);
    /*sized*/ child<<<1, 32, 64>>>(out);
    cudaDeviceSynchronize();
}
int main()
{
    int *d;
    cudaMalloc(&d, 4096);
    /*nests*/ parent<<<1, 1>>>(d);
    return cudaDeviceSynchronize();
}
`

var childCases = []kindCase{
	{mark: "uses", kernel: "parent", kind: finding.TailLaunch, maker: memory.LaunchInTail, set: between("uses", "launched"), want: []string{"child<<<1, 32, 0, cudaStreamTailLaunch>>>(out);\n    /*uses*/"}},
	{mark: "uses", kernel: "parent", kind: finding.TailLaunch, maker: memory.LaunchInTail, set: between("uses", "streamed"), want: []string{"child<<<1, 32, 0, cudaStreamTailLaunch>>>(out);\n    /*sized*/"}, refused: []string{"own>>>…own>>>"}},
	{mark: "uses", kernel: "parent", kind: finding.TailLaunch, maker: memory.LaunchInTail, set: between("uses", "sized"), want: []string{"child<<<1, 32, 64, cudaStreamTailLaunch>>>(out);"}},
	{mark: "uses", kernel: "parent", kind: finding.ChildWait, maker: memory.AwaitChild, set: between("launched", "uses"), want: []string{"child<<<1, 32>>>(out); cudaDeviceSynchronize();"}},
	{mark: "streamed", kernel: "parent", kind: finding.OrderStreams, maker: memory.OrderWork, set: between("launched", "streamed"),
		want: []string{"cudaEventRecord(done…, 0); cudaStreamWaitEvent(own, done", "child<<<1, 32, 0, 0>>>(out);", "child<<<1, 32, 0, cudaStreamTailLaunch>>>(out);\n    /*sized*/"}},
	{mark: "launched", kernel: "parent", kind: finding.RaiseSyncDepth, maker: memory.RaiseSyncDepth,
		want: []string{"/*nests*/ cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4); parent<<<"}, refused: []string{"cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4); child<<<1, 32>>>"}},
}

// TestChildKinds: the repairs of grids that device code launches, which clang rejects as they are written.
func TestChildKinds(t *testing.T) { testKinds(t, childText, true, childCases) }
