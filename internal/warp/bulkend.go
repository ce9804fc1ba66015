package warp

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
func (w bulkUnit) began(f *flight, env *Env, op *program.Mem, at uint64) {
	w.beganOn(f, env, op, at, nil, 0)
}

// beganOn is began for an operation that completes on the mbarrier at an offset of owner's shared memory.
func (w bulkUnit) beganOn(f *flight, env *Env, op *program.Mem, at uint64, owner *Env, bar uint64) {
	if f.number == 0 {
		f.number = w.Env.NextAsyncOp(w.Index)
	}
	env.flush()
	to := env.On.AsyncBegan
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
	to(&trace.AsyncAccess{Site: op.Site, Issuer: w.Env.Block.Index, Warp: w.Index, Mask: 1 << f.lane, Op: f.number, Ranges: list,
		OnMBarrier: owner == env, MBarrier: bar})
}

// issueLoad begins a copy to shared memory, perhaps that of several blocks.
func (w bulkUnit) issueLoad(f *flight, env *Env, at uint64) bool {
	s, l := f.op, f.lane
	bar, owner := w.shared(&s.Barrier, l)
	if owner == nil || !w.aligned(&s.Barrier, l, "mbarrier", bar, 8) || !w.within(&s.Barrier, l, bar, 8) {
		return false
	}
	dst := &s.Shared
	if s.HasPeer {
		dst = &s.Peer
	}
	if s.Mask == program.NoSlot {
		w.completeOn(f, env, owner, dst, at, bar)
		return true
	}
	for m := w.V32(s.Mask)[l] & 0xffff; m != 0; m &= m - 1 {
		rank := uint64(bits.TrailingZeros32(m))
		to := w.block(dst, l, at, rank)
		signaled := to
		if to != nil && s.Pair {
			_, parity := owner.Block.Launch.ClusterOf(owner.Block.Index)
			signaled = w.block(&s.Barrier, l, bar, rank&^1|parity&1)
		}
		if signaled == nil {
			return false
		}
		w.completeOn(f, to, signaled, dst, at, bar)
	}
	return true
}

// completeOn lets f land in block to's shared memory when owner's mbarrier is looked at.
func (w bulkUnit) completeOn(f *flight, to, owner *Env, dst *program.Mem, at, bar uint64) {
	w.beganOn(f, to, dst, at, owner, bar)
	c := &Completion{Site: dst.Site, Warp: w.Warp, Ops: []uint64{f.number}, Owner: owner, At: bar, Bytes: uint64(f.length)}
	c.Land = func() bool {
		f.land(to, at)
		w.landUndefined(f, to)
		return true
	}
	c.Defer()
}

