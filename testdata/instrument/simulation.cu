// A program as people write them: a small particle simulation with templates,
// classes, macros with side effects, structures in shared memory and device
// functions that call each other. It has no defect. Instrumented in any way it
// must print the same.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "simulation/tile.h"
#include "simulation/vec.h"

// ------------------------------------------------------------------ settings

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error_ = (call);                                                     \
    if (error_ != cudaSuccess) {                                                     \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                  \
              cudaGetErrorString(error_));                                           \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

// Macros that read, write and count, each argument as often as it is named.
#define SQUARE(x) ((x) * (x))
#define CLAMP_TO(x, lo, hi)                                                          \
  ((x) < (lo) ? ((x) = (lo)) : (x) > (hi) ? ((x) = (hi)) : (x))
#define PUSH(stack, top, value) ((stack)[(top)++] = (value))
#define POP(stack, top) ((stack)[--(top)])
#define EXCHANGE(type, a, b)                                                         \
  {                                                                                  \
    type exchange_ = (a);                                                            \
    (a) = (b);                                                                       \
    (b) = exchange_;                                                                 \
  }
#define FOR_EACH(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)
#define LOCAL_SUM(cells, i)                                                          \
  (cells[(i)-1].mass + cells[(i)].mass + cells[(i) + 1].mass)

constexpr int kThreads = 128;
constexpr int kCells = 64;

// A kernel made by a macro.
#define DEFINE_SCALE(name, op)                                                       \
  __global__ void name(float *data, float factor, int n) {                           \
    __shared__ float stage[kThreads];                                                \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                   \
    stage[threadIdx.x] = i < n ? data[i] : 0.0f;                                     \
    __syncthreads();                                                                 \
    if (i < n) data[i] = stage[threadIdx.x ^ 1] op factor;                           \
  }
DEFINE_SCALE(scale_up, *)
DEFINE_SCALE(shift_by, +)

// --------------------------------------------------------------- the physics

struct Particle {
  Vec3 position, velocity;
  float mass;
  int cell;
};

struct Cell {
  float mass;
  int count;
  unsigned char flags[4];
};

struct Statistics {
  double energy;
  float momentum[3];
  int fastest;
};

enum class Boundary { Reflect, Wrap };

__constant__ float gravity[3] = {0.0f, -0.125f, 0.0f};
__device__ int overflow_count;

