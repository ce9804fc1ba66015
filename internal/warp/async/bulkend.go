package async

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// began reports to a block what the operation does to its shared memory.
func (u *Unit) began(f *flight, env *Block, op *program.Mem, at uint64) {
	u.beganOn(f, env, op, at, nil, 0)
}

// beganOn is began for an operation that completes on the mbarrier at an offset of owner's shared memory.
func (u *Unit) beganOn(f *flight, env *Block, op *program.Mem, at uint64, owner *Block, bar uint64) {
	if f.number == 0 {
		f.number = u.block.NextOp(u.warp.Number())
	}
	env.Flush()
	to := env.On().AsyncBegan
	if to == nil {
		return
	}
	var list []trace.Range
	if len(f.pieces) == 0 || f.m == nil {
		list = []trace.Range{{Addr: at, N: uint64(f.length)}}
	}
	for _, p := range f.pieces {
		if f.m == nil {
			break
		}
		if f.op.ToGlobal && p.global == 0 {
			continue // outside of the tensor: it is not read
		}
		if k := len(list) - 1; k >= 0 && list[k].Addr+list[k].N == p.shared {
			list[k].N += uint64(p.n)
		} else {
			list = append(list, trace.Range{Addr: p.shared, N: uint64(p.n)})
		}
	}
	to(&trace.AsyncAccess{Site: op.Site, Issuer: u.block.Place().Index, Warp: u.warp.Number(), Mask: 1 << f.lane, Op: f.number, Ranges: list,
		OnMBarrier: owner == env, MBarrier: bar})
}

// issueLoad begins a copy to shared memory, perhaps that of several blocks.
func (u *Unit) issueLoad(f *flight, env *Block, at uint64) bool {
	s, l := f.op, f.lane
	bar, owner := u.Shared(&s.Barrier, l)
	if owner == nil || !u.Aligned(&s.Barrier, l, "mbarrier", bar, 8) || !u.Within(&s.Barrier, l, bar, 8) {
		return false
	}
	dst := &s.Shared
	if s.HasPeer {
		dst = &s.Peer
	}
	if s.Mask == program.NoSlot {
		u.completeOn(f, env, owner, dst, at, bar)
		return true
	}
	for m := u.regs.V32(s.Mask)[l] & 0xffff; m != 0; m &= m - 1 {
		rank := uint64(bits.TrailingZeros32(m))
		to := u.OfRank(dst, l, at, rank)
		signaled := to
		if to != nil && s.Pair {
			_, parity := owner.Place().Launch.ClusterOf(owner.Place().Index)
			signaled = u.OfRank(&s.Barrier, l, bar, rank&^1|parity&1)
		}
		if signaled == nil {
			return false
		}
		u.completeOn(f, to, signaled, dst, at, bar)
	}
	return true
}

// completeOn lets f land in block to's shared memory when owner's mbarrier is looked at.
func (u *Unit) completeOn(f *flight, to, owner *Block, dst *program.Mem, at, bar uint64) {
	u.beganOn(f, to, dst, at, owner, bar)
	c := &Completion{Site: dst.Site, Warp: u, Ops: []uint64{f.number}, Owner: owner, At: bar, Bytes: uint64(f.length)}
	c.Land = func() bool {
		f.land(to, at)
		u.landUndefined(f, to)
		return true
	}
	c.Defer()
}

// land does what the operation does to shared memory.
func (f *flight) land(to *Block, at uint64) {
	mem := to.Place().Shared
	switch {
	case f.data != nil && f.fn != nil:
		for i := 0; i+f.elem <= len(f.data); i += f.elem {
			v := vec.ReadElem(unsafe.Pointer(&f.data[i]), f.elem)
			vec.Update(&program.Mem{Elem: f.elem, Fn: f.fn}, unsafe.Pointer(&mem[at+uint64(i)]), trace.SpaceShared, v, 0)
		}
	case f.data != nil:
		copy(mem[at:], f.data)
	default:
		for _, p := range f.pieces {
			dst := mem[p.shared:][:p.n]
			switch {
			case p.global != 0:
				copy(dst, deviceBytes(p.global, p.n))
				if f.m != nil {
					f.m.Convert(dst)
				}
			case f.m != nil:
				f.m.Fill(dst)
			default:
				clear(dst)
			}
		}
	}
	to.wroteShared(f, at)
}

// wroteShared makes what an operation wrote defined.
func (b *Block) wroteShared(f *flight, at uint64) {
	t := b.Taints().Shared
	if !b.Taints().Following || t == nil || !t.Any() {
		return
	}
	list := f.pieces
	if f.data != nil {
		list = []piece{{shared: at, n: len(f.data)}}
	}
	for _, p := range list {
		for i := range uint64(p.n) {
			t.Set(p.shared+i, 0, 0)
		}
	}
}

// issuePeer begins a copy from shared memory to that of a block of the cluster.
func (u *Unit) issuePeer(f *flight, env *Block, at uint64) bool {
	src, own := u.Shared(&f.op.Shared, f.lane)
	if own == nil || !u.Aligned(&f.op.Shared, f.lane, "address in shared memory", src, 16) || !u.Within(&f.op.Shared, f.lane, src, uint64(f.length)) {
		return false
	}
	bar, owner := u.Shared(&f.op.Barrier, f.lane)
	if owner == nil || !u.Aligned(&f.op.Barrier, f.lane, "mbarrier", bar, 8) || !u.Within(&f.op.Barrier, f.lane, bar, 8) {
		return false
	}
	u.began(f, own, &f.op.Shared, src)
	u.began(f, env, &f.op.Peer, at)
	n := f.length
	c := &Completion{Site: f.op.Peer.Site, Warp: u, Ops: []uint64{f.number}, Owner: owner, At: bar, Bytes: uint64(n)}
	c.Land = func() bool {
		f.data = append([]byte{}, own.Place().Shared[src:][:n]...)
		f.followPeer(own, src, at, n)
		f.land(env, at)
		u.landUndefined(f, env)
		return true
	}
	c.Defer()
	return true
}

