package warp

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Run executes the warp until all its lanes have exited, all wait, about
// budget warp instructions are done, or a fault is set in Env.
func (w *Warp) Run(budget int64) Status {
	w.Env.translate(w.Prog)
	if w.Env.taint.Following {
		if w.Env.taint.News(w.Env.Arena) {
			w.Forget()
		}
	}
	if w.converged || w.converge() {
		if st, ok := w.runConverged(&budget); ok {
			return st
		}
	}
	for {
		n := len(w.ready)
		if n == 0 {
			if w.nlive == 0 {
				return Done
			}
			return Blocked
		}
		gi := w.ready[n-1]
		w.ready = w.ready[:n-1]
		w.restore(gi)
		w.stretchBegan(gi)
		why := w.exec(gi, &budget)
		w.stretchEnded()
		switch why {
		case turnEnd:
			if w.Env.tensor.Multiplies() && w.Env.Fault != nil { // a product that it has not issued
				return Faulted
			}
		case turnYield:
			w.yielded(gi)
			return Yielded
		case turnWait:
			w.suspend(gi)
		case turnHeld:
			w.ready = append(w.ready, gi)
			if w.converge() {
				w.Left = budget
				return Held
			}
			w.Env.Holds = false // lanes wait for others
		case turnFault:
			return Faulted
		}
	}
}

func (w *Warp) restore(gi int32) {
	if g := &w.groups[gi]; len(g.saved) > 0 {
		copy(w.uniform(), g.saved)
		w.taint.Restore(g.shaded)
		g.shaded = g.shaded[:0]
		g.saved = g.saved[:0]
	}
}

// turn is why exec came back.
type turn uint8

const (
	turnEnd turn = iota // the group is no more
	turnYield
	turnWait // at a barrier or for other lanes
	turnHeld // before a barrier
	turnFault
)

