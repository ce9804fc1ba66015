package hb

import "github.com/warpgrind/warpgrind/internal/trace"

// MBarriers are the mbarrier objects of a block by their place in shared memory (PTX ISA,
// "mbarrier"): a phase that has completed releases what arrived in it to those who wait,
// the phase in progress nothing yet.
type MBarriers map[uint64]*phases

type phases struct {
	parity        uint64
	current, done *Clock
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
	}
	return p
}

// Arrive is the arrival of a thread at an object of a block at a distance. It releases what
// happens before it, or, if it is relaxed or does not reach so far, what happens before a
// fence that does.
func (ms *MBarriers) Arrive(o *Order, t int, s *trace.Site, over Reach, addr, parity uint64) {
	p := ms.at(addr, parity)
	if s.Order >= trace.OrderRelease && ReachOf(s.Scope) >= over {
		p.current = p.current.Join(o.Snapshot(t))
		return
	}
	p.current = p.current.Join(o.fencesOf(t).join(o.fencedByAll)[over])
}

// Wait acquires what the last phase released; a relaxed wait does so at the thread's next
// fence. word is the object's place for release sequences.
func (ms *MBarriers) Wait(o *Order, t int, addr, parity, word uint64, relaxed bool) {
	switch p := ms.at(addr, parity); {
	case p.done == nil:
	case relaxed:
		o.pend(t, word, offer{OverBlock: p.done})
	default:
		o.acquireClock(t, p.done)
	}
}
