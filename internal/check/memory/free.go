package memory

import (
	"fmt"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// checker adds to faults what the host frees and copies wrongly.
type checker struct {
	check.Faults
	mu    sync.Mutex
	seq   uint64
	frees finding.Set
	// strays are accesses beyond the object that is meant.
	strays finding.Set
	// partLaunchesOf counts the launches of each kernel whose subarrays were watched.
	partLaunchesOf map[string]int
	// failed are the latest allocations that failed.
	failed []trace.FailedCall
}

// Findings returns what was found, in the order of a report.
func (c *checker) Findings() []*finding.Finding {
	var all finding.Set
	all.AddAll(c.Faults.Findings())
	all.AddAll(c.frees.Sorted())
	all.AddAll(c.strays.Sorted())
	return all.Sorted()
}

// InvalidFree adds a finding for a free that CUDA refused.
func (c *checker) InvalidFree(e *trace.InvalidFree) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "invalid-free", Level: finding.Error, Count: 1, Unit: "call",
		Cause: finding.Cause(e.Cause), Object: check.ObjectOf(trace.SpaceGlobal, e.Memory), Repair: &finding.Repair{Kind: finding.MatchFree},
		Message: e.Call + ": " + e.Message,
		Primary: finding.Place{Role: "freed here", Loc: check.HostPlace(e.Where)},
		Notes:   append([]string{"CUDA returns cudaErrorInvalidValue and frees nothing"}, e.Notes...),
		Witness: [4]uint64{c.seq},
	}
	if e.Cause == trace.CauseFreedTwice {
		f.Kind, f.Repair.Kind = "double-free", finding.FreeOnce
	}
	f.Help = helps[f.Repair.Kind]
	f.Key = f.Kind + "\x00" + e.Call + "\x00" + e.Where
	c.frees.Add(f)
}

// BadTransfer adds a finding for a copy or fill that CUDA refused, or whose result it does not define.
func (c *checker) BadTransfer(e *trace.BadTransfer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	repair, ok := transferRepairs[e.Cause]
	if !ok {
		repair = finding.CopyLess
	}
	effect, level := "CUDA returns "+e.Error+", and memory is unchanged", finding.Error
	switch e.Cause {
	case trace.CauseOverlap:
		effect = "CUDA does not define in which order the bytes are copied, and returns no error"
	case trace.CauseItself:
		effect, level = "CUDA does not allow the two to overlap; this copy changes nothing", finding.Warning
	}
	c.frees.Add(&finding.Finding{
		Rule: Rule.ID, Kind: "bad-copy", Level: level, Count: 1, Unit: "call",
		Cause: finding.Cause(e.Cause), Repair: &finding.Repair{Kind: repair},
		Message: e.Call + ": " + e.Message,
		Primary: finding.Place{Role: "called here", Loc: check.HostPlace(e.Where)},
		Notes:   []string{effect},
		Help:    helps[repair],
		Key:     "transfer\x00" + e.Call + "\x00" + e.Where,
		Witness: [4]uint64{c.seq},
	})
}

// HostAccess adds a finding for host code that followed a device pointer.
func (c *checker) HostAccess(e *trace.HostAccess) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "host-access", Level: finding.Error, Count: 1, Unit: "access",
		Message: "host code accesses device memory",
		Primary: finding.Place{Role: "accessed here", Loc: check.HostPlace(e.Where)},
		Notes:   []string{"the program ends there"},
		Cause:   DevicePointerOnHost, Repair: &finding.Repair{Kind: finding.CopyToHost}, Help: helps[finding.CopyToHost],
		Key: "host\x00" + e.Where, Witness: [4]uint64{c.seq},
	}
	if m := &e.Memory; e.Known {
		f.Object = check.ObjectOf(trace.SpaceGlobal, m)
		f.Message += fmt.Sprintf(": byte %d of %s of %s", e.Addr-m.Base, check.Plural(m.Size, "byte"), allocationName(m))
	}
	c.frees.Add(f)
}
