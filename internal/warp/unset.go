package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// MarkUnset makes the registers undefined that the kernel may read before it writes them, in
// a warp that has started. They are zero, so that each run is the same.
func (w *Warp) MarkUnset() {
	o := w.Env.On.Undefined
	if !w.Env.undefining.on || o.Unset == nil {
		return
	}
	for i := range w.Prog.Unset {
		c := &w.Prog.Unset[i]
		var origin vec.Row32
		o.Unset(&trace.UnsetRegister{Site: c.Site, Warp: w.Index, Mask: w.Exist, Bytes: c.Width.Bytes(), Origin: (*[32]uint32)(&origin)})
		if first := origin[vec.Lowest(w.Exist)]; first == 0 {
			continue // no room
		} else if s := w.taints().shade(); c.Scalar && c.Width != alu.Pred {
			s.setScalar(c.Slot, c.Width, c.Bcast, whole(c.Width), first)
			continue
		}
		s := w.taints().shade()
		for b := w.Exist; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			s.set(c.Slot, c.Width, l, whole(c.Width), origin[l])
		}
		s.settle(c.Slot, c.Width)
	}
}
