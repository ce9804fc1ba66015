// The lanes of a warp claim slots of a table, as in examples/langdon/forgotten_volatile.cu,
// but without the jump out of the loop: each iteration ends for all of them at one place,
// so that what lanes do together does not depend on how long they take.
#include <cstdio>

const int Slots = 64, Threads = 32, Empty = -1;

__global__ void claim(int *owners, int *places) {
    __shared__ int slot[Slots];
    int id = threadIdx.x;
    for (int i = id; i < Slots; i += Threads) slot[i] = Empty;
    __syncthreads();
    int h = id * 7 % 16;
    bool done = false;
    for (int tries = 0; tries < Slots && !done; tries++) {
        if (slot[h] == Empty) {
            slot[h] = id;
            done = slot[h] == id;
        }
        if (!done) h = (h + 1) % Slots;
    }
    places[id] = h;
    __syncthreads();
    for (int i = id; i < Slots; i += Threads) owners[i] = slot[i];
}

int main() {
    int *owners, *places;
    cudaMalloc(&owners, Slots * sizeof(int)), cudaMalloc(&places, Threads * sizeof(int));
    claim<<<1, Threads>>>(owners, places);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(owners), cudaFree(places);
}
