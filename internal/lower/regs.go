package lower

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// bits is the declared width of the register.
func (r *reg) bits() int { return r.typ.Size() * 8 }

func widthOf(t isa.Type) (alu.Width, bool) {
	switch {
	case t == isa.Pred:
		return alu.Pred, true
	case t.Size() == 8:
		return alu.W64, true
	case t.Size() > 0 && t.Size() <= 4:
		return alu.W32, true
	}
	return alu.None, false
}

// elemName maps color components to positions.
func elemName(e string) string {
	if i := strings.Index("rgba", e); i >= 0 && e != "" {
		return "xyzw"[i : i+1]
	}
	return e
}

// byID returns the registers by their numbers.
func (f *fn) byID() []*reg {
	list := make([]*reg, len(f.regs))
	for _, r := range f.regs {
		list[r.id] = r
	}
	return list
}

func areaKind(w alu.Width) slotKind {
	switch w {
	case alu.W64:
		return area64
	case alu.Pred:
		return areaPred
	}
	return area32
}

// maxConstants is how many constants have a row in the slab.
const maxConstants = 2048

// constant returns a slot with the value in every lane: the constant's own, or
// one that is filled each time where a kernel has too many.
func (e *emitter) constant(v uint64, w alu.Width) int32 {
	if w == alu.Pred || len(e.u.consts) < maxConstants {
		return e.u.constant(v, w, false)
	}
	t := e.u.newSlot(areaKind(w), e.f)
	op := &alu.Op{Name: "mov", Dst: w, Fn: func(_, _, _, _ uint64) (uint64, uint64) { return v, 0 }}
	e.add(program.Instr{Op: program.OpLane, ALU: op, Dst: w, D: t, D2: program.NoSlot})
	return t
}

// special returns the entry of a special register; ok is false if the
// emulator has none of that name.
func (u *unit) special(name string) (special, bool) {
	name = strings.TrimPrefix(name, "%")
	if s, ok := u.specials[name]; ok {
		return s, true
	}
	k := program.FindSpecial(name)
	if k == program.NoSpecial {
		return special{}, false
	}
	sp := program.Special{Name: name, Vector: k == program.Lane, Bcast: program.NoSlot}
	if sp.Vector {
		sp.Slot = u.newSlot(shared32, nil)
	} else {
		sp.Slot = u.newSlot(constScalar, nil)
	}
	s := special{len(u.prog.Specials), k}
	u.prog.Specials = append(u.prog.Specials, sp)
	u.specials[name] = s
	return s, true
}

// assignSlots gives every register its place once it is known which vary.
func (u *unit) assignSlots(f *fn) {
	for _, r := range f.byID() {
		switch {
		case r.slot != program.NoSlot: // a copy of a special register
		case r.varying:
			r.slot = u.newSlot(areaKind(r.width), f)
		case r.width == alu.Pred:
			r.slot = u.newSlot(uniPred, f)
		default:
			r.slot = u.newSlot(uniScalar, f)
		}
	}
}

// layoutSlab orders the slab: what is kept once per warp, constants and
// specials, then each function's registers, narrow rows first. Every row
// begins at a multiple of 64 bytes. It returns the functions' areas.
func (u *unit) layoutSlab() []program.Area {
	known := u.share()
	switch {
	case u.check && !known:
		u.clobbered = errors.New("a step that warp.Program.Slots does not know")
	case u.check:
		u.clobbered = u.checkSharing()
	}
	l := newLayout(u)
	for k := uniScalar; k <= uniBcast64; k++ {
		l.all(k)
	}
	u.prog.Uniform = l.offset()
	for k := constScalar; k <= shared32; k++ {
		l.all(k)
	}
	areas := make([]program.Area, len(u.order))
	for i := range areas {
		a := &areas[i]
		a.Lo = l.offset()
		l.put(l.slots[area32][i], area32)
		a.Wide = l.offset()
		l.put(l.slots[area64][i], area64)
		a.Preds = l.offset()
		l.put(l.slots[areaPred][i], areaPred)
		a.Hi = l.offset()
	}
	u.prog.Slab, u.prog.Areas = l.offset(), areas
	u.prog.Restored = u.prog.Uniform // what lanes saved of it is compared
	if !known || u.strays() {
		u.prog.Restored = u.prog.Slab
	}
	for i := range u.slots {
		u.slots[i].offset = u.slots[u.slots[i].place].offset
	}
	return areas
}

