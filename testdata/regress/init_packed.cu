// exit: 1
// A structure that is copied in and out, with a loop between that changes some
// of its members: its padding travels along with a member in one 64-bit store.
struct State { unsigned d, v[5]; int flag, count; float extra; double sum; };

__global__ void make(State *s) {
    State *p = &s[threadIdx.x];
    p->d = threadIdx.x;
    for (int i = 0; i < 5; i++) p->v[i] = i + 1;
    p->flag = 0;
    p->count = 0;
    p->extra = 0;
    p->sum = 0;
}

__global__ void step(State *s, int n) {
    State mine = s[threadIdx.x];
    for (int i = 0; i < n; i++) {
        if (mine.flag) {
            mine.flag = 0;
            mine.sum += mine.extra;
        } else {
            mine.flag = 1;
            mine.d += mine.v[i % 5];
            mine.extra = mine.d;
        }
    }
    s[threadIdx.x] = mine;
}

// Two halves that are joined are stored again, as they are.
__global__ void joined(const unsigned *in, unsigned long long *out) {
    out[threadIdx.x] = in[2 * threadIdx.x] + ((unsigned long long)in[2 * threadIdx.x + 1] << 32); // want init global // want init global
}
__global__ void summed(const unsigned *in, unsigned long long *out) {
    out[threadIdx.x] = in[2 * threadIdx.x] + ((unsigned long long)in[2 * threadIdx.x + 1] << 31); // want init global // want init global
}

int main() {
    State *s;
    unsigned *in;
    unsigned long long *out;
    cudaMalloc(&s, 64 * sizeof *s), cudaMalloc(&in, 128 * sizeof *in), cudaMalloc(&out, 64 * sizeof *out);
    make<<<1, 64>>>(s);
    step<<<1, 64>>>(s, 20);
    joined<<<1, 64>>>(in, out);
    summed<<<1, 64>>>(in, out);
    return cudaDeviceSynchronize();
}
