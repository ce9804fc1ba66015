// Calls that warpgrind does not carry out. Each says so to the server, which
// ends the check as unsupported, and returns its library's code for it.
//
// They are weak: a file that carries one of them out takes its place. They
// take no parameters, as the C calling conventions of x86-64 and AArch64
// allow, and have names of their own in C++, since headers declare the others.

#pragma once

namespace warpgrind {
int unsupportedCall(const char *api, int code); // client.cpp
}

#define UNSUPPORTED(name, code)                                                   \
  extern "C" int unsupported_##name() __asm__(#name) __attribute__((weak));       \
  extern "C" int unsupported_##name() { return warpgrind::unsupportedCall(#name, code); }
