package warp

import (
	"fmt"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// table branches by index with lanes m: lanes with the same target go
// together, those that the guard leaves out continue.
func (w *Warp) table(gi int32, in *program.Instr, m uint32) bool {
	t := &w.Prog.Tables[in.X]
	idx := *w.V32(in.A)
	if off := w.groups[gi].mask &^ m; off != 0 {
		w.diverge(gi, off, w.groups[gi].pc, -1, t.Meet)
	}
	for {
		g := &w.groups[gi]
		first := idx[vec.Lowest(g.mask)]
		if int(first) >= len(t.Targets) {
			w.Fault(trace.FaultTrap, trace.CauseBranchIndex, in.Site, g.mask, "brx.idx with index %d, but the table has %d targets", first, len(t.Targets))
			return false
		}
		var same uint32
		for b := g.mask; b != 0; b &= b - 1 {
			if l := vec.Lowest(b); idx[l] == first {
				same |= 1 << l
			}
		}
		if same == g.mask {
			g.pc = t.Targets[first]
			return true
		}
		// The lanes of this target become a group; the rest look again.
		w.part(gi, same, in.Site)
		w.diverge(gi, same, t.Targets[first], -1, t.Meet)
	}
}

// call enters a function with lanes m of the group.
func (w *Warp) call(gi int32, in *program.Instr, m uint32) bool {
	c := &w.Prog.Calls[in.X]
	if m != w.groups[gi].mask {
		w.splitOff(gi, m)
	}
	fn := c.Func
	if in.Op == program.OpCallIndirect {
		var ok bool
		if fn, ok = w.indirect(gi, in); !ok {
			return false
		}
	}
	return w.enter(gi, in, c, &w.Prog.Funcs[fn])
}

// splitOff leaves only lanes m in the group; the others wait at the next
// step, which is a reconvergence point.
func (w *Warp) splitOff(gi int32, m uint32) {
	g := &w.groups[gi]
	g.join = w.newJoin(join{rpc: g.pc, expected: g.mask, arrived: g.mask &^ m, parent: g.join, frame: g.frame})
	g.mask = m
}

// indirect picks the lanes that call the same function as the first one; the
// others become a group that executes the call again.
func (w *Warp) indirect(gi int32, in *program.Instr) (int, bool) {
	g := &w.groups[gi]
	addr := w.V64(in.A)
	first := addr[vec.Lowest(g.mask)]
	var same uint32
	for b := g.mask; b != 0; b &= b - 1 {
		if l := vec.Lowest(b); addr[l] == first {
			same |= 1 << l
		}
	}
	fn, ok := w.Prog.FuncAt[first]
	if !ok {
		f := w.Fault(trace.FaultOutOfBounds, trace.CauseCallTarget, in.Site, same, "call through %#x, which is not the address of a function", first)
		f.Addr = first
		f.Notes = append(f.Notes, describeTarget(w.Env.Arena, first))
		return 0, false
	}
	if why := mismatch(&w.Prog.Calls[in.X], &w.Prog.Funcs[fn]); why != "" {
		w.Fault(trace.FaultOutOfBounds, trace.CauseCallType, in.Site, same, "call of %s through a pointer of another type: %s", w.Prog.Funcs[fn].Name, why).Addr = first
		return 0, false
	}
	if same != g.mask {
		rest := g.mask &^ same
		if g.join < 0 || w.joins[g.join].rpc != g.pc {
			g.join = w.newJoin(join{rpc: g.pc, expected: g.mask, parent: g.join, frame: g.frame})
		}
		w.part(gi, same, in.Site)
		again := group{pc: g.pc - 1, mask: rest, join: g.join, frame: g.frame, split: g.split}
		g.mask = same
		w.spawn(again)
	}
	return fn, true
}

// mismatch says how a call's arguments and results differ from a function's; ""
// if they do not. A result may be left unused.
func mismatch(c *program.Call, fn *program.Func) string {
	if len(c.Args) != len(fn.Params) {
		return fmt.Sprintf("%d arguments for %d parameters", len(c.Args), len(fn.Params))
	}
	for i, p := range fn.Params {
		if len(p) != len(c.Args[i]) {
			return fmt.Sprintf("argument %d of %d bytes for a parameter of %d", i+1, 4*len(c.Args[i]), 4*len(p))
		}
	}
	for i, r := range c.Rets {
		if len(r) > 0 && (i >= len(fn.Rets) || len(fn.Rets[i]) != len(r)) {
			return fmt.Sprintf("a result of %d bytes is expected, which it does not return", 4*len(r))
		}
	}
	return ""
}

// describeTarget says what a call's wrong address is.
func describeTarget(a *mem.Arena, addr uint64) string {
	if al := a.Find(addr); al != nil {
		return "the address is a data address"
	}
	return describeAddress(a, addr, 1)
}

// frameBytes is what a call needs of a thread's stack beside registers.
const frameBytes = 16

// enter pushes a frame and copies the arguments. It returns false if calls
// are nested too deeply.
func (w *Warp) enter(gi int32, in *program.Instr, c *program.Call, fn *program.Func) bool {
	g := &w.groups[gi]
	f := w.newFrame()
	fr := &w.frames[f]
	w.calls++
	*fr = frame{ret: g.pc, parent: g.frame, call: c, site: in.Site, fn: fn, saved: fr.saved[:0], used: true, serial: w.calls}
	fr.depth = frameBytes + int(c.Save.Hi-c.Save.Lo)/32
	if g.frame >= 0 {
		fr.depth += w.frames[g.frame].depth
		fr.calls = w.frames[g.frame].calls
	}
	fr.calls++
	if s := w.Env.Stack; s > 0 && fr.calls*frameBytes+w.localStack(g.mask) > s {
		w.Fault(trace.FaultStack, trace.CauseStack, in.Site, g.mask, "%d nested calls of %s and others cannot fit into the %d bytes of stack that the program set (cudaLimitStackSize)",
			fr.calls, fn.Name, s)
		return false
	}
	if fr.depth > vec.MaxLocal {
		w.Fault(trace.FaultStack, trace.CauseStack, in.Site, g.mask, "calls of %s are nested so deeply that a thread needs more than its %d bytes of stack", fn.Name, vec.MaxLocal)
		return false
	}
	if c.Save.Hi > c.Save.Lo {
		fr.saved = append(fr.saved, w.Words(c.Save.Lo, c.Save.Hi)...)
	}
	fr.shaded = w.taint.Call(c, fn, g.mask, fr.shaded[:0])
	w.CopyWords(fn.Params, c.Args, g.mask)
	fr.join = w.newJoin(join{rpc: atReturn, expected: g.mask, parent: g.join, frame: f})
	g.join, g.frame, g.pc = w.frames[f].join, f, fn.Entry
	return true
}

// localStack is the most local memory that calls of lanes m have taken.
func (w *Warp) localStack(m uint32) uint64 {
	if w.Prog.StackTop == program.NoSlot {
		return 0
	}
	most, top := uint32(0), w.V32(w.Prog.StackTop)
	for b := m; b != 0; b &= b - 1 {
		most = max(most, top[vec.Lowest(b)]-w.Prog.StackBase)
	}
	return uint64(most)
}

// mostCallers bounds the calls that a fault names, for recursive functions.
const mostCallers = 16

// callers are the calls that lanes m are in, from the innermost on.
func (w *Warp) callers(m uint32) (sites []*trace.Site) {
	for i := range w.groups {
		g := &w.groups[i]
		if g.state == groupFree || g.mask&m == 0 {
			continue
		}
		for f := g.frame; f >= 0 && len(sites) < mostCallers; f = w.frames[f].parent {
			if s := w.frames[f].site; s != nil {
				sites = append(sites, s)
			}
		}
		break
	}
	return sites
}

func (w *Warp) newFrame() int32 {
	for i := range w.frames {
		if !w.frames[i].used {
			return int32(i)
		}
	}
	w.frames = append(w.frames, frame{})
	return int32(len(w.frames) - 1)
}

// ret returns from the innermost call with lanes m; without a call it is an
// exit. It returns false if the group is no more.
func (w *Warp) ret(gi int32, m uint32) bool {
	g := &w.groups[gi]
	if g.frame < 0 {
		return !w.exit(gi, m)
	}
	f := g.frame
	fr := &w.frames[f]
	w.returnWords(fr, m)
	w.leave(g.join, m, fr.join)
	g, fr = &w.groups[gi], &w.frames[f]
	rest := g.mask &^ m
	j := &w.joins[fr.join]
	j.arrived |= m
	if j.arrived == j.expected {
		// All are back; rest is empty, since its lanes are expected too.
		back, parent, at := j.expected, j.parent, fr.ret
		w.spare = append(w.spare, fr.join)
		fr.used = false
		g.mask, g.join, g.frame, g.pc = back, parent, fr.parent, at
		return true
	}
	if rest == 0 {
		w.endGroup(gi)
		return false
	}
	g.mask = rest
	return true
}

// returnWords hands the results of lanes m to the caller, whose registers come
// back first where the call may have overwritten them, the results' own too.
func (w *Warp) returnWords(fr *frame, m uint32) {
	w.taint.Return(fr.call, fr.fn, len(fr.saved) > 0, fr.shaded, m)
	if len(fr.saved) == 0 {
		w.CopyWords(fr.call.Rets, fr.fn.Rets, m)
		return
	}
	w.results = w.results[:0]
	for _, r := range fr.fn.Rets {
		for _, s := range r {
			w.results = append(w.results, *w.V32(s))
		}
	}
	w.restoreArea(fr, m)
	at := 0
	for i, r := range fr.fn.Rets {
		for k := range r {
			if i < len(fr.call.Rets) && k < len(fr.call.Rets[i]) {
				vec.Blend32(w.V32(fr.call.Rets[i][k]), &w.results[at+k], m)
			}
		}
		at += len(r)
	}
}

// restoreArea gives lanes m their registers back that a recursive call may
// have overwritten.
func (w *Warp) restoreArea(fr *frame, m uint32) {
	s := fr.call.Save
	rows := unsafe.Slice((*vec.Row32)(unsafe.Pointer(&fr.saved[0])), int(s.Preds-s.Lo)/128)
	narrow := int(s.Wide-s.Lo) / 128
	for k := range narrow {
		vec.Blend32(w.V32(s.Lo+int32(k)*128), &rows[k], m)
	}
	for at := s.Wide; at < s.Preds; at += 256 {
		vec.Blend64(w.V64(at), (*vec.Row64)(unsafe.Pointer(&fr.saved[(at-s.Lo)/8])), m)
	}
	for at := s.Preds; at < s.Hi; at += 8 {
		old := uint32(fr.saved[(at-s.Lo)/8])
		p := w.Pred(at)
		*p = *p&^m | old&m
	}
}

// frame reserves local memory for lanes m, or with PredNot gives it back.
func (w *Warp) frame(in *program.Instr, m uint32) {
	top := w.V32(w.Prog.StackTop)
	base := w.V32(in.D)
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		if in.PredNot {
			top[l] = base[l]
			continue
		}
		base[l] = top[l]
		top[l] += uint32(in.Imm)
	}
}
