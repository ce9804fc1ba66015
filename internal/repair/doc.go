// Package repair turns the repair that a finding asks for into edits of the source, and finds the
// synchronization that may be redundant (tidy.go).
//
//	code ── the source: functions, statements, expressions, edits
//	   │
//	guard, order, memory, perf ── the patches, by what they change
//	   │
//	catalog ── a row for each kind of repair: its patches, or why there are none (catalog.go)
//	   │
//	Candidates ── the patches for a finding, the likeliest first (candidates.go, intent.go)
//
// It proposes and decides nothing: which candidate holds is found out by running the program
// with it. So a candidate may be wrong, but every edit must leave a text that means what the
// statements of the edit say: places come from clang's syntax tree, to the byte, and never
// from the text of a line.
package repair
