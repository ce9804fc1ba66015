package memory

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// maxFailed bounds the failed allocations that are remembered: the latest ones.
const maxFailed = 16

// FailedCall is an allocation that failed and did not set the pointer of an access.
type FailedCall struct {
	Call  string `json:"call"`
	Error string `json:"error"`
}

// Failed remembers an allocation that failed.
func (c *checker) Failed(e *trace.FailedCall) {
	if !e.Allocates {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = append(c.failed, *e)
	if len(c.failed) > maxFailed {
		c.failed = c.failed[1:]
	}
}

// failedFor returns the latest failed allocation that left a pointer with which the
// address of a fault can be computed, nil if there is none.
func (c *checker) failedFor(e *trace.Fault) *trace.FailedCall {
	if e.Cause != trace.CauseNull && e.Cause != trace.CauseHostPointer && e.Cause != trace.CauseWild {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range slices.Backward(c.failed) {
		if f.MayUse(e.Addr | e.Hidden) {
			return &f
		}
	}
	return nil
}

// describe describes a fault, and names the failed allocation that it comes from. Null pointers have other
// causes, too: then the failed call is only mentioned.
func (c *checker) describe(f *finding.Finding, l *trace.Launch, e *trace.Fault) {
	describe(f, l, e)
	call := c.failedFor(e)
	if call == nil {
		return
	}
	f.Related = append(f.Related, finding.Place{Role: "failed here", Loc: check.HostPlace(call.Where)})
	if call.Kept == 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s failed with %s and left its pointer null", call.Call, call.Error))
		return
	}
	f.Cause = FailedAllocation
	f.Message = fmt.Sprintf("global %s of %d bytes by a pointer that %s did not set: the call failed with %s", e.Access, e.Size, call.Call, call.Error)
	f.Repair = &finding.Repair{Kind: finding.CheckAllocation}
	f.Help = "check the result of " + call.Call
	if d, ok := f.Details.(Details); ok {
		d.Failed = &FailedCall{call.Call, call.Error}
		f.Details = d
	}
}
