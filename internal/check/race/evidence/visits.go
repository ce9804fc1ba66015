package evidence

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Object is what threads arrive at and wait for: an mbarrier by its offset in
// shared memory, or a barrier of the block by its number.
type Object struct {
	Numbered bool
	At       uint64
}

func (o Object) compare(p Object) int {
	switch {
	case o.Numbered != p.Numbered && p.Numbered, o.Numbered == p.Numbered && o.At < p.At:
		return -1
	case o == p:
		return 0
	}
	return 1
}

// Visits are the arrivals of threads that continue, by object, and the waits there: those of
// all blocks of a slot, or of a launch.
type Visits map[Object]*visit

type visitor struct {
	site *trace.Site
	warp int
}

type visit struct {
	// arrived has the lanes that arrived and continued, waits those that tested whether all
	// have come.
	arrived, waits map[visitor]uint32
	waited         bool
	crowd          crowd
}

// inOrder are the sites of a visit in the order of the program.
func inOrder(sites map[visitor]uint32) []visitor {
	return slices.SortedFunc(maps.Keys(sites), func(a, b visitor) int {
		return cmp.Or(a.site.PTXLine-b.site.PTXLine, a.site.ID-b.site.ID, a.warp-b.warp)
	})
}

func (vs *Visits) at(o Object) *visit {
	if *vs == nil {
		*vs = Visits{}
	}
	v := (*vs)[o]
	if v == nil {
		v = &visit{arrived: map[visitor]uint32{}, waits: map[visitor]uint32{}}
		(*vs)[o] = v
	}
	return v
}

// Arrived notes threads that arrive at a numbered barrier and continue.
func (vs *Visits) Arrived(e *trace.Arrival) {
	v := vs.at(Object{true, uint64(e.ID)})
	v.arrived[visitor{e.Site, e.Warp}] |= e.Mask
	v.crowd.pending += bits.OnesCount32(e.Mask)
}

// Barrier notes who waited at a barrier of a part of the block.
func (vs *Visits) Barrier(e *trace.Barrier) {
	v := vs.at(Object{true, uint64(e.ID)})
	v.waited = v.crowd.phase(e) || v.waited
}

// MBarrier notes arrivals and waits at mbarriers.
func (vs *Visits) MBarrier(a *trace.Access, arrives bool) {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		v := vs.at(Object{false, a.Addr[lane]})
		if arrives {
			v.arrived[visitor{a.Site, a.Warp}] |= 1 << lane
		} else {
			v.waited = true
			v.waits[visitor{a.Site, a.Warp}] |= 1 << lane
		}
	}
}

// Merge adds what another slot saw.
func (vs *Visits) Merge(from Visits) {
	for o, v := range from {
		all := vs.at(o)
		all.waited = all.waited || v.waited
		all.crowd.merge(&v.crowd)
		for k, lanes := range v.arrived {
			all.arrived[k] |= lanes
		}
		for k, lanes := range v.waits {
			all.waits[k] |= lanes
		}
	}
}

// Unawaited is an arrival that should order two accesses, but that no thread waits for.
type Unawaited struct {
	Object Object
	Arrive *trace.Site
	// Behind is the access that the arrival follows, nil if none of the two; Access is that
	// of the thread that should wait.
	Behind, Access *trace.Site
	// Tracks: it comes with the completion of copies, which no thread has tested: its
	// object is unknown.
	Tracks bool
}

// WaitsFor returns where the thread of an access waits at an mbarrier at which an arrival is made, in the order of the program.
func (vs Visits) WaitsFor(arrive *trace.Site, a *Access) (waits []*trace.Site) {
	for _, o := range vs.objects() {
		v := vs[o]
		if !slices.ContainsFunc(inOrder(v.arrived), func(k visitor) bool { return k.site == arrive }) {
			continue
		}
		for _, k := range inOrder(v.waits) {
			if k.warp == a.Warp && v.waits[k]>>a.Lane&1 != 0 {
				waits = append(waits, k.site)
			}
		}
	}
	return waits
}

// Unawaited returns the arrival between two accesses that no thread waits for, nil for
// none, of those at sites. That of the thread that writes comes first.
func (vs Visits) Unawaited(sites []*trace.Site, w *Witness) *Unawaited {
	a, z := &w.First, &w.Then
	if !a.Site.Kind.Writes() {
		a, z = z, a
	}
	if u := vs.unawaitedBehind(a, z.Site); u != nil {
		return u
	}
	if !w.InFlight {
		return vs.unawaitedBehind(z, a.Site)
	}
	if u := vs.untested(sites, a, z.Site); u != nil {
		return u
	}
	if u := vs.unused(a, z.Site); u != nil && a.Warp == z.Warp && a.Lane == z.Lane {
		return u
	}
	return vs.unawaitedBehind(z, a.Site)
}

func (vs Visits) objects() []Object { return slices.SortedFunc(maps.Keys(vs), Object.compare) }

// unawaitedBehind looks for the arrival of a thread next behind its access, at an object
// where no thread waits; access is that of the other thread.
func (vs Visits) unawaitedBehind(a *Access, access *trace.Site) *Unawaited {
	var best *Unawaited
	for _, o := range vs.objects() {
		v := vs[o]
		if vs.awaited(v) {
			continue
		}
		for _, k := range inOrder(v.arrived) {
			if k.warp == a.Warp && v.arrived[k]>>a.Lane&1 != 0 && Behind(a.Site, k.site) && (best == nil || Behind(k.site, best.Arrive)) {
				best = &Unawaited{Object: o, Arrive: k.site, Behind: a.Site, Access: access}
			}
		}
	}
	return best
}

