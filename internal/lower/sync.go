package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// barrier lowers bar and barrier.
func (e *emitter) barrier(in *ptx.Instr, _ *cfg.Block) error {
	b := program.Bar{Count: program.NoSlot, Pred: program.NoSlot, Dst: program.NoSlot}
	b.Aligned = in.Op == "bar" || in.Has("aligned")
	args := in.Args
	switch in.What().Kind {
	case inst.BarrierArrive:
		b.Kind = program.BarArrive
	case inst.BarrierReduce:
		if err := e.reduction(in, &b); err != nil {
			return err
		}
		last := len(args) - 1
		args = args[1:last]
	}
	var err error
	if b.ID, err = e.barOperand(args, 0); err != nil {
		return err
	}
	if len(args) > 1 {
		if b.Count, err = e.barOperand(args, 1); err != nil {
			return err
		}
	}
	b.Site = e.site(trace.Site{})
	e.u.prog.Bars = append(e.u.prog.Bars, b)
	e.add(program.Instr{Op: program.OpBarrier, X: int32(len(e.u.prog.Bars) - 1), Site: b.Site})
	return nil
}

// barOperand is the i-th operand; a barrier without one is barrier 0.
func (e *emitter) barOperand(args []ptx.Operand, i int) (int32, error) {
	if i >= len(args) {
		return e.u.constant(0, alu.W32, false), nil
	}
	return e.vec(args[i], alu.W32)
}

// reduction fills in bar.red op dst, a{, b}, {!}p.
func (e *emitter) reduction(in *ptx.Instr, b *program.Bar) error {
	if len(in.Args) < 3 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	switch in.What().Fn {
	case inst.FnPopc:
		b.Kind = program.BarPopc
	case inst.FnAnd:
		b.Kind = program.BarAnd
	default:
		b.Kind = program.BarOr
	}
	d, err := e.dest(in.Args[0])
	if err != nil {
		return err
	}
	if d != nil {
		b.Dst = e.vecReg(d)
	}
	b.Pred, b.PredNot, err = e.votePred(in.Args[len(in.Args)-1])
	return err
}

// votePred is a predicate operand and whether it is negated.
func (e *emitter) votePred(o ptx.Operand) (int32, bool, error) {
	r, ok := o.(*ptx.RegRef)
	if !ok {
		s, err := e.vec(o, alu.Pred)
		return s, false, err
	}
	x := e.f.reg(r)
	if x == nil || x.width != alu.Pred {
		return 0, false, unsupportedf("%s is not a predicate register", r.Name)
	}
	return x.slot, r.Not, nil
}

func (e *emitter) warpSync(in *ptx.Instr, _ *cfg.Block) error {
	m, err := e.vec(in.Args[0], alu.W32)
	if err != nil {
		return err
	}
	s := newSync(program.SyncWarp)
	s.Mask = m
	return e.addSync(s)
}

func newSync(k program.SyncKind) program.Sync {
	n := program.NoSlot
	return program.Sync{Kind: k, Mask: n, A: n, B: n, C: n, Dst: n, DstPred: n}
}

func (e *emitter) addSync(s program.Sync) error {
	s.Site = e.site(trace.Site{})
	s.Name = e.in.Opcode()
	e.u.prog.Syncs = append(e.u.prog.Syncs, s)
	e.add(program.Instr{Op: program.OpSync, X: int32(len(e.u.prog.Syncs) - 1), Site: s.Site})
	return nil
}

// member sets the mask from the operand at i, or makes the operation one of
// the lanes that come together where the old form has none.
func (e *emitter) member(s *program.Sync, in *ptx.Instr, i int) (err error) {
	if !in.What().Masked {
		s.Legacy = true
		return nil
	}
	if i >= len(in.Args) {
		return unsupportedf("%s without a member mask", in.Opcode())
	}
	s.Mask, err = e.vec(in.Args[i], alu.W32)
	return err
}

