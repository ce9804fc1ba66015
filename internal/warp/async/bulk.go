package async

import (
	"encoding/binary"
	"errors"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/tensormap"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

func (s *bulkOp) exec(u *Unit, m uint32) bool {
	ticks := u.warp.Ticks()
	begin, end := *ticks, *ticks
	for b := m; b != 0; b &= b - 1 {
		*ticks = begin // as of one instruction
		if !u.issue(s, vec.Lowest(b)&31) {
			return false
		}
		end = max(end, *ticks)
	}
	*ticks = end
	u.did.Progress++
	return true
}

// address is lane l's address of an operand.
func (u *Unit) address(op *program.Mem, l int) uint64 {
	a, s := u.warp.AddressesOf(op, 1<<l)
	if s.Regular && s.Step == 0 {
		return s.Lo
	}
	return a[l]
}

// Shared is lane l's offset in shared memory of an operand, and the block that it is of; nil
// after a fault.
func (u *Unit) Shared(op *program.Mem, l int) (uint64, *Block) {
	a := u.address(op, l)
	if a-mem.SharedWindow < mem.SharedWindowSize {
		a -= mem.SharedWindow
	}
	if a >= mem.SharedWindowSize {
		u.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, op, l, a, "of address %#x, which is not in shared memory", a)
		return 0, nil
	}
	env := u.block
	rank := a >> mem.ClusterShift
	if rank == 0 {
		return a, env
	}
	a &= mem.ClusterStride - 1
	return a, u.OfRank(op, l, a, rank-1)
}

// OfRank is the block of a rank; nil after a fault.
func (u *Unit) OfRank(op *program.Mem, l int, at, rank uint64) *Block {
	to, exists := u.block.Rank(rank)
	if to != nil {
		return to
	}
	if exists {
		u.warp.OwnerEnded(op, 1<<l, u.row(l, at), rank)
		return nil
	}
	u.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, op, l, at, "to block rank %d, which the cluster does not have", rank)
	return nil
}

// row is the scratch for addresses with that of one lane.
func (u *Unit) row(l int, at uint64) *vec.Row64 {
	u.addr[l] = at
	return &u.addr
}

// misuse records that lane l executes the instruction wrongly.
func (u *Unit) misuse(kind trace.FaultKind, cause trace.Cause, op *program.Mem, l int, addr uint64, format string, args ...any) bool {
	f := u.warp.Fault(kind, cause, op.Site, 1<<l, op.Site.Opcode()+" "+format, args...)
	f.Addr, f.Size, f.Space, f.Access = addr, op.Elem*op.Count, op.Space, op.Site.Kind
	return false
}

// Aligned refuses an address that is not a multiple of n.
func (u *Unit) Aligned(op *program.Mem, l int, what string, addr, n uint64) bool {
	if addr%n == 0 {
		return true
	}
	return u.misuse(trace.FaultMisaligned, trace.CauseMisaligned, op, l, addr, "with its %s at %#x, which is not a multiple of %d", what, addr, n)
}

// Within refuses n bytes at an offset of shared memory that it does not have.
func (u *Unit) Within(op *program.Mem, l int, at, n uint64) bool {
	size := uint64(len(u.block.Place().Shared))
	if at+n <= size && at+n >= at {
		return true
	}
	at = max(at, size-min(n, size)) // outOfShared looks at one address
	if f := u.warp.OutOfShared(op, 1<<l, u.row(l, at), n); f != nil {
		f.Size = int(n)
	}
	return false
}

// issue begins the operation of lane l.
func (u *Unit) issue(s *bulkOp, l int) bool {
	f := &flight{op: s, lane: l, keep: 0xffff}
	if s.Bytes != program.NoSlot {
		f.keep = u.regs.V32(s.Bytes)[l]
	}
	own := &s.Shared
	if s.HasPeer {
		own = &s.Peer
	}
	at, env := u.Shared(own, l)
	if env != nil && s.HasPeer && u.block.Place().Launch.Cluster.Size() == 0 {
		return u.misuse(trace.FaultOutOfBounds, trace.CauseNoCluster, own, l, at, "to shared memory of a cluster, in a launch without clusters (an illegal instruction on GPUs of sm_90)")
	}
	if env == nil || !u.plan(f, l, at) || !u.Within(own, l, at, uint64(f.length)) {
		return false
	}
	if !s.ToGlobal && !u.reads(f) {
		return false
	}
	switch {
	case s.ToGlobal:
		return u.issueStore(f, env, at)
	case s.HasPeer && len(s.Values) == 0:
		return u.issuePeer(f, env, at)
	}
	return u.issueLoad(f, env, at)
}

