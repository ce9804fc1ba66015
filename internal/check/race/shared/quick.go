package shared

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// History is which kernels' launches a quick look has suspected in a run.
type History struct{ suspects map[[2]string]bool }

// Observer returns the observer of a launch, nil for none. Where blocks run in turn and strong
// operations on global memory may order threads, a quick look comes first if the launch can be
// repeated.
func (h *History) Observer(d *Detector, exemplars *check.Exemplars[uint64]) *trace.LaunchObserver {
	switch {
	case d == nil:
		return nil
	case !d.launch.Repeatable || !d.sharesWords || d.async || d.clusters || h.suspects[kernelOf(d.launch)]:
		return d.Observer()
	}
	q := &quick{Detector: d.barriersOnly(exemplars), full: d, history: h}
	return &trace.LaunchObserver{Spares: q.spares, Block: q.newBlock, Again: q.again, End: q.end}
}

func kernelOf(l *trace.Launch) [2]string { return [2]string{l.Module, l.Kernel} }

// quick looks at a launch as if nothing but barriers ordered threads: most kernels need nothing
// else for their shared memory. It knows fewer orders than full, so that it may suspect too much,
// never too little. What it suspects is run again for full.
type quick struct {
	*Detector
	full    *Detector
	history *History
	slots   []*quickBlock
	// repeated: the launch runs again, or has, with full.
	repeated bool
}

func (q *quick) spares(block uint64) bool { return !q.repeated && q.exemplar.Spares(block) }

// again reports whether the launch has to be repeated. One that is about to wait for something
// outside of it is, in any case: it continues with full.
func (q *quick) again(waits bool) bool {
	if q.repeated {
		return false
	}
	if waits {
		for _, b := range q.slots {
			b.flush()
		}
	} else if !q.found() {
		return false
	}
	q.repeated = true
	if q.history.suspects == nil {
		q.history.suspects = map[[2]string]bool{}
	}
	q.history.suspects[kernelOf(q.launch)] = true
	return true
}

// end reports what the launch has shown. What is suspected later than when it could be repeated
// is not known to be a race.
func (q *quick) end() {
	if q.repeated {
		q.full.End()
		return
	}
	if q.found() {
		q.config.Stats.Incomplete++
	}
	for _, b := range q.blocks {
		clear(b.pairs)
		b.shadow.full = false
	}
	q.Detector.End()
}

// quickBlock is such a look at the blocks of a slot.
type quickBlock struct {
	*quick
	first *blockObserver
	// with continues with the slot's blocks once the launch has been repeated because it had to
	// wait.
	with     *blockObserver
	block    *trace.Block // nil for none
	interval *trace.IntervalObserver
}

func (q *quick) newBlock() *trace.BlockObserver {
	if q.repeated {
		return q.full.newBlock().observer()
	}
	b := &quickBlock{quick: q, first: q.Detector.newBlock()}
	q.mu.Lock()
	q.slots = append(q.slots, b)
	q.mu.Unlock()
	b.interval = &trace.IntervalObserver{
		Settled: func() bool { return b.at().Settled() }, Keep: func() int32 { return b.at().Keep() },
		Repeat: func(token int32) { b.at().Repeat(token) }, Repeatable: func(token int32) bool { return b.at().Repeatable(token) },
		Orders: q.full.orders, Ordering: func() bool { return q.repeated },
		Quiet: &trace.QuietObserver{Takes: q.full.takes,
			Passed: func(e *trace.Quiet) { b.at().passedQuiet(e) },
			Copied: func(a *trace.Access) { b.at().copied(a) }},
	}
	return &trace.BlockObserver{Begin: b.Begin, End: b.End, Interval: b.interval, Shared: b.Access, Global: b.Access, Ignores: b.ignores,
		Barrier:  func(e *trace.Barrier) { b.at().Barrier(e) },
		Arrived:  func(e *trace.Arrival) { b.at().Arrived(e) },
		WarpSync: func(e *trace.WarpSync) { b.at().WarpSync(e) },
		Fence:    b.Fence}
}

// at is what looks at the slot's block. What the block has done so far is in that of the repetition.
func (b *quickBlock) at() *blockObserver {
	if b.with == nil && b.repeated {
		b.with = b.full.continues(b.block)
	}
	if b.with != nil {
		return b.with
	}
	return b.first
}

// continues returns the observer of the repetition that had a block when that ended. The block has
// not.
func (d *Detector) continues(x *trace.Block) *blockObserver {
	if x != nil {
		for _, o := range d.blocks {
			if o.block == nil && o.ended == x.Index+1 {
				o.block, o.ended = x, 0
				o.accesses, o.apart = o.accesses-o.time, o.apart-o.time
				return o
			}
		}
	}
	return d.newBlock()
}

// flush lets the first look have all that the running block has done.
func (b *quickBlock) flush() {
	if b.block != nil && b.interval.Flush != nil {
		b.interval.Flush()
	}
}

// Begin is the event of that name.
func (b *quickBlock) Begin(x *trace.Block) {
	o := b.at()
	b.block = x
	o.Begin(x)
}

// End is the event of that name.
func (b *quickBlock) End() {
	b.at().End()
	b.block = nil
}

// Access is the event of that name.
func (b *quickBlock) Access(a *trace.Access) {
	if a.Space == trace.SpaceShared || b.repeated {
		b.at().Access(a)
	}
}

// ignores is for trace.BlockObserver.
func (b *quickBlock) ignores(s *trace.Site) bool { return !b.repeated || b.first.ignores(s) }

// Fence is the event of that name.
func (b *quickBlock) Fence(e *trace.Fence) {
	if b.repeated {
		proxying{b.at()}.Fence(e)
	}
}
