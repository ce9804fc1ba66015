// Package report makes the report of a run, or of a static check, from the finding set
// alone: text and HTML for people; JSON, SARIF, JUnit, GitHub's annotations and the lines
// of compute-sanitizer for programs.
//
// # Stages
//
//	findings of the rules
//	    │ Group: findings of one cause become one (group.go, span.go, join.go)
//	    │ Sort: errors first, then by the rule's rank, then by cost
//	    │ fingerprint: an identity that survives edits elsewhere in the file
//	    ▼
//	Report ── Write ──► one of Formats (text.go, html.go, json.go, sarif.go, junit.go,
//	    ▲  │            github.go, sanitizer.go)
//	    │  └─ Embed, JSON ──► a saved report, with the sources that it names
//	    └──── Unpack ◄─────── read again by warpgrind report and editors
//
// Prepare does the first part. Nothing after it adds, drops or reorders a finding, so that
// all formats of a run agree. Compare matches two reports by fingerprints.
//
// # Rules of the room
//
//   - Findings are values: what is joined, sorted and matched is decided by rule, cause,
//     object, range, repair and places, never by words. TestRewording renders the same
//     findings with other words and compares.
//   - A finding as a rule made it is not changed. A joined one is a copy of its most
//     telling member, with the others in Members; Ungroup gives them back.
//   - The same findings give the same bytes: no map is iterated without an order, no time of
//     day is printed.
//   - Paths are relative to Options.Dir where they lie below it.
//   - A saved report may be anything: what a format needs of a finding may be missing
//     (the fuzz tests).
//
// # Where the next one goes
//
// A format is a function in the table of render.go, a file of its own and a golden in
// testdata. A reason to join findings is a method of union in group.go, and a line in the
// documentation of Group.
package report
