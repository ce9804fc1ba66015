package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// canBeUniform reports whether an instruction gives all lanes the same result
// if its operands are the same in all.
func (u *unit) canBeUniform(f *fn, in *ptx.Instr) bool {
	switch in.Op {
	case "ld", "ldu":
		a := parseAccess(in)
		switch a.space {
		case trace.SpaceGlobal, trace.SpaceShared, trace.SpaceConst:
			return true
		case trace.SpaceParam:
			return f.index == 0 && u.isKernelParam(f, in.Args[1])
		}
		return false
	case "mov":
		return len(in.Args) == 2 && !isVector(in.Args[0]) && !isVector(in.Args[1]) && !isClock(in.Args[1]) && !f.isLocal(in.Args[1])
	case "cvta", "isspacep":
		return true
	}
	if lowerer(in) != nil {
		return false
	}
	op, err := alu.Lookup(opcode(in, u.old()))
	return err == nil && op.Fn != nil && !op.CarryIn && !op.CarryOut // CC.CF is kept per lane
}

func isVector(o ptx.Operand) bool {
	_, ok := o.(*ptx.Vector)
	return ok
}

// isKernelParam reports whether an operand is an address in the kernel's own parameters.
func (u *unit) isKernelParam(f *fn, o ptx.Operand) bool {
	ad, ok := o.(*ptx.Address)
	if !ok {
		return false
	}
	s, ok := ad.Base.(*ptx.SymbolRef)
	if !ok {
		_, isReg := ad.Base.(*ptx.RegRef)
		return isReg
	}
	for _, p := range f.g.PTX.Params {
		if p.Name == s.Name {
			return true
		}
	}
	return false
}

// isLocal reports whether o is the address of a local variable in a frame that moves.
func (f *fn) isLocal(o ptx.Operand) bool {
	s, ok := o.(*ptx.SymbolRef)
	if !ok || !f.reentrant {
		return false
	}
	_, ok = f.locals[s.Name]
	return ok
}

var clocks = map[string]alu.Width{
	"%clock": alu.W32, "%clock_hi": alu.W32, "%clock64": alu.W64,
	"%globaltimer": alu.W64, "%globaltimer_lo": alu.W32, "%globaltimer_hi": alu.W32,
}

func isClock(o ptx.Operand) bool {
	r, ok := o.(*ptx.RegRef)
	return ok && clocks[r.Name] != alu.None
}

func (e *emitter) mov(in *ptx.Instr, _ *cfg.Block) error {
	if len(in.Args) != 2 {
		return unsupportedf("mov with %d operands", len(in.Args))
	}
	d, s := in.Args[0], in.Args[1]
	switch {
	case isVector(d) && isVector(s):
		return e.movEach(in, d.(*ptx.Vector), s.(*ptx.Vector))
	case isVector(d) && isVectorSpecial(s):
		return e.movEach(in, d.(*ptx.Vector), components(s.(*ptx.RegRef)))
	case isVector(d):
		return e.unpack(in, d.(*ptx.Vector), s)
	case isVector(s):
		return e.pack(in, d, s.(*ptx.Vector))
	case isClock(s):
		return e.clock(d)
	}
	r, err := e.dest(d)
	if err != nil || r == nil {
		return err
	}
	if r.special > 0 {
		return nil // shares the special register's place
	}
	if r.width == alu.Pred {
		if x, ok := s.(*ptx.RegRef); ok && x.Name == "%is_explicit_cluster" {
			return e.apply(&alu.Op{Name: in.Opcode(), Dst: alu.Pred, Args: []alu.Width{alu.W32},
				Fn: func(v, _, _, _ uint64) (uint64, uint64) { return v, 0 }}, in.Args)
		}
		return e.movPred(r, s)
	}
	name := "mov.b32"
	if r.width == alu.W64 {
		name = "mov.b64"
	}
	return e.compute(in, name, in.Args)
}

// isVectorSpecial reports whether o is a special register of several components, as a whole.
func isVectorSpecial(o ptx.Operand) bool {
	r, ok := o.(*ptx.RegRef)
	if !ok || r.Elem != "" {
		return false
	}
	s := isa.Special(r.Name)
	return s != nil && s.Components != "" && s.Name == r.Name
}

