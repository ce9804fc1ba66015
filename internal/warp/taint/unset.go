package taint

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// MarkUnset makes the registers undefined that the kernel may read before it writes them, in
// a warp that has started. They are zero, so that each run is the same.
func (tr *Tracker) MarkUnset(exist uint32) {
	o := tr.warp.Observer().Undefined
	if !tr.block.Following || o.Unset == nil {
		return
	}
	for i := range tr.prog.Unset {
		c := &tr.prog.Unset[i]
		var origin vec.Row32
		o.Unset(&trace.UnsetRegister{Site: c.Site, Warp: tr.warp.Number(), Mask: exist, Bytes: c.Width.Bytes(), Origin: (*[32]uint32)(&origin)})
		if first := origin[vec.Lowest(exist)]; first == 0 {
			continue // no room
		} else if s := tr.Shade(); c.Scalar && c.Width != alu.Pred {
			s.setScalar(c.Slot, c.Width, c.Bcast, whole(c.Width), first)
			continue
		}
		s := tr.Shade()
		for b := exist; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			s.Set(c.Slot, c.Width, l, whole(c.Width), origin[l])
		}
		s.Settle(c.Slot, c.Width)
	}
}
