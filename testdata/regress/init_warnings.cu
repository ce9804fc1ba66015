// exit: 0
// Unwritten bytes that are only copied on: members that are not set yet, and
// buffers that are copied to the host as a whole.
struct Item { int set; int pad[6]; int unset; };

__global__ void make(Item *p) {
    p[threadIdx.x].set = threadIdx.x;
    for (int i = 0; i < 6; i++) p[threadIdx.x].pad[i] = i;
}

__global__ void sort(const Item *in, Item *out) {
    out[63 - threadIdx.x].set = in[threadIdx.x].set;
    out[63 - threadIdx.x].unset = in[threadIdx.x].unset;
}

__global__ void half(int *out) { out[2 * threadIdx.x] = 1; }

int main() {
    Item *a, *b;
    int *c, host[64];
    cudaMalloc(&a, 64 * sizeof *a), cudaMalloc(&b, 64 * sizeof *b), cudaMalloc(&c, sizeof host);
    make<<<1, 64>>>(a);
    sort<<<1, 64>>>(a, b);
    half<<<1, 32>>>(c);
    cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost); // want init copied
    cudaFree(a), cudaFree(b), cudaFree(c);
    return 0;
}
