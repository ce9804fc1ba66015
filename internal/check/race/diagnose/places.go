package diagnose

import (
	"cmp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// places are the sites of a launch by what the diagnoses of its pairs look for: a large kernel
// has as many pairs as sites, most of which are plain accesses of which nothing is asked.
type places struct {
	// strong are the accesses with a memory order, volatiles the writes that are volatile only,
	// copies what groups, waits for or announces asynchronous copies.
	strong, atomics, volatiles, copies []*trace.Site
	// waits are the plain reads by which a thread waits; flags those that race with a write.
	waits map[*trace.Site]bool
	flags []flag
	// strongWaits are the strong reads by which a thread waits; halves those that race with a plain write of what they wait for.
	strongWaits map[*trace.Site]bool
	halves      []flag
	at          map[guards.Site]*trace.Site
	// first has, for the sites of a flag, the first one of all that access it.
	first map[*trace.Site]*trace.Site
}

// flag is what one thread sets and another one waits for by a plain read.
type flag struct{ wait, set *trace.Site }

func (f flag) compare(o flag) int { return cmp.Or(f.wait.ID-o.wait.ID, f.set.ID-o.set.ID) }

func placesOf(run *evidence.Run, facts *guards.Facts) *places {
	p := &places{waits: map[*trace.Site]bool{}, strongWaits: map[*trace.Site]bool{}, at: map[guards.Site]*trace.Site{}, first: map[*trace.Site]*trace.Site{}}
	for i, s := range run.Launch.Sites {
		at := hb.GuardSite(s)
		if s.Size > 0 && p.at[at] == nil {
			p.at[at] = s
		}
		p.sort(s, run.Sites[i].Strength)
		if s.Kind == trace.Read && s.Order == trace.OrderWeak && facts.Waits(at) {
			p.waits[s] = true
		}
		if s.Kind == trace.Read && run.Sites[i].Strength != hb.Weak && facts.Waits(at) {
			delete(p.waits, s)
			p.strongWaits[s] = true
		}
	}
	for k := range run.Pairs {
		p.addFlag(run.Launch.Sites[k.A], run.Launch.Sites[k.B], run.Sites[k.B].Strength)
		p.addFlag(run.Launch.Sites[k.B], run.Launch.Sites[k.A], run.Sites[k.A].Strength)
		if run.Sites[k.A].Strength == hb.Volatile && run.Sites[k.B].Strength == hb.Volatile {
			p.joinFlag(run.Launch.Sites[k.A], run.Launch.Sites[k.B])
		}
	}
	for _, list := range []*[]flag{&p.flags, &p.halves} {
		slices.SortFunc(*list, flag.compare)
		*list = slices.Compact(*list) // of several variables
	}
	return p
}

// flagOf returns the first site of all that access the flag of a site.
func (p *places) flagOf(s *trace.Site) *trace.Site {
	for p.first[s] != nil {
		s = p.first[s]
	}
	return s
}

// joinFlag notes that two volatile sites race, so that they are of one flag.
func (p *places) joinFlag(x, y *trace.Site) {
	x, y = p.flagOf(x), p.flagOf(y)
	switch {
	case x.ID < y.ID:
		p.first[y] = x
	case y.ID < x.ID:
		p.first[x] = y
	}
}

// sort adds a site to the lists that it belongs to.
func (p *places) sort(s *trace.Site, strength hb.Strength) {
	if strength == hb.Strong {
		p.strong = append(p.strong, s)
	}
	if s.Kind == trace.Atomic {
		p.atomics = append(p.atomics, s)
	}
	if s.Kind == trace.Write && hb.StrengthOf(s) == hb.Volatile {
		p.volatiles = append(p.volatiles, s)
	}
	switch s.Op.Kind {
	case inst.CopyArrive, inst.CopyCommit, inst.CopyWait:
		p.copies = append(p.copies, s)
	}
}

func (p *places) addFlag(wait, set *trace.Site, strength hb.Strength) {
	if p.strongWaits[wait] && set.Kind == trace.Write && strength == hb.Weak {
		p.halves = append(p.halves, flag{wait, set})
	}
	if p.waits[wait] && set.Kind.Writes() {
		p.flags = append(p.flags, flag{wait, set})
	}
}
