// What the compiler's constructors register: modules, kernels and variables,
// found by the address of their host shadow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"

namespace warpgrind {

// A module of this program: a fat binary, sent to the server on first use, or
// an image given to the driver API.
struct Module {
  const void *data;
  std::string image; // warpgrind's blob made from PTX text; data points to it
  bool loaded = false;
  cudaError_t error = cudaSuccess;
  uint32_t id = 0;
};

struct Param {
  uint32_t offset, size;
};

// A kernel. The fields after name are valid once it is resolved.
struct Function {
  Module *module;
  std::string name;
  bool resolved = false;
  uint32_t id = 0;
  cudaFuncAttributes attributes{};
  std::vector<Param> params;
  uint32_t paramBytes = 0;
};

// A __device__, __constant__ or __managed__ variable.
struct Variable {
  Module *module;
  std::string name;
  void **managed = nullptr; // the host's pointer to a managed variable
  char *mirror = nullptr;   // the host's copy of a managed variable, or null
  bool resolved = false;
  void *address = nullptr;
  uint64_t size = 0;
};

// Both return the entry with its module loaded, or null and the CUDA error.
Function *findFunction(const char *api, const void *host, cudaError_t *error);
Variable *findVariable(const char *api, const void *host, cudaError_t *error);

// Modules of the driver API, by name. The image is PTX text or warpgrind's blob.
Module *loadImage(const char *api, const void *image, cudaError_t *error);
Function *functionOf(const char *api, Module *module, const char *name, cudaError_t *error);
Variable *variableOf(const char *api, Module *module, const char *name, cudaError_t *error);

// Launches a resolved function; params holds its parameter bytes.
cudaError_t launchFunction(const char *api, const Function &f, dim3 grid, dim3 block, size_t shared,
                           cudaStream_t stream, const void *params, bool cooperative);

// The parameter bytes of f, from pointers to its arguments.
std::vector<char> packParams(const Function &f, void **args);

// Copies the host's copies of managed variables to the device before a kernel,
// and back after it. Kernels run within the call that launches them, so that
// nobody else can change either meanwhile.
void pushManaged();
void pullManaged();

// The device's address for a pointer into the host's copy of a managed
// variable; other pointers stay as they are.
uint64_t deviceAddress(uint64_t pointer);

// Forgets what the server knows, after cudaDeviceReset.
void forgetModules();

} // namespace warpgrind
