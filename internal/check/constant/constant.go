package constant

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// New makes the checker.
func New(cfg check.Config) check.Checker {
	return &checker{arch: cfg.Geometry(), kernels: map[string]*kernel{}}
}

type checker struct {
	arch    *arch.Arch
	places  perf.PlaceCache
	kernels map[string]*kernel
}

// half reports whether half-warps are served on their own.
func (c *checker) half() bool { return c.arch.SM < 20 }

// kernel collects all launches of one kernel, by the key of a place.
type kernel struct {
	name   string
	places map[string]*total
}

type total struct {
	site     *trace.Site
	launches finding.Launches // those with excess
	counts
	samples perf.Samples
}

// counts are the numbers of one place. Requests are warps, half-warps on 1.x.
type counts struct {
	requests, passes, serialized uint64
	worst                        uint32
}

func (t *counts) plus(o *counts) {
	t.requests += o.requests
	t.passes += o.passes
	t.serialized += o.serialized
	t.worst = max(t.worst, o.worst)
}

// excess is the passes beyond one a request.
func (t *counts) excess() uint64 { return t.passes - t.requests }

// Observer observes reads of constant memory.
func (c *checker) Observer() *trace.Observer { return &trace.Observer{Launch: c.Launch} }

// Launch begins to watch a launch.
func (c *checker) Launch(l *trace.Launch) []*trace.LaunchObserver {
	k := c.kernels[l.Kernel]
	if k == nil {
		k = &kernel{name: l.Kernel, places: map[string]*total{}}
		c.kernels[l.Kernel] = k
	}
	o := &launchObserver{kernel: k, half: c.half(), launch: l, places: c.places.Find(l)}
	return []*trace.LaunchObserver{{Block: o.newBlock, End: o.End}}
}

type launchObserver struct {
	kernel *kernel
	half   bool
	launch *trace.Launch
	places *perf.Places
	mu     sync.Mutex
	blocks []*blockObserver
}

func (o *launchObserver) newBlock() *trace.BlockObserver {
	b := &blockObserver{half: o.half, launch: o.launch, places: make([]place, len(o.launch.Sites))}
	for i, key := range o.places.Keys {
		if t := o.kernel.places[key]; t != nil {
			b.places[i].sample.Need = t.samples.Need(i)
		}
	}
	o.mu.Lock()
	o.blocks = append(o.blocks, b)
	o.mu.Unlock()
	return &trace.BlockObserver{Begin: b.Begin, Const: b.Access}
}

// place is what one slot's blocks did at one site.
type place struct {
	counts
	sample perf.Sample
}

type blockObserver struct {
	half   bool
	launch *trace.Launch
	block  uint64
	places []place
}

func (b *blockObserver) Begin(blk *trace.Block) { b.block = blk.Index }

// Access counts a read.
func (b *blockObserver) Access(a *trace.Access) {
	if a.Space != trace.SpaceConst || a.Mask == 0 || a.Site.ID >= len(b.places) {
		return
	}
	p := &b.places[a.Site.ID]
	before := p.excess()
	if a.Regular && a.Step == 0 && !b.half {
		p.requests++
		p.passes++
		p.worst = max(p.worst, 1)
	} else {
		for _, part := range parts(a.Mask, b.half) {
			p.request(part, a.Addr)
		}
	}
	if excess := p.excess() > before; p.sample.Wants(b.launch, b.block, excess) {
		p.sample.Record(b.launch, b.block, a, excess)
	}
}

// parts are the lanes that are served together.
func parts(mask uint32, half bool) [2]uint32 {
	if half {
		return [2]uint32{mask & 0xffff, mask &^ 0xffff}
	}
	return [2]uint32{mask}
}

// request counts the lanes of mask, if any.
func (t *counts) request(mask uint32, addr *[32]uint64) {
	if mask == 0 {
		return
	}
	n := different(mask, addr)
	t.requests++
	t.passes += uint64(n)
	if n > 1 {
		t.serialized++
	}
	t.worst = max(t.worst, n)
}

// different counts the different addresses of the lanes of mask.
func different(mask uint32, addr *[32]uint64) uint32 {
	var list [32]uint64
	n, sorted := 0, true
	for m := mask; m != 0; m &= m - 1 {
		a := addr[bits.TrailingZeros32(m)&31]
		if n > 0 && a == list[n-1] {
			continue
		}
		sorted = sorted && (n == 0 || a > list[n-1])
		list[n] = a
		n++
	}
	if !sorted {
		slices.Sort(list[:n])
		n = len(slices.Compact(list[:n]))
	}
	return uint32(n)
}

// End adds the launch's numbers to the kernel's.
func (o *launchObserver) End() {
	for _, b := range o.blocks {
		for i := range b.places {
			if b.places[i].requests > 0 {
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
	if p.excess() > 0 {
		t.launches = t.launches.Union(finding.InLaunch(l.ID))
	}
	t.plus(&p.counts)
	t.samples.Keep(i, &p.sample)
}
