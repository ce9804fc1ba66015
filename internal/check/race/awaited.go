package race

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// object names what threads arrive at and wait for: an mbarrier by its offset in
// shared memory, or a barrier of the block by its number.
type object struct {
	numbered bool
	at       uint64
}

// visits are the arrivals of threads that go on, by object, and whether anybody
// waited there: those of all blocks of a slot. A launch has them for the reason of
// a race whose threads should have met there.
type visits map[object]*visit

type objectSite struct {
	site *trace.Site
	warp int
}

type visit struct {
	// arrived has the lanes that came and went on, waits those that looked whether all
	// have come.
	arrived, waits map[objectSite]uint32
	waited         bool
}

// inOrder are the sites of a visit in the order of the program.
func inOrder(sites map[objectSite]uint32) []objectSite {
	return slices.SortedFunc(maps.Keys(sites), func(a, b objectSite) int {
		return cmp.Or(a.site.PTXLine-b.site.PTXLine, a.site.ID-b.site.ID, a.warp-b.warp)
	})
}

func (ms *visits) at(o object) *visit {
	if *ms == nil {
		*ms = visits{}
	}
	m := (*ms)[o]
	if m == nil {
		m = &visit{arrived: map[objectSite]uint32{}, waits: map[objectSite]uint32{}}
		(*ms)[o] = m
	}
	return m
}

// arrive notes that lanes of a warp came to an object.
func (ms *visits) arrive(o object, s *trace.Site, warp int, lanes uint32) {
	ms.at(o).arrived[objectSite{s, warp}] |= lanes
}

// merge adds what another slot saw.
func (ms *visits) merge(from visits) {
	for o, m := range from {
		all := ms.at(o)
		all.waited = all.waited || m.waited
		for k, lanes := range m.arrived {
			all.arrived[k] |= lanes
		}
		for k, lanes := range m.waits {
			all.waits[k] |= lanes
		}
	}
}

// unheard is an arrival that should order two accesses, but that nobody waits for:
// it is at an object, behind the access of one thread.
type unheard struct {
	object object
	tell   *trace.Site
	// told is the access that it is behind, access that of the thread that should
	// wait.
	told, access *trace.Site
	// tracks says that it comes with the end of copies, which nobody has looked at: its
	// object is not known.
	tracks bool
}

// behind reports whether a site comes after another in the source of the function
// that both are in: compilers lay out the blocks of loops in another order.
func behind(a, z *trace.Site) bool {
	p, q := inOneFunction(a, z)
	if !p.IsValid() || p.File != q.File {
		return follows(a, z)
	}
	return a.Func == z.Func && p.Compare(q) < 0
}

// unheardBy looks for the arrival of a thread next behind its access, at an object where
// nobody waits; access is what the other thread does.
func (ms visits) unheardBy(a *side, access *trace.Site) *unheard {
	var best *unheard
	for _, o := range slices.SortedFunc(maps.Keys(ms), object.compare) {
		m := ms[o]
		if ms.awaited(m) {
			continue
		}
		for _, k := range inOrder(m.arrived) {
			if k.warp == a.warp && m.arrived[k]>>a.lane&1 != 0 && behind(a.site, k.site) && (best == nil || behind(k.site, best.tell)) {
				best = &unheard{object: o, tell: k.site, told: a.site, access: access}
			}
		}
	}
	return best
}

func (o object) compare(p object) int {
	switch {
	case o.numbered != p.numbered && p.numbered, o.numbered == p.numbered && o.at < p.at:
		return -1
	case o == p:
		return 0
	}
	return 1
}

// unheardOf returns what nobody waits for between two accesses, nil for nothing. What
// the thread that writes tells comes first.
func (st *story) unheardOf(ms visits) *unheard {
	a, z := &st.w.first, &st.w.then
	if !a.site.Kind.Writes() {
		a, z = z, a
	}
	if u := ms.unheardBy(a, z.site); u != nil {
		return u
	}
	if u := ms.untested(st.launch, a, z.site); u != nil && st.w.inFlight {
		return u
	}
	if u := ms.unused(a, z.site); u != nil && st.w.inFlight && a.warp == z.warp && a.lane == z.lane {
		return u
	}
	return ms.unheardBy(z, a.site)
}

