package lower

import (
	"math"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// vecReg returns the slot with r's value in every lane.
func (e *emitter) vecReg(r *reg) int32 {
	if r.varying || r.width == alu.Pred {
		return r.slot
	}
	if r.special > 0 {
		return e.specialVec(r.special - 1)
	}
	if r.bcast == program.NoSlot {
		k := uniBcast32
		if r.width == alu.W64 {
			k = uniBcast64
		}
		r.bcast = e.u.newSlot(k, e.f)
	}
	return r.bcast
}

func (e *emitter) specialVec(i int) int32 {
	sp := &e.u.prog.Specials[i]
	if sp.Vector {
		return sp.Slot
	}
	if sp.Bcast == program.NoSlot {
		k := shared32
		if program.SpecialWidth(sp.Name) == alu.W64 {
			k = const64
		}
		sp.Bcast = e.u.newSlot(k, nil)
	}
	return sp.Bcast
}

// vec returns a slot that holds the operand in every lane at the width. A vector of one
// register is the register, as scales and metadata of matrices are often written.
func (e *emitter) vec(o ptx.Operand, w alu.Width) (int32, error) {
	if v, ok := o.(*ptx.Vector); ok && len(v.Elems) == 1 {
		o = v.Elems[0]
	}
	r, ok := o.(*ptx.RegRef)
	if !ok {
		v, err := e.constValue(o, w)
		if err != nil {
			if base, ok := e.localBase(o); ok {
				return base, nil
			}
			return 0, err
		}
		return e.constant(v, w), nil
	}
	if w == alu.Pred {
		return e.predOperand(r)
	}
	if x := e.f.reg(r); x != nil {
		return e.fit(e.vecReg(x), x, w)
	}
	s, ok := e.u.special(r.Name)
	if !ok {
		return e.oddSpecial(r.Name, w)
	}
	return e.widen(e.specialVec(s.index), program.SpecialWidth(strings.TrimPrefix(r.Name, "%")), w)
}

// fit adapts a register's value to the width that an instruction wants.
func (e *emitter) fit(slot int32, x *reg, w alu.Width) (int32, error) {
	if x.width == alu.Pred {
		return 0, unsupportedf("predicate %s used as a number", x.name)
	}
	return e.widen(slot, x.width, w)
}

// widen converts between 32 and 64 bits, zero-extending or cutting off.
func (e *emitter) widen(slot int32, from, to alu.Width) (int32, error) {
	if from == to {
		return slot, nil
	}
	name, k := "cvt.u64.u32", area64
	if to == alu.W32 {
		name, k = "cvt.u32.u64", area32
	}
	op, err := alu.Lookup(name)
	if err != nil {
		return 0, err
	}
	t := e.u.newSlot(k, e.f)
	e.add(program.Instr{Op: program.OpVec, ALU: op, Dst: to, D: t, A: slot})
	return t, nil
}

// predOperand returns the slot of a predicate operand, negated if it says so.
func (e *emitter) predOperand(r *ptx.RegRef) (int32, error) {
	x := e.f.reg(r)
	if x == nil && isa.IsSpecial(r.Name) {
		return e.oddSpecial(r.Name, alu.Pred)
	}
	if x == nil || x.width != alu.Pred {
		return 0, unsupportedf("%s is not a predicate register", r.Name)
	}
	if !r.Not {
		return x.slot, nil
	}
	k := areaPred
	if !x.varying {
		k = uniPred
	}
	t := e.u.newSlot(k, e.f)
	g, n := e.guard, e.not
	e.guard, e.not = program.NoSlot, false
	e.add(program.Instr{Op: program.OpPredNot, D: t, A: x.slot})
	e.guard, e.not = g, n
	return t, nil
}

// scalar returns a slot that holds the operand once; it must be uniform.
func (e *emitter) scalar(o ptx.Operand, w alu.Width) (int32, error) {
	r, ok := o.(*ptx.RegRef)
	if !ok {
		v, err := e.constValue(o, w)
		if err != nil {
			return 0, err
		}
		return e.u.constant(v, w, true), nil
	}
	if w == alu.Pred {
		return e.predOperand(r)
	}
	if x := e.f.reg(r); x != nil {
		return x.slot, nil
	}
	if s, ok := e.u.special(r.Name); ok && s.kind == program.PerWarp {
		return e.u.prog.Specials[s.index].Slot, nil
	}
	return 0, unsupportedf("special register %s is not supported", r.Name)
}

// zeroSpecials are the beginnings of registers that exist but say nothing
// here: performance counters, the driver's environment and reserved memory.
var zeroSpecials = []string{"%pm", "%envreg", "%reserved_smem_offset", "%current_graph_exec"}

// oddSpecial covers the registers that always read as 0, as the fourth
// components of vectors do.
func (e *emitter) oddSpecial(name string, w alu.Width) (int32, error) {
	zero := func(start string) bool { return strings.HasPrefix(name, start) }
	if slices.ContainsFunc(zeroSpecials, zero) || isa.IsSpecial(strings.TrimSuffix(name, ".w")) && strings.HasSuffix(name, ".w") {
		return e.u.constant(0, w, false), nil
	}
	return 0, unsupportedf("special register %s is not supported", name)
}

// constValue evaluates an operand that is known when the kernel is lowered.
func (e *emitter) constValue(o ptx.Operand, w alu.Width) (uint64, error) {
	switch o := o.(type) {
	case *ptx.Imm:
		if w == alu.W32 {
			return uint64(uint32(o.Value)), nil
		}
		return o.Value, nil
	case *ptx.FloatImm:
		return floatValue(o, w), nil
	case *ptx.SymbolRef:
		v, err := e.symbol(o.Name)
		if err != nil {
			return 0, err
		}
		v += uint64(o.Offset)
		if o.Generic {
			v += e.window(o.Name)
		}
		return v, nil
	}
	return 0, unsupportedf("operand of this form is not supported")
}

// floatValue converts a literal to the width of the operand.
func floatValue(f *ptx.FloatImm, w alu.Width) uint64 {
	switch {
	case f.Bits == 64 && w == alu.W32:
		return uint64(math.Float32bits(float32(math.Float64frombits(f.Value))))
	case f.Bits == 32 && w == alu.W64:
		return math.Float64bits(float64(math.Float32frombits(uint32(f.Value))))
	}
	return f.Value
}

// symbol is a variable's address in its own space, or a function's.
func (e *emitter) symbol(name string) (uint64, error) {
	if off, ok := e.u.shared[name]; ok {
		return off, nil
	}
	if off, ok := e.f.locals[name]; ok {
		if e.f.baseSlot != program.NoSlot {
			return 0, unsupportedf("address of %s", name)
		}
		return e.f.base + off, nil
	}
	if e.f.index == 0 {
		for i, p := range e.f.g.PTX.Params {
			if p.Name == name {
				return uint64(e.u.prog.Params[i].Offset), nil
			}
		}
	}
	if a, ok := e.u.syms[name]; ok {
		return a, nil
	}
	if a := FuncAddr(e.u.mod, name); a != 0 {
		return a, nil
	}
	return 0, unsupportedf("%s is defined in no module of the program", name)
}

// window is what makes an address of the symbol's space generic.
func (e *emitter) window(name string) uint64 {
	if _, ok := e.u.shared[name]; ok {
		return mem.SharedWindow
	}
	if _, ok := e.f.locals[name]; ok {
		return mem.LocalWindow
	}
	return 0
}

// localBase computes the address of a local variable of a reentrant
// function: its frame's start plus an offset, as 64 bits.
func (e *emitter) localBase(o ptx.Operand) (int32, bool) {
	s, ok := o.(*ptx.SymbolRef)
	if !ok || e.f.baseSlot == program.NoSlot {
		return 0, false
	}
	off, ok := e.f.locals[s.Name]
	if !ok {
		return 0, false
	}
	wide, err := e.widen(e.f.baseSlot, alu.W32, alu.W64)
	if err != nil {
		return 0, false
	}
	op, err := alu.Lookup("add.u64")
	if err != nil {
		return 0, false
	}
	t := e.u.newSlot(area64, e.f)
	e.add(program.Instr{Op: program.OpVec, ALU: op, Dst: alu.W64, D: t, A: wide, B: e.u.constant(off+uint64(s.Offset), alu.W64, false)})
	return t, true
}

// Parameters of device functions live in words of four bytes per lane.

// readWords loads n bytes at byte offset off into a register.
func (e *emitter) readWords(dst int32, w alu.Width, words []int32, off, n, signBits int) {
	first := off / 4
	shift := uint(off%4) * 8
	get := func(i int) int32 {
		if first+i < len(words) {
			return words[first+i]
		}
		return e.u.constant(0, alu.W32, false)
	}
	if w == alu.Pred { // 0 or 1 in its word
		bit := &alu.Op{Name: "ld.param", Dst: w, Args: []alu.Width{alu.W32}, Fn: func(v, _, _, _ uint64) (uint64, uint64) { return v & 1, 0 }}
		e.add(program.Instr{Op: program.OpLane, ALU: bit, Dst: w, D: dst, D2: program.NoSlot, A: get(0)})
		return
	}
	op := &alu.Op{
		Name: "ld.param", Dst: w, Args: []alu.Width{alu.W32, alu.W32, alu.W32},
		Fn: func(a, b, c, _ uint64) (uint64, uint64) {
			v := (a | b<<32) >> shift
			if shift > 0 {
				v |= c << (64 - shift)
			}
			return extend(v, n, signBits), 0
		},
	}
	if n == 8 && shift == 0 && first+2 <= len(words) {
		e.halves(program.OpPack, dst, words[first:first+2])
		return
	}
	if n == 4 && shift == 0 && w == alu.W32 && signBits == 0 {
		if mv, err := alu.Lookup("mov.b32"); err == nil {
			e.add(program.Instr{Op: program.OpVec, ALU: mv, Dst: w, D: dst, A: get(0)})
			return
		}
	}
	e.add(program.Instr{Op: program.OpLane, ALU: op, Dst: w, D: dst, D2: program.NoSlot, A: get(0), B: get(1), C: get(2)})
}

// extend keeps n bytes of v, sign-extended to bits if that is above 0.
func extend(v uint64, n, bits int) uint64 {
	s := 64 - uint(n)*8
	if bits == 0 {
		return v << s >> s
	}
	v = uint64(int64(v<<s) >> s)
	if bits < 64 {
		v &= 1<<uint(bits) - 1
	}
	return v
}

// writeWords stores n bytes of a register at byte offset off.
func (e *emitter) writeWords(src int32, w alu.Width, words []int32, off, n int) {
	if n == 4 && off%4 == 0 && w == alu.W32 && off/4 < len(words) {
		if mv, err := alu.Lookup("mov.b32"); err == nil {
			e.add(program.Instr{Op: program.OpVec, ALU: mv, Dst: alu.W32, D: words[off/4], A: src})
			return
		}
	}
	if n == 8 && off%4 == 0 && off/4+2 <= len(words) {
		e.halves(program.OpUnpack, src, words[off/4:off/4+2])
		return
	}
	for i := off / 4; i*4 < off+n && i < len(words); i++ {
		at := i*4 - off // where in the value this word begins, may be negative
		if at >= 0 && at+4 <= n {
			e.add(program.Instr{Op: program.OpLane, ALU: wholeWord(w, at), Dst: alu.W32, D: words[i], D2: program.NoSlot, A: src})
			continue
		}
		e.add(program.Instr{
			Op: program.OpLane, ALU: insertWord(w, at, n), Dst: alu.W32, D: words[i], D2: program.NoSlot, A: words[i], B: src,
		})
	}
}

// halves moves between a register of 64 bits and two words.
func (e *emitter) halves(op program.Opcode, reg int32, words []int32) {
	p := program.Pack{Reg: reg, Width: alu.W64, Elems: slices.Clone(words), ElemWidth: alu.W32, Bits: 32}
	e.u.prog.Packs = append(e.u.prog.Packs, p)
	e.add(program.Instr{Op: op, X: int32(len(e.u.prog.Packs) - 1)})
}

// wholeWord takes the word that begins at byte at of a value.
func wholeWord(w alu.Width, at int) *alu.Op {
	return &alu.Op{
		Name: "st.param", Dst: alu.W32, Args: []alu.Width{w},
		Fn: func(v, _, _, _ uint64) (uint64, uint64) { return uint64(uint32(v >> (8 * uint(at)))), 0 },
	}
}

// insertWord puts the bytes of a value of n bytes that fall into the word
// which begins at byte at of the value.
func insertWord(w alu.Width, at, n int) *alu.Op {
	var mask uint64
	for b := range 4 {
		if at+b >= 0 && at+b < n {
			mask |= 0xff << (8 * b)
		}
	}
	return &alu.Op{
		Name: "st.param", Dst: alu.W32, Args: []alu.Width{alu.W32, w},
		Fn: func(old, v, _, _ uint64) (uint64, uint64) {
			if at >= 0 {
				v >>= 8 * uint(at)
			} else {
				v <<= 8 * uint(-at)
			}
			return old&^mask | v&mask, 0
		},
	}
}

// result prepares a register to be written by a scalar or vector step.
func (e *emitter) dest(o ptx.Operand) (*reg, error) {
	switch o := o.(type) {
	case *ptx.RegRef:
		if r := e.f.reg(o); r != nil {
			return r, nil
		}
		return nil, unsupportedf("%s is not declared, or of a type that is not supported", o.Name)
	case *ptx.Sink:
		return nil, nil
	}
	return nil, unsupportedf("result of this form is not supported")
}
