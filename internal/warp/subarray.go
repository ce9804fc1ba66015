package warp

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// subarrayBegins tells where a subarray of a shared array begins.
func (w *Warp) subarrayBegins(in *program.Instr, m uint32) {
	f := w.Env.On.SubarrayBegins
	if f == nil {
		return
	}
	addr := &w.Env.addr
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		a := uint64(0)
		if in.Dst2 == alu.Pred {
			a = *w.S64(in.A)
		} else {
			a = w.LaneValue(in.A, in.Dst, l)
		}
		if vec.SpaceOf(a) == trace.SpaceShared {
			a -= mem.SharedWindow
		}
		addr[l] = a
	}
	f(&trace.SubarrayStart{Subarray: int(in.X), Warp: w.Index, Mask: m, Addr: addr})
}
