// NVIDIA's static runtime library in a file that was stripped of its symbol table.
//
// Each of its functions that a program may call gives its own name to the profiler, and so refers to that name as a
// string; and each of them first calls the function that finds the library's state. So a function is one of the runtime
// API if it refers to one such name and calls what all the others call. Where functions begin and end is in the
// table by which exceptions unwind. The library of CUDA 12.9 has 421 functions that are found so, that of 13.5 has 443, and
// no other function of the files that contain them looks like that.
//
// The functions that nvcc's code calls to register kernels and to launch them have no such names. The constructor of a source
// with device code calls the first of them with the source's fat binary, and they lie one after the other in an order
// that is the same in the libraries from 12.1 to 13.5.
#include "static_functions.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <map>
#include <set>
#include <utility>

namespace warpgrind {

#if defined(__x86_64__)
namespace {

template <class T> T read(const char *p) {
  T v;
  memcpy(&v, p, sizeof v);
  return v;
}

// A file's segments, by the addresses that they are loaded at.
class Memory {
public:
  explicit Memory(const File &file) : file_(file) {
    auto *header = file.at<ElfW(Ehdr)>(0);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    auto *segments = file.at<ElfW(Phdr)>(header->e_phoff, header->e_phnum);
    for (int i = 0; segments && i < header->e_phnum; i++) {
      if (segments[i].p_type == PT_LOAD) loaded_.push_back(segments[i]);
      if (segments[i].p_type == PT_GNU_EH_FRAME) unwind_ = segments[i].p_vaddr;
    }
  }

  // n bytes at an address, or null where the file has none.
  const char *at(uint64_t address, uint64_t n) const {
    for (auto &s : loaded_)
      if (address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz && n <= s.p_filesz - (address - s.p_vaddr))
        return file_.at<char>(s.p_offset + (address - s.p_vaddr), n);
    return nullptr;
  }

  const std::vector<ElfW(Phdr)> &segments() const { return loaded_; }
  uint64_t unwind() const { return unwind_; } // .eh_frame_hdr, or 0

private:
  const File &file_;
  std::vector<ElfW(Phdr)> loaded_;
  uint64_t unwind_ = 0;
};

// The functions of a file by where they begin, with their sizes ("Linux Standard Base", "Exception Frames").
class Functions {
public:
  explicit Functions(const Memory &memory) {
    constexpr unsigned char kEncodings[] = {1, 0x1b, 0x03, 0x3b}; // the version, and a sorted table of 32-bit distances
    uint64_t base = memory.unwind();
    const char *header = base ? memory.at(base, 12) : nullptr;
    if (!header || memcmp(header, kEncodings, sizeof kEncodings) != 0) return;
    auto n = read<uint32_t>(header + 8);
    const char *table = memory.at(base + 12, uint64_t{n} * 8);
    for (uint32_t i = 0; table && i < n; i++) {
      uint64_t start = base + static_cast<int64_t>(read<int32_t>(table + i * 8)), entry = base + static_cast<int64_t>(read<int32_t>(table + i * 8 + 4));
      const char *frame = memory.at(entry, 16);
      // Its length, where its shared part is, the function relative to this field, and the function's size.
      if (frame && entry + 8 + static_cast<uint64_t>(static_cast<int64_t>(read<int32_t>(frame + 8))) == start)
        sizes_[start] = read<uint32_t>(frame + 12);
    }
  }

  using Function = std::map<uint64_t, uint64_t>::const_iterator;

  Function at(uint64_t start) const { return sizes_.find(start); }
  Function none() const { return sizes_.end(); }

