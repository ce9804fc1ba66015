package session

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/pattern"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// gate chooses the launches that are checked.
type gate struct {
	kernels     *pattern.Pattern // nil for all
	excluded    *pattern.Pattern // nil for none
	skip, count int              // count 0 for all
	matched     int
	// last is the launch that was judged last, and the verdict.
	last   int
	open   bool
	judged bool
	// launches and checked count all launches and those let through.
	launches, checked int
}

func newGate(c *Controls) (*gate, error) {
	g := &gate{skip: c.LaunchSkip, count: c.LaunchCount}
	if c.LaunchSkip < 0 || c.LaunchCount < 0 {
		return nil, fmt.Errorf("--launch-skip %d --launch-count %d: want no negative number", c.LaunchSkip, c.LaunchCount)
	}
	for _, f := range []struct {
		flag, text string
		to         **pattern.Pattern
	}{{"--kernel", c.Kernel, &g.kernels}, {"--kernel-exclude", c.KernelExclude, &g.excluded}} {
		if f.text == "" {
			continue
		}
		p, err := pattern.Compile(f.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.flag, err)
		}
		*f.to = &p
	}
	return g, nil
}

// asks reports whether a kernel is one of those to check.
func (g *gate) asks(kernel string) bool {
	return (g.kernels == nil || g.kernels.MatchKernel(kernel)) && (g.excluded == nil || !g.excluded.MatchKernel(kernel))
}

// active reports whether the gate keeps any launch out.
func (g *gate) active() bool {
	return g.kernels != nil || g.excluded != nil || g.skip > 0 || g.count > 0
}

// admit decides on a launch. Skipped and counted are those of the kernels
// asked for.
func (g *gate) admit(l *trace.Launch) bool {
	if g.judged && g.last == l.ID {
		return g.open
	}
	g.last, g.judged, g.open = l.ID, true, false
	g.launches++
	if g.asks(l.Kernel) {
		g.open = g.matched >= g.skip && (g.count == 0 || g.matched < g.skip+g.count)
		g.matched++
	}
	if g.open {
		g.checked++
	}
	return g.open
}

// wrap puts the gate before the launches of observers.
func (g *gate) wrap(all []*trace.Observer) []*trace.Observer {
	if !g.active() {
		return all
	}
	var out []*trace.Observer
	for _, o := range all {
		if o.Launch != nil {
			out = append(out, &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver { return g.launch(o, l) }})
		}
	}
	return out
}

// outside returns an observer of the launches that are not checked, nil where all are.
func (g *gate) outside(o *trace.Observer) *trace.Observer {
	if !g.active() {
		return nil
	}
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		if g.admit(l) {
			return nil
		}
		return o.Launch(l)
	}}
}

// launch returns the observers of a launch, none where it is not checked.
func (g *gate) launch(o *trace.Observer, l *trace.Launch) []*trace.LaunchObserver {
	switch {
	case g.admit(l):
		return o.Launch(l)
	case o.CopiedUnwritten != nil: // what this launch writes counts later
		return []*trace.LaunchObserver{{MarksWritten: true}}
	}
	return nil
}

// admitted reports whether the launch that ran last was let through.
func (g *gate) admitted(id int) bool {
	return !g.active() || g.judged && g.last == id && g.open
}