// awaited reports whether somebody waited at an object, or at another one that is
// arrived at by the same sites, as those of a pipeline's other stages are: a kernel may
// hang before the turn of all has come.
func (ms visits) awaited(v *visit) bool {
	if v.waited {
		return true
	}
	sites := map[*trace.Site]bool{}
	for k := range v.arrived {
		sites[k.site] = true
	}
	for _, o := range ms {
		for k := range o.arrived {
			if o.waited && sites[k.site] {
				return true
			}
		}
	}
	return false
}

// unused looks for an object at which others than a thread arrive, and that nobody waits
// at: a thread that copies to a place again before its copy has ended should have.
func (ms visits) unused(a *side, access *trace.Site) *unheard {
	for _, o := range slices.SortedFunc(maps.Keys(ms), object.compare) {
		if ms.awaited(ms[o]) {
			continue
		}
		for k := range ms[o].arrived {
			if k.warp != a.warp && k.site.Func == access.Func {
				return &unheard{object: o, tell: firstSite(ms[o].arrived, a.warp), access: access}
			}
		}
	}
	return nil
}

// firstSite is where other warps than one arrive, the first in the program.
func firstSite(arrived map[objectSite]uint32, not int) (s *trace.Site) {
	for k := range arrived {
		if k.warp != not && (s == nil || k.site.PTXLine < s.PTXLine) {
			s = k.site
		}
	}
	return s
}

// untested looks for the arrival of a copy next behind its issue that has never
// happened: it does when its mbarrier is tested.
func (ms visits) untested(l *trace.Launch, a *side, access *trace.Site) *unheard {
	if a.site.Kind != trace.Write {
		return nil
	}
	for _, s := range l.Sites {
		if !behind(a.site, s) || s.Op.Kind != inst.CopyArrive {
			continue
		}
		for _, m := range ms {
			for k := range m.arrived {
				if k.site == s {
					return nil
				}
			}
		}
		return &unheard{tell: s, told: a.site, access: access, tracks: true}
	}
	return nil
}

func (u *unheard) name(l *trace.Launch) string {
	if u.tracks {
		return "the mbarrier"
	}
	return u.object.name(l)
}

func (o object) name(l *trace.Launch) string {
	if o.numbered {
		return fmt.Sprintf("barrier %d", o.at)
	}
	if n := check.SharedName(l, o.at); n != "" {
		return n
	}
	return fmt.Sprintf("the mbarrier at offset 0x%x", o.at)
}

func (u *unheard) reason(l *trace.Launch, file string) string {
	if u.told == nil {
		return fmt.Sprintf("%s arrives at %s to tell that others may go on, but nobody waits there", check.Where(u.tell, file), u.name(l))
	}
	return fmt.Sprintf("%s arrives at %s once %s is done, but nobody waits there", check.Where(u.tell, file), u.name(l), check.Where(u.told, file))
}

func (u *unheard) help(l *trace.Launch, file string) string {
	how := "arrive_and_wait, or in a pipeline consumer_wait and producer_acquire"
	if u.object.numbered {
		how = "bar.sync, with the count of " + check.Where(u.tell, file)
	}
	return fmt.Sprintf("wait at %s before %s (%s)", u.name(l), check.Where(u.access, file), how)
}

// meetBarrier notes who waited at a barrier of a part of the block.
func (b *blockObserver) meetBarrier(e *trace.Barrier) {
	if slices.ContainsFunc(e.Synced, func(m uint32) bool { return m != 0 }) {
		b.visits.at(object{true, uint64(e.ID)}).waited = true
	}
}

// meetAt notes arrivals and waits at mbarriers.
func (b *blockObserver) meetAt(a *trace.Access, arrives bool) {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if o := (object{false, a.Addr[lane]}); arrives {
			b.visits.arrive(o, a.Site, a.Warp, 1<<lane)
		} else {
			v := b.visits.at(o)
			v.waited = true
			v.waits[objectSite{a.Site, a.Warp}] |= 1 << lane
		}
	}
}
