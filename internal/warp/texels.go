package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Touch tells the observers that lanes m access texels in memory.
func (w *Warp) Touch(op *program.Mem, m uint32, addr *vec.Row64, data trace.Data) {
	env := w.Env
	env.how.data = data
	env.span.Measure(addr, m)
	if env.MarksWritten {
		env.taint.Found.Mask = 0
		w.initialize(op, m, addr, &env.span, uint64(op.Site.Size))
		w.taint.FollowTexels(op, m, addr)
	}
	if env.On.Global != nil {
		w.emit(op, trace.SpaceGlobal, m, addr, &env.span, env.On.Global)
	}
	env.how.data = nil
}

// Watched reports whether accesses to global memory are of interest.
func (w *Warp) Watched() bool { return w.Env.On.Global != nil || w.Env.MarksWritten }
