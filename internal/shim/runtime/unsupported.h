// Calls that warpgrind does not support. Each ends the check as unsupported and returns
// its library's code for it.
//
// The stubs are weak, so that a program may bring the function itself. They take no
// parameters, as the C calling conventions of x86-64 and AArch64 allow, and have names
// of their own in C++, since headers declare the others.

#pragma once

namespace warpgrind {

// Reports a call that is not supported; returns code, or cudaErrorNotSupported where the
// report fails.
int unsupportedCall(const char *api, int code);

} // namespace warpgrind

// A stub whose result is an expression.
#define UNSUPPORTED_BY(name, result)                                        \
  extern "C" int unsupported_##name() __asm__(#name) __attribute__((weak)); \
  extern "C" int unsupported_##name() { return result; }

#define UNSUPPORTED(name, code) UNSUPPORTED_BY(name, warpgrind::unsupportedCall(#name, code))
