package tensor

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// tensorMemory is that of a block: cells of 32 bits by lane and column, which of them were
// written, and what is allocated (PTX ISA, "Tensor Memory").
type tensorMemory struct {
	cells   [trace.TensorLanes * trace.TensorColumns]uint32
	written [trace.TensorLanes * trace.TensorColumns / 32]uint32
	// columns has for each 32 columns the number of their last allocation, from 1.
	columns [trace.TensorColumns / tensorGrain]int
	allocs  []tensorAlloc
	// relinquished is where the block gave up its right to allocate, nil before.
	relinquished *trace.Site
	// taint has the cells whose values are undefined, nil before the first.
	taint *mem.Taint
	// pipes are the threads that have issued operations which are executed in order.
	pipes map[int]*tensorPipe
	last  *tensorPipe
}

// tensorGrain is the unit of allocation in columns.
const tensorGrain = 32

// tensorAlloc is an allocation of columns.
type tensorAlloc struct {
	first, n int
	pair     bool
	// by is the warp that made it, at is where; freed is where it ended, nil before.
	by        int
	at, freed *trace.Site
}

// tensorPipe are the operations of a thread that are executed in order. Their numbers are
// contiguous: id in the upper bits, and from 1 on below them.
type tensorPipe struct{ id, n uint64 }

// maxPipes bounds the pipes of a block that are told apart.
const maxPipes = trace.FirstWarp - 1

// tensorMemory is that of the block.
func (b *Block) memory() *tensorMemory {
	if b.tmem == nil {
		b.tmem = &tensorMemory{pipes: map[int]*tensorPipe{}}
	}
	return b.tmem
}

// resetTensorMemory is for a new block.
func (b *Block) resetTensorMemory() {
	t := b.tmem
	if t == nil || len(t.allocs) == 0 && t.relinquished == nil && len(t.pipes) == 0 {
		return
	}
	clear(t.written[:])
	clear(t.columns[:])
	clear(t.pipes)
	t.allocs, t.relinquished, t.taint, t.last = t.allocs[:0], nil, nil, nil
}

// allocOf is the allocation that a column was last part of, nil for none.
func (t *tensorMemory) allocOf(column int) *tensorAlloc {
	if n := t.columns[column/tensorGrain]; n > 0 {
		return &t.allocs[n-1]
	}
	return nil
}

// take allocates n columns; it returns nil if there is no room.
func (t *tensorMemory) take(n int) *tensorAlloc {
	for first := 0; first+n <= trace.TensorColumns; first += tensorGrain {
		free := true
		for c := first; c < first+n; c += tensorGrain {
			a := t.allocOf(c)
			free = free && (a == nil || a.freed != nil)
		}
		if !free {
			continue
		}
		t.allocs = append(t.allocs, tensorAlloc{first: first, n: n})
		for c := first; c < first+n; c += tensorGrain {
			t.columns[c/tensorGrain] = len(t.allocs)
		}
		t.forget(first, n)
		return &t.allocs[len(t.allocs)-1]
	}
	return nil
}

// forget makes columns unwritten.
func (t *tensorMemory) forget(first, n int) {
	for lane := range trace.TensorLanes {
		row := t.written[lane*trace.TensorColumns/32:][:trace.TensorColumns/32]
		clear(row[first/32 : (first+n)/32])
		if t.taint != nil && t.taint.Any() {
			t.define(lane, first, n)
		}
	}
}

// row is a lane's cells from a column on.
func (t *tensorMemory) row(lane, column, n int) []uint32 {
	return t.cells[lane*trace.TensorColumns+column:][:n]
}

// Wrote notes that cells of a lane were written.
func (t *tensorMemory) wrote(lane, column, n int) {
	for n > 0 {
		at := lane*trace.TensorColumns + column
		k := min(n, 32-at%32)
		t.written[at/32] |= uint32(1<<k-1) << (at % 32)
		column, n = column+k, n-k
	}
}

// unwritten is the first of a lane's cells that was never written, -1 for none.
func (t *tensorMemory) unwritten(lane, column, n int) int {
	for n > 0 {
		at := lane*trace.TensorColumns + column
		k := min(n, 32-at%32)
		if miss := ^(t.written[at/32] >> (at % 32)) & uint32(1<<k-1); miss != 0 {
			return column + bits.TrailingZeros32(miss)
		}
		column, n = column+k, n-k
	}
	return -1
}

// define notes that cells hold values that are not undefined.
func (t *tensorMemory) define(lane, column, n int) {
	if t.taint == nil || !t.taint.Any() {
		return
	}
	at := uint64(lane*trace.TensorColumns+column) * 4
	for i := range uint64(4 * n) {
		t.taint.Set(at+i, 0, 0)
	}
}

// taints notes that a cell holds an undefined value of an origin.
func (t *tensorMemory) taintCell(lane, column int, bits uint32, origin uint32) {
	if t.taint == nil {
		t.taint = mem.NewTaint(4 * uint64(len(t.cells)))
	}
	at := uint64(lane*trace.TensorColumns+column) * 4
	for i := range uint64(4) {
		t.taint.Set(at+i, uint8(bits>>(8*i)), origin)
	}
}

