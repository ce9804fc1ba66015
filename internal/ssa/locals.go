package ssa

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// promoteLocals turns parts of local objects into values: bytes of an object
// whose address does not escape, to which all accesses are at constant
// offsets and of one size. Loads from them are replaced. Stores stay, where a
// call may read the object, or else go.
func (f *Func) promoteLocals() {
	l := &locals{f: f, uses: f.Uses(), by: map[*Object]*local{}, at: map[*Value]place{}, marks: map[*Value]bool{}}
	for _, o := range f.Objects {
		if o.Space == ptx.Local {
			x := &local{obj: o}
			l.objects = append(l.objects, x)
			l.by[o] = x
		}
	}
	l.collect()
	var types []isa.Type
	for _, x := range l.objects {
		types = x.slots(types)
	}
	if len(types) == 0 {
		return
	}
	l.replace()
	f.promote(types)
}

// local holds the facts about one object.
type local struct {
	obj *Object
	// dynamic is set if some access has no constant offset.
	dynamic bool
	// read is set if a call may read the object.
	read bool
	// parts are the elements that accesses name.
	parts []part
	// vars are the variables of the parts that are promoted, by offset.
	vars map[int64]int
}

// part is an element of an access, in bytes from the object's start.
type part struct {
	off  int64
	size int
}

// place is a constant offset in an object.
type place struct {
	obj *local
	off int64
}

// mark reports whether p is a place in a variable that stands for a member array or a row.
func (p place) mark() bool {
	return slices.ContainsFunc(p.obj.obj.Locals, func(v cfg.Local) bool {
		return (v.Kind == pragma.Member || v.Kind == pragma.Row) && uint64(p.off)-v.Offset < v.Type.Size
	})
}

type locals struct {
	f       *Func
	uses    [][]*Value
	objects []*local
	by      map[*Object]*local
	// at are the addresses at constant offsets.
	at map[*Value]place
	// marks are the addresses in variables that stand for something else: what is
	// accessed there is not the program's memory.
	marks map[*Value]bool
}

// collect follows the addresses of all objects.
func (l *locals) collect() {
	var calls []*Value
	for _, b := range l.f.Blocks {
		for _, v := range b.Values {
			if v.Op == OpCall {
				calls = append(calls, v)
			}
		}
	}
	for _, v := range calls {
		reader := v.Call.Callee == "vprintf" || v.Call.Callee == assertFail
		for _, o := range append(append([]*Object(nil), v.Call.Args...), v.Call.Ret...) {
			if x := l.by[o]; x != nil {
				x.read = x.read || reader
				o.Escapes = o.Escapes || !reader
			}
		}
	}
	for _, b := range l.f.Blocks {
		for _, v := range b.Values {
			if x := l.by[v.Object]; v.Op == Addr && x != nil {
				l.follow(v, place{x, int64(v.Const)})
			}
		}
	}
}

// follow looks at what is done with an address and those computed from it.
func (l *locals) follow(v *Value, at place) {
	type item struct {
		v     *Value
		exact bool
	}
	l.at[v] = at
	seen := map[*Value]bool{v: true}
	work := []item{{v, true}}
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		if it.exact && l.at[it.v].mark() {
			l.marks[it.v] = true
		}
		for _, u := range l.uses[it.v.ID] {
			derived, exact := l.use(u, it.v, it.exact, at.obj)
			if derived && !seen[u] {
				seen[u] = true
				l.marks[u] = l.marks[it.v]
				work = append(work, item{u, exact})
			}
		}
	}
}

// use looks at one use u of an address a into x. It reports whether u is an
// address too, and whether at a constant offset.
func (l *locals) use(u, a *Value, exact bool, x *local) (derived, constant bool) {
	switch u.Op {
	case ToGeneric, FromGeneric:
		if exact {
			l.at[u] = l.at[a]
		}
		return true, exact
	case Add, Sub:
		if c := u.Args[1]; exact && u.Args[0] == a && c.Op == Const && u.Width() == 64 {
			p := l.at[a]
			if p.off += int64(c.Const); u.Op == Sub {
				p.off -= 2 * int64(c.Const)
			}
			l.at[u] = p
			return true, true
		}
		return true, false
	case Select, Phi, And, Or, Trunc, Zext, Sext, MinU, MaxU:
		return true, false
	case Eq, Ne, LtU, LeU, LtS, LeS:
		return false, false
	case Load, Store, Atomic:
		if u.Mem.Base == a && !slices.Contains(u.Args[1:], a) {
			l.access(u, a, exact, x)
			return false, false
		}
		if u.Op == Store && l.passedOnly(u) {
			x.read = true
			return false, false
		}
	case OpCall: // as an object, seen already
		return false, false
	}
	x.obj.Escapes = true
	return false, false
}

