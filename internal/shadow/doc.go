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
//   - Quick (quick.go), 64 bits for a unit of global memory, where nothing but barriers orders threads. It has the block, the interval
//     between barriers, the thread, and the kinds of accesses.
//   - References (refs.go), two of 32 bits for a unit of global memory, where blocks run in turn and synchronize: the last
//     plain write and the last plain reads. The order of happens-before decides which of them come before an access; code knows the
//     ranges for which that was decided.
//   - Touched (touched.go), one bit for a unit of global memory, and a journal, as long as a launch meets no unit twice. The journal
//     then is entered into Quick states.
//   - Sieve (sieve.go), 32 bits for a unit of shared memory: the interval, the thread, the kinds of accesses, and
//     whether the unit has been written.
//   - Marks (marks.go), one bit for an element of an allocation: which memory the instructions of a launch access, for launches that overlap.
//
// Units have one size in a launch, that of the smallest access. States of global memory are in pages of PageUnits units, which Live finds.
package shadow
