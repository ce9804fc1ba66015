package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/interrupt"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/report"
)

// Finish collects findings, counts and messages, and decides the exit code.
func (s *Session) Finish(ctx context.Context, d *device.Device, exit host.Exit) {
	r := s.Report
	s.leakedAfter(exit, d.Engine.Totals.Skipped)
	var set finding.Set
	for _, c := range s.faults {
		set.AddAll(c.Findings())
	}
	for i, c := range s.checkers {
		set.AddAll(c.Findings())
		if st, ok := c.(check.Statistician); ok {
			if v := st.Statistics(); v != nil {
				if r.Stats == nil {
					r.Stats = map[string]any{}
				}
				r.Stats[s.Rules[i].ID] = v
			}
		}
	}
	s.explored(&set)
	t := d.Engine.Totals
	r.Summary = report.Summary{Launches: uint64(t.Launches), Instructions: t.ThreadInstrs, Accesses: t.Accesses}
	r.Summary.NotRun, r.Summary.InOrder, r.Summary.Operators = s.skipped, s.inOrder, s.operators
	s.stateControls(t)
	for _, b := range []string{"source", "optimized", host.FatbinPTX} {
		if d.Builds[b] {
			r.Build = strings.TrimPrefix(r.Build+", "+b, ", ")
		}
	}
	for _, err := range d.Failed {
		r.Messages = append(r.Messages, err.Error())
	}
	AddLimits(r, d.Limits)
	s.lesser = tellFallbacks(r, s.Since)
	found := registry.WithoutTwins(s.Rules, set.Sorted())
	s.noteSkipped(found)
	r.Messages = append(r.Messages, withoutLines(found)...)
	s.Failed = d.Failed
	s.Found, s.Exit = s.launchSites.fromLibraries(found), exit
	s.Conclude = func() {
		r.Prepare(s.Suppress(s.Found), registry.Rules(), s.Files)
		r.CountLevels()
		r.Exit = s.exitCode(ctx, d, exit)
	}
	if !s.Partial {
		s.Conclude()
	}
}

func (s *Session) exitCode(ctx context.Context, d *device.Device, exit host.Exit) int {
	r := s.Report
	say := func(format string, args ...any) { r.Messages = append(r.Messages, fmt.Sprintf(format, args...)) }
	code := ExitClean
	r.ProgramFailed = !exit.Canceled && (exit.Signal != 0 || exit.Code != 0)
	if where := d.Stopped(); len(where) > 0 && ctx.Err() == nil && !exit.Canceled && exit.Signal == 0 {
		say("the program ended, and so did a kernel that it did not wait for: %s", strings.Join(where, ": "))
	}
	switch {
	case s.Bug != nil:
		say("bug in warpgrind: %v", s.Bug)
		return ExitBug
	case s.lesser != nil:
		say("%v", s.lesser)
		return ExitUnfinished
	case s.Unsupported != "":
		say("not supported: %s", s.Unsupported)
		code = ExitUnsupported
	case len(d.Failed) > 0:
		code = ExitUsage
	case s.overfull.Load():
		say("stopped: the program has filled more than %s of device memory, for which this machine has no memory to check it: give it smaller inputs", gib(mem.Room()))
		code = ExitUnfinished
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		say("stopped: the time limit of %v was exceeded", s.Cfg.Timeout)
		code = ExitProgram
	case exit.Canceled || exit.Signal == syscall.SIGINT:
		say("%s", strings.Join(append([]string{"interrupted"}, d.Stopped()...), ": "))
		code = interrupt.ExitCode(ctx)
	case exit.Signal != 0:
		say("the program was terminated by a signal: %v", exit.Signal)
		code = ExitProgram
	case exit.Code != 0 && s.skips > 0: // whose results are wrong
		say("the program ended with exit code %d, which blocks that were not executed may explain", exit.Code)
	case exit.Code != 0:
		say("the program ended with exit code %d", exit.Code)
		code = ExitProgram
	case r.Summary.Launches > 0 && s.Filter.active() && s.Filter.checked == 0:
		say("nothing was checked: no launch matches --kernel, --launch-skip and --launch-count")
		code = ExitNothing
	case r.Summary.Launches == 0 && s.operators == 0 && !s.checksCallsOnly():
		say("nothing was checked: the program launched no kernel")
		code = ExitNothing
	}
	for _, f := range r.Findings {
		if f.Level >= s.Level {
			return ExitFindings
		}
	}
	switch {
	case code == ExitClean && s.Unexpected:
		return ExitFindings
	case code == ExitClean && (s.Inexact || s.Unwritten):
		return ExitUnfinished
	}
	return code
}
