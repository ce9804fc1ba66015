package race

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The blocks of a thread block cluster access each other's shared memory. Such
// memory is watched as global memory is, at places that no allocation has; pairs
// of threads of the block that it belongs to are left to the rule of shared memory.

// clusterPlace is the place of a block's shared memory: its number follows, and
// clusterShift bits for the offset.
const (
	clusterPlace = uint64(1) << 62
	clusterShift = 24
)

// ownerOf is the block to which a place in the shared memory of a cluster belongs;
// ok is false for others.
func ownerOf(addr uint64) (block uint32, off uint64, ok bool) {
	return uint32(addr >> clusterShift), addr & (1<<clusterShift - 1), addr&clusterPlace != 0
}

// clusterWatch is what the blocks of a cluster share while they run.
type clusterWatch struct {
	field  field
	left   uint64 // blocks that have not ended
	phases groupPhases
}

// groupPhases are the last two phases of the barrier of a cluster or of the grid.
type groupPhases [2]groupPhase

// groupPhase is a phase of such a barrier: what is known of each block that arrived,
// and what its threads knew.
type groupPhase struct {
	number uint64
	begun  bool
	// wait is where a thread waited for the phase, nil as long as none has passed.
	wait *trace.Site
	// left has, by block, which lanes have passed, and when.
	left   map[uint32][]leftPhase
	views  map[uint32]*view
	gather *know
	// all is what who has waited knows; from and to are the last that were joined
	// with it.
	all, from, to *know
}

// leftPhase is lanes of a warp that have passed a phase: what they do from a stamp on comes
// after it.
type leftPhase struct {
	warp            uint16
	lanes           uint32
	interval, stamp uint32
}

// passed reports whether a thread had passed the phase before its access.
func (p *groupPhase) passed(n *span, lane int) bool {
	return slices.ContainsFunc(p.left[n.block], func(l leftPhase) bool {
		return l.warp == n.warp && l.lanes>>lane&1 != 0 && (n.interval > l.interval || n.interval == l.interval && n.stamp >= l.stamp)
	})
}

func (o *globalObserver) beginCluster() {
	if !o.launch.clusters {
		return
	}
	number, _ := o.launch.launch.ClusterOf(o.block.Index)
	w := o.launch.watched[number]
	if w == nil {
		w = &clusterWatch{left: o.launch.launch.ClusterSize()}
		o.launch.watched[number] = w
	}
	o.cluster, o.cache = w, pageCache{}
}

func (o *globalObserver) endCluster() {
	if !o.launch.clusters {
		return
	}
	if o.cluster.left--; o.cluster.left == 0 {
		number, _ := o.launch.launch.ClusterOf(o.block.Index)
		delete(o.launch.watched, number)
	}
}

// fieldOf is where the history of a place is kept.
func (o *globalObserver) fieldOf(addr uint64) *field {
	if addr&clusterPlace != 0 {
		return &o.cluster.field
	}
	return o.launch.field
}

// inShared takes notes of an access to the shared memory of a block of the cluster.
func (o *globalObserver) inShared(a *trace.Access, owner uint64) {
	if a.Async == trace.AsyncIssue || a.Mask == 0 {
		return
	}
	base := clusterPlace | owner<<clusterShift
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o.places[l] = base + a.Addr[l]
	}
	b := *a
	b.Addr, b.Space = &o.places, trace.SpaceGlobal
	o.record(&b)
}

// ownPair reports that two accesses are the rule of shared memory's: by threads of
// the block to which the place belongs.
func (o *globalObserver) ownPair(block uint32, addr uint64) bool {
	owner, _, ok := ownerOf(addr)
	return ok && owner == uint32(o.block.Index) && owner == block
}

// Remote is the event of that name.
func (o *globalObserver) Remote(a *trace.RemoteAccess) { o.inShared(a.Access, a.Owner) }

