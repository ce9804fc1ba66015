package passes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/pragma"
)

// Scopes of local variables
//
// The memory of a local variable ends with the variable's scope. LLVM says where, by llvm.lifetime.end, and nothing of
// that is left in PTX. Where the optimized function may use a pointer to the variable after that, the markers become
// directives, each with a copy of the variable's address:
//
//	.pragma "warpgrind.scope end 16"; mov.b64 %rd7, %rd5;
//
// The engine notes in which lanes the scope has ended (program.ScopeMark). The variable gets memory of its own, since llc
// would let variables with disjoint lifetimes share theirs. Most functions have no such variable and stay as they are.

// markScopes marks the scopes of variables that a function may use when they have ended.
func markScopes(m *irtext.Module, _ *State) {
	if !m.Contains("@llvm.lifetime.end") {
		return
	}
	s := &scopeMarker{types: m.Types()}
	var out irtext.Builder
	m.Functions(&out, func(lines []*irtext.Line) {
		marked := s.outlived(lines)
		for _, l := range lines {
			if v := marked[lifetimeOf(l)]; v != nil {
				s.mark(&out, l, v)
			} else {
				out.Keep(l)
			}
		}
	})
	m.Replace(&out)
}

type scopeMarker struct {
	types *irtext.Types
	fresh int
}

// mark writes the directive for a marker of a lifetime.
func (s *scopeMarker) mark(out *irtext.Builder, l *irtext.Line, v *scoped) {
	d := pragma.Scope{Ends: l.Contains("@llvm.lifetime.end"), Size: uint64(v.size)}
	s.fresh++
	name, dbg := fmt.Sprintf("%%wg.scope.%d", s.fresh), l.Debug()
	out.Printf("  %s = addrspacecast ptr %s to ptr addrspace(5)%s\n", name, v.name, dbg)
	out.Printf("  %s.m = call ptr addrspace(5) asm sideeffect \"%s\\0A\\09mov.b64 $0, $1;\", \"=l,l,~{memory}\"(ptr addrspace(5) %s)%s\n",
		name, pragma.Asm(d), name, dbg)
}

// scoped is a local variable whose scope ends within the function.
type scoped struct {
	name string
	size int64
	// stored is set if its address is stored in memory, or handed to a function that may do so.
	stored bool
}

// outlived returns the variables, by name, that a function may use after the end of their scopes.
func (s *scopeMarker) outlived(lines []*irtext.Line) map[string]*scoped {
	vars := s.variables(lines)
	if len(vars) == 0 {
		return nil
	}
	p := scopeFlow{lines: lines, to: pointersTo(lines, vars)}
	for _, l := range lines[1:] {
		p.noteStored(l)
	}
	return p.usedAfter(vars)
}

// variables are those with a marked end.
func (s *scopeMarker) variables(lines []*irtext.Line) map[string]*scoped {
	ends := map[string]bool{}
	for _, l := range lines {
		if l.Contains("@llvm.lifetime.end") {
			ends[lifetimeOf(l)] = true
		}
	}
	vars := map[string]*scoped{}
	for _, l := range lines {
		name, op, rest := l.Op()
		if op != "alloca" || !ends[name] || strings.Contains(name, unsetSuffix) || strings.Contains(name, boundName) {
			continue
		}
		typ, rest := irtext.CutType(rest)
		if t := s.types.Of(typ); t != nil && t.Size > 0 && !strings.HasPrefix(rest, ", i") {
			vars[name] = &scoped{name: name, size: t.Size}
		}
	}
	return vars
}

// lifetimeOf returns the variable of a marker of a lifetime, "" of another line.
func lifetimeOf(l *irtext.Line) string {
	if !l.Contains("@llvm.lifetime.") {
		return ""
	}
	if v := l.Values(); len(v) == 1 {
		return v[0]
	}
	return ""
}

// pointersTo returns the values that may be pointers to the variables.
func pointersTo(lines []*irtext.Line, vars map[string]*scoped) map[string][]*scoped {
	to := map[string][]*scoped{}
	for name, v := range vars {
		to[name] = []*scoped{v}
	}
	for changed := true; changed; { // values of loops come from below
		changed = false
		for _, l := range lines {
			name, op, _ := l.Op()
			if !copiesPointer(l, op) {
				continue
			}
			for _, from := range l.Values() {
				for _, v := range to[from] {
					if from != name && !slices.Contains(to[name], v) {
						to[name] = append(to[name], v)
						changed = true
					}
				}
			}
		}
	}
	return to
}

