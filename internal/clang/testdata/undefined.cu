// What the source does although its behavior is undefined: every access is kept.
// "// want" lists the accesses of a line, "// unset" the variables whose uninitialized
// value is used, at the place of their declaration.

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
