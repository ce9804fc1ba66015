// NVRTC: sources are compiled by the engine's process, which has the compiler.
#include "nvrtc.h"
#include "lasting.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "client.h"

struct _nvrtcProgram {
  std::string name, source, log, ptx;
  std::map<std::string, std::string> headers;
  std::vector<std::string> expressions, lowered;
  bool compiled = false, lto = false;
};

using namespace warpgrind;

namespace {

struct Programs {
  std::mutex mutex;
  std::set<nvrtcProgram> all;
};

Programs &programs() {
  static Lasting<Programs> p;
  return p.get();
}

bool exists(nvrtcProgram p) {
  std::lock_guard<std::mutex> lock(programs().mutex);
  return programs().all.count(p) > 0;
}

// The directory of the source's name is searched for headers unless an option says
// otherwise ("NVRTC", "Supported Compile Options", --no-source-include).
std::vector<std::string> withSourceDirectory(const std::string &name, std::vector<std::string> options) {
  for (auto &o : options)
    if (o == "-no-source-include" || o == "--no-source-include") return options;
  size_t slash = name.rfind('/');
  std::string dir = slash == std::string::npos ? "." : name.substr(0, slash + 1);
  if (char *real = realpath(dir.c_str(), nullptr)) {
    options.push_back(std::string("-I") + real);
    free(real);
  }
  return options;
}

nvrtcResult compile(_nvrtcProgram &p, const std::vector<std::string> &options) {
  protocol::Batch<protocol::SourceHeader> headers;
  for (auto &h : p.headers) headers.add({h.first, h.second});
  using Texts = protocol::Batch<std::string_view>;
  const CallName name("nvrtcCompileProgram");
  Call c{protocol::Compile(p.name, p.source, headers, Texts().addAll(options), Texts().addAll(p.expressions))};
  bool ok = c.send();
  if (ok) p.log = c.reply.log;
  if (!c.reply.ok) return ok ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_INTERNAL_ERROR;
  p.ptx = c.reply.ptx;
  p.lowered = c.reply.lowered;
  p.compiled = true;
  p.lto = std::any_of(options.begin(), options.end(), [](const std::string &o) { return o == "-dlto" || o == "--dlto"; });
  return NVRTC_SUCCESS;
}

nvrtcResult give(nvrtcProgram p, const std::string _nvrtcProgram::*text, size_t *size, char *out) {
  if (!exists(p)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size && !out) return NVRTC_ERROR_INVALID_INPUT;
  const std::string &s = p->*text;
  if (size) *size = s.size() + 1;
  if (out) memcpy(out, s.c_str(), s.size() + 1);
  return NVRTC_SUCCESS;
}

constexpr int kArchs[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

} // namespace

extern "C" {

const char *nvrtcGetErrorString(nvrtcResult result) {
#define NAME(e) \
  case e: return #e;
  switch (result) {
    NAME(NVRTC_SUCCESS) NAME(NVRTC_ERROR_OUT_OF_MEMORY) NAME(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    NAME(NVRTC_ERROR_INVALID_INPUT) NAME(NVRTC_ERROR_INVALID_PROGRAM) NAME(NVRTC_ERROR_INVALID_OPTION)
    NAME(NVRTC_ERROR_COMPILATION) NAME(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    NAME(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION) NAME(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    NAME(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID) NAME(NVRTC_ERROR_INTERNAL_ERROR)
    NAME(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
  }
#undef NAME
  return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDA_VERSION / 1000;
  *minor = CUDA_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = static_cast<int>(sizeof kArchs / sizeof *kArchs);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *archs) {
  if (!archs) return NVRTC_ERROR_INVALID_INPUT;
  memcpy(archs, kArchs, sizeof kArchs);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source, const char *name, int count,
                               const char *const *headers, const char *const *names) {
  if (!out || !source || count < 0 || (count > 0 && (!headers || !names))) return NVRTC_ERROR_INVALID_INPUT;
  auto *p = new _nvrtcProgram;
  p->source = source;
  p->name = name && *name ? name : "default_program";
  for (int i = 0; i < count; i++) p->headers[names[i]] = headers[i];
  std::lock_guard<std::mutex> lock(programs().mutex);
  programs().all.insert(p);
  *out = p;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program || !exists(*program)) return NVRTC_ERROR_INVALID_PROGRAM;
  std::lock_guard<std::mutex> lock(programs().mutex);
  programs().all.erase(*program);
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char *const *options) {
  if (!exists(p)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count > 0 && !options)) return NVRTC_ERROR_INVALID_INPUT;
  return compile(*p, withSourceDirectory(p->name, std::vector<std::string>(options, options + count)));
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *size) { return give(p, &_nvrtcProgram::ptx, size, nullptr); }
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *out) { return give(p, &_nvrtcProgram::ptx, nullptr, out); }

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *size) {
  return give(p, &_nvrtcProgram::log, size, nullptr);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *out) { return give(p, &_nvrtcProgram::log, nullptr, out); }

// A cubin holds PTX here, as those of the compiler driver do.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *size) { return give(p, &_nvrtcProgram::ptx, size, nullptr); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *out) { return give(p, &_nvrtcProgram::ptx, nullptr, out); }

// So does what is to be optimized at link time, which there is with -dlto only.
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram p, size_t *size) {
  const nvrtcResult r = give(p, &_nvrtcProgram::ptx, size, nullptr);
  if (r == NVRTC_SUCCESS && !p->lto) *size = 0;
  return r;
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram p, char *out) {
  return exists(p) && !p->lto ? NVRTC_ERROR_INVALID_PROGRAM : give(p, &_nvrtcProgram::ptx, nullptr, out);
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression) {
  if (!exists(p)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression) return NVRTC_ERROR_INVALID_INPUT;
  if (p->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  p->expressions.push_back(expression);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **name) {
  if (!exists(p)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
  if (!p->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (size_t i = 0; i < p->expressions.size() && i < p->lowered.size(); i++)
    if (p->expressions[i] == expression && !p->lowered[i].empty()) {
      *name = p->lowered[i].c_str();
      return NVRTC_SUCCESS;
    }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

} // extern "C"
