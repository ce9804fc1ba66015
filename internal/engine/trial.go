package engine

import "github.com/warpgrind/warpgrind/internal/trace"

// wake lets the block continue that has rested longest.
func (p *portion) wake(active, resting []*block) ([]*block, []*block) {
	p.resting--
	return append(active, resting[0]), resting[1:]
}

// spend counts warp instructions of a run that has a limit, and ends it there.
func (r *run) spend(steps uint64) {
	if r.limit == 0 {
		return
	}
	if r.did += steps; r.did > r.limit {
		r.ended.Store(true)
	}
}

// over reports whether a run with a limit has come to it when a block has done so many steps more.
func (r *run) over(steps uint64) bool { return r.limit != 0 && r.did+steps > r.limit }

// tries executes a launch that has ended without a fault again as observers ask for; see trace.Trial.
func (p *repeat) tries() {
	if p == nil || p.over || p.first.bug != nil || p.first.ctx.Err() != nil || p.first.ended.Load() || p.first.hung.Load() || len(p.first.faults) > 0 {
		return
	}
	var left [][]byte
	work := trace.Work{WarpInstrs: p.first.counts.WarpInstrs}
	for _, k := range p.kept {
		work.Bytes += uint64(len(k.data))
	}
	for _, o := range p.first.observers {
		if o.Trial == nil {
			continue
		}
		for t := o.Trial(work); t != nil && p.first.ctx.Err() == nil; t = o.Trial(work) {
			if left == nil {
				left = p.now()
			}
			t.End(trace.Work{WarpInstrs: p.try(t), Bytes: work.Bytes})
		}
	}
	p.put(left)
}

// try executes the launch once more and returns the warp instructions that it took.
func (p *repeat) try(t *trace.Trial) uint64 {
	for _, k := range p.kept {
		copy(k.memory, k.data)
	}
	l := p.launch
	l.Await = nil
	if t.Blocks != nil {
		l.Blocks = t.Blocks
	}
	r := p.first.e.newRun(p.first.ctx, p.first.prog, l, p.first.launch, t.Observers)
	r.limit, r.workers = t.Limit, 1
	accesses := r.launch.GlobalAccesses
	r.execute()
	r.launch.GlobalAccesses = accesses
	for _, o := range t.Observers {
		if o.End != nil {
			o.End()
		}
	}
	if p.first.bug == nil {
		p.first.bug = r.bug
	}
	return r.counts.WarpInstrs
}
