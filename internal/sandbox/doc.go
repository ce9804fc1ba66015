// Package sandbox runs a program that is not trusted: a compiler on somebody's source, what
// came of it, an emulator of it. The program sees a few files, read-only, and an empty
// directory of its own; no network, no other processes; and it is bounded in time, memory,
// and what it writes.
//
//	Start ── clone with namespaces ──► this executable again: Enter, first thing in main
//	                                     │  own mounts, pivot_root           (mounts.go)
//	                                     │  limits                           (limits.go)
//	                                     │  Landlock                         (landlock.go)
//	                                     │  no capabilities, seccomp         (seccomp.go)
//	                                     ├─ what held, on a pipe
//	                                     └─ execve of the program
//
// Each of the layers is there for itself. A machine may lack some (user namespaces are
// turned off in many containers, Landlock came with Linux 5.13): Held says which did their part, and
// Report.Missing what nothing stands in for. Start refuses unless files and the network are
// closed off, which namespaces do, or Landlock and seccomp together.
//
// The executable that calls Start must call Enter before anything else.
package sandbox
