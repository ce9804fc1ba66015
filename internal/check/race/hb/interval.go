package hb

import "math/bits"

// intervalClock is an adaptive vector clock of one barrier interval: it decides whether an
// earlier access happens before a thread's next one. It does as little as the kernel makes
// necessary:
//
//   - while only whole warps meet at __syncwarp, a number per warp (base);
//   - once a part of a warp does, a 32x32 matrix for that warp;
//   - once a barrier joins a part of the block, a row of the block's threads
//     for each group of threads with the same knowledge.
//
// Each warp has a stamp that grows with every synchronization that it takes
// part in. Thread a's access at stamp s is ordered before b's next access if
// s < known(b, a).
type intervalClock struct {
	// Warps and Threads are the block's.
	Warps   int
	Threads int
	// exist has the lanes that each warp has at all.
	exist []uint32
	// now is each warp's stamp. base: what its lanes did at a smaller stamp is
	// ordered before what any of its lanes does now.
	now, base []uint32
	// lanes[w], where inUse[w] equals the epoch, holds known(b, a) for lanes.
	lanes []*[32][32]uint32
	inUse []uint32
	epoch uint32
	// rows is in use while partial is true.
	partial bool
	rows    rowSet
}

func newIntervalClock(threads int) *intervalClock {
	w := (threads + 31) / 32
	c := &intervalClock{Warps: w, Threads: threads, exist: make([]uint32, w), now: make([]uint32, w),
		base: make([]uint32, w), lanes: make([]*[32][32]uint32, w), inUse: make([]uint32, w)}
	for i := range c.exist {
		c.exist[i] = 1<<min(32, threads-32*i) - 1
		if threads-32*i >= 32 {
			c.exist[i] = ^uint32(0)
		}
	}
	return c
}

// Stamp is a warp's stamp: that of what its lanes do now.
func (c *intervalClock) Stamp(warp int) uint32 { return c.now[warp] }

// Stamps are those of all warps. The slice is the clock's own.
func (c *intervalClock) Stamps() []uint32 { return c.now }

// Advance parts what a warp's lanes did from what they do next, and returns the new stamp.
func (c *intervalClock) Advance(warp int) uint32 {
	c.now[warp]++
	return c.now[warp]
}

// Settled reports whether all accesses of a warp at a stamp are ordered in the same way from now on.
func (c *intervalClock) Settled(warp int, stamp uint32) bool {
	return !c.partial && stamp < c.base[warp]
}

// Partial reports whether a barrier has joined a part of the block in this interval, so
// that threads of different warps may be ordered.
func (c *intervalClock) Partial() bool { return c.partial }

// begin begins a new interval: everything before it is ordered before everything after it.
func (c *intervalClock) begin() {
	c.epoch++
	c.partial = false
}

// SyncWarp joins the lanes of mask in warp w.
func (c *intervalClock) SyncWarp(w int, mask uint32) {
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
		c.inUse[w] = c.epoch - 1
		return
	}
	c.joinLanes(c.matrix(w), w, mask)
}

// matrix returns warp w's lane matrix, begun from base if it was not in use.
func (c *intervalClock) matrix(w int) *[32][32]uint32 {
	if c.lanes[w] == nil {
		c.lanes[w] = new([32][32]uint32)
	} else if c.inUse[w] == c.epoch {
		return c.lanes[w]
	}
	c.inUse[w] = c.epoch
	m := c.lanes[w]
	for b := range m {
		for a := range m[b] {
			m[b][a] = c.base[w]
		}
	}
	return m
}

// joinLanes gives every lane of mask the join of their rows, and orders their arrival
// before what any of them does next.
func (c *intervalClock) joinLanes(m *[32][32]uint32, w int, mask uint32) {
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

// Unordered returns those of lanes as of warp u whose access at stamp, in this interval,
// no barrier orders before what a lane of warp w does now, that lane itself left out.
func (c *intervalClock) Unordered(w, lane, u int, as, stamp uint32) uint32 {
	switch {
	case u == w:
		return c.unorderedInWarp(w, lane, as, stamp)
	case c.partial:
		return c.rows.unordered(32*w+lane, u, as, stamp)
	}
	return as
}

func (c *intervalClock) unorderedInWarp(w, b int, as, stamp uint32) uint32 {
	as &^= 1 << b
	if c.partial {
		return c.rows.unordered(32*w+b, w, as, stamp)
	}
	if stamp < c.base[w] {
		return 0
	}
	if c.inUse[w] != c.epoch || c.lanes[w] == nil {
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
// lane mask per warp. early has the stamps of those that arrived before and did not wait.
func (c *intervalClock) partialBarrier(arrived, synced []uint32, early map[int]uint32) {
	if !c.partial {
		c.rows.begin(c)
		c.partial = true
	}
	c.rows.early = early
	c.rows.barrier(c, arrived, synced)
	c.rows.early = nil
}
