package warp

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/async"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Awaited returns the words of memory that decide whether the first of some lanes leaves
// a loop: what it waits for, if it waits. It may change the warp's registers, so that
// the warp must not continue.
func (w *Warp) Awaited(x *program.Loop, lanes uint32) (out []trace.Wait) {
	lane := vec.Lowest(lanes)
	for i := range w.groups {
		if g := &w.groups[i]; g.state != groupFree && g.mask>>lane&1 != 0 {
			w.restore(int32(i))
		}
	}
	seen := map[uint64]bool{}
	for _, op := range x.Polled() {
		if e, ok := w.wait(op, lane); ok && !seen[e.Addr] {
			seen[e.Addr] = true
			out = append(out, e)
		}
	}
	return out
}

// wait describes the word that a lane's access would read now.
func (w *Warp) wait(op *program.Mem, lane int) (trace.Wait, bool) {
	row, _ := w.addresses(op, 1<<lane)
	a, n := row[lane], uint64(op.Elem)
	if op.Scalar || op.Base == program.NoSlot {
		a = w.Env.span.Lo
	}
	e := trace.Wait{Site: op.Site, Space: op.Space, Addr: a, Size: op.Elem}
	if sp := vec.SpaceOf(a); op.Space == trace.SpaceGeneric {
		e.Space, e.Addr = sp, a-vec.WindowStart(sp)
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
		m := al.Describe()
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

// Tested returns the mbarrier objects that the first of some lanes tests in a loop.
func (w *Warp) Tested(x *program.Loop, lanes uint32) (out []async.Phase) {
	first := uint32(1) << bits.TrailingZeros32(lanes)
	x.Each(func(in *program.Instr) {
		if in.Op != program.OpStep {
			return
		}
		s, ok := w.Prog.Steps[in.X].(*program.MBarrier)
		if !ok || s.Kind != program.MBarrierTest {
			return
		}
		addr, _ := w.addresses(&s.Mem, first)
		a := addr[bits.TrailingZeros32(first)&31]
		if a-mem.SharedWindow < mem.SharedWindowSize {
			a -= mem.SharedWindow
		}
		if n := uint64(len(w.Env.Block.Shared)); a&7 != 0 || a >= n || n-a < 8 {
			return
		}
		if p, ok := w.Env.Async.PhaseAt(a); ok {
			out = append(out, p)
		}
	})
	return out
}
