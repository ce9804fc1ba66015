// Rows of a grid come by cp.async, STAGES ahead, in groups; each thread sums a column of three rows.
// flags: --arch sm_80
#include "pipeline.h"
#include <cuda_pipeline.h>

constexpr int WIDTH = 128, HEIGHT = 12, STAGES = 5;

__global__ void blur(const int *in, int *out) {
    __shared__ alignas(16) int rows[STAGES][WIDTH];
    in += blockIdx.x * WIDTH * HEIGHT;
    out += blockIdx.x * WIDTH * HEIGHT;
    int t = threadIdx.x;
    auto load = [&](int y) {
        if (y < HEIGHT && t < WIDTH / 4) __pipeline_memcpy_async(&rows[y % STAGES][4 * t], in + y * WIDTH + 4 * t, 16);
        __pipeline_commit();
    };
    for (int y = 0; y < STAGES - 1; y++) load(y);
    for (int y = 1; y < HEIGHT - 1; y++) {
        __pipeline_wait_prior(STAGES - 4);
        __syncthreads();
        int sum = 0;
        for (int i = -1; i <= 1; i++) sum += rows[(y + i) % STAGES][t] + rows[(y + i) % STAGES][WIDTH - 1 - t];
        out[y * WIDTH + t] = sum;
        load(y + STAGES - 2);
    }
}

int main() {
    constexpr int N = 2 * WIDTH * HEIGHT;
    Buffer<int> in(N), out(N);
    for (int i = 0; i < N; i++) in.host[i] = i % 19;
    in.to_device();
    out.to_device();
    blur<<<2, WIDTH>>>(in.device, out.device);
    CHECK(cudaDeviceSynchronize());
    out.to_host();
    int wrong = 0;
    for (int b = 0; b < 2; b++) {
        const int *from = &in.host[b * WIDTH * HEIGHT], *got = &out.host[b * WIDTH * HEIGHT];
        for (int y = 1; y < HEIGHT - 1; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int want = 0;
                for (int i = -1; i <= 1; i++) want += from[(y + i) * WIDTH + x] + from[(y + i) * WIDTH + WIDTH - 1 - x];
                wrong += got[y * WIDTH + x] != want;
            }
        }
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
