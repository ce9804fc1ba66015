package session

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/pattern"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// launchFilter chooses the launches that are checked.
type launchFilter struct {
	kernels     *pattern.Pattern // nil for all
	excluded    *pattern.Pattern // nil for none
	skip, count int              // count 0 for all
	matched     int
	// verdicts are those on launches, by ID.
	verdicts map[int]bool
	// launches and checked count all launches and those let through.
	launches, checked int
}

func newLaunchFilter(c *Controls) (*launchFilter, error) {
	f := &launchFilter{skip: c.LaunchSkip, count: c.LaunchCount, verdicts: map[int]bool{}}
	if c.LaunchSkip < 0 || c.LaunchCount < 0 {
		return nil, fmt.Errorf("--launch-skip %d --launch-count %d: want non-negative numbers", c.LaunchSkip, c.LaunchCount)
	}
	for _, x := range []struct {
		flag, text string
		to         **pattern.Pattern
	}{{"--kernel", c.Kernel, &f.kernels}, {"--kernel-exclude", c.KernelExclude, &f.excluded}} {
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
	return (f.kernels == nil || f.kernels.MatchKernel(kernel)) && (f.excluded == nil || !f.excluded.MatchKernel(kernel))
}

// active reports whether the filter keeps any launch out.
func (f *launchFilter) active() bool {
	return f.kernels != nil || f.excluded != nil || f.skip > 0 || f.count > 0
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