// copiesPointer reports whether l is an operation whose result may be a pointer that it got.
func copiesPointer(l *irtext.Line, op string) bool {
	switch op {
	case "getelementptr", "phi", "select", "addrspacecast", "bitcast", "freeze", "insertvalue", "extractvalue":
		return true
	case "call":
		return l.Contains(" call ptr ") || l.Contains(" call %") || l.Contains(" call {")
	}
	return false
}

// scopeFlow is what a function does with variables that have scopes.
type scopeFlow struct {
	lines []*irtext.Line
	to    map[string][]*scoped
}

// noteStored notes addresses that get into memory.
func (p *scopeFlow) noteStored(l *irtext.Line) {
	if !l.IsInstruction() || l.Contains("@llvm.") {
		return
	}
	var stored []string
	if a, ok := l.Access(); ok {
		if a.Store {
			stored = []string{a.Value}
		}
	} else if name, op, _ := l.Op(); op == "ptrtoint" || isCall(l, name, op) && !l.Contains(" asm ") {
		stored = l.Values()
	}
	for _, v := range stored {
		for _, s := range p.to[v] {
			s.stored = true
		}
	}
}

func isCall(l *irtext.Line, name, op string) bool {
	return op == "call" || name == "" && l.Contains("call ")
}

// ended are variables whose scope may have ended.
type ended map[*scoped]bool

// usedAfter returns the variables that are used where their scope may have ended: by a pointer to them, or, if their address is
// in memory, by a pointer of which nothing is known. vars are all variables by name.
func (p *scopeFlow) usedAfter(vars map[string]*scoped) map[string]*scoped {
	f := &flow{number: map[string]int{}}
	f.findBlocks(p.lines)
	used := map[string]*scoped{}
	at := make([]ended, len(f.blocks)) // at the beginning of each
	for i := range at {
		at[i] = ended{}
	}
	next := make([]int, len(f.blocks))
	for i := range next {
		next[i] = len(next) - 1 - i
	}
	for len(next) > 0 {
		b := next[len(next)-1]
		next = next[:len(next)-1]
		out := maps.Clone(at[b])
		for _, l := range p.lines[f.blocks[b].first:f.blocks[b].end] {
			p.step(l, vars, out, used)
		}
		for _, s := range f.blocks[b].succs {
			if !subset(out, at[s]) {
				maps.Copy(at[s], out)
				next = append(next, s)
			}
		}
	}
	return used
}

func subset(a, b ended) bool {
	for v := range a {
		if !b[v] {
			return false
		}
	}
	return true
}

// step follows a line: out are the variables that may have ended before it, and then after it.
func (p *scopeFlow) step(l *irtext.Line, vars map[string]*scoped, out ended, used map[string]*scoped) {
	switch v := vars[lifetimeOf(l)]; {
	case v != nil && l.Contains("@llvm.lifetime.end"):
		out[v] = true
	case v != nil:
		delete(out, v)
	default:
		for v := range out {
			if used[v.name] == nil && p.uses(l, v) {
				used[v.name] = v
			}
		}
	}
}

// uses reports whether a line accesses memory, or calls a function that may, by a pointer that may be one to v.
func (p *scopeFlow) uses(l *irtext.Line, v *scoped) bool {
	if !l.IsInstruction() || l.Contains("@llvm.lifetime.") || l.Contains("#dbg_") || l.Contains("@llvm.dbg.") {
		return false
	}
	if a, ok := l.Access(); ok {
		return p.mayBe(a.Ptr, a.PtrType, v)
	}
	name, op, _ := l.Op()
	if op != "atomicrmw" && op != "cmpxchg" && !isCall(l, name, op) {
		return false
	}
	if slices.ContainsFunc(l.Values(), func(value string) bool { return value != name && slices.Contains(p.to[value], v) }) {
		return true
	}
	return v.stored && !l.Contains(" asm ") && !l.Contains("@llvm.")
}

// mayBe reports whether an access by a pointer may be one to v.
func (p *scopeFlow) mayBe(ptr, typ string, v *scoped) bool {
	if to := p.to[ptr]; len(to) > 0 {
		return slices.Contains(to, v)
	}
	s := irtext.AddrSpace(typ)
	return v.stored && (s == irtext.SpaceGeneric || s == irtext.SpaceLocal) && !strings.HasPrefix(ptr, "@")
}
