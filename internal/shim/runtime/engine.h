// The emulated GPU of a program that was started by itself.
#pragma once

namespace warpgrind {

// Starts warpgrind and returns a connection to it, or -1 with a message on standard error.
int startEngine();

// Waits until the report is written, if this process has started warpgrind.
// Returns the exit code that the program should have, or 0 for its own.
int awaitEngine();

} // namespace warpgrind
