package sync

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Observer implements check.Checker.
func (c *hangChecker) Observer() *trace.Observer {
	o := c.Faults.Observer()
	o.StuckWait = c.stuckWait
	o.Failed = c.failed
	return o
}

// failed reports a call that waits forever for other ranks.
func (c *hangChecker) failed(e *trace.FailedCall) {
	f := &finding.Finding{
		Rule: "hang", Kind: "collective", Level: finding.Error, Count: 1, Unit: "call",
		Key: fmt.Sprintf("collective\x00%s\x00%d", e.Where, e.Collective), Notes: []string{e.Text},
	}
	switch e.Collective {
	case trace.NoCollectiveFault:
		return
	case trace.RankMissing:
		f.Message, f.Cause = e.Call+" waits for ranks that do not call it", RankMissing
		repair(f, finding.CallOnAllRanks)
	case trace.RanksDiffer:
		f.Message, f.Cause = e.Call+" is called with other arguments by other ranks", RanksDiffer
		repair(f, finding.SameOnAllRanks)
	}
	f.Notes = append(f.Notes, fmt.Sprintf("NCCL does not check this and may wait forever; here the call returns %s", e.Error))
	f.Primary = finding.Place{Role: "called here", Loc: check.HostPlace(e.Where)}
	c.Add(f)
}

// stuckWait reports a stream's wait for a value in memory that nothing can end.
func (c *hangChecker) stuckWait(e *trace.StuckWait) {
	w := WaitDetails{Address: e.Addr, Size: e.Size, Value: e.Value, HostVisible: e.HostVisible}
	w.Object = check.ObjectOf(trace.SpaceGlobal, &e.Memory)
	w.Element = element(&e.Memory, e.Addr, e.Size)
	f := &finding.Finding{
		Rule: "hang", Kind: "value", Level: finding.Error, Count: 1, Unit: "wait", Waits: true,
		Message: e.Call + " waits for a value that nothing is left to write",
		Cause:   ValueNeverComes, Object: w.Object, Range: check.Range(e.Addr, e.Memory.Base, e.Size),
		Key: fmt.Sprintf("value\x00%s\x00%d", e.Where, e.Addr), Witness: [4]uint64{uint64(e.Memory.ID), e.Addr},
		Details: HangDetails{Waits: []WaitDetails{w}},
		Notes:   []string{fmt.Sprintf("the stream waits until %s %s; it holds %d", w.Element, condition(e), e.Value)},
	}
	f.Notes = append(f.Notes, hostNotes(e.Host)...)
	repair(f, finding.WriteValue)
	f.Primary = finding.Place{Role: "waits here", Loc: check.HostPlace(e.Where)}
	c.Add(f)
}

// condition is what a value must be.
func condition(e *trace.StuckWait) string {
	switch e.Test {
	case trace.TestGreater:
		return fmt.Sprintf("is %d or more", e.Wanted)
	case trace.TestEqual:
		return fmt.Sprintf("is %d", e.Wanted)
	case trace.TestAnd:
		return fmt.Sprintf("has a bit of %#x", e.Wanted)
	default:
		return fmt.Sprintf("lacks a bit that %#x lacks too", e.Wanted)
	}
}

// hostNotes are about what the host does meanwhile.
func hostNotes(h *trace.HostState) (notes []string) {
	if h == nil {
		return nil
	}
	for _, c := range h.Calls {
		at := ""
		if c.Where != "" {
			at = " at " + c.Where
		}
		notes = append(notes, "the host waits in "+c.Call+at)
	}
	if h.Idle > 0 {
		notes = append(notes, fmt.Sprintf("other threads of the host changed no memory for %v (--hang)", h.Idle))
	}
	return notes
}
