package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Registers of 128 bits are kept as two of 64, named by the components x (the
// low one) and y, and what works on them is rewritten: a load or store becomes
// one of a pair, a move becomes two.

// splitWide rewrites the .b128 instructions of a function.
func splitWide(g *cfg.Func) {
	for _, b := range g.Blocks {
		for i := 0; i < len(b.Instrs); i++ {
			in := b.Instrs[i]
			if !in.Has("b128") {
				continue
			}
			switch {
			case in.Kind() == inst.Load || in.Kind() == inst.Store:
				b.Instrs[i] = widePair(g, in)
			case in.Kind() == inst.Atomic:
				c := *in
				c.Args = pairs(g, in.Args)
				b.Instrs[i] = &c
			case in.Flow() == inst.Same:
				parts := wideMoves(g, in)
				b.Instrs = slices.Replace(b.Instrs, i, i+1, parts...)
				i += len(parts) - 1
			}
		}
	}
}

// as64 copies an instruction with .b64 in place of .b128.
func as64(in *ptx.Instr, args ...ptx.Operand) *ptx.Instr {
	c := *in
	c.Mods = slices.Clone(in.Mods)
	c.Mods[slices.Index(c.Mods, "b128")] = "b64"
	c.Args = args
	return &c
}

// widePair turns ld.b128 or st.b128 into the .v2.b64 form.
func widePair(g *cfg.Func, in *ptx.Instr) *ptx.Instr {
	c := as64(in, pairs(g, in.Args)...)
	c.Mods = slices.Insert(c.Mods, slices.Index(c.Mods, "b64"), "v2")
	return c
}

// pairs has vectors of two registers for operands of 128 bits.
func pairs(g *cfg.Func, args []ptx.Operand) []ptx.Operand {
	args = slices.Clone(args)
	for i, a := range args {
		if low, high, ok := halvesOf(g, a); ok {
			args[i] = &ptx.Vector{Elems: []ptx.Operand{low, high}}
		}
	}
	return args
}

// upperHalves fills in the upper halves of an atomic on 128 bits, and returns the operands with
// the lower ones.
func (e *emitter) upperHalves(m *program.Mem, in *ptx.Instr) (low []ptx.Operand, err error) {
	e.u.prog.Ordered = true // the engine's machine need not have such an atomic
	m.Wide, m.BHigh, m.CHigh = true, program.NoSlot, program.NoSlot
	slots := []*int32{0: &m.Regs[1], 2: &m.BHigh, 3: &m.CHigh}
	for i, a := range in.Args {
		v, ok := a.(*ptx.Vector)
		if !ok || i >= len(slots) || slots[i] == nil {
			low = append(low, a)
			continue
		}
		if len(v.Elems) != 2 {
			return nil, unsupportedf("%s with %d registers", in.Opcode(), len(v.Elems))
		}
		low = append(low, v.Elems[0])
		if i > 0 {
			if *slots[i], err = e.vec(v.Elems[1], alu.W64); err != nil {
				return nil, err
			}
			continue
		}
		r, err := e.dest(v.Elems[1])
		if err != nil {
			return nil, err
		}
		if r != nil {
			m.Regs[1] = e.vecReg(r)
		}
	}
	return low, nil
}

// wideMoves turns mov.b128 into moves of the two halves.
func wideMoves(g *cfg.Func, in *ptx.Instr) []*ptx.Instr {
	if len(in.Args) != 2 {
		return []*ptx.Instr{in}
	}
	dl, dh, ok1 := halvesOf(g, in.Args[0])
	sl, sh, ok2 := halvesOf(g, in.Args[1])
	if !ok1 || !ok2 {
		return []*ptx.Instr{in}
	}
	return []*ptx.Instr{as64(in, dl, sl), as64(in, dh, sh)}
}

// halvesOf gives the low and high half of an operand of 128 bits: a register,
// a sink, or a vector of which each half has one or several elements.
func halvesOf(g *cfg.Func, o ptx.Operand) (low, high ptx.Operand, ok bool) {
	switch o := o.(type) {
	case *ptx.RegRef:
		if d, known := g.Register(o.Name); known && d.Type == isa.B128 {
			l, h := *o, *o
			l.Elem, h.Elem = "x", "y"
			return &l, &h, true
		}
	case *ptx.Sink:
		return o, o, true
	case *ptx.Vector:
		n := len(o.Elems)
		if n == 2 {
			return o.Elems[0], o.Elems[1], true
		}
		if n%2 == 0 {
			return &ptx.Vector{Elems: o.Elems[:n/2]}, &ptx.Vector{Elems: o.Elems[n/2:]}, true
		}
	}
	return nil, nil, false
}

// vectorHalves lowers a load or store of eight elements as two of four.
func (e *emitter) vectorHalves(in *ptx.Instr, lower func(*emitter, *ptx.Instr, *cfg.Block) error) error {
	half := int64(4 * parseAccess(in).typ.Size())
	for h := range 2 {
		c := *in
		c.Mods = slices.Clone(in.Mods)
		c.Mods[slices.Index(c.Mods, "v8")] = "v4"
		c.Args = slices.Clone(in.Args)
		for i, a := range c.Args {
			switch a := a.(type) {
			case *ptx.Vector:
				if len(a.Elems) != 8 {
					return unsupportedf("%s with %d registers", in.Opcode(), len(a.Elems))
				}
				c.Args[i] = &ptx.Vector{Elems: a.Elems[4*h : 4*h+4]}
			case *ptx.Address:
				c.Args[i] = shifted(a, half*int64(h))
			}
		}
		if err := lower(e, &c, nil); err != nil {
			return err
		}
	}
	return nil
}

func shifted(a *ptx.Address, by int64) *ptx.Address {
	c := *a
	c.Offset += by
	return &c
}

// vectorAtomic lowers an atomic on a vector as one on each element, which is
// all that the vector forms promise (PTX ISA, "atom").
func (e *emitter) vectorAtomic(in *ptx.Instr, a access) error {
	for k := range a.count {
		c := *in
		c.Mods = slices.DeleteFunc(slices.Clone(in.Mods), func(m string) bool { return m == "v2" || m == "v4" || m == "v8" })
		c.Args = slices.Clone(in.Args)
		for i, arg := range c.Args {
			switch arg := arg.(type) {
			case *ptx.Vector:
				if len(arg.Elems) != a.count {
					return unsupportedf("%s with %d registers", in.Opcode(), len(arg.Elems))
				}
				c.Args[i] = arg.Elems[k]
			case *ptx.Address:
				c.Args[i] = shifted(arg, int64(k*a.typ.Size()))
			}
		}
		if err := e.atomic(&c, nil); err != nil {
			return err
		}
	}
	return nil
}
