package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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

// Leaked adds a finding for each place whose allocations are not freed.
func (c *checker) Leaked(list []trace.Memory) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var order []string
	byPlace := map[string][]trace.Memory{}
	for _, m := range list {
		k := allocator(&m)
		if byPlace[k] == nil {
			order = append(order, k)
		}
		byPlace[k] = append(byPlace[k], m)
	}
	for _, k := range order {
		c.frees.Add(c.leak(k, byPlace[k]))
	}
}

// allocator names the call that made an allocation, and its place: "cudaMalloc
// at a.cu:17" for the "cudaMalloc #3 at a.cu:17" of the third call.
func allocator(m *trace.Memory) string {
	if m.Kind == "heap" {
		return "malloc in device code"
	}
	call, at, _ := strings.Cut(m.Where, " at ")
	call, _, _ = strings.Cut(call, " #")
	if at == "" {
		return call
	}
	return call + " at " + at
}

func (c *checker) leak(from string, list []trace.Memory) *finding.Finding {
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
		Help:    "free the memory when it is no longer used: cudaFree, cudaFreeHost, or free in device code",
		Details: d, Key: "leak\x00" + from, Witness: [4]uint64{c.seq},
	}
	if bytes == 1 {
		f.Message = fmt.Sprintf("1 byte of %s is not freed", from)
	}
	if len(list) > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("in %s, the first of %s", check.Plural(f.Count, "allocation"), check.Plural(list[0].Size, "byte")))
	}
	if _, at, ok := strings.Cut(from, " at "); ok {
		f.Primary = finding.Place{Role: "allocated here", Loc: check.HostPlace(at)}
	}
	return f
}