func components(r *ptx.RegRef) *ptx.Vector {
	v := &ptx.Vector{}
	for _, c := range isa.Special(r.Name).Components {
		v.Elems = append(v.Elems, &ptx.RegRef{Name: r.Name + "." + string(c)})
	}
	return v
}

func (e *emitter) movEach(in *ptx.Instr, d, s *ptx.Vector) error {
	for i := range min(len(d.Elems), len(s.Elems)) {
		name := "mov.b32"
		if r, err := e.dest(d.Elems[i]); err == nil && r != nil && r.width == alu.W64 {
			name = "mov.b64"
		}
		if err := e.compute(in, name, []ptx.Operand{d.Elems[i], s.Elems[i]}); err != nil {
			return err
		}
	}
	return nil
}

func (e *emitter) movPred(r *reg, s ptx.Operand) error {
	a, err := e.vec(s, alu.Pred)
	if err != nil {
		return err
	}
	e.add(program.Instr{Op: program.OpPredMov, D: r.slot, A: a})
	return nil
}

func (e *emitter) clock(d ptx.Operand) error {
	r, err := e.dest(d)
	if err != nil || r == nil {
		return err
	}
	e.add(program.Instr{Op: program.OpClock, D: e.vecReg(r), Dst: r.width})
	return nil
}

// elemWidth is the register width of a vector's elements.
func elemWidth(bits int) alu.Width {
	if bits == 64 {
		return alu.W64
	}
	return alu.W32
}

func packedType(in *ptx.Instr) (isa.Type, error) {
	ts := in.Types()
	if len(ts) == 0 || ts[0].Size() == 0 || ts[0].Size() > 8 {
		return 0, unsupportedf("instruction %s is not supported", in.Opcode())
	}
	return ts[0], nil
}

func (e *emitter) pack(in *ptx.Instr, d ptx.Operand, s *ptx.Vector) error {
	t, err := packedType(in)
	if err != nil {
		return err
	}
	r, err := e.dest(d)
	if err != nil || r == nil {
		return err
	}
	bits := t.Size() * 8 / len(s.Elems)
	p := program.Pack{Reg: e.vecReg(r), Width: r.width, Bits: uint(bits), ElemWidth: elemWidth(bits)}
	for _, o := range s.Elems {
		slot, err := e.vec(o, p.ElemWidth)
		if err != nil {
			return err
		}
		p.Elems = append(p.Elems, slot)
	}
	return e.addPack(program.OpPack, p)
}

func (e *emitter) unpack(in *ptx.Instr, d *ptx.Vector, s ptx.Operand) error {
	t, err := packedType(in)
	if err != nil {
		return err
	}
	bits := t.Size() * 8 / len(d.Elems)
	p := program.Pack{Width: elemWidth(t.Size() * 8), Bits: uint(bits), ElemWidth: elemWidth(bits)}
	if p.Reg, err = e.vec(s, p.Width); err != nil {
		return err
	}
	for _, o := range d.Elems {
		r, err := e.dest(o)
		if err != nil {
			return err
		}
		if r == nil {
			p.Elems = append(p.Elems, program.NoSlot)
			continue
		}
		p.Elems = append(p.Elems, e.vecReg(r))
	}
	return e.addPack(program.OpUnpack, p)
}

func (e *emitter) addPack(op program.Opcode, p program.Pack) error {
	e.u.prog.Packs = append(e.u.prog.Packs, p)
	e.add(program.Instr{Op: op, X: int32(len(e.u.prog.Packs) - 1)})
	return nil
}

var predOps = map[string]program.Opcode{
	"and.pred": program.OpPredAnd, "or.pred": program.OpPredOr, "xor.pred": program.OpPredXor, "not.pred": program.OpPredNot,
}

// arith lowers a register-to-register instruction.
func (e *emitter) arith(in *ptx.Instr) error {
	if op, ok := predOps[in.Opcode()]; ok {
		return e.predLogic(op, in)
	}
	if e.changesRank(in) {
		return e.changeRank(in)
	}
	args := in.Args
	if _, ok := lop3Table(in); ok {
		args = slices.Delete(slices.Clone(args), 4, 5) // is part of the opcode
	}
	return e.compute(in, opcode(in, e.u.old()), args)
}

