// The emulated GPU of a program that was started by itself.
#pragma once

namespace warpgrind {

// The program's exit code if the check did not finish and its own is 0 (session.ExitUnfinished).
constexpr int kUnfinished = 7;

// Starts warpgrind and returns a connection to it, with a message on standard error
// kNoTool where there is none, and -1 if it cannot be started.
constexpr int kNoTool = -2;
int startEngine();

// A variable of the environment, or what it was when the program began: one that clears its
// environment still has its check.
const char *setting(const char *name);

// Moves a descriptor of ours out of the way of those that programs take for theirs: standard
// streams that are closed, and numbers that are chosen with dup2.
int setAside(int fd);

} // namespace warpgrind
