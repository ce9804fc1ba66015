package async

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// followRead notes what is undefined of an access to global memory that was just checked, and where it will be in shared memory.
func (u *Unit) followRead(f *flight, op *program.Mem, at, shared uint64) {
	t, l := u.taint, f.lane
	if !u.warp.Following() || f.op.ToGlobal || !t.MustFollow(op, trace.SpaceGlobal, &u.span) {
		return
	}
	n := op.Elem * op.Count
	r := t.ReadUndefined(op.Site, trace.SpaceGlobal, 1<<l, u.row(l, at), n)
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
func (u *Unit) followValues(f *flight, l int, at uint64) {
	if !u.taint.Undefined() {
		return
	}
	s, n := f.op, f.op.Peer.Elem
	for i, slot := range s.Values {
		bits, origin := u.taint.Shadow().Bits(slot, s.Width, l), u.taint.Shadow().Origin(slot, s.Width, l)
		for k := range n {
			if b := uint8(bits >> (8 * k)); b != 0 {
				f.undefined = append(f.undefined, undefinedByte{at + uint64(i*n+k), b, origin})
			}
		}
	}
}

// followPeer notes what is undefined of n bytes that the operation copies from shared memory to that of another block.
func (f *flight) followPeer(from *Block, source, at uint64, n int) {
	if t := from.Taints().Shared; from.Taints().Following && t != nil && t.Any() {
		t.Each(source, uint64(n), func(b uint64, bits uint8, origin uint32) {
			f.undefined = append(f.undefined, undefinedByte{at + b - source, bits, origin})
		})
	}
}

// landUndefined makes undefined what the operation has written so to a block's shared memory.
func (u *Unit) landUndefined(f *flight, to *Block) {
	for _, b := range f.undefined {
		to.Taints().MakeShared().Set(b.at, b.bits, b.origin)
	}
}

// followSource notes what is undefined of what the operation reads from shared memory.
func (u *Unit) followSource(f *flight) {
	if !u.taint.SharedUndefined() {
		return
	}
	for _, p := range f.pieces {
		u.block.Taints().Shared.Each(p.shared, uint64(p.n), func(at uint64, bits uint8, origin uint32) {
			f.undefined = append(f.undefined, undefinedByte{at, bits, origin})
		})
	}
}

// followWrite makes undefined what a piece has written so to global memory, and the rest of it defined. What a reduction adds an
// undefined value to becomes undefined.
func (u *Unit) followWrite(f *flight, p piece) {
	if !u.warp.Following() {
		return
	}
	t := u.taint
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
			if o := u.block.On().Undefined; o != nil {
				origin = o.Lasting(origin)
			}
			m.Set(off, b.bits, origin)
		}
	}
}
