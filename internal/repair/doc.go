// Package repair turns the repair that a finding asks for into edits of the source, and finds the
// synchronization that may be redundant (tidy.go).
//
//	Program ── what clang says of the files: functions, statements, expressions
//	   │            (program.go reads, statement.go nests them)
//	Candidates ── the edits that may do what finding.Repair asks for, the likeliest first
//	   │            (candidates.go; insert.go, atomic.go and guard.go for the kinds)
//	Patch ── edits of one candidate; Apply makes the texts (patch.go)
//
// It proposes and decides nothing: which candidate holds is found out by running the program
// with it. So a candidate may be wrong, but every edit must leave a text that means what the
// statements of the edit say: places come from clang's syntax tree, to the byte, and never
// from the text of a line. What a macro makes is edited where the macro is used, as a whole.
package repair
