package warp

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// writersSize bounds how many words writers remembers. It is a power of two.
const writersSize = 1 << 12

// Writers remembers who changed words last by atomic operations and strong stores, for
// the report of threads that wait for such a word forever. A word takes the
// place of another one with the same hash, so that a note costs the same always.
type Writers struct {
	words []written
	used  bool
}

// written is a word and its last writer. Shared memory is told apart by its block.
type written struct {
	addr  uint64
	owner uint64
	space trace.Space
	by    trace.Writer
}

// Reset forgets all.
func (x *Writers) Reset() {
	if x.used {
		clear(x.words)
		x.used = false
	}
}

func (x *Writers) at(sp trace.Space, owner, addr uint64) *written {
	if sp == trace.SpaceGlobal {
		owner = 0
	}
	return &x.words[(addr>>2^owner*61)*0x9e3779b97f4a7c15>>52%writersSize]
}

// noteWriter notes that a lane has changed the word at an address.
func (w *Warp) noteWriter(op *program.Mem, sp trace.Space, lane int, addr uint64) {
	e := w.Env
	x, owner := e.Writers, e
	if x == nil || sp == trace.SpaceGlobal && !e.mayAwait(w.Prog, e.allocationOf(addr)) {
		return
	}
	if e.owner != nil {
		owner = e.owner
	}
	if x.words == nil {
		x.words = make([]written, writersSize)
	}
	x.used = true
	*x.at(sp, owner.Block.Index, addr) = written{addr, owner.Block.Index, sp,
		trace.Writer{Site: op.Site, Block: e.Block.Index, Warp: w.Index, Lane: lane}}
}

// awaitedMemory is an allocation, and whether a loop of the program may wait for what is in it.
type awaitedMemory struct {
	al  *mem.Allocation
	may bool
}

// allocationOf is the allocation that an address is in, nil if it is not known.
func (e *Env) allocationOf(addr uint64) *mem.Allocation {
	if al := e.cached; al != nil && al.Contains(addr) {
		return al
	}
	return e.Arena.Find(addr)
}

// mayAwait reports whether a loop of the program may wait for what is in an allocation: not if what its loops
// read is known to be in others.
func (e *Env) mayAwait(p *program.Program, al *mem.Allocation) bool {
	if al == nil {
		return true
	}
	if x := &e.awaited; x.al != al {
		list, ok := p.Awaited()
		x.al, x.may = al, !ok
		for _, op := range list {
			meant := e.meant(p, op)
			x.may = x.may || len(meant) == 0 || slices.Contains(meant, al)
		}
	}
	return e.awaited.may
}

// noteWriters is noteWriter for the lanes of a strong store.
func (w *Warp) noteWriters(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	for b := m; b != 0; b &= b - 1 {
		w.noteWriter(op, sp, vec.Lowest(b), addr[vec.Lowest(b)])
	}
}

// last returns the writer of a word that the block sees, nil if it is not known.
func (x *Writers) last(sp trace.Space, block, addr uint64) *trace.Writer {
	if x == nil || x.words == nil {
		return nil
	}
	y := x.at(sp, block, addr)
	if y.by.Site == nil || y.addr != addr || y.space != sp || sp != trace.SpaceGlobal && y.owner != block {
		return nil
	}
	by := y.by
	return &by
}
