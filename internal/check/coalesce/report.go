package coalesce

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Details is the rule's part of a finding in JSON.
type Details struct {
	Stats
	// Rank is 1 for the place with the greatest excess of the kernel; Share its
	// part of the kernel's excess, 0 to 1.
	Rank  int     `json:"rank"`
	Share float64 `json:"share_of_excess"`
	// Stride is the bytes from lane to lane where they are the same between all
	// lanes of the first recorded access, else 0.
	Stride int64 `json:"stride_bytes,omitempty"`
	// Pattern is the first recorded access.
	Pattern *perf.Pattern `json:"pattern,omitempty"`
	// Tried are the changes that were tried on recorded accesses.
	Tried []perf.Tried `json:"tried,omitempty"`
}

// Stats are the numbers of one place over all launches of a kernel.
type Stats struct {
	// Accesses are executions by a warp, Requests those or, on sm_1x, by a
	// half-warp.
	Accesses uint64 `json:"accesses"`
	Requests uint64 `json:"requests"`
	// Unit is what Units, Ideal and Excess count: sectors of 32 bytes, lines of
	// 128 bytes, or transactions of up to 128 bytes, which may be both.
	Unit   string `json:"unit"`
	Units  uint64 `json:"units"`
	Ideal  uint64 `json:"ideal"`
	Excess uint64 `json:"excess"`
	// Used bytes of the Moved ones were asked for; Efficiency is their ratio.
	Used       uint64  `json:"bytes_used"`
	Moved      uint64  `json:"bytes_moved"`
	Efficiency float64 `json:"efficiency"`
	// Lines is the number of 128-byte lines that a warp's access touches, on
	// average (Alur et al., GPUDrano, section 5: more than 1 is uncoalesced).
	Lines float64 `json:"lines_per_access"`
	// Worst is the most units of one access.
	Worst uint32 `json:"worst"`
}

// KernelStats are the totals of one kernel.
type KernelStats struct {
	Kernel     string `json:"kernel"`
	KernelName string `json:"kernel_name"`
	Stats
	Sites []SiteStats `json:"sites"`
}

// SiteStats are the numbers of one place, with and without excess.
type SiteStats struct {
	Location source.Location `json:"location"`
	Kind     string          `json:"kind"`
	Size     int             `json:"size"`
	Stats
}

func (t *counts) stats(unit string) Stats {
	s := Stats{Accesses: t.accesses, Requests: t.requests, Unit: unit, Units: t.units, Ideal: t.ideal,
		Excess: t.excess(), Used: t.used, Moved: t.moved, Worst: t.worst}
	if t.accesses > 0 {
		s.Lines = float64(t.lines) / float64(t.accesses)
	}
	if t.moved > 0 {
		s.Efficiency = float64(t.used) / float64(t.moved)
	}
	return s
}

// excess is the units beyond the ideal.
func (t *counts) excess() uint64 { return t.units - min(t.ideal, t.units) }

// excessBytes is what moves in excess, by which places are compared: lines and
// sectors differ in size.
func (t *counts) excessBytes() uint64 {
	return uint64(float64(t.moved) * float64(t.excess()) / float64(max(t.units, 1)))
}

// few reports whether an access needs no more than two sectors of 32 bytes on
// average, as two rows of a narrow tile do: less would hardly be felt.
func (t *counts) few() bool { return t.units*sector == t.moved && t.units <= 2*t.requests }

// unit is what a place's numbers count.
func (c *checker) unit(t *total) string { return c.geo.unit(t.site.Kind == trace.Read) }

// Statistics returns []KernelStats, ordered by kernel.
func (c *checker) Statistics() any {
	out := []KernelStats{}
	for _, k := range perf.InOrder(c.kernels) {
		var sum counts
		unit := ""
		ks := KernelStats{Kernel: k.name, KernelName: finding.Demangle(k.name), Sites: []SiteStats{}}
		for _, t := range k.sorted() {
			sum.plus(&t.counts)
			if u := c.unit(t); unit == "" || unit == u {
				unit = u
			} else { // lines and sectors
				unit = "transaction"
			}
			ks.Sites = append(ks.Sites, SiteStats{t.site.Loc, t.site.Kind.String(), t.site.Size, t.stats(c.unit(t))})
		}
		ks.Stats = sum.stats(unit)
		out = append(out, ks)
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
		for _, t := range places {
			t.sample = t.samples.Main()
		}
		sites := make([]perf.Site, len(places))
		for i, t := range places {
			sites[i] = perf.Site{Index: i, Cost: t.moved, Excess: t.excessBytes(),
				Mild: !perf.Severe(t.units, t.ideal), Exempt: t.few()}
		}
		chosen := perf.Choose(sites)
		for rank, s := range chosen.Sites {
			d := Details{Stats: places[s.Index].stats(c.unit(places[s.Index])), Rank: rank + 1}
			d.Share = float64(s.Excess) / float64(chosen.Excess)
			fs = append(fs, c.finding(k, places, s.Index, &d, &chosen))
		}
		fs = append(fs, perf.ContentionFindings(Rule.ID, k.name, units(places), contended(places))...)
	}
	finding.Sort(fs)
	return fs
}

