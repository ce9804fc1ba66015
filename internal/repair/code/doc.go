// Package code is the source that patches edit: files, functions with their statements and the expressions in them as
// clang reads them, and the edits.
//
//	Program ── what clang says of the files (program.go); Function, Statement (statement.go)
//	   │        names that a statement can use (scope.go), texts and kinds of expressions (expression.go),
//	   │        launches (launch.go), inline assembly (assembly.go), conditions that clang's tree lacks (unread.go)
//	Calls ── a call put before, behind, between or around statements, with the text's own layout
//	   │        (insert.go, layout.go), past #if and macros (conditional.go, macro.go)
//	Patch ── edits that belong together; Apply makes the texts (patch.go)
//
// A position is an offset in a file, from clang's syntax tree, to the byte. What a macro makes is edited where the macro is
// used, as a whole.
package code
