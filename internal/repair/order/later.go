package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// ReturnLater lets threads that leave before a barrier come to it: what comes after their return is executed by
// the others only, up to each barrier and from there on.
func ReturnLater(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, s := p.At(f.Primary.Loc.Pos)
	if s == nil || !fn.Void {
		return nil
	}
	var out []*code.Patch
	for i, e := range fn.Body.Inner {
		condition := earlyReturn(e)
		if e.To > s.From || condition == "" {
			continue
		}
		name := e.Unused(fmt.Sprintf("active%d", fn.File.Line(e.From)))
		l := &later{name: name}
		if !l.list(fn.Body.Inner[i+1:]) {
			continue
		}
		text := "bool " + name + " = !(" + condition + ");"
		edits := append([]code.Edit{fn.File.Replace(e.From, e.To, text)}, l.edits...)
		out = append(out, &code.Patch{Edits: edits, Inline: slices.Clone(edits),
			What: fmt.Sprintf("let threads that return in line %d come to the barriers after it, and skip only the work", fn.File.Line(e.From))})
	}
	return out
}

// returnsOnly reports whether a statement does nothing but return without a value.
func returnsOnly(s *code.Statement) bool {
	if s.IsList() && len(s.Inner) == 1 {
		s = s.Inner[0]
	}
	return s.Node.Kind == "ReturnStmt" && len(s.Node.Inner) == 0
}

// later makes the statements that need no barrier conditional.
type later struct {
	name  string
	edits []code.Edit
}

// list makes the statements of a list conditional. It reports false where one cannot be.
func (l *later) list(all []*code.Statement) bool {
	for i := 0; i < len(all); {
		s := all[i]
		switch {
		case s.Node.Begin.Macro && code.HasBarrier(s):
			return false
		case code.IsBarrier(s.Node) && len(s.Inner) == 0:
		case code.HasBarrier(s):
			if !l.around(s) {
				return false
			}
		case s.Node.Kind == "DeclStmt":
			if !l.declared(s) {
				return false
			}
		case code.Leaves(s):
			return i == len(all)-1 // at the end
		default:
			k := i
			for k+1 < len(all) && !code.HasBarrier(all[k+1]) && all[k+1].Node.Kind != "DeclStmt" && !code.Leaves(all[k+1]) {
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
func (l *later) around(s *code.Statement) bool {
	switch {
	case s.IsList():
		return l.list(s.Inner)
	case s.Node.Kind == "ForStmt" || s.Node.Kind == "WhileStmt" || s.Node.Kind == "DoStmt":
		body := s.Body()
		return body != nil && body.IsList() && l.list(body.Inner)
	}
	return false
}

// wrap makes statements that follow each other conditional.
func (l *later) wrap(all []*code.Statement) {
	first, last := all[0], all[len(all)-1]
	open, shut := "if ("+l.name+") ", ""
	if len(all) > 1 || first.Node.Kind == "IfStmt" || first.IsLoop() || first.Node.Begin.Macro {
		open, shut = open+"{ ", " }"
	}
	l.edits = append(l.edits, first.Insert(first.From, open))
	if shut != "" {
		l.edits = append(l.edits, last.Insert(last.To, shut))
	}
}

// declared lets the variables of a declaration have their values for the active threads only, where that reads memory.
func (l *later) declared(s *code.Statement) bool {
	for _, v := range s.Node.Inner {
		if v == nil || v.Kind != "VarDecl" || v.Has("CUDASharedAttr") {
			continue
		}
		for _, n := range v.Inner {
			if n == nil || !code.ReadsMemory(n) {
				continue
			}
			text := s.Text(n)
			zero := zeroOf(v)
			if text == "" || zero == "" {
				return false
			}
			l.edits = append(l.edits, s.Insert(n.Begin.Off, l.name+" ? "), s.Insert(n.End.End(), " : "+zero))
		}
	}
	return true
}

// zeroOf is a value of a variable's type without a meaning: 0, or an empty one of a class; "" for references and arrays.
func zeroOf(v *syntax.Node) string {
	switch kind := strings.TrimPrefix(v.Type, "const "); {
	case code.Arithmetic[v.Desugared]:
		return "0"
	case code.Word.MatchString(kind):
		return kind + "{}"
	}
	return ""
}
