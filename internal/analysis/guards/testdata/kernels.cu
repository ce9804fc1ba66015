// Reads that threads wait with, and writes that follow a test of the same place.
//
// A line's comment names what it has: "waits" for a read, "tested N" for a write
// after the read of line N, with "last", "extreme" and "moved" as in Test.
__global__ void spin(volatile int *f, int *a) {
    while (f[1] == 0) {} // waits
    a[0] = 1;
}
__global__ void backoff(int *f, int *a, int n) {
    int ns = 8;
    while (f[blockIdx.x] < n) { // waits
        __nanosleep(ns);
        if (ns < 256) ns *= 2;
    }
    a[0] = 1;
}
__global__ void asks(int *f, int *a) {
    while (atomicAdd(f, 0) == 0) {} // waits
    while (atomicCAS(f, 0, 1) != 0) {} // waits
    while (atomicExch(f, 1)) {} // waits
    a[0] = 1;
}
__global__ void counts(int *f, int *a) {
    while (atomicAdd(f, 1) < 9) {}
    a[0] = 1;
}
__global__ void searches(const int *f, int *a) {
    int i = 0;
    while (f[i]) i = f[i];
    a[0] = i;
}
__global__ void adds_up(const int *f, int *a, int n) {
    int x = 0;
    while (x < n) x += f[0];
    a[0] = x;
}
__global__ void works(int *f, int *a) {
    for (int i = 0; f[0] == 0; i++) a[i] = i;
}
__global__ void claims(int *f, int *a) {
    if (f[threadIdx.x] == 0)
        f[threadIdx.x] = 7; // tested 41 last
}
__global__ void claims_below(int *f, int *a, int n) {
    int x = f[threadIdx.x];
    if (x < n && a[threadIdx.x] > 0)
        f[threadIdx.x] = 7; // tested 45
}
__global__ void takes(volatile int *f, int *a) {
    while (f[0]) {} // waits
    f[0] = 1; // tested 50 last
    a[0]++;
    f[0] = 0; // tested 50 last
}
__global__ void waits_its_turn(volatile int *f, int *a) {
    while (f[0] != blockIdx.x) {} // waits
    f[0] = blockIdx.x + 1;
}
__global__ void greatest(int *f, int *a) {
    int x = a[threadIdx.x];
    if (x > f[0])
        f[0] = x; // tested 61 last extreme
}
__global__ void farther(int *f, int *a) {
    int u = threadIdx.x, v = a[u];
    if (f[u] + 1 < f[v])
        f[v] = f[u] + 1; // tested 66 last extreme
}
__global__ void exchanges(float *f, int *a) {
    float x = f[threadIdx.x], y = f[threadIdx.x + 1];
    if (x > y) {
        f[threadIdx.x] = y; // tested 70 last extreme moved
        f[threadIdx.x + 1] = x; // tested 70 last extreme moved
    }
}
__global__ void updates(int *f, int *a) {
    if (f[0] < 9) f[0] = f[0] + 1; // tested 77 last
}
__global__ void follows(int *f, int *a) {
    if (f[0]) a[0] = 1;
    f[0] = 1;
}

// A loop looks for a place, and what follows takes it.
__global__ void taken_behind_loop(int *keys, int key) {
    unsigned at = key * 7u % 100;
    while (keys[at] != 0) at = (at + 1) % 1024;
    keys[at] = key + threadIdx.x; // tested 87 last
}
