package constant

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/bank"
	"github.com/warpgrind/warpgrind/internal/check/coalesce"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Details is the rule's part of a finding in JSON.
type Details struct {
	Stats
	// Rank is 1 for the place with the greatest excess of the kernel; Share its
	// part of the kernel's excess, 0 to 1.
	Rank  int          `json:"rank"`
	Share float64      `json:"share_of_excess"`
	Tried []perf.Tried `json:"tried,omitempty"`
}

// Stats are the numbers of one place over all launches of a kernel.
type Stats struct {
	// Requests are executions by a warp, on sm_1x by a half-warp; Serialized
	// those of them that needed several passes.
	Requests   uint64 `json:"requests"`
	Serialized uint64 `json:"serialized"`
	Passes     uint64 `json:"passes"`
	Excess     uint64 `json:"excess"`
	// Worst is the most different addresses of one request.
	Worst uint32 `json:"worst"`
}

// KernelStats are the numbers of one kernel's places.
type KernelStats struct {
	Kernel     string      `json:"kernel"`
	KernelName string      `json:"kernel_name"`
	Sites      []SiteStats `json:"sites"`
}

// SiteStats are the numbers of one place, with and without excess.
type SiteStats struct {
	Location source.Location `json:"location"`
	Size     int             `json:"size"`
	Stats
}

func (t *counts) stats() Stats {
	return Stats{t.requests, t.serialized, t.passes, t.excess(), t.worst}
}

// Statistics returns []KernelStats, ordered by kernel.
func (c *checker) Statistics() any {
	out := []KernelStats{}
	for _, k := range perf.InOrder(c.kernels) {
		ks := KernelStats{Kernel: k.name, KernelName: finding.Demangle(k.name), Sites: []SiteStats{}}
		for _, t := range k.sorted() {
			ks.Sites = append(ks.Sites, SiteStats{t.site.Loc, t.site.Size, t.stats()})
		}
		if len(ks.Sites) > 0 {
			out = append(out, ks)
		}
	}
	return out
}

// sorted returns the places in the order of the source.
func (k *kernel) sorted() []*total {
	return perf.BySource(k.places, func(t *total) source.Location { return t.site.Loc })
}

// Findings returns the places that are worth it, by kernel and rank.
func (c *checker) Findings() []*finding.Finding {
	fs := []*finding.Finding{}
	for _, k := range perf.InOrder(c.kernels) {
		places := k.sorted()
		sites := make([]perf.Site, len(places))
		for i, t := range places {
			sites[i] = perf.Site{Index: i, Cost: t.passes, Excess: t.excess()}
		}
		chosen := perf.Choose(sites)
		for rank, s := range chosen.Sites {
			d := Details{Stats: places[s.Index].stats(), Rank: rank + 1}
			d.Share = float64(s.Excess) / float64(chosen.Excess)
			fs = append(fs, c.finding(k, places[s.Index], &d))
		}
	}
	finding.Sort(fs)
	return fs
}

func (c *checker) finding(k *kernel, t *total, d *Details) *finding.Finding {
	repair, help, remedy := c.try(t, d)
	sample := t.samples.Main()
	r := &sample.InTime[0]
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "serialized", Level: perf.Level(true, remedy), Rank: d.Rank,
		Kernel: k.name, KernelName: finding.Demangle(k.name), Launches: t.launches,
		Message: fmt.Sprintf("reads of constant memory are serialized: %.4g different addresses per %s where 1 would do",
			float64(d.Passes)/float64(d.Requests), c.group()),
		Count: d.Excess, Unit: "excess pass", Details: *d, Key: check.SiteKey(t.site), Repair: &finding.Repair{Kind: repair}, Help: help,
		Notes: []string{
			fmt.Sprintf("%d of %s with more than one address, %d at most", d.Serialized, check.Plural(d.Requests, c.group()+" access"), d.Worst),
			fmt.Sprintf("%s, %.1f %% of the kernel's; rank %d", check.Plural(d.Excess, "excess pass"), 100*d.Share, d.Rank),
		},
	}
	lane := bits.TrailingZeros32(r.Mask)
	f.Primary = check.Place(t.site, check.Role(t.site.Kind), check.Thread(sample.Launch, sample.Block, r.Warp, lane))
	return f
}

func (c *checker) group() string {
	if c.half() {
		return "half-warp"
	}
	return "warp"
}

// try compares recorded reads with the same reads of global and of shared
// memory. It says what is better, if either needs at most half of the passes.
func (c *checker) try(t *total, d *Details) (repair finding.RepairKind, help string, remedy bool) {
	sample := t.samples.Main()
	rs, size := sample.InTime, sample.Size
	var now counts
	for i := range rs {
		for _, part := range parts(rs[i].Mask, c.half()) {
			now.request(part, &rs[i].Addr)
		}
	}
	before := int(now.passes)
	global, unit := coalesce.Units(c.arch, rs, size)
	shared := bank.Passes(c.arch, rs, size)
	d.Tried = []perf.Tried{{Kind: finding.GlobalMemory, Change: "global memory", Before: before, After: global}, {Kind: finding.SharedMemory, Change: "shared memory", Before: before, After: shared}}
	switch {
	case 2*global <= before && global <= 4*shared:
		return finding.GlobalMemory, fmt.Sprintf("keep the table in global memory (const __restrict__): the recorded reads need %d %ss instead of %d passes", global, unit, before), true
	case 2*shared <= before:
		return finding.SharedMemory, fmt.Sprintf("copy the table to shared memory first: the recorded reads need %d passes instead of %d", shared, before), true
	}
	return finding.SameElement, "let all lanes of a warp read the same element at the same time: neither global nor shared memory would halve the passes", false
}
