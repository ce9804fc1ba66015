// The emulated GPU of a program that was started by itself.
#pragma once

#include <string>

namespace warpgrind {

// Starts warpgrind and returns the name of its socket, or "" with a message on
// standard error. Child processes find it by the environment.
std::string startEngine();

// Waits until the report is written, if this process has started warpgrind.
// Returns the exit code that the program should have, or 0 for its own.
int awaitEngine();

} // namespace warpgrind