  Function around(uint64_t address) const {
    auto next = sizes_.upper_bound(address);
    if (next == sizes_.begin()) return none();
    auto f = std::prev(next);
    return address - f->first < f->second ? f : none();
  }

private:
  std::map<uint64_t, uint64_t> sizes_;
};

// The address that an instruction's last four bytes give, relative to its end.
uint64_t target(uint64_t address, const char *code, size_t bytes) {
  return address + bytes + static_cast<uint64_t>(static_cast<int64_t>(read<int32_t>(code + bytes - 4)));
}

constexpr size_t kLea = 7, kCall = 5; // lea disp32(%rip),%reg and call rel32

bool isLea(const char *code) {
  auto *b = reinterpret_cast<const unsigned char *>(code);
  return (b[0] & 0xfb) == 0x48 && b[1] == 0x8d && (b[2] & 0xc7) == 0x05;
}

bool isCall(const char *code) { return static_cast<unsigned char>(*code) == 0xe8; }

// The functions that one calls, those that are known by their beginnings; bytes that only look like a call have a
// target that is none.
std::set<uint64_t> callees(const Memory &memory, const Functions &functions, Functions::Function f) {
  std::set<uint64_t> out;
  const char *code = memory.at(f->first, f->second);
  for (uint64_t i = 0; code && i + kCall <= f->second; i++)
    if (isCall(code + i))
      if (uint64_t to = target(f->first + i, code + i, kCall); functions.at(to) != functions.none()) out.insert(to);
  return out;
}

// The name of a function of the runtime API at an address, or "".
std::string nameAt(const Memory &memory, uint64_t address) {
  constexpr size_t kLongest = 64;
  const char *text = memory.at(address, kLongest);
  if (!text || strncmp(text, "cuda", 4) != 0 || !isupper(static_cast<unsigned char>(text[4]))) return "";
  size_t n = strnlen(text, kLongest);
  bool whole = n < kLongest && std::all_of(text, text + n, [](unsigned char c) { return isalnum(c) || c == '_'; });
  return whole ? std::string(text, n) : "";
}

using Names = std::map<uint64_t, std::set<std::string>>;

// The names that functions refer to.
Names references(const Memory &memory, const Functions &functions) {
  Names out;
  for (auto &s : memory.segments()) {
    const char *code = s.p_flags & PF_X ? memory.at(s.p_vaddr, s.p_filesz) : nullptr;
    for (uint64_t i = 0; code && i + kLea <= s.p_filesz; i++) {
      if (!isLea(code + i)) continue;
      uint64_t address = s.p_vaddr + i;
      std::string name = nameAt(memory, target(address, code + i, kLea));
      if (name.empty()) continue;
      if (auto f = functions.around(address); f != functions.none()) out[f->first].insert(name);
    }
  }
  return out;
}

// The function that most of these call, or 0.
uint64_t commonCallee(const std::map<uint64_t, std::set<uint64_t>> &calls) {
  std::map<uint64_t, size_t> count;
  for (auto &[from, to] : calls)
    for (uint64_t t : to) count[t]++;
  auto most = std::max_element(count.begin(), count.end(), [](auto &a, auto &b) { return a.second < b.second; });
  return most == count.end() ? 0 : most->first;
}

void findNamed(const Memory &memory, const Functions &functions, StaticRuntime &out) {
  Names names = references(memory, functions);
  std::map<uint64_t, std::set<uint64_t>> calls;
  for (auto &[f, n] : names) calls[f] = callees(memory, functions, functions.at(f));
  const uint64_t state = commonCallee(calls);
  std::map<std::string, uint64_t> found;
  std::set<std::string> twice;
  for (auto &[f, n] : names) {
    if (n.size() != 1 || !calls[f].count(state)) continue;
    if (!found.emplace(*n.begin(), f).second) twice.insert(*n.begin());
  }
  for (auto &[name, f] : found)
    if (!twice.count(name)) out.functions.push_back({name, f, functions.at(f)->second});
}

// The functions without names, in their order in the library.
constexpr const char *kUnnamed[] = {"__cudaRegisterFatBinary",  "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary", "__cudaRegisterVar",
                                    "__cudaRegisterManagedVar", "__cudaRegisterHostVar",      "__cudaRegisterFunction",    "__cudaInitModule",
                                    "__cudaPushCallConfiguration", "__cudaPopCallConfiguration", "__cudaGetKernel",        "__cudaLaunchKernel",
                                    "__cudaLaunchKernel_ptsz"};

// The address that an instruction puts into a register, by a distance or as a constant, with its size; 0 if it is another one.
std::pair<uint64_t, size_t> loadedAddress(uint64_t address, const char *code, uint64_t bytes) {
  constexpr size_t kMove = 5; // mov imm32,%reg
  if (bytes >= kLea && isLea(code)) return {target(address, code, kLea), kLea};
  if (bytes >= kMove && (static_cast<unsigned char>(*code) & 0xf8) == 0xb8) return {read<uint32_t>(code + 1), kMove};
  return {0, 0};
}

// The function that a constructor calls with a fat binary, or 0.
uint64_t registersFatBinary(const Memory &memory, Functions::Function f) {
  constexpr uint32_t kWrapperMagic = 0x466243b1;
  constexpr uint64_t kNear = 32; // bytes of code from there to the call
  const char *code = memory.at(f->first, f->second);
  for (uint64_t i = 0; code && i < f->second; i++) {
    auto [address, size] = loadedAddress(f->first + i, code + i, f->second - i);
    const char *wrapper = size ? memory.at(address, sizeof kWrapperMagic) : nullptr;
    if (!wrapper || read<uint32_t>(wrapper) != kWrapperMagic) continue;
    for (uint64_t k = i + size; k < i + size + kNear && k + kCall <= f->second; k++)
      if (isCall(code + k)) return target(f->first + k, code + k, kCall);
  }
  return 0;
}

void findUnnamed(const Memory &memory, const Functions &functions, const std::vector<uint64_t> &initializers, StaticRuntime &out) {
  std::map<uint64_t, std::vector<uint64_t>> constructors; // by what they register with
  for (uint64_t address : initializers) {
    auto f = functions.at(address);
    if (f == functions.none()) continue;
    if (uint64_t to = registersFatBinary(memory, f); to && functions.at(to) != functions.none()) constructors[to].push_back(address);
  }
  for (auto &[first, all] : constructors) {
    auto end = std::next(functions.at(first)); // which a constructor calls as well
    if (end == functions.none()) continue;
    bool calls = std::all_of(all.begin(), all.end(), [&](uint64_t c) { return callees(memory, functions, functions.at(c)).count(end->first); });
    if (!calls) continue;
    auto f = functions.at(first);
    for (const char *name : kUnnamed) {
      if (f == functions.none()) return;
      out.functions.push_back({name, f->first, f->second});
      ++f;
    }
    out.constructors = all;
    return;
  }
}

} // namespace

StaticRuntime runtimeByCode(const File &file, const std::vector<uint64_t> &initializers) {
  StaticRuntime out;
  // The id of the table that it asks the driver for (cuGetExportTable), and no other library does. Others may look as if
  // they had its functions: bindings of other languages have a function for each, which gives the name to an error.
  constexpr std::string_view kRuntimesTable("\x6b\xd5\xfb\x6c\x5b\xf4\xe7\x4a\x89\x87\xd9\x39\x12\xfd\x9d\xf9", 16);
  if (file.bytes().find(kRuntimesTable) == std::string_view::npos) return out;
  const Memory memory(file);
  const Functions functions(memory);
  findNamed(memory, functions, out);
  constexpr size_t kFewest = 100; // an older library, whose functions give their names in another way, has 13
  if (out.functions.size() < kFewest) return {};
  findUnnamed(memory, functions, initializers, out);
  return out;
}

#else

StaticRuntime runtimeByCode(const File &, const std::vector<uint64_t> &) { return {}; }

#endif

} // namespace warpgrind
