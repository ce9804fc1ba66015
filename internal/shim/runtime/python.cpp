// Where a Python program launches a kernel: compilers of kernels in Python and CuPy call the driver from
// machine code, whose return addresses say nothing about the program.
#include "python.h"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string>
#include <unordered_map>

#include "client.h"
#include "lasting.h"

extern "C" void __wg_setPlace(const char *place);

namespace warpgrind {
namespace {

// What is used of Python's C API, which Python's own process exports.
struct Python {
  int (*isInitialized)();
  void *(*threadState)();
  int (*lock)();
  void (*unlock)(int);
  void *(*frame)();       // borrowed
  void *(*back)(void *);  // this and the next two are the caller's
  void *(*code)(void *);
  void *(*attribute)(void *, const char *);
  int (*line)(void *);
  const char *(*text)(void *);
  void (*keep)(void *);
  void (*drop)(void *);
  void (*clear)();
  bool known = false;

  Python() {
    known = find(isInitialized, "Py_IsInitialized") && find(threadState, "PyGILState_GetThisThreadState") && find(lock, "PyGILState_Ensure") &&
            find(unlock, "PyGILState_Release") && find(frame, "PyEval_GetFrame") && find(back, "PyFrame_GetBack") && find(code, "PyFrame_GetCode") &&
            find(attribute, "PyObject_GetAttrString") && find(line, "PyFrame_GetLineNumber") && find(text, "PyUnicode_AsUTF8") &&
            find(keep, "Py_IncRef") && find(drop, "Py_DecRef") && find(clear, "PyErr_Clear");
  }

  template <class F> static bool find(F &f, const char *name) { return (f = reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name))) != nullptr; }
};

const Python &python() {
  static Lasting<Python> p;
  return p.get();
}

// The files of the program itself by the names that code has, "" for those of installed packages and of Python, and where there is none.
struct Files {
  std::mutex mutex;
  std::unordered_map<std::string, std::string> paths;

  const std::string &of(const char *name) {
    std::lock_guard<std::mutex> lock(mutex);
    auto [at, fresh] = paths.try_emplace(name);
    char path[PATH_MAX];
    if (fresh && !isLibrary(name) && realpath(name, path) && !isLibrary(path)) at->second = path;
    return at->second;
  }

  static bool isLibrary(const char *path) {
    for (const char *part : {"/site-packages/", "/dist-packages/", "/lib/python3", "/lib64/python3"})
      if (strstr(path, part)) return true;
    return false;
  }
};

Files &files() {
  static Lasting<Files> f;
  return f.get();
}

// The file of a frame's code, "" where it is not the program's.
std::string fileOf(const Python &p, void *frame) {
  void *code = p.code(frame);
  void *name = p.attribute(code, "co_filename");
  const char *text = name ? p.text(name) : nullptr;
  std::string file = text ? files().of(text) : "";
  if (!text) p.clear();
  if (name) p.drop(name);
  p.drop(code);
  return file;
}

} // namespace

AtPythonLine::AtPythonLine() {
  const Python &p = python();
  // A thread without a state is none of Python's, and there is none any more when Python has ended.
  if (hasPlace() || !p.known || !p.isInitialized() || !p.threadState()) return;
  int state = p.lock();
  void *frame = p.frame();
  if (frame) p.keep(frame);
  while (frame && !set_) {
    std::string file = fileOf(p, frame);
    if (!file.empty()) {
      __wg_setPlace((file + ":" + std::to_string(p.line(frame))).c_str());
      set_ = true;
    }
    void *outer = p.back(frame);
    p.drop(frame);
    frame = outer;
  }
  if (frame) p.drop(frame);
  p.unlock(state);
}

AtPythonLine::~AtPythonLine() {
  if (set_) setPlace(nullptr);
}

} // namespace warpgrind
