// Package shadow specifies the words that the race rule keeps for units of memory in its fast paths: their bits, who writes
// and reads them, and what holds for them. It knows neither events nor engine nor generators of code. The observers of shared memory (package
// trace/recall) and of global memory (package check/race/global) use the words, and generated code (package warp/native) enters accesses
// into them through the structures that are here.
//
// A fast path answers for each access: nothing races so far, and the unit has this state now; or it asks the history. It may suspect too
// much, never too little: what it suspects is done again, or told again, with all accesses kept. A state that
// was changed before a suspicion arose is not used any more, so an access may be entered in part, and twice.
//
// The words:
//
//   - Quick (quick.go, table.go), 64 bits for a unit of global memory, where nothing but barriers orders threads: the block, the interval
//     between barriers, the thread, and the kinds of accesses. Written by the observer and, for accesses of one unit a lane, by code; by
//     compare-and-swap where blocks run at once. Blocks are numbered on from launch to launch, so that states are never cleared. Whether a launch
//     is suspected does not depend on the order of its blocks.
//   - References (refs.go), two of 32 bits for a unit of global memory, where blocks run in turn and synchronize: the last
//     plain write and the last plain reads. The order of happens-before decides which of them come before an access; code knows the
//     ranges for which that was decided. An access that comes after another takes its place: what races with the other later races with it
//     too. Points are numbered on from launch to launch.
//   - Touched (touched.go), one bit for a unit of global memory, and a journal, as long as a launch meets no unit twice. The journal
//     then is entered into Quick states, in any order.
//   - Sieve (sieve.go, table.go), 32 bits for a unit of shared memory: the interval, the thread, the kinds of accesses, and
//     whether the unit has been written. Written by the sieve and by code for the one block that has the memory. In an interval that is
//     not suspected each access is in the journal, or has changed no state.
//   - Marks (marks.go), one bit for an element of an allocation: which memory the instructions of a launch access, for launches that
//     overlap. Bits are only ever set in a launch.
//
// Units have one size in a launch, that of the smallest access. States of global memory are in pages of PageUnits units, which Live finds.
package shadow
