// Package native translates programs to x86-64 machine code with AVX-512: an executor of
// package warp.
//
//	program ── plan ──► what repeats, what lives ── gen ──► jit.Code, and where each step is in it
//
// A plan is what the generator wants to know of a program: the rows that only repeat a
// scalar, where straight runs begin, and what lives after them. gen translates each
// straight run in two forms, for all 32 lanes and for some, with the rows that the run
// needs in vector registers (allocator). It emits the fast path and, after all runs, the
// ways off it: to the interpreter, before the step that the code cannot continue with, with
// all that lives back in the slab. The interpreter does the step and may enter again
// after it.
//
// The caller and the code share a Context: the slab, the lanes, the budget, the regions
// where each memory instruction may go, and what was done, to be counted by the caller.
// Lanes that diverge stay in the code, with two stacks of the Context for joins and sides
// (diverge.go). A sweep runs the warps of a block one after the other in one call, from
// barrier to barrier (sweep.go).
//
// Most operations of package alu have machine code of their own (ops.go). Elementary
// functions are made from the same formulas that package alu evaluates (formula.go). Shuffles
// and votes stay in the code where the member mask names exactly the lanes that run
// (collective.go).
//
// Planning and generation work on every machine; Executor.Supported tells whether the
// result can run.
package native