// exec runs one group. The mask is kept in a local; it changes only where
// control flow does.
func (w *Warp) exec(gi int32, budget *int64) turn {
	code := w.Prog.Code
	env := w.Env
	pc, mask := w.groups[gi].pc, w.groups[gi].mask
	form, of := w.form(mask), mask
	for {
		if env.native.code != nil {
			if mask != of {
				form, of = w.form(mask), mask
			}
			if form.Entry[pc] != 0 && w.taint.MayRunNative() {
				pc = w.native(form, pc, w.groups[gi].join, mask, budget)
				if env.native.ctx.Depth != 0 {
					w.unfold(gi, pc)
					mask = w.groups[gi].mask
				}
			}
			if rows := env.native.code.Full(pc); rows != nil {
				w.fillRows(rows)
			}
		}
		in := &code[pc]
		pc++
		m := mask
		if w.taint.Undefined() {
			w.taint.FollowStep(in, mask)
		}
		if in.Guard != program.NoSlot {
			p := *w.Pred(in.Guard)
			if in.Not {
				p = ^p
			}
			if m &= p; m == 0 {
				continue
			}
		}
		switch in.Op {
		case program.OpEnter:
			if in.Join {
				for g := &w.groups[gi]; g.join >= 0 && w.joins[g.join].rpc == pc-1; {
					g.pc = pc - 1
					if !w.arrive(gi) {
						return turnEnd
					}
				}
				if m := w.groups[gi].mask; m != mask {
					mask = m
					w.stretchBegan(gi)
				}
			}
			if *budget < 0 {
				w.groups[gi].pc = pc - 1
				return turnYield
			}
			*budget -= int64(in.Cost())
			env.WarpInstrs += uint64(in.N)
			env.ThreadInstrs += uint64(in.N) * uint64(bits.OnesCount32(mask))
			if env.Executed != nil && in.X != program.NoBlock {
				env.Executed[in.X].Warps++
				env.Executed[in.X].Threads += uint64(bits.OnesCount32(mask))
			}
		case program.OpVec:
			if m == w.Live {
				in.ALU.Vec(w.Ptr(in.D), w.Ptr(in.A), w.Ptr(in.B), w.Ptr(in.C))
			} else {
				w.vecMasked(in, m)
			}
		case program.OpVec4:
			w.vec4(in, m)
		case program.OpCmp:
			r := in.ALU.Cmp(w.Ptr(in.A), w.Ptr(in.B), w.Ptr(in.C))
			p := w.Pred(in.D)
			*p = *p&^m | r&m
		case program.OpSel:
			p := *w.Pred(in.C)
			if m == w.Live {
				in.ALU.Sel(w.Ptr(in.D), w.Ptr(in.A), w.Ptr(in.B), p)
			} else {
				w.selMasked(in, m, p)
			}
		case program.OpLane:
			w.lanes(in, m)
		case program.OpScalar:
			w.scalar(in)
		case program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor, program.OpPredMov:
			w.predicate(in, m)
		case program.OpPack:
			w.Pack(&w.Prog.Packs[in.X], m)
		case program.OpUnpack:
			w.Unpack(&w.Prog.Packs[in.X], m)
		case program.OpLoad, program.OpStore, program.OpAtomic:
			if env.Pauses != nil && w.pauses(in) {
				w.groups[gi].pc = pc - 1
				return turnYield
			}
			if !w.access(in, m) {
				return turnFault
			}
		case program.OpJump:
			pc = w.Prog.Branches[in.X].Target
		case program.OpBranch:
			br := &w.Prog.Branches[in.X]
			p := *w.Pred(in.A)
			if in.PredNot {
				p = ^p
			}
			t := mask & p
			if t == 0 {
				continue
			}
			if t == mask {
				pc = br.Target
				continue
			}
			w.part(gi, t, br.Site)
			pc = w.diverge(gi, t, br.Target, pc, br.Meet)
			mask = w.groups[gi].mask
			w.stretchBegan(gi)
		case program.OpTable:
			w.groups[gi].pc = pc
			if !w.table(gi, in, m) {
				return turnFault
			}
			pc, mask = w.groups[gi].pc, w.groups[gi].mask
			w.stretchBegan(gi)
		case program.OpCall, program.OpCallIndirect:
			w.groups[gi].pc = pc
			if !w.call(gi, in, m) {
				return turnFault
			}
			pc, mask = w.groups[gi].pc, w.groups[gi].mask
			w.stretchBegan(gi)
		case program.OpReturn:
			w.groups[gi].pc = pc
			if !w.ret(gi, m) {
				return turnEnd
			}
			pc, mask = w.groups[gi].pc, w.groups[gi].mask
			w.stretchBegan(gi)
		case program.OpExit:
			if w.exit(gi, m) {
				return turnEnd
			}
			mask = w.groups[gi].mask
			w.stretchBegan(gi)
		case program.OpTrap:
			w.Fault(trace.FaultTrap, w.trapCause(in.Site), in.Site, m, "trap instruction")
			return turnFault
		case program.OpFrame:
			w.frame(in, m)
		case program.OpBarrier:
			if env.Holds && mask == w.Live && w.Prog.WholeBarrier(in) {
				w.groups[gi].pc = pc - 1
				return turnHeld
			}
			w.groups[gi].pc = pc
			switch w.barrier(gi, in, m) {
			case barWait:
				return turnWait
			case barFault:
				return turnFault
			}
			mask = w.groups[gi].mask
			w.stretchBegan(gi)
		case program.OpSync:
			w.groups[gi].pc = pc
			if !w.sync(gi, in, m) {
				return turnWait
			}
			mask = w.groups[gi].mask
			w.stretchBegan(gi)
		case program.OpActiveMask:
			row := w.V32(in.D)
			for b := m; b != 0; b &= b - 1 {
				row[vec.Lowest(b)] = m
			}
		case program.OpFence:
			w.fence(in, m)
		case program.OpGridControl:
			w.gridControl(in, m)
		case program.OpSubarray:
			w.subarrayBegins(in, m)
		case program.OpDecide:
			if env.Decided != nil {
				env.Decided[in.X].add(m, *w.Pred(in.A))
			}
		case program.OpClock:
			w.readClock(in, m)
		case program.OpNop:
		case program.OpMath:
			if !env.Runtime.Math(w, &w.Registers, &w.Prog.Maths[in.X], m) {
				return turnFault
			}
			w.taint.ForgetStored()
		case program.OpHost:
			if !env.Runtime.Call(w, &w.Registers, &w.Activity, &w.Prog.Hosts[in.X], m) {
				return turnFault
			}
		case program.OpStep:
			if !w.step(w.Prog.Steps[in.X], m) {
				return turnFault
			}
			if w.tensor.Retry || w.async.Retry {
				w.tensor.Retry, w.async.Retry = false, false
				w.groups[gi].pc = pc - 1
				return turnYield
			}
			if w.tensor.Waits {
				w.tensor.Waits = false
				g := &w.groups[gi]
				g.pc, g.state = pc-1, groupWarps
				return turnWait
			}
			if w.async.Idle { // what it waits for is up to others
				w.async.Idle = false
				*budget = -1
			}
		case program.OpUnsupported:
			w.Fault(trace.FaultUnsupported, "", in.Site, m, "%s", w.Prog.Messages[in.X])
			return turnFault
		default:
			panic(fmt.Sprintf("warp: opcode %d", in.Op))
		}
	}
}

