// Package diagnose turns the evidence about a race into a finding: its cause, its repair,
// and the sentences for both.
//
// table.go is the one ordered table {predicate over the evidence, cause, repair}; a new
// cause is a row there and its sentences in text.go, the only file with text. A diagnosis
// (diagnosis.go) is one pair with what follows from its evidence together with the static
// form of its kernel (decided.go, ways.go); verdict.go has its level and the user's policy,
// finding.go and details.go the finding. work.go has pieces of work, static.go the pairs
// that are found without a run.
package diagnose
