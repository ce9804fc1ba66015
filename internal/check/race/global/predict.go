package global

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/check/race/predict"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Plan is what a launch does for predictions, the zero Plan nothing. Full: it has a history
// from the start. Log takes the pairs that are ordered, nil for none.
type Plan struct {
	Full  bool
	Log   *predict.Log
	Holds []check.Hold
}

// InTurn reports whether the blocks run one at a time, as they may synchronize.
func (d *Detector) InTurn() bool { return d.inTurn }

// Followed counts the strong accesses of threads whose order was followed, when the launch has ended.
func (d *Detector) Followed() uint64 { return d.followed }

// Unreached are the holds of the launch's plan that no block came to.
func (d *Detector) Unreached() []check.Hold { return d.rests.Left() }

// Predictable reports whether the order of the launch's blocks may have hidden races: they ran in turn, and
// what they acquired from each other has ordered accesses. A launch that has races is not: its
// other orders have the same ones.
func (d *Detector) Predictable() bool {
	if d == nil || !d.inTurn || d.clusters || d.parent != nil || !d.handed || d.quick != nil && d.quick.suspected.Load() {
		return false
	}
	for _, o := range d.slots {
		if len(o.pairs) > 0 {
			return false
		}
	}
	return true
}

// operates counts an operation of a warp.
func (o *blockObserver) operates(a *trace.Access) {
	o.operations[a.Warp]++
	o.launch.plan.Log.Operation(predict.Access{Block: uint32(o.block.Index), Warp: a.Warp, Interval: o.order.Interval(), Tick: a.Tick},
		o.operations[a.Warp], a.Site)
}

// Rests is for trace.BlockObserver.
func (o *blockObserver) Rests(warp int, s *trace.Site) bool {
	in := &o.launch.sites[s.ID]
	if in.Strength == hb.Weak || in.Kind == trace.Read || !o.launch.watched[s.ID] {
		return false
	}
	return o.launch.rests.At(uint32(o.block.Index), warp, o.operations[warp]+1)
}

// ordered notes that what another block did in n, which conflicts with the span at work, is ordered before it.
func (o *blockObserver) ordered(n *span) {
	d, s := o.launch, &o.now
	d.handed = true
	if d.plan.Log == nil {
		return
	}
	la, lb := bits.TrailingZeros32(n.at(max(n.lo, s.lo))), bits.TrailingZeros32(s.at(max(n.lo, s.lo)))
	a, b := evidence.ThreadOf(n.block, 32*int(n.warp)+la), evidence.ThreadOf(s.block, 32*int(s.warp)+lb)
	locked := d.locks.Of(int(n.site), a, b).Both && !d.locks.Free(int(n.site))
	d.plan.Log.Ordered(siteKey(n, s), predict.Pair{First: accessOf(n), Then: accessOf(s), Locked: locked})
}

func accessOf(s *span) predict.Access {
	return predict.Access{Block: s.block, Warp: int(s.warp), Interval: s.interval, Tick: s.tick}
}
