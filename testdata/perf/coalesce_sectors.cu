// flags: --tool coalesce
// Sectors of 32 bytes (sm_80). Each kernel reads or writes in one way; those
// without an expectation are as good as they can be.
#include <cuda_runtime.h>
struct Vec4 { float x, y, z, w; };
struct Vec3 { float x, y, z; };
struct Pair { double a, b; };
struct Big { float key; float rest[15]; };

#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void copy(const float *in, float *out) { out[ID] = in[ID]; }
__global__ void reversed(const float *in, float *out) { out[ID] = in[1023 - ID]; }
__global__ void permuted(const float *in, float *out) { out[ID] = in[ID ^ 5]; }
__global__ void permutedInSector(const float *in, float *out) { out[ID ^ 1] = in[ID ^ 7]; }
__global__ void permutedWide(const float *in, float *out) { out[ID] = in[ID ^ 32]; }
__global__ void broadcast(const float *in, float *out) { out[ID] = in[blockIdx.x]; }
__global__ void fewWords(const float *in, float *out) { out[ID] = in[threadIdx.x % 8]; }
__global__ void perWarp(const float *in, float *out) { out[ID] = in[threadIdx.x / 32]; }
__global__ void oneLane(const float *in, float *out) { if (threadIdx.x % 32 == 3) out[ID] = in[ID]; }
__global__ void halfWarps(const float *in, float *out) { if (threadIdx.x % 32 < 16) out[ID] = in[ID]; }
__global__ void blocksOf8(const float *in, float *out) { out[ID] = in[ID / 8 * 16 + ID % 8]; }

__global__ void shifted1(const float *in, float *out) {
    out[ID] = in[ID + 1]; // want coalesce misaligned info: begins 4 bytes after
}
__global__ void shifted7(const float *in, float *out) {
    out[ID + 7] = in[ID]; // want coalesce misaligned info
}
__global__ void shifted8(const float *in, float *out) { out[ID] = in[ID + 8]; }
__global__ void shifted32(const float *in, float *out) { out[ID] = in[ID + 32]; }
__global__ void shiftedDouble(const double *in, double *out) {
    out[ID] = in[ID + 1]; // want coalesce misaligned info
}
__global__ void shiftedDouble4(const double *in, double *out) { out[ID] = in[ID + 4]; }

__global__ void stride2(const float *in, float *out) {
    out[ID] = in[2 * ID]; // want coalesce uncoalesced warning
}
__global__ void stride3(const float *in, float *out) {
    out[3 * ID] = in[ID]; // want coalesce uncoalesced warning
}
__global__ void stride32(const float *in, float *out) {
    out[ID] = in[32 * ID % 32768]; // want coalesce uncoalesced warning
}
__global__ void stride33(const float *in, float *out) {
    out[ID] = in[33 * ID % 33792]; // want coalesce uncoalesced warning
}
__global__ void stride0(const float *in, float *out) { out[ID] = in[0 * ID]; }
__global__ void negative(const float *in, float *out) {
    out[ID] = in[2 * (1023 - ID)]; // want coalesce uncoalesced warning
}

__global__ void chars(const char *in, char *out) { out[ID] = in[ID]; }
__global__ void charsBy4(const char *in, char *out) {
    out[ID] = in[4 * ID]; // want coalesce uncoalesced warning
}
__global__ void shorts(const short *in, short *out) { out[ID] = in[ID]; }
__global__ void doubles(const double *in, double *out) { out[ID] = in[ID]; }
__global__ void doublesBy2(const double *in, double *out) {
    out[ID] = in[2 * ID]; // want coalesce uncoalesced warning
}
__global__ void float4s(const float4 *in, float4 *out) { out[ID] = in[ID]; }
__global__ void float4sBy2(const float4 *in, float4 *out) {
    out[ID] = in[2 * ID]; // want coalesce uncoalesced warning: 32 bytes apart
}
__global__ void float2sBy3(const float2 *in, float2 *out) {
    out[ID] = in[3 * ID]; // want coalesce uncoalesced warning
}

__global__ void aos4(const Vec4 *in, float *out) {
    out[ID] = in[ID].x  // want coalesce uncoalesced warning: structure of arrays
            + in[ID].w; // want coalesce uncoalesced warning: structure of arrays
}
__global__ void aosAll(const Vec4 *in, float *out) {
    out[ID] = in[ID].x  // want coalesce uncoalesced warning
            + in[ID].y  // want coalesce uncoalesced warning
            + in[ID].z  // want coalesce uncoalesced warning
            + in[ID].w; // want coalesce uncoalesced warning: one vector of 16 bytes
}
__global__ void aos3(const Vec3 *in, float *out) {
    out[ID] = in[ID].y; // want coalesce uncoalesced warning
}
__global__ void aosPair(const Pair *in, double *out) {
    out[ID] = in[ID].b; // want coalesce uncoalesced warning
}
__global__ void aosBig(const Big *in, float *out) {
    out[ID] = in[ID].key; // want coalesce uncoalesced warning
}
__global__ void soa(const float *x, const float *y, float *out) { out[ID] = x[ID] + y[ID]; }

__global__ void rowPerThread(const float *in, float *out) {
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += in[ID * 64 + k]; // want coalesce uncoalesced warning: exchange lanes
    out[ID] = sum;
}
__global__ void columnPerThread(const float *in, float *out) {
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += in[k * 1024 + ID];
    out[ID] = sum;
}
__global__ void chunkPerThread(const float *in, float *out) {
    for (int k = 0; k < 4; k++)
        out[ID * 4 + k] += 1; // want coalesce uncoalesced warning: exchange lanes // want coalesce uncoalesced warning
}

