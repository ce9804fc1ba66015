// Classes of cooperative groups that are declared without their header, as libcu++ and other libraries do: in the
// namespace __v1, before or after the header is included.
namespace cooperative_groups {
namespace __v1 {
class thread_block;
template <unsigned int Size, typename Parent> class thread_block_tile;
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

template <class Group> struct kind { static constexpr int value = 0; };
template <> struct kind<cooperative_groups::thread_block> { static constexpr int value = 1; };
template <class Parent> struct kind<cooperative_groups::thread_block_tile<32, Parent>> { static constexpr int value = 2; };

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cooperative_groups {
namespace __v1 {
class grid_group;
class coalesced_group;
} // namespace __v1
} // namespace cooperative_groups

namespace cg = cooperative_groups;

template <class Group> __device__ int kind_of(const Group &) { return kind<Group>::value; }

__global__ void kernel(const int *in, int *out, int *kinds) {
  __shared__ int values[64];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(warp);
  auto wide = cg::tiled_partition<64>(block);
  cg::memcpy_async(block, values, in, sizeof values);
  cg::wait(block);
  int t = block.thread_rank();
  int sum = reduce(warp, values[t], cg::plus<int>()) + inclusive_scan(half, values[t]) + cg::reduce(wide, values[t], cg::plus<int>());
  sync(block); // found by its argument
  out[t] = sum;
  if (t == 0) {
    kinds[0] = kind_of(block);
    kinds[1] = kind_of(warp);
    kinds[2] = kind_of(half);
    kinds[3] = kind_of(cg::this_grid()) + kind_of(cooperative_groups::__v1::coalesced_threads());
  }
}

int main() {
  int *in, *out, *kinds;
  cudaMallocManaged(&in, 64 * sizeof *in);
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&kinds, 4 * sizeof *kinds);
  for (int i = 0; i < 64; i++) in[i] = i + 1;
  kernel<<<1, 64>>>(in, out, kinds);
  if (cudaDeviceSynchronize()) return 1;
  int all = 64 * 65 / 2, low = 32 * 33 / 2;
  for (int t = 0; t < 64; t++) {
    int scan = 0;
    for (int i = t / 16 * 16; i <= t; i++) scan += in[i];
    if (out[t] != all + (t < 32 ? low : all - low) + scan) return printf("FAIL: out[%d] is %d\n", t, out[t]), 1;
  }
  if (kinds[0] != 1 || kinds[1] != 2 || kinds[2] != 0 || kinds[3] != 0) return printf("FAIL: kinds %d %d %d %d\n", kinds[0], kinds[1], kinds[2], kinds[3]), 1;
  puts("PASS");
}
