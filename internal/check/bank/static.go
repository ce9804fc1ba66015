package bank

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

// Static reports accesses to shared memory with bank conflicts, by the
// addresses of a block's warps.
func Static(_ context.Context, cfg check.Config, u *static.Unit) []*finding.Finding {
	geo := newGeometry(cfg.Geometry(), cfg.WideBanks)
	var set finding.Set
	for _, p := range u.Patterns(ptx.Shared) {
		if p.OneThread || len(p.Warps) == 0 || len(p.Needs) > 0 {
			continue
		}
		if f := geo.judge(u, &p); f != nil {
			set.Add(f)
		}
	}
	return set.Sorted()
}

// StaticDetails is the rule's part of a static finding in JSON.
type StaticDetails struct {
	// Passes are needed per warp on average, Ideal would do; Worst are those of
	// one warp.
	Passes float64 `json:"passes"`
	Ideal  float64 `json:"ideal"`
	Worst  int     `json:"worst"`
	// Pattern is the worst access.
	Pattern *perf.Pattern `json:"pattern,omitempty"`
}

func (g *geometry) judge(u *static.Unit, p *static.Pattern) *finding.Finding {
	size := p.Access.Mem.Size()
	var passes, ideal, worst int
	var at *static.WarpAccess
	for i := range p.Warps {
		w := &p.Warps[i]
		n, best := g.sum([]perf.Request{{Mask: w.Mask, Addr: w.Addr}}, size)
		passes, ideal = passes+n, ideal+best
		if at == nil || n > worst {
			worst, at = n, w
		}
	}
	if !perf.Severe(uint64(passes), uint64(ideal)) {
		return nil
	}
	n := float64(len(p.Warps))
	d := StaticDetails{Passes: float64(passes) / n, Ideal: float64(ideal) / n, Worst: worst,
		Pattern: perf.NewPattern(at.Mask, &at.Addr, size, true)}
	v := p.Access.Value
	f := &finding.Finding{
		Rule: "bank", Kind: "conflict", Level: finding.Warning, Kernel: u.F.Name, Count: 1, Unit: "place", Details: d,
		Message: fmt.Sprintf("bank conflicts: %.4g passes per warp where %.4g would do, %d at worst", d.Passes, d.Ideal, worst),
		Primary: check.StaticPlace(v, check.StaticRole(v, p.Access.Writes), nil),
		Key:     fmt.Sprintf("static\x00%s%v", check.StaticKey(v), v.Op == ssa.Load),
		Cause:   conflict, Repair: &finding.Repair{Kind: finding.PadRows}, Help: g.staticHelp(at, size),
	}
	var needs []static.Need
	if p.Guessed {
		needs = []static.Need{{Kind: static.NeedsBlock}}
		f.Notes = append(f.Notes, "for blocks of "+check.Extents(p.Shape)+" threads")
	}
	check.Confident(f, u, needs)
	return f
}

// staticHelp proposes to pad rows where lanes are whole rows of banks apart, or a
// power of two of words. At other distances a longer row may be as bad, or worse:
// the rows may be padded already.
func (g *geometry) staticHelp(at *static.WarpAccess, size int) string {
	words := perf.LaneStride([]perf.Request{{Mask: at.Mask, Addr: at.Addr}}) / 4
	if words > 1 && (words%uint64(g.banks) == 0 || words&(words-1) == 0) {
		return fmt.Sprintf("pad the rows of the array by one element of %d bytes, or let adjacent lanes access adjacent elements", max(size, 4))
	}
	return "let adjacent lanes access adjacent elements"
}
