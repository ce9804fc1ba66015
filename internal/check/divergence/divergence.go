package divergence

import (
	"math/bits"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// New makes the checker.
func New(check.Config) check.Checker { return &checker{kernels: map[string]*kernel{}} }

type checker struct{ kernels map[string]*kernel }

// kernel collects all launches of one kernel.
type kernel struct {
	name string
	// slots are the instructions that warps executed, times 32 lanes; idle those
	// of them in which a lane had no part, absent those without a thread.
	slots, idle, absent uint64
	branches            map[string]*total
	// partial are the launches whose blocks' last warps are not full, block the
	// extent of the first of them.
	partial finding.Launches
	block   trace.Dim3
}

// total is one branch over all launches.
type total struct {
	site     *trace.Site
	launches finding.Launches
	counts
	sample sample
}

// counts are the numbers of one branch.
type counts struct {
	// idle are instructions times idle lanes, instrs the instructions executed
	// while there were any, in so many stretches.
	idle, instrs, stretches uint64
	// diverged is how often the branch divided lanes that were together; lanes
	// that leave a loop one after the other count once.
	diverged uint64
}

// predicated is the most PTX instructions of a side for which a compiler may
// well leave the branch out, in favor of predicated instructions.
const predicated = 7

// short reports whether the branch guards too little to speak of: on one side
// or two, and not in a loop.
func (t *counts) short() bool { return t.instrs <= predicated*min(t.stretches, 2*t.diverged) }

func (t *counts) plus(o *counts) {
	t.idle += o.idle
	t.instrs += o.instrs
	t.stretches += o.stretches
	t.diverged += o.diverged
}

// sample is how one branch divided the warps of a block, each the first time.
type sample struct {
	launch *trace.Launch
	block  uint64
	warps  []trace.Divergence
	seen   uint32
	line   int // of the PTX, which tells copies of the branch apart
}

// record notes how a warp was divided.
func (s *sample) record(l *trace.Launch, block uint64, p *trace.Divergence) {
	if s.launch == nil || block < s.block { // the lowest block, in any order of them
		*s = sample{launch: l, block: block, line: p.Branch.PTXLine}
	}
	if s.block == block && s.seen>>(p.Warp&31)&1 == 0 {
		s.seen |= 1 << (p.Warp & 31)
		s.warps = append(s.warps, *p)
	}
}

// before reports whether s is to be kept rather than o.
func (s *sample) before(o *sample) bool {
	switch {
	case o.launch == nil || s.launch == nil:
		return s.launch != nil
	case s.launch.ID != o.launch.ID:
		return s.launch.ID < o.launch.ID
	case s.block != o.block:
		return s.block < o.block
	}
	return s.line < o.line
}

// Observer observes which lanes execute what.
func (c *checker) Observer() *trace.Observer { return &trace.Observer{Launch: c.Launch} }

// Launch begins to watch a launch.
func (c *checker) Launch(l *trace.Launch) []*trace.LaunchObserver {
	k := c.kernels[l.Kernel]
	if k == nil {
		k = &kernel{name: l.Kernel, branches: map[string]*total{}}
		c.kernels[l.Kernel] = k
	}
	o := &launchObserver{kernel: k, launch: l}
	return []*trace.LaunchObserver{{Block: o.newBlock, End: o.End}}
}

type launchObserver struct {
	kernel *kernel
	launch *trace.Launch
	mu     sync.Mutex
	blocks []*blockObserver
}

func (o *launchObserver) newBlock() *trace.BlockObserver {
	b := &blockObserver{launch: o.launch, branches: map[*trace.Site]*branch{}}
	o.mu.Lock()
	o.blocks = append(o.blocks, b)
	o.mu.Unlock()
	return &trace.BlockObserver{Begin: b.Begin, Diverged: b.Diverged, Stretch: b.Stretch}
}

// branch is what one slot's blocks did at one branch.
type branch struct {
	counts
	sample sample
}

type blockObserver struct {
	launch              *trace.Launch
	block               uint64
	slots, idle, absent uint64
	branches            map[*trace.Site]*branch
}

func (b *blockObserver) Begin(blk *trace.Block) { b.block = blk.Index }

// at returns the numbers of a branch.
func (b *blockObserver) at(site *trace.Site) *branch {
	x := b.branches[site]
	if x == nil {
		x = &branch{}
		b.branches[site] = x
	}
	return x
}

// Diverged is for trace.BlockObserver.
func (b *blockObserver) Diverged(p *trace.Divergence) {
	x := b.at(p.Branch)
	if !p.Again {
		x.diverged++
	}
	x.sample.record(b.launch, b.block, p)
}

// Stretch is for trace.BlockObserver.
func (b *blockObserver) Stretch(s *trace.Stretch) {
	b.slots += 32 * s.Instrs
	b.idle += uint64(32-bits.OnesCount32(s.Mask)) * s.Instrs
	for _, i := range s.Idle {
		n := uint64(bits.OnesCount32(i.Mask)) * s.Instrs
		if i.Branch == nil {
			b.absent += n
			continue
		}
		x := b.at(i.Branch)
		x.idle += n
		x.instrs += s.Instrs
		x.stretches++
	}
}

// End adds the launch's numbers to the kernel's.
func (o *launchObserver) End() {
	k := o.kernel
	for _, b := range o.blocks {
		k.slots += b.slots
		k.idle += b.idle
		k.absent += b.absent
		for site, x := range b.branches {
			k.add(o.launch, site, x)
		}
	}
	o.blocks = nil
	if o.launch.Block.Size()%32 != 0 {
		if k.partial.Count() == 0 {
			k.block = o.launch.Block
		}
		k.partial = k.partial.Union(finding.InLaunch(o.launch.ID))
	}
}

func (k *kernel) add(l *trace.Launch, site *trace.Site, x *branch) {
	key := check.SiteKey(site)
	t := k.branches[key]
	if t == nil {
		t = &total{site: site}
		k.branches[key] = t
	}
	if site.PTXLine < t.site.PTXLine {
		t.site = site
	}
	t.launches = t.launches.Union(finding.InLaunch(l.ID))
	t.plus(&x.counts)
	if x.sample.before(&t.sample) {
		t.sample = x.sample
	}
}
