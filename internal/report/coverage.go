package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/coverage"
)

// coverage writes how much of the device code was executed.
func (p *printer) coverage(c *coverage.Result) {
	if c == nil {
		return
	}
	t := c.Totals()
	if t.Functions == 0 {
		p.wrap("coverage: ", "          ", "no device code with coverage was loaded")
		return
	}
	p.wrap("coverage: ", "          ", fmt.Sprintf("%s, %s, %s",
		share(t.LinesHit, t.Lines, "line", "lines"), share(t.FunctionsHit, t.Functions, "function", "functions"), share(t.OutcomesHit, t.Outcomes, "branch", "branches")))
}

// share is "45 of 50 lines (90%)". A part that is not all of it never counts as 100%.
func share(n, of int, one, many string) string {
	if of == 0 {
		return "no " + many
	}
	return fmt.Sprintf("%d of %s (%d%%)", n, count(uint64(of), one, many), 100*n/of)
}

// maxReachedListed bounds the places that are named.
const maxReachedListed = 8

// neverReached names what of launched kernels was never executed; "" for nothing.
func neverReached(c *coverage.Result, dir string) string {
	if c == nil {
		return ""
	}
	t := c.Totals()
	if t.LinesMissed+t.OutcomesMissed == 0 {
		return ""
	}
	text := fmt.Sprintf("coverage: %s and %s of launched kernels were never executed", count(uint64(t.LinesMissed), "line", "lines"),
		count(uint64(t.OutcomesMissed), "branch", "branches"))
	var places []string
	for _, f := range c.Files {
		for _, r := range missedRanges(f.Lines) {
			places = append(places, relative(f.Path, dir)+":"+r)
		}
	}
	if n := len(places) - maxReachedListed; n > 0 {
		places = append(places[:maxReachedListed], fmt.Sprintf("%d more places", n))
	}
	if len(places) > 0 {
		text += ": " + strings.Join(places, ", ")
	}
	return text
}

// missedRanges are the lines of launched kernels that were not executed, as "12" or "15-18"; lines without code divide none.
func missedRanges(lines []coverage.Line) (list []string) {
	missed := func(i int) bool { return i < len(lines) && lines[i].Launched && lines[i].Threads == 0 }
	for i := 0; i < len(lines); i++ {
		if !missed(i) {
			continue
		}
		first := i
		for missed(i + 1) {
			i++
		}
		text := strconv.Itoa(lines[first].Line)
		if i > first {
			text += "-" + strconv.Itoa(lines[i].Line)
		}
		list = append(list, text)
	}
	return list
}
