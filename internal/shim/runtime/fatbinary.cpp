// Programs that NVIDIA's compiler built: the fat binaries in them, and the
// calls that only its host code makes.

#include <dlfcn.h>

#include "client.h"
#include "registry.h"

namespace warpgrind {
namespace {

// internal/ptx/fatbin has the layout.
struct FatHeader {
  uint32_t magic;
  uint16_t version, headerBytes;
  uint64_t bytes;
};

constexpr uint32_t kMagic = 0xba55ed50;

const FatHeader &header(const void *image) { return *static_cast<const FatHeader *>(image); }

protocol::Blob imageOf(const void *image) {
  return {image, header(image).headerBytes + header(image).bytes};
}

// The name of the program or library that an image is part of.
std::string homeName(const void *image) {
  Dl_info info{};
  std::string path = dladdr(image, &info) && info.dli_fname ? info.dli_fname : "module";
  std::string name = path.substr(path.rfind('/') + 1);
  for (char &c : name)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  return name;
}

} // namespace

bool isFatBinary(const void *image) { return image && header(image).magic == kMagic; }

cudaError_t unpack(Module &m) {
  protocol::Batch<protocol::Blob> images;
  images.add(imageOf(m.data));
  for (auto p = m.prelinked; p && *p; p++)
    if (isFatBinary(*p)) images.add(imageOf(*p));
  Call c{protocol::Unpack(images)};
  if (!c.send()) return c.result();
  m.image = blobOf(c.reply.ptx, "nvcc", homeName(m.data));
  m.data = m.image.data();
  return cudaSuccess;
}

} // namespace warpgrind

// Launches of nvcc 13 and later: the kernel is looked up once.
extern "C" {

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *entry) { return cudaGetKernel(kernel, entry); }

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream) {
  return cudaLaunchKernel_ptsz(kernel, grid, block, args, shared, stream);
}

// Managed variables need no runtime of their own here.
char __cudaInitManagedRuntime(void) { return 1; }

} // extern "C"
