package coalesce

import (
	"context"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
)

// Static reports accesses to global memory that cannot be coalesced, by the
// addresses of a block's warps or, if asked for, by GPUDrano's abstract
// interpretation.
func Static(_ context.Context, cfg check.Config, u *static.Unit) []*finding.Finding {
	var set finding.Set
	if u.Drano {
		for _, v := range u.Published().Uncoalesced() {
			set.Add(publishedFinding(u, v))
		}
		return set.Sorted()
	}
	geo := geometry{cfg.Geometry().Coalescing()}
	for _, p := range u.Patterns(ptx.Global) {
		if f := geo.judge(u, &p); f != nil {
			set.Add(f)
		}
	}
	return set.Sorted()
}

// StaticDetails is the rule's part of a static finding in JSON.
type StaticDetails struct {
	// Unit is what is counted; Units are needed per request on average, Ideal
	// would do.
	Unit  string  `json:"unit"`
	Units float64 `json:"units"`
	Ideal float64 `json:"ideal"`
	// Stride is the bytes from lane to lane where it is the same for all.
	Stride int64 `json:"stride_bytes,omitempty"`
	// Pattern is the access of the first warp.
	Pattern *perf.Pattern `json:"pattern,omitempty"`
}

// judge makes a finding of a place whose accesses cost too much whatever the
// part of the addresses is that is not known, or for some values of it.
func (g geometry) judge(u *static.Unit, p *static.Pattern) *finding.Finding {
	if p.OneThread {
		return nil
	}
	if len(p.Needs) > 0 {
		return g.unknown(u, p)
	}
	best, worst := g.total(p)
	// A part of the warps is not worth a word where the others are as they should be.
	switch {
	case best == nil:
		return nil
	case perf.Severe(uint64(best.units), uint64(best.ideal)) && !few(best):
		return g.finding(u, p, best, "uncoalesced", nil)
	case best.units > best.ideal && !few(best):
		return g.finding(u, p, best, "misaligned", nil)
	case worst.units > worst.ideal && !few(worst):
		return g.finding(u, p, worst, "misaligned", []static.Need{{Kind: static.NeedsData}})
	}
	return nil
}

// few is two sectors at most for an access, which the rule never reports.
func few(c *cost) bool { return c.units*sector == c.moved && c.units <= 2*c.requests }

// total adds up the cost of all warps, for the parts of a line at which they
// may begin: the best and the worst of them.
func (g geometry) total(p *static.Pattern) (best, worst *cost) {
	align := uint64(phases)
	for _, w := range p.Warps {
		align = min(align, w.Align)
	}
	align = max(align, uint64(min(p.Access.Mem.Size(), most)))
	for phase := uint64(0); phase < phases; phase += align {
		var sum cost
		for _, w := range p.Warps {
			addr := w.Addr
			for l := range addr {
				addr[l] += phase
			}
			sum.add(g.access(w.Mask, &addr, p.Access.Mem.Size(), p.Access.Reads && !p.Access.Atomic))
		}
		if best == nil || sum.units < best.units {
			best = &sum
		}
		if worst == nil || sum.units > worst.units {
			worst = &sum
		}
	}
	return best, worst
}

// unknown reports a place whose lanes are apart by what is not known.
func (g geometry) unknown(u *static.Unit, p *static.Pattern) *finding.Finding {
	f := newStatic(u, p.Access.Value, p.Access.Writes)
	f.Kind, f.Level = "uncoalesced", finding.Info
	f.Message += "the distance between lanes is unknown"
	check.Confident(f, u, p.Needs)
	return f
}

func (g geometry) finding(u *static.Unit, p *static.Pattern, c *cost, kind string, needs []static.Need) *finding.Finding {
	f := newStatic(u, p.Access.Value, p.Access.Writes)
	n := float64(c.requests)
	d := StaticDetails{Unit: g.unit(p.Access.Reads && !p.Access.Atomic), Units: float64(c.units) / n, Ideal: float64(c.ideal) / n}
	f.Kind = kind
	if kind == "misaligned" {
		f.Level = finding.Info
	}
	f.Message += fmt.Sprintf("%.4g %ss per %s where %.4g would do", d.Units, d.Unit, g.group(), d.Ideal)
	first := &p.Warps[0]
	r := perf.Request{Mask: first.Mask, Addr: first.Addr}
	if d.Stride = stride(&r); d.Stride != 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("lanes are %d bytes apart", d.Stride))
	}
	if kind == "misaligned" { // neighboring lanes, or nearly
		f.Repair = &finding.Repair{Kind: finding.AlignRows}
		f.Help = fmt.Sprintf("let each row begin at a multiple of %d bytes, as cudaMallocPitch does", sector)
	}
	d.Pattern = perf.NewPattern(first.Mask, &first.Addr, p.Access.Mem.Size(), true)
	f.Details = d
	if p.Guessed {
		needs = append(needs, static.Need{Kind: static.NeedsBlock})
		f.Notes = append(f.Notes, "for blocks of "+check.Extents(p.Shape)+" threads")
	}
	check.Confident(f, u, needs)
	return f
}

func newStatic(u *static.Unit, v *ssa.Value, writes bool) *finding.Finding {
	what := "read"
	switch {
	case v.Op == ssa.Atomic:
		what = "atomic"
	case writes:
		what = "write"
	}
	return &finding.Finding{
		Rule: "coalesce", Level: finding.Warning, Kernel: u.F.Name, Count: 1, Unit: "place",
		Message: "uncoalesced " + what + " of global memory: ",
		Primary: check.StaticPlace(v, check.StaticRole(v, writes), nil),
		Key:     "static\x00" + check.StaticKey(v) + what,
		Repair:  &finding.Repair{Kind: finding.UnitStride}, Help: "let threadIdx.x be the fastest-varying index",
	}
}

// publishedFinding is a finding of GPUDrano's analysis, which knows neither
// numbers nor reasons.
func publishedFinding(u *static.Unit, v *ssa.Value) *finding.Finding {
	f := newStatic(u, v, v.Writes())
	f.Kind, f.Confidence = "uncoalesced", finding.Possible
	f.Message += "its index is not threadIdx.x with a factor of +1 or -1, or its elements are larger than 4 bytes"
	f.Notes = []string{"by GPUDrano's analysis as published: lines of 128 bytes, threadIdx.x alone"}
	return f
}
