// flags: --devices 3
// concurrent processes
// NCCL between processes: a program that forks a process for each rank, which get the identifier through a pipe. Every
// operation and type against results on the host, in place and not, in groups, with communicators that are parts of
// another, ranks on one device, two ranks in a process, and the end of a communicator while a thread waits.
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>
#include <type_traits>
#include <vector>

int rank, kRanks = 3;
int bad = 0;
#define OK(call)                                                                          \
  do {                                                                                    \
    int status_ = call;                                                                   \
    if (status_) printf("FAIL rank %d line %d: %s: %d\n", rank, __LINE__, #call, status_), bad++; \
  } while (0)
#define REQUIRE(x)                                                              \
  do {                                                                          \
    if (!(x)) printf("FAIL rank %d line %d: %s\n", rank, __LINE__, #x), bad++;  \
  } while (0)

ncclComm_t comm;
cudaStream_t stream;
int over[2]; // a pipe

template <class T> struct Buffer {
  T *at;
  const size_t n;
  explicit Buffer(size_t n) : n(n) {
    cudaMalloc(&at, n * sizeof(T));
    cudaMemset(at, 0, n * sizeof(T));
    cudaDeviceSynchronize();
  }
  ~Buffer() { cudaFree(at); }
  void set(const std::vector<T> &v) { cudaMemcpy(at, v.data(), n * sizeof(T), cudaMemcpyDefault); }
  std::vector<T> get() {
    std::vector<T> v(n);
    OK(cudaMemcpyAsync(v.data(), at, n * sizeof(T), cudaMemcpyDefault, stream));
    OK(cudaStreamSynchronize(stream));
    return v;
  }
};

template <class T> T value(int r, size_t i) { return static_cast<T>((r * 7 + i * 3) % 11 + 1); }
template <class T> std::vector<T> values(int r, size_t n) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; i++) v[i] = value<T>(r, i);
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

template <class T> bool is(T got, double want) {
  const T w = static_cast<T>(want);
  const double bound = sizeof(T) > 1 ? 1e-2 : std::is_class<T>::value ? 0.2 : 0;
  return std::abs(static_cast<double>(got) - static_cast<double>(w)) <= bound * std::abs(want);
}

template <class T> void reductions(ncclDataType_t type, bool small) {
  const size_t n = 303, part = n / kRanks;
  for (int op = ncclSum; op < ncclNumOps; op++) {
    if (small && op == ncclProd) continue;
    Buffer<T> in(n), out(n), own(part);
    in.set(values<T>(rank, n));
    const auto o = static_cast<ncclRedOp_t>(op);
    OK(ncclAllReduce(in.at, out.at, n, type, o, comm, stream));
    auto got = out.get();
    for (size_t i = 0; i < n; i++) REQUIRE(is(got[i], expected(op, i)));
    OK(ncclReduceScatter(in.at, own.at, part, type, o, comm, stream));
    got = own.get();
    for (size_t i = 0; i < part; i++) REQUIRE(is(got[i], expected(op, rank * part + i)));
    OK(ncclReduce(in.at, in.at, n, type, o, kRanks - 1, comm, stream));
    got = in.get();
    for (size_t i = 0; i < n; i++) REQUIRE(is(got[i], rank == kRanks - 1 ? expected(op, i) : value<double>(rank, i)));
  }
}

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

void inPlace() {
  const size_t n = 3 * 129;
  Buffer<float> a(n);
  a.set(values<float>(rank, n));
  OK(ncclAllReduce(a.at, a.at, n, ncclFloat, ncclSum, comm, stream));
  REQUIRE(a.get()[n - 1] == expected(ncclSum, n - 1));
  a.set(values<float>(rank, n));
  OK(ncclReduceScatter(a.at, a.at + rank * 129, 129, ncclFloat, ncclSum, comm, stream));
  REQUIRE(a.get()[rank * 129 + 5] == expected(ncclSum, rank * 129 + 5));
  a.set(values<float>(rank, n));
  OK(ncclAllGather(a.at + rank * 129, a.at, 129, ncclFloat, comm, stream));
  for (int q = 0; q < kRanks; q++) REQUIRE(a.get()[q * 129 + 7] == value<float>(q, q * 129 + 7));
  OK(ncclBcast(a.at, 8, ncclFloat, 1, comm, stream));
  REQUIRE(a.get()[3] == value<float>(0, 3));
  // More than the library takes at once, between kernels of the same stream; none at all.
  Buffer<int> many(3000000);
  OK(ncclAllReduce(many.at, many.at, 0, ncclInt, ncclSum, comm, stream));
  add<<<1, 32, 0, stream>>>(many.at + many.n - 32, rank + 1);
  OK(ncclAllReduce(many.at, many.at, many.n, ncclInt, ncclSum, comm, stream));
  add<<<1, 32, 0, stream>>>(many.at + many.n - 32, 1);
  const auto got = many.get();
  REQUIRE(got[many.n - 1] == 7 && got[many.n - 33] == 0 && got[0] == 0);
}

void copies() {
  const size_t n = 257;
  Buffer<int> in(n), out(n), all(n * kRanks);
  in.set(values<int>(rank, n));
  OK(ncclBroadcast(rank == 1 ? in.at : nullptr, out.at, n, ncclInt, 1, comm, stream));
  REQUIRE(out.get() == values<int>(1, n));
  OK(ncclAllGather(in.at, all.at, n, ncclInt, comm, stream));
  for (int q = 0; q < kRanks; q++) REQUIRE(all.get()[q * n + 9] == value<int>(q, 9));
  // A ring, and an exchange of all with all, also with itself.
  OK(ncclGroupStart());
  OK(ncclSend(in.at, n, ncclInt, (rank + 1) % kRanks, comm, stream));
  OK(ncclRecv(out.at, n, ncclInt, (rank + kRanks - 1) % kRanks, comm, stream));
  OK(ncclGroupEnd());
  REQUIRE(out.get() == values<int>((rank + kRanks - 1) % kRanks, n));
  OK(ncclGroupStart());
  for (int q = 0; q < kRanks; q++) {
    OK(ncclSend(in.at + q, 1, ncclInt, q, comm, stream));
    OK(ncclRecv(all.at + q, 1, ncclInt, q, comm, stream));
  }
  OK(ncclGroupEnd());
  for (int q = 0; q < kRanks; q++) REQUIRE(all.get()[q] == value<int>(q, rank));
  // The same as one call; to one rank and from one, with the root's own elements in their place.
  OK(ncclAlltoAll(in.at, all.at + 8, 2, ncclInt, comm, stream));
  for (int q = 0; q < kRanks; q++) REQUIRE(all.get()[8 + 2 * q] == value<int>(q, 2 * rank));
  OK(ncclGather(rank == 1 ? all.at + n : in.at, all.at, n, ncclInt, 1, comm, stream));
  for (int q = 0; rank == 1 && q < kRanks; q++) REQUIRE(q == 1 || all.get()[q * n + 9] == value<int>(q, 9));
  OK(ncclScatter(all.at, rank == 1 ? all.at + n : out.at, n, ncclInt, 1, comm, stream));
  REQUIRE(rank == 1 || out.get() == values<int>(rank, n));
  // To itself, in place.
  OK(ncclGroupStart());
  OK(ncclSend(in.at, n, ncclInt, rank, comm, stream));
  OK(ncclRecv(in.at, n, ncclInt, rank, comm, stream));
  OK(ncclGroupEnd());
  REQUIRE(in.get() == values<int>(rank, n));
  // Several messages to one rank come in their order, also of other types of the same size.
  if (rank == 0) {
    for (int i = 0; i < 3; i++) OK(ncclSend(in.at + i, 4, ncclInt, 2, comm, stream));
  } else if (rank == 2) {
    for (int i = 0; i < 3; i++) OK(ncclRecv(out.at + 4 * i, 16, ncclUint8, 0, comm, stream));
    for (int i = 0; i < 3; i++) REQUIRE(out.get()[4 * i] == value<int>(0, i));
  }
}

void factors() {
  const size_t n = 64;
  Buffer<double> in(n), out(n), onDevice(1);
  ncclRedOp_t op;
  in.set(values<double>(rank, n));
  const double f = rank + 0.5;
  onDevice.set({f});
  if (rank == 1) OK(ncclRedOpCreatePreMulSum(&op, onDevice.at, ncclDouble, ncclScalarDevice, comm));
  else OK(ncclRedOpCreatePreMulSum(&op, const_cast<double *>(&f), ncclDouble, ncclScalarHostImmediate, comm));
  OK(ncclAllReduce(in.at, out.at, n, ncclDouble, op, comm, stream));
  double want = 0;
  for (int q = 0; q < kRanks; q++) want += value<double>(q, 3) * (q + 0.5);
  REQUIRE(out.get()[3] == want);
  Buffer<double> part(n / 4);
  OK(ncclReduceScatter(in.at, part.at, n / 4, ncclDouble, op, comm, stream));
  want = 0;
  for (int q = 0; q < kRanks; q++) want += value<double>(q, rank * n / 4 + 3) * (q + 0.5);
  REQUIRE(part.get()[3] == want);
  OK(ncclRedOpDestroy(op, comm));
}

// Ranks 0 and 2 in reverse order, rank 1 alone; none.
void parts() {
  ncclComm_t part = nullptr;
  OK(ncclCommSplit(comm, rank % 2, -rank, &part, nullptr));
  int r = -1, count = 0, device = -1;
  OK(ncclCommUserRank(part, &r));
  OK(ncclCommCount(part, &count));
  OK(ncclCommCuDevice(part, &device));
  REQUIRE(r == (rank == 0) && count == (rank == 1 ? 1 : 2));
  Buffer<int> a(32);
  a.set(std::vector<int>(32, rank + 1));
  OK(ncclAllReduce(a.at, a.at, 32, ncclInt, ncclSum, part, stream));
  REQUIRE(a.get()[31] == (rank == 1 ? 2 : 4));
  OK(ncclBroadcast(a.at, a.at, 32, ncclInt, 0, part, stream));
  OK(ncclCommFinalize(part));
  OK(ncclCommDestroy(part));
  OK(ncclCommSplit(comm, rank == 0 ? NCCL_SPLIT_NOCOLOR : 4, 0, &part, nullptr));
  REQUIRE((part == nullptr) == (rank == 0));
  if (part) OK(ncclCommDestroy(part));
}

void all(const ncclUniqueId &id, bool apart) {
  OK(cudaSetDevice(apart ? rank : 0));
  ncclUniqueId ids[1] = {id};
  OK(ncclCommInitRankScalable(&comm, kRanks, rank, 1, ids, nullptr));
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  if (apart) {
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
    parts();
    factors();
  }
  copies();
  ncclResult_t async;
  OK(ncclCommGetAsyncError(comm, &async));
  REQUIRE(async == ncclSuccess);
  OK(cudaStreamDestroy(stream));
  OK(ncclCommFinalize(comm));
  OK(ncclCommDestroy(comm));
}

// Rank 0 waits in one thread for ranks that do not come, and another thread ends that.
void aborted(const ncclUniqueId &id) {
  OK(cudaSetDevice(rank));
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  OK(ncclCommInitRankConfig(&comm, kRanks, id, rank, &config));
  Buffer<int> a(32);
  ncclResult_t result = ncclSuccess, async = ncclInProgress;
  while (async == ncclInProgress) OK(ncclCommGetAsyncError(comm, &async));
  REQUIRE(async == ncclSuccess);
  if (rank == 0) {
    std::thread waits([&] { result = ncclAllReduce(a.at, a.at, 32, ncclInt, ncclSum, comm, nullptr); });
    usleep(100000);
    OK(ncclCommAbort(comm));
    waits.join();
    REQUIRE(result != ncclSuccess);
    REQUIRE(write(over[1], "xx", 2) == 2);
  } else {
    char c;
    REQUIRE(read(over[0], &c, 1) == 1);
    OK(ncclCommAbort(comm));
  }
}

// Ranks 0 and 1 in one process, in groups; rank 2 in another.
void mixed(const ncclUniqueId &id) {
  if (rank == 2) return;
  const int first = rank == 0 ? 0 : 2, count = rank == 0 ? 2 : 1;
  ncclComm_t comms[2];
  cudaStream_t streams[2];
  int *a[2];
  OK(ncclGroupStart());
  for (int i = 0; i < count; i++) {
    OK(cudaSetDevice(i));
    OK(ncclCommInitRank(&comms[i], 3, id, first + i));
  }
  OK(ncclGroupEnd());
  for (int i = 0; i < count; i++) {
    OK(cudaSetDevice(i));
    OK(cudaStreamCreate(&streams[i]));
    OK(cudaMalloc(&a[i], 3 * 128));
    OK(cudaMemsetAsync(a[i], 0, 3 * 128, streams[i]));
    add<<<1, 32, 0, streams[i]>>>(a[i] + 32 * (first + i), first + i + 1);
  }
  OK(ncclGroupStart());
  for (int i = 0; i < count; i++) OK(ncclAllGather(a[i] + 32 * (first + i), a[i], 32, ncclInt, comms[i], streams[i]));
  OK(ncclGroupEnd());
  OK(ncclGroupStart());
  for (int i = 0; i < count; i++) OK(ncclAllReduce(a[i], a[i], 96, ncclInt, ncclMax, comms[i], streams[i]));
  OK(ncclGroupEnd());
  for (int i = 0; i < count; i++) {
    int h[96];
    OK(cudaSetDevice(i));
    OK(cudaMemcpyAsync(h, a[i], sizeof h, cudaMemcpyDefault, streams[i]));
    OK(cudaStreamSynchronize(streams[i]));
    REQUIRE(h[0] == 1 && h[33] == 2 && h[95] == 3);
    OK(cudaFree(a[i]));
    OK(cudaStreamDestroy(streams[i]));
    OK(ncclCommDestroy(comms[i]));
  }
}

// Forks the ranks, and gives each the identifier that rank 0 has made.
int forked(const std::function<void(const ncclUniqueId &)> &f) {
  int pipes[3][2], failed = 0;
  for (auto &p : pipes)
    if (pipe(p)) return 1;
  for (rank = 0; rank < kRanks; rank++) {
    if (fork()) continue;
    ncclUniqueId id;
    if (rank == 0) {
      OK(ncclGetUniqueId(&id));
      for (int r = 1; r < kRanks; r++) REQUIRE(write(pipes[r][1], &id, sizeof id) == sizeof id);
    } else {
      REQUIRE(read(pipes[rank][0], &id, sizeof id) == sizeof id);
    }
    f(id);
    fflush(stdout);
    exit(bad != 0);
  }
  for (int r = 0, status; r < kRanks; r++) failed += wait(&status) < 0 || status != 0;
  return failed;
}

int main() {
  if (pipe(over)) return 1;
  int failed = forked([](const ncclUniqueId &id) { all(id, true); });
  failed += forked([](const ncclUniqueId &id) { all(id, false); });
  failed += forked(mixed);
  failed += forked(aborted);
  printf(failed ? "FAIL\n" : "PASS\n");
  return failed != 0;
}
