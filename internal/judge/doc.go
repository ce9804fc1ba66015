// Package judge decides whether candidate kernels are right: thousands a day, written by people
// or machines, some of which try to look right without being so.
//
// A job is a candidate (CUDA source or PTX), the arguments and launches that make one call of it,
// how the inputs are made, and a reference: a C++ function, another kernel, or the expected outputs. A
// verdict says whether the candidate is accepted and, if not, for which reasons, with
// what was measured. docs/JUDGE.md describes both, field by field.
//
//	jobs.jsonl ── Decode ──► Job ── plan ──► calls: contents of all arguments
//	                                           │
//	         ┌─ compile ◄── sandbox, compiler ─┤   (pool.go, worker.go)
//	         ├─ reference ◄─ sandbox, program ─┤   expected outputs, never seen by the candidate
//	         └─ run ◄────── sandbox, engine ───┘   each schedule from a fresh module
//	                  │
//	               decide ──► Verdict ──► verdicts.jsonl, in the order of the jobs
//
// All that the job brings is hostile: what reads, compiles or runs any of it is a process of its own in
// a sandbox (package sandbox), which gets its input by a pipe and answers by another. What comes back is
// data of a known size. Only the process that decides sees both the candidate's outputs and the
// expected ones.
//
// The ways to cheat, and what meets them:
//
//	read the expected output        it is not in the process that runs the candidate
//	write nothing, or a part        outputs begin as poison, and each byte that was written is known
//	read what memory held before    the same, by the rule init
//	write or read outside           the rule memory
//	change the inputs               they are compared after each call
//	remember an earlier call        each input is also run first, in a fresh module
//	ignore the inputs               two calls with other inputs, whose results must differ
//	compute on the host             the host's bytes are followed, and compared for different inputs
//	compute in a narrower type      the instructions of the PTX, and the size of the errors
//	depend on luck                  several schedules, and the rule race
//	run forever                     the rule hang, and bounds on instructions and time
//	read files, reach the network   the sandbox
//
// Equal jobs give equal verdicts, byte for byte, but for the field seconds and for what time and
// memory limits cut off.
package judge
