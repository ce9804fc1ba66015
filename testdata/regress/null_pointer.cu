// exit: 1
// A pointer in a structure that was never set.
struct List {
    int n;
    int *items;
};

__global__ void clear(List *l) {
    l->items[threadIdx.x] = 0; // want memory out-of-bounds
}

int main() {
    List *l;
    cudaMalloc(&l, sizeof *l);
    cudaMemset(l, 0, sizeof *l);
    clear<<<1, 32>>>(l);
    return cudaDeviceSynchronize() == cudaSuccess;
}
