package repair

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// unaligned copies what is accessed at an address that its type does not allow, byte by byte: what is read before the statement,
// what is written instead of it.
func unaligned(p *Program, f *finding.Finding) (out []*Patch) {
	_, s, off := p.place(f.Primary.Loc.Pos)
	if s == nil || s.isList() || s.outer == nil || s.node.Begin.Macro {
		return nil
	}
	name := s.unused(fmt.Sprintf("value%d", s.file.line(s.from)))
	var others []*Patch // of what is elsewhere in the statement: a copy of a class is placed at its operator
	add := func(n *syntax.Node, patch *Patch) {
		if n.Begin.Off <= off && off < n.End.End() {
			out = append(out, patch)
		} else {
			others = append(others, patch)
		}
	}
	var visit func(n, parent *syntax.Node)
	visit = func(n, parent *syntax.Node) {
		if n == nil || s.isInner(n) || n.Kind == "ConditionalOperator" || n.Kind == "BinaryOperator" && (n.Opcode == "&&" || n.Opcode == "||") {
			return // what may not be executed stays where it is
		}
		if address := s.addressOf(n); address != "" && parent != nil {
			kind := strings.TrimPrefix(strings.TrimPrefix(n.Type, "const "), "volatile ")
			switch {
			case parent.Kind == "ImplicitCastExpr" && parent.Cast == "LValueToRValue" || parent.Kind == "CXXConstructExpr" || takesCopy(parent, n):
				before := []string{kind + " " + name + ";", "memcpy(&" + name + ", (const char *)" + address + ", sizeof " + name + ");"}
				if s.node.Kind != "DeclStmt" || s.outer.isList() {
					add(n, surrounded(s, before, nil, Edit{s.file.Name, n.Begin.Off, n.End.End(), name},
						fmt.Sprintf("read %s in line %d by memcpy, which takes any address", s.text(n), s.file.line(n.Begin.Off))))
				}
			case assigned(s.node) == n:
				value := s.text(parent.Child(len(parent.Inner) - 1))
				if value == "" {
					return
				}
				text := fmt.Sprintf("{ %s %s = %s; memcpy((char *)%s, &%[2]s, sizeof %[2]s); }", kind, name, value, address)
				edits := []Edit{{s.file.Name, s.from, s.to, text}}
				add(n, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("write %s in line %d by memcpy, which takes any address", s.text(n), s.file.line(n.Begin.Off))})
			}
		}
		for _, c := range n.Inner {
			visit(c, n)
		}
	}
	visit(s.node, nil)
	return distinct(append(out, others...))
}

// takesCopy reports whether an assignment of a class takes a copy of an expression.
func takesCopy(call, n *syntax.Node) bool {
	return call.Kind == "CXXOperatorCallExpr" && callee(call) == "operator=" && call.Child(2) == n
}

// addressOf is the text of the address of an element that an expression accesses; "" for others.
func (s *statement) addressOf(n *syntax.Node) string {
	if n.Category != "lvalue" || s.text(n) == "" {
		return ""
	}
	switch {
	case n.Kind == "UnaryOperator" && n.Opcode == "*":
		if text := s.text(n.Child(0)); text != "" {
			return "(" + text + ")"
		}
	case n.Kind == "ArraySubscriptExpr":
		return "&" + s.text(n)
	}
	return ""
}
