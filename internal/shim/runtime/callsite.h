// See callsite.cpp.
#pragma once

#include <string>

#include "client.h"

namespace warpgrind {

// The return addresses of the calling function and those above it, at most as
// many as are given.
int returnAddresses(void **out, int most);

// The name, without folders, of the library or program that the runtime is called from; "" where it is
// unknown.
std::string callersFile();

} // namespace warpgrind
