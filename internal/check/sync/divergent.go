package sync

import (
	"fmt"
	"math/bits"
	gosync "sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// checker reports barriers that end a launch as faults, those that a part of
// the threads reached while the launch continues, and misused masks.
type checker struct {
	check.Faults

	mu  gosync.Mutex
	set finding.Set
}

// Observer observes barriers, defects and faults.
func (c *checker) Observer() *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		o := launchObserver{c, l}
		return []*trace.LaunchObserver{{Fault: c.Faults.In(l), Block: o.newBlock}}
	}}
}

// Findings returns what was found, in the order of a report.
func (c *checker) Findings() []*finding.Finding {
	var all finding.Set
	all.AddAll(c.Faults.Findings())
	all.AddAll(c.set.Sorted())
	return all.Sorted()
}

type launchObserver struct {
	checker *checker
	launch  *trace.Launch
}

func (o launchObserver) newBlock() *trace.BlockObserver {
	b := &blockObserver{in: o, seen: map[divergence]bool{}, misused: map[defectKey]bool{}}
	watch := &trace.BlockObserver{Begin: b.Begin, Barrier: b.Barrier, Defect: b.Defect}
	if makesMBarriers(o.launch) {
		b.objects = mbarriers{}
		watch.Shared, watch.AsyncBegan = b.Shared, b.AsyncBegan
	}
	if usesTensorMaps(o.launch) {
		b.maps = acquired{}
		watch.ProxyFence, watch.Global = b.ProxyFence, b.Global
		watch.Ignores = func(s *trace.Site) bool { return !s.TensorMap }
	}
	return watch
}

// divergence tells the findings of a block apart: where a warp's lanes came and where
// others did, and whether the whole warp is missing.
type divergence struct {
	site, other *trace.Site
	whole       bool
}

// blockObserver adds a finding for the first divergence of each kind in a block.
type blockObserver struct {
	in    launchObserver
	block uint64
	seen  map[divergence]bool
	// misused are the defects of the block that there is a finding of.
	misused map[defectKey]bool
	// running is the block at work, barriers how many it has completed, objects its
	// valid mbarriers, nil where the kernel makes none.
	running  *trace.Block
	barriers int
	objects  mbarriers
	valid    words
	maps     acquired
}

func (b *blockObserver) Begin(k *trace.Block) {
	b.block, b.running, b.barriers = k.Index, k, 0
	clear(b.objects)
	if b.objects != nil {
		b.valid = append(b.valid[:0], make(words, (len(k.Shared)+511)/512)...)
	}
	clear(b.maps)
	clear(b.seen)
	clear(b.misused)
}

func (b *blockObserver) Barrier(e *trace.Barrier) {
	b.barriers++
	d := e.Divergent
	if d == nil {
		return
	}
	k := divergence{d.Site, d.Other, d.Mask == 0}
	if b.seen[k] {
		return
	}
	b.seen[k] = true
	if d.Other != nil && check.SiteKey(d.Other) == check.SiteKey(d.Site) { // copies of one barrier
		return
	}
	c := b.in.checker
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set.Add(b.in.finding(b.block, d))
}

// ended describes a barrier that whole warps, or from sm_70 on a part of a warp, do not reach since the threads had
// ended: there barriers wait for the others.
func ended(f *finding.Finding, l *trace.Launch, block uint64, d *trace.Divergent) {
	f.Level, f.Kind = finding.Warning, "exited"
	f.Key = "exited\x00" + check.SiteKey(d.Site)
	f.Message = "barrier after threads of the block have returned: they never reach it"
	f.Primary = check.Place(d.Site, "not reached by", check.Thread(l, block, d.Warp, bits.TrailingZeros32(d.Exited)))
	f.Witness[3] = uint64(bits.TrailingZeros32(d.Exited))
	f.Notes = []string{fmt.Sprintf("all %s of warp %d had exited before", check.Plural(uint64(bits.OnesCount32(d.Exited)), "thread"), d.Warp),
		"GPUs continue without them, but __syncthreads() is defined only if all threads of the block reach it"}
	if d.Mask != 0 {
		f.Notes[0] = fmt.Sprintf("%s of warp %d had exited before, %s reached it", check.Plural(uint64(bits.OnesCount32(d.Exited)), "thread"), d.Warp, reached(d))
	}
	if l.SM >= perThread {
		f.Notes[1] = nonExited
	}
	f.Cause, f.Origin = ExitedWarp, exitedOrigin(f, l, d)
	repair(f, finding.ReturnLater)
}

// perThread is the first architecture whose barriers count threads and not warps.
const perThread = 70

