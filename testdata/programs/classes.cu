// Class hierarchies on both sides, managed objects, RAII, lists on the device heap.
#include <cstdio>
#include <vector>
#include <memory>
#include <string>
#include <stdexcept>
// class hierarchies on both sides, managed allocation by operator new, copy to device, exceptions on host,
// RAII
class Managed {
public:
  void *operator new(size_t n) {
    void *p;
    cudaMallocManaged(&p, n);
    cudaDeviceSynchronize();
    return p;
  }
  void operator delete(void *p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
};
struct Str : public Managed {
  int len;
  char *data;
  Str(const char *s) {
    len = 0;
    while (s[len]) len++;
    cudaMallocManaged(&data, len + 1);
    for (int i = 0; i <= len; i++) data[i] = s[i];
  }
  Str(const Str &o) : len(o.len) {
    cudaMallocManaged(&data, len + 1);
    for (int i = 0; i <= len; i++) data[i] = o.data[i];
  }
  ~Str() { cudaFree(data); }
  __host__ __device__ char &operator[](int i) { return data[i]; }
};
struct Elem : public Managed {
  int key;
  Str name;
  Elem(int k, const char *n) : key(k), name(n) {}
};
__global__ void byptr(Elem *e) {
  printf("On device: name=%s, key=%d\n", e->name.data, e->key);
  e->key = 20;
  e->name[0] = 'd';
}
__global__ void byval(Elem e) {
  printf("by value %s %d\n", e.name.data, e.key);
  e.key = 1;
  e.name[1] = 'v';
}
template <class T> class DevVec {
  T *p = nullptr;
  size_t n;

public:
  explicit DevVec(size_t n) : n(n) {
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) throw std::runtime_error("alloc");
  }
  ~DevVec() { cudaFree(p); }
  DevVec(const DevVec &) = delete;
  DevVec(DevVec &&o) noexcept : p(o.p), n(o.n) { o.p = nullptr; }
  operator T *() { return p; }
  __host__ __device__ size_t size() const { return n; }
  void copyTo(T *h) const { cudaMemcpy(h, p, n * sizeof(T), cudaMemcpyDeviceToHost); }
};
class Node {
public:
  __device__ Node(int v) : v(v), next(nullptr) {}
  int v;
  Node *next;
};
__global__ void list(int *o, int n) {
  Node *head = nullptr;
  for (int i = 0; i < n; i++) {
    Node *x = new Node(i);
    x->next = head;
    head = x;
  }
  int s = 0;
  while (head) {
    s += head->v;
    Node *t = head->next;
    delete head;
    head = t;
  }
  *o = s;
  int *a = new int[5];
  for (int i = 0; i < 5; i++) a[i] = i;
  *o += a[4];
  delete[] a;
  char *m = (char *)malloc(10);
  memset(m, 1, 10);
  char b[10];
  memcpy(b, m, 10);
  *o += b[9];
  free(m);
}
class Solver {
  DevVec<float> v;
  static constexpr int B = 64;

public:
  Solver(size_t n) : v(n) {}
  void run() {
    auto *p = (float *)v;
    launch([=] __device__(int i) { p[i] = i * 2.0f; });
  }
  template <class F> void launch(F f);
  float at(int i) {
    std::vector<float> h(v.size());
    v.copyTo(h.data());
    return h[i];
  }
};
template <class F> __global__ void forall(F f, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <class F> void Solver::launch(F f) { forall<<<(v.size() + B - 1) / B, B>>>(f, v.size()); }
int main() {
  int bad = 0;
  Elem *e = new Elem(10, "hello");
  byptr<<<1, 1>>>(e);
  cudaDeviceSynchronize();
  byval<<<1, 1>>>(*e);
  cudaDeviceSynchronize();
  if (e->key != 20 || e->name[0] != 'd' || e->name[1] != 'e') bad++;
  delete e;
  DevVec<int> o(1);
  list<<<1, 1>>>(o, 10);
  int r;
  o.copyTo(&r);
  if (r != 50) {
    printf("%d\n", r);
    bad++;
  }
  Solver s(100);
  s.run();
  if (s.at(99) != 198) bad++;
  try {
    DevVec<double> huge((size_t)1 << 48);
    bad++;
  } catch (const std::exception &x) {
    if (std::string(x.what()) != "alloc") bad++;
  }
  cudaGetLastError();
  printf(bad ? "FAIL\n" : "PASS\n");
}
