package memory

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
)

// Align copies what is accessed at an address that its type does not allow, byte by byte: what is read before the statement,
// what is written instead of it.
func Align(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	_, s, off := p.Place(f.Primary.Loc.Pos)
	if s == nil || s.IsList() || s.Outer == nil || s.Node.Begin.Macro {
		return nil
	}
	name := s.Unused(fmt.Sprintf("value%d", s.File.Line(s.From)))
	var others []*code.Patch // of what is elsewhere in the statement: a copy of a class is placed at its operator
	add := func(n *syntax.Node, patch *code.Patch) {
		if n.Begin.Off <= off && off < n.End.End() {
			out = append(out, patch)
		} else {
			others = append(others, patch)
		}
	}
	var visit func(n, parent *syntax.Node)
	visit = func(n, parent *syntax.Node) {
		if n == nil || s.IsInner(n) || n.Kind == "ConditionalOperator" || n.Kind == "BinaryOperator" && (n.Opcode == "&&" || n.Opcode == "||") {
			return // what may not be executed stays where it is
		}
		if address := guard.AddressIn(s, n); address != "" && parent != nil {
			kind := strings.TrimPrefix(strings.TrimPrefix(n.Type, "const "), "volatile ")
			switch {
			case parent.Kind == "ImplicitCastExpr" && parent.Cast == "LValueToRValue" || parent.Kind == "CXXConstructExpr" || takesCopy(parent, n):
				before := []string{kind + " " + name + ";", "memcpy(&" + name + ", (const char *)" + address + ", sizeof " + name + ");"}
				if s.Node.Kind != "DeclStmt" || s.Outer.IsList() {
					add(n, code.Surrounded(s, before, nil, s.File.Replace(n.Begin.Off, n.End.End(), name),
						fmt.Sprintf("read %s in line %d by memcpy, which takes any address", s.Text(n), s.File.Line(n.Begin.Off))))
				}
			case code.Assigned(s.Node) == n:
				value := s.Text(parent.Child(len(parent.Inner) - 1))
				if value == "" {
					return
				}
				text := fmt.Sprintf("{ %s %s = %s; memcpy((char *)%s, &%[2]s, sizeof %[2]s); }", kind, name, value, address)
				edits := []code.Edit{s.File.Replace(s.From, s.To, text)}
				add(n, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("write %s in line %d by memcpy, which takes any address", s.Text(n), s.File.Line(n.Begin.Off))})
			}
		}
		if n.Kind != "ImplicitCastExpr" || n.Cast != "NoOp" { // a copy of a class is of a constant
			parent = n
		}
		for _, c := range n.Inner {
			visit(c, parent)
		}
	}
	visit(s.Node, nil)
	return code.Distinct(append(out, others...))
}

// takesCopy reports whether an assignment of a class takes a copy of an expression.
func takesCopy(call, n *syntax.Node) bool {
	return call.Kind == "CXXOperatorCallExpr" && code.Callee(call) == "operator=" && code.Stripped(call.Child(2)) == n
}
