package bank

import (
	"math/bits"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// New makes the checker.
func New(cfg check.Config) check.Checker {
	return &checker{geo: newGeometry(cfg.Geometry(), cfg.WideBanks), kernels: map[string]*kernel{}, exemplars: check.NewExemplars[[]siteCounts](cfg)}
}

type checker struct {
	geo     geometry
	kernels map[string]*kernel
	// exemplars spare blocks that do the same as one that was counted.
	exemplars *check.Exemplars[[]siteCounts]
}

// kernel collects all launches of one kernel.
type kernel struct {
	name  string
	sites map[string]*siteTotal
	// needs say, by the site's ID, what is still to be recorded.
	needs []perf.Need
}

// siteTotal is one source place of a kernel over all launches.
type siteTotal struct {
	site     *trace.Site
	launches finding.Launches // those with excess passes
	crowded  finding.Launches // those with contended atomics
	siteStat
	worstLaunch *trace.Launch
	// samples are those of all launches, kept is the one that changes are tried
	// on.
	samples perf.Samples
	kept    *perf.Sample
}

// siteStat is what one site did.
type siteStat struct {
	counts
	// interval is the block observer's when the site was last executed, bad
	// whether that instance has had a conflict, before the counts before it.
	interval uint64
	bad      bool
	before   counts
	worst    instance
	crowd    perf.Crowd
	sample   sample
}

// sample records accesses of one barrier interval, so that it does not depend
// on which intervals are known and not sent.
type sample struct {
	perf.Sample
	interval uint64
}

// counts are numbers of one site. Requests are warps, half-warps on 1.x.
type counts struct {
	requests, conflicts uint64
	perf.Contention
	passes, ideal uint64
	// instances counts the statement instances: the site's execution by a
	// block between two of its barriers. mixed are those with a conflict.
	instances, mixed uint64
	// byDegree counts requests by degree; degrees past the end by the last.
	byDegree [33]uint64
}

// plus adds the numbers of o, times over.
func (s *counts) plus(o *counts, times uint64) {
	s.requests += times * o.requests
	s.Plus(&o.Contention, times)
	s.conflicts += times * o.conflicts
	s.passes += times * o.passes
	s.ideal += times * o.ideal
	s.instances += times * o.instances
	s.mixed += times * o.mixed
	for i, n := range o.byDegree {
		s.byDegree[i] += times * n
	}
}

// instance is the worst request seen: most degree, then smallest block, then
// first in time.
type instance struct {
	degree int
	block  uint64
	warp   int
	mask   uint32
	addr   [32]uint64
	load   [32]uint8
}

func (a *instance) worseThan(b *instance) bool {
	if a.degree != b.degree {
		return a.degree > b.degree
	}
	return a.block < b.block
}

// Observer observes accesses to shared memory.
func (c *checker) Observer() *trace.Observer { return &trace.Observer{Launch: c.Launch} }

// Launch begins to watch a launch.
func (c *checker) Launch(l *trace.Launch) []*trace.LaunchObserver {
	if l.SharedStatic == 0 && l.SharedDynamic == 0 && len(l.Shared) == 0 {
		return nil
	}
	o := &launchObserver{checker: c, launch: l, kernel: c.kernel(l.Kernel), exemplar: c.exemplars.Of(l, true)}
	return []*trace.LaunchObserver{{Block: o.newBlock, Spares: o.exemplar.Spares, End: o.End}}
}

// kernel returns the collected numbers of a kernel.
func (c *checker) kernel(name string) *kernel {
	k := c.kernels[name]
	if k == nil {
		k = &kernel{name: name, sites: map[string]*siteTotal{}}
		c.kernels[name] = k
	}
	return k
}

type launchObserver struct {
	checker *checker
	launch  *trace.Launch
	kernel  *kernel
	// exemplar stands for blocks whose warps make the same requests.
	exemplar *check.Exemplar[[]siteCounts]
	mu       sync.Mutex
	blocks   []*blockObserver
}

func (o *launchObserver) newBlock() *trace.BlockObserver {
	b := &blockObserver{geo: &o.checker.geo, launch: o.launch, exemplar: o.exemplar, needs: o.kernel.needs, sites: make([]*siteStat, len(o.launch.Sites))}
	o.mu.Lock()
	o.blocks = append(o.blocks, b)
	o.mu.Unlock()
	return &trace.BlockObserver{Begin: b.Begin, End: b.End, Shared: b.Access, Barrier: b.Barrier,
		Interval: &trace.IntervalObserver{Settled: b.Settled, Keep: b.Keep, Repeat: b.Repeat}}
}

type blockObserver struct {
	geo    *geometry
	launch *trace.Launch
	block  *trace.Block
	sites  []*siteStat
	// needs say what is to be recorded of the sites.
	needs []perf.Need
	// interval counts the barrier intervals of all blocks of this slot.
	interval uint64
	// touched are the sites executed in this one; kept are the intervals that
	// may be repeated.
	touched  []int
	kept     []keptInterval
	exemplar *check.Exemplar[[]siteCounts]
	// before has the sites' counts when the block began, if it may become the
	// exemplar.
	before []counts
}

func (b *blockObserver) Begin(blk *trace.Block) {
	b.block = blk
	b.nextInterval()
	b.before = nil
	if b.exemplar.Wanted(blk.Index) {
		b.before = b.totals()
	}
}

// Barrier begins the next interval.
func (b *blockObserver) Barrier(e *trace.Barrier) {
	if e.Full {
		b.nextInterval()
	}
}

func (b *blockObserver) nextInterval() {
	b.interval++
	b.touched = b.touched[:0]
}

func (b *blockObserver) Access(a *trace.Access) {
	if a.Space != trace.SpaceShared || a.Mask == 0 || a.Site.ID >= len(b.sites) || a.Async == trace.AsyncComplete {
		return // a copy is told twice, and counted when it is issued
	}
	s := b.sites[a.Site.ID]
	if s == nil {
		s = &siteStat{}
		if a.Site.ID < len(b.needs) {
			s.sample.Need = b.needs[a.Site.ID]
		}
		b.sites[a.Site.ID] = s
	}
	if s.interval != b.interval {
		s.interval, s.bad, s.before = b.interval, false, s.counts
		s.instances++
		b.touched = append(b.touched, a.Site.ID)
	}
	conflicts := s.conflicts
	if !b.geo.broadcast {
		b.request(s, a, a.Mask)
	} else {
		for _, half := range [2]uint32{a.Mask & 0xffff, a.Mask &^ 0xffff} {
			if half != 0 {
				b.request(s, a, half)
			}
		}
	}
	if n := s.Add(a); n > 1 {
		s.crowd.Keep(b.launch, b.block.Index, a, n)
	}
	b.record(&s.sample, a, s.conflicts > conflicts)
}

// record adds an access to the site's sample.
func (b *blockObserver) record(x *sample, a *trace.Access, conflict bool) {
	begins := x.Launch == nil || conflict && !x.Excess
	if (begins || x.interval == b.interval) && x.Wants(b.launch, b.block.Index, conflict) {
		x.interval = b.interval
		x.Record(b.launch, b.block.Index, a, conflict)
	}
}

// request counts one request.
func (b *blockObserver) request(s *siteStat, a *trace.Access, mask uint32) {
	s.requests++
	if a.Site.Size <= 4 && a.Regular && (a.Step == 0 || a.Step == 4) {
		s.passes++
		s.ideal++
		s.byDegree[1]++
		return
	}
	if a.Site.Size <= 4 && (freeOfConflict(mask, a.Addr) || !b.geo.broadcast && oneWordEach(mask, a.Addr)) {
		s.passes++
		s.ideal++
		s.byDegree[1]++
		return
	}
	c := b.geo.request(mask, a.Addr, a.Site.Size)
	s.passes += uint64(c.passes)
	s.ideal += uint64(c.ideal)
	s.byDegree[min(c.degree, 32)]++
	if c.degree <= 1 {
		return
	}
	s.conflicts++
	if !s.bad {
		s.bad = true
		s.mixed++
	}
	in := instance{degree: c.degree, block: b.block.Index}
	if s.worst.degree == 0 || in.worseThan(&s.worst) {
		in.warp, in.mask, in.addr, in.load = a.Warp, mask, *a.Addr, c.load
		s.worst = in
	}
}

// freeOfConflict finds the two commonest patterns without one: all lanes at
// one address, and 4-byte steps from lane to lane.
func freeOfConflict(mask uint32, addr *[32]uint64) bool {
	first := bits.TrailingZeros32(mask)
	base := addr[first]
	if mask == 1<<32-1 {
		var same, row uint64
		for l, a := range addr {
			same |= a ^ base
			row |= a ^ (base + 4*uint64(l))
		}
		return same == 0 || row == 0
	}
	same, row := true, true
	for m := mask & (mask - 1); m != 0 && (same || row); m &= m - 1 {
		l := bits.TrailingZeros32(m)
		same = same && addr[l] == base
		row = row && addr[l] == base+4*uint64(l-first)
	}
	return same || row
}

// oneWordEach reports whether every bank has to deliver one word at most, with
// 32 banks and words that are multicast.
func oneWordEach(mask uint32, addr *[32]uint64) bool {
	var word [32]uint32
	var used uint32
	for m := mask; m != 0; m &= m - 1 {
		w := uint32(addr[bits.TrailingZeros32(m)] >> 2)
		bank := w & 31
		if used>>bank&1 != 0 && word[bank] != w {
			return false
		}
		used |= 1 << bank
		word[bank] = w
	}
	return true
}

// End is for trace.LaunchObserver: it adds the launch's numbers to the
// kernel's.
func (o *launchObserver) End() {
	k := o.kernel
	if len(k.needs) != len(o.launch.Sites) {
		k.needs = make([]perf.Need, len(o.launch.Sites))
	}
	o.addSpared()
	for _, b := range o.blocks {
		totals := b.totals()
		for id, s := range b.sites {
			if s != nil {
				s.counts = totals[id]
				k.add(o.launch, o.launch.Sites[id], s)
			}
		}
	}
	o.blocks = nil
}

func (k *kernel) add(l *trace.Launch, site *trace.Site, s *siteStat) {
	key := check.SiteKey(site)
	t := k.sites[key]
	if t == nil {
		t = &siteTotal{site: site, samples: perf.Samples{}}
		k.sites[key] = t
	}
	if site.ID < t.site.ID {
		t.site = site
	}
	if s.passes > s.ideal {
		t.launches = t.launches.Union(finding.InLaunch(l.ID))
	}
	t.plus(&s.counts, 1)
	t.crowd.Merge(&s.crowd)
	if s.Excess() > 0 {
		t.crowded = t.crowded.Union(finding.InLaunch(l.ID))
	}
	t.samples.Keep(site.ID, &s.sample.Sample)
	k.needs[site.ID] = t.samples.Need(site.ID)
	better := s.worst.worseThan(&t.worst) && (t.worstLaunch == nil || s.worst.degree > t.worst.degree || t.worstLaunch == l)
	if s.worst.degree > 1 && (t.worstLaunch == nil || better) {
		t.worst, t.worstLaunch = s.worst, l
	}
}
