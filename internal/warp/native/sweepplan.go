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

// Swept are the counters that entries of a sweep have, and those of the last interval.
var (
	Swept     = [4][2]int32{{CtxInstrs, EntryInstrs}, {CtxLoads, EntryLoads}, {CtxStores, EntryStores}, {CtxChanges, EntryChange}}
	SweptLast = [3][2]int32{{CtxLoads, EntryLast}, {CtxStores, EntryLast + 8}, {CtxChanges, EntryLast + 16}}
)

// A SweepPlan is what code does between two warps of a sweep.
type SweepPlan struct {
	// Stops are the steps where warps may stop: barriers of all threads, of which code passes those of Passes by itself, and the
	// ends of threads, Ends.
	Stops, Passes, Ends []int
	// Fields are places in an entry, and in the context where code looks for the same.
	Fields [][2]int32
	// Changes is set where code counts in Context.Changes.
	Changes bool
	// Another is what the warps of another block must find, nil where code cannot begin one.
	Another *BlockStart
}

// BlockStart is what of the slab is as before the first block: its first bytes, copied from SweepEntry.Image, and some slots.
type BlockStart struct {
	Image int32
	Slots []StartSlot
}

// StartSlot is a slot that is 0 when a block begins, or a coordinate of the block.
type StartSlot struct {
	Slot int32
	Kind StartKind
	// Coord numbers the coordinate, NoCoord for 0.
	Coord int32
}

const NoCoord int32 = -1

type StartKind uint8

const (
	OneValue  StartKind = iota // of 64 bits, for all lanes
	Predicate                  // a bit for each lane
	Row32
	Row64
)

// Bits is the size of an element.
func (k StartKind) Bits() int {
	if k == OneValue || k == Row64 {
		return 64
	}
	return 32
}

// Sweep returns the plan for sweeps.
func (s Scope) Sweep() (x SweepPlan) {
	for pc := range s.Program.Code {
		if !s.SweepStop(pc) {
			continue
		}
		x.Stops = append(x.Stops, pc)
		switch {
		case s.Program.Code[pc].Op != program.OpBarrier:
			x.Ends = append(x.Ends, pc)
		case pc+1 < len(s.Program.Code) && s.Does[pc+1] != nil:
			x.Passes = append(x.Passes, pc)
		}
	}
	if slices.ContainsFunc(s.Program.Mems, func(m program.Mem) bool { return m.Space == trace.SpaceLocal || m.Space == trace.SpaceGeneric }) {
		x.Fields = [][2]int32{{entryLocal, CtxLocal}, {entryNoted, CtxWritten}}
	}
	if s.Watched&(Followed|Sieved|Entered) != 0 {
		x.Fields = append(x.Fields, [2]int32{entryWarp, CtxWarp})
	}
	x.Changes = slices.ContainsFunc(s.Program.Code, func(in program.Instr) bool { return in.Op == program.OpAtomic })
	if s.repeatable() {
		x.Another = s.startOfBlock()
	}
	return x
}

// startOfBlock returns what the warps of another block must find.
func (pl *Plan) startOfBlock() *BlockStart {
	p, x := pl.Program, new(BlockStart)
	if pl.restores() {
		x.Image = p.Restored
	}
	for _, c := range p.Zero {
		kind := Row32
		switch {
		case c.Slot < p.Restored:
			continue
		case c.Scalar:
			kind = OneValue
		case c.Width == alu.Pred:
			kind = Predicate
		case c.Width == alu.W64:
			kind = Row64
		}
		x.Slots = append(x.Slots, StartSlot{c.Slot, kind, NoCoord})
	}
	for i := range p.Specials {
		s := &p.Specials[i]
		k, ok := Coordinates[s.Name]
		if ok && s.Slot != program.NoSlot {
			x.Slots = append(x.Slots, StartSlot{s.Slot, OneValue, k})
		}
		if ok && s.Bcast != program.NoSlot {
			x.Slots = append(x.Slots, StartSlot{s.Bcast, Row32, k})
		}
	}
	return x
}

// SweepStop reports whether warps may stop at a step in a sweep: at a barrier
// of all threads, or at the end.
func (pl *Plan) SweepStop(pc int) bool {
	in := &pl.Program.Code[pc]
	switch {
	case in.Guard != program.NoSlot:
		return false
	case in.Op == program.OpExit || in.Op == program.OpReturn:
		return true
	}
	return pl.Program.WholeBarrier(in)
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

// Coordinates are the special registers that differ between the blocks of a launch.
var Coordinates = map[string]int32{"ctaid.x": 0, "ctaid.y": 1, "ctaid.z": 2}

// Repeats reports whether sweeps of the code can begin with further blocks by themselves.
func (c *Code) Repeats() bool { return c.plan.repeatable() }

// repeatable reports whether nothing but coordinates has to be set for another block.
func (pl *Plan) repeatable() bool {
	p := pl.Program
	if p.StackTop != program.NoSlot || p.Clusters {
		return false
	}
	for i := range p.Specials {
		s := &p.Specials[i]
		_, known := Coordinates[s.Name]
		if strings.HasPrefix(s.Name, "cluster") || strings.HasPrefix(s.Name, "ctaid.") && !known {
			return false
		}
	}
	return pl.Leader[0]
}

// restores reports whether another block may read what code writes to the part of the slab that each
// block must find as the first one did.
func (pl *Plan) restores() bool {
	if pl.Program.Restored > pl.Program.Uniform {
		return true
	}
	live := pl.LiveIn[0]
	for i := range pl.Steps {
		for _, s := range pl.Steps[i].Writes {
			if n := pl.IDs[s]; s < pl.Program.Restored && live[n/64]>>(n%64)&1 != 0 {
				return true
			}
		}
	}
	return false
}
