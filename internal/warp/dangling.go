package warp

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// endedScope is the lanes in which the scope of a variable has ended, and where it last did.
type endedScope struct {
	lanes uint32
	at    *trace.Site
}

type scopeMark program.ScopeMark

// exec notes that a scope begins or ends.
func (s *scopeMark) exec(w *Warp, m uint32) bool {
	if len(w.ended) == 0 {
		w.ended = make([]endedScope, len(w.Prog.Scopes))
	}
	e := &w.ended[s.Scope]
	if s.Ends {
		e.lanes, e.at = e.lanes|m, s.Site
	} else {
		e.lanes &^= m
	}
	return true
}

// checkLifetimes reports lanes that access a local variable which has ended. With a function all of its scopes end.
func (w *Warp) checkLifetimes(op *program.Mem, m uint32, addr *vec.Row64, size uint64) {
	if op.From == 0 {
		m &^= w.checkFrames(op, m, addr, size)
	}
	w.checkScopes(op, m, addr, size)
}

// checkScopes reports lanes that access a local variable whose scope has ended.
func (w *Warp) checkScopes(op *program.Mem, m uint32, addr *vec.Row64, size uint64) {
	for i := range w.ended {
		e, s := &w.ended[i], &w.Prog.Scopes[i]
		out := vec.Failing(m&e.lanes, func(l int) bool { return addr[l]-s.Addr < s.Size })
		if out == 0 {
			continue
		}
		w.Env.On.Defect(&trace.Defect{
			Kind: trace.DefectScopeEnded, Site: op.Site, Warp: w.Index, Mask: out, Came: m, Exist: w.Exist,
			Space: trace.SpaceLocal, Addr: addr, Size: size, Callers: w.callers(out), End: e.at,
			Meant: trace.Memory{Base: s.Addr, Size: s.Size, Kind: mem.Symbol.String(), Name: s.Name, Type: s.Type},
		})
	}
}

// checkFrames reports lanes that access local memory of a function that has returned, and returns them.
func (w *Warp) checkFrames(op *program.Mem, m uint32, addr *vec.Row64, size uint64) (dangling uint32) {
	for i := range w.Prog.Frames {
		f := &w.Prog.Frames[i]
		var out uint32
		if f.Reentrant {
			top := w.V32(w.Prog.StackTop)
			out = vec.Failing(m, func(l int) bool { return addr[l] >= uint64(top[l]) && addr[l] >= uint64(w.Prog.StackBase) })
		} else if in := vec.Failing(m, func(l int) bool { return addr[l] >= f.Lo && addr[l] < f.Hi }); in != 0 {
			out = in &^ w.calling(&w.Prog.Funcs[f.Func])
		}
		w.returned(op, f, out, m, addr, size)
		dangling |= out
	}
	return dangling
}

// calling returns the lanes that are in a call of a function.
func (w *Warp) calling(fn *program.Func) (m uint32) {
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
func (w *Warp) returned(op *program.Mem, f *program.Frame, out, m uint32, addr *vec.Row64, size uint64) {
	on := w.Env.On.Defect
	if out == 0 || on == nil {
		return
	}
	at := addr[vec.Lowest(out)]
	d := trace.Defect{
		Kind: trace.DefectReturned, Site: op.Site, Warp: w.Index, Mask: out, Came: m, Exist: w.Exist,
		Space: trace.SpaceLocal, Addr: addr, Size: size, Func: w.Prog.Funcs[f.Func].Name, Callers: w.callers(out),
	}
	for _, v := range f.Vars {
		if !f.Reentrant && at-f.Lo >= v.Addr && at-f.Lo < v.Addr+v.Size {
			d.Meant = trace.Memory{Base: v.Addr + f.Lo, Size: v.Size, Kind: mem.Symbol.String(), Name: v.Name, Type: v.Type}
			break
		}
	}
	on(&d)
}
