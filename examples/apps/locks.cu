// Locks and grid-wide barriers built from atomics and fences: what programs do
// when a launch boundary is too far. Lanes of one warp compete for a lock, so
// they must progress independently (sm_70 and later).

#include "../check.h"

const int ACCOUNTS = 8;

struct Account {
    int lock;
    int balance;
    int deposits;
};

// deposit changes two plain words under the account's lock.
__device__ void deposit(Account *account, int amount) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&account->lock, 0, 1) == 0) {
            __threadfence();
            account->balance += amount;
            account->deposits++;
            __threadfence();
            atomicExch(&account->lock, 0);
            done = true;
        }
    }
}

__global__ void bank(Account *accounts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    deposit(&accounts[i % ACCOUNTS], i);
}

struct Barrier {
    unsigned arrived;
    unsigned generation;
};

// gridBarrier waits until all blocks are here. All blocks must be resident.
__device__ void gridBarrier(Barrier *barrier) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned generation = atomicAdd(&barrier->generation, 0u);
        __threadfence();
        if (atomicAdd(&barrier->arrived, 1u) == gridDim.x - 1) {
            atomicExch(&barrier->arrived, 0u);
            __threadfence();
            atomicAdd(&barrier->generation, 1u);
        } else {
            while (atomicAdd(&barrier->generation, 0u) == generation) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

// diffuse does several steps of a ring smoothing in one launch.
__global__ void diffuse(int *a, int *b, int n, int steps, Barrier *barrier) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int s = 0; s < steps; s++) {
        if (i < n) b[i] = a[(i + n - 1) % n] + a[(i + 1) % n];
        gridBarrier(barrier);
        int *swap = a;
        a = b;
        b = swap;
    }
}

static bool runBank() {
    const int blocks = 4, threads = 64;
    Account *dAccounts = toDevice(std::vector<Account>(ACCOUNTS));
    bank<<<blocks, threads>>>(dAccounts);
    CHECK_LAUNCH();
    std::vector<int> got, want(2 * ACCOUNTS);
    for (const Account &a : toHost(dAccounts, ACCOUNTS)) got.insert(got.end(), {a.balance, a.deposits});
    for (int i = 0; i < blocks * threads; i++) {
        want[2 * (i % ACCOUNTS)] += i;
        want[2 * (i % ACCOUNTS) + 1]++;
    }
    CHECK(cudaFree(dAccounts));
    return same("locks", got, want);
}

static bool runDiffuse() {
    const int n = 250, steps = 5;
    std::vector<int> a(n), b(n);
    for (int i = 0; i < n; i++) a[i] = i % 7;
    int *dA = toDevice(a), *dB = toDevice(b);
    Barrier *dBarrier = toDevice(std::vector<Barrier>(1));
    diffuse<<<4, 64>>>(dA, dB, n, steps, dBarrier);
    CHECK_LAUNCH();
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) b[i] = a[(i + n - 1) % n] + a[(i + 1) % n];
        a.swap(b);
    }
    bool ok = same("grid barrier", toHost(steps % 2 ? dB : dA, n), a);
    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dBarrier));
    return ok;
}

int main() {
    bool ok = runBank();
    ok &= runDiffuse();
    return ok ? 0 : 1;
}
