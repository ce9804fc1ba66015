package tensor

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/matrix"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// tensorRun is a product while it is executed, for lane l.
type tensorRun struct {
	*tensorProduct
	u    *Unit
	l    int
	me   uint32
	desc program.TensorDesc
	envs []*Block
	op   uint64
	// rows are those of A and D in each block; block is the extent along K of one scale.
	rows, block int
	a, b        *places
	zero        []bool
	moved       int
	// undefined are the parts of D that become undefined.
	undefined []undefinedCells
}

// exec carries out tcgen05.mma, once for each lane.
func (s *tensorProduct) exec(u *Unit, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		x := &tensorRun{tensorProduct: s, u: u, l: vec.Lowest(b) & 31, me: b & -b}
		if !x.prepare() || !x.told() {
			return false
		}
		u.did.Reads++
		x.follow()
		scratch := u.block.scratch()
		if s.Kind == program.TensorI8 {
			multiplyTensors(x, tileOf(&scratch.tensorInts), tensorInts)
		} else {
			multiplyTensors(x, tileOf(&scratch.tensorFloats), tensorFloats)
		}
		x.taintResult()
	}
	u.did.Progress++
	return true
}

// prepare unpacks the descriptors and finds the operands.
func (x *tensorRun) prepare() bool {
	v := uint32(x.u.regs.LaneValue(x.Desc, alu.W32, x.l))
	desc, bad := (*program.TensorProduct)(x.tensorProduct).Unpack(v)
	if bad == program.DeepTensor {
		return x.u.misuse(trace.FaultUnsupported, "", x.Site, x.me, "with a K of 96 is not supported")
	}
	if bad != "" {
		return x.refuse(trace.CauseTensorDescriptor, "with instruction descriptor %#x, which has %s", v, bad)
	}
	var ok bool
	if x.envs, ok = x.u.pair(x.Site, x.me, x.Pair); !ok {
		return false
	}
	x.desc, x.rows, x.block = desc, desc.M/len(x.envs), desc.K/max(1, desc.Scales)
	if x.Zeros != program.NoSlot {
		x.zero, x.moved = program.ZeroColumns(x.u.regs.LaneValue(x.Zeros, alu.W64, x.l), desc.M, desc.N)
	}
	if x.DescA != program.NoSlot {
		if x.a, ok = x.operand(x.SiteA, x.DescA, desc.A, x.rows, x.storedK(), desc.TransA); !ok {
			return false
		}
	}
	x.b, ok = x.operand(x.SiteB, x.DescB, desc.B, desc.N/len(x.envs)+x.moved, desc.K, desc.TransB)
	x.op = x.u.pipe(x.l).next()
	return ok
}

func (x *tensorRun) refuse(cause trace.Cause, format string, args ...any) bool {
	return x.u.misuse(trace.FaultBarrier, cause, x.Site, x.me, format, args...)
}

// storedK is the extent of A along K as it is stored.
func (x *tensorRun) storedK() int {
	if x.Sparse {
		return x.desc.K / 2
	}
	return x.desc.K
}

// operand finds a matrix in shared memory.
func (x *tensorRun) operand(site *trace.Site, slot int32, e program.Elem, outer, k int, trans bool) (*places, bool) {
	d := x.u.regs.LaneValue(slot, alu.W64, x.l)
	per := perPiece(e)
	if !trans {
		return x.u.matrix(site, x.me, d, outer, k/per, false)
	}
	if e == program.ElemF4 {
		return nil, x.refuse(trace.CauseTensorDescriptor, "with a transposed matrix of .kind::%s", x.Kind)
	}
	if wide := d>>61 == 1; wide != (e.Bits() == 32) {
		return nil, x.refuse(trace.CauseTensorDescriptor, "with a transposed matrix in swizzling mode %d: of 32-bit elements it has mode 1, of others another", d>>61)
	}
	return x.u.matrix(site, x.me, d, k, (outer+per-1)/per, true)
}

// perPiece is the number of elements in 16 bytes of shared memory: those of four and six bits are
// followed by padding, except where two are in a byte.
func perPiece(e program.Elem) int { return matrix.PieceBytes * 8 / e.Bits() }

// segment is a part of D: columns from first on, in lanes from lane on.
type segment struct{ lane, first, columns int }

// segments are those of a block's D (PTX ISA, "Data Path Layout Organization").
func (x *tensorRun) segments() (list []segment) {
	n, parts, step := x.desc.N, 1, 0
	switch {
	case x.Stationary && x.desc.M == 32:
		parts, step = 4, 32
	case x.Stationary && x.desc.M == 64, x.Pair && x.desc.M == 128 && !x.Sparse:
		parts, step = 2, 64
	}
	for i := range parts {
		list = append(list, segment{i * step, i * n / parts, n / parts})
	}
	return list
}

// halves reports the layouts that use 16 lanes of each 32.
func (x *tensorRun) halved() bool { return x.rows == 64 && len(x.segments()) == 1 }

// laneOf is the lane of a row of D, relative to its address.
func (x *tensorRun) laneOf(g segment, row int) int {
	if x.halved() {
		return row%16 + row/16*32
	}
	return g.lane + row
}

