package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// call lowers direct and indirect calls, device math and device runtime.
func (e *emitter) call(in *ptx.Instr, _ *cfg.Block) error {
	c := parseCall(in)
	args, err := e.argWords(c.args)
	if err != nil {
		return err
	}
	rets, after, err := e.retWords(c.rets)
	if err != nil {
		return err
	}
	if err := e.transfer(c, args, rets); err != nil {
		return err
	}
	for _, f := range after {
		f()
	}
	return nil
}

func (e *emitter) transfer(c *callParts, args, rets [][]int32) error {
	p := e.u.prog
	if c.target == nil {
		ptr, err := e.vec(c.pointer, alu.W64)
		if err != nil {
			return err
		}
		p.Calls = append(p.Calls, program.Call{Func: -1, Args: args, Rets: rets, Save: e.saveArea()})
		e.add(program.Instr{Op: program.OpCallIndirect, X: int32(len(p.Calls) - 1), A: ptr, Site: e.site(trace.Site{})})
		e.rejoin()
		return nil
	}
	name := c.target.Name
	if f := e.u.resolveFunc(name); f != nil && f.Body != nil {
		if len(f.Ret) == 0 { // declared with a result where it is called: linkers do not look
			rets = nil
		}
		if len(args) != len(f.Params) || len(rets) > len(f.Ret) {
			return unsupportedf("call of %s with %d arguments and %d results: it has %d parameters and %d results",
				name, len(args), len(rets), len(f.Params), len(f.Ret))
		}
		p.Calls = append(p.Calls, program.Call{Func: e.u.funcs[f.Name].index, Args: args, Rets: rets, Save: e.saveArea()})
		e.add(program.Instr{Op: program.OpCall, X: int32(len(p.Calls) - 1), Site: e.site(trace.Site{})})
		e.rejoin()
		return nil
	}
	if m, ok := alu.LookupMath(name); ok {
		if op, ok := m.Op(); ok && e.mathOp(op, args, rets) {
			return nil
		}
		p.Maths = append(p.Maths, program.Math{Fn: m, Args: args, Rets: rets, Site: e.site(trace.Site{})})
		e.add(program.Instr{Op: program.OpMath, X: int32(len(p.Maths) - 1)})
		return nil
	}
	if b, ok := groupCalls[name]; ok {
		e.groupBarrier(b)
		return nil
	}
	if h, ok := program.HostFuncs()[name]; ok {
		s := trace.Site{Frees: h.Frees, Allocates: h.Allocates}
		if s.Frees {
			s.Kind, s.Space = trace.Write, trace.SpaceGlobal
		}
		p.Hosts = append(p.Hosts, program.HostCall{Name: name, Args: args, Rets: rets, Site: e.site(s)})
		e.add(program.Instr{Op: program.OpHost, X: int32(len(p.Hosts) - 1)})
		p.Ordered = p.Ordered || h.InTurn
		p.Nests = p.Nests || h.Launches
		return nil
	}
	return unsupportedf("call of %s, which no module defines", name)
}

// mathOp emits a math function that is an operation, if the call has its words.
func (e *emitter) mathOp(op *alu.Op, args, rets [][]int32) bool {
	if len(args) != len(op.Args) || len(rets) != 1 || len(rets[0]) != words(op.Dst) || op.Vec == nil {
		return false
	}
	for i, w := range op.Args {
		if len(args[i]) != words(w) {
			return false
		}
	}
	var slots [3]int32
	for i, w := range op.Args {
		if slots[i] = args[i][0]; w == alu.W64 {
			slots[i] = e.u.newSlot(area64, e.f)
			e.readWords(slots[i], w, args[i], 0, 8, 0)
		}
	}
	s := program.Instr{Op: program.OpVec, ALU: op, Dst: op.Dst, D: rets[0][0], A: slots[0], B: slots[1], C: slots[2]}
	if op.Dst == alu.W64 {
		s.D = e.u.newSlot(area64, e.f)
	}
	e.add(s)
	if op.Dst == alu.W64 {
		e.writeWords(s.D, alu.W64, rets[0], 0, 8)
	}
	return true
}

// words is the number of parameter words of a value.
func words(w alu.Width) int { return w.Bytes() / 4 }

// rejoin is the step after a call, where lanes that called different
// functions, or did not call, meet.
func (e *emitter) rejoin() {
	g, n := e.guard, e.not
	e.guard, e.not = program.NoSlot, false
	e.add(program.Instr{Op: program.OpEnter, Join: true, X: program.NoBlock})
	e.guard, e.not = g, n
}

// saveArea tells finish to fill in the caller's registers if it is reentrant.
func (e *emitter) saveArea() program.Area {
	if e.f.reentrant {
		return program.Area{Lo: -1, Hi: int32(e.f.index)}
	}
	return program.Area{}
}

// argWords returns the words of each argument; registers and constants are
// first copied into words of their own.
func (e *emitter) argWords(args []ptx.Operand) ([][]int32, error) {
	var out [][]int32
	for _, a := range args {
		if s, ok := a.(*ptx.SymbolRef); ok {
			if w, ok := e.f.words[s.Name]; ok {
				out = append(out, w)
				continue
			}
		}
		width := e.operandWidth(a)
		slot, err := e.vec(a, width)
		if err != nil {
			return nil, err
		}
		words := []int32{e.u.newSlot(area32, e.f)}
		n := 4
		if width == alu.W64 {
			words = append(words, e.u.newSlot(area32, e.f))
			n = 8
		}
		e.writeWords(slot, width, words, 0, n)
		out = append(out, words)
	}
	return out, nil
}

// retWords is the same for results; after holds what follows the call.
func (e *emitter) retWords(rets []ptx.Operand) (out [][]int32, after []func(), err error) {
	for _, a := range rets {
		switch a := a.(type) {
		case *ptx.SymbolRef:
			w, ok := e.f.words[a.Name]
			if !ok {
				return nil, nil, unsupportedf("call result %s is not declared", a.Name)
			}
			out = append(out, w)
		case *ptx.RegRef:
			r := e.f.reg(a)
			if r == nil {
				return nil, nil, unsupportedf("call result %s is not declared", a.Name)
			}
			words := []int32{e.u.newSlot(area32, e.f)}
			if r.width == alu.W64 {
				words = append(words, e.u.newSlot(area32, e.f))
			}
			out = append(out, words)
			after = append(after, func() { e.readWords(r.slot, r.width, words, 0, max(4, r.typ.Size()), 0) })
		case *ptx.Sink:
			out = append(out, nil)
		default:
			return nil, nil, unsupportedf("call result of this form")
		}
	}
	return out, after, nil
}

func (e *emitter) ret() {
	for _, v := range e.f.g.PTX.Ret {
		if v.Space == ptx.Reg {
			if r := e.f.reg(&ptx.RegRef{Name: v.Name}); r != nil {
				slot := e.vecReg(r)
				e.writeWords(slot, r.width, e.f.words[v.Name], 0, max(4, int(v.Size())))
			}
		}
	}
	if e.f.baseSlot != program.NoSlot {
		e.add(program.Instr{Op: program.OpFrame, D: e.f.baseSlot, PredNot: true})
	}
	e.add(program.Instr{Op: program.OpReturn})
}

func (e *emitter) retInstr(*ptx.Instr, *cfg.Block) error {
	e.ret()
	return nil
}
