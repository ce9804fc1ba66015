// Package llvm renders the plans of package native as LLVM IR, which a compiler makes code of while the interpreter
// continues: for processors without AVX-512.
//
// Rows are vectors of 32 elements, which LLVM fits to the processor. text.go writes instructions, operations.go the
// primitives of bodies, mem.go memory and atomics, flow.go branches, divergence, sweeps and warp-level operations, blocks.go
// the next blocks of a sweep, serial.go loops that run for one lane after the other. Each of the two forms of a program is a
// function that gets the step to begin with. A straight run keeps its rows in values; what others read is stored in the slab at
// once, so that a way out has nothing to save.
//
// What is done lane by lane and what observers keep of accesses are functions in C (functions.go, c/functions.c), which the
// same compiler translates once for all kernels.
package llvm
