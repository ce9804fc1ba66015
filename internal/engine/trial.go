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
			r := p.try(t)
			t.End(trace.Work{WarpInstrs: r.counts.WarpInstrs, Bytes: work.Bytes})
			if t.Ended != nil {
				t.Ended(p.ending(r))
			}
		}
	}
	p.put(left)
}

// ending is how a trial has ended.
func (p *repeat) ending(r *run) *trace.Ending {
	e := &trace.Ending{Cut: r.ended.Load() || r.ctx.Err() != nil}
	if list := r.faults.sorted(true); len(list) > 0 {
		e.Fault = list[0]
	}
	for _, k := range p.kept {
		e.Memory = append(e.Memory, trace.Contents{Base: k.base, Data: k.memory})
	}
	return e
}

// try executes the launch once more.
func (p *repeat) try(t *trace.Trial) *run {
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
	if t.Steer != nil {
		r.steer(t.Steer)
	} else {
		r.execute()
	}
	r.launch.GlobalAccesses = accesses
	list := r.faults.sorted(r.launch.GridWorkspace != 0)
	for _, o := range t.Observers {
		for _, f := range list {
			if o.Fault != nil {
				o.Fault(f)
			}
		}
		if o.End != nil {
			o.End()
		}
	}
	if p.first.bug == nil {
		p.first.bug = r.bug
	}
	return r
}
