// nvJitLink: links device code at run time, as the driver's cuLink functions do. Its
// "cubin" is the linked PTX, which the driver's functions that load modules take. What
// has no PTX cannot be linked: machine code, and the intermediate code for link-time
// optimization (LTO-IR) that NVIDIA's compilers make; NVRTC's is PTX here. There is no nvJitLinkVersion, as
// before CUDA 12.3: Numba and cuda.core take its absence to mean that LTO-IR is not
// to be made, and make PTX.
#include "nvJitLink.h"

#include <cstring>
#include <string>

#include "alias.h"
#include "client.h"
#include "driver.h"

// A link in progress; cubin is null until it is complete.
struct nvJitLink {
  CUlinkState state = nullptr;
  const char *cubin = nullptr;
  size_t size = 0;
  std::string errors;
};

using namespace warpgrind;

namespace {

nvJitLinkResult failed(nvJitLinkHandle h, nvJitLinkResult code, const char *why) {
  h->errors += std::string("error   : ") + why + "\n";
  return code;
}

bool isPTX(const void *data, size_t size) {
  std::string start(static_cast<const char *>(data), size < 4096 ? size : 4096);
  return start.find(".version") != std::string::npos && start.find('\0') >= start.find(".version");
}

// Adds data, or a file if data is null.
nvJitLinkResult add(nvJitLinkHandle h, CUjitInputType type, const void *data, size_t size, const char *file) {
  cudaError_t e = data ? core::cuLinkAddData(h->state, type, const_cast<void *>(data), size, file, 0, nullptr, nullptr)
                       : core::cuLinkAddFile(h->state, type, file, 0, nullptr, nullptr);
  return e == cudaSuccess ? NVJITLINK_SUCCESS : failed(h, NVJITLINK_ERROR_INVALID_INPUT, "the input cannot be linked");
}

// The driver's type of an input; false for what is refused.
bool inputType(nvJitLinkInputType type, bool ptx, CUjitInputType *out) {
  *out = type == NVJITLINK_INPUT_LIBRARY ? CU_JIT_INPUT_LIBRARY : CU_JIT_INPUT_PTX;
  if (type == NVJITLINK_INPUT_LIBRARY || ptx) return true;
  unsupported(type == NVJITLINK_INPUT_LTOIR
                  ? "nvJitLink of LTO-IR, which only NVIDIA's compiler reads: compile to PTX, without -dlto or lto=True"
                  : "nvJitLink of machine code without PTX");
  return false;
}

bool startsWith(const char *s, const char *prefix) { return strncmp(s, prefix, strlen(prefix)) == 0; }

} // namespace

