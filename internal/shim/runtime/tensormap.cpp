// Tensor maps ("CUDA Driver API", "Tensor Map Object Management"): the arguments are checked
// as the documentation has it, and written in our layout, which internal/tensormap describes.
#include "core.h"
#include "client.h"

#include <cmath>
#include <cstring>

namespace warpgrind {
namespace {

constexpr uint32_t kMagic = 0x4d544757;
constexpr uint64_t kMaxStride = 1ull << 40;

enum Mode : uint8_t { kTile, kIm2col, kWide, kWide128 };

struct Layout {
  uint32_t magic;
  uint8_t rank, mode, type, interleave, swizzle, atom, fill, promotion;
  uint32_t unused;
  uint64_t address;
  uint64_t stride[4];
  uint32_t dim[5]; // less 1
  uint16_t box[5];
  uint8_t step[5], pad;
  int16_t lower[3], upper[3];
  uint16_t channels, pixels;
  uint8_t rest[20];
};
static_assert(sizeof(Layout) == sizeof(CUtensorMap), "the layout has 128 bytes");

// A data type: its number in tensormap.replace, and the bytes of a group of elements.
struct Type {
  uint8_t number, bytes, group;
};

const Type *typeOf(CUtensorMapDataType t) {
  static const Type types[] = {
      {0, 1, 1},   // UINT8
      {1, 2, 1},   // UINT16
      {2, 4, 1},   // UINT32
      {3, 4, 1},   // INT32
      {4, 8, 1},   // UINT64
      {5, 8, 1},   // INT64
      {6, 2, 1},   // FLOAT16
      {7, 4, 1},   // FLOAT32
      {9, 8, 1},   // FLOAT64
      {10, 2, 1},  // BFLOAT16
      {8, 4, 1},   // FLOAT32_FTZ
      {11, 4, 1},  // TFLOAT32
      {12, 4, 1},  // TFLOAT32_FTZ
      {13, 8, 16}, // 16U4_ALIGN8B
      {14, 8, 16}, // 16U4_ALIGN16B
      {15, 12, 16} // 16U6_ALIGN16B
  };
  return static_cast<unsigned>(t) < sizeof types / sizeof *types ? &types[t] : nullptr;
}

// What all forms have in common.
struct Tensor {
  CUtensorMap *map;
  CUtensorMapDataType type;
  cuuint32_t rank;
  void *address;
  const cuuint64_t *dim, *strides;
  const cuuint32_t *step;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

bool isPadded(CUtensorMapDataType t) {
  return t == CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B || t == CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B;
}

bool isFloat(CUtensorMapDataType t) {
  return t >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && t <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
}

// The first thing that is wrong, nullptr for nothing.
const char *wrongTensor(const Tensor &t, unsigned leastRank) {
  const Type *type = typeOf(t.type);
  if (!t.map) return "the tensor map is a null pointer";
  if (reinterpret_cast<uintptr_t>(t.map) % 64) return "the tensor map is not aligned to 64 bytes";
  if (!type) return "no such data type";
  if (t.interleave > CU_TENSOR_MAP_INTERLEAVE_32B || t.swizzle > CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B || t.promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
      t.fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
    return "no such interleaving, swizzle, promotion or fill";
  if (t.rank < leastRank || t.rank > 5) return "the rank is out of range";
  if (t.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE && t.rank < 3) return "an interleaved tensor has at least 3 dimensions";
  if (!t.dim || !t.step || (t.rank > 1 && !t.strides)) return "an array is a null pointer";
  uint64_t unit = t.interleave == CU_TENSOR_MAP_INTERLEAVE_32B || isPadded(t.type) ? 32 : 16;
  if (reinterpret_cast<uintptr_t>(t.address) % unit) return "the global address is not aligned to 16 bytes (32 for interleaving of 32 bytes and for padded types)";
  for (unsigned i = 0; i < t.rank; i++) {
    if (!t.dim[i] || t.dim[i] > 1ull << 32) return "a global dimension is 0 or more than 2^32";
    if ((i || t.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) && (!t.step[i] || t.step[i] > 8)) return "an element stride is 0 or more than 8";
  }
  if (type->group > 1 && t.dim[0] % (isPadded(t.type) ? 128 : 2)) return "the innermost dimension is not a multiple of 128 (2 for 16U4_ALIGN8B)";
  for (unsigned i = 0; i + 1 < t.rank; i++)
    if (t.strides[i] % unit || t.strides[i] >= kMaxStride) return "a global stride is not a multiple of 16 (32) or not below 2^40";
  if (t.interleave == CU_TENSOR_MAP_INTERLEAVE_32B && t.swizzle != CU_TENSOR_MAP_SWIZZLE_32B) return "interleaving of 32 bytes needs a swizzle of 32 bytes";
  if (t.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !isFloat(t.type)) return "only floating-point types are filled with NaN";
  if (isPadded(t.type)) {
    if (t.swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && t.swizzle != CU_TENSOR_MAP_SWIZZLE_128B && t.swizzle != CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B && t.swizzle != CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B)
      return "padded types take a swizzle of 128 bytes or none";
    if (t.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return "padded types cannot be interleaved";
  }
  return nullptr;
}

// The width of a swizzle in bytes, 0 for none.
unsigned widthOf(CUtensorMapSwizzle s) {
  switch (s) {
  case CU_TENSOR_MAP_SWIZZLE_NONE: return 0;
  case CU_TENSOR_MAP_SWIZZLE_32B: return 32;
  case CU_TENSOR_MAP_SWIZZLE_64B: return 64;
  default: return 128;
  }
}

// What is wrong with n elements of the innermost dimension, nullptr for nothing.
const char *wrongRow(const Tensor &t, uint64_t n) {
  const Type &type = *typeOf(t.type);
  if (n % type.group) return "the innermost box dimension is not a multiple of 16 elements";
  uint64_t bytes = n / type.group * (isPadded(t.type) ? 16 : type.bytes);
  if (t.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return nullptr;
  if (bytes % 16) return "the innermost box dimension has no multiple of 16 bytes";
  if (isPadded(t.type) && n != 128) return "the innermost box dimension of a padded type is 128";
  if (widthOf(t.swizzle) && bytes > widthOf(t.swizzle)) return "the innermost box dimension has more bytes than the swizzle";
  return nullptr;
}

Layout layoutOf(const Tensor &t, Mode mode) {
  static const uint8_t modes[] = {0, 1, 2, 3, 3, 3, 3}, atoms[] = {0, 0, 0, 0, 1, 2, 3};
  Layout m{};
  m.magic = kMagic;
  m.rank = static_cast<uint8_t>(t.rank);
  m.mode = mode;
  m.type = typeOf(t.type)->number;
  m.interleave = static_cast<uint8_t>(t.interleave);
  m.swizzle = modes[t.swizzle];
  m.atom = atoms[t.swizzle];
  m.fill = static_cast<uint8_t>(t.fill);
  m.promotion = static_cast<uint8_t>(t.promotion);
  m.address = reinterpret_cast<uint64_t>(t.address);
  for (unsigned i = 0; i < 5; i++) {
    bool used = i < t.rank;
    m.dim[i] = used ? static_cast<uint32_t>(t.dim[i] - 1) : 0;
    m.box[i] = 1;
    bool ignored = i == 0 && t.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE;
    m.step[i] = used && !ignored ? static_cast<uint8_t>(t.step[i]) : 1;
    if (i && used) m.stride[i - 1] = t.strides[i - 1];
  }
  return m;
}

cudaError_t refuse(const char *why) { return invalid(why); }

// Limits of the corners of a bounding box, by rank ("CUDA Driver API", "cuTensorMapEncodeIm2col").
bool isCorner(unsigned rank, int v) {
  int limit = rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
  return v >= -limit && v < limit;
}

} // namespace

namespace core {

cudaError_t cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dim,
                                   const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *elementStrides,
                                   CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                   CUtensorMapFloatOOBfill fill) {
  Tensor t{map, type, rank, address, dim, strides, elementStrides, interleave, swizzle, promotion, fill};
  if (const char *why = wrongTensor(t, 1)) return refuse(why);
  if (!box) return refuse("the box is a null pointer");
  for (unsigned i = 0; i < rank; i++)
    if (!box[i] || box[i] > 256) return refuse("a box dimension is 0 or more than 256");
  if (const char *why = wrongRow(t, box[0])) return refuse(why);
  Layout m = layoutOf(t, kTile);
  for (unsigned i = 0; i < rank; i++) m.box[i] = static_cast<uint16_t>(box[i]);
  memcpy(map, &m, sizeof m);
  return cudaSuccess;
}

cudaError_t cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dim,
                                    const cuuint64_t *strides, const int *lower, const int *upper, cuuint32_t channels, cuuint32_t pixels,
                                    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  Tensor t{map, type, rank, address, dim, strides, elementStrides, interleave, swizzle, promotion, fill};
  if (const char *why = wrongTensor(t, 3)) return refuse(why);
  if (!lower || !upper) return refuse("a corner is a null pointer");
  if (!channels || channels > 256) return refuse("the channels per pixel are 0 or more than 256");
  if (!pixels || pixels > 1024) return refuse("the pixels per column are 0 or more than 1024");
  if (const char *why = wrongRow(t, channels)) return refuse(why);
  Layout m = layoutOf(t, kIm2col);
  for (unsigned i = 0; i + 2 < rank; i++) {
    if (!isCorner(rank, lower[i]) || !isCorner(rank, upper[i])) return refuse("a corner of the bounding box is out of range");
    if (lower[i] > static_cast<int64_t>(dim[i + 1]) - 1 + upper[i]) return refuse("the bounding box is empty");
    m.lower[i] = static_cast<int16_t>(lower[i]);
    m.upper[i] = static_cast<int16_t>(upper[i]);
  }
  m.channels = static_cast<uint16_t>(channels);
  m.pixels = static_cast<uint16_t>(pixels);
  memcpy(map, &m, sizeof m);
  return cudaSuccess;
}

cudaError_t cuTensorMapReplaceAddress(CUtensorMap *map, void *address) {
  if (!map) return refuse("the tensor map is a null pointer");
  Layout m;
  memcpy(&m, map, sizeof m);
  if (m.magic != kMagic) return refuse("not a tensor map");
  if (!address || reinterpret_cast<uintptr_t>(address) % (m.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16)) return refuse("the global address is not aligned");
  m.address = reinterpret_cast<uint64_t>(address);
  memcpy(map, &m, sizeof m);
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
