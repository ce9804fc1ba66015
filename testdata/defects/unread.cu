// Errors of API calls that the program does not read, and others that it does.
// flags: --tool api
// clean: macro assigned asked peeked compared ternary argument looked twice query success stored escapes
// clean: thrown looked_wrapper driver_checked loop_checked
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void fill(int *p) { p[threadIdx.x] = 1; }

#define CHECK(call) \
  do { \
    cudaError_t status = (call); \
    if (status != cudaSuccess) printf("%s\n", cudaGetErrorName(status)); \
  } while (0)

const size_t huge = size_t(1) << 50;
cudaError_t kept;

cudaError_t forward(int **p) { return cudaMalloc(p, huge); }
cudaError_t forwardLater(int **p) {
  cudaError_t e = forward(p);
  return e;
}
// It has looked at the error before its caller gets it.
cudaError_t look(cudaError_t e) {
  if (e != cudaSuccess) printf("%s\n", cudaGetErrorName(e));
  return e;
}
cudaError_t lookFirst(int **p) {
  cudaError_t e = cudaMalloc(p, huge);
  if (e != cudaSuccess) puts("no memory");
  return e;
}

struct Buffer {
  int *p = nullptr;
  ~Buffer() { cudaFree(p + 1); } // want(destroyed) api unread
  cudaError_t make() { return cudaMalloc(&p, 64); }
};

void choose(bool first, int *p) {
  first ? cudaFree(p + 1) : cudaFree(p + 2); // want(chosen) api unread
}

int main(int argc, char **argv) {
  auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
  int *p = nullptr, *q = nullptr, host[16] = {};
  CHECK(cudaMalloc(&q, sizeof host));
  CHECK(cudaMemset(q, 0, sizeof host));

  if (is("discarded")) {
    cudaMalloc(&p, huge); // want(discarded) api unread
  }
  if (is("cast")) {
    (void)cudaMalloc(&p, huge); // want(cast) api unread
  }
  if (is("unused")) {
    cudaError_t e = cudaMalloc(&p, huge); // want(unused) api unread
  }
  if (is("again")) {
    for (int i = 0; i < 3; i++) cudaMalloc(&p, huge); // want(again) api unread
  }
  if (is("wrapped")) {
    forward(&p);      // want(wrapped) api unread
    forwardLater(&p); // want(wrapped) api unread
  }
  if (is("copied")) {
    cudaMemcpyAsync(q, host, 1 << 20, cudaMemcpyHostToDevice); // want(copied) api unread
    cudaDeviceSynchronize();
  }
  if (is("launched")) {
    fill<<<1, 4096>>>(q); // want(launched) api unread-launch
    cudaDeviceSynchronize();
  }
  if (is("replaced")) {
    cudaMalloc(&p, huge); // want(replaced) api unread
    CHECK(cudaMemset(nullptr, 0, 4));
  }
  if (is("cleared")) {
    cudaMalloc(&p, huge); // want(cleared) api unread
    cudaGetLastError();
  }
  if (is("destroyed")) {
    Buffer b;
    CHECK(b.make());
  }
  if (is("chosen")) {
    choose(argc > 1, q);
  }
  if (is("compared_unused")) {
    (void)(cudaFree(q + 1) == cudaSuccess); // want(compared_unused) api unread
  }
  if (is("driver")) {
    CUdeviceptr d;
    cuMemAlloc(&d, huge); // want(driver) api unread
    CHECK(cudaGetLastError());
  }
  if (is("exception")) {
    try {
      struct Guard {
        ~Guard() { puts("out"); }
      } guard;
      cudaMalloc(&p, huge); // want(exception) api unread
      if (argc > 100) throw 1;
    } catch (int) {
    }
  }

  if (is("macro")) CHECK(cudaMalloc(&p, huge));
  if (is("assigned")) {
    cudaError_t e = cudaMalloc(&p, huge);
    if (e != cudaSuccess) puts("assigned");
  }
  if (is("asked")) {
    cudaMalloc(&p, huge);
    CHECK(cudaGetLastError());
    fill<<<1, 4096>>>(q);
    CHECK(cudaGetLastError());
  }
  if (is("peeked")) {
    fill<<<1, 4096>>>(q);
    cudaPeekAtLastError();
    CHECK(cudaPeekAtLastError());
  }
  if (is("compared") && cudaMalloc(&p, huge) != cudaSuccess) cudaGetLastError();
  if (is("ternary")) puts(cudaMalloc(&p, huge) == cudaSuccess ? "yes" : "no");
  if (is("argument")) puts(cudaGetErrorName(cudaMalloc(&p, huge)));
  if (is("looked")) look(cudaMalloc(&p, huge));
  if (is("looked_wrapper")) lookFirst(&p);
  if (is("twice")) {
    cudaError_t e = cudaMalloc(&p, huge);
    e = e == cudaSuccess ? cudaFree(p) : e;
    if (e) puts("twice");
  }
  if (is("loop_checked")) {
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < 2 && e == cudaSuccess; i++) e = cudaMalloc(&p, huge);
  }
  if (is("query")) {
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    cudaEventQuery(event);
    cudaStreamQuery(0);
    CHECK(cudaEventDestroy(event));
  }
  if (is("success")) cudaMemset(q, 1, 4);
  if (is("stored")) kept = cudaMalloc(&p, huge);
  if (is("escapes")) {
    cudaError_t e;
    cudaError_t *where = &e;
    e = cudaMalloc(&p, huge);
    printf("%d\n", *where);
  }
  if (is("thrown")) {
    try {
      if (cudaError_t e = cudaMalloc(&p, huge)) throw e;
    } catch (cudaError_t e) {
      puts(cudaGetErrorName(e));
    }
  }
  if (is("driver_checked")) {
    CUdeviceptr d;
    if (cuMemAlloc(&d, huge) != CUDA_SUCCESS) puts("driver");
  }
  fill<<<1, 16>>>(q);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(q));
}
