package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// What blocks of a cluster do in each other's shared memory: threads' accesses are compared
// with asynchronous operations here, with each other in package global.

// remoteWord has what threads of other blocks have done to a word last.
type remoteWord struct{ write, read foreign }

// foreign is an access by a thread of another block of the cluster.
type foreign struct {
	key     key
	at      hb.Epoch
	thread  uint32
	present bool
}

// GroupArrived is the event of that name.
func (b proxying) GroupArrived(e *trace.GroupSync) {
	if e.Group != trace.ClusterGroup {
		return
	}
	b.proxied.near.barrier.Arrive(b.order, e)
	b.proxied.arrived(e)
}

// GroupPassed is the event of that name.
func (b proxying) GroupPassed(e *trace.GroupSync) {
	if e.Group != trace.ClusterGroup {
		return
	}
	b.proxied.near.barrier.Pass(b.order, e)
	b.proxied.phases = max(b.proxied.phases, e.Phase+1)
}

// Remote is an access of a thread to the shared memory of another block of the cluster: its
// arrivals there release.
func (b proxying) Remote(a *trace.RemoteAccess) {
	to := b.proxied.near.blocks[a.Owner]
	if to == nil {
		return
	}
	to.acc = a.Access
	to.time++
	onMBarrier, arrives := a.Site.Op.IsMBarrier(), a.Site.Op.Arrives()
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		t := 32*a.Warp + lane
		b.enters(to, a.Site, t)
		if onMBarrier && !to.proxied.sees(a.Addr[lane], b.order.ClockOf(t), b.proxied.phases) {
			b.outlives(evidence.NotVisible, a.Site, uint32(b.block.Index), t, uint32(to.block.Index))
		}
		if arrives {
			to.mbarriers.Arrive(b.order, t, a.Site, hb.OverCluster, a.Addr[lane], to.parity(a.Addr[lane]))
		}
		if !onMBarrier && b.launch.async {
			b.reaches(proxying{to}, a, lane)
		}
	}
}

// reaches compares what a lane does to words of another block with the operations there, and
// notes it.
func (b proxying) reaches(to proxying, a *trace.RemoteAccess, lane int) {
	t := 32*a.Warp + lane
	clock := b.order.ClockOf(t)
	var ended endedOp
	eachWordOf(trace.Range{Addr: a.Addr[lane], N: uint64(a.Site.Size)}, uint32(len(to.proxied.words)), func(i uint32, bytes uint8) {
		k := makeKey(a.Site.ID, bytes, a.Site.Kind)
		w := &to.proxied.words[i]
		to.meetAsync(w, i, access{key: k, lane: lane, block: uint32(b.block.Index), clock: clock, ended: &ended})
		to.proxied.note(i, foreign{key: k, at: b.order.Epoch(b.order.Stamp(a.Warp)), thread: uint32(t), present: true})
		if a.Site.Kind.Writes() {
			w.overwritten(bytes)
		}
	})
}

func (p *proxied) note(i uint32, f foreign) {
	if p.remote == nil {
		p.remote = map[uint32]remoteWord{}
	}
	r := p.remote[i]
	if f.key.kind() == trace.Read {
		r.read = f
	} else {
		r.write = f
	}
	p.remote[i] = r
}

// remote compares an operation with what threads of other blocks than its word's have done.
func (x *issue) remote(i uint32, k key) (raced bool) {
	r, ok := x.b.proxied.remote[i]
	if !ok {
		return false
	}
	for _, f := range []foreign{r.write, r.read} {
		if !f.present || f.key.bytes()&k.bytes() == 0 || f.key.kind() == trace.Read && k.kind() == trace.Read || x.knows(f.at, f.thread) {
			continue
		}
		raced = true
		x.early(race{earlier: f.key, warp: int(f.thread) / 32, first: int(f.thread) % 32, stamp: f.at.Stamp, earlierBlock: f.at.Block + 1}, i, k)
	}
	return raced
}

// earlier compares an operation of another block with the last ordinary accesses of threads of
// the block, in whatever interval: its barriers do not order them before the issue.
func (x *issue) earlier(w *proxyWord, i uint32, k key) (raced bool) {
	of := &x.b.proxied.accesses[i]
	for _, o := range []*ordinary{&of.store, &of.load} {
		if o == &of.store && !w.stored || o == &of.load && !w.loaded || o.interval == x.b.order.Interval() || o.key.bytes()&k.bytes() == 0 || o.key.kind() == trace.Read && k.kind() == trace.Read {
			continue
		}
		at := hb.Epoch{Block: x.b.order.Party().Block, Interval: o.interval, Stamp: o.stamp}
		if x.clock.Covers(at, uint32(32*int(o.warp)+int(o.lane))) {
			continue
		}
		raced = true
		x.early(race{earlier: o.key, warp: int(o.warp), first: int(o.lane), stamp: o.stamp}, i, k)
	}
	return raced
}

// knows reports whether what a thread did at an epoch comes before the issue.
func (x *issue) knows(at hb.Epoch, thread uint32) bool {
	party := x.by.order.Party().Block
	if at.Block != party {
		return x.clock.Covers(at, thread)
	}
	by, t := x.by.order, 32*x.op.warp+x.op.lane
	return at.Interval < by.Interval() || int(thread) == t || at.Stamp < by.Known(t, int(thread)) || x.clock.Covers(at, thread)
}

// early reports that an operation is issued while another access to the word may not be done.
func (x *issue) early(r race, i uint32, k key) {
	r.later, r.word, r.count, r.then, r.apart = k, i, 1, x.op.lane, true
	r.async, r.laterBlock = evidence.IssuedEarly, x.op.Block+1
	x.b.found(r, 1<<x.op.lane)
}
