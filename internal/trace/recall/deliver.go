package recall

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// tellAll sends the events that the interval was followed by, and follows it
// no more.
func (g *Group) tellAll() {
	g.following, g.cursor.Next = false, 0
	g.sieve.begin()
	g.log = g.log[:0]
	for i := g.cursor.At; i != 0; i = g.nodes[i].parent {
		g.log = append(g.log, g.nodes[i].event)
	}
	slices.Reverse(g.log)
	for _, e := range g.log {
		g.tell(e)
	}
}

// tell sends an event of the log.
func (g *Group) tell(e event) {
	k, warp := kind(e.what), int(e.what>>8&0xffffff)
	site := g.launch.Sites[uint32(e.what>>32)]
	switch k {
	case accessKind, oddKind:
		sh := g.shapes.List[e.where>>32]
		base := uint64(uint32(e.where))
		sh.Addresses(base, &g.addr)
		g.access = trace.Access{Site: site, Space: trace.SpaceShared, Warp: warp, Mask: sh.Mask, Addr: &g.addr,
			Regular: sh.Regular, Step: sh.Step, Shape: sh}
		switch {
		case k == oddKind:
			g.access.Past = phase(trace.MBarrierMark<<30 | oddPhase)
		case site.Op.IsMBarrier():
			g.access.Past = phase(trace.MBarrierMark << 30)
		}
		g.deliver(&g.access)
	case syncKind:
		g.deliverSync(&trace.WarpSync{Site: site, Warp: warp, Mask: uint32(e.where)})
	case fenceKind:
		g.suspect()
		g.to.Fence(&trace.Fence{Site: site, Warp: warp, Mask: uint32(e.where), Scope: site.Scope, Order: site.Order})
	case arriveKind:
		g.suspect()
		g.to.Arrived(&trace.Arrival{Site: site, ID: int(e.where >> 32), Warp: warp, Mask: uint32(e.where)})
	case barKind:
		b := &g.bars[e.where]
		g.suspect()
		g.sendBarrier(&trace.Barrier{Site: b.site, ID: b.id, Arrived: b.arrived, Synced: b.synced, Again: b.again})
	}
}

// Access is an access to shared memory. One that Known knows must not come here.
func (g *Group) Access(a *trace.Access) {
	if a.Shape == nil {
		g.unknown()
	}
	g.asynchronous = g.asynchronous || a.Async != trace.Sync
	g.deliver(a)
}

// deliver sends an access, unless the sieve has it.
func (g *Group) deliver(a *trace.Access) {
	g.told++
	switch {
	case a.Async != trace.Sync:
		if g.sieve.flies(a, g.block.Shared) {
			return
		}
	case g.sieve.open && g.sieve.takes(a, g.block.Shared):
		return
	}
	g.suspect()
	g.to.Shared(a)
}

// suspect sends what the sieve has, and the rest of the interval as it comes.
func (g *Group) suspect() {
	if g.sieve.open {
		g.sieve.credit--
		g.sendQuiet()
	}
}

// sendQuiet sends what the sieve has.
func (g *Group) sendQuiet() {
	g.sieve.close()
	g.sieve.outdated()
	g.sieve.journal.send(g.to)
	for _, q := range g.sieve.quiet {
		if n := g.sieve.live.Skipped; q.Passed != nil && n > 0 {
			q.Passed(&trace.Quiet{Each: func(func(*trace.Site, uint32)) {}, Skipped: n})
		}
	}
}

// unknown is for an event that cannot be kept.
func (g *Group) unknown() {
	if g.following {
		g.tellAll()
	}
	g.incomplete = true
}

// deliverSync sends a synchronization of a warp, unless the sieve has it.
func (g *Group) deliverSync(e *trace.WarpSync) {
	if g.sieve.open {
		if g.sieve.sync(e) {
			return
		}
		g.suspect()
	}
	g.to.WarpSync(e)
}

func (g *Group) sendBarrier(e *trace.Barrier) {
	if g.to.Barrier != nil {
		g.to.Barrier(e)
	}
}
