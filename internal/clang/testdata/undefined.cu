// What the source does although its behavior is undefined: every access is kept.
// "// want" lists the accesses of a line, "// local" has the number of those to local
// memory, "// unset" the variables whose uninitialized value is used, at the place of
// their declaration.

struct Pair { int x; float y; };

__global__ void unset(int *q, Pair *p, int n) {
    int t = threadIdx.x;
    float sum;                                        // unset sum
    for (int i = 0; i < n; i++)
        sum += q[i];                                  // want ld.global.u32
    q[t] = sum;                                       // want st.global.u32
    float acc[4];                                     // unset acc
    #pragma unroll
    for (int i = 0; i < 4; i++)
        acc[i] += q[i];                               // want ld.global.u32*4
    q[t + 1] = acc[0] + acc[3];                       // want st.global.u32
    Pair fresh;                                       // unset fresh
    p[42] = fresh;                                    // want st.global.u32*2
    int x;                                            // unset x
    q[t % 7] = x;                                     // want st.global.u32
    int last = t;
    for (int i = 0; i < 4; i++) {
        int inner;                                    // unset inner
        if (i == last) inner = i;
        q[i + inner] = last;                          // want st.global.u32
    }
}

// What every path sets before it is read needs nothing.
__device__ void give(const int *q, int i, int &out) {
    if (i > 0) out = q[i];                            // want ld.global.u32
    else out = 1;
}
struct Sphere { float x, y, r; __device__ Sphere() {} __device__ Sphere(float a) : x(a), y(a), r(a) {} };
__global__ void set(int *q, float f, int n) {
    int v, w;
    give(q, n, v);
    if (n > 3) w = 1; else w = 2;
    Sphere a, all[3];
    a = Sphere(f);
    #pragma unroll
    for (int i = 0; i < 3; i++) all[i] = Sphere(f * i);
    q[v] = w + a.x + all[2].r;                        // want st.global.u32
}

// Local variables beyond their ends. What the initializer of an array that is only read
// is copied from may be read instead.
__global__ void beyond(int *q, int t) {
    int a[4] = {1, 2, 3, 4};
    int s = 0;
    for (int i = 0; i <= 4; i++) s += a[i];           // want ld.global.nc.u32
    q[0] = s + t;                                     // want st.global.u32
    int b[4] = {t, t, t, t};                          // local 4
    b[5] = t;                                         // local 1
    q[1] = b[1];                                      // want st.global.u32
    int x = t, *d = &x;                               // local 1
    d[1] = 200;                                       // local 1
    q[2] = x;                                         // want st.global.u32
    int c[3] = {t, t, t};                             // local 3
    for (int *p = c; p <= c + 3; p++) q[3] += *p;     // want ld.u32 ld.global.u32 st.global.u32
    int e[3] = {t, t, t};                             // local 3
    #pragma unroll
    for (int i = 0; i < 4; i++) q[4 + i] = e[i];      // local 1 // want st.global.u32*4
}
struct View { int *p; };
__global__ void viewed(int *q, int t) {
    int x = t;                                        // local 1
    View v{&x};
    v.p[1] = 200;                                     // local 1
    int y = t;                                        // local 1
    q[0] = *(long long *)&y;                          // local 1 // want st.global.u32
    int m[4];
    memset(m, t, 32);                                 // local 1
    q[1] = m[0];                                      // local 1 // want st.global.u32
}
// Within its bounds an array stays in registers.
__global__ void inside(int *q, int t) {
    int acc[4][4];
    #pragma unroll
    for (int i = 0; i < 4; i++)
        #pragma unroll
        for (int k = 0; k < 4; k++) acc[i][k] = i * t + k;
    int *end = &acc[3][4], s = 0;
    #pragma unroll
    for (int *p = &acc[0][0]; p != end; p++) s += *p;
    q[0] = s;                                         // want st.global.u32
}

// Arithmetic.
__global__ void arithmetic(int *q, int t, float f) {
    if (t + 1 < t) q[0] = 1;                          // want st.global.u32
    int n = 0;
    for (int i = 1; i > 0; i *= 2) n++;
    q[1] = n;                                         // want st.global.u32
    int far = 40, zero = 0;
    q[2] = 1 << far;                                  // want st.global.u32
    q[t << 33] = 2;                                   // want st.global.u32
    q[3] = 5 / zero + t % zero;                       // want st.global.u32
    q[4] = 7 / t;                                     // want st.global.u32
    if (t == 0) q[5] = 1;                             // want st.global.u32
    q[6] = __builtin_clz(zero);                       // want st.global.u32
    q[7] = (int)1e30f + (unsigned)-5.f;               // want st.global.u32
}

// Control flow.
__device__ int partly(int t) { if (t > 3) return 2; } // unset retval // local 1
struct Owner { int v; __device__ ~Owner() {} };
__device__ Owner owned(int t) { if (t > 3) return Owner{2}; }
__device__ __attribute__((noreturn)) void quits(int *q) {
    q[3] = 1;                                         // want st.global.u32
}
__global__ void flow(int *q, int *null, int t) {
    if (t == 1000) {
        q[1] = 2;                                     // want st.global.u32
        __builtin_unreachable();
    }
    __builtin_assume(t > 9);
    if (t > 8) q[2] = t;                              // want st.global.u32
    else q[4] = t;                                    // want st.global.u32
    q[5] = partly(t);                                 // want st.global.u32
    q[6] = owned(t).v;                                // want st.global.u32
    int *p = nullptr;
    if (t == 11) *p = 4;                              // want st.u32
    int &r = *null;
    if (&r == nullptr) q[7] = 1;                      // want st.global.u32
    while (t == 17) {}
    q[8] = 1;                                         // want st.global.u32
    if (t == 12) quits(q);
    q[9] = 1;                                         // want st.global.u32
}

// Constants.
__constant__ int table[4] = {1, 2, 3, 4};
__device__ const int fixed[4] = {1, 2, 3, 4};
__global__ void constants(int *q, int t) {
    q[0] = table[5] + fixed[7];                       // want ld.const.u32 ld.const.u32 st.global.u32
    *(int *)&table[1] = t;                            // want st.u32
    *(int *)&fixed[1] = t;                            // want st.u32
}
