package memory

import (
	"fmt"
	"strings"
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
	// parted counts the launches of each kernel whose parts were watched.
	parted map[string]int
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
		Message: e.Call + ": " + e.Message,
		Primary: finding.Place{Role: "freed here", Loc: check.HostPlace(e.Where)},
		Notes:   append([]string{"CUDA reports cudaErrorInvalidValue and frees nothing"}, e.Notes...),
		Help:    "free the pointer that the allocation gave, with the function that belongs to it",
		Witness: [4]uint64{c.seq},
	}
	if e.Double {
		f.Kind, f.Help = "double-free", "free the memory once, and set the pointer to null then"
	}
	f.Key = f.Kind + "\x00" + e.Call + "\x00" + e.Where
	c.frees.Add(f)
}

// BadTransfer adds a finding for a copy or fill that CUDA refused.
func (c *checker) BadTransfer(e *trace.BadTransfer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	c.frees.Add(&finding.Finding{
		Rule: Rule.ID, Kind: "bad-copy", Level: finding.Error, Count: 1, Unit: "call",
		Message: e.Call + ": " + e.Message,
		Primary: finding.Place{Role: "called here", Loc: check.HostPlace(e.Where)},
		Notes:   []string{"CUDA reports " + e.Error + ", and memory stays as it was"},
		Help:    transferHelp(e.Message),
		Key:     "transfer\x00" + e.Call + "\x00" + e.Where,
		Witness: [4]uint64{c.seq},
	})
}

// transferHelp says what to do about a bad transfer, by what the host says of it.
func transferHelp(message string) string {
	switch {
	case strings.Contains(message, "memory, but"):
		return "the destination comes first: let the direction say where both are"
	case strings.Contains(message, "pitch"):
		return "give the width in bytes, and as pitch the bytes from one row to the next"
	case strings.Contains(message, "freed"):
		return "copy before the memory is freed"
	case strings.Contains(message, "null pointer"):
		return "check that the allocation succeeded"
	}
	return "copy no more bytes than the buffer has: elements times element size, as where it was allocated"
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
		Help:    "copy the data to the host with cudaMemcpy, or allocate it with cudaMallocManaged",
		Key:     "host\x00" + e.Where, Witness: [4]uint64{c.seq},
	}
	if m := &e.Memory; e.Known {
		f.Message += fmt.Sprintf(": byte %d of %s of %s", e.Addr-m.Base, check.Plural(m.Size, "byte"), allocationName(m))
	}
	c.frees.Add(f)
}
