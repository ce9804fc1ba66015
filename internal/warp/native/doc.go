// Package native translates programs to machine code: an executor of package warp.
//
//	                                              ┌─ gen ──► x86-64 with AVX-512 ──────────────────────┐
//	program ── plan ──► what repeats, what lives ─┤                                                    ├─► jit.Code
//	                                              └─ irGen ► LLVM IR ── a compiler ► ELF ── jit.Link ──┘
//
// A plan is what the generators want to know of a program: the rows that only repeat a
// scalar, where straight runs begin, and what lives after them. gen translates each
// straight run in two forms, for all 32 lanes and for some, with the rows that the run
// needs in vector registers (allocator). It emits the fast path and, after all runs, the
// ways off it: to the interpreter, before the step that the code cannot continue with, with
// all that lives back in the slab. The interpreter does the step and may enter again
// after it. A loop that is one run keeps rows in registers from round to round (carry.go). One that only loads, from
// places far apart, is run for one lane after the other, in scalar code (serial.go).
//
// An address by lane is mostly that of an array and an index of 32 bits. It is held as that (index.go),
// and its 64 bits are computed for a lane only where something else than an access wants them. Results of float32 keep
// what NaN the processor makes until something wants PTX's (loose.go).
//
// The caller and the code share a Context: the slab, the lanes, the budget, the regions
// where each memory instruction may go, and what was done, to be counted by the caller.
// Lanes that diverge stay in the code, with two stacks of the Context for joins and sides
// (diverge.go). A sweep runs the warps of a block one after the other in one call, from
// barrier to barrier and, where nothing has to be done at these, on behind them (sweep.go) and with
// the next blocks of the grid (blocks.go, irblocks.go).
//
// Operations are written once, in package body: render.go and irops.go have code for its primitives. Elementary
// functions are bodies as well, made from the formulas that package alu evaluates. Shuffles and votes stay in the code where the member mask names exactly the lanes that run
// (collective.go).
//
// Accesses to global memory that an observer wants are entered into its states (enter.go, quick.go, touch.go, concurrent.go)
// or marked in its bits (mark.go), where the instruction's region asks for that; those to shared memory go through the sieve of
// package recall (sift.go). Code by way of LLVM calls functions in C for all of these (irwatch.go, functions.go, c/functions.c),
// which the same compiler translates once.
//
// Planning and generation work on every machine; Executor.Supported tells whether the
// result can run.
//
// Where there is no AVX-512, irGen (ir.go) generates LLVM IR of the same steps with the same
// Context, and a compiler makes code of it while the interpreter continues. Rows are vectors of
// 32 elements, which LLVM fits to the processor; irtext.go writes instructions, irops.go renders
// operations, irmem.go memory and atomics, irflow.go branches, divergence, sweeps and
// warp-level operations. Each form is a function that gets the step to begin with. scope.go
// says, for both generators, which steps they may take; serial.go which loops they run for one lane after the other
// (serial_code.go, irserial.go).
package native
