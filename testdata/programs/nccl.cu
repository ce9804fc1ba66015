// flags: --devices 4
// NCCL between four devices: every operation and type against sums on the host, in place and not, by one thread
// in groups, by a thread for each device, in communicators that are parts of another, and in a graph.
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <nccl.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include <type_traits>
#include <vector>

const int kRanks = 4;
int bad = 0;
#define OK(call)                                                     \
  do {                                                               \
    int status_ = call;                                              \
    if (status_) printf("FAIL line %d: %s: %d\n", __LINE__, #call, status_), bad++; \
  } while (0)
#define REQUIRE(x)                                              \
  do {                                                          \
    if (!(x)) printf("FAIL line %d: %s\n", __LINE__, #x), bad++; \
  } while (0)

ncclComm_t comms[kRanks];
cudaStream_t streams[kRanks];

// A buffer on each device.
template <class T> struct Buffers {
  T *at[kRanks];
  const size_t n;
  explicit Buffers(size_t n) : n(n) {
    for (int r = 0; r < kRanks; r++) {
      cudaSetDevice(r);
      cudaMalloc(&at[r], n * sizeof(T));
      cudaMemset(at[r], 0, n * sizeof(T));
      cudaDeviceSynchronize();
    }
  }
  ~Buffers() {
    for (int r = 0; r < kRanks; r++) cudaFree(at[r]);
  }
  void set(int r, const std::vector<T> &v) { cudaMemcpy(at[r], v.data(), n * sizeof(T), cudaMemcpyDefault); }
  std::vector<T> get(int r) {
    std::vector<T> v(n);
    OK(cudaMemcpyAsync(v.data(), at[r], n * sizeof(T), cudaMemcpyDefault, streams[r]));
    OK(cudaStreamSynchronize(streams[r]));
    return v;
  }
};

// Does f for each rank, in one group.
template <class F> void grouped(F f) {
  OK(ncclGroupStart());
  for (int r = 0; r < kRanks; r++) OK(f(r));
  OK(ncclGroupEnd());
}

template <class T> T value(int rank, size_t i) { return static_cast<T>((rank * 7 + i * 3) % 11 + 1); }
template <class T> std::vector<T> values(int rank, size_t n) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; i++) v[i] = value<T>(rank, i);
  return v;
}

double expected(int op, size_t i) {
  double v = op == ncclProd ? 1 : op == ncclMin ? 1e9 : 0;
  for (int r = 0; r < kRanks; r++) {
    const double x = value<double>(r, i);
    v = op == ncclProd ? v * x : op == ncclMax ? std::max(v, x) : op == ncclMin ? std::min(v, x) : v + x;
  }
  return op == ncclAvg ? v / kRanks : v;
}

// Elements of one byte that are not integers hold two or three bits behind the first.
template <class T> bool is(T got, double want) {
  const T w = static_cast<T>(want);
  const double bound = sizeof(T) > 1 ? 1e-2 : std::is_class<T>::value ? 0.2 : 0;
  return std::abs(static_cast<double>(got) - static_cast<double>(w)) <= bound * std::abs(want);
}

template <class T> void reductions(ncclDataType_t type, bool small) {
  const size_t n = 1003;
  for (int op = ncclSum; op < ncclNumOps; op++) {
    if (small && op == ncclProd) continue;
    Buffers<T> in(n), out(n), part(n / kRanks);
    for (int r = 0; r < kRanks; r++) in.set(r, values<T>(r, n));
    const auto o = static_cast<ncclRedOp_t>(op);
    grouped([&](int r) { return ncclAllReduce(in.at[r], out.at[r], n, type, o, comms[r], streams[r]); });
    for (int r = 0; r < kRanks; r++) {
      const auto got = out.get(r);
      for (size_t i = 0; i < n; i++)
        if (!is(got[i], expected(op, i))) {
          printf("FAIL type %d op %d rank %d element %zu: %g, not %g\n", type, op, r, i, double(got[i]), expected(op, i));
          bad++;
          break;
        }
    }
    grouped([&](int r) { return ncclReduceScatter(in.at[r], part.at[r], n / kRanks, type, o, comms[r], streams[r]); });
    for (int r = 0; r < kRanks; r++) {
      const auto got = part.get(r);
      for (size_t i = 0; i < n / kRanks; i++) REQUIRE(is(got[i], expected(op, r * (n / kRanks) + i)));
    }
    grouped([&](int r) { return ncclReduce(in.at[r], in.at[r], n, type, o, 2, comms[r], streams[r]); });
    const auto got = in.get(2);
    for (size_t i = 0; i < n; i++) REQUIRE(is(got[i], expected(op, i)));
    REQUIRE(is(in.get(1)[5], value<double>(1, 5)));
  }
}