// plan finds what the operation moves, at an offset of shared memory.
func (u *Unit) plan(f *flight, l int, at uint64) bool {
	s := f.op
	if s.Op != "" {
		f.typ = s.Type
	}
	switch {
	case s.HasMap:
		if !u.planTensor(f, l, at) {
			return false
		}
	case len(s.Values) > 0:
		f.length = s.Peer.Elem * len(s.Values)
		f.data = make([]byte, f.length)
		for i, slot := range s.Values {
			v := u.regs.LaneValue(slot, s.Width, l)
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], v)
			copy(f.data[i*s.Peer.Elem:], b[:s.Peer.Elem])
		}
		u.followValues(f, l, at)
		if !u.Aligned(&s.Peer, l, "destination", at, uint64(f.length)) {
			return false
		}
	default:
		if !u.planLinear(f, l, at) {
			return false
		}
	}
	if s.Op == "" {
		return true
	}
	f.fn = program.AtomicFunc(s.Op, f.typ)
	switch f.elem = typeSize(f.typ); {
	case f.fn == nil || f.elem == 0 || f.elem == 1, f.m != nil && f.typ == "s64" && bitOps[s.Op]:
		return u.misuse(trace.FaultUnsupported, trace.CauseTensorMap, &s.Shared, l, at, "of type %s has no %s", f.typ, s.Op)
	}
	return true
}

// bitOps are the reductions that tensors of s64 do not have, by what a GPU does.
var bitOps = map[string]bool{"and": true, "or": true, "xor": true}

// typeSize is the bytes of a type of a reduction.
func typeSize(t string) int {
	switch t {
	case "f16", "bf16", "u16":
		return 2
	case "b64", "u64", "s64", "f64":
		return 8
	case "u8":
		return 1
	}
	return 4
}

// planLinear plans cp.async.bulk (PTX ISA: addresses and the size are multiples of 16).
func (u *Unit) planLinear(f *flight, l int, at uint64) bool {
	s := f.op
	n := uint64(u.regs.V32(s.Size)[l])
	own := &s.Shared
	if s.HasPeer {
		own = &s.Peer
	}
	if n%16 != 0 {
		return u.misuse(trace.FaultMisaligned, trace.CauseBulkSize, own, l, at, "of %d bytes, which is not a multiple of 16", n)
	}
	if !u.Aligned(own, l, "address in shared memory", at, 16) {
		return false
	}
	f.length = int(min(n, mem.ClusterStride))
	if s.HasPeer {
		return true
	}
	g := &s.Global[0]
	from := u.address(g, l)
	if vec.SpaceOf(from) != trace.SpaceGlobal {
		return u.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, g, l, from, "of address %#x, which is not in global memory", from)
	}
	if !u.Aligned(g, l, "address in global memory", from, 16) {
		return false
	}
	if !u.Within(own, l, at, n) {
		return false
	}
	f.pieces = append(f.pieces, piece{at, from, f.length})
	return true
}

// planTensor plans an operation with a tensor map.
func (u *Unit) planTensor(f *flight, l int, at uint64) bool {
	s := f.op
	m := u.readMap(f, l)
	if m == nil {
		return false
	}
	a := tensormap.Access{Map: m, Store: s.ToGlobal}
	bad := func(format string, args ...any) bool {
		return u.misuse(trace.FaultOutOfBounds, trace.CauseTensorMap, &s.Map, l, u.address(&s.Map, l), "with a tensor map that it cannot use: "+format, args...)
	}
	coord := func(i int) int64 { return int64(int32(u.regs.V32(s.Coord[i])[l])) }
	switch {
	case m.Mode != s.Mode:
		return bad("the instruction and the map differ in mode (.tile, .im2col)")
	case s.Gather && m.Rank != 2, !s.Gather && m.Rank != len(s.Coord):
		return bad("it has %d dimensions", m.Rank)
	case s.Gather:
		if m.Box[1] != 1 {
			return bad("gather4 and scatter4 need a box of one row, not of %d", m.Box[1])
		}
		a.At[0] = coord(0)
		for i := range 4 {
			a.Rows = append(a.Rows, coord(i+1))
		}
	default:
		for i := range s.Coord {
			a.At[i] = coord(i)
		}
	}
	for i, slot := range s.Offsets[:min(3, len(s.Offsets))] {
		a.Offsets[i] = int64(u.regs.V32(slot)[l] & 0xffff)
	}
	if err := a.Check(); errors.As(err, new(tensormap.CoordinateError)) {
		return u.misuse(trace.FaultMisaligned, trace.CauseTensorCoordinate, &s.Map, l, u.address(&s.Map, l), "with %v (an illegal instruction on GPUs of sm_90)", err)
	} else if err != nil {
		return bad("%v", err)
	}
	if !u.Aligned(&s.Shared, l, "address in shared memory", at, sharedAlign(m)) {
		return false
	}
	if s.Op != "" {
		f.typ = m.Type.String()
	}
	f.m, f.length = m, a.Bytes()
	if f.length > int(mem.ClusterStride) || !u.Within(&s.Shared, l, at, uint64(f.length)) {
		return u.Within(&s.Shared, l, at, uint64(f.length))
	}
	a.Each(func(r tensormap.Run) { f.addRun(at, r) })
	f.length = a.Data()
	return true
}

// sharedAlign is the alignment of a tile in shared memory (PTX ISA, "cp.async.bulk.tensor":
// 128 bytes; Programming Guide, "TMA Swizzle").
func sharedAlign(*tensormap.Map) uint64 { return 128 }

