package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Awaited returns the words of memory that decide whether the first of some lanes leaves
// the loop: what it waits for, if it waits. It may change the warp's registers, so that
// the warp must not go on.
func (x *Loop) Awaited(w *Warp, lanes uint32) (out []trace.Wait) {
	lane := lowest(lanes)
	for i := range w.groups {
		if g := &w.groups[i]; g.state != groupFree && g.mask>>lane&1 != 0 {
			w.restore(int32(i))
		}
	}
	set := map[int32]bool{}
	for _, s := range x.decides {
		set[s] = true
	}
	seen := map[uint64]bool{}
	x.each(func(in *Instr) {
		if in.Op != OpLoad && in.Op != OpAtomic || x.awaitsBy(in, set) == awaitsNothing {
			return
		}
		if e, ok := w.memory().wait(&w.Prog.Mems[in.X], lane); ok && !seen[e.Addr] {
			seen[e.Addr] = true
			out = append(out, e)
		}
	})
	return out
}

// wait describes the word that a lane's access would read now.
func (w memoryUnit) wait(op *Mem, lane int) (trace.Wait, bool) {
	row, _ := w.addresses(op, 1<<lane)
	a, n := row[lane], uint64(op.Elem)
	if op.Scalar || op.Base == NoSlot {
		a = w.Env.span.lo
	}
	e := trace.Wait{Site: op.Site, Space: op.Space, Addr: a, Size: op.Elem}
	if sp := spaceOf(a); op.Space == trace.SpaceGeneric {
		e.Space, e.Addr = sp, a-windowStart(sp)
	}
	switch e.Space {
	case trace.SpaceShared:
		b := w.Env.Block.Shared
		if size := uint64(len(b)); e.Addr >= size || size-e.Addr < n {
			return e, false
		}
		e.Value = littleEndian(b[e.Addr:][:n])
	case trace.SpaceGlobal:
		al := w.Env.Arena.Find(e.Addr)
		if !holds(al, e.Addr, e.Addr, n) {
			return e, false
		}
		m := Describe(al)
		e.Object, e.HostVisible = &m, al.Kind.HostVisible()
		e.Value = littleEndian(w.Env.Arena.Bytes(e.Addr, n))
	default:
		return e, false
	}
	e.Writer = w.Env.Writers.last(e.Space, w.Env.Block.Index, e.Addr)
	return e, true
}

// littleEndian reads up to eight bytes, the lowest first.
func littleEndian(b []byte) (v uint64) {
	for i := min(len(b), 8) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}
