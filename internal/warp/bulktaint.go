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

// landUndefined makes undefined what the operation has written so to the block's shared memory. Values in the shared memory of other
// blocks are not followed.
func (w bulkUnit) landUndefined(f *flight, to *Env) {
	if len(f.undefined) == 0 || to != w.Env {
		return
	}
	for _, b := range f.undefined {
		t, off, _ := w.taints().makeTaint(trace.SpaceShared, f.lane, b.at)
		t.Set(off, b.bits, b.origin)
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