// Host and device share this one.
template <class T> __host__ __device__ T limited(T value, T low, T high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__host__ __device__ inline int cell_of(const Vec3 &p) {
  int x = (int)(limited(p.x, 0.0f, 0.999f) * 4), y = (int)(limited(p.y, 0.0f, 0.999f) * 4);
  int z = (int)(limited(p.z, 0.0f, 0.999f) * 4);
  return (x * 4 + y) * 4 + z;
}

// Boundary handling by template and specialization.
template <Boundary B> __device__ void confine(float &x, float &v);

template <> __device__ void confine<Boundary::Reflect>(float &x, float &v) {
  if (x < 0) {
    x = -x;
    v = -v;
  } else if (x > 1) {
    x = 2 - x, v = -v;
  }
  CLAMP_TO(x, 0.0f, 1.0f);
}

template <> __device__ void confine<Boundary::Wrap>(float &x, float &) {
  x -= floorf(x);
}

template <Boundary B> __device__ void confine(Particle &p) {
  confine<B>(p.position.x, p.velocity.x);
  confine<B>(p.position.y, p.velocity.y);
  confine<B>(p.position.z, p.velocity.z);
}

// step moves one particle that lies in the block's shared memory.
template <Boundary B> __device__ void step(Particle *p, float dt) {
  p->velocity += Vec3(gravity[0], gravity[1], gravity[2]) * dt;
  p->position += p->velocity * dt;
  confine<B>(*p);
  p->cell = cell_of(p->position);
}

template <Boundary B> __global__ void move(Particle *all, int n, int steps, float dt) {
  __shared__ Particle mine[kThreads];
  int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  mine[threadIdx.x] = all[i];
  Particle *p = &mine[threadIdx.x];
  for (int s = 0; s < steps; s++) step<B>(p, dt);
  all[i] = *p;
}

// ----------------------------------------------------------- counting in cells

class CellGrid {
public:
  __device__ explicit CellGrid(Cell *cells) : cells_(cells) {}

  __device__ void clear() {
    FOR_EACH(i, kCells) {
      cells_[i].mass = 0;
      cells_[i].count = 0;
      for (unsigned char &f : cells_[i].flags) f = 0;
    }
    __syncthreads();
  }
  __device__ void add(const Particle &p) {
    Cell &c = (*this)[p.cell];
    atomicAdd(&c.mass, p.mass);
    atomicAdd(&c.count, 1);
  }
  __device__ Cell &operator[](int i) { return cells_[i]; }
  __device__ const Cell &operator[](int i) const { return cells_[i]; }

  // mark writes neighboring bytes from neighboring threads.
  __device__ void mark() {
    int i = threadIdx.x / 2;
    if (i < kCells) {
      Cell &c = cells_[i];
      c.flags[threadIdx.x & 1] = c.count > 4;
      c.flags[2 + (threadIdx.x & 1)] |= threadIdx.x & 1 ? 2 : 1;
    }
    __syncthreads();
  }

private:
  Cell *cells_;
};

__global__ void count_cells(const Particle *all, int n, Cell *out) {
  __shared__ Cell cells[kCells];
  CellGrid grid(cells);
  grid.clear();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) grid.add(all[i]);
  __syncthreads();
  grid.mark();
  FOR_EACH(i, kCells) {
    Cell copy = grid[i];
    atomicAdd(&out[i].mass, copy.mass);
    atomicAdd(&out[i].count, copy.count);
    if (blockIdx.x == 0) out[i].flags[3] = copy.flags[0] + copy.flags[1] * 2 + copy.flags[2] * 4 + copy.flags[3] * 8;
  }
}

__global__ void smooth(const Cell *in, float *out) {
  __shared__ Cell cells[kCells + 2];
  FOR_EACH(i, kCells + 2) cells[i] = in[limited(i - 1, 0, kCells - 1)];
  __syncthreads();
  FOR_EACH(i, kCells) out[i] = LOCAL_SUM(cells, i + 1) / 3;
}

// ----------------------------------------------------------------- reductions

struct Plus {
  template <class T> __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Larger {
  template <class T> __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};

template <class T, class Op> __device__ T block_reduce(T value, T *scratch, Op op) {
  scratch[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) scratch[threadIdx.x] = op(scratch[threadIdx.x], scratch[threadIdx.x + half]);
    __syncthreads();
  }
  T result = scratch[0];
  __syncthreads(); // before the next use of scratch
  return result;
}

__global__ void summarize(const Particle *all, int n, Statistics *out) {
  __shared__ union {
    double energy[kThreads];
    float momentum[kThreads];
    int fastest[kThreads];
  } scratch;
  double energy = 0;
  Vec3 momentum(0, 0, 0);
  float best = -1;
  int fastest = 0;
  FOR_EACH(i, n) {
    Particle p = all[i];
    float speed2 = SQUARE(p.velocity.x) + SQUARE(p.velocity.y) + SQUARE(p.velocity.z);
    energy += 0.5 * p.mass * speed2;
    momentum += p.velocity * p.mass;
    if (speed2 > best) best = speed2, fastest = i;
  }
  double total = block_reduce(energy, scratch.energy, Plus());
  float sums[3];
  for (int k = 0; k < 3; k++) sums[k] = block_reduce(momentum[k], scratch.momentum, Plus());
  int last = block_reduce(fastest, scratch.fastest, Larger());
  if (threadIdx.x == 0) {
    out->energy = total;
    for (int k = 0; k < 3; k++) out->momentum[k] = sums[k];
    out->fastest = last;
  }
}