void inPlace() {
  const size_t n = 4 * 129;
  Buffers<float> a(n);
  for (int r = 0; r < kRanks; r++) a.set(r, values<float>(r, n));
  grouped([&](int r) { return ncclAllReduce(a.at[r], a.at[r], n, ncclFloat, ncclSum, comms[r], streams[r]); });
  for (int r = 0; r < kRanks; r++) REQUIRE(a.get(r)[n - 1] == expected(ncclSum, n - 1));
  for (int r = 0; r < kRanks; r++) a.set(r, values<float>(r, n));
  grouped([&](int r) { return ncclReduceScatter(a.at[r], a.at[r] + r * 129, 129, ncclFloat, ncclSum, comms[r], streams[r]); });
  for (int r = 0; r < kRanks; r++) REQUIRE(a.get(r)[r * 129 + 5] == expected(ncclSum, r * 129 + 5));
  for (int r = 0; r < kRanks; r++) a.set(r, values<float>(r, n));
  grouped([&](int r) { return ncclAllGather(a.at[r] + r * 129, a.at[r], 129, ncclFloat, comms[r], streams[r]); });
  for (int r = 0; r < kRanks; r++)
    for (int q = 0; q < kRanks; q++) REQUIRE(a.get(r)[q * 129 + 7] == value<float>(q, q * 129 + 7));
  grouped([&](int r) { return ncclBcast(a.at[r], 8, ncclFloat, 3, comms[r], streams[r]); });
  for (int r = 0; r < kRanks; r++) REQUIRE(a.get(r)[3] == a.get(3)[3]);
}

void copies() {
  const size_t n = 257;
  Buffers<int> in(n), out(n), all(n * kRanks);
  for (int r = 0; r < kRanks; r++) in.set(r, values<int>(r, n));
  grouped([&](int r) { return ncclBroadcast(r == 1 ? in.at[r] : nullptr, out.at[r], n, ncclInt, 1, comms[r], streams[r]); });
  for (int r = 0; r < kRanks; r++) REQUIRE(out.get(r) == values<int>(1, n));
  grouped([&](int r) { return ncclAllGather(in.at[r], all.at[r], n, ncclInt, comms[r], streams[r]); });
  for (int r = 0; r < kRanks; r++)
    for (int q = 0; q < kRanks; q++) REQUIRE(all.get(r)[q * n + 9] == value<int>(q, 9));
  // A ring, and an exchange of all with all.
  OK(ncclGroupStart());
  for (int r = 0; r < kRanks; r++) {
    OK(ncclSend(in.at[r], n, ncclInt, (r + 1) % kRanks, comms[r], streams[r]));
    OK(ncclRecv(out.at[r], n, ncclInt, (r + kRanks - 1) % kRanks, comms[r], streams[r]));
  }
  OK(ncclGroupEnd());
  for (int r = 0; r < kRanks; r++) REQUIRE(out.get(r) == values<int>((r + kRanks - 1) % kRanks, n));
  OK(ncclGroupStart());
  for (int r = 0; r < kRanks; r++)
    for (int q = 0; q < kRanks; q++) {
      OK(ncclSend(in.at[r] + q, 1, ncclInt, q, comms[r], streams[r]));
      OK(ncclRecv(all.at[r] + q, 1, ncclInt, q, comms[r], streams[r]));
    }
  OK(ncclGroupEnd());
  for (int r = 0; r < kRanks; r++)
    for (int q = 0; q < kRanks; q++) REQUIRE(all.get(r)[q] == value<int>(q, r));
  // The same as one call; to one rank and from one, with the root's own elements in their place.
  grouped([&](int r) { return ncclAlltoAll(in.at[r], all.at[r] + 8, 2, ncclInt, comms[r], streams[r]); });
  for (int r = 0; r < kRanks; r++)
    for (int q = 0; q < kRanks; q++) REQUIRE(all.get(r)[8 + 2 * q] == value<int>(q, 2 * r));
  grouped([&](int r) { return ncclGather(r == 1 ? all.at[1] + n : in.at[r], all.at[1], n, ncclInt, 1, comms[r], streams[r]); });
  for (int q = 0; q < kRanks; q++) REQUIRE(q == 1 || all.get(1)[q * n + 9] == value<int>(q, 9));
  grouped([&](int r) { return ncclScatter(all.at[1], r == 1 ? all.at[1] + n : out.at[r], n, ncclInt, 1, comms[r], streams[r]); });
  for (int q = 0; q < kRanks; q++) REQUIRE(q == 1 || out.get(q) == values<int>(q, n));
}