// d is the address of D.
func (x *tensorRun) d() (lane, column int) { return x.u.address(&x.D, x.l) }

// told checks what the product accesses and tells observers of it.
func (x *tensorRun) told() bool {
	lane, column := x.d()
	if lane != 0 && !(x.halved() && lane == 16) {
		return x.u.misuse(trace.FaultMisaligned, trace.CauseMisaligned, x.Site, x.me, "with D from lane %d of tensor memory on, where its layout does not begin", lane)
	}
	if x.DescA == program.NoSlot {
		if at, _ := x.u.address(&x.A, x.l); at != lane {
			return x.u.misuse(trace.FaultMisaligned, trace.CauseMisaligned, x.Site, x.me, "with A from lane %d and D from lane %d of tensor memory on: they must be the same", at, lane)
		}
	}
	columns := x.segments()[0].columns
	for _, env := range x.envs {
		if x.a != nil && !x.u.readsMatrix(env, x.SiteA, x.me, x.a, x.op) || !x.u.readsMatrix(env, x.SiteB, x.me, x.b, x.op) {
			return false
		}
		if !x.u.within(env, x.Site, x.me, lane, column, columns) {
			return false
		}
		ranges, ok := x.inputs(env, lane)
		if !ok {
			return false
		}
		if len(ranges) > 0 {
			x.u.began(env, x.Reads, x.me, x.op, true, ranges)
		}
		x.u.began(env, x.Site, x.me, x.op, true, trace.TensorRanges(nil, x.units(lane), column, columns))
	}
	return true
}

// units are the lanes of D, and of A, as TensorRanges takes them.
func (x *tensorRun) units(lane int) uint8 {
	if x.halved() {
		return 0x55 << (lane / 16)
	}
	return 0xff
}

// input is a matrix in tensor memory that a product reads: columns from column on.
type input struct {
	column, columns int
	units           uint8
}

// inputs checks what is read of tensor memory besides D, and returns its ranges.
func (x *tensorRun) inputs(env *Block, lane int) (ranges []trace.Range, ok bool) {
	for _, in := range x.reads(lane) {
		if !x.u.within(env, x.Reads, x.me, 0, in.column, in.columns) {
			return nil, false
		}
		ranges = trace.TensorRanges(ranges, in.units, in.column, in.columns)
	}
	return ranges, true
}

func (x *tensorRun) reads(lane int) (list []input) {
	add := func(a *program.TensorAddr, columns int, units uint8) {
		_, c := x.u.address(a, x.l)
		list = append(list, input{c, columns, units})
	}
	if x.DescA == program.NoSlot {
		add(&x.A, x.storedK()*x.desc.A.Bits()/32, x.units(lane))
	}
	if x.Sparse {
		first, columns := x.metaColumns()
		add(&x.Meta, columns, x.units(lane))
		list[len(list)-1].column += first
	}
	if x.desc.Scales > 0 {
		add(&x.ScaleA, (x.rows+31)/32, 0xff)
		add(&x.ScaleB, (x.segments()[0].columns+31)/32, 0xff)
	}
	return list
}

// metaColumns are the columns of the metadata: the first one relative to its address, and their
// number.
func (x *tensorRun) metaColumns() (first, n int) {
	if x.desc.A.Bits() >= 16 {
		return x.desc.Selector, 1
	}
	return 0, 2
}

// metadata is the four bits for a chunk of a row of a sparse A whose D is in that lane (PTX ISA,
// "Sparsity selector"): of types with 16 bits and more, rows i and i+8 of each 16 share lanes, the
// lower eight for the first half of K.
func (x *tensorRun) metadata(t *tensorMemory, lane, chunk int) uint32 {
	_, column := x.u.address(&x.Meta, x.l)
	first, n := x.metaColumns()
	if n == 2 {
		return t.row(lane, column+chunk/8, 1)[0] >> (chunk % 8 * 4) & 15
	}
	at := lane&^15 + lane%8 + chunk/4*8
	return t.row(at, column+first, 1)[0] >> (lane/8%2*16 + chunk%4*4) & 15
}

// scale is scale number k of a row of A, or a column of B, of which 32 share a column of tensor
// memory; each warp's 32 lanes have all of them.
func (x *tensorRun) scale(t *tensorMemory, a *program.TensorAddr, id, quarter, i, k int) float64 {
	_, column := x.u.address(a, x.l)
	v := t.row(32*quarter+i%32, column+i/32, 1)[0] >> (8 * (id + k)) & 0xff
	return matrix.ScaleValue(v, x.desc.E8M0)
}

// fresh reports whether D starts at zero.
func (x *tensorRun) fresh() bool {
	if x.Enable == program.NoSlot {
		return x.Fresh
	}
	return (*x.u.regs.Pred(x.Enable)>>x.l&1 == 0) != x.EnableNot
}

// disabled reports whether a lane of a block of the pair is not written.
func (x *tensorRun) disabled(part, lane int) bool {
	at := part*4 + lane/32
	return at < len(x.Disabled) && x.u.regs.V32(x.Disabled[at])[x.l]>>(lane%32)&1 != 0
}
