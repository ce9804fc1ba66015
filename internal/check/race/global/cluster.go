package global

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The blocks of a thread block cluster access each other's shared memory. Such
// memory is watched as global memory is, at places that no allocation has; pairs
// of threads of the block that it belongs to are left to package shared.

// cluster is what the blocks of a cluster share while they run.
type cluster struct {
	field   field
	left    uint64 // blocks that have not ended
	barrier hb.GroupBarrier
}

func (o *blockObserver) beginCluster() {
	if !o.launch.clusters {
		return
	}
	number, _ := o.launch.launch.ClusterOf(o.block.Index)
	w := o.launch.running[number]
	if w == nil {
		w = &cluster{left: o.launch.launch.ClusterSize()}
		o.launch.running[number] = w
	}
	o.cluster, o.cache = w, pageCache{}
}

func (o *blockObserver) endCluster() {
	if !o.launch.clusters {
		return
	}
	if o.cluster.left--; o.cluster.left == 0 {
		number, _ := o.launch.launch.ClusterOf(o.block.Index)
		delete(o.launch.running, number)
	}
}

// fieldOf is where the history of a place is kept.
func (o *blockObserver) fieldOf(addr uint64) *field {
	if evidence.InCluster(addr) {
		return &o.cluster.field
	}
	return o.launch.field
}

// inShared notes an access to the shared memory of a block of the cluster. Whether the
// initialization of an mbarrier is visible to other blocks is a question of package shared's:
// it has a fence of its own.
func (o *blockObserver) inShared(a *trace.Access, owner uint64) {
	if a.Async == trace.AsyncIssue || a.Mask == 0 || evidence.Initializes(a.Site) {
		return
	}
	base := evidence.ClusterPlace(owner)
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o.places[l] = base + a.Addr[l]
	}
	b := *a
	b.Addr, b.Space = &o.places, trace.SpaceGlobal
	o.record(&b)
}

// ownPair reports whether two accesses are left to package shared: by threads of the block to
// which the place belongs.
func (o *blockObserver) ownPair(block uint32, addr uint64) bool {
	owner, _, ok := evidence.OwnerOf(addr)
	return ok && owner == uint32(o.block.Index) && owner == block
}

// Remote is the event of that name.
func (o *blockObserver) Remote(a *trace.RemoteAccess) { o.inShared(a.Access, a.Owner) }

// GroupArrived is the event of that name.
func (o *blockObserver) GroupArrived(e *trace.GroupSync) { o.group(e).Arrive(o.order, e) }

// GroupPassed is the event of that name.
func (o *blockObserver) GroupPassed(e *trace.GroupSync) { o.group(e).Pass(o.order, e) }

// group is the barrier of an event.
func (o *blockObserver) group(e *trace.GroupSync) *hb.GroupBarrier {
	if e.Group == trace.ClusterGroup {
		return &o.cluster.barrier
	}
	return &o.launch.grid
}

// early returns where others wait for a phase, of the barrier of the cluster or of the
// grid, that an access misses: it comes after the thread's arrival and before its wait.
func (o *blockObserver) early(n *span, lane int) *trace.Site {
	barrier := &o.launch.grid
	if o.cluster != nil {
		barrier = &o.cluster.barrier
	}
	return barrier.Early(n.epoch(), int(n.warp), lane)
}
