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
	t, l := w.taints(), f.lane
	if !w.Env.undefining.on || f.op.ToGlobal || !t.mustFollow(op, trace.SpaceGlobal, &w.Env.span) {
		return
	}
	n := op.Elem * op.Count
	r := t.readUndefined(op.Site, trace.SpaceGlobal, 1<<l, w.row(l, at), n)
	if r.mask == 0 {
		return
	}
	for i, bits := range r.bytes[l][:n] {
		if bits != 0 {
			f.undefined = append(f.undefined, undefinedByte{shared + uint64(i), bits, r.origin[l]})
		}
	}
}

// followBulk is for the operands of an operation: the values that st.async stores only move, red.async computes with them.
func (w taintTracker) followBulk(s *program.Bulk, m uint32) {
	rest := *s
	rest.Values = nil
	w.useStep(&rest, m)
	if s.Op == "" {
		return
	}
	for _, slot := range s.Values {
		w.useRegister(trace.UpdatesMemory, s.Peer.Site, slot, s.Width, false, m)
	}
}

// followValues notes what is undefined of the values that a lane stores from byte at of shared memory on.
func (w bulkUnit) followValues(f *flight, l int, at uint64) {
	if !w.taints().undefined() {
		return
	}
	s, n := f.op, f.op.Peer.Elem
	for i, slot := range s.Values {
		bits, origin := w.shadow.bits(slot, s.Width, l), w.shadow.origin(slot, s.Width, l)
		for k := range n {
			if b := uint8(bits >> (8 * k)); b != 0 {
				f.undefined = append(f.undefined, undefinedByte{at + uint64(i*n+k), b, origin})
			}
		}
	}
}

// followPeer notes what is undefined of n bytes that the operation copies from shared memory to that of another block.
func (f *flight) followPeer(from *Env, source, at uint64, n int) {
	if t := from.undefining.shared; from.undefining.on && t != nil && t.Any() {
		t.Each(source, uint64(n), func(b uint64, bits uint8, origin uint32) {
			f.undefined = append(f.undefined, undefinedByte{at + b - source, bits, origin})
		})
	}
}

// landUndefined makes undefined what the operation has written so to a block's shared memory.
func (w bulkUnit) landUndefined(f *flight, to *Env) {
	for _, b := range f.undefined {
		to.sharedTaint().Set(b.at, b.bits, b.origin)
	}
}

// followSource notes what is undefined of what the operation reads from shared memory.
func (w bulkUnit) followSource(f *flight) {
	if !w.taints().sharedUndefined() {
		return
	}
	for _, p := range f.pieces {
		w.Env.undefining.shared.Each(p.shared, uint64(p.n), func(at uint64, bits uint8, origin uint32) {
			f.undefined = append(f.undefined, undefinedByte{at, bits, origin})
		})
	}
}

// followWrite makes undefined what a piece has written so to global memory, and the rest of it defined. What a reduction adds an
// undefined value to becomes undefined.
func (w bulkUnit) followWrite(f *flight, p piece) {
	if !w.Env.undefining.on {
		return
	}
	t := w.taints()
	if before, _, _ := t.taintAt(trace.SpaceGlobal, f.lane, p.global); len(f.undefined) == 0 && (before == nil || !before.Any()) {
		return
	}
	kept := func(i uint64) bool { return f.fn != nil || f.keep>>((p.global+i)%16)&1 != 0 }
	if f.fn == nil {
		for i := range uint64(p.n) {
			if kept(i) {
				t.defineBytes(trace.SpaceGlobal, f.lane, p.global+i, 1)
			}
		}
	}
	for _, b := range f.undefined {
		i := b.at - p.shared
		if b.at < p.shared || i >= uint64(p.n) || !kept(i) {
			continue
		}
		if m, off, _ := t.makeTaint(trace.SpaceGlobal, f.lane, p.global+i); m != nil {
			origin := b.origin
			if o := w.Env.On.Undefined; o != nil {
				origin = o.Lasting(origin)
			}
			m.Set(off, b.bits, origin)
		}
	}
}