void factors() {
  const size_t n = 64;
  Buffers<double> in(n), out(n);
  ncclRedOp_t op[kRanks];
  double *onDevice;
  const double third = 3;
  for (int r = 0; r < kRanks; r++) {
    in.set(r, values<double>(r, n));
    double f = r + 0.5;
    if (r != 2) OK(ncclRedOpCreatePreMulSum(&op[r], &f, ncclDouble, ncclScalarHostImmediate, comms[r]));
  }
  cudaSetDevice(2);
  OK(cudaMalloc(&onDevice, sizeof *onDevice));
  OK(cudaMemcpy(onDevice, &third, sizeof third, cudaMemcpyDefault));
  OK(ncclRedOpCreatePreMulSum(&op[2], onDevice, ncclDouble, ncclScalarDevice, comms[2]));
  grouped([&](int r) { return ncclAllReduce(in.at[r], out.at[r], n, ncclDouble, op[r], comms[r], streams[r]); });
  for (int r = 0; r < kRanks; r++)
    REQUIRE(out.get(r)[3] == value<double>(0, 3) * 0.5 + value<double>(1, 3) * 1.5 + value<double>(2, 3) * 3 + value<double>(3, 3) * 3.5);
  // An operator may be destroyed once it has been given to a call, before the group ends.
  OK(ncclGroupStart());
  for (int r = 0; r < kRanks; r++) {
    OK(ncclReduce(in.at[r], out.at[r], n, ncclDouble, op[r], 1, comms[r], streams[r]));
    OK(ncclRedOpDestroy(op[r], comms[r]));
  }
  OK(ncclGroupEnd());
  REQUIRE(out.get(1)[5] == value<double>(0, 5) * 0.5 + value<double>(1, 5) * 1.5 + value<double>(2, 5) * 3 + value<double>(3, 5) * 3.5);
  OK(cudaFree(onDevice));
}

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

// A thread for each device, with an identifier; kernels before and after in the same stream.
void threads() {
  ncclUniqueId id;
  OK(ncclGetUniqueId(&id));
  Buffers<int> a(32);
  std::vector<std::thread> all;
  for (int r = 0; r < kRanks; r++)
    all.emplace_back([&, r] {
      OK(cudaSetDevice(r));
      ncclComm_t c, half = nullptr;
      OK(r % 2 ? ncclCommInitRank(&c, kRanks, id, r) : ncclCommInitRankScalable(&c, kRanks, r, 1, &id, nullptr));
      cudaStream_t s = cudaStreamPerThread;
      for (int round = 0; round < 3; round++) {
        add<<<1, 32, 0, s>>>(a.at[r], r + round);
        OK(ncclAllReduce(a.at[r], a.at[r], 32, ncclInt, ncclSum, c, s));
      }
      // The two of one half, in reverse order.
      OK(ncclCommSplit(c, r / 2, -r, &half, nullptr));
      int rank = -1, count = 0, device = -1;
      OK(ncclCommUserRank(half, &rank));
      OK(ncclCommCount(half, &count));
      OK(ncclCommCuDevice(half, &device));
      REQUIRE(rank == (r + 1) % 2 && count == 2 && device == r);
      OK(ncclReduce(a.at[r], a.at[r], 32, ncclInt, ncclSum, 0, half, s));
      OK(cudaStreamSynchronize(s));
      OK(ncclCommDestroy(half));
      OK(ncclCommFinalize(c));
      OK(ncclCommDestroy(c));
    });
  for (auto &t : all) t.join();
  int want = 0;
  for (int round = 0; round < 3; round++) want = 4 * (want + round) + 6;
  for (int r = 0; r < kRanks; r++) REQUIRE(a.get(r)[31] == (r % 2 ? 2 * want : want));
}

