package initialized

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// UnusedDetails is what a finding of unused memory says in JSON.
type UnusedDetails struct {
	Space   string `json:"space"`
	Address uint64 `json:"address"`
	// Allocation is the size of the allocation, Unwritten how many bytes of it nothing wrote,
	// the first of them at Offset.
	Allocation uint64 `json:"allocation"`
	Unwritten  uint64 `json:"unwritten"`
	Offset     uint64 `json:"offset"`
	// Contiguous is set if these bytes are one range.
	Contiguous bool `json:"contiguous"`
}

// Percent is how much of the allocation nothing wrote.
func (d UnusedDetails) Percent() float64 { return 100 * float64(d.Unwritten) / float64(d.Allocation) }

// Unused adds a finding for an allocation of which enough was never written.
func (c *checker) Unused(e *trace.UnusedMemory) {
	d := UnusedDetails{Space: "global", Address: e.Memory.Base, Allocation: e.Memory.Size, Unwritten: e.Total,
		Offset: e.First.Addr - e.Memory.Base, Contiguous: e.First.Size == e.Total}
	if d.Percent() < *c.unused {
		return
	}
	c.set.Add(&finding.Finding{
		Rule: Rule.ID, Kind: "unused", Level: finding.Warning, Count: 1, Unit: "allocation",
		Message: fmt.Sprintf("%d of the %d bytes of %s are never written", e.Total, e.Memory.Size, e.Memory.Where),
		Cause:   NeverWritten, Object: check.ObjectOf(trace.SpaceGlobal, &e.Memory),
		Range:   check.Range(e.First.Addr, e.Memory.Base, int(e.First.Size)),
		Primary: finding.Place{Role: "allocated here", Loc: check.HostPlace(e.Memory.At)},
		Repair:  &finding.Repair{Kind: finding.AllocateLess}, Help: "allocate less, or write what is missing",
		Details: d,
		Key:     fmt.Sprintf("unused\x00%d", e.Memory.ID), Witness: [4]uint64{uint64(verdicts), uint64(e.Memory.ID)},
	})
}
