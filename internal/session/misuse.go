package session

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/api"
	"github.com/warpgrind/warpgrind/internal/check/memory"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/clang/passes"
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
func (s *session) faultObservers() (out []*trace.Observer) {
	onlyKernel := s.cfg.OnFault == "kernel"
	for _, r := range registry.All() {
		chosen := slices.ContainsFunc(s.rules, func(x check.Rule) bool { return x.ID == r.ID })
		if r.Faults == nil || chosen && (onlyKernel || !s.filter.active()) {
			continue
		}
		c := r.Faults()
		o := []*trace.Observer{c.Observer()}
		switch {
		case onlyKernel:
			o = s.filter.wrap(o)
		case chosen:
			o = []*trace.Observer{s.filter.outside(o[0])}
		}
		s.faults, out = append(s.faults, c), append(out, o...)
	}
	return out
}

// notRun counts a launch that CUDA refuses since a kernel before it failed.
func (s *session) notRun(string) { s.skipped++ }

// leaked tells the checkers of memory that the program did not free.
func (s *session) leaked(list []*mem.Allocation) {
	if s.cfg.LeakCheck != "full" || s.on.Leaked == nil {
		return
	}
	var all []trace.Memory
	for _, al := range list {
		all = append(all, al.Describe())
	}
	if s.faulted || len(s.only.parts) > 0 {
		s.leaks = append(s.leaks, all...)
		return
	}
	s.on.Leaked(all)
}

// leakedAfter reports what leaked after a kernel failed, or blocks were skipped (skipped of them), unless the program gave up
// because of it.
func (s *session) leakedAfter(exit host.Exit, skipped uint64) {
	gaveUp := exit.Code != 0 && (s.faulted || skipped > 0)
	if len(s.leaks) > 0 && !gaveUp {
		s.on.Leaked(s.leaks)
	}
}

// dependsOnCalls reports whether unread errors of calls that later work depends on are wanted:
// they belong to the rule api, but the memory rule is of little use without them.
func (s *session) dependsOnCalls() bool {
	return !s.readsErrors() && slices.ContainsFunc(s.rules, func(r check.Rule) bool { return r.ID == memory.Rule.ID })
}

// unreadObservers observe these errors.
func (s *session) unreadObservers() []*trace.Observer {
	if !s.dependsOnCalls() {
		return nil
	}
	c := api.Dependent()
	s.faults = append(s.faults, c)
	return []*trace.Observer{c.Observer()}
}

// readsErrors reports whether errors that the program does not read are wanted.
func (s *session) readsErrors() bool {
	return slices.ContainsFunc(s.rules, func(r check.Rule) bool { return r.ID == api.Rule.ID })
}

// checksCallsOnly reports whether what is checked needs no kernel.
func (s *session) checksCallsOnly() bool { return len(s.rules) == 1 && s.readsErrors() }

// saysUnread tells the user where a program cannot tell of errors that it does not read.
func (s *session) saysUnread(exe string) {
	if !s.readsErrors() || s.cfg.APIErrors == "all" || isSource(s.cfg.Inputs[0]) && s.cfg.Frontend != FrontendNVCC {
		return
	}
	if f, err := elf.Open(exe); err == nil {
		defer f.Close()
		if symbols, err := f.ImportedSymbols(); err == nil && slices.ContainsFunc(symbols, func(y elf.ImportedSymbol) bool { return y.Name == passes.UnreadHook }) {
			return
		}
	}
	s.say("api: the program does not report unchecked errors; build it with warpgrind cc, C and C++ sources with --tell-unread")
}

// refused tells the checkers of a transfer that CUDA refuses. Of other failed
// calls it says nothing: programs ask for what a device may not have.
func (s *session) refused(e host.APIError) {
	if s.on.BadTransfer == nil || !e.Transfer {
		return
	}
	failed := ""
	if e.Code != host.Success {
		failed = e.Code.String()
	}
	s.on.BadTransfer(&trace.BadTransfer{Call: e.Call, Where: e.Where, Error: failed, Cause: e.Cause, Message: e.Detail, Ends: e.Ends})
}

// hostAccess tells the checkers of host code that followed a pointer to device memory;
// the user, if none of them listens.
func (s *session) hostAccess(addr uint64, al *mem.Allocation, where string) {
	e := trace.HostAccess{Addr: addr, Where: where, Known: al != nil}
	if al != nil {
		e.Memory = al.Describe()
	}
	if s.on.HostAccess == nil {
		s.report.Messages = append(s.report.Messages, fmt.Sprintf("%s: host code accessed device memory", cmp.Or(where, "the program")))
		return
	}
	s.on.HostAccess(&e)
}

// launched takes note of a launch that has ended.
func (s *session) launched(l *host.LaunchInfo, r host.LaunchResult) {
	s.faulted = s.faulted || r.Fault != nil
	s.lostOutput(l, r)
}

// lostOutput reports that a kernel printed more than the buffer for it holds.
func (s *session) lostOutput(l *host.LaunchInfo, r host.LaunchResult) {
	if r.Lost > 0 {
		s.say("launch %d of kernel %s printed %d bytes more than the %d bytes of the printf buffer: the oldest output is lost (cudaLimitPrintfFifoSize)",
			l.ID, finding.Demangle(l.Kernel), r.Lost, l.Limits.Printf)
	}
}
