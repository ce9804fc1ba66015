// Package race is the race rule: it finds data races in shared and global memory while a
// kernel runs, between pieces of work, and with the host. docs/RACES.md has the
// definitions. This package registers the rule (rule.go) and wires the rooms that do the
// work (race.go):
//
//	hb        the happens-before order: clocks, release and acquire, scopes, fences
//	evidence  the common record: accesses, pairs, and the evidence for their reasons
//	shared    detects races in the shared memory of blocks
//	global    detects races in global memory and in clusters
//	predict   chooses orders of blocks in which races may show that the run's order hid
//	work      detects races between streams, with the host and with child grids
//	diagnose  one table {predicate, cause, repair}, the sentences, the findings
//
// An access goes from the engine to shared or global, which asks hb what is ordered before
// it; what is not becomes an evidence.Pair, which diagnose makes a finding of when the
// launch ends.
package race