// tainted are a cell's undefined bits, and their origin.
func (t *tensorMemory) tainted(lane, column int) (undefined, origin uint32) {
	if t.taint == nil || !t.taint.Any() {
		return 0, 0
	}
	at := uint64(lane*trace.TensorColumns+column) * 4
	for i := range uint64(4) {
		if b, from := t.taint.At(at + i); b != 0 {
			undefined |= uint32(b) << (8 * i)
			origin = from
		}
	}
	return undefined, origin
}

// address is lane l's address of an operand.
func (u *Unit) address(a *program.TensorAddr, l int) (lane, column int) {
	v := uint32(u.regs.LaneValue(a.Slot, alu.W32, l)) + a.Offset
	return int(v >> 16), int(v & 0xffff)
}

// misuse records that lanes execute an instruction wrongly.
func (u *Unit) misuse(kind trace.FaultKind, cause trace.Cause, site *trace.Site, m uint32, format string, args ...any) bool {
	u.refuse(kind, cause, site, m, format, args...)
	return false
}

func (u *Unit) refuse(kind trace.FaultKind, cause trace.Cause, site *trace.Site, m uint32, format string, args ...any) *trace.Fault {
	f := u.warp.Fault(kind, cause, site, m, site.Opcode()+" "+format, args...)
	f.Space, f.Access, f.Size = trace.SpaceTensor, site.Kind, 4
	return f
}

// within refuses columns that the block has not allocated.
func (u *Unit) within(env *Block, site *trace.Site, m uint32, lane, column, n int) bool {
	t := env.memory()
	for c := column; c < column+n; c++ {
		var a *tensorAlloc
		if c < trace.TensorColumns {
			a = t.allocOf(c)
		}
		if a != nil && a.freed == nil {
			c = a.first + a.n - 1
			continue
		}
		u.outside(env, site, m, lane, c, n, a)
		return false
	}
	return true
}

// outside is the fault of an access to a column that is not allocated; a is the allocation that
// it was part of, nil for none.
func (u *Unit) outside(env *Block, site *trace.Site, m uint32, lane, column, n int, a *tensorAlloc) {
	cause, what := trace.CauseTensorOutside, "which the block has not allocated"
	switch {
	case column >= trace.TensorColumns:
		what = "of which there are 512"
	case a != nil:
		cause, what = trace.CauseTensorFreed, "which was deallocated"
	}
	if env != u.block {
		what += " (in the other block of the pair)"
	}
	f := u.refuse(trace.FaultOutOfBounds, cause, site, m, "accesses %s of tensor memory from column %d on: column %d, %s", trace.Plural(n, "column"), column, column, what)
	f.Addr = uint64(lane)<<16 | uint64(column)
	if a != nil {
		f.Notes = append(f.Notes, "deallocated by "+a.freed.Name())
	}
	for i := range env.memory().allocs {
		if a := &env.memory().allocs[i]; a.freed == nil {
			f.Notes = append(f.Notes, "allocated are columns "+columnsOf(a)+", by "+a.at.Name())
		}
	}
}

// pipe is that of lane l of the warp.
func (u *Unit) pipe(l int) *tensorPipe {
	t, thread := u.block.memory(), 32*u.warp.Number()+l
	p := t.pipes[thread]
	if p == nil {
		if p = t.last; p == nil || p.id < maxPipes {
			p = &tensorPipe{id: uint64(len(t.pipes)) + 1}
			t.last = p
		}
		t.pipes[thread] = p
	}
	return p
}

// next numbers an operation of the pipe.
func (p *tensorPipe) next() uint64 {
	p.n++
	return p.last()
}

func (p *tensorPipe) last() uint64 { return p.id<<trace.PipeShift | p.n }

func (p *tensorPipe) first() uint64 { return p.id<<trace.PipeShift | 1 }

// began tells the observers of a block of an operation of lanes m.
func (u *Unit) began(env *Block, site *trace.Site, m uint32, op uint64, tensor bool, ranges []trace.Range) {
	env.Flush()
	if f := env.Observer().AsyncBegan; f != nil {
		f(&trace.AsyncAccess{Site: site, Issuer: u.block.Place().Index, Warp: u.warp.Number(), Mask: m, Op: op, Ranges: ranges, Tensor: tensor, Pipe: trace.PipeOf(op)})
	}
}

// pair are the blocks whose memory an operation of lanes m accesses: the even one first.
func (u *Unit) pair(site *trace.Site, m uint32, both bool) (list []*Block, ok bool) {
	if !both {
		return []*Block{u.block}, true
	}
	_, rank := u.block.Place().Launch.ClusterOf(u.block.Place().Index)
	peer, exists := u.block.Peer(rank ^ 1)
	if !exists {
		return nil, u.misuse(trace.FaultBarrier, trace.CauseTensorPeer, site, m, "with .cta_group::2 in a cluster that has no other block for the pair")
	}
	if peer == nil {
		return nil, u.misuse(trace.FaultBarrier, trace.CauseTensorPeer, site, m, "with .cta_group::2, but the other block of the pair has exited")
	}
	if rank&1 != 0 {
		return []*Block{peer, u.block}, true
	}
	return []*Block{u.block, peer}, true
}