// passedOnly reports whether u is a store of an address into an object that only calls
// read which do not keep it.
func (l *locals) passedOnly(u *Value) bool {
	b := u.Mem.Base
	if b == nil || b.Op != Addr {
		return false
	}
	x := l.by[b.Object]
	return x != nil && x.read && !x.obj.Escapes && x.obj.Var != nil && x.obj.Var.Space == ptx.Param
}

// access notes an access to x.
func (l *locals) access(u, a *Value, exact bool, x *local) {
	if l.marks[a] {
		return
	}
	if !exact || u.Op == Atomic {
		x.dynamic = true
		return
	}
	size := u.Mem.Elem.Size()
	for i := range u.Mem.Count {
		x.parts = append(x.parts, part{l.at[a].off + u.Mem.Offset + int64(i*size), size})
	}
}

// slots chooses the parts to promote and numbers them as variables.
func (x *local) slots(types []isa.Type) []isa.Type {
	if x.obj.Escapes || x.dynamic {
		return types
	}
	x.vars = map[int64]int{}
	slices.SortFunc(x.parts, func(a, b part) int {
		if a.off != b.off {
			return int(min(max(a.off-b.off, -1), 1))
		}
		return a.size - b.size
	})
	for i := 0; i < len(x.parts); {
		p, end, same := x.parts[i], x.parts[i].off+int64(x.parts[i].size), true
		j := i
		for ; j < len(x.parts) && x.parts[j].off < end; j++ {
			same = same && x.parts[j] == p
			end = max(end, x.parts[j].off+int64(x.parts[j].size))
		}
		if same && p.size <= 8 {
			x.vars[p.off] = len(types)
			types = append(types, intOf(8*p.size))
		}
		i = j
	}
	return types
}

// replace turns accesses to promoted parts into gets and sets.
func (l *locals) replace() {
	for _, b := range l.f.Blocks {
		var out []*Value
		for _, v := range b.Values {
			out = l.value(out, v)
		}
		b.Values = out
	}
}

// value appends v, or what takes its place.
func (l *locals) value(out []*Value, v *Value) []*Value {
	if v.Op == get { // an Elem of a load that was replaced: it stands there
		return out
	}
	if v.Op != Load && v.Op != Store || v.Mem.Base == nil || l.marks[v.Mem.Base] {
		return append(out, v)
	}
	p, ok := l.at[v.Mem.Base]
	if !ok || p.obj.vars == nil {
		return append(out, v)
	}
	first, ok := l.varsOf(v, p)
	if !ok {
		return append(out, v)
	}
	if v.Op == Load {
		return l.load(out, v, first)
	}
	for i, x := range first {
		s := *v
		s.ID, s.Op, s.Args, s.Mem, s.Const = l.f.NumValues, set, []*Value{v.Args[1+i]}, nil, uint64(x)
		l.f.NumValues++
		out = append(out, &s)
	}
	if p.obj.read {
		out = append(out, v)
	}
	return out
}

// varsOf are the variables of the elements of an access; ok is false if one of
// them is in memory.
func (l *locals) varsOf(v *Value, p place) (list []int, ok bool) {
	for i := range v.Mem.Count {
		x, ok := p.obj.vars[p.off+v.Mem.Offset+int64(i*v.Mem.Elem.Size())]
		if !ok {
			return nil, false
		}
		list = append(list, x)
	}
	return list, true
}

// load replaces a load by gets: of one element in place, of several in place
// of the Elems that follow.
func (l *locals) load(out []*Value, v *Value, vars []int) []*Value {
	if v.Mem.Count == 1 {
		return append(out, l.get(v, vars[0]))
	}
	for _, u := range l.uses[v.ID] {
		if u.Op == Elem {
			l.get(u, vars[u.Const])
			out = append(out, u)
		}
	}
	return out
}

// get turns v into a get of variable x.
func (l *locals) get(v *Value, x int) *Value {
	v.Op, v.Args, v.Mem, v.Const = get, nil, nil, uint64(x)
	return v
}
