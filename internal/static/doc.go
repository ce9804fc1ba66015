// Package static says what can be said of a kernel without running it: which
// pairs of accesses race, which are safe, and which have to be watched (Zheng
// et al., GRace, section 3.2), and which accesses to global memory are not
// coalesced by GPUDrano's abstract interpretation (Alur et al., section 4).
//
// A kernel's values become terms of two threads over thread and block indices,
// parameters, rounds of loops and unknown data; conditions on the way to an
// access are part of the question, so that a conflict that is proved is one
// that the program has. What is not known exactly (data read from memory, loops
// whose end depends on it) are variables of a kind of their own, and a conflict
// that needs one of them is not proved: the pair is to be watched.
//
// Indices and accesses beyond arrays are questions of the same kind about one thread. Host code in LLVM IR gives the
// launches: extents, arguments and sizes of allocations, as constants or as terms over the values of its functions
// (host.go, hostfunc.go, facts.go).
package static
