package taint

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Warp is what following undefined values needs of the warp.
type Warp interface {
	Number() int
	Memory() *mem.Arena
	Observer() *trace.BlockObserver
	// Allocation returns the allocation that has size bytes at an address, nil for none.
	Allocation(addr, size uint64) *mem.Allocation
	// SharedOwner is the part of the block whose shared memory the access at work goes to.
	SharedOwner() *Block
	// Forget makes accesses find out anew where memory is: generated code must not go where undefined values are.
	Forget()
	// FollowStep follows undefined values through a step that is executed as a whole. It returns false
	// for one of which each operand matters.
	FollowStep(s program.Step, m uint32) bool
}
