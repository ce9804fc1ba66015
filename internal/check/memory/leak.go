package memory

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// LeakDetails is what a leak says in JSON: the allocations that one place made.
type LeakDetails struct {
	Leaked []Leak `json:"leaked"`
}

// Leak is one allocation that was not freed.
type Leak struct {
	// Address is 0 for memory of the device heap.
	Address uint64 `json:"address"`
	Size    uint64 `json:"size"`
}

// Merged implements finding.Merger.
func (d LeakDetails) Merged(other any) any {
	o := other.(LeakDetails)
	return LeakDetails{append(append([]Leak(nil), d.Leaked...), o.Leaked...)}
}

// allocator is a place that allocates: the call, and where it is in the program.
type allocator struct{ call, at string }

// String names it: "cudaMalloc at a.cu:17".
func (a allocator) String() string {
	if a.at == "" {
		return a.call
	}
	return a.call + " at " + a.at
}

// allocatorOf is where an allocation comes from.
func allocatorOf(m *trace.Memory) allocator {
	if m.Kind == "heap" {
		return allocator{call: "malloc in device code"}
	}
	return allocator{or(m.Call, m.Where), m.At}
}

// Leaked adds a finding for each place whose allocations are not freed.
func (c *checker) Leaked(list []trace.Memory) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var order []allocator
	byPlace := map[allocator][]trace.Memory{}
	for _, m := range list {
		k := allocatorOf(&m)
		if byPlace[k] == nil {
			order = append(order, k)
		}
		byPlace[k] = append(byPlace[k], m)
	}
	for _, k := range order {
		c.frees.Add(c.leak(k, byPlace[k]))
	}
}

func (c *checker) leak(from allocator, list []trace.Memory) *finding.Finding {
	c.seq++
	var d LeakDetails
	bytes := uint64(0)
	if list[0].Kind == "heap" { // the order and the addresses are those of a race
		slices.SortFunc(list, func(a, b trace.Memory) int { return cmp.Compare(b.Size, a.Size) })
	}
	for _, m := range list {
		if m.Kind == "heap" {
			m.Base = 0
		}
		d.Leaked = append(d.Leaked, Leak{m.Base, m.Size})
		bytes += m.Size
	}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "leak", Level: finding.Error, Count: uint64(len(list)), Unit: "allocation",
		Message: fmt.Sprintf("%s of %s are not freed", check.Plural(bytes, "byte"), from),
		Cause:   NotFreed, Repair: &finding.Repair{Kind: finding.Free}, Help: helps[finding.Free],
		Details: d, Key: "leak\x00" + from.String(), Witness: [4]uint64{c.seq},
	}
	if bytes == 1 {
		f.Message = fmt.Sprintf("1 byte of %s is not freed", from)
	}
	if len(list) > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("in %s, the first of %s", check.Plural(f.Count, "allocation"), check.Plural(list[0].Size, "byte")))
	}
	if from.at != "" {
		f.Primary = finding.Place{Role: "allocated here", Loc: check.HostPlace(from.at)}
	}
	return f
}
