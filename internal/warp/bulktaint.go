package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// undefinedByte is a byte in shared memory that a bulk operation reads or writes, of which bits are undefined.
type undefinedByte struct {
	at     uint64
	bits   uint8
	origin uint32
}

// followRead notes what is undefined of an access to global memory that was just checked, and where it will be in shared memory.
func (w bulkUnit) followRead(f *flight, op *program.Mem, at, shared uint64) {
	t, l := &w.taint, f.lane
	if !w.Env.taint.Following || f.op.ToGlobal || !t.MustFollow(op, trace.SpaceGlobal, &w.Env.span) {
		return
	}
	n := op.Elem * op.Count
	r := t.ReadUndefined(op.Site, trace.SpaceGlobal, 1<<l, w.row(l, at), n)
	if r.Mask == 0 {
		return
	}
	for i, bits := range r.Bytes[l][:n] {
		if bits != 0 {
			f.undefined = append(f.undefined, undefinedByte{shared + uint64(i), bits, r.Origin[l]})
		}
	}
}

// followValues notes what is undefined of the values that a lane stores from byte at of shared memory on.
func (w bulkUnit) followValues(f *flight, l int, at uint64) {
	if !w.taint.Undefined() {
		return
	}
	s, n := f.op, f.op.Peer.Elem
	for i, slot := range s.Values {
		bits, origin := w.taint.Shadow().Bits(slot, s.Width, l), w.taint.Shadow().Origin(slot, s.Width, l)
		for k := range n {
			if b := uint8(bits >> (8 * k)); b != 0 {
				f.undefined = append(f.undefined, undefinedByte{at + uint64(i*n+k), b, origin})
			}
		}
	}
}

// followPeer notes what is undefined of n bytes that the operation copies from shared memory to that of another block.
func (f *flight) followPeer(from *Env, source, at uint64, n int) {
	if t := from.taint.Shared; from.taint.Following && t != nil && t.Any() {
		t.Each(source, uint64(n), func(b uint64, bits uint8, origin uint32) {
			f.undefined = append(f.undefined, undefinedByte{at + b - source, bits, origin})
		})
	}
}

// landUndefined makes undefined what the operation has written so to a block's shared memory.
func (w bulkUnit) landUndefined(f *flight, to *Env) {
	for _, b := range f.undefined {
		to.taint.MakeShared().Set(b.at, b.bits, b.origin)
	}
}

// followSource notes what is undefined of what the operation reads from shared memory.
func (w bulkUnit) followSource(f *flight) {
	if !w.taint.SharedUndefined() {
		return
	}
	for _, p := range f.pieces {
		w.Env.taint.Shared.Each(p.shared, uint64(p.n), func(at uint64, bits uint8, origin uint32) {
			f.undefined = append(f.undefined, undefinedByte{at, bits, origin})
		})
	}
}

// followWrite makes undefined what a piece has written so to global memory, and the rest of it defined. What a reduction adds an
// undefined value to becomes undefined.
func (w bulkUnit) followWrite(f *flight, p piece) {
	if !w.Env.taint.Following {
		return
	}
	t := &w.taint
	if before, _, _ := t.TaintAt(trace.SpaceGlobal, f.lane, p.global); len(f.undefined) == 0 && (before == nil || !before.Any()) {
		return
	}
	kept := func(i uint64) bool { return f.fn != nil || f.keep>>((p.global+i)%16)&1 != 0 }
	if f.fn == nil {
		for i := range uint64(p.n) {
			if kept(i) {
				t.DefineBytes(trace.SpaceGlobal, f.lane, p.global+i, 1)
			}
		}
	}
	for _, b := range f.undefined {
		i := b.at - p.shared
		if b.at < p.shared || i >= uint64(p.n) || !kept(i) {
			continue
		}
		if m, off, _ := t.MakeTaint(trace.SpaceGlobal, f.lane, p.global+i); m != nil {
			origin := b.origin
			if o := w.Env.On.Undefined; o != nil {
				origin = o.Lasting(origin)
			}
			m.Set(off, b.bits, origin)
		}
	}
}