extern "C" {

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t n, const char **options) {
  if (!handle || (n > 0 && !options)) return NVJITLINK_ERROR_NULL_INPUT;
  bool arch = false;
  for (uint32_t i = 0; i < n; i++) {
    if (!options[i] || options[i][0] != '-') return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    arch |= startsWith(options[i], "-arch=") || startsWith(options[i], "--gpu-architecture=");
  }
  if (!arch) return NVJITLINK_ERROR_MISSING_ARCH;
  auto *h = new nvJitLink;
  if (core::cuLinkCreate(0, nullptr, nullptr, &h->state) != cudaSuccess) {
    delete h;
    return NVJITLINK_ERROR_INTERNAL;
  }
  *handle = h;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle) {
  if (!handle || !*handle) return NVJITLINK_ERROR_NULL_INPUT;
  core::cuLinkDestroy((*handle)->state);
  delete *handle;
  *handle = nullptr;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle h, nvJitLinkInputType type, const void *data, size_t size,
                                 const char *name) {
  if (!h || !data) return NVJITLINK_ERROR_NULL_INPUT;
  CUjitInputType as;
  if (!inputType(type, isPTX(data, size), &as)) return failed(h, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, "no PTX");
  return add(h, as, data, size, name);
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle h, nvJitLinkInputType type, const char *file) {
  if (!h || !file) return NVJITLINK_ERROR_NULL_INPUT;
  size_t n = strlen(file);
  bool any = type == NVJITLINK_INPUT_ANY;
  if (any && n > 2 && strcmp(file + n - 2, ".a") == 0) type = NVJITLINK_INPUT_LIBRARY;
  CUjitInputType as;
  bool ptx = type == NVJITLINK_INPUT_PTX || (any && n > 4 && strcmp(file + n - 4, ".ptx") == 0);
  if (!inputType(type, ptx, &as)) return failed(h, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, "no PTX");
  return add(h, as, nullptr, 0, file);
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle h) {
  if (!h) return NVJITLINK_ERROR_NULL_INPUT;
  void *cubin;
  if (core::cuLinkComplete(h->state, &cubin, &h->size) != cudaSuccess)
    return failed(h, NVJITLINK_ERROR_FINALIZE, "the link failed");
  h->cubin = static_cast<const char *>(cubin);
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle h, size_t *size) {
  if (!h || !size) return NVJITLINK_ERROR_NULL_INPUT;
  if (!h->cubin) return NVJITLINK_ERROR_FINALIZE;
  *size = h->size;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle h, void *cubin) {
  if (!h || !cubin) return NVJITLINK_ERROR_NULL_INPUT;
  if (!h->cubin) return NVJITLINK_ERROR_FINALIZE;
  memcpy(cubin, h->cubin, h->size);
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle h, size_t *size) { return nvJitLinkGetLinkedCubinSize(h, size); }

nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle h, char *ptx) { return nvJitLinkGetLinkedCubin(h, ptx); }

nvJitLinkResult nvJitLinkGetLinkedLTOIRSize(nvJitLinkHandle, size_t *) { return NVJITLINK_ERROR_LTO_NOT_ENABLED; }

nvJitLinkResult nvJitLinkGetLinkedLTOIR(nvJitLinkHandle, void *) { return NVJITLINK_ERROR_LTO_NOT_ENABLED; }

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle h, size_t *size) {
  if (!h || !size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = h->errors.empty() ? 0 : h->errors.size() + 1;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle h, char *log) {
  if (!h || !log) return NVJITLINK_ERROR_NULL_INPUT;
  if (!h->errors.empty()) memcpy(log, h->errors.c_str(), h->errors.size() + 1);
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle h, size_t *size) {
  if (!h || !size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = 0;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle h, char *log) {
  return h && log ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_NULL_INPUT;
}

} // extern "C"

// Programs that are compiled with NVIDIA's header call each function by a name with the
// release of it.
#define RELEASE(name, release) JUMP_TO(__##name##_##release, name)
#define RELEASES(name) \
  RELEASE(name, 12_0) RELEASE(name, 12_1) RELEASE(name, 12_2) RELEASE(name, 12_3) RELEASE(name, 12_4) \
  RELEASE(name, 12_5) RELEASE(name, 12_6) RELEASE(name, 12_7) RELEASE(name, 12_8) RELEASE(name, 12_9) \
  RELEASE(name, 13_0) RELEASE(name, 13_1) RELEASE(name, 13_2) RELEASE(name, 13_3) RELEASE(name, 13_4) RELEASE(name, 13_5)
RELEASES(nvJitLinkCreate)
RELEASES(nvJitLinkDestroy)
RELEASES(nvJitLinkAddData)
RELEASES(nvJitLinkAddFile)
RELEASES(nvJitLinkComplete)
RELEASES(nvJitLinkGetLinkedCubinSize)
RELEASES(nvJitLinkGetLinkedCubin)
RELEASES(nvJitLinkGetLinkedPtxSize)
RELEASES(nvJitLinkGetLinkedPtx)
RELEASES(nvJitLinkGetLinkedLTOIRSize)
RELEASES(nvJitLinkGetLinkedLTOIR)
RELEASES(nvJitLinkGetErrorLogSize)
RELEASES(nvJitLinkGetErrorLog)
RELEASES(nvJitLinkGetInfoLogSize)
RELEASES(nvJitLinkGetInfoLog)
