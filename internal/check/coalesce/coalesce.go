package coalesce

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// New makes the checker.
func New(cfg check.Config) check.Checker {
	return &checker{geo: geometry{cfg.Geometry().Coalescing()}, kernels: map[string]*kernel{}}
}

type checker struct {
	geo     geometry
	places  perf.PlaceCache
	kernels map[string]*kernel
}

// kernel collects all launches of one kernel, by the key of a place.
type kernel struct {
	name   string
	places map[string]*total
}

// total is one place over all launches.
type total struct {
	site     *trace.Site
	launches finding.Launches // those with excess
	crowded  finding.Launches // those with contended atomics
	crowd    perf.Crowd
	counts
	samples perf.Samples
	// sample is the one of them that changes are tried on.
	sample *perf.Sample
}

// counts are the sums of costs of one place.
type counts struct {
	perf.Contention
	accesses, requests, units, ideal, moved, used, lines uint64
	// scattered are the accesses with units beyond the ideal, worst the most
	// units of one.
	scattered uint64
	worst     uint32
}

func (t *counts) add(c *cost) {
	t.accesses++
	t.requests += uint64(c.requests)
	t.units += uint64(c.units)
	t.ideal += uint64(c.ideal)
	t.moved += uint64(c.moved)
	t.used += uint64(c.used)
	t.lines += uint64(c.lines)
	if c.units > c.ideal {
		t.scattered++
	}
	t.worst = max(t.worst, c.units)
}

func (t *counts) plus(o *counts) {
	t.Plus(&o.Contention, 1)
	t.accesses += o.accesses
	t.requests += o.requests
	t.units += o.units
	t.ideal += o.ideal
	t.moved += o.moved
	t.used += o.used
	t.lines += o.lines
	t.scattered += o.scattered
	t.worst = max(t.worst, o.worst)
}

// Observer observes accesses to global memory.
func (c *checker) Observer() *trace.Observer { return &trace.Observer{Launch: c.Launch} }

// Launch begins to watch a launch.
func (c *checker) Launch(l *trace.Launch) []*trace.LaunchObserver {
	k := c.kernels[l.Kernel]
	if k == nil {
		k = &kernel{name: l.Kernel, places: map[string]*total{}}
		c.kernels[l.Kernel] = k
	}
	o := &launchObserver{checker: c, kernel: k, launch: l, places: c.places.Find(l)}
	return []*trace.LaunchObserver{{Block: o.newBlock, End: o.End}}
}

type launchObserver struct {
	checker *checker
	kernel  *kernel
	launch  *trace.Launch
	places  *perf.Places
	mu      sync.Mutex
	blocks  []*blockObserver
}

func (o *launchObserver) newBlock() *trace.BlockObserver {
	b := &blockObserver{geo: o.checker.geo, launch: o.launch, places: make([]place, len(o.launch.Sites))}
	for i, key := range o.places.Keys {
		if t := o.kernel.places[key]; t != nil {
			b.places[i].sample.Need = t.samples.Need(i)
		}
	}
	o.mu.Lock()
	o.blocks = append(o.blocks, b)
	o.mu.Unlock()
	return &trace.BlockObserver{Begin: b.Begin, Global: b.Access}
}

// place is what one slot's blocks did at one site.
type place struct {
	counts
	// Of regular accesses the cost follows from the step and from where in a
	// line they begin; the last one is kept.
	known       bool
	step, phase int64
	cost        cost
	crowd       perf.Crowd
	sample      perf.Sample
}

type blockObserver struct {
	geo    geometry
	launch *trace.Launch
	block  uint64
	places []place
}

func (b *blockObserver) Begin(blk *trace.Block) { b.block = blk.Index }

// Access counts an access. Textures have a layout of their own, and what an
// asynchronous copy reads is told once.
func (b *blockObserver) Access(a *trace.Access) {
	if a.Space != trace.SpaceGlobal || a.Mask == 0 || a.Site.Texture || a.Site.ID >= len(b.places) {
		return
	}
	p := &b.places[a.Site.ID]
	c := b.cost(p, a)
	p.add(c)
	if n := p.Add(a); n > 1 {
		p.crowd.Keep(b.launch, b.block, a, n)
	}
	if excess := c.units > c.ideal; p.sample.Wants(b.launch, b.block, excess) {
		p.sample.Record(b.launch, b.block, a, excess)
	}
}

// phases is the period in which a regular access costs the same.
const phases = 256

func (b *blockObserver) cost(p *place, a *trace.Access) *cost {
	load := a.Site.Kind == trace.Read
	if !a.Regular {
		p.known = false
		p.cost = b.geo.access(a.Mask, a.Addr, a.Site.Size, load)
		return &p.cost
	}
	phase := int64(a.Addr[0] % phases)
	if !p.known || a.Step != p.step || phase != p.phase {
		p.cost = b.geo.access(a.Mask, a.Addr, a.Site.Size, load)
		p.known, p.step, p.phase = true, a.Step, phase
	}
	return &p.cost
}

// End adds the launch's numbers to the kernel's.
func (o *launchObserver) End() {
	for _, b := range o.blocks {
		for i := range b.places {
			if b.places[i].accesses > 0 {
				o.kernel.add(o.launch, o.places, i, &b.places[i])
			}
		}
	}
	o.blocks = nil
}

func (k *kernel) add(l *trace.Launch, all *perf.Places, i int, p *place) {
	key := all.Keys[i]
	t := k.places[key]
	if t == nil {
		t = &total{site: l.Sites[i], samples: perf.Samples{}}
		k.places[key] = t
	}
	if p.units > p.ideal {
		t.launches = t.launches.Union(finding.InLaunch(l.ID))
	}
	t.plus(&p.counts)
	t.crowd.Merge(&p.crowd)
	if p.Excess() > 0 {
		t.crowded = t.crowded.Union(finding.InLaunch(l.ID))
	}
	t.samples.Keep(i, &p.sample)
}
