package lower

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// localDirective begins the directives in which the front end says what lies in
// the array of a function's local variables (the depot): name, type, and the
// register with the address follow.
const localDirective = `.pragma "warpgrind.local `

// unsetDirective begins those of the variables that live in registers: what lies there
// is uninitialized, and is where they start from.
const unsetDirective = `.pragma "warpgrind.unset `

// memberDirective and rowDirective begin those of the variables that stand for a member
// array or a row: an access beyond one is an index beyond that.
const (
	memberDirective = `.pragma "warpgrind.member `
	rowDirective    = `.pragma "warpgrind.row `
)

// localVar is a variable in a depot.
type localVar struct {
	// name is "-" where it is not known.
	name string
	lo   uint64
	typ  *ctype.Type
	// role says what the variable stands for.
	role localRole
}

// localRole is what a variable in a depot stands for.
type localRole uint8

const (
	roleMemory   localRole = iota // itself
	roleRegister                  // a variable that lives in registers
	roleMember                    // an array that is a member
	roleRow                       // a row of an array
)

// localWords is what a directive says: name, type and register.
type localWords struct {
	words []string
	role  localRole
}

// localDirectives are the directives, with what they are about.
var localDirectives = []struct {
	begin string
	role  localRole
}{{localDirective, roleMemory}, {unsetDirective, roleRegister}, {memberDirective, roleMember}, {rowDirective, roleRow}}

// parts are the parts of objects that variables stand for.
var parts = map[localRole]trace.PartKind{roleMember: trace.PartMember, roleRow: trace.PartRow}

// frame is what is known of a function's depot.
type frame struct {
	vars []localVar
	// bases are the registers that hold the depot's address, with its name.
	bases map[*reg]string
	// at are registers with the depot's address and a constant more.
	at map[*reg]uint64
}

// findFrame reads the directives of the function, once: its types are compared by
// their addresses.
func (e *emitter) findFrame() *frame {
	if e.f.frame != nil {
		return e.f.frame
	}
	f := &frame{bases: map[*reg]string{}, at: map[*reg]uint64{}}
	e.f.frame = f
	list := e.localDirectives()
	if len(list) == 0 {
		return f
	}
	written := map[*reg]int{}
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			writes, _ := results(in)
			for _, r := range e.f.regsIn(writes) {
				written[r]++
			}
		}
	}
	// The depot's address is set up in the order of the code.
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			if writes, reads := results(in); len(writes) == 1 && len(reads) > 0 {
				if r, ok := writes[0].(*ptx.RegRef); ok && e.f.reg(r) != nil && written[e.f.reg(r)] == 1 {
					e.followFrame(f, in, e.f.reg(r), reads)
				}
			}
		}
	}
	e.readLocals(f, list)
	return f
}

// followFrame notes a register that gets the depot's address.
func (e *emitter) followFrame(f *frame, in *ptx.Instr, to *reg, reads []ptx.Operand) {
	switch from := reads[0].(type) {
	case *ptx.SymbolRef:
		if _, ok := e.f.locals[from.Name]; ok && in.Op == "mov" && from.Offset == 0 {
			f.bases[to] = from.Name
		}
	case *ptx.RegRef:
		r := e.f.reg(from)
		depot, ok := f.bases[r]
		switch {
		case !ok:
		case in.Op == "cvta" || in.Op == "mov":
			f.bases[to] = depot
		case in.Op == "add" && len(reads) == 2:
			if i, ok := reads[1].(*ptx.Imm); ok {
				f.at[to] = i.Value
			}
		}
	}
}

// localDirectives returns what the directives of the function say, in words.
func (e *emitter) localDirectives() (list []localWords) {
	if e.f.g.PTX.Body == nil {
		return nil
	}
	for _, st := range e.f.g.PTX.Body.Stmts {
		if raw, ok := st.(*ptx.Raw); ok {
			for _, r := range localDirectives {
				text, ok := strings.CutPrefix(raw.Text, r.begin)
				if w := strings.Fields(strings.TrimSuffix(text, `"`)); ok && len(w) == 3 {
					list = append(list, localWords{w, r.role})
				}
			}
		}
	}
	return list
}

// readLocals notes the variables that the directives name.
func (e *emitter) readLocals(f *frame, list []localWords) {
	for _, l := range list {
		w := l.words
		t, r := ctype.Parse(w[1]), e.f.reg(&ptx.RegRef{Name: w[2]})
		if t == nil || r == nil {
			continue
		}
		if at, ok := f.at[r]; ok {
			f.vars = append(f.vars, localVar{name: w[0], lo: at, typ: t, role: l.role})
		} else if _, ok := f.bases[r]; ok {
			f.vars = append(f.vars, localVar{name: w[0], typ: t, role: l.role})
		}
	}
}

// variableAt is the object that lies off bytes into a depot: one of its
// variables, or else the depot. Where several share a place, nothing is known of
// where they end.
func (f *frame) variableAt(depot string, off uint64) object {
	o := object{space: trace.SpaceLocal, name: depot}
	for _, v := range f.vars {
		if off-v.lo >= v.typ.Size {
			continue
		}
		if o.size != 0 {
			return object{space: trace.SpaceLocal, name: depot}
		}
		o.lo, o.size = v.lo, v.typ.Size
	}
	return o
}

// find returns the variable of an object.
func (f *frame) find(o *object) *localVar {
	for i := range f.vars {
		if v := &f.vars[i]; o.size > 0 && v.lo == o.lo && v.typ.Size == o.size {
			return v
		}
	}
	return nil
}
