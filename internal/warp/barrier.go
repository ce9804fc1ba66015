package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

type barResult uint8

const (
	barPass barResult = iota
	barWait
	barFault
)

// barrier brings lanes m to a block-wide barrier. Lanes may name different
// barriers; each then goes its own way.
func (w *Warp) barrier(gi int32, in *program.Instr, m uint32) barResult {
	b := &w.Prog.Bars[in.X]
	id, count, same := w.barrierOperands(b, m)
	if id >= program.MaxBarriers && b.Group == trace.NoGroup {
		w.Fault(trace.FaultBarrier, trace.CauseBarrierID, b.Site, same, "barrier %d: a block has barriers 0 to %d", id, program.MaxBarriers-1)
		return barFault
	}
	if b.Count != program.NoSlot && (count == 0 || count%32 != 0) {
		w.Fault(trace.FaultBarrier, trace.CauseBarrierCount, b.Site, same, "barrier with a count of %d threads: it must be a positive multiple of 32", count)
		return barFault
	}
	a := Arrival{Bar: b, Mask: same, ID: id, Count: count, Pred: w.barrierPred(b, same), group: gi}
	pass, value := w.Env.Bars.Arrive(w, a)
	if pass {
		w.barrierResult(b, same, value)
		w.Progress++
		if again := m &^ same; again != 0 {
			w.park(gi, w.groups[gi].mask&^again, again)
		}
		w.rejoin(gi)
		return barPass
	}
	w.park(gi, same, m&^same)
	g := &w.groups[gi]
	g.state, g.sync = groupBarrier, in.X
	return barWait
}

// barrierPred is a reduction's input from the lanes same.
func (w *Warp) barrierPred(b *program.Bar, same uint32) uint32 {
	switch {
	case b.Pred == program.NoSlot:
		return 0
	case b.PredNot:
		return ^*w.Pred(b.Pred) & same
	}
	return *w.Pred(b.Pred) & same
}

// barrierOperands returns the barrier and count of the lowest lane of m and
// the lanes that name the same.
func (w *Warp) barrierOperands(b *program.Bar, m uint32) (id, count, same uint32) {
	l := vec.Lowest(m)
	ids := w.V32(b.ID)
	id = ids[l]
	if b.Count != program.NoSlot {
		count = w.V32(b.Count)[l]
	}
	if b.Same {
		return id, count, m
	}
	for r := m; r != 0; r &= r - 1 {
		k := vec.Lowest(r)
		if ids[k] == id && (b.Count == program.NoSlot || w.V32(b.Count)[k] == count) {
			same |= 1 << k
		}
	}
	return id, count, same
}

func (w *Warp) barrierResult(b *program.Bar, m, value uint32) {
	if b.Dst == program.NoSlot {
		return
	}
	if b.Kind == program.BarPopc {
		for r := m; r != 0; r &= r - 1 {
			w.V32(b.Dst)[vec.Lowest(r)] = value
		}
		return
	}
	p := w.Pred(b.Dst)
	*p = *p&^m | -(value&1)&m
}

// barrierConverged brings all lanes to a barrier. It returns barFault for one
// that the interpreter is to look at.
func (w *Warp) barrierConverged(in *program.Instr) barResult {
	b := &w.Prog.Bars[in.X]
	if b.Count != program.NoSlot || b.Group != trace.NoGroup {
		return barFault
	}
	id, _, same := w.barrierOperands(b, w.Live)
	if same != w.Live || id >= program.MaxBarriers {
		return barFault
	}
	w.at++
	pass, value := w.Env.Bars.Arrive(w, Arrival{Bar: b, Mask: same, ID: id, Pred: w.barrierPred(b, same), group: none})
	if !pass {
		w.waits = in.X
		return barWait
	}
	w.barrierResult(b, same, value)
	w.Progress++
	return barPass
}