// ------------------------------------------------------- a sort and a list

template <class K> __device__ bool ordered(const K &a, const K &b, bool up) { return up ? !(b < a) : !(a < b); }

// One block sorts n keys, a power of two, in dynamic shared memory.
template <class K> __global__ void sort_keys(K *keys, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  K *s = reinterpret_cast<K *>(raw);
  FOR_EACH(i, n) s[i] = keys[i];
  __syncthreads();
  for (int size = 2; size <= n; size *= 2)
    for (int gap = size / 2; gap > 0; gap /= 2) {
      FOR_EACH(i, n) {
        int j = i ^ gap;
        if (j > i && !ordered(s[i], s[j], (i & size) == 0)) EXCHANGE(K, s[i], s[j]);
      }
      __syncthreads();
    }
  FOR_EACH(i, n) keys[i] = s[i];
}

// Each thread has a stack of its own in shared memory.
__global__ void walk_tree(const int *children, int *visited, int nodes) {
  __shared__ int stacks[kThreads][8];
  __shared__ int found;
  int *stack = stacks[threadIdx.x], top = 0;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  PUSH(stack, top, threadIdx.x % nodes);
  int steps = 0;
  while (top > 0 && steps < 100) {
    int node = POP(stack, top);
    steps++;
    for (int k = 0; k < 2; k++) {
      int child = children[2 * node + k];
      if (child >= 0 && top < 8) PUSH(stack, top, child);
      else if (child >= 0) atomicAdd(&overflow_count, 1);
    }
  }
  atomicMax(&found, steps);
  __syncthreads();
  visited[threadIdx.x] = steps * 1000 + found;
}

// ------------------------------------------------- tiles, vectors and lambdas

template <int N> __global__ void transpose(const float *in, float *out) {
  __shared__ Tile<float, N, N + 1> tile;
  int x = threadIdx.x, y = threadIdx.y;
  tile(y, x) = in[y * N + x];
  __syncthreads();
  out[y * N + x] = tile(x, y);
  auto diagonal = [&](int k) -> float & { return tile(k, k); };
  __syncthreads();
  if (y == 0) diagonal(x) *= 2;
  __syncthreads();
  if (y == 1) out[x * N + x] = diagonal(x);
}

__global__ void wide(const float4 *in, float4 *out) {
  __shared__ float4 lines[kThreads];
  __shared__ volatile int turn;
  lines[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 5) turn = 3;
  if (__syncthreads_count(lines[threadIdx.x].w > 0) == 0) return;
  float4 v = lines[(threadIdx.x + turn) % kThreads];
  lines[threadIdx.x].x; // not used
  __syncthreads();
  lines[threadIdx.x].y += v.x;
  lines[threadIdx.x].z = lines[threadIdx.x].w = v.y;
  (threadIdx.x & 1 ? lines[threadIdx.x].x : lines[threadIdx.x].w)++;
  out[threadIdx.x] = lines[threadIdx.x];
}

// ----------------------------------------------------------------- the program

static float random01(unsigned &seed) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0f;
}

