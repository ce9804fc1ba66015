package diagnose

import (
	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// places are the sites of a launch by what the diagnoses of its pairs look for: a large kernel
// has as many pairs as sites, most of which are plain accesses of which nothing is asked.
type places struct {
	// special are all but loads and stores that are not strong, waits the plain reads by which a
	// thread waits.
	special, waits []*trace.Site
	at             map[guards.Site]*trace.Site
	raced          map[[2]int]bool
}

func placesOf(run *evidence.Run, facts *guards.Facts) *places {
	p := &places{at: map[guards.Site]*trace.Site{}, raced: map[[2]int]bool{}}
	for i, s := range run.Launch.Sites {
		at := hb.GuardSite(s)
		if s.Size > 0 && p.at[at] == nil {
			p.at[at] = s
		}
		if k := s.Op.Kind; k != inst.Load && k != inst.Store || run.Sites[i].Strength == hb.Strong {
			p.special = append(p.special, s)
		}
		if s.Kind == trace.Read && s.Order == trace.OrderWeak && facts.Waits(at) {
			p.waits = append(p.waits, s)
		}
	}
	for k := range run.Pairs {
		p.raced[[2]int{k.A, k.B}] = true
	}
	return p
}

// racedAnywhere reports whether two sites race, in any variable.
func (p *places) racedAnywhere(x, y *trace.Site) bool {
	return p.raced[[2]int{min(x.ID, y.ID), max(x.ID, y.ID)}]
}
