// Package x86 renders the plans of package native as x86-64 code with AVX-512.
//
// gen translates each straight run in two forms, for all 32 lanes and for some, with the rows that the run needs in vector
// registers (allocator, in regs.go). It emits the fast path and, after all runs, the ways off it. A loop that is one run
// keeps rows in registers from round to round (carry.go); one that runs for one lane after the other is scalar code
// (serial_code.go, serial_load.go, serial_ops.go).
//
// An address by lane is mostly that of an array and an index of 32 bits. It is held as that (index.go), and its 64 bits are
// computed for a lane only where something else than an access wants them. Results of float32 keep the NaN that the
// processor makes until something wants PTX's (loose.go).
//
// Lanes that diverge stay in the code, with two stacks of the Context for joins and sides (diverge.go). A sweep runs the
// warps of a block one after the other in one call, from barrier to barrier (sweep.go) and with the next blocks of the grid
// (blocks.go).
//
// Accesses to global memory that an observer wants are entered into its states (enter.go, quick.go, touch.go,
// concurrent.go) or marked in its bits (mark.go); those to shared memory go through the sieve (sift.go) or follow what the
// group expects (known.go).
//
// Generation works on every machine; Executor.Supported tells whether the result can run.
package x86
