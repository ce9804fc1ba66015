// flags: --arch sm_60
// Decoupled look-back with the loads and stores that a library makes for targets before
// sm_70: cache operators in place of volatile or relaxed accesses.
#include "run.h"
#define T threadIdx.x
#define B blockIdx.x

__device__ int load(int *p) {
    int v;
    asm volatile("ld.cg.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); // want info RAW no-fence/fence ?; RAW ?p
    return v;
}
__device__ void store(int *p, int v) { asm volatile("st.cg.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); } // want info WAR no-fence/fence ?
__device__ void fence() { asm volatile("membar.gl;" ::: "memory"); }

// Value and flag apart, with a fence on both sides.
__global__ void fenced(int *a, int *f) {
    if (T != 0) return;
    int sum = 0;
    if (B > 0) {
        while (load(&f[B - 1]) == 0) {}
        fence();
        sum = a[B - 1];
    }
    a[B] = sum + 1;
    fence();
    store(&f[B], 1);
}
// Value and flag in one word.
__global__ void packed(int *a, int *f) {
    if (T != 0) return;
    int sum = 0;
    if (B > 0)
        while ((sum = load(&a[B - 1])) == 0) {}
    store(&a[B], sum + 1);
}
__global__ void no_release(int *a, int *f) {
    if (T != 0) return;
    int sum = 0;
    if (B > 0) {
        while (load(&f[B - 1]) == 0) {}
        fence();
        sum = a[B - 1]; // want RAW no-fence/fence
    }
    a[B] = sum + 1;
    store(&f[B], 1);
}
__global__ void plain_flag(int *a, int *f) {
    if (T != 0) return;
    int sum = 0;
    if (B > 0) {
        while (load(&f[B - 1]) == 0) {}
        fence();
        sum = a[B - 1]; // want RAW not-volatile/volatile ?p
    }
    a[B] = sum + 1;
    fence();
    f[B] = 1; // want WAR not-volatile/volatile ?p
}

int main() {
    launch(fenced, 8, 32);
    launch(packed, 8, 32);
    launch(no_release, 8, 32);
    launch(plain_flag, 8, 32);
}
