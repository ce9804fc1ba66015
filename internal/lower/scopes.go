package lower

import (
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// scopesOf returns the scopes that the marked instructions of a function begin and end.
func scopesOf(f *ptx.Func) map[*ptx.Instr]pragma.Scope {
	return marks(f, pragma.ReadScope)
}

// markScope adds the step that begins or ends a scope, if it is known which variable it is about. A function that calls itself has
// several of the kind, and none is followed.
func (e provenance) markScope(in *ptx.Instr) {
	m, ok := e.f.scopes[in]
	if !ok || m.Size == 0 || e.f.baseSlot != program.NoSlot {
		return
	}
	set := e.objectsIn(e.sets(), in.Args[1]) &^ aNumber
	if set == 0 || set&(set-1) != 0 || set&(anObject|maybeObject) != 0 {
		return
	}
	o := e.sets().one(set)
	at, ok := e.f.locals[o.name]
	if !ok || o.space != trace.SpaceLocal || o.fixed || o.size != m.Size {
		return
	}
	s := &program.ScopeMark{Scope: e.u.scopeNumber(e.scopeAt(o.name, at, o.lo, m.Size)), Ends: m.Ends, Site: e.unnumbered(in)}
	e.addStep(s, s.Site)
}

// scopeAt describes the variable at lo in a depot that begins at base.
func (e provenance) scopeAt(depot string, base, lo, size uint64) trace.Variable {
	s := trace.Variable{Addr: base + lo, Size: size}
	for _, v := range e.findFrame().Vars {
		if v.Depot == depot && v.Offset == lo && v.Name != "-" && parts[v.Kind] == trace.NoPart {
			s.Name, s.Type = v.Name, v.Type
		}
	}
	return s
}

// scopeNumber is the number of a scope's variable.
func (u *unit) scopeNumber(s trace.Variable) int {
	for i := range u.prog.Scopes {
		if u.prog.Scopes[i].Addr == s.Addr {
			return i
		}
	}
	u.prog.Scopes = append(u.prog.Scopes, s)
	return len(u.prog.Scopes) - 1
}
