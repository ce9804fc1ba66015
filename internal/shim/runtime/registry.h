// What the compiler's constructors register: modules, kernels and variables,
// found by the address of their host shadow.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"
#include "protocol.h"

namespace warpgrind {

// The start of warpgrind's blob; JSON and PTX follow.
struct Blob {
  char magic[8];
  uint32_t version, reserved;
  uint64_t jsonBytes, ptxBytes;
};

// Whether an image begins with one that this version understands.
bool isOurs(const void *data);

// A module of this program: a fat binary, sent to the server on first use, or
// an image given to the driver API.
struct Module {
  const void *data;
  std::string image; // warpgrind's blob made from PTX text; data points to it
  // What NVIDIA's linker made a module from, null at its end; or null.
  const void *const *prelinked = nullptr;
  // By device: the server's number, or why it could not be loaded.
  struct Loaded {
    cudaError_t error;
    uint32_t id;
  };
  std::map<int, Loaded> loaded;
  std::string log; // what was wrong with it
  std::vector<std::string> kernels; // their names, once it is loaded
  // Relocatable device code: one of those that are linked together for an
  // image of the process (the program, a shared library).
  bool linked = false;
  const void *home = nullptr; // that image's address
};

// The parts of a module's blob.
protocol::Part partOf(const Module &m);

// Loads the modules that are linked with one on the current device, see
// linked.cpp.
cudaError_t loadLinked(const std::vector<Module *> &all, Module &wanted, const std::vector<const char *> &managed);
const void *homeOf(const void *address);

// Counts the modules in a section.
int countModules(const char *start, const char *end);

// NVIDIA's fat binaries, see fatbinary.cpp: unpack puts the PTX in the image.
bool isFatBinary(const void *image);
cudaError_t unpack(Module &m);

// Wraps PTX text as the front end does.
std::string blobOf(const std::string &ptx, const char *build, const std::string &module);

// The name in the PTX for a name that host code registers.
std::string symbolName(const Module &m, const char *deviceName);

// A parameter of a kernel: its place among the parameter bytes, and its size in bytes.
struct Param {
  uint32_t offset, size;
};

// A kernel. The fields after name are valid once it is resolved on a device; then
// those after ids do not change, as all devices are alike.
struct Function {
  Module *module;
  std::string name;
  std::map<int, uint32_t> ids; // the server's numbers by device
  bool described = false;
  cudaFuncAttributes attributes{};
  std::vector<Param> params;
  uint32_t paramBytes = 0;
};

// Where a variable lies on one device.
struct Placed {
  void *address = nullptr;
  uint64_t size = 0;
};

// A __device__, __constant__ or __managed__ variable.
struct Variable {
  Module *module;
  std::string name;
  void **managed = nullptr; // the host's pointer to a managed variable
  char *mirror = nullptr;   // the host's copy of a managed variable, or null
  std::vector<char> agreed; // what both copies held when they were last compared
  std::map<int, Placed> places; // by device

  // On the current device, once it is resolved there.
  const Placed &placed() const;
};

// Both return the entry with its module loaded, or null and the CUDA error.
Function *findFunction(const void *host, cudaError_t *error);
Variable *findVariable(const void *host, cudaError_t *error);

// Modules of the driver API, by name. The image is PTX text or warpgrind's blob.
// The log, which may be null, is told what is wrong with it.
Module *loadImage(const void *image, cudaError_t *error, std::string *log = nullptr);
void unloadModule(Module *module);
bool isModule(const Module *module);
Function *functionOf(Module *module, const char *name, cudaError_t *error);
Variable *variableOf(Module *module, const char *name, cudaError_t *error);

// A moment of a launch before its end for which other work may wait, by an event of the
// launch or an edge of a graph ("CUDA Runtime API", cudaLaunchAttributeID and
// cudaGraphKernelNodePort...).
enum class Moment : uint8_t {
  triggered, // its blocks have let their dependents begin, or have ended
  started,   // its blocks have begun; who waits for it may wait for the launch's end as well (griddepcontrol.wait)
  begun,     // its blocks have begun, and no more can be waited for
};
constexpr size_t kMoments = 3;

// The attributes of a launch. What blocks do together: all wait for each other, or those of
// clusters do, whose extents in blocks are all 0 where none were asked for.
struct Grouping {
  Grouping(bool cooperative = false) : cooperative(cooperative) {}
  bool cooperative;
  dim3 cluster = dim3(0, 0, 0);
  // Whether it may begin before the kernel before it in its stream has ended, and the
  // events that are recorded at moments of the launch, or null.
  bool programmatic = false;
  std::array<cudaEvent_t, kMoments> events{};
  // The kernel was called like a function, without <<<...>>>, so it has no launch configuration.
  bool unconfigured = false;
  cudaEvent_t &at(Moment m) { return events[static_cast<size_t>(m)]; }
  // Whether other work may begin between its beginning and its end.
  bool early() const { return programmatic || events != std::array<cudaEvent_t, kMoments>{}; }
};

// Whether a launch with the attribute of programmatic stream serialization may follow: the
// program has launches with attributes, of which the first is yet to come or had that one.
extern bool mayOverlap;

// Launches a resolved function; params holds its parameter bytes.
cudaError_t launchFunction(Function &f, dim3 grid, dim3 block, size_t shared,
                           cudaStream_t stream, const void *params, const Grouping &grouping);

// The parameter bytes of f, from pointers to its arguments.
std::vector<char> packParams(const Function &f, void **args);

// The function's number on the current device; it is resolved there if need be.
uint32_t idOf(Function &f, cudaError_t *error);

// The parameter bytes that a launch's extra options name and their number, or
// null.
const void *extraBytes(void **extra, size_t *size);

// Brings what the host has changed in its copies of managed variables to the device
// before a kernel, a copy or a fill, and what these have changed back after it. Other
// threads of the host may write to theirs meanwhile: only changed bytes are copied.
void pushManaged();
void pullManaged();
bool hasMirrors();

// The device's address for a pointer into the host's copy of a managed
// variable; other pointers stay as they are.
uint64_t deviceAddress(uint64_t pointer);

// Forgets what the server knew of a device, after cudaDeviceReset.
void forgetModules(int device);

} // namespace warpgrind
