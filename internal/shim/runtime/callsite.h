// See callsite.cpp.
#pragma once

#include "client.h"

namespace warpgrind {

// The return addresses of the calling function and those above it, at most as
// many as are given.
int returnAddresses(void **out, int most);

} // namespace warpgrind