template <class T> struct DeviceArray {
  T *data = nullptr;
  size_t n;
  explicit DeviceArray(size_t n) : n(n) {
    CHECK(cudaMalloc(&data, n * sizeof(T)));
    CHECK(cudaMemset(data, 0, n * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T> &v) : DeviceArray(v.size()) {
    CHECK(cudaMemcpy(data, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> v(n);
    CHECK(cudaMemcpy(v.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
};

template <class T> static void print(const char *what, const std::vector<T> &v, size_t every) {
  printf("%s:", what);
  for (size_t i = 0; i < v.size(); i += every) printf(" %.6g", (double)v[i]);
  printf("\n");
}

static std::vector<Particle> make_particles(int n) {
  unsigned seed = 12345;
  std::vector<Particle> all(n);
  for (Particle &p : all) {
    p.position = Vec3(random01(seed), random01(seed), random01(seed));
    p.velocity = Vec3(random01(seed) - 0.5f, random01(seed) - 0.5f, random01(seed) - 0.5f);
    p.mass = 1 + (int)(random01(seed) * 4);
    p.cell = cell_of(p.position);
  }
  return all;
}

static void simulate(DeviceArray<Particle> &particles) {
  int n = (int)particles.n, blocks = (n + kThreads - 1) / kThreads;
  move<Boundary::Reflect><<<blocks, kThreads>>>(particles.data, n, 3, 0.125f);
  move<Boundary::Wrap><<<blocks, kThreads>>>(particles.data, n, 2, 0.25f);
  DeviceArray<Cell> cells(kCells);
  count_cells<<<2, kThreads>>>(particles.data, n, cells.data);
  DeviceArray<float> smoothed(kCells);
  smooth<<<1, 32>>>(cells.data, smoothed.data);
  DeviceArray<Statistics> statistics(1);
  summarize<<<1, kThreads>>>(particles.data, n, statistics.data);
  CHECK(cudaDeviceSynchronize());

  int counted = 0, flagged = 0;
  for (const Cell &c : cells.host()) counted += c.count, flagged += c.flags[3];
  print("smoothed", smoothed.host(), 7);
  Statistics s = statistics.host()[0];
  printf("counted %d flags %d energy %.6f momentum %.5f %.5f %.5f fastest %d\n", counted, flagged, s.energy, s.momentum[0],
         s.momentum[1], s.momentum[2], s.fastest);
}

static void sort_and_walk() {
  unsigned seed = 99;
  std::vector<int> keys(256);
  for (int &k : keys) k = (int)(random01(seed) * 1000);
  DeviceArray<int> ints(keys);
  sort_keys<int><<<1, kThreads, 256 * sizeof(int)>>>(ints.data, 256);
  std::vector<double> values(64);
  for (double &v : values) v = random01(seed);
  DeviceArray<double> doubles(values);
  sort_keys<<<1, 64, 64 * sizeof(double)>>>(doubles.data, 64);
  print("ints", ints.host(), 25);
  print("doubles", doubles.host(), 9);

  std::vector<int> children(2 * 31);
  for (int i = 0; i < 31; i++)
    for (int k = 0; k < 2; k++) children[2 * i + k] = 2 * i + 1 + k < 31 ? 2 * i + 1 + k : -1;
  DeviceArray<int> tree(children), visited(kThreads);
  walk_tree<<<1, kThreads>>>(tree.data, visited.data, 31);
  print("visited", visited.host(), 11);
}

static void move_tiles() {
  std::vector<float> square(16 * 16);
  for (size_t i = 0; i < square.size(); i++) square[i] = (float)i;
  DeviceArray<float> in(square), out(square.size());
  transpose<16><<<1, dim3(16, 16)>>>(in.data, out.data);
  scale_up<<<2, kThreads>>>(out.data, 0.5f, 256);
  shift_by<<<2, kThreads>>>(out.data, 100.0f, 250);
  print("tiles", out.host(), 17);

  std::vector<float4> lines(kThreads);
  for (int i = 0; i < kThreads; i++) lines[i] = make_float4(i, 2 * i, 3 * i, i % 3);
  DeviceArray<float4> a(lines), b(kThreads);
  wide<<<1, kThreads>>>(a.data, b.data);
  std::vector<float> flat;
  for (float4 v : b.host()) flat.push_back(v.x + v.y * 10 + v.z * 100 + v.w * 1000);
  print("lines", flat, 13);
}

int main() {
  DeviceArray<Particle> particles(make_particles(1000));
  simulate(particles);
  sort_and_walk();
  move_tiles();
  int overflowed = -1;
  CHECK(cudaMemcpyFromSymbol(&overflowed, overflow_count, sizeof overflowed));
  printf("overflows %d, %s line %d\n", overflowed, sizeof(__FILE__) > 1 ? "file" : "", __LINE__);
  return 0;
}
