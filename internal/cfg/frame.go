package cfg

import (
	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Local is a variable in a depot.
type Local struct {
	// Name is "-" where it is not known.
	Name string
	// Depot is the array, Offset where the variable begins in it.
	Depot  string
	Offset uint64
	Type   *ctype.Type
	Kind   pragma.Kind
	// Loc is where a variable that lives in a register is declared.
	Loc source.Location
}

// Frame is what the front end says of a function's depot.
type Frame struct {
	Vars []Local
	// Bases are the registers that hold a depot's address, with its name.
	Bases map[string]string
	// at are registers with the depot's address and a constant more.
	at map[string]place
}

// place is a constant offset in a depot.
type place struct {
	depot string
	off   uint64
}

// Frame reads the directives of the function. Without any, nothing is known of it.
func (f *Func) Frame() *Frame {
	fr := &Frame{Bases: map[string]string{}, at: map[string]place{}}
	if f.PTX.Body == nil {
		return fr
	}
	type directive struct {
		pragma.Variable
		loc source.Location
	}
	var list []directive
	for _, st := range f.PTX.Body.Stmts {
		if raw, ok := st.(*ptx.Raw); ok {
			if v, ok := pragma.ReadVariable(raw.Text); ok {
				list = append(list, directive{v, raw.Loc})
			}
		}
	}
	if len(list) == 0 {
		return fr
	}
	fr.follow(f)
	for _, d := range list {
		t, r := ctype.Parse(d.Type), d.Register
		if t == nil {
			continue
		}
		at, ok := fr.at[r]
		if depot, base := fr.Bases[r]; base {
			at, ok = place{depot, 0}, true
		}
		if ok {
			fr.Vars = append(fr.Vars, Local{d.Name, at.depot, at.off, t, d.Kind, d.loc})
		}
	}
	return fr
}

// follow notes the registers that are written once, with the depot's address. It is set
// up in the order of the code.
func (fr *Frame) follow(f *Func) {
	locals := map[string]bool{}
	for _, v := range f.Vars {
		locals[v.Name] = v.Space == ptx.Local
	}
	written := map[string]int{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range writtenBy(in) {
				written[r]++
			}
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if w := writtenBy(in); len(w) == 1 && written[w[0]] == 1 && len(in.Args) > 1 {
				fr.address(in, w[0], locals)
			}
		}
	}
}

// writtenBy are the registers that an instruction writes.
func writtenBy(in *ptx.Instr) (names []string) {
	writes := []ptx.Operand{in.Dest()}
	if in.Kind() == inst.Call {
		c, _ := in.Call()
		writes = c.Ret
	}
	for len(writes) > 0 {
		switch w := writes[0].(type) {
		case *ptx.RegRef:
			names = append(names, w.Name)
		case *ptx.Vector:
			writes = append(writes, w.Elems...)
		}
		writes = writes[1:]
	}
	return names
}

// address notes a register that gets a depot's address.
func (fr *Frame) address(in *ptx.Instr, to string, locals map[string]bool) {
	switch from := in.Args[1].(type) {
	case *ptx.SymbolRef:
		if locals[from.Name] && in.Flow() == inst.Same && from.Offset == 0 {
			fr.Bases[to] = from.Name
		}
	case *ptx.RegRef:
		depot, ok := fr.Bases[from.Name]
		switch {
		case !ok:
		case in.Flow() == inst.Same:
			fr.Bases[to] = depot
		case in.Flow() == inst.Sum && len(in.Args) == 3:
			if i, ok := in.Args[2].(*ptx.Imm); ok {
				fr.at[to] = place{depot, i.Value}
			}
		}
	}
}
