package evidence

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// crowd is what the phases of a numbered barrier had in common: whether its count is the number of the threads that come.
type crowd struct {
	// waited are the lanes that have waited, by warp.
	waited []uint32
	// pending are the arrivals of threads that continued, in the phase that has not ended.
	pending int
	// least is how many threads the smallest phase had, 0 before the first one.
	least int
	// alone is set once different threads that did not wait have ended a phase without one that did.
	alone bool
}

// phase notes a phase that ends. It reports whether a thread waited for it.
func (c *crowd) phase(e *trace.Barrier) bool {
	waits := count(e.Synced)
	came := count(e.Arrived)
	if waits == 0 && came == c.pending {
		c.alone = true
	}
	c.pending = 0
	c.join(e.Synced)
	c.shrink(came)
	return waits > 0
}

func (c *crowd) merge(o *crowd) {
	c.alone = c.alone || o.alone
	c.join(o.waited)
	c.shrink(o.least)
}

func (c *crowd) shrink(came int) {
	if came > 0 && (c.least == 0 || came < c.least) {
		c.least = came
	}
}

func (c *crowd) join(lanes []uint32) {
	if n := len(lanes) - len(c.waited); n > 0 {
		c.waited = append(c.waited, make([]uint32, n)...)
	}
	for w, m := range lanes {
		c.waited[w] |= m
	}
}

func count(lanes []uint32) (n int) {
	for _, m := range lanes {
		n += bits.OnesCount32(m)
	}
	return n
}

// Miscount is a barrier between threads that only arrive and threads that only wait, of which some can
// end a phase without the others: it counts fewer than come.
type Miscount struct {
	ID int
	// Arrive and Wait are how many threads do the one and the other, Counted is how many of them a phase had.
	Arrive, Wait, Counted int
}

// Miscounts returns the barriers with a wrong count, given one of them, that one first: that barrier's arrivals have ended a phase
// alone, and the other barriers join the same threads. It is empty if that barrier is none.
func (vs Visits) Miscounts(id int) (out []Miscount) {
	first := vs[Object{true, uint64(id)}]
	if first == nil || !first.crowd.alone {
		return nil
	}
	all, m, ok := first.miscount(id)
	if !ok {
		return nil
	}
	out = append(out, m)
	for _, o := range vs.objects() {
		if !o.Numbered || o.At == uint64(id) {
			continue
		}
		if same, m, ok := vs[o].miscount(int(o.At)); ok && slices.Equal(same, all) {
			out = append(out, m)
		}
	}
	return out
}

// miscount returns the lanes that reach a barrier, by warp; ok is false where no role or no count is wrong.
func (v *visit) miscount(id int) (all []uint32, m Miscount, ok bool) {
	all = slices.Clone(v.crowd.waited)
	var arrive []uint32
	for k, lanes := range v.arrived {
		for len(all) <= k.warp {
			all = append(all, 0)
		}
		for len(arrive) <= k.warp {
			arrive = append(arrive, 0)
		}
		arrive[k.warp] |= lanes
	}
	for w, lanes := range arrive {
		if all[w]&lanes != 0 {
			return nil, m, false
		}
		all[w] |= lanes
	}
	m = Miscount{ID: id, Arrive: count(arrive), Wait: count(v.crowd.waited), Counted: v.crowd.least}
	return all, m, m.Arrive > 0 && m.Wait > 0 && m.Counted > 0 && m.Counted < m.Arrive+m.Wait
}
