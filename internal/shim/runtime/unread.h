// Errors that the program does not read; see unread.cpp.
#pragma once

namespace warpgrind {

// A call of the runtime API fails: the error before it can be read no more.
void unreadOverwritten();

// cudaGetLastError or cudaPeekAtLastError returns the error.
void unreadTaken();

} // namespace warpgrind
