package program

import (
	"github.com/warpgrind/warpgrind/internal/tensormap"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// Bulk is a copy or a reduction by the async proxy: cp.async.bulk and cp.reduce.async.bulk
// with their tensor forms, st.async and red.async (PTX ISA, sections of these names). Each
// lane that executes it issues one.
//
// What it does to memory happens at the latest moment that is allowed: when the mbarrier is
// looked at on which it completes, when the thread waits for its group, or when it exits.
type Bulk struct {
	// Global has an operand for each size of access that is made to global memory, the
	// largest first; all have the same address. It is empty if there is none.
	Global []Mem
	// ToGlobal is set if global memory is the destination.
	ToGlobal bool
	// Shared is the operand in shared memory: of the executing block if it is a source. Peer
	// is the destination of a copy from shared memory to that of a block of the cluster.
	Shared, Peer Mem
	HasPeer      bool
	// Barrier is the mbarrier that the operation completes on; else it is of the thread's
	// group.
	Barrier    Mem
	HasBarrier bool
	// Pair is set for .cta_group::2: a multicast signals, in the pair of each destination, the
	// block whose rank has the parity of the mbarrier's.
	Pair bool
	// Values are the slots of what st.async and red.async write, of Shared.Elem bytes each.
	Values []int32
	Width  alu.Width
	// Size is the slot of the number of bytes, Mask that of the ranks of a multicast, Bytes
	// that of the mask of bytes of each 16 that are written. NoSlot for none.
	Size, Mask, Bytes int32
	// Map is the tensor map, Coord the slots of the coordinates or, for Gather, of the first
	// one and of four rows; Offsets those of im2col.
	Map            Mem
	HasMap, Gather bool
	Mode           tensormap.Mode
	Coord, Offsets []int32
	// Op is the function of a reduction, "" for a copy; Type its type, "" where the tensor map
	// has it.
	Op, Type string
}

// Slots implements Step.
func (s *Bulk) Slots(f SlotFunc) {
	for i := range s.Global {
		s.Global[i].slots(f)
	}
	s.Shared.slots(f)
	s.Peer.slots(f)
	s.Barrier.slots(f)
	s.Map.slots(f)
	for i := range s.Values {
		f(&s.Values[i], s.Width, Reads)
	}
	for _, x := range []*int32{&s.Size, &s.Mask, &s.Bytes} {
		f(x, alu.W32, Reads)
	}
	for _, list := range [][]int32{s.Coord, s.Offsets} {
		for i := range list {
			f(&list[i], alu.W32, Reads)
		}
	}
}

// BulkGroup is cp.async.bulk.commit_group or cp.async.bulk.wait_group: Commit makes a group of
// the operations since the last one; else the step waits for all groups but the last Leave,
// with Read only until they have read their sources. Groups are a thread's own.
type BulkGroup struct {
	Commit, Read bool
	Leave        uint32
}

// Slots implements Step.
func (s *BulkGroup) Slots(SlotFunc) {}

// Fill is st.bulk: it writes Size bytes of zeros from Dst on, 8 at a time.
type Fill struct {
	Dst  Mem
	Size int32
}

// Slots implements Step.
func (s *Fill) Slots(f SlotFunc) {
	s.Dst.slots(f)
	f(&s.Size, alu.W64, Reads)
}

// MapField is tensormap.replace: it writes a field of the tensor map at Dst. Add is added to
// the value.
type MapField struct {
	Dst   Mem
	Value int32
	Width alu.Width
	Add   uint64
}

// Slots implements Step.
func (s *MapField) Slots(f SlotFunc) {
	s.Dst.slots(f)
	f(&s.Value, s.Width, Reads)
}

// MapCopy is tensormap.cp_fenceproxy: each lane of a warp copies 4 bytes of a tensor map from
// shared to global memory.
type MapCopy struct{ Dst, Src Mem }

// Slots implements Step.
func (s *MapCopy) Slots(f SlotFunc) {
	s.Dst.slots(f)
	s.Src.slots(f)
}

// MapFence is fence.proxy.tensormap::generic. Map is the slot of the address that an acquire
// names, without Offset; NoSlot for a release.
type MapFence struct {
	Site   *trace.Site
	Map    int32
	Offset uint64
}

// Slots implements Step.
func (s *MapFence) Slots(f SlotFunc) { f(&s.Map, alu.W64, Reads) }
