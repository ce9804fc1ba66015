// A neighbor's value is read without a barrier.
// The line numbers below are those of the figure.


extern __shared__ int s[]; __global__ void kernel(int *out) {
    int id = threadIdx.x, nt = blockDim.x;
    s[id] = id;
    out[id] = s[(id + 1) % nt];
    s[id] = 0;
}