// nonExited is what the programming guide says of these architectures.
const nonExited = "from sm_70 on a barrier waits for all non-exited threads of the block (CUDA C++ Programming Guide, \"Independent Thread Scheduling\"), " +
	"but __syncthreads() may stand in conditional code only if the condition is the same in all threads of the block"

// reached says how many threads of a warp reached a barrier.
func reached(d *trace.Divergent) string {
	return check.Plural(uint64(bits.OnesCount32(d.Mask)), "thread")
}

func (o launchObserver) finding(block uint64, d *trace.Divergent) *finding.Finding {
	l, lane := o.launch, bits.TrailingZeros32(d.Mask)
	f := &finding.Finding{
		Rule: "sync", Kind: "divergent", Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "block",
		Witness: [4]uint64{uint64(l.ID), block, uint64(d.Warp), uint64(lane)},
		Primary: check.Place(d.Site, "reached by", check.Thread(l, block, d.Warp, lane)),
		Key:     "divergent\x00" + check.SiteKey(d.Site) + "\x00" + check.SiteKey(d.Other),
	}
	came := check.Plural(uint64(bits.OnesCount32(d.Mask)), "thread")
	if d.Mask == 0 || d.Other == nil && d.Absent == 0 && d.Bypassed == 0 && l.SM >= perThread {
		ended(f, l, block, d)
		return f
	}
	if d.Absent != 0 {
		f.Message = "barrier in divergent code: not all threads of a warp reach it"
		f.Notes = []string{fmt.Sprintf("%s of warp %d reached it; %d had not when it was complete", came, d.Warp, bits.OnesCount32(d.Absent)),
			"the instruction is .aligned, as bar.sync always is: all threads of a warp must execute it together"}
		f.Cause = DivergentBarrier
		repair(f, finding.MoveBarrier)
		return f
	}
	if d.Other == nil {
		f.Message = "barrier in divergent code: not all threads of a warp reach it"
		f.Notes = []string{fmt.Sprintf("%s of warp %d reached it; %d had exited before", came, d.Warp, bits.OnesCount32(d.Exited)),
			"before sm_70 the behavior is undefined"}
		if l.SM >= perThread {
			f.Notes = []string{fmt.Sprintf("%s of warp %d reached it; %d passed it by and exited while these waited", came, d.Warp, bits.OnesCount32(d.Exited)), conditionalOnly}
		}
		f.Cause, f.Origin = DivergentBarrier, exitedOrigin(f, l, d)
		repair(f, finding.MoveBarrier)
		return f
	}
	if d.OtherWarp != d.Warp {
		conditional(f, l, block, d)
		return f
	}
	other := bits.TrailingZeros32(d.Elsewhere)
	f.Message = "threads of one warp wait at different barriers"
	f.Related = []finding.Place{check.Place(d.Other, "other lanes wait here", check.Thread(l, block, d.Warp, other))}
	f.Notes = []string{fmt.Sprintf("%s of warp %d reached %s, %d reached %s", came, d.Warp, check.Where(d.Site, d.Site.Loc.File),
		bits.OnesCount32(d.Elsewhere), check.Where(d.Other, d.Site.Loc.File))}
	f.Cause = DifferentBarriers
	repair(f, finding.OneBarrier)
	return f
}

// conditional describes whole warps that meet at different barriers.
func conditional(f *finding.Finding, l *trace.Launch, block uint64, d *trace.Divergent) {
	f.Level, f.Cause = finding.Warning, ConditionalBarrier
	f.Message = "the warps of a block wait at different barriers"
	f.Related = []finding.Place{check.Place(d.Other, "other warps wait here", check.Thread(l, block, d.OtherWarp, bits.TrailingZeros32(d.Elsewhere)))}
	f.Notes = []string{fmt.Sprintf("warp %d waited at %s, warp %d at %s, and both continued", d.Warp, check.Where(d.Site, d.Site.Loc.File), d.OtherWarp, check.Where(d.Other, d.Site.Loc.File)),
		conditionalCode}
	repair(f, finding.OneBarrier)
}

// conditionalOnly is what the programming guide says of a barrier in a branch.
const conditionalOnly = "__syncthreads() may stand in conditional code only if the condition is the same in all threads of the block"

// conditionalCode is what the programming guide says of warps at different barriers.
const conditionalCode = "PTX lets them meet, but __syncthreads() may stand in conditional code only if the condition is the same in all threads of the block"

// exitedOrigin names the threads that had exited before a barrier: who returns early misses
// all that follow. It is "" where none had.
func exitedOrigin(f *finding.Finding, l *trace.Launch, d *trace.Divergent) string {
	if d.Exited == 0 {
		return ""
	}
	return fmt.Sprintf("exited %s %v %08x", l.Kernel, f.Primary.Thread, d.Exited)
}
