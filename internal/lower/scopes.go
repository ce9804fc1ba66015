package lower

import (
	"strconv"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// scopeDirective begins the directives with which the front end marks the scope of a local variable: "begin" or "end", and its
// size follow. The next instruction copies the variable's address.
const scopeDirective = `.pragma "warpgrind.scope `

// scopeMark is such a directive.
type scopeMark struct {
	ends bool
	size uint64
}

// scopesOf returns the scopes that the marked instructions of a function begin and end.
func scopesOf(f *ptx.Func) map[*ptx.Instr]scopeMark {
	marks := map[*ptx.Instr]scopeMark{}
	eachMark(f, scopeDirective, func(in *ptx.Instr, w []string) {
		if len(w) == 2 {
			size, _ := strconv.ParseUint(w[1], 10, 32)
			marks[in] = scopeMark{ends: w[0] == "end", size: size}
		}
	})
	return marks
}

// markScope adds the step that begins or ends a scope, if it is known which variable it is about. A function that calls itself has
// several of the kind, and none is followed.
func (e provenance) markScope(in *ptx.Instr) {
	m, ok := e.f.scopes[in]
	if !ok || m.size == 0 || e.f.baseSlot != program.NoSlot {
		return
	}
	set := e.objectsIn(e.sets(), in.Args[1]) &^ aNumber
	if set == 0 || set&(set-1) != 0 || set&(anObject|maybeObject) != 0 {
		return
	}
	o := e.sets().one(set)
	at, ok := e.f.locals[o.name]
	if !ok || o.space != trace.SpaceLocal || o.fixed || o.size != m.size {
		return
	}
	s := &program.ScopeMark{Scope: e.u.scopeNumber(e.scopeAt(o.name, at, o.lo, m.size)), Ends: m.ends, Site: e.unnumbered(in)}
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
