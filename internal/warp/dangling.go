package warp

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// checkFrames reports lanes that access local memory of a function that has returned.
func (w accessFaults) checkFrames(op *program.Mem, m uint32, addr *row64, size uint64) {
	for i := range w.Prog.Frames {
		f := &w.Prog.Frames[i]
		if f.Reentrant {
			top := w.v32(w.Prog.StackTop)
			w.returned(op, f, failing(m, func(l int) bool { return addr[l] >= uint64(top[l]) && addr[l] >= uint64(w.Prog.StackBase) }), m, addr, size)
			continue
		}
		in := failing(m, func(l int) bool { return addr[l] >= f.Lo && addr[l] < f.Hi })
		if in != 0 {
			w.returned(op, f, in&^w.calling(&w.Prog.Funcs[f.Func]), m, addr, size)
		}
	}
}

// calling returns the lanes that are in a call of a function.
func (w accessFaults) calling(fn *program.Func) (m uint32) {
	for i := range w.groups {
		g := &w.groups[i]
		if g.state == groupFree {
			continue
		}
		for f := g.frame; f >= 0; f = w.frames[f].parent {
			if w.frames[f].fn == fn {
				m |= g.mask
				break
			}
		}
	}
	return m
}

// returned reports lanes that access a frame after its function has returned; of a reentrant one nothing more is known.
func (w accessFaults) returned(op *program.Mem, f *program.Frame, out, m uint32, addr *row64, size uint64) {
	on := w.Env.On.Defect
	if out == 0 || on == nil {
		return
	}
	at := addr[lowest(out)]
	d := trace.Defect{
		Kind: trace.DefectReturned, Site: op.Site, Warp: w.Index, Mask: out, Came: m, Exist: w.Exist,
		Space: trace.SpaceLocal, Addr: addr, Size: size, Func: w.Prog.Funcs[f.Func].Name, Callers: callStack(w).callers(out),
	}
	for _, v := range f.Vars {
		if !f.Reentrant && at-f.Lo >= v.Addr && at-f.Lo < v.Addr+v.Size {
			d.Meant = trace.Memory{Base: v.Addr + f.Lo, Size: v.Size, Kind: mem.Symbol.String(), Name: v.Name, Type: v.Type}
			break
		}
	}
	on(&d)
}
