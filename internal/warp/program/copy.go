package program

import "github.com/warpgrind/warpgrind/internal/warp/alu"

// CopyAsync is cp.async (PTX ISA, "cp.async"): a copy from global to shared
// memory that the executing thread does not wait for.
//
// The data is moved at the latest moment that is allowed: when the thread waits
// for the copy, when an mbarrier that tracks it is tested, or when the thread
// exits. So a program that reads too early finds the old contents.
type CopyAsync struct {
	// Dst writes and Src reads Size bytes: 4, 8 or 16. Byte reads one, for
	// copies that are shorter than Size and filled with zeros.
	Dst, Src, Byte Mem
	Size           int
	// SrcSize is the slot of the number of bytes to read, NoSlot for Size.
	SrcSize int32
	// Ignore is the slot of a predicate: nothing is read where it holds (does
	// not hold if IgnoreNot), and zeros are written.
	Ignore    int32
	IgnoreNot bool
}

// Slots implements Step.
func (s *CopyAsync) Slots(f SlotFunc) {
	s.Dst.slots(f)
	s.Src.slots(f)
	s.Byte.slots(f)
	f(&s.SrcSize, alu.W32, Reads)
	f(&s.Ignore, alu.Pred, Reads)
}

// CopyGroup is cp.async.commit_group, cp.async.wait_group or
// cp.async.wait_all (PTX ISA, sections of these names). Groups are a thread's
// own.
type CopyGroup struct {
	// Commit makes a group of the copies since the last one; else the step
	// waits for all groups but the last Leave, or for All copies.
	Commit, All bool
	Leave       uint32
}

// Slots implements Step.
func (s *CopyGroup) Slots(SlotFunc) {}
