package fix

import "context"

// pass is a step of Fix, FixPerf or Tidy.
type pass[T any] struct {
	name string
	// why is the reason for it: what would be wrong without it.
	why string
	// run does it. It reports whether nothing is left to do; the report then says why.
	run func(t T, ctx context.Context) (done bool, err error)
}

// fixPasses are the steps of Fix, in order.
var fixPasses = []pass[*fixer]{
	{"errors", "a program without errors has nothing to repair", (*fixer).withoutErrors},
	{"read", "patches are edits of the texts that clang has read, to the byte", (*fixer).read},
	{"search", "a candidate may be wrong: the first is taken with which the finding is gone, no other has come and the results are the same, under all schedules", (*fixer).search},
	{"withdraw", "a race that is gone in one order and stays in the other was only observed differently", (*fixer).withdraw},
	{"thin", "a patch that the others make unnecessary is a change without a reason", (*fixer).thin},
	{"choose", "users decline patches, and the others must hold without these", (*fixer).offer},
	{"written", "the texts that are written have other lines than those that were tried", (*fixer).asWritten},
}

// perfPasses are the steps of FixPerf, in order.
var perfPasses = []pass[*fixer]{
	{"errors", "what a program with errors computes says nothing about a patch", (*fixer).withErrors},
	{"read", "patches are edits of the texts that clang has read, to the byte", (*fixer).read},
	{"schedules", "errors that other schedules show are errors, too", (*fixer).withMoreErrors},
	{"search", "a change is faster where it was counted to be: each is tried with the ones before it", (*fixer).faster},
	{"choose", "users decline patches, and the others must hold without these", (*fixer).offer},
	{"written", "the texts that are written have other lines than those that were tried", (*fixer).asWritten},
}

// tidyPasses are the steps of Tidy behind the runs of its inputs, in order.
var tidyPasses = []pass[*tidier]{
	{"read", "patches are edits of the texts that clang has read, to the byte", (*tidier).read},
	{"search", "synchronization goes only where all inputs are the same without it and a proof holds for the others", (*tidier).each},
	{"choose", "users decline patches, and the others must hold without these", (*tidier).offer},
	{"written", "the texts that are written have other lines than those that were tried", (*tidier).asWritten},
}

// runPasses runs passes until one has left nothing to do.
func runPasses[T any](ctx context.Context, list []pass[T], t T) error {
	for _, p := range list {
		if done, err := p.run(t, ctx); done || err != nil {
			return err
		}
	}
	return nil
}
