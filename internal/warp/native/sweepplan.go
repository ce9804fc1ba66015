package native

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// SweepEntry is a warp of a sweep: its registers and local memory, the budget of
// its turn, its lanes, how events name it, and what it did until it last stopped, as in
// Context; Last is what it did of that since the barrier before.
type SweepEntry struct {
	Slab, Local, Written           uintptr
	Budget                         int64
	Mask, Warp                     uint64
	Instrs, Loads, Stores, Changes uint64
	Last                           struct{ Loads, Stores, Changes uint64 }
	// Image is what each block must find in the slab's first bytes (program.Restored).
	Image uintptr
}

// swept are the counters that entries of a sweep have, and those of the last interval.
var (
	swept     = [4][2]int32{{ctxInstrs, entryInstrs}, {ctxLoads, entryLoads}, {ctxStores, entryStores}, {ctxChanges, entryChange}}
	sweptLast = [3][2]int32{{ctxLoads, entryLast}, {ctxStores, entryLast + 8}, {ctxChanges, entryLast + 16}}
)

// A sweepPlan is what code does between two warps of a sweep.
type sweepPlan struct {
	// stops are the steps where warps may stop: barriers of all threads, of which code passes those of passes by itself, and the
	// ends of threads, ends.
	stops, passes, ends []int
	// fields are places in an entry, and in the context where code looks for the same.
	fields [][2]int32
	// changes is set where code counts in Context.Changes.
	changes bool
	// another is what the warps of another block must find, nil where code cannot begin one.
	another *blockStart
}

// blockStart is what of the slab is as before the first block: its first bytes, copied from SweepEntry.Image, and some slots.
type blockStart struct {
	image int32
	slots []startSlot
}

// startSlot is a slot that is 0 when a block begins, or a coordinate of the block.
type startSlot struct {
	slot int32
	kind startKind
	// coord numbers the coordinate, noCoord for 0.
	coord int32
}

const noCoord int32 = -1

type startKind uint8

const (
	oneValue  startKind = iota // of 64 bits, for all lanes
	predicate                  // a bit for each lane
	row32
	row64
)

// bits is the size of an element.
func (k startKind) bits() int {
	if k == oneValue || k == row64 {
		return 64
	}
	return 32
}

// sweep returns the plan for sweeps.
func (s scope) sweep() (x sweepPlan) {
	for pc := range s.p.Code {
		if !s.sweepStop(pc) {
			continue
		}
		x.stops = append(x.stops, pc)
		switch {
		case s.p.Code[pc].Op != program.OpBarrier:
			x.ends = append(x.ends, pc)
		case pc+1 < len(s.p.Code) && s.does[pc+1] != nil:
			x.passes = append(x.passes, pc)
		}
	}
	if slices.ContainsFunc(s.p.Mems, func(m program.Mem) bool { return m.Space == trace.SpaceLocal || m.Space == trace.SpaceGeneric }) {
		x.fields = [][2]int32{{entryLocal, ctxLocal}, {entryNoted, ctxWritten}}
	}
	if s.watched&(Followed|Sieved|Entered) != 0 {
		x.fields = append(x.fields, [2]int32{entryWarp, ctxWarp})
	}
	x.changes = slices.ContainsFunc(s.p.Code, func(in program.Instr) bool { return in.Op == program.OpAtomic })
	if s.repeatable() {
		x.another = s.startOfBlock()
	}
	return x
}

// startOfBlock returns what the warps of another block must find.
func (pl *plan) startOfBlock() *blockStart {
	p, x := pl.p, new(blockStart)
	if pl.restores() {
		x.image = p.Restored
	}
	for _, c := range p.Zero {
		kind := row32
		switch {
		case c.Slot < p.Restored:
			continue
		case c.Scalar:
			kind = oneValue
		case c.Width == alu.Pred:
			kind = predicate
		case c.Width == alu.W64:
			kind = row64
		}
		x.slots = append(x.slots, startSlot{c.Slot, kind, noCoord})
	}
	for i := range p.Specials {
		s := &p.Specials[i]
		k, ok := coordinates[s.Name]
		if ok && s.Slot != program.NoSlot {
			x.slots = append(x.slots, startSlot{s.Slot, oneValue, k})
		}
		if ok && s.Bcast != program.NoSlot {
			x.slots = append(x.slots, startSlot{s.Bcast, row32, k})
		}
	}
	return x
}

// sweepStop reports whether warps may stop at a step in a sweep: at a barrier
// of all threads, or at the end.
func (pl *plan) sweepStop(pc int) bool {
	in := &pl.p.Code[pc]
	switch {
	case in.Guard != program.NoSlot:
		return false
	case in.Op == program.OpExit || in.Op == program.OpReturn:
		return true
	}
	return pl.p.WholeBarrier(in)
}

// Blocks is for sweeps that begin with further blocks of the grid where one has ended: More is how many
// they may, Ended how many have ended. Coord is where the running block is in a grid of size Grid. Shared
// memory is cleared for each. Instrs, Loads, Stores and Changes are what those that ended did. With Keep,
// not 0, the barriers that they passed stay in Context.PassedAt: those of one up to its element of Passed.
type Blocks struct {
	Keep                           uint64
	Passed                         [MaxBlocks]uint32
	More, Ended                    uint64
	Coord, Grid                    [3]uint32
	Shared                         uintptr
	SharedSize                     uint64
	Instrs, Loads, Stores, Changes uint64
}

// MaxBlocks bounds the blocks that end in one sweep.
const MaxBlocks = 64

// coordinates are the special registers that differ between the blocks of a launch.
var coordinates = map[string]int32{"ctaid.x": 0, "ctaid.y": 1, "ctaid.z": 2}

// Repeats reports whether sweeps of the code can begin with further blocks by themselves.
func (c *Code) Repeats() bool { return c.plan.repeatable() }

// repeatable reports whether nothing but coordinates has to be set for another block.
func (pl *plan) repeatable() bool {
	p := pl.p
	if p.StackTop != program.NoSlot || p.Clusters {
		return false
	}
	for i := range p.Specials {
		s := &p.Specials[i]
		_, known := coordinates[s.Name]
		if strings.HasPrefix(s.Name, "cluster") || strings.HasPrefix(s.Name, "ctaid.") && !known {
			return false
		}
	}
	return pl.leader[0]
}

// restores reports whether another block may read what code writes to the part of the slab that each
// block must find as the first one did.
func (pl *plan) restores() bool {
	if pl.p.Restored > pl.p.Uniform {
		return true
	}
	live := pl.liveIn[0]
	for i := range pl.steps {
		for _, s := range pl.steps[i].writes {
			if n := pl.ids[s]; s < pl.p.Restored && live[n/64]>>(n%64)&1 != 0 {
				return true
			}
		}
	}
	return false
}
