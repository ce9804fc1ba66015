package coverage

import (
	"cmp"
	"slices"
)

// area is a region with its count.
type area struct {
	place
	kind     kind
	count    uint64
	launched bool
}

// linesOf returns the counts of lines, by LLVM's rule (LineCoverageStats): that of a line is the largest of the innermost region
// that it begins in and of those that begin in it. Lines in no region, or in one that is skipped (comments and what the
// preprocessor leaves out), have no code.
func linesOf(regions []area) []Line {
	list := combined(regions)
	var out []Line
	var active []area // those that may reach into the line, in order
	for next, line := 0, 0; next < len(list) || len(active) > 0; line++ {
		if len(active) == 0 {
			line = list[next].line
		}
		begin := next
		for next < len(list) && list[next].line == line {
			next++
		}
		if l, ok := lineOf(line, active, list[begin:next]); ok {
			out = append(out, l)
		}
		active = append(active, list[begin:next]...)
		active = slices.DeleteFunc(active, func(a area) bool { return a.endLine <= line })
	}
	return out
}

// lineOf is the count of a line, in which regions begin and into which others reach.
func lineOf(line int, active, begins []area) (l Line, ok bool) {
	l = Line{Line: line}
	if n := len(active); n > 0 && active[n-1].kind != skippedRegion {
		l.Threads, l.Launched, ok = active[n-1].count, active[n-1].launched, true
	}
	enters := false
	for i, a := range begins {
		if last := i+1 == len(begins) || begins[i+1].col != a.col; !last || a.kind == gapRegion {
			continue // another region begins at the same place, inside of it
		}
		if a.kind == skippedRegion {
			if !enters {
				return l, false
			}
			continue
		}
		enters = true
		l.Threads = max(l.Threads, a.count)
		l.Launched = l.Launched || a.launched
	}
	return l, ok || enters
}

// combined sorts regions, outer ones first, and adds up those of one place: instances of a template, and uses of a macro. Of
// different kinds the first one counts.
func combined(regions []area) []area {
	slices.SortStableFunc(regions, func(a, b area) int { return cmp.Or(comparePlaces(a.place, b.place), cmp.Compare(a.kind, b.kind)) })
	var out []area
	for _, a := range regions {
		n := len(out) - 1
		if n < 0 || out[n].place != a.place {
			out = append(out, a)
			continue
		}
		if out[n].kind == a.kind {
			out[n].count += a.count
		}
		out[n].launched = out[n].launched || a.launched
	}
	return out
}