// strays reports whether there are steps that may read registers which the
// thread did not write: those of lanes that are not there, or those of a
// function that keep what its last call left.
func (u *unit) strays() bool {
	return slices.ContainsFunc(u.prog.Code, func(in program.Instr) bool {
		switch in.Op {
		case program.OpSync, program.OpStep, program.OpCall, program.OpCallIndirect, program.OpUnsupported:
			return true
		}
		return false
	})
}

// layout gives places their offsets.
type layout struct {
	u *unit
	// slots lists the slots with a place of their own by kind and function.
	slots [areaPred + 1][][]int32
	at    int64
}

func newLayout(u *unit) *layout {
	l := &layout{u: u, at: 64} // the first bytes stand for absent operands
	for k := range l.slots {
		l.slots[k] = make([][]int32, len(u.order))
	}
	for i := 1; i < len(u.slots); i++ {
		if s := &u.slots[i]; s.place == int32(i) {
			l.slots[s.kind][s.fn] = append(l.slots[s.kind][s.fn], int32(i))
		}
	}
	return l
}

// offset is where the next slot goes. Programs that are too large for it are
// refused later.
func (l *layout) offset() int32 { return int32(min(l.at, math.MaxInt32)) }

func (l *layout) all(k slotKind) {
	l.put(slices.Concat(l.slots[k]...), k)
}

// put places slots one after the other and pads to the next row.
func (l *layout) put(list []int32, k slotKind) {
	for _, i := range list {
		l.u.slots[i].offset = l.offset()
		l.at += int64(k.size())
	}
	l.at = (l.at + 63) &^ 63
}

// newSlot returns the number of a new slot; numbers become offsets in finish.
func (u *unit) newSlot(k slotKind, f *fn) int32 {
	s := slot{kind: k}
	if f != nil {
		s.fn = f.index
	}
	u.slots = append(u.slots, s)
	return int32(len(u.slots) - 1)
}

// constant returns the slot of a value, as a scalar or one per lane.
func (u *unit) constant(v uint64, w alu.Width, scalar bool) int32 {
	k := const32
	switch {
	case w == alu.Pred:
		k, v = constPred, v&1
	case scalar:
		k = constScalar
	case w == alu.W64:
		k = const64
	default:
		v = uint64(uint32(v))
	}
	key := constKey{k, v}
	if s, ok := u.consts[key]; ok {
		return s
	}
	s := u.newSlot(k, nil)
	u.consts[key] = s
	u.prog.Consts = append(u.prog.Consts, program.Const{Slot: s, Width: w, Scalar: k == constScalar, Value: v})
	return s
}

// reg finds or makes the register that an operand names; nil for special
// registers and undeclared names.
func (f *fn) reg(r *ptx.RegRef) *reg {
	key := r.Name
	if strings.Contains("xyzwrgba", r.Elem) && r.Elem != "" {
		key += "." + elemName(r.Elem)
	}
	if have, ok := f.regs[key]; ok {
		return have
	}
	d, ok := f.g.Register(r.Name)
	if !ok {
		return nil
	}
	typ := d.Type
	if typ == isa.B128 && r.Elem != "" {
		typ = isa.B64 // a half of it
	}
	w, ok := widthOf(typ)
	if !ok {
		return nil
	}
	n := &reg{name: key, id: len(f.regs), typ: typ, width: w, slot: program.NoSlot, bcast: program.NoSlot}
	f.regs[key] = n
	return n
}
