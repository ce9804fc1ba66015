package bank

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Details is the bank rule's part of a finding in JSON: one site's numbers.
type Details struct {
	SiteStats
	// Share is this site's part of the kernel's excess passes, 0 to 1.
	Share float64 `json:"share_of_excess"`
	// Banks is the number of banks; Histogram what each bank had to deliver in
	// the worst request. Stride is the distance in words from lane to lane of
	// that request where it is constant, else 0.
	Banks     int    `json:"banks"`
	Histogram []int  `json:"histogram"`
	Stride    int64  `json:"stride_words,omitempty"`
	Variable  string `json:"variable,omitempty"`
	// Rank is 1 for the site with the greatest excess of the kernel; Tried are
	// the changes that were tried on recorded accesses.
	Rank  int          `json:"rank"`
	Tried []perf.Tried `json:"tried,omitempty"`
	// Pattern is the worst request.
	Pattern *perf.Pattern `json:"pattern,omitempty"`
}

// SiteStats are the numbers of one site over all launches of a kernel.
type SiteStats struct {
	// Requests are the warps, on sm_1x the half-warps, that executed the site;
	// Conflicts those of them that had a conflict.
	Requests  uint64 `json:"requests"`
	Conflicts uint64 `json:"conflicts"`
	// Instances are the site's executions by a block between two barriers: a
	// statement instance of a loop with a barrier in it. MixedInstances are
	// those with a conflict.
	Instances      uint64 `json:"statement_instances"`
	MixedInstances uint64 `json:"statement_instances_with_conflict"`
	// Passes were needed, Ideal would do for accesses of this width, Excess is
	// the difference.
	Passes uint64 `json:"passes"`
	Ideal  uint64 `json:"ideal"`
	Excess uint64 `json:"excess"`
	// Worst is the highest degree: 16 for a 16-way conflict, 1 for none.
	Worst int `json:"worst"`
	// ByDegree counts requests by their degree, index 0 unused.
	ByDegree []uint64 `json:"by_degree"`
}

// KernelStats are the totals of one kernel.
type KernelStats struct {
	Kernel     string `json:"kernel"`
	KernelName string `json:"kernel_name"`
	SiteStats
	Sites []SiteSummary `json:"sites"`
}

// SiteSummary are the numbers of one site, with and without conflicts.
type SiteSummary struct {
	Location source.Location `json:"location"`
	Kind     string          `json:"kind"`
	Size     int             `json:"size"`
	SiteStats
}

func (s *siteStat) stats() SiteStats {
	out := SiteStats{Requests: s.requests, Conflicts: s.conflicts,
		Instances: s.instances, MixedInstances: s.mixed, Passes: s.passes,
		Ideal: s.ideal, Excess: s.passes - s.ideal, Worst: 1}
	for d := range s.byDegree {
		if s.byDegree[d] != 0 {
			out.Worst = d
		}
	}
	out.ByDegree = slices.Clone(s.byDegree[:out.Worst+1])
	return out
}

// sorted returns the kernel's sites in source order.
func (k *kernel) sorted() []*siteTotal {
	return perf.BySource(k.sites, func(t *siteTotal) source.Location { return t.site.Loc })
}

// total adds up the sites.
func (k *kernel) total() siteStat {
	var t siteStat
	for _, s := range k.sites {
		t.plus(&s.counts, 1)
	}
	return t
}

// Statistics returns []KernelStats, ordered by kernel.
func (c *checker) Statistics() any {
	out := []KernelStats{}
	for _, k := range perf.InOrder(c.kernels) {
		t := k.total()
		ks := KernelStats{Kernel: k.name, KernelName: finding.Demangle(k.name), SiteStats: t.stats(), Sites: []SiteSummary{}}
		for _, s := range k.sorted() {
			ks.Sites = append(ks.Sites, SiteSummary{s.site.Loc, s.site.Kind.String(), s.site.Size, s.stats()})
		}
		out = append(out, ks)
	}
	return out
}

// Findings returns the sites with excess passes that are worth it, by kernel
// and rank.
func (c *checker) Findings() []*finding.Finding {
	fs := []*finding.Finding{}
	for _, k := range perf.InOrder(c.kernels) {
		sorted := k.sorted()
		for _, s := range sorted {
			s.kept = s.samples.Main()
		}
		sites := make([]perf.Site, len(sorted))
		for i, s := range sorted {
			sites[i] = perf.Site{Index: i, Cost: s.passes, Excess: s.passes - s.ideal}
		}
		chosen := perf.Choose(sites)
		for rank, s := range chosen.Sites {
			fs = append(fs, c.finding(k, sorted, s.Index, rank+1, &chosen))
		}
		fs = append(fs, perf.ContentionFindings(Rule.ID, k.name, chosen.Cost, contended(sorted))...)
	}
	finding.Sort(fs)
	return fs
}

