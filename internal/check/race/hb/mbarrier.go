package hb

import "github.com/warpgrind/warpgrind/internal/trace"

// MBarriers are the mbarrier objects of a block by their place in shared memory (PTX ISA,
// "mbarrier"): a phase that has completed releases what arrived in it to those who wait,
// the phase in progress nothing yet.
type MBarriers map[uint64]*phases

type phases struct {
	parity        uint64
	current, done *Clock
	// far and farDone are of arrivals from other blocks.
	far, farDone *Clock
	// unfenced and unfencedDone have what relaxed arrivals do not release, where there is tensor memory.
	unfenced, unfencedDone *Clock
}

// at returns the phases of an object, advanced if its parity shows that one has completed.
func (ms *MBarriers) at(addr, parity uint64) *phases {
	p := (*ms)[addr]
	if p == nil {
		if *ms == nil {
			*ms = MBarriers{}
		}
		p = &phases{parity: parity}
		(*ms)[addr] = p
	}
	if p.parity != parity {
		p.parity, p.done, p.current = parity, p.current, nil
		p.farDone, p.far = p.far, nil
		p.unfencedDone, p.unfenced = p.unfenced, nil
	}
	return p
}

// arrivals has what arrives from so far away in the phase in progress.
func (p *phases) arrivals(over Reach) **Clock {
	if over > OverBlock {
		return &p.far
	}
	return &p.current
}

// Arrive is the arrival of a thread at an object of a block at a distance. It releases what
// happens before it, or, if it is relaxed or does not reach so far, what happens before a
// fence that does.
func (ms *MBarriers) Arrive(o *Order, t int, s *trace.Site, over Reach, addr, parity uint64) {
	p := ms.at(addr, parity)
	to := p.arrivals(over)
	if s.Order >= trace.OrderRelease && ReachOf(s.Scope) >= over {
		*to = (*to).Join(o.Snapshot(t))
		return
	}
	*to = (*to).Join(o.fencesOf(t).join(o.fencedByAll)[over])
	if o.Tensor {
		p.unfenced = p.unfenced.Join(o.Snapshot(t))
	}
}

// Wait acquires what the last phase released, of arrivals from other blocks only if its scope
// reaches them; a relaxed wait does so at the thread's next fence. word is the object's place
// for release sequences.
func (ms *MBarriers) Wait(o *Order, t int, s *trace.Site, addr, parity, word uint64) {
	p := ms.at(addr, parity)
	c := p.done
	if ReachOf(s.Scope) > OverBlock {
		c = c.Join(p.farDone)
	}
	if p.unfencedDone != nil {
		o.unfenced.put(o.holder(t), o.unfenced.get(o.holder(t)).Join(p.unfencedDone))
	}
	switch {
	case c == nil:
	case s.Order == trace.OrderRelaxed:
		o.pend(t, word, offer{OverBlock: c})
	default:
		o.acquireClock(t, c)
	}
}