// GroupArrived is the event of that name: an arrival releases, a relaxed
// one what came before the thread's last fence.
func (o *globalObserver) GroupArrived(e *trace.GroupSync) {
	p := o.phase(e)
	if !p.begun || p.number != e.Phase {
		*p = groupPhase{number: e.Phase, begun: true, views: map[uint32]*view{}}
	}
	block := uint32(o.block.Index)
	at := fenced{interval: o.order.interval}
	if !e.Relaxed {
		o.order.now[e.Warp]++
		at.stamp = o.order.now[e.Warp]
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		if e.Relaxed {
			f, ok := o.order.lastFence[t]
			if !ok {
				continue
			}
			at = f
		}
		p.gather = p.gather.join(o.order.knowOf(t))
		v := p.views[block]
		if v == nil || v.interval < at.interval {
			v = &view{block: block, interval: at.interval}
			p.views[block] = v
		}
		if v.interval == at.interval {
			v.threads = append(v.threads, threadStamp{uint32(t), at.stamp})
		}
	}
}

// GroupPassed is the event of that name: who has waited acquires.
func (o *globalObserver) GroupPassed(e *trace.GroupSync) {
	p := o.phase(e)
	if p.number != e.Phase {
		return
	}
	p.wait = e.Site
	if p.left == nil {
		p.left = map[uint32][]leftPhase{}
	}
	block := uint32(o.block.Index)
	p.left[block] = append(p.left[block], leftPhase{uint16(e.Warp), e.Mask, o.order.interval, o.order.now[e.Warp]})
	if p.all == nil {
		for _, v := range p.views {
			v.sort()
		}
		p.all = p.gather.join(&know{blocks: p.views})
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		k := o.order.knowOf(t)
		if p.to == nil || p.from != k {
			p.from, p.to = k, k.join(p.all)
		}
		o.order.own[o.order.knower(t)] = p.to
	}
}

// early returns the barrier of the cluster or of the grid that others have passed and to which
// an access belongs that comes after the thread's arrival and before its wait; nil for none.
func (o *globalObserver) early(n *span, lane int) *passed {
	phases := o.launch.phases
	if o.cluster != nil {
		phases = o.cluster.phases
	}
	for i := range phases {
		p := &phases[i]
		v := p.views[n.block]
		if p.wait == nil || v == nil || n.interval < v.interval || p.passed(n, lane) {
			continue
		}
		if at := v.stampOf(uint32(32*int(n.warp) + lane)); n.interval > v.interval || at != 0 && at <= n.stamp {
			return &passed{site: p.wait, part: []uint32{}}
		}
	}
	return nil
}

// phase is that of an event.
func (o *globalObserver) phase(e *trace.GroupSync) *groupPhase {
	phases := &o.launch.phases
	if e.Group == trace.ClusterGroup {
		phases = &o.cluster.phases
	}
	return &phases[e.Phase%2]
}

func (v *view) sort() {
	slices.SortFunc(v.threads, func(a, b threadStamp) int { return cmp.Compare(a.thread, b.thread) })
}

// inCluster reports whether the race is in shared memory of a cluster.
func (st *globalStory) inCluster() bool { return st.w.addr&clusterPlace != 0 }

// clusterObject names what a race in the shared memory of a cluster is about.
func (st *globalStory) clusterObject() string {
	owner, off, _ := ownerOf(st.w.addr)
	_, rank := st.g.launch.ClusterOf(uint64(owner))
	name := fmt.Sprintf("shared memory at offset %d", off)
	if check.SharedVariable(st.g.launch, off) >= 0 {
		name = "shared variable " + check.SharedElement(st.g.launch, off, st.then.Elem, st.then.Elem)
	}
	return fmt.Sprintf("%s of block rank %d of the cluster", name, rank)
}

// clusterDetails names the place in the details.
func (st *globalStory) clusterDetails(d *Details) {
	owner, off, _ := ownerOf(st.w.addr)
	b := uint64(owner)
	d.Space, d.Address, d.Offset, d.Owner = "shared", off, off, &b
	if i := check.SharedVariable(st.g.launch, off); i >= 0 {
		v := &st.g.launch.Shared[i]
		d.Variable, d.Offset = check.VariableName(v.Name), off-v.Addr
		if size := uint64(max(min(st.first.Elem, st.then.Elem), 1)); v.Size > size {
			d.Index = int64(d.Offset / size)
		}
	}
}

const clusterReason = "the threads are in different blocks of a cluster, and no barrier of the cluster is between the accesses"

// clusterHelp is the repair of such a race.
func clusterHelp(between string) string {
	return "add a barrier of the cluster (cluster.sync()) " + between
}