// vecMasked computes all lanes aside and keeps those of the mask.
func (w *Warp) vecMasked(in *program.Instr, m uint32) {
	in.ALU.Vec(ptr64(&w.Env.tmp[0]), w.Ptr(in.A), w.Ptr(in.B), w.Ptr(in.C))
	w.keep(in, m)
}

func (w *Warp) vec4(in *program.Instr, m uint32) {
	a, b, c, e := w.Ptr(in.A), w.Ptr(in.B), w.Ptr(in.C), w.Ptr(in.E)
	if m == w.Live {
		in.ALU.Vec4(w.Ptr(in.D), a, b, c, e)
		return
	}
	in.ALU.Vec4(ptr64(&w.Env.tmp[0]), a, b, c, e)
	w.keep(in, m)
}

// keep takes the lanes of the mask from what was computed aside.
func (w *Warp) keep(in *program.Instr, m uint32) {
	tmp, d := ptr64(&w.Env.tmp[0]), w.Ptr(in.D)
	if in.Dst == alu.W64 {
		w.sel64(d, tmp, d, m)
	} else {
		w.sel32(d, tmp, d, m)
	}
}

func (w *Warp) selMasked(in *program.Instr, m, p uint32) {
	in.ALU.Sel(ptr64(&w.Env.tmp[0]), w.Ptr(in.A), w.Ptr(in.B), p)
	w.keep(in, m)
}

// lanes is the general path: any widths, up to four operands, two results.
func (w *Warp) lanes(in *program.Instr, m uint32) {
	op := in.ALU
	slots := [4]int32{in.A, in.B, in.C, in.E}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		var v [4]uint64
		for k, width := range op.Args {
			v[k] = w.LaneValue(slots[k], width, l)
		}
		r, r2 := op.Fn(v[0], v[1], v[2], v[3])
		w.SetLane(in.D, in.Dst, l, r)
		w.SetLane(in.D2, in.Dst2, l, r2)
	}
}

// scalar computes a value that is the same in all lanes once.
func (w *Warp) scalar(in *program.Instr) {
	op := in.ALU
	slots := [4]int32{in.A, in.B, in.C, in.E}
	var v [4]uint64
	for k, width := range op.Args {
		switch width {
		case alu.Pred:
			v[k] = uint64(*w.Pred(slots[k]) & 1)
		case alu.W32:
			v[k] = uint64(uint32(*w.S64(slots[k])))
		default:
			v[k] = *w.S64(slots[k])
		}
	}
	r, r2 := op.Fn(v[0], v[1], v[2], v[3])
	w.SetScalar(in.D, in.Dst, in.Bcast, r)
	w.SetScalar(in.D2, in.Dst2, program.NoSlot, r2)
}

