#include <cuda_runtime.h>
#include <nppi.h>

int main() { return 0; }