// Two devices' all-reduce as a graph.
void graph() {
  Buffers<int> a(32);
  cudaEvent_t fork, join;
  OK(cudaSetDevice(1));
  OK(cudaEventCreate(&join));
  OK(cudaSetDevice(0));
  OK(cudaEventCreate(&fork));
  ncclComm_t pair[2];
  OK(ncclCommInitAll(pair, 2, nullptr));
  cudaGraph_t g;
  cudaGraphExec_t exec;
  OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeRelaxed));
  OK(cudaEventRecord(fork, streams[0]));
  OK(cudaSetDevice(1));
  OK(cudaStreamWaitEvent(streams[1], fork, 0));
  add<<<1, 32, 0, streams[1]>>>(a.at[1], 2);
  OK(cudaSetDevice(0));
  add<<<1, 32, 0, streams[0]>>>(a.at[0], 1);
  OK(ncclGroupStart());
  for (int r = 0; r < 2; r++) OK(ncclAllReduce(a.at[r], a.at[r], 32, ncclInt, ncclSum, pair[r], streams[r]));
  OK(ncclGroupEnd());
  OK(cudaSetDevice(1));
  OK(cudaEventRecord(join, streams[1]));
  OK(cudaSetDevice(0));
  OK(cudaStreamWaitEvent(streams[0], join, 0));
  OK(cudaStreamEndCapture(streams[0], &g));
  OK(cudaGraphInstantiate(&exec, g, nullptr, nullptr, 0));
  for (int i = 0; i < 3; i++) OK(cudaGraphLaunch(exec, streams[0]));
  REQUIRE(a.get(0)[4] == 21 && a.get(1)[4] == 21);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(g));
  for (ncclComm_t c : pair) OK(ncclCommDestroy(c));
  OK(cudaEventDestroy(fork));
  OK(cudaEventDestroy(join));
}

int main() {
  int version = 0;
  OK(ncclGetVersion(&version));
  REQUIRE(version == NCCL_VERSION_CODE && NCCL_VERSION(2, 24, 3) == NCCL_VERSION_CODE);
  const int devices[kRanks] = {0, 1, 2, 3};
  OK(ncclCommInitAll(comms, kRanks, devices));
  for (int r = 0; r < kRanks; r++) {
    cudaSetDevice(r);
    OK(cudaStreamCreate(&streams[r]));
  }
  reductions<int8_t>(ncclInt8, true);
  reductions<uint8_t>(ncclUint8, true);
  reductions<int32_t>(ncclInt32, false);
  reductions<uint32_t>(ncclUint32, false);
  reductions<int64_t>(ncclInt64, false);
  reductions<uint64_t>(ncclUint64, false);
  reductions<__half>(ncclFloat16, false);
  reductions<float>(ncclFloat32, false);
  reductions<double>(ncclFloat64, false);
  reductions<__nv_bfloat16>(ncclBfloat16, false);
  reductions<__nv_fp8_e4m3>(ncclFloat8e4m3, true);
  reductions<__nv_fp8_e5m2>(ncclFloat8e5m2, true);
  inPlace();
  copies();
  factors();
  threads();
  graph();
  float *memory;
  void *handle;
  OK(ncclMemAlloc((void **)&memory, 1024));
  OK(ncclCommRegister(comms[0], memory, 1024, &handle));
  OK(ncclCommDeregister(comms[0], handle));
  OK(ncclMemFree(memory));
  ncclResult_t async;
  for (int r = 0; r < kRanks; r++) {
    OK(ncclCommGetAsyncError(comms[r], &async));
    REQUIRE(async == ncclSuccess);
    OK(ncclCommDestroy(comms[r]));
    OK(cudaStreamDestroy(streams[r]));
  }
  REQUIRE(!strcmp(ncclGetErrorString(ncclSuccess), "no error") && !*ncclGetLastError(nullptr));
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad != 0;
}
