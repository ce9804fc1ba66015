// flags: --arch sm_70
// What the threads of a grid and its child grids do to the same memory.
#include <cstdio>
const int N = 64;
__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
__global__ void readers(const int *p, int *q) { q[threadIdx.x] = p[N - 1 - threadIdx.x]; } // want RAW no-barrier/syncthreads [thread]
__global__ void count(int *p) { atomicAdd(p, 1); }

// The launcher's own writes, and those before a barrier, are seen.
__global__ void before(int *p, int *q) {
    p[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 5) {
        p[0] = 2;
        readers<<<1, N>>>(p, q);
    }
}
// So is what lanes of its warp did before a __syncwarp.
__global__ void before_warp(int *p, int *q) {
    if (threadIdx.x < 32) {
        p[threadIdx.x] = 1;
        p[threadIdx.x + 32] = 1;
        __syncwarp();
        if (threadIdx.x == 31) readers<<<1, N>>>(p, q);
    }
}
namespace other_warp {
__global__ void child(const int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x]; // want RAW no-barrier/syncthreads
}
__global__ void parent(int *p, int *q) {
    if (threadIdx.x >= 32) p[threadIdx.x] = 1;
    if (threadIdx.x == 0) child<<<1, N>>>(p, q);
}
} // namespace other_warp
namespace same_warp {
__global__ void child(const int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x]; // want RAW no-syncwarp/syncwarp [its]; RAW no-barrier/syncthreads [thread]
}
__global__ void parent(int *p, int *q) {
    if (threadIdx.x < 32) {
        p[threadIdx.x] = 1;
        if (threadIdx.x == 0) child<<<1, 32>>>(p, q);
    }
}
} // namespace same_warp

// After the launch nothing is ordered without a wait.
namespace after_launch {
__global__ void reads(int *p, int *q) {
    if (threadIdx.x == 0) {
        fill<<<1, N>>>(p, 3);
        q[0] = p[1]; // want RAW child-unordered/child-wait
    }
}
__global__ void writes(int *p, int *q) {
    if (threadIdx.x == 0) {
        readers<<<1, N>>>(p, q);
        p[1] = 4; // want WAR child-unordered/child-wait
    }
}
__global__ void both(int *p) {
    if (threadIdx.x == 0) fill<<<1, N>>>(p, 3);
    __syncthreads();
    p[threadIdx.x] = 5; // want WAW child-unordered/child-wait
}
// Other bytes, reads of what is only read, and atomics on both sides are fine.
__global__ void apart(int *p, int *q) {
    if (threadIdx.x == 0) {
        readers<<<1, N>>>(p, q);
        count<<<1, N>>>(q + 2 * N - 1);
        q[N] = p[3];
        atomicAdd(&q[2 * N - 1], 1);
    }
}
} // namespace after_launch

// cudaDeviceSynchronize orders its own thread, a barrier behind it the block.
__global__ void waits(int *p, int *q) {
    if (threadIdx.x == 0) {
        fill<<<1, N>>>(p, 3);
        cudaDeviceSynchronize();
        q[0] = p[1];
        p[1] = 7;
        add<<<1, N>>>(p, 1);
        cudaDeviceSynchronize();
    }
    __syncthreads();
    q[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = 1;
}
// It waits for what other threads of the block have launched.
__global__ void waits_for_all(int *p, int *q) {
    if (threadIdx.x == 40) fill<<<1, N>>>(p, 3);
    __syncthreads();
    if (threadIdx.x == 0) {
        cudaDeviceSynchronize();
        q[0] = p[1];
    }
}
namespace no_barrier {
__global__ void parent(int *p, int *q) {
    if (threadIdx.x == 0) {
        fill<<<1, N>>>(p, 3);
        cudaDeviceSynchronize();
    }
    if (threadIdx.x == 32) q[0] = p[1]; // want RAW no-barrier/syncthreads
}
__global__ void within(int *p, int *q) {
    if (threadIdx.x == 0) {
        fill<<<1, N>>>(p, 3);
        cudaDeviceSynchronize();
    }
    if (threadIdx.x < 32) q[threadIdx.x] = p[threadIdx.x]; // want RAW no-syncwarp/syncwarp [its]; RAW no-barrier/syncthreads [thread]
}
__global__ void within_warp(int *p, int *q) {
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            fill<<<1, N>>>(p, 3);
            cudaDeviceSynchronize();
        }
        __syncwarp();
        q[threadIdx.x] = p[threadIdx.x]; // want RAW no-barrier/syncthreads [thread]
    }
}
} // namespace no_barrier
// A launch between the wait and the barrier is not waited for.
__global__ void one_more(int *p, int *q) {
    if (threadIdx.x == 0) {
        fill<<<1, N>>>(p, 3);
        cudaDeviceSynchronize();
        fill<<<1, N>>>(p, 3);
    }
    __syncthreads();
    q[threadIdx.x] = p[threadIdx.x]; // want RAW child-unordered/child-wait
}