// contended are the places whose atomics several lanes of a warp did on one word.
func contended(places []*total) (out []perf.Contended) {
	for _, t := range places {
		if t.Contention.Excess() == 0 {
			continue
		}
		p := perf.Contended{Contention: t.Contention, Crowd: t.crowd, Site: t.site, Launches: t.crowded}
		if m, ok := memoryAt(t.crowd.Launch, t.crowd.Addr); ok {
			p.Object = m
		}
		out = append(out, p)
	}
	return out
}

// memoryAt names the allocation at an address.
func memoryAt(l *trace.Launch, addr uint64) (string, bool) {
	if l.Memory == nil {
		return "", false
	}
	m, ok := l.Memory(addr)
	switch {
	case !ok:
		return "", false
	case m.Name != "":
		return "variable " + check.VariableName(m.Name), true
	}
	return "the memory of " + m.Where, m.Where != ""
}

// units is what a kernel's places needed in all.
func units(places []*total) (n uint64) {
	for _, t := range places {
		n += t.units
	}
	return n
}

func (c *checker) finding(k *kernel, places []*total, i int, d *Details, chosen *perf.Chosen) *finding.Finding {
	t := places[i]
	s := t.sample
	r := &s.InTime[0]
	d.Stride = stride(r)
	d.Pattern = perf.NewPattern(r.Mask, &r.Addr, s.Size, true)
	best, tried := c.try(places, i)
	d.Tried = tried
	severe := perf.Severe(t.units, t.ideal)
	f := &finding.Finding{
		Rule: Rule.ID, Kind: kind(severe), Level: perf.Level(severe, best != nil),
		Kernel: k.name, KernelName: finding.Demangle(k.name), Launches: t.launches,
		Message: c.message(d, t.site), Count: d.Excess, Unit: "excess " + d.Unit, Details: *d,
		Key: check.SiteKey(t.site), Rank: d.Rank, Notes: c.notes(d, chosen),
	}
	lane := bits.TrailingZeros32(r.Mask)
	f.Primary = check.Place(t.site, check.Role(t.site.Kind), check.Thread(s.Launch, s.Block, r.Warp, lane))
	f.Repair = repairOf(best, t)
	f.Help = c.help(best, t, d)
	return f
}

func kind(severe bool) string {
	if severe {
		return "uncoalesced"
	}
	return "misaligned"
}

func (c *checker) message(d *Details, s *trace.Site) string {
	what := map[trace.Kind]string{trace.Read: "read", trace.Write: "write", trace.Atomic: "atomic"}[s.Kind]
	per, ideal := float64(d.Units)/float64(d.Requests), float64(d.Ideal)/float64(d.Requests)
	return fmt.Sprintf("uncoalesced %s of global memory: %.4g %ss per %s where %.4g would do",
		what, per, d.Unit, c.geo.group(), ideal)
}

func (c *checker) notes(d *Details, chosen *perf.Chosen) []string {
	notes := []string{
		fmt.Sprintf("%.1f %% of the bytes moved are used (%d of %d)", 100*d.Efficiency, d.Used, d.Moved),
		fmt.Sprintf("%s, %.1f %% of the kernel's; rank %d", check.Plural(d.Excess, "excess "+d.Unit), 100*d.Share, d.Rank),
		fmt.Sprintf("%.4g lines of 128 bytes per access", d.Lines),
	}
	if d.Stride != 0 {
		notes = append(notes, fmt.Sprintf("lanes are %d bytes apart", d.Stride))
	}
	if d.Rank == len(chosen.Sites) && chosen.Left > 0 {
		notes = append(notes, fmt.Sprintf("not reported: %s with %s", check.Plural(uint64(chosen.Left), "place"), check.Plural(chosen.LeftExcess, "excess byte")))
	}
	return notes
}

// stride is the constant distance in bytes between a request's lanes, or 0. It
// takes four lanes to make one.
func stride(r *perf.Request) int64 {
	if bits.OnesCount32(r.Mask) < 4 {
		return 0
	}
	prev, step := -1, int64(0)
	for m := r.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if prev >= 0 {
			d := int64(r.Addr[l] - r.Addr[prev])
			if d%int64(l-prev) != 0 || step != 0 && d/int64(l-prev) != step {
				return 0
			}
			step = d / int64(l-prev)
		}
		prev = l
	}
	return step
}
