package engine

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// cluster is a thread block cluster that runs, on one worker. Kernels that use
// instructions of clusters without having any run in clusters of one block.
type cluster struct {
	env warp.Cluster
	// blocks are those that have not ended, by rank, else nil.
	blocks []*block
	// phase counts those of the barrier. failed is set when a block has ended by a
	// fault: the others are given up.
	phase  uint64
	failed bool
}

// member is a block's part in its cluster and in its barrier (PTX ISA,
// "barrier.cluster").
type member struct {
	*cluster
	rank int
	// By warp: arrived are lanes that came to the phase that runs, owed those
	// that came to an earlier one and have not waited yet, came all of the last
	// one. since has Warp.Accessed when lanes last arrived.
	arrived, owed, came []uint32
	since               []uint64
	waiting             []waiter
	// parked says that no thread of the block can go on before others arrive.
	parked bool
}

// startCluster starts the blocks of a cluster.
func (r *run) startCluster(idle *[]*block, number uint64) []*block {
	n := r.launch.ClusterSize()
	c := &cluster{blocks: make([]*block, n), env: warp.Cluster{Blocks: make([]*warp.Env, n)}}
	for rank := range n {
		i := r.launch.BlockOf(number, rank)
		b := r.slot(idle, i)
		b.start(i)
		w := len(b.warps)
		b.inCluster = member{
			cluster: c, rank: int(rank), since: make([]uint64, w),
			arrived: make([]uint32, w), owed: make([]uint32, w), came: make([]uint32, w),
		}
		b.env.Cluster, c.env.Blocks[rank], c.blocks[rank] = &c.env, b.env, b
	}
	return slices.Clone(c.blocks)
}

// leaveCluster is called when the block has ended.
func (b *block) leaveCluster() {
	m := &b.inCluster
	if m.cluster == nil {
		return
	}
	m.blocks[m.rank], m.env.Blocks[m.rank] = nil, nil
	m.failed = m.failed || b.env.Fault != nil
	if !m.failed {
		m.advance()
	}
}

// abandoned reports whether another block's fault has ended the cluster.
func (b *block) abandoned() bool { return b.inCluster.cluster != nil && b.inCluster.failed }

// arriveInCluster is Arrive for barrier.cluster.
func (b *block) arriveInCluster(w *warp.Warp, a warp.Arrival) (pass bool, value uint32) {
	m := &b.inCluster
	if a.Bar.Kind == warp.BarArrive {
		m.arrived[w.Index] |= a.Mask
		m.since[w.Index] = w.Accessed() + 1 // that of the arrival itself
		b.tellArrival(w, a)
		if f := b.env.On.ClusterArrived; f != nil {
			f(&trace.ClusterSync{Warp: w.Index, Mask: a.Mask, Phase: m.phase, Relaxed: a.Bar.Relaxed})
		}
		m.advance()
		return true, 0
	}
	m.waiting = append(m.waiting, waiter{w, a})
	b.held++
	if b.allWait() {
		b.passCluster(w, a.Mask)
		return true, 0
	}
	return false, 0
}

// advance completes the phase if all threads of the cluster that have not ended
// have arrived.
func (c *cluster) advance() {
	any := false
	for _, b := range c.blocks {
		if b == nil {
			continue
		}
		for k, w := range b.warps {
			if w.Live&^b.inCluster.arrived[k] != 0 {
				return
			}
			any = any || b.inCluster.arrived[k] != 0
		}
	}
	if !any {
		return
	}
	c.phase++
	for _, b := range c.blocks {
		if b == nil {
			continue
		}
		m := &b.inCluster
		copy(m.came, m.arrived)
		for k := range m.arrived {
			m.owed[k] |= m.arrived[k]
		}
		clear(m.arrived)
		if b.allWait() {
			b.passCluster(nil, 0)
		}
	}
}

// mayPass reports whether the phase that lanes wait for is complete.
func (m *member) mayPass(q waiter) bool { return q.a.Mask&^m.owed[q.w.Index] == 0 }