func (w *Warp) predicate(in *program.Instr, m uint32) {
	a := *w.Pred(in.A)
	var r uint32
	switch in.Op {
	case program.OpPredMov:
		r = a
	case program.OpPredNot:
		r = ^a
	case program.OpPredAnd:
		r = a & *w.Pred(in.B)
	case program.OpPredOr:
		r = a | *w.Pred(in.B)
	case program.OpPredXor:
		r = a ^ *w.Pred(in.B)
	}
	p := w.Pred(in.D)
	if in.D < w.Prog.Uniform {
		m = ^uint32(0) // kept once: readers look at any lane
	}
	*p = *p&^m | r&m
}

// exit ends lanes m. It returns true if the group is no more.
func (w *Warp) exit(gi int32, m uint32) bool {
	if w.async.Pending() {
		w.async.Exit(m)
	}
	if w.Live&^m == 0 {
		w.tensor.Ends()
		w.tensor.CheckLeaks()
	}
	g := &w.groups[gi]
	w.stretchEnded()
	w.stretchExits(gi, m)
	w.Live &^= m
	w.leave(g.join, m, -1)
	g = &w.groups[gi]
	g.mask &^= m
	ended := g.mask == 0
	if ended {
		w.endGroup(gi)
	}
	w.Progress++
	w.exits++
	w.wakeSync()
	return ended
}

// trapCause is why a trap instruction is executed, where that is known.
func (w *Warp) trapCause(s *trace.Site) trace.Cause {
	if s != nil && s.GridBarrier && w.Env.Block.Launch.GridWorkspace == 0 {
		return trace.CauseNotCooperative
	}
	return trace.CauseTrap
}

// clockReads are reads of the clock in a row, from the time since on, between which a warp has done
// nothing that others could notice and read nothing.
type clockReads struct{ row, since, progress, reads uint64 }

// patientReads is after how many of them a warp counts as waiting for time to pass, and restless what part of the time
// that it has waited the next read adds: a delay of 10^9 ticks takes some hundred reads.
const patientReads, restless = 16, 16

// readClock reads the time: one step a read on top of the instructions that the block has done. It is
// monotonic, and the same in every run.
func (w *Warp) readClock(in *program.Instr, m uint32) {
	env, c := w.Env, &w.clock
	now := func() uint64 { return env.WarpInstrs - env.Begin + env.Ticks }
	env.Ticks++
	if c.progress != w.Progress || c.reads != w.Reads {
		*c = clockReads{since: now(), progress: w.Progress, reads: w.Reads}
	} else if c.row++; c.row > patientReads {
		env.Ticks += (now() - c.since) / restless
	}
	v := now()
	for b := m; b != 0; b &= b - 1 {
		w.SetLane(in.D, in.Dst, vec.Lowest(b), v)
	}
}

func (w *Warp) fence(in *program.Instr, m uint32) {
	switch in.Site.Op.Kind {
	case inst.ProxyFence:
		if f := w.Env.On.ProxyFence; f != nil {
			w.Env.Flush()
			f(&trace.ProxyFence{Site: in.Site, Warp: w.Index, Mask: m})
		}
	case inst.TensorFence:
		if f := w.Env.On.TensorFence; f != nil {
			w.Env.Flush()
			f(&trace.TensorFence{Site: in.Site, Warp: w.Index, Mask: m})
		}
	default:
		if f := w.Env.On.Fence; f != nil {
			f(&trace.Fence{Site: in.Site, Warp: w.Index, Mask: m, Scope: in.Site.Scope, Order: in.Site.Order})
		}
	}
}

func (w *Warp) gridControl(in *program.Instr, m uint32) {
	if f := w.Env.On.GridControl; f != nil {
		f(&trace.GridControl{Site: in.Site, Warp: w.Index, Mask: m, Wait: in.Site.Op.Kind == inst.GridWait})
	}
}

func (w *Warp) Fault(kind trace.FaultKind, cause trace.Cause, site *trace.Site, m uint32, format string, args ...any) *trace.Fault {
	f := &trace.Fault{
		Kind: kind, Cause: cause, Site: site, Block: w.Env.Block.Index, Warp: w.Index, Mask: m, Lane: vec.Lowest(m),
		Message: fmt.Sprintf(format, args...), Callers: w.callers(m),
	}
	w.Env.Fault = f
	return f
}
