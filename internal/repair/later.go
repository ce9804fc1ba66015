package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// returnedLater lets threads that leave before a barrier come to it: what comes after their return is executed by
// the others only, up to each barrier and from there on.
func (p *Program) returnedLater(f *finding.Finding) []*Patch {
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil || !fn.void {
		return nil
	}
	var out []*Patch
	for i, e := range fn.body.inner {
		condition := earlyReturn(e)
		if e.to > s.from || condition == "" {
			continue
		}
		name := e.unused(fmt.Sprintf("active%d", fn.file.line(e.from)))
		l := &later{name: name}
		if !l.list(fn.body.inner[i+1:]) {
			continue
		}
		text := "bool " + name + " = !(" + condition + ");"
		edits := append([]Edit{{fn.file.Name, e.from, e.to, text}}, l.edits...)
		out = append(out, &Patch{Edits: edits, Inline: slices.Clone(edits),
			What: fmt.Sprintf("let threads that return in line %d come to the barriers after it, and skip only the work", fn.file.line(e.from))})
	}
	return out
}

// returnsOnly reports whether a statement does nothing but return without a value.
func returnsOnly(s *statement) bool {
	if s.isList() && len(s.inner) == 1 {
		s = s.inner[0]
	}
	return s.node.Kind == "ReturnStmt" && len(s.node.Inner) == 0
}

// later makes the statements that need no barrier conditional.
type later struct {
	name  string
	edits []Edit
}

// list makes the statements of a list conditional. It reports false where one cannot be.
func (l *later) list(all []*statement) bool {
	for i := 0; i < len(all); {
		s := all[i]
		switch {
		case s.node.Begin.Macro && hasBarrier(s):
			return false
		case isBarrier(s.node) && len(s.inner) == 0:
		case hasBarrier(s):
			if !l.around(s) {
				return false
			}
		case s.node.Kind == "DeclStmt":
			if !l.declared(s) {
				return false
			}
		case leaves(s):
			return i == len(all)-1 // at the end
		default:
			k := i
			for k+1 < len(all) && !hasBarrier(all[k+1]) && all[k+1].node.Kind != "DeclStmt" && !leaves(all[k+1]) {
				k++
			}
			l.wrap(all[i : k+1])
			i = k
		}
		i++
	}
	return true
}

// around makes what is in a loop or a block that has a barrier conditional.
func (l *later) around(s *statement) bool {
	switch {
	case s.isList():
		return l.list(s.inner)
	case s.node.Kind == "ForStmt" || s.node.Kind == "WhileStmt" || s.node.Kind == "DoStmt":
		body := s.body()
		return body != nil && body.isList() && l.list(body.inner)
	}
	return false
}

// wrap makes statements that follow each other conditional.
func (l *later) wrap(all []*statement) {
	first, last := all[0], all[len(all)-1]
	open, shut := "if ("+l.name+") ", ""
	if len(all) > 1 || first.node.Kind == "IfStmt" || first.isLoop() || first.node.Begin.Macro {
		open, shut = open+"{ ", " }"
	}
	l.edits = append(l.edits, first.insert(first.from, open))
	if shut != "" {
		l.edits = append(l.edits, last.insert(last.to, shut))
	}
}

// declared lets the variables of a declaration have their values for the active threads only, where that reads memory.
func (l *later) declared(s *statement) bool {
	for _, v := range s.node.Inner {
		if v == nil || v.Kind != "VarDecl" || v.Has("CUDASharedAttr") {
			continue
		}
		for _, n := range v.Inner {
			if n == nil || !readsMemory(n) {
				continue
			}
			text := s.text(n)
			zero := zeroOf(v)
			if text == "" || zero == "" {
				return false
			}
			l.edits = append(l.edits, s.insert(n.Begin.Off, l.name+" ? "), s.insert(n.End.End(), " : "+zero))
		}
	}
	return true
}

// zeroOf is a value of a variable's type without a meaning: 0, or an empty one of a class; "" for references and arrays.
func zeroOf(v *syntax.Node) string {
	switch kind := strings.TrimPrefix(v.Type, "const "); {
	case arithmetic[v.Desugared]:
		return "0"
	case word.MatchString(kind):
		return kind + "{}"
	}
	return ""
}

// readsMemory reports whether an expression follows a pointer, or calls something that may.
func readsMemory(n *syntax.Node) bool {
	if n == nil || n.Kind == "PseudoObjectExpr" {
		return false
	}
	return n.Kind == "ArraySubscriptExpr" || n.Kind == "UnaryOperator" && n.Opcode == "*" || n.Kind == "CallExpr" || n.Kind == "CXXMemberCallExpr" ||
		slices.ContainsFunc(n.Inner, readsMemory)
}

// isBarrier reports whether an expression is a call of a barrier of the block.
func isBarrier(n *syntax.Node) bool {
	for n != nil && n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	if n == nil {
		return false
	}
	if n.Kind == "CXXMemberCallExpr" {
		m := stripped(n.Child(0))
		return m != nil && m.Name == "sync"
	}
	return n.Kind == "CallExpr" && strings.HasPrefix(callee(n), "__syncthreads")
}

// hasBarrier reports whether a statement, or one in it, calls a barrier.
func hasBarrier(s *statement) bool {
	var visit func(n *syntax.Node) bool
	visit = func(n *syntax.Node) bool {
		return n != nil && (isBarrier(n) || slices.ContainsFunc(n.Inner, visit))
	}
	return visit(s.node)
}
