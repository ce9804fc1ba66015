package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
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

// writtenOut makes an update atomic whose read is the statement before it: "int old = x; x = old + v;".
func writtenOut(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range places(f) {
		_, s := p.at(at.Loc.Pos)
		if s == nil || s.outer == nil || !s.outer.isList() {
			continue
		}
		i := slices.Index(s.outer.inner, s)
		if s.node.Kind == "DeclStmt" {
			i++
		}
		if i < 1 || i >= len(s.outer.inner) {
			continue
		}
		read, write := s.outer.inner[i-1], s.outer.inner[i]
		n, v := write.node, read.node.Child(0)
		if read.node.Kind != "DeclStmt" || len(read.node.Inner) != 1 || n.Kind != "BinaryOperator" || n.Opcode != "=" || v == nil || len(v.Inner) == 0 {
			continue
		}
		object, value := n.Child(0), stripped(n.Child(1))
		first := v.Child(len(v.Inner) - 1)
		kind := strings.TrimPrefix(object.Desugared, "volatile ")
		if value == nil || value.Kind != "BinaryOperator" || read.text(stripped(first)) != write.text(object) || acts(value) || !integers[kind] {
			continue
		}
		name := atomicOf[value.Opcode+"="]
		old, by := stripped(value.Child(0)), write.text(value.Child(1))
		if name == "" || by == "" || old == nil || old.Ref == nil || old.Ref.ID != v.ID || write.text(object) == "" {
			continue
		}
		use := Edit{s.file.Name, first.Begin.Off, first.End.End(), fmt.Sprintf("%s(%s, %s)", name, atomicAddress(write, object), by)}
		take := Edit{s.file.Name, write.from, write.to, ""}
		out = append(out, &Patch{Edits: []Edit{use, write.lines(take)}, Inline: []Edit{use, take},
			What: fmt.Sprintf("make the update in line %d atomic, with the read in line %d", s.file.line(write.from), s.file.line(read.from))})
	}
	return distinct(out)
}

// readAtomically reads by an atomic function what others update by such: it has one of the values that there are.
func readAtomically(p *Program, f *finding.Finding) (out []*Patch) {
	if f.Primary.Access != finding.Atomic && !slices.ContainsFunc(f.Related, func(o finding.Place) bool { return o.Access == finding.Atomic }) {
		return nil
	}
	for _, at := range places(f) {
		_, s, off := p.place(at.Loc.Pos)
		if s == nil || at.Access != finding.Read {
			continue
		}
		n := s.object(s.node, off)
		if n == nil || !integers[n.Desugared] && n.Desugared != "unsigned long long" {
			continue
		}
		if text := s.text(n); text != "" {
			edits := []Edit{{s.file.Name, n.Begin.Off, n.End.End(), "atomicAdd(" + addressOf(s, n) + ", 0)"}}
			out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("read %s in line %d by atomicAdd(%s, 0)", text, s.file.line(n.Begin.Off), addressOf(s, n))})
		}
	}
	return distinct(out)
}

// apart reports whether the accesses of a finding are of threads of different blocks.
func apart(f *finding.Finding) bool {
	a := f.Primary.Thread
	return a != nil && slices.ContainsFunc(f.Related, func(o finding.Place) bool { return o.Thread != nil && o.Thread.BlockIndex != a.BlockIndex })
}

// relaxedToo makes the plain access of a finding a relaxed atomic, among others that are.
func relaxedToo(p *Program, f *finding.Finding) (out []*Patch) {
	scope := "device"
	if f.Object != nil && f.Object.Space == "shared" {
		scope = "block"
	}
	for _, at := range places(f) {
		_, s, off := p.place(at.Loc.Pos)
		if s == nil || at.Access == finding.Atomic {
			continue
		}
		r := relaxing{scope: scope}
		var visit func(n, of *syntax.Node) bool
		visit = func(n, of *syntax.Node) bool {
			if n == nil {
				return true
			}
			if n == s.object(s.node, off) {
				return r.access(s, n, of)
			}
			return !slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return !visit(c, n) })
		}
		if visit(s.node, nil) && len(r.edits) > 0 {
			patch := &Patch{Edits: r.edits, Inline: slices.Clone(r.edits), What: fmt.Sprintf("make the access of line %d a relaxed atomic", s.file.line(s.from))}
			out = append(out, including(p, atomicRef, []*Patch{patch})...)
		}
	}
	return distinct(out)
}

// readsVolatile makes the plain reads of a finding volatile: each has one of the values that there are.
func (p *Program) readsVolatile(f *finding.Finding) []*Patch {
	var at []source.Pos
	for _, place := range places(f) {
		if place.Access == finding.Read {
			at = append(at, place.Loc.Pos)
		}
	}
	return p.volatileAt(at...)
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
	if object == nil || n.Begin.Macro || n.End.Macro && s.text(n) == "" {
		return "", false
	}
	kind := strings.TrimPrefix(object.Desugared, "volatile ")
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
	if !atomicTypes[kind] || name == "" || value == "" {
		return "", false
	}
	if name == "atomicSub" && !integers[kind] {
		name, value = "atomicAdd", "-("+value+")"
	}
	if name != "atomicAdd" && !integers[kind] {
		return "", false
	}
	return fmt.Sprintf("%s(%s, %s);", name, atomicAddress(s, object), value), true
}

// atomicAddress is the text of an object's address as atomic functions take it: not of a volatile one.
func atomicAddress(s *statement, object *syntax.Node) string {
	address := addressOf(s, object)
	if kind, ok := strings.CutPrefix(object.Desugared, "volatile "); ok {
		if !word.MatchString(strings.TrimPrefix(address, "&")) {
			address = "(" + address + ")"
		}
		return "(" + kind + " *)" + address
	}
	return address
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

// text is the text of an expression; "" where a macro has a part in its ends that may be more than an operand.
func (s *statement) text(n *syntax.Node) string {
	if n == nil || n.Begin.File == "" || !s.file.operand(n, n.Begin) || !s.file.operand(n, n.End) || n.Begin.Off < s.from || n.End.End() > s.to {
		return ""
	}
	return string(s.file.Text[n.Begin.Off:n.End.End()])
}
