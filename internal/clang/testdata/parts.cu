// Which subscripts are checked while the program runs: "// checked".
struct Pair { int a[4]; int b[4]; };
struct Flexible { int n; int data[1]; };

__global__ void members(Pair *p, Flexible *f, int t) {
    for (int i = 0; i < 4; i++) p->a[i] = p->b[3 - i];
    p->a[t & 3] = p->b[threadIdx.x % 4];
    p->a[t] = 1;                                      // checked
    p->b[t] = p->a[t];                                // checked
    f->data[t] = 1;
    p->b[2] = 1;
}
__global__ void rows(int *q) {
    __shared__ int m[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    m[y][x] = q[x];                                   // checked
    __syncthreads();
    int s = 0;
    for (int k = 0; k < 16; k++) s += m[y][k] * m[k][x];
    int *flat = &m[0][0];
    q[x] = s + flat[x * 16 + y];
}
