// Constant memory that is read at random (section 4.4): it delivers one word at
// a time to a warp, so that a look-up with 32 different indices takes 32 times
// as long. The results are right.
//
//   warpgrind run --tool constant constant_memory.cu
//
// gives the reads of each site and how often they had to be repeated. -D FIXED
// keeps the table in global memory, which has caches for that. -D GROUPED is the
// paper's own redesign: a block looks up a small part of the table, and the
// threads of a warp nearly always the same entry.

#include "../check.h"

const int Entries = 1024;
__constant__ unsigned Constant[Entries];
__device__ unsigned Global[Entries];

#ifdef FIXED
#define TABLE Global
#else
#define TABLE Constant
#endif

__global__ void translate(unsigned *out, const unsigned *in, int n) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = tid; i < n; i += gridDim.x * blockDim.x) {
        unsigned v = in[i];
        out[i] = TABLE[v % Entries] ^ v; // want constant
    }
}

int main() {
    const int n = 4096;
    std::vector<unsigned> table(Entries), in(n), want(n);
    Random random;
    for (int i = 0; i < Entries; i++) table[i] = random.next();
    for (int i = 0; i < n; i++) {
        in[i] = random.next();
#ifdef GROUPED
        int warp = i / 32;
        if (i % 256 != 64) in[i] = warp % 32 * 32 + warp / 32; // one in 256 stays as it is
#endif
        want[i] = table[in[i] % Entries] ^ in[i];
    }
    CHECK(cudaMemcpyToSymbol(TABLE, table.data(), Entries * sizeof(unsigned)));
    unsigned *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, n * sizeof(unsigned)));
    translate<<<8, 128>>>(dOut, dIn, n);
    CHECK_LAUNCH();
    bool ok = same("translate", toHost(dOut, n), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
