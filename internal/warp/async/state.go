package async

import (
	"github.com/warpgrind/warpgrind/internal/tensormap"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// The steps that are executed here.
type (
	copyAsync    program.CopyAsync
	copyGroup    program.CopyGroup
	mbarrierOp   program.MBarrier
	bulkOp       program.Bulk
	bulkGroup    program.BulkGroup
	bulkFill     program.Fill
	mapField     program.MapField
	mapFence     program.MapFence
	mapCopy      program.MapCopy
	launchCancel program.LaunchCancel
	firstBlock   program.FirstBlock
)

// copying is a copy that has not landed in some lanes.
type copying struct {
	op   *copyAsync
	mask uint32
	// seq numbers the warp's copies. group is each lane's group, once it is
	// among those that are committed.
	seq       uint64
	committed uint32
	group     [32]uint32
	dst, src  vec.Row64
	size      [32]uint8
	// shadow is what of the data is undefined, nil for nothing.
	shadow *taint.Read
}

// copies are a warp's copies on their way, in the order of issue.
type copies struct {
	list, spare []*copying
	seq         uint64
	// used is set by the first copy or commit of a block.
	used bool
	// groups counts the groups that each lane has committed.
	groups [32]uint32
	data   copyData
}

func (a *copies) reset() {
	if !a.used {
		return
	}
	a.spare = append(a.spare, a.list...)
	a.list, a.seq, a.groups, a.used = a.list[:0], 0, [32]uint32{}, false
}

// copyData shows observers what a copy writes.
type copyData struct{ c *copying }

// piece is a stretch of bytes that lies together on both sides of an operation. What is
// to be filled, and what may not be accessed, has no global address.
type piece struct {
	shared, global uint64
	n              int
}

// flight is an operation that a lane has issued and that has not completed.
type flight struct {
	op   *bulkOp
	lane int
	// number is that of the events, group the lane's group, once committed is set.
	number    uint64
	group     uint32
	committed bool
	// pieces are what it moves; m is its tensor map, nil without one.
	pieces []piece
	m      *tensormap.Map
	// typ and fn are those of a reduction, elem the bytes of an element.
	typ  string
	fn   func(old, b, c uint64) uint64
	elem int
	// source is the offset in shared memory of what it reads there; data is that once it is read.
	source uint64
	length int
	data   []byte
	keep   uint32 // of each 16 bytes, those that are written
	// undefined are the bytes that it moves whose values are undefined.
	undefined []undefinedByte
}

// bulks are a warp's bulk operations on their way to groups.
type bulks struct {
	list   []*flight
	groups [32]uint32
}

// reset is for the next block.
func (b *bulks) reset() {
	if len(b.list) > 0 || b.groups != [32]uint32{} {
		*b = bulks{}
	}
}

// waiting is lanes that a try_wait with a time limit keeps: since when, and when the block was last
// seen to do something, in instructions of its warps; still counts the turns since then.
type waiting struct {
	op         *mbarrierOp
	lanes      uint32
	since, did uint64
	still      int
}

// tracking is arrivals on mbarriers that happen once copies have completed:
// those of lanes mask of w that were issued up to seq. They happen at the
// latest moment too: when the mbarrier is tested, or when the thread exits.
type tracking struct {
	op   *mbarrierOp
	u    *Unit
	mask uint32
	seq  uint64
	addr vec.Row64
}

// arrivalsAt remembers who arrived at an mbarrier, for the report of a phase that never ends.
type arrivalsAt struct {
	phase uint64
	// now are the lanes, by warp, that arrived in the phase; before those that did in earlier
	// ones. others counts arrivals from other blocks of the cluster in the phase.
	now, before []uint32
	others      int
	// ahead is the warp whose arrival ended the last phase, as long as no thread has looked since; nil else.
	ahead *Unit
}

// arrivals are those at the mbarriers of a block, by their offsets.
type arrivals struct {
	of map[uint64]*arrivalsAt
	// last is the one that was looked for last, at lastAt.
	last   *arrivalsAt
	lastAt uint64
}

func (x *arrivals) reset() { *x = arrivals{} }

// Completion is an asynchronous operation that completes on an mbarrier: a bulk copy by
// complete_tx of its bytes, a tcgen05.commit by an arrival (PTX ISA, "Data Movement and
// Conversion Instructions: Completion Mechanisms", "complete-tx operation"). It happens at
// the latest moment: when a thread of Owner looks at the mbarrier, or arrives there for
// a phase that only completions hold back. An operation whose mbarrier no thread looks at never happens.
type Completion struct {
	// Site is the instruction that issued the operation, by Warp, which may be one of
	// another block of the cluster. Ops are the numbers of the operations that it ends,
	// from Env.NextOp. If From is not 0 it also ends those from From on to the one of Ops.
	Site *trace.Site
	Warp *Unit
	Ops  []uint64
	From uint64
	// Owner is the block with the mbarrier, At its offset in Owner's shared memory.
	Owner *Block
	At    uint64
	// Bytes is what complete_tx takes off the phase's transaction count, Arrivals what an
	// arrive takes off its pending count. One of them is 0.
	Bytes, Arrivals uint64
	// near is set once a warp has waited for it: the next one that does finds it done.
	near bool
	// Land does what the operation does to memory, before the mbarrier changes; false after
	// a fault. It may be nil.
	Land func() bool
}

// undefinedByte is a byte in shared memory that a bulk operation reads or writes, of which bits are undefined.
type undefinedByte struct {
	at     uint64
	bits   uint8
	origin uint32
}