// operandAttrs writes what an instruction says on its operands and its last
// constant, in the form that package alu wants: the bytes and halves that video
// instructions select, their negations, and the table of lop3.
func operandAttrs(in *ptx.Instr) string {
	var attrs []string
	for i, o := range in.Args {
		r, ok := o.(*ptx.RegRef)
		if !ok || i > 3 {
			continue
		}
		name := "dabc"[i : i+1]
		if r.Elem != "" && (r.Elem[0] == 'b' || r.Elem[0] == 'h') && len(r.Elem) > 1 {
			attrs = append(attrs, name+"="+r.Elem)
		}
		if r.Neg {
			attrs = append(attrs, "n"+name+"=1")
		}
	}
	if lut, ok := lop3Table(in); ok {
		attrs = append(attrs, "lut=0x"+strconv.FormatUint(lut, 16))
	}
	if (in.Op == "min" || in.Op == "max") && len(in.Args) == 4 {
		attrs = append(attrs, "n=3")
	}
	if len(attrs) == 0 {
		return ""
	}
	return ":" + strings.Join(attrs, ",")
}

// lop3Table is the constant table of lop3.
func lop3Table(in *ptx.Instr) (uint64, bool) {
	if in.Op != "lop3" || len(in.Args) < 5 {
		return 0, false
	}
	t, ok := in.Args[4].(*ptx.Imm)
	if !ok {
		return 0, false
	}
	return t.Value & 0xff, true
}

func (e *emitter) predLogic(op program.Opcode, in *ptx.Instr) error {
	r, err := e.dest(in.Args[0])
	if err != nil || r == nil {
		return err
	}
	s := program.Instr{Op: op, D: r.slot}
	if s.A, err = e.vec(in.Args[1], alu.Pred); err != nil {
		return err
	}
	if op != program.OpPredNot {
		if s.B, err = e.vec(in.Args[2], alu.Pred); err != nil {
			return err
		}
	}
	e.add(s)
	return nil
}

// compute emits the operation of that name with the operands of args, the
// first of which is the result.
func (e *emitter) compute(in *ptx.Instr, name string, args []ptx.Operand) error {
	op, err := alu.Lookup(name)
	if err != nil {
		return err
	}
	return e.apply(op, args)
}

// apply emits op, on scalars if its result is kept once.
func (e *emitter) apply(op *alu.Op, args []ptx.Operand) error {
	d, d2, err := e.resultRegs(op, args[0])
	if err != nil {
		return err
	}
	uniform := (d == nil || !d.varying) && (d2 == nil || !d2.varying) && (d != nil || d2 != nil) && !op.CarryIn && !op.CarryOut
	s := program.Instr{ALU: op, Dst: op.Dst, Dst2: op.Dst2, D: program.NoSlot, D2: program.NoSlot, Bcast: program.NoSlot}
	slots, err := e.sources(op, args[1:], uniform)
	if err != nil {
		return err
	}
	s.A, s.B, s.C, s.E = slots[0], slots[1], slots[2], slots[3]
	if d2 != nil {
		s.D2, s.Dst2 = d2.slot, d2.width
	}
	if op.CarryOut {
		s.D2 = e.carry()
	}
	if uniform {
		s.Op = program.OpScalar
		if d != nil {
			s.D = d.slot
			if s.ALU, err = fitting(op, d); err != nil {
				return err
			}
			s.Dst = d.width
		}
		e.add(s)
		if d != nil {
			e.u.lateCopies = append(e.u.lateCopies, lateCopy{len(e.u.prog.Code) - 1, d})
		}
		return nil
	}
	return e.vector(op, s, d)
}

// fitting returns the operation with its result extended or cut to the size
// of the register.
func fitting(op *alu.Op, d *reg) (*alu.Op, error) {
	if (d.width == alu.Pred) != (op.Dst == alu.Pred) {
		return nil, unsupportedf("result of %s in register %s", op.Name, d.name)
	}
	if d.width == alu.Pred || d.bits() == int(op.DstBits) || d.width == op.Dst && d.bits() == 32 {
		return op, nil
	}
	o := *op
	o.Dst = d.width
	o.Fn = func(a, b, c, e uint64) (uint64, uint64) {
		r, r2 := op.Fn(a, b, c, e)
		return op.Extend(r, d.bits()), r2
	}
	return &o, nil
}

