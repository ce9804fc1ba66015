package warpgrind

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// checkLeaks says what --leak-check asks for.
func checkLeaks(s string) error {
	if s != "" && s != "no" && s != "full" {
		return fmt.Errorf("--leak-check %q: want full or no", s)
	}
	return nil
}

// leaked tells the checkers of memory that the program did not free.
func (s *session) leaked(list []*mem.Allocation) {
	if s.cfg.LeakCheck != "full" || s.on.Leaked == nil {
		return
	}
	var all []trace.Memory
	for _, al := range list {
		all = append(all, warp.Describe(al))
	}
	s.on.Leaked(all)
}

// transfers are the calls that copy or fill memory.
var transfers = regexp.MustCompile(`^(cuda|cu)Mem(cpy|set)`)

// refused tells the checkers of a transfer that CUDA refuses. Of other failed
// calls it says nothing: programs ask for what a device may not have.
func (s *session) refused(e host.APIError) {
	if s.on.BadTransfer == nil || !e.Range && e.Code != host.ErrInvalidPitchValue || !transfers.MatchString(e.Call) {
		return
	}
	s.on.BadTransfer(&trace.BadTransfer{Call: e.Call, Where: e.Where, Error: e.Code.String(), Cause: e.Cause, Message: e.Detail, Ends: e.Ends})
}

// hostAccess tells the checkers of host code that followed a pointer to device memory;
// the user, if none of them listens.
func (s *session) hostAccess(addr uint64, al *mem.Allocation, where string) {
	e := trace.HostAccess{Addr: addr, Where: where, Known: al != nil}
	if al != nil {
		e.Memory = warp.Describe(al)
	}
	if s.on.HostAccess == nil {
		s.report.Messages = append(s.report.Messages, fmt.Sprintf("%s: host code accessed device memory", cmp.Or(where, "the program")))
		return
	}
	s.on.HostAccess(&e)
}

// lostOutput says that a kernel printed more than the buffer for it holds.
func (s *session) lostOutput(l *host.LaunchInfo, r host.LaunchResult) {
	if r.Lost > 0 {
		s.say("launch %d of kernel %s printed %d bytes more than the %d bytes of the printf buffer: the oldest are lost (cudaLimitPrintfFifoSize)",
			l.ID, finding.Demangle(l.Kernel), r.Lost, l.Limits.Printf)
	}
}
