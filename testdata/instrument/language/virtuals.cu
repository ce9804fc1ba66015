// Virtual functions of objects in shared memory, which their constructors
// initialize and new makes in place.

#include <cstdio>
#include <new>

const int THREADS = 64;

class Base {
  public:
    __device__ explicit Base(int id) : id_(id) {}
    __device__ virtual int weigh(int by) const { return id_ * by; }
    __device__ virtual ~Base() {}
    int count = 0;

  protected:
    int id_;
};

class Derived final : public Base {
  public:
    __device__ Derived(int id, int more) : Base(id), more_{more, more + 1} {}
    __device__ int weigh(int by) const override { return Base::weigh(by) + more_[by & 1] + count; }
    __device__ int &operator[](int i) { return more_[i]; }

  private:
    int more_[2];
};

__global__ void virtuals(int *out) {
    __shared__ alignas(Derived) unsigned char room[THREADS][sizeof(Derived)];
    int t = threadIdx.x;
    Base *b = t % 2 ? new (room[t]) Base(t) : new (room[t]) Derived(t, 3 * t);
    b->count += t;
    int mine = b->weigh(3);
    if (t % 2 == 0) (*static_cast<Derived *>(b))[1] = mine;
    __syncthreads();
    out[t] = mine + b->weigh(5) + b->Base::weigh(2);
    b->~Base();
}

int main() {
    int *out;
    cudaMallocManaged(&out, THREADS * sizeof(int));
    virtuals<<<1, THREADS>>>(out);
    cudaError_t e = cudaDeviceSynchronize();
    long long sum = 0;
    for (int t = 0; t < THREADS; t++) sum = (sum * 31 + out[t]) % 1000003;
    printf("virtuals: %lld %s\n", sum, cudaGetErrorString(e));
}
