package static

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Drano is GPUDrano's abstract interpretation of a kernel as published (Alur et
// al., section 4), on single static assignment form. An abstract integer says
// how a value depends on the thread's index: 0, 1 or -1 times it plus something
// that all threads have in common, or in another way. As addresses are in bytes
// here, the products of 64 bits of an index and an element's size are kept too.
type Drano struct {
	f      *ssa.Func
	ints   []absInt
	bools  []absBool
	active []bool // by block: more than one thread may be active
	dirty  bool
}

// absInt is a value of the integer lattice.
type absInt struct {
	kind  intKind
	times int64 // kind linear: the factor of the thread's index
}

type intKind uint8

const (
	noInt  intKind = iota // bottom
	linear                // times the thread's index, and something common
	anyInt                // top
)

// absBool is a value of the boolean lattice; the values for constants are not
// needed, as in the paper.
type absBool uint8

const (
	noBool  absBool = iota // bottom
	common                 // TF: the same for all threads
	atMost1                // FF-: true for at most one thread
	butOne                 // TT-: false for at most one thread
	anyBool                // top
)

// RunDrano interprets a kernel.
func RunDrano(f *ssa.Func) *Drano {
	d := &Drano{f: f, ints: make([]absInt, f.NumValues), bools: make([]absBool, f.NumValues), active: make([]bool, len(f.Blocks))}
	for d.dirty = true; d.dirty; {
		d.dirty = false
		for _, b := range f.Blocks {
			d.activate(b)
			for _, v := range b.Values {
				d.update(v)
			}
		}
	}
	return d
}

// Uncoalesced returns the accesses to global memory that the analysis reports:
// those that more than one thread makes, and whose index depends on the
// thread's in another way than by +1 or -1, or so with elements of more than
// four bytes.
func (d *Drano) Uncoalesced() []*ssa.Value {
	var out []*ssa.Value
	for _, b := range d.f.Blocks {
		for _, v := range b.Values {
			if d.active[b.ID] && v.Op != ssa.Effect && (d.bad(v.Mem) || d.bad(v.Mem2)) {
				out = append(out, v)
			}
		}
	}
	return out
}

func (d *Drano) bad(m *ssa.Mem) bool {
	if m == nil || m.Base == nil || m.Space != ptx.Global && m.Space != ptx.NoSpace {
		return false
	}
	a := d.ints[m.Base.ID]
	return a.kind == anyInt || a.kind == linear && (a.times > 4 || a.times < -4)
}

// activate finds out whether several threads can be active in a block.
func (d *Drano) activate(b *ssa.Block) {
	several := b.ID == 0
	for _, p := range b.Preds {
		if d.active[p.ID] && !d.oneThread(p, b) {
			several = true
		}
	}
	if several && !d.active[b.ID] {
		d.active[b.ID], d.dirty = true, true
	}
}

// oneThread reports whether at most one thread takes an edge.
func (d *Drano) oneThread(from, to *ssa.Block) bool {
	if from.Kind != ssa.If || from.Succs[0] == from.Succs[1] {
		return false
	}
	c := d.bools[from.Control.ID]
	return c == atMost1 && from.Succs[0] == to || c == butOne && from.Succs[1] == to
}

func (d *Drano) update(v *ssa.Value) {
	if v.Type == isa.Pred {
		if n := joinBool(d.bools[v.ID], d.boolean(v)); n != d.bools[v.ID] {
			d.bools[v.ID], d.dirty = n, true
		}
		return
	}
	if n := joinInt(d.ints[v.ID], d.integer(v)); n != d.ints[v.ID] {
		d.ints[v.ID], d.dirty = n, true
	}
}

func joinInt(a, b absInt) absInt {
	switch {
	case a.kind == noInt || a == b:
		return b
	case b.kind == noInt:
		return a
	}
	return absInt{kind: anyInt}
}

func joinBool(a, b absBool) absBool {
	switch {
	case a == noBool || a == b:
		return b
	case b == noBool:
		return a
	}
	return anyBool
}

// times makes the value n times the thread's index; 32 bits know 0, 1 and -1.
func times(n int64, bits int) absInt {
	if bits < 64 && (n > 1 || n < -1) {
		return absInt{kind: anyInt}
	}
	return absInt{linear, n}
}

var zeroInt = absInt{kind: linear}

