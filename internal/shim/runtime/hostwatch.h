// What the program's own code does to memory that kernels can access: managed,
// page-locked and registered memory. The compiler puts a call at each access
// of host code (clang's -fsanitize=thread; this is not ThreadSanitizer, only
// its callbacks). While work that the host has not waited for may be on its
// way, accesses to such memory are noted here, by place, and told to the
// server before the next request: between two requests nothing changes in what
// is ordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpgrind {

enum class Op : uint32_t;

// Whether code of this program tells its accesses.
bool hostIsWatched();

// Takes note of work in a stream that a request began or waited for.
void noteWork(Op op, uint64_t stream);

// A range of the program's own memory that the device sees at address arena.
// Forgetting takes any range away that begins there.
void watchRange(const void *begin, size_t size, uint64_t arena);
void forgetRange(const void *begin);

// Takes what was noted, as the payload of Op::Touched: u32 number of records,
// each u8 kind (read, write, both), u8 strong, u8 incomplete, u8 n + n*u64
// return addresses, u32 n + n*(u64 address, u64 bytes). Empty without any.
std::string takeTouches();

} // namespace warpgrind