// issueStore begins a copy from the block's shared memory to global memory.
func (u *Unit) issueStore(f *flight, env *Block, at uint64) bool {
	if env != u.block {
		return u.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, &f.op.Shared, f.lane, at, "from the shared memory of another block")
	}
	f.source = at
	u.began(f, env, &f.op.Shared, at)
	if !u.tellWrites(f, true) {
		return false
	}
	u.bulk.list = append(u.bulk.list, f)
	return true
}

// tellWrites reports the writes to global memory: at the issue, and once more when the
// operation completes. They may happen anywhere between.
func (u *Unit) tellWrites(f *flight, issue bool) bool {
	return u.touchPieces(f, issue, &flightData{u, f}, trace.Sync)
}

// flightData shows observers what is written.
type flightData struct {
	u *Unit
	f *flight
}

// Value implements trace.Data.
func (d *flightData) Value(_, elem int) uint64 {
	at := d.u.warp.Told().Addr[d.f.lane]
	n := d.u.warp.Told().Site.Elem
	at += uint64(elem * n)
	for _, p := range d.f.pieces {
		if p.global != 0 && at >= p.global && at+uint64(n) <= p.global+uint64(p.n) {
			var b [8]byte
			copy(b[:n], d.f.bytes(d.u.block, piece{p.shared + at - p.global, at, n}))
			return binary.LittleEndian.Uint64(b[:])
		}
	}
	return 0
}

// bytes are the source of a piece, as it was read or as it is now.
func (f *flight) bytes(env *Block, p piece) []byte {
	if f.data == nil {
		return env.Place().Shared[p.shared:][:p.n]
	}
	at := 0
	for _, q := range f.pieces {
		if p.shared >= q.shared && p.shared+uint64(p.n) <= q.shared+uint64(q.n) {
			return f.data[at+int(p.shared-q.shared):][:p.n]
		}
		at += q.n
	}
	return nil
}

// read takes the operation's source out of shared memory.
func (u *Unit) read(f *flight, m uint32) {
	if f.data != nil {
		return
	}
	if to := u.block.On().AsyncEnded; to != nil {
		u.block.Flush()
		to(&trace.AsyncEnd{Issuer: u.block.Place().Index, Op: f.number, SourceRead: true, Warp: u.warp.Number(), Mask: m})
	}
	u.followSource(f)
	data := []byte{}
	for _, p := range f.pieces {
		data = append(data, u.block.Place().Shared[p.shared:][:p.n]...)
	}
	f.data = data
}

// ended tells observers that lanes have waited for the operation.
func (u *Unit) ended(f *flight, m uint32) {
	if to := u.block.On().AsyncEnded; to != nil {
		u.block.Flush()
		to(&trace.AsyncEnd{Issuer: u.block.Place().Index, Op: f.number, Warp: u.warp.Number(), Mask: m})
	}
}

// finish completes an operation to global memory.
func (u *Unit) finish(f *flight) bool {
	if !u.tellWrites(f, false) {
		return false
	}
	if f.data == nil {
		u.followSource(f)
	}
	for _, p := range f.pieces {
		if p.global == 0 {
			continue
		}
		src := f.bytes(u.block, p)
		dst := deviceBytes(p.global, p.n)
		switch {
		case f.fn != nil:
			for i := 0; i+f.elem <= len(src); i += f.elem {
				v := vec.ReadElem(unsafe.Pointer(&src[i]), f.elem)
				vec.Update(&program.Mem{Elem: f.elem, Fn: f.fn}, unsafe.Pointer(&dst[i]), trace.SpaceGlobal, v, 0)
			}
		case f.keep == 0xffff:
			copy(dst, src)
		default:
			for i := range src {
				if f.keep>>((p.global+uint64(i))%16)&1 != 0 {
					dst[i] = src[i]
				}
			}
		}
		u.followWrite(f, p)
	}
	u.did.Progress++
	return true
}

func (s *bulkGroup) exec(u *Unit, m uint32) bool {
	b := &u.bulk
	if s.Commit {
		for _, f := range b.list {
			if m>>f.lane&1 != 0 && !f.committed {
				f.committed, f.group = true, b.groups[f.lane]
			}
		}
		for k := m; k != 0; k &= k - 1 {
			b.groups[vec.Lowest(k)&31]++
		}
		return true
	}
	return u.settle(m, s.Read, func(f *flight) bool {
		return f.committed && uint64(f.group)+uint64(s.Leave) < uint64(b.groups[f.lane])
	})
}

// settle completes the operations of lanes m that are due, or lets them read their sources.
func (u *Unit) settle(m uint32, readOnly bool, due func(*flight) bool) bool {
	b := &u.bulk
	rest := b.list[:0]
	ok := true
	for _, f := range b.list {
		switch {
		case !ok || m>>f.lane&1 == 0 || !due(f):
			rest = append(rest, f)
		case readOnly:
			u.read(f, 1<<f.lane)
			rest = append(rest, f)
		default:
			u.ended(f, 1<<f.lane)
			ok = u.finish(f)
		}
	}
	b.list = rest
	return ok
}

// settleBulk completes the operations of lanes that exit: no thread has waited for them.
func (u *Unit) settleBulk(m uint32) bool {
	b := &u.bulk
	ok := true
	b.list = slices.DeleteFunc(b.list, func(f *flight) bool {
		if m>>f.lane&1 == 0 {
			return false
		}
		ok = ok && u.finish(f)
		return true
	})
	return ok
}