// land does what the operation does to shared memory.
func (f *flight) land(to *Env, at uint64) {
	mem := to.Block.Shared
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
func (env *Env) wroteShared(f *flight, at uint64) {
	t := env.taint.Shared
	if !env.taint.Following || t == nil || !t.Any() {
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
func (w bulkUnit) issuePeer(f *flight, env *Env, at uint64) bool {
	src, own := w.shared(&f.op.Shared, f.lane)
	if own == nil || !w.aligned(&f.op.Shared, f.lane, "address in shared memory", src, 16) || !w.within(&f.op.Shared, f.lane, src, uint64(f.length)) {
		return false
	}
	bar, owner := w.shared(&f.op.Barrier, f.lane)
	if owner == nil || !w.aligned(&f.op.Barrier, f.lane, "mbarrier", bar, 8) || !w.within(&f.op.Barrier, f.lane, bar, 8) {
		return false
	}
	w.began(f, own, &f.op.Shared, src)
	w.began(f, env, &f.op.Peer, at)
	n := f.length
	c := &Completion{Site: f.op.Peer.Site, Warp: w.Warp, Ops: []uint64{f.number}, Owner: owner, At: bar, Bytes: uint64(n)}
	c.Land = func() bool {
		f.data = append([]byte{}, own.Block.Shared[src:][:n]...)
		f.followPeer(own, src, at, n)
		f.land(env, at)
		w.landUndefined(f, env)
		return true
	}
	c.Defer()
	return true
}

// issueStore begins a copy from the block's shared memory to global memory.
func (w bulkUnit) issueStore(f *flight, env *Env, at uint64) bool {
	if env != w.Env {
		return w.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, &f.op.Shared, f.lane, at, "from the shared memory of another block")
	}
	f.source = at
	w.began(f, env, &f.op.Shared, at)
	if !w.tellWrites(f, true) {
		return false
	}
	w.bulk.list = append(w.bulk.list, f)
	return true
}

// tellWrites reports the writes to global memory: at the issue, and once more when the
// operation completes. They may happen anywhere between.
func (w bulkUnit) tellWrites(f *flight, issue bool) bool {
	w.Env.how.data = &flightData{w, f}
	defer func() { w.Env.how = emission{} }()
	return w.touchPieces(f, issue)
}

// flightData shows observers what is written.
type flightData struct {
	w bulkUnit
	f *flight
}

// Value implements trace.Data.
func (d *flightData) Value(_, elem int) uint64 {
	at := d.w.Env.access.Addr[d.f.lane]
	n := d.w.Env.access.Site.Elem
	at += uint64(elem * n)
	for _, p := range d.f.pieces {
		if p.global != 0 && at >= p.global && at+uint64(n) <= p.global+uint64(p.n) {
			var b [8]byte
			copy(b[:n], d.f.bytes(d.w.Env, piece{p.shared + at - p.global, at, n}))
			return binary.LittleEndian.Uint64(b[:])
		}
	}
	return 0
}

// bytes are the source of a piece, as it was read or as it is now.
func (f *flight) bytes(env *Env, p piece) []byte {
	if f.data == nil {
		return env.Block.Shared[p.shared:][:p.n]
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
func (w bulkUnit) read(f *flight, m uint32) {
	if f.data != nil {
		return
	}
	if to := w.Env.On.AsyncEnded; to != nil {
		w.Env.flush()
		to(&trace.AsyncEnd{Issuer: w.Env.Block.Index, Op: f.number, SourceRead: true, Warp: w.Index, Mask: m})
	}
	w.followSource(f)
	data := []byte{}
	for _, p := range f.pieces {
		data = append(data, w.Env.Block.Shared[p.shared:][:p.n]...)
	}
	f.data = data
}

// ended tells observers that lanes have waited for the operation.
func (w bulkUnit) ended(f *flight, m uint32) {
	if to := w.Env.On.AsyncEnded; to != nil {
		w.Env.flush()
		to(&trace.AsyncEnd{Issuer: w.Env.Block.Index, Op: f.number, Warp: w.Index, Mask: m})
	}
}

// finish completes an operation to global memory.
func (w bulkUnit) finish(f *flight) bool {
	if !w.tellWrites(f, false) {
		return false
	}
	if f.data == nil {
		w.followSource(f)
	}
	for _, p := range f.pieces {
		if p.global == 0 {
			continue
		}
		src := f.bytes(w.Env, p)
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
		w.followWrite(f, p)
	}
	w.Progress++
	return true
}

func (s *bulkGroup) exec(w *Warp, m uint32) bool {
	b := &w.bulk
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
	return w.bulks().settle(m, s.Read, func(f *flight) bool {
		return f.committed && uint64(f.group)+uint64(s.Leave) < uint64(b.groups[f.lane])
	})
}

// settle completes the operations of lanes m that are due, or lets them read their sources.
func (w bulkUnit) settle(m uint32, readOnly bool, due func(*flight) bool) bool {
	b := &w.bulk
	rest := b.list[:0]
	ok := true
	for _, f := range b.list {
		switch {
		case !ok || m>>f.lane&1 == 0 || !due(f):
			rest = append(rest, f)
		case readOnly:
			w.read(f, 1<<f.lane)
			rest = append(rest, f)
		default:
			w.ended(f, 1<<f.lane)
			ok = w.finish(f)
		}
	}
	b.list = rest
	return ok
}

// settleExit completes the operations of lanes that exit: no thread has waited for them.
func (w bulkUnit) settleExit(m uint32) bool {
	b := &w.bulk
	ok := true
	b.list = slices.DeleteFunc(b.list, func(f *flight) bool {
		if m>>f.lane&1 == 0 {
			return false
		}
		ok = ok && w.finish(f)
		return true
	})
	return ok
}

// reset is for the next block.
func (b *bulkState) reset() {
	if len(b.list) > 0 || b.groups != [32]uint32{} {
		*b = bulkState{}
	}
}