// integer is the abstract value of an operation.
func (d *Drano) integer(v *ssa.Value) absInt {
	switch v.Op {
	case ssa.Const, ssa.Param, ssa.Addr, ssa.Undef:
		return zeroInt
	case ssa.Special:
		switch v.Name {
		case "%tid.x":
			return absInt{linear, 1}
		case "%laneid":
			return absInt{kind: anyInt}
		}
		return zeroInt
	case ssa.Load:
		if v.Mem.Base == nil || d.ints[v.Mem.Base.ID] == zeroInt {
			return zeroInt
		}
		return d.unless(v, absInt{kind: anyInt})
	case ssa.Phi:
		return d.phi(v)
	case ssa.Select:
		a, b := d.ints[v.Args[1].ID], d.ints[v.Args[2].ID]
		if c := d.bools[v.Args[0].ID]; c == noBool || c == common {
			return joinInt(a, b)
		}
		return absInt{kind: anyInt}
	case ssa.Atomic, ssa.OpCall, ssa.Lane, ssa.Clock, ssa.Effect, ssa.Copy:
		return absInt{kind: anyInt}
	case ssa.Zext, ssa.Sext, ssa.Trunc, ssa.ToGeneric, ssa.FromGeneric:
		if v.Args[0].Type == isa.Pred {
			return d.fromBool(v)
		}
		return d.ints[v.Args[0].ID]
	}
	return d.arith(v)
}

// fromBool is a predicate as a number.
func (d *Drano) fromBool(v *ssa.Value) absInt {
	switch d.bools[v.Args[0].ID] {
	case noBool:
		return absInt{}
	case common:
		return zeroInt
	}
	return absInt{kind: anyInt}
}

// unless is bottom as long as an argument is, else t.
func (d *Drano) unless(v *ssa.Value, t absInt) absInt {
	for _, a := range v.Args {
		if a.Type == isa.Pred && d.bools[a.ID] == noBool || a.Type != isa.Pred && d.ints[a.ID].kind == noInt {
			return absInt{}
		}
	}
	return t
}

// arith is regular arithmetic on multiples of the thread's index.
func (d *Drano) arith(v *ssa.Value) absInt {
	all0 := true
	for _, a := range v.Args {
		if a.Type == isa.Pred {
			all0 = all0 && d.bools[a.ID] == common
			continue
		}
		all0 = all0 && d.ints[a.ID] == zeroInt
	}
	if all0 {
		return zeroInt
	}
	top := d.unless(v, absInt{kind: anyInt})
	if top.kind == noInt || len(v.Args) == 0 {
		return top
	}
	a := d.ints[v.Args[0].ID]
	if a.kind == anyInt {
		return top
	}
	if v.Op == ssa.Neg || v.Op == ssa.Not { // compilers write n - 1 - i as n + ^i
		return times(-a.times, v.Width())
	}
	if len(v.Args) < 2 || d.ints[v.Args[1].ID].kind != linear {
		return top
	}
	return d.linear(v, a, d.ints[v.Args[1].ID], top)
}

// linear is a sum, a difference or a product with a constant.
func (d *Drano) linear(v *ssa.Value, a, b, top absInt) absInt {
	switch v.Op {
	case ssa.Add:
		return times(a.times+b.times, v.Width())
	case ssa.Sub:
		return times(a.times-b.times, v.Width())
	case ssa.Mul:
		if k, ok := v.Args[1].IsConst(); ok {
			return times(a.times*signedBits(k, v.Width()), v.Width())
		}
		if k, ok := v.Args[0].IsConst(); ok {
			return times(b.times*signedBits(k, v.Width()), v.Width())
		}
	case ssa.Shl:
		if k, ok := v.Args[1].IsConst(); ok && k < 32 {
			return times(a.times<<k, v.Width())
		}
	}
	return top
}

func signedBits(v uint64, bits int) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

// boolean is the abstract value of a predicate.
func (d *Drano) boolean(v *ssa.Value) absBool {
	arg := func(i int) absBool { return d.bools[v.Args[i].ID] }
	switch {
	case v.Op == ssa.Const || v.Op == ssa.Undef:
		return common
	case v.Op == ssa.Phi:
		return d.phiBool(v)
	case v.Op.IsCompare() && v.Args[0].Type != isa.Pred:
		return d.compare(v)
	case v.Op == ssa.Not:
		return not(arg(0))
	case v.Op == ssa.And:
		return and(arg(0), arg(1))
	case v.Op == ssa.Or:
		return not(and(not(arg(0)), not(arg(1))))
	}
	if d.unless(v, zeroInt).kind == noInt {
		return noBool
	}
	for _, a := range v.Args {
		if a.Type == isa.Pred && d.bools[a.ID] != common || a.Type != isa.Pred && d.ints[a.ID] != zeroInt {
			return anyBool
		}
	}
	if v.Op == ssa.Lane || v.Op == ssa.Atomic || v.Op == ssa.OpCall {
		return anyBool
	}
	return common
}

