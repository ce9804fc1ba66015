// A persistent kernel: a producer thread takes tiles from a counter, loads them by bulk copies, and
// names each in shared memory; the consumers end at a tile that names none.
// flags: --arch sm_90
#include "pipeline.h"

constexpr int TILE = 128, TILES = 11, SLOTS = 2;

struct Slot {
    alignas(128) int data[TILE];
    int tile;
};
struct Shared {
    Slot slots[SLOTS];
    uint64_t full[SLOTS], empty[SLOTS];
};

struct State {
    int slot, phase;
    __device__ void advance() {
        if (++slot == SLOTS) {
            slot = 0;
            phase ^= 1;
        }
    }
};

__device__ void produce(Shared &s, const int *in, int *counter) {
    for (State at = {0, 1};; at.advance()) {
        int tile = atomicAdd(counter, 1);
        Slot &slot = s.slots[at.slot];
        mbarrier_wait(&s.empty[at.slot], at.phase);
        slot.tile = tile;
        if (tile >= TILES) {
            ptx::mbarrier_arrive(&s.full[at.slot]);
            return;
        }
        mbarrier_arrive_expect_tx(&s.full[at.slot], sizeof slot.data);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, slot.data, in + tile * TILE, sizeof slot.data, &s.full[at.slot]);
    }
}

__device__ void consume(Shared &s, int *out) {
    int t = threadIdx.x;
    for (State at = {0, 0};; at.advance()) {
        Slot &slot = s.slots[at.slot];
        mbarrier_wait(&s.full[at.slot], at.phase);
        int tile = slot.tile;
        if (tile >= TILES) return;
        int sum = slot.data[t] + slot.data[TILE - 1 - t];
        ptx::mbarrier_arrive(&s.empty[at.slot]);
        out[tile * TILE + t] = sum;
    }
}

__global__ void work(const int *in, int *out, int *counter) {
    __shared__ Shared s;
    if (threadIdx.x == 0) {
        for (int i = 0; i < SLOTS; i++) {
            ptx::mbarrier_init(&s.full[i], 1);
            ptx::mbarrier_init(&s.empty[i], TILE);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x < TILE) consume(s, out);
    else if (threadIdx.x == TILE) produce(s, in, counter);
}

int main() {
    Buffer<int> in(TILES * TILE), out(TILES * TILE), counter(1);
    for (int i = 0; i < TILES * TILE; i++) in.host[i] = i * i % 101;
    in.to_device();
    counter.to_device();
    work<<<2, TILE + 32>>>(in.device, out.device, counter.device);
    CHECK(cudaDeviceSynchronize());
    out.to_host();
    int wrong = 0;
    for (int i = 0; i < TILES * TILE; i++) wrong += out.host[i] != in.host[i] + in.host[i / TILE * TILE + TILE - 1 - i % TILE];
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
