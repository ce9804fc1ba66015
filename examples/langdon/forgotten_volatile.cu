// volatile forgotten (section 4.3): the threads of a warp write to one element
// and look who succeeded. Without volatile the compiler may keep what a thread
// wrote in a register, and each thread thinks that it was the one.
//
//   warpgrind run forgotten_volatile.cu
//
// reports the write and the read that nothing orders, whatever the compiler
// makes of them. volatile alone is the cure of the paper's days; on GPUs whose
// lanes do not move together it is none. -D FIXED lets an atomic decide.

#include "../check.h"

const int Slots = 64, Threads = 32, Empty = -1;

// claim gives each key a slot of the table: slot[h] is the thread that has h.
// Threads that lost continue to the next slot.
__global__ void claim(int *owners, int *places, const int *keys) {
    __shared__ int slot[Slots];
    int id = threadIdx.x;
    for (int i = id; i < Slots; i += Threads) slot[i] = Empty;
    __syncthreads();
    int h = keys[id] % Slots;
    for (int tries = 0; tries < Slots; tries++) {
#ifdef FIXED
        if (atomicCAS(&slot[h], Empty, id) == Empty) break;
#else
        if (slot[h] == Empty) { // want race
            slot[h] = id;       // want race
            if (slot[h] == id) break; // want race
        }
#endif
        h = (h + 1) % Slots;
    }
    places[id] = h;
    __syncthreads();
    for (int i = id; i < Slots; i += Threads) owners[i] = slot[i];
}

int main() {
    std::vector<int> keys(Threads);
    Random random;
    for (int &k : keys) k = random.below(16); // many want the same slot
    int *dKeys = toDevice(keys), *dOwners, *dPlaces;
    CHECK(cudaMalloc(&dOwners, Slots * sizeof(int)));
    CHECK(cudaMalloc(&dPlaces, Threads * sizeof(int)));
    claim<<<1, Threads>>>(dOwners, dPlaces, dKeys);
    CHECK_LAUNCH();
    std::vector<int> owners = toHost(dOwners, Slots), places = toHost(dPlaces, Threads), want(Threads), got(Threads);
    for (int t = 0; t < Threads; t++) {
        want[t] = t;
        got[t] = owners[places[t]];
    }
    bool ok = same("claim", got, want);
    CHECK(cudaFree(dKeys));
    CHECK(cudaFree(dOwners));
    CHECK(cudaFree(dPlaces));
    return ok ? 0 : 1;
}