// awaited reports whether a thread waited at an object, or at another one that is
// arrived at by the same sites, as those of a pipeline's other stages are: a kernel may
// hang before the turn of all has come.
func (vs Visits) awaited(v *visit) bool {
	if v.waited {
		return true
	}
	sites := map[*trace.Site]bool{}
	for k := range v.arrived {
		sites[k.site] = true
	}
	for _, o := range vs {
		for k := range o.arrived {
			if o.waited && sites[k.site] {
				return true
			}
		}
	}
	return false
}

// unused looks for an object at which others than a thread arrive, and that no thread
// waits at: a thread that copies to a place again before its copy has ended should have.
func (vs Visits) unused(a *Access, access *trace.Site) *Unawaited {
	for _, o := range vs.objects() {
		if vs.awaited(vs[o]) {
			continue
		}
		for k := range vs[o].arrived {
			if k.warp != a.Warp && k.site.Func == access.Func {
				return &Unawaited{Object: o, Arrive: firstSite(vs[o].arrived, a.Warp), Access: access}
			}
		}
	}
	return nil
}

// firstSite is where other warps than one arrive, the first in the program.
func firstSite(arrived map[visitor]uint32, not int) (s *trace.Site) {
	for k := range arrived {
		if k.warp != not && (s == nil || k.site.PTXLine < s.PTXLine) {
			s = k.site
		}
	}
	return s
}

// untested looks for the arrival of a copy next behind its issue that has never
// happened: it does when its mbarrier is tested.
func (vs Visits) untested(sites []*trace.Site, a *Access, access *trace.Site) *Unawaited {
	if a.Site.Kind != trace.Write {
		return nil
	}
	for _, s := range sites {
		if s.Op.Kind != inst.CopyArrive || !Behind(a.Site, s) {
			continue
		}
		for _, v := range vs {
			for k := range v.arrived {
				if k.site == s {
					return nil
				}
			}
		}
		return &Unawaited{Arrive: s, Behind: a.Site, Access: access, Tracks: true}
	}
	return nil
}

// WrongPhase is an mbarrier at which one thread arrives behind its access and the other
// waits before its own, and that does not order the two all the same: the phase that
// the one waits for ends without the arrival of the other.
type WrongPhase struct {
	Object       Object
	Arrive, Wait *trace.Site
}

// WrongPhases looks for such mbarriers in both directions. A thread that both arrives and
// waits uses the mbarrier as a barrier of all and does not count.
func (vs Visits) WrongPhases(w *Witness) (out []WrongPhase) {
	a, z := &w.First, &w.Then
	for _, d := range [][2]*Access{{a, z}, {z, a}} {
		for _, o := range vs.objects() {
			p, ok := vs[o].between(o, d[0], d[1])
			same := func(q WrongPhase) bool { return p.Arrive == q.Arrive && p.Wait == q.Wait }
			if ok && !slices.ContainsFunc(out, same) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// OtherLane returns the mbarrier at which another lane of the first thread's warp arrives
// behind its access, and the second thread waits before its own: what the first thread did
// is ordered before that only by a __syncwarp. nil where there is none, or where the first
// thread arrives or waits there itself.
func (vs Visits) OtherLane(w *Witness) *WrongPhase {
	a, z := &w.First, &w.Then
	if a.Warp == z.Warp {
		return nil
	}
	for _, o := range vs.objects() {
		v := vs[o]
		if o.Numbered || takesPart(v.arrived, a) || takesPart(v.waits, a) {
			continue
		}
		wait := nearest(v.waits, func(k visitor, lanes uint32) bool {
			return k.warp == z.Warp && lanes>>z.Lane&1 != 0 && Behind(k.site, z.Site)
		})
		arrive := nearest(v.arrived, func(k visitor, _ uint32) bool { return k.warp == a.Warp && Behind(a.Site, k.site) })
		if wait != nil && arrive != nil {
			return &WrongPhase{o, arrive, wait}
		}
	}
	return nil
}

// takesPart reports whether the thread of an access is among visitors.
func takesPart(sites map[visitor]uint32, a *Access) bool {
	for k, lanes := range sites {
		if k.warp == a.Warp && lanes>>a.Lane&1 != 0 {
			return true
		}
	}
	return false
}

// nearest returns the site that comes first in the program among those that fit.
func nearest(sites map[visitor]uint32, fits func(visitor, uint32) bool) *trace.Site {
	for _, k := range inOrder(sites) {
		if fits(k, sites[k]) {
			return k.site
		}
	}
	return nil
}

func (v *visit) between(o Object, a, z *Access) (p WrongPhase, ok bool) {
	p.Object = o
	for _, k := range inOrder(v.waits) {
		switch lanes := v.waits[k]; {
		case k.warp == a.Warp && lanes>>a.Lane&1 != 0:
			return p, false
		case k.warp == z.Warp && lanes>>z.Lane&1 != 0 && Behind(k.site, z.Site) && (p.Wait == nil || Behind(p.Wait, k.site)):
			p.Wait = k.site
		}
	}
	for _, k := range inOrder(v.arrived) {
		if k.warp == a.Warp && v.arrived[k]>>a.Lane&1 != 0 && Behind(a.Site, k.site) && (p.Arrive == nil || Behind(k.site, p.Arrive)) {
			p.Arrive = k.site
		}
	}
	return p, p.Wait != nil && p.Arrive != nil
}
