package warp

import "github.com/warpgrind/warpgrind/internal/warp/program"

// Most warps have all their lanes at one place most of the time. Such a warp
// needs no groups: converged, at and waits say all, and between barriers it
// goes from generated code to generated code. Whatever else comes up spreads
// it into the one group that it is, for the interpreter.

// none is what waits is of a warp that waits at no barrier.
const none = -1

// spread makes a group of a converged warp's lanes.
func (w *Warp) spread() {
	if !w.converged {
		return
	}
	w.converged = false
	if w.Live == 0 {
		return
	}
	i := w.newGroup(group{pc: w.at, mask: w.Live, join: -1, frame: -1})
	if w.waits == none {
		w.ready = append(w.ready, i)
		return
	}
	g := &w.groups[i]
	g.state, g.sync = groupBarrier, w.waits
}

// converge is spread's inverse, for a warp that can continue. It reports whether
// the warp is converged now. The interpreter does the same, so that groups have
// the same numbers, and lanes meet in the same way, whoever runs the warp.
func (w *Warp) converge() bool {
	if w.nlive != 1 || len(w.ready) != 1 || len(w.joins) != len(w.spare) || w.Env.watchesStretches() {
		return false
	}
	i := w.ready[0]
	g := &w.groups[i]
	if g.join >= 0 || g.frame >= 0 || g.mask != w.Live {
		return false
	}
	w.restore(i)
	w.converged, w.at, w.waits = true, g.pc, none
	w.ready = w.ready[:0]
	w.endGroup(i)
	return true
}

// runConverged runs a converged warp as far as generated code and barriers
// go. It returns false if the interpreter is to continue, with the warp spread.
func (w *Warp) runConverged(budget *int64) (Status, bool) {
	env := w.Env
	if env.native.code == nil {
		w.spread()
		return 0, false
	}
	form := w.form(w.Live)
	for {
		if !w.taint.MayRunNative() {
			w.spread()
			return 0, false
		}
		if form.Entry[w.at] != 0 {
			w.at = w.native(form, w.at, none, w.Live, budget)
			if env.native.ctx.Depth != 0 {
				w.spreadDiverged()
				return 0, false
			}
		}
		in := &w.Prog.Code[w.at]
		if rows := env.native.code.Full(w.at); rows != nil {
			w.fillRows(rows)
		}
		switch {
		case in.Guard != program.NoSlot:
		case (in.Op == program.OpExit || in.Op == program.OpReturn) && !w.async.Pending():
			if !w.tensor.Ends() {
				return Faulted, true
			}
			w.tensor.CheckLeaks()
			w.Live = 0
			w.Progress++
			return Done, true
		case in.Op == program.OpLoad || in.Op == program.OpStore || in.Op == program.OpAtomic:
			if env.Pauses != nil && w.pauses(in) {
				return Yielded, true
			}
			if !w.access(in, w.Live) {
				return Faulted, true
			}
			w.at++
			continue
		case env.Holds && w.Prog.WholeBarrier(in):
			w.Left = *budget
			return Held, true
		case in.Op == program.OpBarrier:
			switch w.barrierConverged(in) {
			case barPass:
				if env.Sweeps {
					w.Left = *budget
					return Passed, true
				}
				continue
			case barWait:
				return Blocked, true
			}
		}
		w.spread()
		return 0, false
	}
}

// spreadDiverged spreads a warp whose lanes have diverged in generated code.
func (w *Warp) spreadDiverged() {
	w.spread()
	gi := w.ready[0]
	w.ready = w.ready[:0]
	w.unfold(gi, w.at)
	w.ready = append(w.ready, gi)
}

// waiting is the index of the group that was converged when it began to wait
// at a barrier: the only one.
func (w *Warp) waiting() int32 {
	for i := range w.groups {
		if w.groups[i].state == groupBarrier {
			return int32(i)
		}
	}
	panic("warp: no lanes wait")
}