func not(a absBool) absBool {
	switch a {
	case atMost1:
		return butOne
	case butOne:
		return atMost1
	}
	return a
}

func and(a, b absBool) absBool {
	switch {
	case a == noBool || b == noBool:
		return noBool
	case a == atMost1 || b == atMost1:
		return atMost1
	case a == common && b == common:
		return common
	}
	return anyBool
}

// compare knows "index == c" and "index != c".
func (d *Drano) compare(v *ssa.Value) absBool {
	a, b := d.ints[v.Args[0].ID], d.ints[v.Args[1].ID]
	switch {
	case a.kind == noInt || b.kind == noInt:
		return noBool
	case a == zeroInt && b == zeroInt:
		return common
	case a.kind != linear || b.kind != linear || a != zeroInt && b != zeroInt:
		return anyBool
	case v.Op == ssa.Eq:
		return atMost1
	case v.Op == ssa.Ne:
		return butOne
	}
	return anyBool
}

// phi merges by the conditions that choose: where one of them depends on the
// thread's index, so does the merged value.
func (d *Drano) phi(v *ssa.Value) absInt {
	t := absInt{}
	for _, a := range v.Args {
		t = joinInt(t, d.ints[a.ID])
	}
	if t.kind != noInt && !allSame(v) && d.dependent(v.Block) {
		return absInt{kind: anyInt}
	}
	return t
}

func (d *Drano) phiBool(v *ssa.Value) absBool {
	t := noBool
	for _, a := range v.Args {
		t = joinBool(t, d.bools[a.ID])
	}
	if t != noBool && !allSame(v) && d.dependent(v.Block) {
		return anyBool
	}
	return t
}

// allSame reports whether v is a phi of one value and itself. A compiler computes one value in
// several places.
func allSame(v *ssa.Value) bool {
	var one *ssa.Value
	for _, a := range v.Args {
		if a != v && one != nil && !congruent(a, one, 0) {
			return false
		}
		if a != v {
			one = a
		}
	}
	return true
}

// maxCongruent bounds the expressions that are compared.
const maxCongruent = 6

// congruent reports whether two values are the same computation on the same values.
func congruent(a, b *ssa.Value, depth int) bool {
	switch {
	case a == b:
		return true
	case depth > maxCongruent || a.Op != b.Op || a.Type != b.Type || a.Const != b.Const || a.Name != b.Name || len(a.Args) != len(b.Args) || a.Object != b.Object:
		return false
	case a.Op != ssa.Const && a.Op != ssa.Special && a.Op != ssa.Param && a.Op != ssa.Addr && (a.Op < ssa.Add || a.Op > ssa.Select) &&
		a.Op != ssa.ToGeneric && a.Op != ssa.FromGeneric:
		return false
	}
	for i := range a.Args {
		if !congruent(a.Args[i], b.Args[i], depth+1) {
			return false
		}
	}
	return true
}

// dependent reports whether a branch that decides on which edge a block is
// entered depends on the thread: those between its immediate dominator and it,
// and for a loop's header those that leave the loop and those within.
func (d *Drano) dependent(b *ssa.Block) bool {
	if b.Loop != nil && b.Loop.Header == b {
		for _, x := range b.Loop.Exits {
			if d.splits(x.From) {
				return true
			}
		}
		if len(b.Loop.Latches) == 1 {
			return false
		}
	}
	seen := map[*ssa.Block]bool{}
	work := append([]*ssa.Block(nil), b.Preds...)
	stop := d.f.Idom[b.ID]
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		if d.splits(p) {
			return true
		}
		if p.ID != stop && p != b {
			work = append(work, p.Preds...)
		}
	}
	return false
}

// splits reports whether b is a branch that threads may take in different ways.
func (d *Drano) splits(b *ssa.Block) bool {
	switch b.Kind {
	case ssa.If:
		c := d.bools[b.Control.ID]
		return c != noBool && c != common
	case ssa.Switch:
		c := d.ints[b.Control.ID]
		return c.kind != noInt && c != zeroInt
	}
	return false
}