// contended are the sites whose atomics several lanes of a warp did on one word.
func contended(sites []*siteTotal) (out []perf.Contended) {
	for _, s := range sites {
		if s.Excess() == 0 {
			continue
		}
		p := perf.Contended{Contention: s.Contention, Crowd: s.crowd, Site: s.site, Launches: s.crowded}
		if name := check.SharedName(s.crowd.Launch, s.crowd.Addr); name != "" {
			p.Object = "shared variable " + name
		}
		out = append(out, p)
	}
	return out
}

func (c *checker) finding(k *kernel, sites []*siteTotal, i, rank int, chosen *perf.Chosen) *finding.Finding {
	s := sites[i]
	d := Details{SiteStats: s.stats(), Banks: c.geo.banks, Stride: stride(&s.worst), Rank: rank}
	d.Share = float64(d.Excess) / float64(chosen.Excess)
	best, tried := c.try(sites, s)
	d.Tried = tried
	for _, n := range s.worst.load[:d.Banks] {
		d.Histogram = append(d.Histogram, int(n))
	}
	if o := object(s.worstLaunch, &s.worst); o != nil {
		d.Variable = o.Name
	}
	d.Pattern = perf.NewPattern(s.worst.mask, &s.worst.addr, s.site.Size, false)
	f := &finding.Finding{
		Rule: Rule.ID, Kind: fmt.Sprintf("%d-way", d.Worst), Level: perf.Level(perf.Severe(s.passes, s.ideal), best != nil), Rank: rank,
		Kernel: k.name, KernelName: finding.Demangle(k.name), Launches: s.launches,
		Message: message(&d, s.site), Count: d.Excess, Unit: "excess pass", Details: d,
		Key: check.SiteKey(s.site), Cause: conflict, Repair: repairOf(best), Help: help(best),
	}
	f.Object = object(s.worstLaunch, &s.worst)
	lane := bits.TrailingZeros32(s.worst.mask)
	t := check.Thread(s.worstLaunch, s.worst.block, s.worst.warp, lane)
	f.Primary = check.Place(s.site, check.Role(s.site.Kind), t)
	f.Notes = c.notes(&d, &s.worst)
	return f
}

func message(d *Details, s *trace.Site) string {
	on := ""
	if d.Variable != "" {
		on = " on shared variable " + d.Variable
	}
	per := float64(d.Passes) / float64(d.Requests)
	ideal := float64(d.Ideal) / float64(d.Requests)
	return fmt.Sprintf("%d-way bank conflicts%s: %.4g passes per %s where %.4g would do",
		d.Worst, on, per, s.Kind, ideal)
}

func (c *checker) notes(d *Details, worst *instance) []string {
	who := "warp"
	if c.geo.broadcast {
		who = "half-warp"
	}
	notes := []string{
		fmt.Sprintf("%d of %s with conflicts%s", d.Conflicts, check.Plural(d.Requests, who+" access"), degrees(d.ByDegree)),
		fmt.Sprintf("%s, %.1f %% of the kernel's; rank %d", check.Plural(d.Excess, "excess pass"), 100*d.Share, d.Rank),
	}
	if d.Stride != 0 {
		notes = append(notes, fmt.Sprintf("lanes are %d words apart", d.Stride))
	}
	return append(notes, histogram(d.Histogram))
}

// degrees lists the conflicting requests by degree.
func degrees(by []uint64) string {
	var parts []string
	for d := 2; d < len(by); d++ {
		if by[d] > 0 {
			parts = append(parts, fmt.Sprintf("%d-way: %d", d, by[d]))
		}
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// histogram prints the banks that had something to deliver, runs of equal
// numbers together: "bank 0: 16" or "banks 0-15: 2".
func histogram(load []int) string {
	var parts []string
	for i := 0; i < len(load); {
		j := i + 1
		for j < len(load) && load[j] == load[i] {
			j++
		}
		switch {
		case load[i] == 0:
		case j == i+1:
			parts = append(parts, fmt.Sprintf("bank %d: %d", i, load[i]))
		default:
			parts = append(parts, fmt.Sprintf("banks %d-%d: %d", i, j-1, load[i]))
		}
		i = j
	}
	return "worst access: " + strings.Join(parts, ", ")
}

// stride returns the constant distance in words between active lanes, or 0. It
// takes four lanes to make a stride.
func stride(in *instance) int64 {
	if bits.OnesCount32(in.mask) < 4 {
		return 0
	}
	prev, step := -1, int64(0)
	for m := in.mask; m != 0; m &= m - 1 {
		t := bits.TrailingZeros32(m)
		if prev >= 0 {
			d := int64(in.addr[t]) - int64(in.addr[prev])
			if d%4 != 0 || d%int64(t-prev) != 0 || d/int64(t-prev)%4 != 0 {
				return 0
			}
			d /= 4 * int64(t-prev)
			if step != 0 && d != step {
				return 0
			}
			step = d
		}
		prev = t
	}
	return step
}

// object is the shared variable that the worst request accesses, nil where there is none.
func object(l *trace.Launch, in *instance) *finding.Object {
	o, _ := check.SharedObject(l, in.addr[bits.TrailingZeros32(in.mask)], 1)
	return o
}
