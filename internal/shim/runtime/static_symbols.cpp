// NVIDIA's static runtime library in a file with a symbol table.
#include "static_functions.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpgrind {

File::File(const char *name) {
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  struct stat s;
  if (fd >= 0 && fstat(fd, &s) == 0 && s.st_size > 0) {
    void *p = mmap(nullptr, static_cast<size_t>(s.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (p != MAP_FAILED) bytes_ = {static_cast<const char *>(p), static_cast<size_t>(s.st_size)};
  }
  if (fd >= 0) close(fd);
}

File::~File() {
  if (!bytes_.empty()) munmap(const_cast<char *>(bytes_.data()), bytes_.size());
}

bool StaticRuntime::has(std::string_view name) const {
  return std::any_of(functions.begin(), functions.end(), [&](const Symbol &s) { return s.name == name; });
}

namespace {

bool begins(std::string_view s, std::string_view with) { return s.substr(0, with.size()) == with; }

// The constructor that nvcc makes for a source with device code.
bool registersKernels(std::string_view name) { return name.find("__sti____cudaRegisterAll") != std::string_view::npos; }

void add(StaticRuntime &all, std::string_view name, const ElfW(Sym) & symbol) {
  if (registersKernels(name)) all.constructors.push_back(symbol.st_value);
  else if (begins(name, "cuda") || begins(name, "__cuda") || name == kServeStatic)
    all.functions.push_back({std::string(name), symbol.st_value, symbol.st_size});
}

} // namespace

StaticRuntime runtimeBySymbols(const File &file) {
  StaticRuntime out;
  auto *header = file.at<ElfW(Ehdr)>(0);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return out;
  auto *sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  for (int i = 0; sections && i < header->e_shnum; i++) {
    const ElfW(Shdr) &s = sections[i];
    if (s.sh_type != SHT_SYMTAB || s.sh_link >= header->e_shnum) continue;
    uint64_t n = s.sh_size / sizeof(ElfW(Sym)), textBytes = sections[s.sh_link].sh_size;
    auto *symbols = file.at<ElfW(Sym)>(s.sh_offset, n);
    auto *text = file.at<char>(sections[s.sh_link].sh_offset, textBytes);
    if (!symbols || !text || textBytes == 0 || text[textBytes - 1] != 0) continue;
    for (uint64_t k = 0; k < n; k++) {
      const ElfW(Sym) &symbol = symbols[k];
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_name < textBytes)
        add(out, text + symbol.st_name, symbol);
    }
  }
  return out;
}

} // namespace warpgrind
