package race

import "math/bits"

// clock knows, within one interval between full block barriers, which earlier
// accesses are ordered before what a thread does now. It does as little as the
// kernel makes necessary:
//
//   - while only whole warps meet at __syncwarp, a number per warp (base);
//   - once a part of a warp does, a 32x32 matrix for that warp;
//   - once a barrier joins a part of the block, a row of the block's threads
//     for each group of threads that know the same.
//
// Each warp has a stamp that grows with every synchronisation that it takes
// part in. Thread a's access at stamp s is ordered before b's next access if
// s < known(b, a).
type clock struct {
	warps   int
	threads int
	// exist has the lanes that each warp has at all.
	exist []uint32
	// now is each warp's stamp. base: what its lanes did at a smaller stamp is
	// ordered before what any of its lanes does now.
	now, base []uint32
	// lanes[w], where inUse[w] equals the interval, holds known(b, a) for lanes.
	lanes    []*[32][32]uint32
	inUse    []uint32
	interval uint32
	// rows is in use while partial is true.
	partial bool
	rows    rowSet
}

func newClock(threads int) *clock {
	w := (threads + 31) / 32
	c := &clock{warps: w, threads: threads, exist: make([]uint32, w), now: make([]uint32, w),
		base: make([]uint32, w), lanes: make([]*[32][32]uint32, w), inUse: make([]uint32, w)}
	for i := range c.exist {
		c.exist[i] = 1<<min(32, threads-32*i) - 1
		if threads-32*i >= 32 {
			c.exist[i] = ^uint32(0)
		}
	}
	return c
}

// fullBarrier begins a new interval: everything before it is ordered before
// everything after it.
func (c *clock) fullBarrier() {
	c.interval++
	c.partial = false
}

// syncWarp joins the lanes of mask in warp w.
func (c *clock) syncWarp(w int, mask uint32) {
	mask &= c.exist[w]
	if mask == 0 {
		return
	}
	if c.partial {
		c.rows.syncWarp(c, w, mask)
		return
	}
	c.now[w]++
	if mask == c.exist[w] {
		c.base[w] = c.now[w]
		c.inUse[w] = c.interval - 1
		return
	}
	c.joinLanes(c.matrix(w), w, mask)
}

// matrix returns warp w's lane matrix, begun from base if it was not in use.
func (c *clock) matrix(w int) *[32][32]uint32 {
	if c.lanes[w] == nil {
		c.lanes[w] = new([32][32]uint32)
	} else if c.inUse[w] == c.interval {
		return c.lanes[w]
	}
	c.inUse[w] = c.interval
	m := c.lanes[w]
	for b := range m {
		for a := range m[b] {
			m[b][a] = c.base[w]
		}
	}
	return m
}

// joinLanes gives every lane of mask what any of them knows, and that all of
// them came here.
func (c *clock) joinLanes(m *[32][32]uint32, w int, mask uint32) {
	var j [32]uint32
	for r := mask; r != 0; r &= r - 1 {
		row := &m[bits.TrailingZeros32(r)]
		for a, s := range row {
			j[a] = max(j[a], s)
		}
	}
	for r := mask; r != 0; r &= r - 1 {
		j[bits.TrailingZeros32(r)] = c.now[w]
	}
	for r := mask; r != 0; r &= r - 1 {
		m[bits.TrailingZeros32(r)] = j
	}
}

// unorderedInWarp returns the lanes of as whose access at stamp is not ordered
// before what lane b of the same warp w does now, b itself left out.
func (c *clock) unorderedInWarp(w, b int, as, stamp uint32) uint32 {
	as &^= 1 << b
	if c.partial {
		return c.rows.unordered(32*w+b, w, as, stamp)
	}
	if stamp < c.base[w] {
		return 0
	}
	if c.inUse[w] != c.interval || c.lanes[w] == nil {
		return as
	}
	row := &c.lanes[w][b]
	for r := as; r != 0; r &= r - 1 {
		if a := bits.TrailingZeros32(r); stamp < row[a] {
			as &^= 1 << a
		}
	}
	return as
}

// partialBarrier joins the threads of arrived into those of synced. Each has a
// lane mask per warp.
func (c *clock) partialBarrier(arrived, synced []uint32) {
	if !c.partial {
		c.rows.begin(c)
		c.partial = true
	}
	c.rows.barrier(c, arrived, synced)
}
