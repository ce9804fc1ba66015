// Package coverage says which lines, functions and branches of device code were executed, and how often.
//
//	clang's mapping ── a Unit in the PTX ──┐
//	markers in the PTX ── executions ──────┴─► Collector ──► Result ──► reports
//
// Clang describes what there is to cover (LLVM, "LLVM Code Coverage Mapping Format"): for each function its regions in
// the source, each with the counter that belongs to it, or a sum or a difference of counters, and its branches, one for
// each condition, also those of "&&", "||" and "?:" and each case of a switch. That is the Unit of a source, which
// travels in the PTX. Where clang would count, the PTX has a marker (pragma.Count, pragma.Decide). The engine counts executions of basic
// blocks by warps and threads, so that a marker costs no instruction.
//
// Code without such a mapping, from another compiler, has the lines of its line table, and the branches of the PTX.
//
// A Result is in terms of the source: instances of a template and inlined copies of a function are summed. Results of
// several runs are merged by adding them (Merge).
package coverage
