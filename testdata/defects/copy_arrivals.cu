// The arrival that completed copies trigger (cp.async.mbarrier.arrive) orders the copies of its thread, and no ordinary access.
// flags: --arch sm_90
// clean: copies filled counted_too added overwritten waited
#include <cstdio>
#include <cstring>

__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned long long *bar, unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared(bar)), "r"(n) : "memory"); }
__device__ void arrive(unsigned long long *bar) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared(bar)) : "memory"); }
__device__ void copies_arrive(unsigned long long *bar) { asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared(bar)) : "memory"); }
__device__ void copies_added(unsigned long long *bar) { asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(shared(bar)) : "memory"); }
__device__ void wait(unsigned long long *bar, unsigned phase) {
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra W; }" ::"r"(shared(bar)), "r"(phase) : "memory");
}
__device__ void copy(int4 *to, const int4 *from, int bytes = 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared(to)), "l"(from), "r"(bytes) : "memory");
}

enum How { COPIES, FILLED, STORED, FENCED, JOINED, COUNTED_TOO, ADDED, WAITED };

// Half of the threads copy rows of a tile and clear those that are beyond the end; the others wait and read.
template <How HOW> __global__ void tile(const int4 *in, int4 *out, int n) {
    __shared__ int4 t[64];
    __shared__ unsigned long long bar;
    int who = threadIdx.x;
    if (who == 0) init(&bar, HOW == COUNTED_TOO ? 128 : 64);
    __syncthreads();
    if (who < 64) {
        if (HOW == COPIES || who < n) copy(t + who, in + who);
        else if (HOW == FILLED) copy(t + who, in, 0);
        else t[who] = make_int4(0, 0, 0, 0);
        if (HOW == FENCED) __threadfence_block();
        if (HOW == JOINED) __syncwarp();
        if (HOW == WAITED) asm volatile("cp.async.wait_all;" ::: "memory");
        else if (HOW == ADDED) copies_added(&bar);
        else copies_arrive(&bar);
        if (HOW == COUNTED_TOO || HOW == ADDED || HOW == WAITED) arrive(&bar);
    } else {
        wait(&bar, 0);
        out[who - 64] = t[who - 64];  // want(stored) race RAW // want(fenced) race RAW // want(joined) race RAW
    }
}

// A warp reads a stage and gives it back by the arrival of copies to another one; or it fills it again by copies itself.
enum Again { GIVEN_BACK, OVERWRITTEN };
template <Again HOW> __global__ void stages(const int4 *in, int4 *out) {
    __shared__ int4 t[2][32];
    __shared__ unsigned long long used, full;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) init(&used, 32), init(&full, 32);
    if (threadIdx.x < 32) t[0][lane] = make_int4(lane, 0, 0, 0);
    __syncthreads();
    switch (threadIdx.x / 32) {
    case 0:
        out[lane] = t[0][lane];
        arrive(&used);
        break;
    case 1:
        if (HOW == GIVEN_BACK) out[32 + lane] = t[0][lane];
        wait(&used, 0);
        copy(t[HOW == GIVEN_BACK] + lane, in + lane);
        copies_arrive(&full);
        break;
    default:
        wait(&full, 0);
        t[0][lane].x += 1;  // want(given_back) race WAR
    }
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int4 *in, *out;
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(in, 0, 64 * sizeof *in);
    if (is("copies")) tile<COPIES><<<1, 128>>>(in, out, 50);
    if (is("filled")) tile<FILLED><<<1, 128>>>(in, out, 50);
    if (is("stored")) tile<STORED><<<1, 128>>>(in, out, 50);
    if (is("fenced")) tile<FENCED><<<1, 128>>>(in, out, 50);
    if (is("joined")) tile<JOINED><<<1, 128>>>(in, out, 50);
    if (is("counted_too")) tile<COUNTED_TOO><<<1, 128>>>(in, out, 50);
    if (is("added")) tile<ADDED><<<1, 128>>>(in, out, 50);
    if (is("waited")) tile<WAITED><<<1, 128>>>(in, out, 50);
    if (is("given_back")) stages<GIVEN_BACK><<<1, 96>>>(in, out);
    if (is("overwritten")) stages<OVERWRITTEN><<<1, 96>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