__global__ void tileRows(const float *in, float *out) {
    int x = threadIdx.x, y = threadIdx.y;
    out[y * 32 + x] = in[y * 32 + x];
}
__global__ void tileColumns(const float *in, float *out) {
    int x = threadIdx.x, y = threadIdx.y;
    float v = in[x * 32 + y]; // want coalesce uncoalesced warning: exchange threadIdx.x
    out[x * 32 + y] = v;      // want coalesce uncoalesced warning: exchange threadIdx.x
}
__global__ void transpose(const float *in, float *out) {
    int x = threadIdx.x, y = threadIdx.y;
    float v = in[y * 32 + x];
    out[x * 32 + y] = v; // want coalesce uncoalesced warning: tile in shared memory
}
__global__ void narrowBlock(const float *in, float *out) {
    int x = threadIdx.x, y = threadIdx.y; // 8 by 32
    out[y * 8 + x] = in[y * 1024 + x];
}
__global__ void narrow4(const float *in, float *out) {
    int x = threadIdx.x, y = threadIdx.y; // 4 by 64
    out[y * 4 + x] = in[y * 64 + x]; // want coalesce uncoalesced warning: make the block wider
}
__global__ void oddRows(const float *in, float *out) {
    int x = threadIdx.x, y = threadIdx.y;
    out[y * 32 + x] = in[y * 35 + x]; // want coalesce misaligned info: cudaMallocPitch
}

__global__ void gather(const int *index, const float *in, float *out) {
    out[ID] = in[index[ID]]; // want coalesce uncoalesced info
}
__global__ void scatterAtomics(int *bins) {
    atomicAdd(&bins[ID * 7919 % 4096], 1); // want coalesce uncoalesced info
}
__global__ void atomicOne(int *bins) {
    atomicAdd(bins, threadIdx.x); // want coalesce contention warning: combine the values of the warp first
}
// One lane updates for its warp, or each lane has a word of its own, or it is a swap.
__global__ void atomicPerWarp(int *bins) {
    int v = __reduce_add_sync(0xffffffff, threadIdx.x);
    if (threadIdx.x % 32 == 0) atomicAdd(bins, v);
}
__global__ void atomicPerLane(int *bins) { atomicAdd(&bins[threadIdx.x], 1); }
__global__ void atomicSwap(int *bins) { atomicExch(bins, 1); }
__global__ void rare(const float *in, float *out) {
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += in[k * 1024 + ID];
    if (ID < 4)
        sum += in[ID * 64];
    out[ID] = sum;
}
// Lanes in between take no part: their words lie between as well.
__global__ void everyOther(const float *in, float *out) {
    if (ID % 2 == 0)
        out[ID] = in[ID]; // want coalesce uncoalesced info: some lanes in between // want coalesce uncoalesced info: some lanes in between
}
__global__ void tail(const float *in, float *out, int n) { if (ID < n) out[ID] = in[ID]; }

__global__ void fill(int *index, int n) {
    unsigned v = ID * 2654435761u;
    index[ID] = (v >> 8) % n;
}

int main() {
    char *a, *b;
    const size_t bytes = 1 << 20;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    float *f = (float *)a, *g = (float *)b;
#define RUN(kernel, ...) kernel<<<4, 256>>>(__VA_ARGS__)
    RUN(copy, f, g); RUN(reversed, f, g); RUN(permuted, f, g); RUN(permutedInSector, f, g);
    RUN(permutedWide, f, g); RUN(broadcast, f, g); RUN(fewWords, f, g); RUN(perWarp, f, g);
    RUN(oneLane, f, g); RUN(halfWarps, f, g); RUN(blocksOf8, f, g);
    RUN(shifted1, f, g); RUN(shifted7, f, g); RUN(shifted8, f, g); RUN(shifted32, f, g);
    RUN(shiftedDouble, (double *)a, (double *)b); RUN(shiftedDouble4, (double *)a, (double *)b);
    RUN(stride2, f, g); RUN(stride3, f, g); RUN(stride32, f, g); RUN(stride33, f, g);
    RUN(stride0, f, g); RUN(negative, f, g);
    RUN(chars, a, b); RUN(charsBy4, a, b); RUN(shorts, (short *)a, (short *)b);
    RUN(doubles, (double *)a, (double *)b); RUN(doublesBy2, (double *)a, (double *)b);
    RUN(float4s, (float4 *)a, (float4 *)b); RUN(float4sBy2, (float4 *)a, (float4 *)b);
    RUN(float2sBy3, (float2 *)a, (float2 *)b);
    RUN(aos4, (Vec4 *)a, g); RUN(aosAll, (Vec4 *)a, g); RUN(aos3, (Vec3 *)a, g);
    RUN(aosPair, (Pair *)a, (double *)b); RUN(aosBig, (Big *)a, g); RUN(soa, f, f + 1024, g);
    RUN(rowPerThread, f, g); RUN(columnPerThread, f, g); RUN(chunkPerThread, f, g);
    dim3 square(32, 8), narrow(8, 32), thin(4, 64);
    tileRows<<<1, square>>>(f, g); tileColumns<<<1, square>>>(f, g); transpose<<<1, dim3(32, 32)>>>(f, g);
    narrowBlock<<<1, narrow>>>(f, g); narrow4<<<1, thin>>>(f, g); oddRows<<<1, square>>>(f, g);
    RUN(fill, (int *)b, 4096);
    gather<<<4, 256>>>((int *)b, f, g + 65536);
    RUN(scatterAtomics, (int *)a); RUN(atomicOne, (int *)a); RUN(atomicPerWarp, (int *)a); RUN(atomicPerLane, (int *)a); RUN(atomicSwap, (int *)a); RUN(rare, f, g); RUN(everyOther, f, g); RUN(tail, f, g, 1000);
    return cudaDeviceSynchronize() != cudaSuccess;
}
