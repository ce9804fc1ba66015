package hb

import "math/bits"

// rowSet holds known(b, a) for all threads of a block. Threads with the same
// knowledge share a row: of maps a thread to its row, row i is data[i*n:][:n].
type rowSet struct {
	n    int
	of   []int32
	data []uint32
	used int
	memo map[int32]int32
	// limit is when unused rows are next looked for.
	limit int
	// early has the stamps of threads that arrived at the barrier before it
	// completed and did not wait; nil for none.
	early map[int]uint32
}

// begin makes rows of the warps' clocks.
func (r *rowSet) begin(c *intervalClock) {
	r.n, r.used = c.Threads, 0
	if r.of == nil {
		r.of = make([]int32, c.Threads)
		r.memo = map[int32]int32{}
	}
	for w := range c.Warps {
		if c.inUse[w] == c.epoch && c.lanes[w] != nil {
			for m := c.exist[w]; m != 0; m &= m - 1 {
				b := bits.TrailingZeros32(m)
				i := r.fresh()
				copy(r.row(i)[32*w:], c.lanes[w][b][:])
				r.of[32*w+b] = i
			}
			continue
		}
		i := r.fresh()
		row := r.row(i)
		for t := 32 * w; t < min(32*w+32, r.n); t++ {
			row[t] = c.base[w]
			r.of[t] = i
		}
	}
}

// row returns row i; it is valid until the next fresh.
func (r *rowSet) row(i int32) []uint32 { return r.data[int(i)*r.n:][:r.n] }

// fresh adds a row of zeros.
func (r *rowSet) fresh() int32 {
	end := (r.used + 1) * r.n
	if end > len(r.data) {
		r.data = append(r.data, make([]uint32, max(end, 2*len(r.data))-len(r.data))...)
	}
	clear(r.data[r.used*r.n : end])
	r.used++
	return int32(r.used - 1)
}

// each calls f with every thread of masks.
func each(masks []uint32, n int, f func(t int)) {
	for w, m := range masks {
		for ; m != 0; m &= m - 1 {
			if t := 32*w + bits.TrailingZeros32(m); t < n {
				f(t)
			}
		}
	}
}

// barrier orders what the arrived threads know and did before what the synced ones do next.
func (r *rowSet) barrier(c *intervalClock, arrived, synced []uint32) {
	r.compact()
	joined := r.fresh()
	r.joinInto(joined, arrived)
	for w, m := range arrived {
		if m != 0 && w < c.Warps {
			c.now[w]++
		}
	}
	row := r.row(joined)
	each(arrived, r.n, func(t int) {
		row[t] = c.now[t/32]
		if s, early := r.early[t]; early {
			row[t] = s
		}
	})
	clear(r.memo)
	each(synced, r.n, func(t int) {
		if t/32 < len(arrived) && arrived[t/32]>>(t%32)&1 != 0 {
			r.of[t] = joined
			return
		}
		r.of[t] = r.union(r.of[t], joined)
	})
}

// syncWarp is the barrier of lanes in one warp.
func (r *rowSet) syncWarp(c *intervalClock, w int, mask uint32) {
	masks := make([]uint32, w+1)
	masks[w] = mask
	r.barrier(c, masks, masks)
}

// joinInto sets row i to the maximum of the rows of the threads in masks.
func (r *rowSet) joinInto(i int32, masks []uint32) {
	last := int32(-1)
	clear(r.memo)
	each(masks, r.n, func(t int) {
		o := r.of[t]
		if o == last {
			return
		}
		last = o
		if _, done := r.memo[o]; done {
			return
		}
		r.memo[o] = i
		maxInto(r.row(i), r.row(o))
	})
}

// union returns the row that joins rows a and b, made once a barrier.
func (r *rowSet) union(a, b int32) int32 {
	if i, ok := r.memo[a]; ok {
		return i
	}
	i := r.fresh()
	copy(r.row(i), r.row(a))
	maxInto(r.row(i), r.row(b))
	r.memo[a] = i
	return i
}

func maxInto(dst, src []uint32) {
	for i, s := range src {
		dst[i] = max(dst[i], s)
	}
}

// compact drops rows that no thread has, once there are many.
func (r *rowSet) compact() {
	if r.used < max(r.limit, 64) {
		return
	}
	inUse := make([]bool, r.used)
	for _, i := range r.of {
		inUse[i] = true
	}
	move := make([]int32, r.used)
	next := 0
	for i, u := range inUse {
		if !u {
			continue
		}
		move[i] = int32(next)
		copy(r.data[next*r.n:][:r.n], r.data[i*r.n:][:r.n])
		next++
	}
	for t, i := range r.of {
		r.of[t] = move[i]
	}
	r.used = next
	r.limit = 2 * next
}

// unordered returns the lanes of as, of warp w, whose access at stamp is not
// ordered before what thread b does now.
func (r *rowSet) unordered(b, w int, as, stamp uint32) uint32 {
	row := r.row(r.of[b])
	for m := as; m != 0; m &= m - 1 {
		if a := bits.TrailingZeros32(m); stamp < row[32*w+a] {
			as &^= 1 << a
		}
	}
	return as
}