// twoResults sets Dst and DstPred from d or d|p.
func (e *emitter) twoResults(s *program.Sync, o ptx.Operand) error {
	d, p := o, ptx.Operand(nil)
	if pair, ok := o.(*ptx.Pair); ok {
		d, p = pair.A, pair.B
	}
	r, err := e.dest(d)
	if err != nil {
		return err
	}
	if r != nil {
		s.Dst, s.DstIsPred = e.vecReg(r), r.width == alu.Pred
	}
	if p == nil {
		return nil
	}
	if r, err = e.dest(p); err == nil && r != nil {
		s.DstPred = r.slot
	}
	return err
}

var shflKinds = map[inst.Fn]program.SyncKind{
	inst.FnUp: program.ShflUp, inst.FnDown: program.ShflDown, inst.FnBfly: program.ShflBfly, inst.FnIdx: program.ShflIdx,
}

func (e *emitter) shfl(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := newSync(shflKinds[in.What().Fn])
	if s.Kind == 0 || len(in.Args) < 4 {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	if err = e.twoResults(&s, in.Args[0]); err != nil {
		return err
	}
	for i, p := range []*int32{&s.A, &s.B, &s.C} {
		if *p, err = e.vec(in.Args[1+i], alu.W32); err != nil {
			return err
		}
	}
	if err = e.member(&s, in, 4); err != nil {
		return err
	}
	return e.addSync(s)
}

var voteKinds = map[inst.Fn]program.SyncKind{
	inst.FnAll: program.VoteAll, inst.FnAny: program.VoteAny, inst.FnUni: program.VoteUni, inst.FnBallot: program.VoteBallot,
}

func (e *emitter) vote(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := newSync(voteKinds[in.What().Fn])
	if s.Kind == 0 {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	if err = e.twoResults(&s, in.Args[0]); err != nil {
		return err
	}
	if s.A, s.PredNot, err = e.votePred(in.Args[1]); err != nil {
		return err
	}
	if err = e.member(&s, in, 2); err != nil {
		return err
	}
	return e.addSync(s)
}

func (e *emitter) match(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := newSync(program.MatchAny)
	if in.What().Fn == inst.FnAll {
		s.Kind = program.MatchAll
	}
	if err = e.twoResults(&s, in.Args[0]); err != nil {
		return err
	}
	w := alu.W32
	if in.Has("b64") {
		w, s.Wide = alu.W64, true
	}
	if s.A, err = e.vec(in.Args[1], w); err != nil {
		return err
	}
	if err = e.member(&s, in, 2); err != nil {
		return err
	}
	return e.addSync(s)
}

func (e *emitter) redux(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := newSync(program.Redux)
	name, ok := atomicOp(in)
	ts := in.Types()
	if !ok || len(ts) != 1 {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	if in.Has("NaN") {
		name += ".NaN"
	}
	if s.Reduce, err = alu.Lookup(name + "." + ts[0].String()); err != nil {
		return err
	}
	s.Float, s.Abs = in.Has("f32"), in.Has("abs")
	if err = e.twoResults(&s, in.Args[0]); err != nil {
		return err
	}
	if s.A, err = e.vec(in.Args[1], alu.W32); err != nil {
		return err
	}
	if err = e.member(&s, in, 2); err != nil {
		return err
	}
	return e.addSync(s)
}

func (e *emitter) elect(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := newSync(program.Elect)
	if err = e.twoResults(&s, in.Args[0]); err != nil {
		return err
	}
	if s.Mask, err = e.vec(in.Args[1], alu.W32); err != nil {
		return err
	}
	return e.addSync(s)
}

func (e *emitter) activemask(in *ptx.Instr, _ *cfg.Block) error {
	r, err := e.dest(in.Args[0])
	if err != nil || r == nil {
		return err
	}
	e.add(program.Instr{Op: program.OpActiveMask, D: e.vecReg(r)})
	return nil
}
