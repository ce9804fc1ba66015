package hb

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// GroupBarrier is the barrier of a cluster or of the grid: its last two phases.
type GroupBarrier [2]groupPhase

// groupPhase has the clocks of the blocks that arrived in a phase.
type groupPhase struct {
	number uint64
	begun  bool
	// wait is where a thread waited for the phase, nil as long as none has passed.
	wait *trace.Site
	// left has, by block, which lanes have passed, and when.
	left   map[uint32][]leftPhase
	blocks map[uint32]*blockClock
	gather *Clock
	// all is what who has waited acquires; from and to are the last that were joined
	// with it.
	all, from, to *Clock
}

// leftPhase is lanes of a warp that have passed a phase: what they do from a stamp on comes
// after it.
type leftPhase struct {
	warp            int
	lanes           uint32
	interval, stamp uint32
}

// passed reports whether a thread had passed the phase at an epoch.
func (p *groupPhase) passed(at Epoch, warp, lane int) bool {
	return slices.ContainsFunc(p.left[at.Block], func(l leftPhase) bool {
		return l.warp == warp && l.lanes>>lane&1 != 0 && (at.Interval > l.interval || at.Interval == l.interval && at.Stamp >= l.stamp)
	})
}

// Arrive is the arrival of lanes: it releases, a relaxed one what came before the
// thread's last fence.
func (g *GroupBarrier) Arrive(o *Order, e *trace.GroupSync) {
	p := &g[e.Phase%2]
	if !p.begun || p.number != e.Phase {
		*p = groupPhase{number: e.Phase, begun: true, blocks: map[uint32]*blockClock{}}
	}
	block := o.party.Block
	at := Fence{Interval: o.interval}
	if !e.Relaxed {
		at.Stamp = o.Advance(e.Warp)
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		if e.Relaxed {
			p.gather = p.gather.Join(o.tensorOf(o.holder(t))[OverCluster])
			f, ok := o.LastFence(t)
			if !ok {
				continue
			}
			at = f
		}
		p.gather = p.gather.Join(o.ClockOf(t))
		b := p.blocks[block]
		if b == nil || b.interval < at.Interval {
			b = &blockClock{block: block, interval: at.Interval}
			p.blocks[block] = b
		}
		if b.interval == at.Interval {
			b.threads.put(uint32(t), at.Stamp)
		}
	}
}

// Pass is the end of the wait of lanes, which acquires.
func (g *GroupBarrier) Pass(o *Order, e *trace.GroupSync) {
	p := &g[e.Phase%2]
	if p.number != e.Phase {
		return
	}
	p.wait = e.Site
	if p.left == nil {
		p.left = map[uint32][]leftPhase{}
	}
	block := o.party.Block
	p.left[block] = append(p.left[block], leftPhase{e.Warp, e.Mask, o.interval, o.now[e.Warp]})
	if p.all == nil {
		p.all = p.gather
		for _, b := range p.blocks {
			p.all = p.all.Join(ofBlock(b))
		}
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		c := o.ClockOf(t)
		if p.to == nil || p.from != c {
			p.from, p.to = c, c.Join(p.all)
		}
		o.own.put(o.holder(t), p.to)
	}
}

// Early returns where others wait for a phase that an access of a thread misses: it comes
// after the thread's arrival and before its wait. nil for none.
func (g *GroupBarrier) Early(at Epoch, warp, lane int) *trace.Site {
	for i := range g {
		p := &g[i]
		b := p.blocks[at.Block]
		if p.wait == nil || b == nil || at.Interval < b.interval || p.passed(at, warp, lane) {
			continue
		}
		if s := b.stampOf(uint32(32*warp + lane)); at.Interval > b.interval || s != 0 && s <= at.Stamp {
			return p.wait
		}
	}
	return nil
}
