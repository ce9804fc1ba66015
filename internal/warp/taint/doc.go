// Package taint follows undefined values through a warp: through its registers, local and shared
// memory, and global memory, as Valgrind's memcheck does for host code.
//
// A Tracker, of one warp, owns the shadow of the registers: a bit for each bit of a register that
// tells whether it is undefined, and an origin for each value, which is the read, or the register,
// that no thread had written. It comes into being when a lane first reads such a value. While a
// register is undefined the interpreter runs the warp and calls FollowStep before each step;
// where nothing of the warp or of the block's shared memory is undefined any more, generated
// code continues (MayRunNative). A program that reads nothing undefined never has a shadow.
//
// A Block has what the warps of a block share: the taint of shared memory, and what the access
// at work has found to be unwritten. The taint of global memory is the allocation's (mem.Taint).
//
// Undefined values may be moved, stored and loaded. They matter, and observers hear of it, where
// they form an address, decide a branch, a guard or a member mask, are passed to the runtime,
// update memory atomically, or come to global memory after something was computed with them
// (trace.Purpose).
//
// The files: step.go has the rules of steps, ops.go those of operations, which a test compares
// with all completions of the undefined bits; memory.go follows loads and stores, lanes.go values
// that pass from lane to lane and through calls. needs.go is what a Tracker asks of its warp.
// Matrix and asynchronous instructions are followed by their own packages, with the
// methods of Tracker and Shadow.
package taint
