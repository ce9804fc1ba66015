// Results that differ from run to run (section 4.5): blocks take numbers from a
// counter and keep the best value that they have seen, with a read and a write
// instead of an atomic. Which one survives depends on who came last.
//
//   warpgrind run --runs 4 run_to_run.cu
//
// runs the program under four schedules, reports the data race, and that the
// result differs. -D FIXED uses atomicMax.

#include "../check.h"

// best finds the largest of n scores; best[0] is 0 at first.
__global__ void maximum(int *best, const int *scores, int n) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = tid; i < n; i += gridDim.x * blockDim.x) {
#ifdef FIXED
        atomicMax(best, scores[i]);
#else
        if (scores[i] > *best) *best = scores[i]; // want race, schedule
#endif
    }
}

int main() {
    const int n = 2048;
    std::vector<int> scores(n);
    Random random;
    int want = 0;
    for (int &s : scores) {
        s = random.below(100000);
        want = s > want ? s : want;
    }
    int *dScores = toDevice(scores), *dBest;
    CHECK(cudaMalloc(&dBest, sizeof(int)));
    CHECK(cudaMemset(dBest, 0, sizeof(int)));
    maximum<<<8, 64>>>(dBest, dScores, n);
    CHECK_LAUNCH();
    int best = toHost(dBest, 1)[0];
    printf("best: %d, %s\n", best, best == want ? "PASS" : "FAIL");
    CHECK(cudaFree(dScores));
    CHECK(cudaFree(dBest));
    return best == want ? 0 : 1;
}
