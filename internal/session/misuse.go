package session

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// checkLeaks says what --leak-check asks for.
func checkLeaks(s string) error {
	if s != "" && s != "no" && s != "full" {
		return fmt.Errorf("--leak-check %q: want full or no", s)
	}
	return nil
}

// checkOnFault checks what --on-fault asks for.
func checkOnFault(s string) error {
	if s != "" && s != "continue" && s != "stop" && s != "kernel" {
		return fmt.Errorf("--on-fault %q: want continue, stop or kernel", s)
	}
	return nil
}

// checkAPIErrors checks what --api-errors asks for.
func checkAPIErrors(s string) error {
	if s != "" && s != "unread" && s != "all" {
		return fmt.Errorf("--api-errors %q: want unread or all", s)
	}
	return nil
}

// faultObservers observe what ends a launch where no checker does: where its rule was not
// chosen, and in launches that are not checked. What comes after it does not run, unless a
// fault ends only its kernel: then launches that are not checked are left out here too.
func (s *Session) faultObservers() (out []*trace.Observer) {
	onlyKernel := s.Cfg.OnFault == "kernel"
	for _, r := range registry.All() {
		chosen := slices.ContainsFunc(s.Rules, func(x check.Rule) bool { return x.ID == r.ID })
		if r.Faults == nil || chosen && (onlyKernel || !s.Filter.active()) {
			continue
		}
		c := r.Faults()
		o := []*trace.Observer{c.Observer()}
		switch {
		case onlyKernel:
			o = s.Filter.wrap(o)
		case chosen:
			o = []*trace.Observer{s.Filter.outside(o[0])}
		}
		s.faults, out = append(s.faults, c), append(out, o...)
	}
	return out
}

// notRun counts a launch that CUDA refuses since a kernel before it failed.
func (s *Session) notRun(string) { s.skipped++ }

// leaked tells the checkers of memory that the program did not free.
func (s *Session) leaked(list []*mem.Allocation) {
	if s.Cfg.LeakCheck != "full" || s.On.Leaked == nil {
		return
	}
	var all []trace.Memory
	for _, al := range list {
		all = append(all, al.Describe())
	}
	if s.faulted || len(s.Only.parts) > 0 {
		s.leaks = append(s.leaks, all...)
		return
	}
	s.On.Leaked(all)
}

// leakedAfter reports what leaked after a kernel failed, or blocks were skipped (skipped of them), unless the program gave up
// because of it.
func (s *Session) leakedAfter(exit host.Exit, skipped uint64) {
	gaveUp := exit.Code != 0 && (s.faulted || skipped > 0)
	if len(s.leaks) > 0 && !gaveUp {
		s.On.Leaked(s.leaks)
	}
}

// unreadObservers observe these errors.
func (s *Session) unreadObservers() []*trace.Observer {
	if !registry.DependOnCalls(s.Rules) {
		return nil
	}
	c := registry.Dependent()
	s.faults = append(s.faults, c)
	return []*trace.Observer{c.Observer()}
}

// checksCallsOnly reports whether what is checked needs no kernel.
func (s *Session) checksCallsOnly() bool { return len(s.Rules) == 1 && registry.ReadErrors(s.Rules) }

// saysUnread tells the user where a program cannot tell of errors that it does not read.
func (s *Session) saysUnread(exe string) {
	if !registry.ReadErrors(s.Rules) || s.Cfg.APIErrors == "all" || build.IsSource(s.Cfg.Inputs[0]) && s.Cfg.Frontend != build.FrontendNVCC {
		return
	}
	if build.TellsUnread(exe) {
		return
	}
	s.Say("api: the program does not report unchecked errors; build it with warpgrind cc, C and C++ sources with --tell-unread")
}

// refused tells the checkers of a transfer that CUDA refuses. Of other failed
// calls it says nothing: programs ask for what a device may not have.
func (s *Session) refused(e host.APIError) {
	if s.On.BadTransfer == nil || !e.Transfer {
		return
	}
	failed := ""
	if e.Code != host.Success {
		failed = e.Code.String()
	}
	s.On.BadTransfer(&trace.BadTransfer{Call: e.Call, Where: e.Where, Error: failed, Cause: e.Cause, Message: e.Detail, Ends: e.Ends})
}

// hostAccess tells the checkers of host code that followed a pointer to device memory;
// the user, if none of them listens.
func (s *Session) hostAccess(addr uint64, al *mem.Allocation, where string) {
	e := trace.HostAccess{Addr: addr, Where: where, Known: al != nil}
	if al != nil {
		e.Memory = al.Describe()
	}
	if s.On.HostAccess == nil {
		s.Report.Messages = append(s.Report.Messages, fmt.Sprintf("%s: host code accessed device memory", cmp.Or(where, "the program")))
		return
	}
	s.On.HostAccess(&e)
}

// Launched takes note of a launch that has ended.
func (s *Session) Launched(l *host.LaunchInfo, r host.LaunchResult) {
	s.faulted = s.faulted || r.Fault != nil
	s.lostOutput(l, r)
}

// lostOutput tells the user that a kernel printed more than the buffer for it holds.
func (s *Session) lostOutput(l *host.LaunchInfo, r host.LaunchResult) {
	if r.Lost > 0 {
		s.Say("launch %d of kernel %s printed %d bytes more than the %d bytes of the printf buffer: the oldest output is lost (cudaLimitPrintfFifoSize)",
			l.ID, finding.Demangle(l.Kernel), r.Lost, l.Limits.Printf)
	}
}
