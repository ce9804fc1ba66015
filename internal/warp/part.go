package warp

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// partBegins tells where a part of a shared array begins.
func (w *Warp) partBegins(in *Instr, m uint32) {
	if len(w.Env.OnPart) == 0 {
		return
	}
	addr := &w.Env.addr
	for b := m; b != 0; b &= b - 1 {
		l := lowest(b)
		a := uint64(0)
		if in.Dst2 == alu.Pred {
			a = *w.s64(in.A)
		} else {
			a = w.laneValue(in.A, in.Dst, l)
		}
		if spaceOf(a) == trace.SpaceShared {
			a -= mem.SharedWindow
		}
		addr[l] = a
	}
	for _, o := range w.Env.OnPart {
		o.PartBegins(&trace.PartStart{Part: int(in.X), Warp: w.Index, Mask: m, Addr: addr})
	}
}