// The tail stream follows the whole grid, and a parent's end its children.
__global__ void tail(int *p, int *q) {
    if (threadIdx.x == 0) {
        fill<<<1, N>>>(p, 3);
        readers<<<1, N, 0, cudaStreamTailLaunch>>>(p, q);
        add<<<1, N, 0, cudaStreamTailLaunch>>>(q, 1);
    }
    q[threadIdx.x] = 4;
}

// Other blocks of the grid.
namespace blocks {
__global__ void child(const int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x]; // want RAW blocks-unordered/tail-launch
}
__global__ void parent(int *p, int *q) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
    if (blockIdx.x == 1 && threadIdx.x == 0) child<<<1, 64>>>(p, q);
}
__device__ unsigned done;
__global__ void last(int *p, int *q) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&done, 1) == gridDim.x - 1) {
        __threadfence();
        readers<<<1, N>>>(p, q);
    }
}
} // namespace blocks

// Grandchildren, recursion, and copies and fills.
namespace deeper {
__global__ void leaf(int *p) { p[threadIdx.x] = 3; }
__global__ void middle(int *p) {
    if (threadIdx.x == 0) leaf<<<1, N>>>(p);
}
__global__ void parent(int *p, int *q) {
    if (threadIdx.x == 0) {
        middle<<<1, 1>>>(p);
        q[0] = p[1]; // want RAW child-unordered/child-wait
    }
}
__global__ void good(int *p, int *q) {
    if (threadIdx.x == 0) {
        middle<<<1, 1>>>(p);
        cudaDeviceSynchronize();
        q[0] = p[1];
    }
}
__global__ void halves(int *p, int n) {
    if (n == 1) {
        p[0] += 1;
    } else if (threadIdx.x < 2) {
        halves<<<1, n == 2 ? 1 : 2>>>(p + threadIdx.x * n / 2, n / 2);
    }
}
__global__ void copies(int *p, int *q) {
    if (threadIdx.x == 0) {
        cudaMemsetAsync(p, 0, N * sizeof(int), 0);
        cudaMemcpyAsync(q, p, N * sizeof(int), cudaMemcpyDeviceToDevice, 0);
        cudaDeviceSynchronize();
        q[N] = q[0];
        cudaMemcpyAsync(q, p, 4, cudaMemcpyDeviceToDevice, 0);
        p[0] = q[N]; // want WAR child-unordered/child-wait
    }
}
} // namespace deeper

int main() {
    int *p, *q;
    cudaMalloc(&p, 2 * N * sizeof(int));
    cudaMalloc(&q, 2 * N * sizeof(int));
    cudaMemset(p, 0, 2 * N * sizeof(int));
    cudaMemset(q, 0, 2 * N * sizeof(int));
    before<<<1, N>>>(p, q);
    before_warp<<<1, N>>>(p, q);
    other_warp::parent<<<1, N>>>(p, q);
    same_warp::parent<<<1, N>>>(p, q);
    after_launch::reads<<<1, N>>>(p, q);
    after_launch::writes<<<1, N>>>(p, q);
    after_launch::both<<<1, N>>>(p);
    after_launch::apart<<<1, N>>>(p, q);
    waits<<<1, N>>>(p, q);
    waits_for_all<<<1, N>>>(p, q);
    no_barrier::parent<<<1, N>>>(p, q);
    no_barrier::within<<<1, N>>>(p, q);
    no_barrier::within_warp<<<1, N>>>(p, q);
    one_more<<<1, N>>>(p, q);
    tail<<<1, N>>>(p, q);
    blocks::parent<<<2, N>>>(p, q);
    blocks::last<<<2, N>>>(p, q);
    deeper::parent<<<1, N>>>(p, q);
    deeper::good<<<1, N>>>(p, q);
    deeper::halves<<<1, 2>>>(p, N);
    deeper::copies<<<1, N>>>(p, q);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
    cudaFree(p);
    cudaFree(q);
}
