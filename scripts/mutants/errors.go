package main

import (
	"cmp"
	"fmt"
	"strings"
)

// repairedError is what became of one error of a program: what is the patch, "" where that of another one removes it, or the reason why
// there is none.
type repairedError struct {
	kernel, hazard, cause string
	line                  int
	outcome               fixed
	what                  string
}

const errorsIntro = "# Repairs of the race suite's errors\n\nMade by `go run ./scripts/mutants -fix -as-they-are -errors -o docs/results/FIXES-RACES.md %s`. The kernels there are made to show one race each, and are " +
	"launched one after the other by a `main` of each file; `warpgrind fix` repairs all of a file at once. An error is *repaired* if it is gone with a patch that holds, its own or another error's. " +
	"*No repair exists* where no order and no atomic operation could be known to be right: threads write different values to one element by one statement, or in the two branches of an if, and which value is to stay " +
	"is nowhere in the program; atomic operations of two widths update one element. A tool that chose one would silence the finding and keep the defect.\n\n"

// errorsPage renders what became of each error of programs.
func errorsPage(jobs []*job, dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, errorsIntro, dir)
	b.WriteString("| file | errors | repaired | share | of repairable | errors are left | no repair exists | no report |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	all := map[fixed]int{}
	row := func(name string, n map[fixed]int) {
		share := func(of int) string {
			if of == 0 {
				return "-"
			}
			return fmt.Sprintf("%.1f %%", 100*float64(n[Repaired])/float64(of))
		}
		total := n[Repaired] + n[Left] + n[Unstated]
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s | %d | %d | %s |\n", name, total, n[Repaired], share(total), share(total-n[Unstated]), n[Left], n[Unstated], map[bool]string{true: "yes"}[n[Failed] == 1])
	}
	for _, j := range jobs {
		if j.repaired == nil {
			continue
		}
		n := map[fixed]int{}
		for _, e := range j.repaired.errors {
			n[e.outcome]++
			all[e.outcome]++
		}
		if j.repaired.outcome == Failed {
			n[Failed] = 1
		}
		if len(n) > 0 {
			row(j.program.path, n)
		}
	}
	row("all", all)
	for _, title := range []fixed{Left, Unstated, Repaired} {
		fmt.Fprintf(&b, "\n## %s%s\n\n| place | kernel | race | result |\n| --- | --- | --- | --- |\n", strings.ToUpper(string(title[:1])), title[1:])
		for _, j := range jobs {
			if j.repaired == nil {
				continue
			}
			for _, e := range j.repaired.errors {
				if e.outcome == title {
					fmt.Fprintf(&b, "| %s:%d | `%s` | %s %s | %s |\n", j.program.path, e.line, e.kernel, e.hazard, e.cause, cmp.Or(e.what, "gone with the patch for another one"))
				}
			}
		}
	}
	return b.String()
}
