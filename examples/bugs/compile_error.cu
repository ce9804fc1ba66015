// A program that does not compile: the position of the error must come through.

__global__ void fill(int *out) { out[threadIdx.x] = undeclared; }

int main() { return 0; }
