package devrt

import (
	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Warp is what the functions need of the warp that calls them.
type Warp interface {
	// Number is the warp's number in its block, Thread the index of a lane's thread.
	Number() int
	Thread(lane int) trace.Dim3
	Block() *trace.Block
	Arch() *arch.Arch
	Memory() *mem.Arena
	Observer() *trace.BlockObserver
	// Peek reads n <= 8 bytes at a generic address for a lane, Poke writes them. They return false
	// where no memory is.
	Peek(addr uint64, lane, n int) (uint64, bool)
	Poke(addr uint64, lane, n int, v uint64) bool
	// Passed tells that a function has read n bytes for a lane, which may be undefined.
	Passed(site *trace.Site, lane int, addr uint64, n int)
	// Freed makes the block forget where memory is that may be freed now.
	Freed()
	// Fault ends the block by a fault of lanes m.
	Fault(kind trace.FaultKind, cause trace.Cause, site *trace.Site, m uint32, format string, args ...any) *trace.Fault
}

// Block is a block's part in the device runtime. Its owner sets what is exported.
type Block struct {
	// Out is what the block printed, of which the buffer that blocks share keeps
	// the last Printf bytes; Lost counts what was dropped so far.
	Out          []byte
	Printf, Lost uint64
	// Heap is where device-side malloc takes memory from.
	Heap *Heap
	// Children runs child grids, nil where nothing does.
	Children Children

	childWork
	// full are the warps to which malloc has returned a null pointer.
	full map[int]bool
}

// Reset readies it for the next block.
func (b *Block) Reset() {
	b.Out, b.Lost, b.childWork, b.full = b.Out[:0], 0, childWork{}, nil
}

// Asked returns what the threads of the block asked for and did not wait for, in order.
func (b *Block) Asked() []ChildWork { return b.queue }

// RanOut reports whether malloc has returned a null pointer to a thread of a warp.
func (b *Block) RanOut(warp int) bool { return b.full[warp] }

func (b *Block) ranOut(warp int) {
	if b.full == nil {
		b.full = map[int]bool{}
	}
	b.full[warp] = true
}

// thread is the one that calls a function.
type thread struct {
	block *Block
	warp  Warp
	regs  *vec.Registers
	did   *vec.Activity
	call  *program.HostCall
	lane  int
}

// number is the thread's number in its block.
func (t *thread) number() int { return 32*t.warp.Number() + t.lane }

// arg is argument i.
func (t *thread) arg(i int) uint64 { return t.regs.Arg(t.call, i, t.lane) }

// Call runs a function lane by lane. It returns false after a fault.
func (b *Block) Call(w Warp, regs *vec.Registers, did *vec.Activity, h *program.HostCall, m uint32) bool {
	f, t := hostFuncs[h.Name], thread{block: b, warp: w, regs: regs, did: did, call: h}
	for ; m != 0; m &= m - 1 {
		t.lane = vec.Lowest(m)
		r, ok := f(&t)
		if !ok {
			return false
		}
		if len(h.Rets) > 0 {
			regs.SetWords(h.Rets[0], t.lane, r)
		}
	}
	return true
}