// addRun adds the pieces of a row.
func (f *flight) addRun(at uint64, r tensormap.Run) {
	unit := f.m.Pieces()
	if f.m.Swizzle == 0 { // a whole row is one piece
		unit = r.Bytes
	}
	for from := 0; from < r.Bytes; from += unit {
		to := min(from+unit, r.Bytes)
		shared := f.m.Place(at + uint64(r.Shared+from))
		lo, hi := max(from, r.From), min(to, r.To)
		if lo >= hi {
			f.add(piece{shared, 0, to - from})
			continue
		}
		f.add(piece{shared, 0, lo - from})
		f.add(piece{shared + uint64(lo-from), r.Global + uint64(lo-r.From), hi - lo})
		f.add(piece{shared + uint64(hi-from), 0, to - hi})
	}
}

func (f *flight) add(p piece) {
	if p.n > 0 {
		f.pieces = append(f.pieces, p)
	}
}

// readMap reads the tensor map of lane l, which may be in global, constant or parameter
// memory (PTX ISA, "cp.async.bulk.tensor").
func (u *Unit) readMap(f *flight, l int) *tensormap.Map {
	op := &f.op.Map
	at := u.address(op, l)
	if !u.Aligned(op, l, "tensor map", at, tensormap.Align) {
		return nil
	}
	var b [tensormap.Size]byte
	switch sp := vec.SpaceOf(at); sp {
	case trace.SpaceParam:
		off := at - mem.ParamWindow
		if off+tensormap.Size > uint64(len(u.warp.Params())) {
			u.misuse(trace.FaultOutOfBounds, trace.CauseTensorMap, op, l, at, "with a tensor map beyond the %d bytes of kernel parameters", len(u.warp.Params()))
			return nil
		}
		copy(b[:], u.warp.Params()[off:])
	case trace.SpaceGlobal:
		for i := uint64(0); i < tensormap.Size; i += 16 {
			if ok, there := u.touch(op, l, at+i, nil, trace.Sync); !ok || !there {
				return nil
			}
		}
		copy(b[:], deviceBytes(at, tensormap.Size))
	case trace.SpaceLocal: // a compiler without __grid_constant__ copies the parameter
		if off := at - mem.LocalWindow; !u.warp.ReadLocal(b[:], off, l) {
			u.misuse(trace.FaultOutOfBounds, trace.CauseTensorMap, op, l, off, "with a tensor map beyond the thread's local memory")
			return nil
		}
	default:
		u.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, op, l, at, "with a tensor map in %s memory: it must be in global or constant memory, or a __grid_constant__ parameter", sp)
		return nil
	}
	m, err := tensormap.Decode(&b)
	if err != nil {
		u.misuse(trace.FaultOutOfBounds, trace.CauseTensorMap, op, l, at, "with a tensor map at %#x that is not valid: %v", at, err)
		return nil
	}
	return m
}

// touch reports one access to global memory of lane l. there is false if it is refused, and
// ok if the block ends.
func (u *Unit) touch(op *program.Mem, l int, at uint64, data trace.Data, async trace.Async) (ok, there bool) {
	row := u.row(l, at)
	u.span = vec.Span{Lo: at, Hi: at, Or: at, Base: at}
	rest, ok := u.warp.AccessSome(op, trace.SpaceGlobal, 1<<l, row, &u.span, data, async)
	return ok, rest != 0
}

// reads reports the reads of global memory.
func (u *Unit) reads(f *flight) bool {
	return u.touchPieces(f, true, nil, trace.AsyncIssue)
}

// touchPieces reports the accesses to global memory; what is refused is filled, or not
// written.
func (u *Unit) touchPieces(f *flight, drop bool, data trace.Data, async trace.Async) bool {
	var kept []piece
	for _, p := range f.pieces {
		if p.global == 0 {
			kept = append(kept, p)
			continue
		}
		for at, end := p.global, p.global+uint64(p.n); at < end; {
			op := f.access(at, int(end-at))
			ok, there := u.touch(op, f.lane, at, data, async)
			if !ok {
				return false
			}
			n := uint64(op.Elem * op.Count)
			part := piece{p.shared + at - p.global, at, int(n)}
			if !there {
				part.global = 0
			} else {
				u.followRead(f, op, at, part.shared)
			}
			kept = mergePieces(kept, part)
			at += n
		}
	}
	if drop {
		f.pieces = kept
	}
	return true
}

// mergePieces adds a piece, to the last one where they lie together.
func mergePieces(list []piece, p piece) []piece {
	if k := len(list) - 1; k >= 0 {
		q := &list[k]
		if q.shared+uint64(q.n) == p.shared && (q.global == 0) == (p.global == 0) && (p.global == 0 || q.global+uint64(q.n) == p.global) {
			q.n += p.n
			return list
		}
	}
	return append(list, p)
}

// access is the operand for the next access to n bytes of global memory.
func (f *flight) access(at uint64, n int) *program.Mem {
	for i := range f.op.Global {
		op := &f.op.Global[i]
		size := op.Elem * op.Count
		if size <= n && at%uint64(size) == 0 && (f.elem == 0 || f.elem == size) {
			return op
		}
	}
	return &f.op.Global[len(f.op.Global)-1]
}
