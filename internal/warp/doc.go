// Package warp executes programs of package program: 32 lanes at once, with divergence
// and reconvergence, calls, memory and the operations of a warp. It knows neither PTX
// nor grids; what a block has to arrange (barriers) it asks of the Barriers interface.
//
// A Warp has one or more groups of lanes, each with its own step and mask. While all
// live lanes are together the warp is converged and has no group at all, which is the
// usual case and the fast one.
//
//	                   Start
//	                     |
//	                     v     all lanes at one step
//	                 converged <---------------------------+
//	                     |  a branch that lanes take apart |
//	                     v                                 |
//	+--------------> ready group <-------+                 |
//	| Resume             |  runs         | the last lane   |
//	|       +------------+-----------+   | arrives, or     |
//	|       |            |           |   | gives up waiting|
//	|       v            v           v   |                 |
//	+-- at a block   at a warp-   at the reconvergence ----+
//	    barrier      level          point (join)
//	                 operation
//	                 with a mask
//
//	exit: the lanes leave their group, every join and every member mask they are
//	expected in; with the last of them the warp is Done.
//
// A join is a reconvergence point: the immediate post-dominator of a branch, with the
// lanes expected there and those that arrived. Groups that wait there free their turn.
// On architectures with independent thread scheduling a group that spins hands its turn
// on after a while (Nudge), and lanes at a join continue without the others when those
// cannot come (Unblock).
//
// Run returns to the engine when the warp is Done, Blocked (all groups wait), Yielded
// (the budget is used up), Faulted, or has Passed a barrier that the block completed.
//
// Two executors do the steps. The interpreter (run.go) is the definition and knows
// every step. An Executor, of which package native has the one, runs what it can from a
// step on and hands the warp back where it cannot continue: at a step that it has no code
// for, an address it has not seen, an event that an observer wants. The state is the same slab in
// both, so that either can continue where the other stopped.
//
// Families of instructions are packages below this one, each with its own state: texture, matrix,
// tensor (warpgroups and tensor memory), async (asynchronous copies and mbarriers), devrt (the device
// runtime) and taint (undefined values, which are followed before each step where a kernel reads values
// that were never set). They are written in terms of vec: registers of 32 lanes, masks, spans of
// addresses. None of them knows a Warp: each says in an interface what it needs of one, and
// rooms.go has what several ask for. steps.go decides which package executes a step.
//
// What is here: the interpreter (run.go), memory (mem.go) and accesses that are refused (faults.go),
// calls (flow.go), divergence (groups.go, stretch.go), barriers, warp-level operations (sync.go), and the
// way into generated code (native.go, sweep.go).
package warp
