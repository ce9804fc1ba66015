package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Functions that allocate on the stack (PTX ISA, "Stack Manipulation
// Instructions") keep their local variables in a frame as recursive ones do,
// so that leaving them gives back what they allocated.

// defaultAlign is the alignment of alloca without one, in bytes.
const defaultAlign = 8

// allocates reports whether f is a function with stack instructions.
func (f *fn) allocates() bool {
	for _, b := range f.g.Blocks {
		for _, in := range b.Instrs {
			if k := in.Kind(); k == inst.StackAlloc || k == inst.StackSave {
				return true
			}
		}
	}
	return false
}

// stack returns the slot of the lanes' stack pointers, offsets in local memory.
func (e *emitter) stack() int32 {
	if e.u.stackTop == 0 {
		e.u.stackTop = e.u.newSlot(shared32, nil)
	}
	return e.u.stackTop
}

// step emits d = op(a, b) on slots of 32 bits per lane.
func (e *emitter) step(name string, d, a, b int32) error {
	op, err := alu.Lookup(name)
	if err != nil {
		return err
	}
	e.add(program.Instr{Op: program.OpVec, ALU: op, Dst: alu.W32, D: d, A: a, B: b})
	return nil
}

// alloca rounds the stack pointer up, gives it to the result, and adds the size.
func (e *emitter) alloca(in *ptx.Instr, _ *cfg.Block) error {
	align := uint64(defaultAlign)
	if len(in.Args) > 2 {
		i, ok := in.Args[2].(*ptx.Imm)
		if !ok || i.Value&(i.Value-1) != 0 {
			return unsupportedf("alloca with an alignment that is not a power of two")
		}
		align = max(i.Value, defaultAlign)
	}
	size, err := e.vec(in.Args[1], alu.W32)
	if err != nil {
		return err
	}
	top, start := e.stack(), e.u.newSlot(area32, e.f)
	if err := e.step("add.u32", start, top, e.u.constant(align-1, alu.W32, false)); err != nil {
		return err
	}
	if err := e.step("and.b32", start, start, e.u.constant(-align, alu.W32, false)); err != nil {
		return err
	}
	if err := e.step("add.u32", top, start, size); err != nil {
		return err
	}
	return e.give(in.Args[0], start)
}

// give moves 32 bits per lane into a result register.
func (e *emitter) give(o ptx.Operand, slot int32) error {
	r, err := e.dest(o)
	if err != nil || r == nil {
		return err
	}
	mv, err := alu.Lookup("mov.b32")
	if err != nil {
		return err
	}
	return e.vector(mv, program.Instr{ALU: mv, Dst: mv.Dst, D2: program.NoSlot, A: slot}, r)
}

func (e *emitter) stacksave(in *ptx.Instr, _ *cfg.Block) error {
	return e.give(in.Args[0], e.stack())
}

func (e *emitter) stackrestore(in *ptx.Instr, _ *cfg.Block) error {
	s, err := e.vec(in.Args[0], alu.W32)
	if err != nil {
		return err
	}
	mv, err := alu.Lookup("mov.b32")
	if err != nil {
		return err
	}
	e.add(program.Instr{Op: program.OpVec, ALU: mv, Dst: alu.W32, D: e.stack(), A: s})
	return nil
}

// addressedParams lists the parameters of a device function whose address is
// used for more than ld.param and st.param: they lie in local memory then
// (PTX ISA, "Device Function Parameters").
func (f *fn) addressedParams() []*ptx.Variable {
	if f.index == 0 {
		return nil
	}
	taken := map[string]bool{}
	for _, b := range f.g.Blocks {
		for _, in := range b.Instrs {
			if k := in.Kind(); k == inst.Call || k == inst.Load || k == inst.Store {
				continue
			}
			for _, a := range in.Args {
				walkSymbols(a, func(s *ptx.SymbolRef) { taken[s.Name] = true })
			}
		}
	}
	var list []*ptx.Variable
	for _, v := range f.g.PTX.Params {
		if v.Space == ptx.Param && taken[v.Name] {
			list = append(list, v)
		}
	}
	return list
}

// firstInstr is the first instruction of the function, for positions.
func (f *fn) firstInstr() *ptx.Instr {
	for _, b := range f.g.Blocks {
		if len(b.Instrs) > 0 {
			return b.Instrs[0]
		}
	}
	return &ptx.Instr{Op: "ret"}
}

// spillParams copies parameters into local memory where a pointer to them is
// needed.
func (e *emitter) spillParams() {
	for _, v := range e.f.spilled {
		e.in = e.f.firstInstr()
		m := program.Mem{Space: trace.SpaceLocal, Base: program.NoSlot, B: program.NoSlot, C: program.NoSlot, Width: alu.W32, Elem: 4, Count: 1}
		for i := range m.Regs {
			m.Regs[i], m.Bcast[i] = program.NoSlot, program.NoSlot
		}
		m.Site = e.site(trace.Site{Space: trace.SpaceLocal, Kind: trace.Write, Size: 4, Elem: 4})
		if base, ok := e.localBase(&ptx.SymbolRef{Name: v.Name}); ok {
			m.Base, m.BaseWidth = base, alu.W64
		} else {
			m.Offset = e.f.base + e.f.locals[v.Name]
		}
		for i, word := range e.f.words[v.Name] {
			w := m
			w.Offset += uint64(4 * i)
			w.Regs[0] = word
			e.u.prog.Mems = append(e.u.prog.Mems, w)
			e.add(program.Instr{Op: program.OpStore, X: int32(len(e.u.prog.Mems) - 1)})
		}
	}
}

// paramPointer makes ld.param and st.param through a register of a device
// function an access to local memory, where its addressed parameters are.
func (e *emitter) paramPointer(a *access, o ptx.Operand) {
	ad, ok := o.(*ptx.Address)
	if !a.param || !ok || e.f.index == 0 {
		return
	}
	if r, ok := ad.Base.(*ptx.RegRef); ok && e.f.words[r.Name] == nil {
		a.space, a.param = trace.SpaceLocal, false
	}
}
