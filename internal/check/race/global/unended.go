package global

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// What a bulk store writes to global memory is there for those who know of its end: the thread that issued it and has waited for
// its group, and those whom it has told. That the store has read its source (cp.async.bulk.wait_group.read) tells
// nothing of the destination (PTX ISA, "cp.async.bulk.wait_group"). The issue enters the history as a write of
// the thread, and so does the end; between them not even the thread itself may access the place.

// bulkStores has the bulk stores of a block, or of all blocks that run in turn, by their issue.
type bulkStores struct {
	ops map[issued]hb.AsyncOp
	// done are those that have ended.
	done map[hb.AsyncOp]struct{}
}

// issued is when a warp of a block has issued an operation: no other one then.
type issued struct {
	block, interval, stamp uint32
	warp                   uint16
}

// mostBulkStores bounds those that are remembered.
const mostBulkStores = 1 << 16

func isBulkStore(s *trace.Site) bool {
	return (s.Op.Kind == inst.BulkCopy || s.Op.Kind == inst.BulkReduce) && s.Kind != trace.Read && s.Space != trace.SpaceShared
}

// storesInBulk reports whether bulk stores and other accesses may meet in global memory.
func (d *Detector) storesInBulk() bool {
	var stores, others bool
	for i, s := range d.launch.Sites {
		if d.watched[i] {
			stores, others = stores || isBulkStore(s), others || !isBulkStore(s)
		}
	}
	return stores && others && d.config.Model != check.Threads
}

func newBulkStores() *bulkStores {
	return &bulkStores{ops: map[issued]hb.AsyncOp{}, done: map[hb.AsyncOp]struct{}{}}
}

func (b *bulkStores) forget() {
	if b != nil {
		clear(b.ops)
		clear(b.done)
	}
}

// AsyncBegan is the event of that name: a bulk store begins to read its source. The accesses that follow at this stamp are its writes.
func (o *blockObserver) AsyncBegan(e *trace.AsyncAccess) {
	if e.Site.Kind != trace.Read || e.Issuer != o.block.Index || e.Site.Op.Kind != inst.BulkCopy && e.Site.Op.Kind != inst.BulkReduce {
		return
	}
	b := o.bulk
	if len(b.ops) >= mostBulkStores {
		b.forget()
	}
	at := issued{uint32(e.Issuer), o.order.Interval(), o.order.Advance(e.Warp), uint16(e.Warp)}
	b.ops[at] = hb.AsyncOp{Block: uint32(e.Issuer), N: uint32(e.Op)}
}

// AsyncEnded is the event of that name: lanes know that an operation has ended, or it has by itself.
func (o *blockObserver) AsyncEnded(e *trace.AsyncEnd) {
	if e.OnMBarrier || e.SourceRead {
		return
	}
	op := hb.AsyncOp{Block: uint32(e.Issuer), N: uint32(e.Op)}
	o.bulk.done[op] = struct{}{}
	o.order.Advance(e.Warp) // its writes are told once more
	for m := e.Mask; m != 0; m &= m - 1 {
		o.order.EndAsync(32*e.Warp+bits.TrailingZeros32(m), op, false)
	}
}

// beforeEnd reports the access at work to what the bulk store of a span writes, if its thread does not know that the store has ended.
func (o *blockObserver) beforeEnd(n *span, addr uint64) {
	s, d := &o.now, o.launch
	if !isBulkStore(d.launch.Sites[n.site]) || isBulkStore(d.launch.Sites[s.site]) || n.block != s.block && !d.inTurn {
		return
	}
	op, ok := o.bulk.ops[issued{n.block, n.interval, n.stamp, n.warp}]
	if !ok {
		return
	}
	var w *evidence.Witness
	pairs := uint64(0)
	eachShared(n, s, func(off uint8) {
		for m := s.at(off); m != 0; m &= m - 1 {
			then := bits.TrailingZeros32(m)
			if o.order.ClockOf(32*int(s.warp)+then).Ended(op, false) {
				continue
			}
			if pairs++; w == nil {
				w = d.witness(n, s, addr&^(lineBytes-1)+uint64(off), bits.TrailingZeros32(n.at(off)), then)
				if w.Async, w.Apart = evidence.Unfinished, true; o.hasEnded(op) {
					w.Async = evidence.Unobserved
				}
			}
		}
	})
	if w != nil {
		d.addRace(o.pairs, w, n, s, pairs)
	}
}

func (o *blockObserver) hasEnded(op hb.AsyncOp) bool {
	_, ok := o.bulk.done[op]
	return ok
}
