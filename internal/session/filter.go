package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/pattern"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// launchFilter chooses the launches that are checked.
type launchFilter struct {
	Kernels     *pattern.Pattern // nil for all
	excluded    *pattern.Pattern // nil for none
	skip, count int              // count 0 for all
	matched     int
	// verdicts are those on launches, by ID.
	verdicts map[int]bool
	// launches and checked count all launches and those let through.
	launches, checked int
}

func newLaunchFilter(c *CheckConfig) (*launchFilter, error) {
	f := &launchFilter{skip: c.LaunchSkip, count: c.LaunchCount, verdicts: map[int]bool{}}
	if c.LaunchSkip < 0 || c.LaunchCount < 0 {
		return nil, fmt.Errorf("--launch-skip %d --launch-count %d: want non-negative numbers", c.LaunchSkip, c.LaunchCount)
	}
	for _, x := range []struct {
		flag, text string
		to         **pattern.Pattern
	}{{"--kernel", c.Kernel, &f.Kernels}, {"--kernel-exclude", c.KernelExclude, &f.excluded}} {
		if x.text == "" {
			continue
		}
		p, err := pattern.Compile(x.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.flag, err)
		}
		*x.to = &p
	}
	return f, nil
}

// asks reports whether a kernel is one of those to check.
func (f *launchFilter) asks(kernel string) bool {
	return (f.Kernels == nil || f.Kernels.MatchKernel(kernel)) && (f.excluded == nil || !f.excluded.MatchKernel(kernel))
}

// active reports whether the filter keeps any launch out.
func (f *launchFilter) active() bool {
	return f.Kernels != nil || f.excluded != nil || f.skip > 0 || f.count > 0
}

// admit decides on a launch of a kernel. Skipped and counted are those of the kernels
// asked for.
func (f *launchFilter) admit(id int, kernel string) bool {
	open, judged := f.verdicts[id]
	if judged {
		return open
	}
	f.launches++
	if f.asks(kernel) {
		open = f.matched >= f.skip && (f.count == 0 || f.matched < f.skip+f.count)
		f.matched++
	}
	if open {
		f.checked++
	}
	f.verdicts[id] = open
	return open
}

// left is launchFilter.count for one that begins with the launch that was admitted last.
func (f *launchFilter) left() int {
	if f.count == 0 {
		return 0
	}
	return 1 + f.skip + f.count - f.matched
}

// wrap puts the filter before the launches of observers.
func (f *launchFilter) wrap(all []*trace.Observer) []*trace.Observer {
	if !f.active() {
		return all
	}
	var out []*trace.Observer
	for _, o := range all {
		if o.Launch != nil {
			out = append(out, &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver { return f.launch(o, l) }})
		}
	}
	return out
}

// outside returns an observer of the launches that are not checked.
func (f *launchFilter) outside(o *trace.Observer) *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		if f.admit(l.ID, l.Kernel) {
			return nil
		}
		return o.Launch(l)
	}}
}

// launch returns the observers of a launch, none where it is not checked.
func (f *launchFilter) launch(o *trace.Observer, l *trace.Launch) []*trace.LaunchObserver {
	switch {
	case f.admit(l.ID, l.Kernel):
		return o.Launch(l)
	case o.CopiedUnwritten != nil: // what this launch writes counts later
		return []*trace.LaunchObserver{{MarksWritten: true}}
	}
	return nil
}

// admitted reports whether a launch was let through.
func (f *launchFilter) admitted(id int) bool { return !f.active() || f.verdicts[id] }

// launchList are launches by number and by kernel.
type launchList struct {
	ranges  [][2]int
	kernels []pattern.Pattern
}

// parseLaunches reads what --launches takes: numbers, ranges of numbers and patterns of
// kernels, separated by commas; nil, for "", has all launches.
func parseLaunches(text string) (*launchList, error) {
	if text == "" {
		return nil, nil
	}
	l := &launchList{}
	for _, part := range strings.Split(text, ",") {
		lo, hi, isRange := strings.Cut(part, "-")
		first, err1 := strconv.Atoi(lo)
		last, err2 := strconv.Atoi(hi)
		switch {
		case err1 == nil && !isRange:
			l.ranges = append(l.ranges, [2]int{first, first})
		case err1 == nil && err2 == nil && first <= last:
			l.ranges = append(l.ranges, [2]int{first, last})
		case err1 == nil:
			return nil, fmt.Errorf("--launches %q: want numbers, ranges or kernels, such as 3,10-20,scan*", text)
		default:
			p, err := pattern.Compile(part)
			if err != nil {
				return nil, fmt.Errorf("--launches: %w", err)
			}
			l.kernels = append(l.kernels, p)
		}
	}
	return l, nil
}

func (l *launchList) has(id int, kernel string) bool {
	return l == nil || slices.ContainsFunc(l.ranges, func(r [2]int) bool { return r[0] <= id && id <= r[1] }) ||
		slices.ContainsFunc(l.kernels, func(p pattern.Pattern) bool { return p.MatchKernel(kernel) })
}
