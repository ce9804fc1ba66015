package passes

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// valueUses is what a function does with its local values.
type valueUses struct {
	// uses counts how often each is read, defs has the lines that define them, stores
	// those that store an i32 to a place, by the place.
	uses   map[string]int
	defs   map[string]*irtext.Line
	stores map[string][]irtext.Access
	// tested are the pointers that are compared with null.
	tested map[string]bool
}

// usesOf reads a function. Lines that only describe a variable, or its lifetime, read
// nothing.
func usesOf(lines []*irtext.Line) *valueUses {
	u := &valueUses{uses: map[string]int{}, defs: map[string]*irtext.Line{}, stores: map[string][]irtext.Access{}, tested: map[string]bool{}}
	for _, l := range lines[1:] {
		if l.Contains("#dbg_") || l.Contains("@llvm.dbg.") || l.Contains("@llvm.lifetime.") {
			continue
		}
		for _, v := range u.define(l) {
			u.uses[v]++
		}
		u.test(l)
		if a, ok := l.Access(); ok && a.Store && a.Type == "i32" && !a.Volatile && !a.Atomic {
			u.stores[a.Ptr] = append(u.stores[a.Ptr], a)
		}
	}
	return u
}

// test notes a pointer that a line compares with null.
func (u *valueUses) test(l *irtext.Line) {
	_, op, rest := l.Op()
	if op != "icmp" || !strings.HasSuffix(strings.TrimSuffix(rest, l.Debug()), ", null") {
		return
	}
	for _, v := range l.Values()[1:] {
		u.tested[v] = true
	}
}

// define notes the definition of a line, and returns the values that it reads.
func (u *valueUses) define(l *irtext.Line) []string {
	name, _, ok := l.Definition()
	if !ok {
		return l.Values()
	}
	u.defs[name] = l
	return l.Values()[1:]
}

// pure are the instructions that are unread as a whole where their result is.
var pure = map[string]bool{"phi": true, "icmp": true, "zext": true, "sext": true, "trunc": true, "select": true, "freeze": true}

func isPure(l *irtext.Line) bool {
	_, op, _ := l.Op()
	return pure[op]
}

// isVariable reports whether a line makes a local variable of type i32.
func isVariable(l *irtext.Line) bool {
	_, op, rest := l.Op()
	return op == "alloca" && len(rest) > 4 && rest[:4] == "i32,"
}

// live counts how often values are read by what matters: a local variable that nothing
// loads, and an instruction without effects whose result is not read, read nothing.
func (u *valueUses) live() map[string]int {
	uses := u.uses
	var dead []*irtext.Line
	for v, l := range u.defs {
		switch {
		case isVariable(l) && uses[v] == len(u.stores[v]):
			for _, s := range u.stores[v] {
				uses[s.Value]--
			}
		case uses[v] == 0 && isPure(l):
			dead = append(dead, l)
		}
	}
	for len(dead) > 0 {
		l := dead[0]
		dead = dead[1:]
		for _, v := range l.Values()[1:] {
			uses[v]--
			if def := u.defs[v]; def != nil && uses[v] == 0 && isPure(def) {
				dead = append(dead, def)
			}
		}
	}
	return uses
}
