package repair

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// atomics replaces the update that a finding is about by an atomic function (CUDA C++
// Programming Guide, "Atomic Functions").
func (p *Program) atomics(f *finding.Finding) []*Patch {
	var out []*Patch
	for _, at := range places(f) {
		_, s := p.at(at.Loc.Pos)
		if s == nil {
			continue
		}
		if call, ok := s.update(); ok {
			edits := []Edit{{s.file.Name, s.from, s.to, call}}
			out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("make the update in line %d atomic", s.file.line(s.from))})
		}
	}
	return out
}

// ownUpdate makes an update atomic that races with itself: both accesses are in one statement.
func (p *Program) ownUpdate(f *finding.Finding) []*Patch {
	if len(f.Related) == 0 {
		return nil
	}
	_, a := p.at(f.Primary.Loc.Pos)
	_, b := p.at(f.Related[0].Loc.Pos)
	if a == nil || a != b {
		return nil
	}
	return p.atomics(f)
}

func places(f *finding.Finding) []finding.Place {
	return append([]finding.Place{f.Primary}, f.Related...)
}

// update is an atomic call that does what the statement does, if it is an update of one object
// whose value is not used.
func (s *statement) update() (string, bool) {
	n := s.node
	for n.Kind == "ExprWithCleanups" || n.Kind == "ParenExpr" {
		n = n.Child(0)
	}
	object := n.Child(0)
	if object == nil || n.Begin.Macro || n.End.Macro {
		return "", false
	}
	name, value := "", ""
	switch {
	case n.Kind == "UnaryOperator" && n.Opcode == "++":
		name, value = "atomicAdd", "1"
	case n.Kind == "UnaryOperator" && n.Opcode == "--":
		name, value = "atomicSub", "1"
	case n.Kind == "CompoundAssignOperator":
		name, value = atomicOf[n.Opcode], s.text(n.Child(1))
	case n.Kind == "BinaryOperator" && n.Opcode == "=":
		name, value = s.computed(object, stripped(n.Child(1)))
	}
	if !atomicTypes[object.Desugared] || name == "" || value == "" {
		return "", false
	}
	if name == "atomicSub" && !integers[object.Desugared] {
		name, value = "atomicAdd", "-("+value+")"
	}
	if name != "atomicAdd" && !integers[object.Desugared] {
		return "", false
	}
	return fmt.Sprintf("%s(%s, %s);", name, addressOf(s, object), value), true
}

// addressOf is the text of an object's address.
func addressOf(s *statement, object *syntax.Node) string {
	if o := stripped(object); o.Kind == "UnaryOperator" && o.Opcode == "*" {
		if pointer := s.text(stripped(o.Child(0))); pointer != "" {
			return pointer
		}
	}
	return "&" + s.text(object)
}

// computed is the update in "x = x + value" and the like.
func (s *statement) computed(object, n *syntax.Node) (name, value string) {
	if n == nil || n.Kind != "BinaryOperator" {
		return "", ""
	}
	name = atomicOf[n.Opcode+"="]
	left, right := stripped(n.Child(0)), stripped(n.Child(1))
	switch own := s.text(object); {
	case name == "" || own == "":
	case s.text(left) == own:
		return name, s.text(right)
	case s.text(right) == own && name != "atomicSub":
		return name, s.text(left)
	}
	return "", ""
}

// atomicOf are the functions by operator, atomicTypes the types that atomicAdd takes, of
// which integers have the other functions as well.
var (
	atomicOf    = map[string]string{"+=": "atomicAdd", "-=": "atomicSub", "&=": "atomicAnd", "|=": "atomicOr", "^=": "atomicXor"}
	integers    = map[string]bool{"int": true, "unsigned int": true}
	atomicTypes = map[string]bool{"int": true, "unsigned int": true, "unsigned long long": true, "float": true, "double": true}
)

// stripped is an expression without conversions and parentheses.
func stripped(n *syntax.Node) *syntax.Node {
	for n != nil && (n.Kind == "ImplicitCastExpr" || n.Kind == "ParenExpr") {
		n = n.Child(0)
	}
	return n
}

// text is the text of an expression; "" where a macro has a part in its ends.
func (s *statement) text(n *syntax.Node) string {
	if n == nil || n.Begin.File == "" || n.Begin.Macro || n.End.Macro || n.Begin.Off < s.from || n.End.End() > s.to {
		return ""
	}
	return string(s.file.Text[n.Begin.Off:n.End.End()])
}