// vector emits the form of a step for lanes.
func (e *emitter) vector(op *alu.Op, s program.Instr, d *reg) error {
	simple := s.D2 == program.NoSlot
	switch {
	case op.Vec != nil && simple:
		s.Op = program.OpVec
	case op.Vec4 != nil && simple:
		s.Op = program.OpVec4
	case op.Cmp != nil && simple:
		s.Op = program.OpCmp
	case op.Sel != nil && simple:
		s.Op = program.OpSel
	default:
		s.Op = program.OpLane
	}
	if d == nil {
		if s.Op != program.OpLane {
			return nil // the result is dropped
		}
		e.add(s)
		return nil
	}
	s.D = e.vecReg(d)
	if d.width == op.Dst {
		e.add(s)
		e.narrow(op, d)
		return nil
	}
	return e.otherWidth(op, s, d)
}

// narrow cuts a result that may be wider than its register.
func (e *emitter) narrow(op *alu.Op, d *reg) {
	if n := d.bits(); d.width == alu.W32 && n < 32 && (op.DstSigned || int(op.DstBits) > n) {
		if and, err := alu.Lookup("and.b32"); err == nil {
			mask := e.u.constant(1<<uint(n)-1, alu.W32, false)
			e.add(program.Instr{Op: program.OpVec, ALU: and, Dst: alu.W32, D: e.vecReg(d), A: e.vecReg(d), B: mask})
		}
	}
}

// otherWidth writes a result into a register of another width, extended by
// the type of the operation (PTX ISA, "Operand Size Exceeding
// Instruction-Type Size").
func (e *emitter) otherWidth(op *alu.Op, s program.Instr, d *reg) error {
	if d.width == alu.Pred || op.Dst == alu.Pred {
		return unsupportedf("result of %s in register %s", op.Name, d.name)
	}
	name, k := "cvt.u64.u32", area32
	if op.Dst == alu.W64 {
		name, k = "cvt.u32.u64", area64
	} else if op.DstSigned {
		name = "cvt.s64.s32"
	}
	cvt, err := alu.Lookup(name)
	if err != nil {
		return err
	}
	t := e.u.newSlot(k, e.f)
	dst := s.D
	s.D = t
	e.add(s)
	e.add(program.Instr{Op: program.OpVec, ALU: cvt, Dst: d.width, D: dst, A: t})
	return nil
}

// resultRegs finds the one or two registers that an operation writes.
func (e *emitter) resultRegs(op *alu.Op, o ptx.Operand) (d, d2 *reg, err error) {
	if p, ok := o.(*ptx.Pair); ok {
		if d, err = e.dest(p.A); err != nil {
			return nil, nil, err
		}
		if d2, err = e.dest(p.B); err != nil {
			return nil, nil, err
		}
		if d2 != nil && d2.width != op.Dst2 && d2.width != op.Alt {
			return nil, nil, unsupportedf("%s with two results", op.Name)
		}
		return d, d2, nil
	}
	d, err = e.dest(o)
	return d, nil, err
}

// sources resolves operands; a carry-in is added where the operation has one.
func (e *emitter) sources(op *alu.Op, args []ptx.Operand, scalar bool) (slots [4]int32, err error) {
	n := len(op.Args)
	if op.CarryIn {
		n--
		slots[n] = e.carry()
	}
	if len(args) != n || n > 4 {
		return slots, unsupportedf("%s with %d operands", op.Name, len(args))
	}
	for i := range n {
		if scalar {
			slots[i], err = e.scalar(args[i], op.Args[i])
		} else {
			slots[i], err = e.vec(args[i], op.Args[i])
		}
		if err != nil {
			return slots, err
		}
	}
	return slots, nil
}

// carry is the condition code register CC.CF of the function.
func (e *emitter) carry() int32 {
	if e.f.carry == 0 {
		e.f.carry = e.u.newSlot(areaPred, e.f)
	}
	return e.f.carry
}