// allWait reports whether all threads of the block wait for a phase that is
// complete. The block passes the barrier as a whole then, as it does others.
func (b *block) allWait() bool {
	m := &b.inCluster
	n := 0
	for _, q := range m.waiting {
		if !m.mayPass(q) {
			return false
		}
		n += bits.OnesCount32(q.a.Mask)
	}
	for _, w := range b.warps {
		n -= bits.OnesCount32(w.Live)
	}
	return len(m.waiting) > 0 && n == 0
}

// passEarly lets threads pass whose phase is complete while others of the block
// are elsewhere, and perhaps wait for them. It reports whether there are any.
func (b *block) passEarly() bool {
	m := &b.inCluster
	if m.cluster == nil || !slices.ContainsFunc(m.waiting, m.mayPass) {
		return false
	}
	b.passCluster(nil, 0)
	return true
}

// passCluster lets all waiting threads go on that may; lanes of now are those that
// came just now and need no call for that: others of their warp may wait as well.
func (b *block) passCluster(now *warp.Warp, lanes uint32) {
	m := &b.inCluster
	var stay, pass []waiter
	synced := make([]uint32, len(b.warps))
	full := b.allWait()
	for _, q := range m.waiting {
		if !m.mayPass(q) {
			stay = append(stay, q)
			continue
		}
		pass = append(pass, q)
		synced[q.w.Index] |= q.a.Mask
		full = full && q.w.Accessed() == m.since[q.w.Index]
	}
	m.waiting, m.parked = stay, false
	b.held -= len(pass)
	b.tellCluster(pass, synced, full)
	for k := range synced {
		m.owed[k] &^= synced[k]
	}
	for _, q := range pass {
		if full {
			q.w.NewInterval()
		}
		if q.w != now || q.a.Mask != lanes {
			q.w.Resume(q.a, 0)
		}
	}
}

// tellCluster tells observers of threads that pass the cluster's barrier. To
// the block it is a barrier like others if nothing was accessed between arriving
// and waiting.
func (b *block) tellCluster(pass []waiter, synced []uint32, full bool) {
	m := &b.inCluster
	if f := b.env.On.Barrier; f != nil {
		f(&trace.Barrier{Site: pass[len(pass)-1].a.Bar.Site, ID: warp.ClusterBarrier, Arrived: m.came, Synced: synced, Full: full})
	}
	if f := b.env.On.ClusterPassed; f != nil {
		for _, q := range pass {
			f(&trace.ClusterSync{Warp: q.w.Index, Mask: q.a.Mask, Phase: m.phase - 1})
		}
	}
}

// exitedInCluster looks again at the cluster's barrier after threads have ended.
func (b *block) exitedInCluster() {
	if b.inCluster.cluster == nil {
		return
	}
	b.inCluster.advance()
	if b.allWait() {
		b.passCluster(nil, 0)
	}
}

// awaitsCluster reports whether a block, none of whose threads can go on, waits
// for others of its cluster that can.
func (b *block) awaitsCluster() bool {
	m := &b.inCluster
	if m.cluster == nil || len(m.waiting) == 0 {
		return false
	}
	m.parked = true
	return slices.ContainsFunc(m.blocks, func(o *block) bool { return o != nil && !o.inCluster.parked })
}

// describe says what the cluster's barrier waits for, if threads wait there.
func (m *member) describe() []string {
	if m.cluster == nil || len(m.waiting) == 0 {
		return nil
	}
	came, live := 0, 0
	for _, b := range m.blocks {
		for k := 0; b != nil && k < len(b.warps); k++ {
			came += bits.OnesCount32(b.inCluster.arrived[k])
			live += bits.OnesCount32(b.warps[k].Live)
		}
	}
	return []string{fmt.Sprintf("the barrier of the cluster waits for all %d threads of its blocks that have not ended, of which %d arrived", live, came)}
}
