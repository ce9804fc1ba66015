package lower

import (
	"errors"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// unsupported is why an instruction cannot be executed; it becomes a step
// that stops the kernel.
type unsupported struct{ msg string }

func (e *unsupported) Error() string { return e.msg }

func unsupportedf(format string, args ...any) error {
	return &unsupported{fmt.Sprintf(format, args...)}
}

// emitter lowers one function.
type emitter struct {
	u *unit
	f *fn
	// in is the instruction being lowered, guard its guard's slot.
	in *ptx.Instr
	// guard is the slot of the guard predicate, not whether it is negated.
	guard int32
	not   bool
}

type lowering func(e *emitter, in *ptx.Instr, b *cfg.Block) error

func (e *emitter) paramWords(v *ptx.Variable) []int32 {
	n := int(v.Size()+3) / 4
	if v.Space == ptx.Reg && n == 0 {
		n = 1
	}
	words := make([]int32, n)
	for i := range words {
		words[i] = e.u.newSlot(area32, e.f)
	}
	e.f.words[v.Name] = words
	return words
}

// place turns a block number into its first step.
func (f *fn) place(block int32) int32 {
	if block < 0 {
		return -1
	}
	return f.start[block]
}

// add appends a step under the current guard.
func (e *emitter) add(in program.Instr) *program.Instr {
	in.Guard, in.Not = e.guard, e.not
	code := append(e.u.prog.Code, in)
	e.u.prog.Code = code
	return &code[len(code)-1]
}

// blockNumber adds a block to those of the program.
func (e *emitter) blockNumber(b *cfg.Block) int32 {
	e.u.prog.Blocks = append(e.u.prog.Blocks, program.BasicBlock{First: b.First, Last: b.Last})
	return int32(len(e.u.prog.Blocks) - 1)
}

// startOf is the place where a block begins, nil if it is not known.
func (e *emitter) startOf(b *cfg.Block) *trace.Site {
	for _, in := range b.Instrs {
		if in.Loc.IsValid() {
			return e.unnumbered(in)
		}
	}
	return nil
}

// unnumbered is a site for messages only.
func (e *emitter) unnumbered(in *ptx.Instr) *trace.Site {
	return &trace.Site{ID: -1, Loc: in.Loc, Func: e.f.name, PTX: in.String(), PTXLine: in.Pos.Line, Op: in.What()}
}

// site makes a site at the current instruction. Only those that touch memory
// or synchronize are numbered.
func (e *emitter) site(s trace.Site) *trace.Site {
	s.ID = len(e.u.prog.Sites)
	s.Loc, s.Func = e.in.Loc, e.f.name
	s.PTX, s.PTXLine, s.Op = e.in.String(), e.in.Pos.Line, e.in.What()
	e.u.prog.Sites = append(e.u.prog.Sites, &s)
	return &s
}

// clear sets a register to 0, as those of the kernel are when a block begins.
func (e *emitter) clear(r *reg) {
	switch {
	case r.slot == program.NoSlot:
	case r.width == alu.Pred:
		e.add(program.Instr{Op: program.OpPredMov, D: r.slot, A: e.constant(0, alu.Pred)})
	default:
		op := &alu.Op{Name: "mov", Dst: r.width, Fn: func(_, _, _, _ uint64) (uint64, uint64) { return 0, 0 }}
		e.add(program.Instr{Op: program.OpLane, ALU: op, Dst: r.width, D: r.slot, D2: program.NoSlot})
	}
}

// operandWidth guesses the width of a call argument from its register.
func (e *emitter) operandWidth(o ptx.Operand) alu.Width {
	if r, ok := o.(*ptx.RegRef); ok {
		if x := e.f.reg(r); x != nil {
			return x.width
		}
		return alu.W32
	}
	if f, ok := o.(*ptx.FloatImm); ok && f.Bits == 32 {
		return alu.W32
	}
	return alu.W64
}

func (e *emitter) stop(err error) {
	msg := err.Error()
	var au *alu.Unsupported
	if errors.As(err, &au) {
		msg = "instruction " + e.in.Opcode() + " is not supported"
	}
	e.u.prog.Messages = append(e.u.prog.Messages, fmt.Sprintf("%s (PTX %s:%d:%d)", msg, e.u.mod.Name, e.in.Pos.Line, e.in.Pos.Col))
	site := e.site(trace.Site{})
	e.u.prog.Stops = append(e.u.prog.Stops, site)
	e.add(program.Instr{Op: program.OpUnsupported, X: int32(len(e.u.prog.Messages) - 1), Site: site})
}
