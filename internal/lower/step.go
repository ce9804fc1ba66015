package lower

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// addStep appends an instruction that brings its own execution.
func (e *emitter) addStep(s program.Step, site *trace.Site) {
	p := e.u.prog
	p.Steps = append(p.Steps, s)
	e.add(program.Instr{Op: program.OpStep, X: int32(len(p.Steps) - 1), Site: site})
}

// together makes the lanes of a warp wait for each other, as instructions with
// .sync.aligned do.
func (e *emitter) together(site *trace.Site) {
	s := newSync(program.Converge)
	s.Mask = e.u.constant(1<<32-1, alu.W32, false)
	s.Site, s.Name = site, e.in.Opcode()
	e.u.prog.Syncs = append(e.u.prog.Syncs, s)
	e.add(program.Instr{Op: program.OpSync, X: int32(len(e.u.prog.Syncs) - 1), Site: site})
}

// mem is a memory operand of a step: of count elements of so many bytes.
func (e *emitter) mem(o ptx.Operand, site trace.Site, elem, count int) (program.Mem, error) {
	m := program.Mem{Space: site.Space, Elem: elem, Count: count, Base: program.NoSlot, B: program.NoSlot, C: program.NoSlot, Width: alu.W32}
	for i := range m.Regs {
		m.Regs[i], m.Bcast[i] = program.NoSlot, program.NoSlot
	}
	if elem == 8 {
		m.Width = alu.W64
	}
	site.Size, site.Elem = elem*count, elem
	m.Site = e.site(site)
	return m, e.address(&m, o)
}

// destSlot is the slot of a result, NoSlot for one that is dropped.
func (e *emitter) destSlot(o ptx.Operand, w alu.Width) (int32, error) {
	r, err := e.dest(o)
	if err != nil || r == nil {
		return program.NoSlot, err
	}
	if r.width != w {
		return 0, unsupportedf("%s has the wrong size for %s", r.name, e.in.Opcode())
	}
	return e.vecReg(r), nil
}

// destSlots are the slots of a vector of n results.
func (e *emitter) destSlots(o ptx.Operand, n int, w alu.Width) ([]int32, error) {
	list := elems(o)
	if len(list) != n {
		return nil, unsupportedf("%s with %d registers where it needs %d", e.in.Opcode(), len(list), n)
	}
	slots := make([]int32, n)
	for i, x := range list {
		var err error
		if slots[i], err = e.destSlot(x, w); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

// sourceSlots are the slots of a vector of n operands.
func (e *emitter) sourceSlots(o ptx.Operand, n int, w alu.Width) ([]int32, error) {
	list := elems(o)
	if len(list) != n {
		return nil, unsupportedf("%s with %d registers where it needs %d", e.in.Opcode(), len(list), n)
	}
	slots := make([]int32, n)
	for i, x := range list {
		var err error
		if slots[i], err = e.vec(x, w); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

// step checks the slots of a step.
func (v *verifier) step(in *program.Instr) {
	if !v.index("step", in.X, len(v.p.Steps)) {
		return
	}
	v.p.Steps[in.X].Slots(func(slot *int32, w alu.Width, u program.Use) {
		v.row("operand of a step", *slot, w, true)
		if u&program.Writes != 0 && *slot != program.NoSlot && *slot < v.p.Uniform {
			v.failf("a step writes lanes of a value that is kept once")
		}
	})
}
