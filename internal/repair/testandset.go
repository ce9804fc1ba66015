package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// testAndSet lets one atomic function compare and write where a condition tests an object and the statement that it is for
// begins with an assignment to it: "if (x > v) x = v;" becomes atomicMin(&x, v), "if (!x) { x = 1; ..." a condition on the
// result of atomicCAS.
func testAndSet(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range places(f) {
		_, s := p.at(at.Loc.Pos)
		out = append(out, spinning(s))
		for ; s != nil; s = s.outer {
			if s.node.Kind == "IfStmt" {
				out = append(out, test{s}.atomic())
				break
			}
		}
	}
	return distinct(out)
}

// spinning lets a loop that waits for an object to be free take it at once: "while (x) {} x = 1;" becomes
// "while (atomicCAS(&x, 0, 1) != 0) {}". The statement is the loop, what it repeats, or the assignment.
func spinning(s *statement) *Patch {
	for s != nil && s.outer != nil && !s.outer.isList() || s != nil && s.outer != nil && s.outer.outer != nil && s.isList() {
		s = s.outer
	}
	if s == nil || s.outer == nil {
		return nil
	}
	list := s.outer.inner
	i := slices.Index(list, s)
	if s.node.Kind == "WhileStmt" {
		i++
	}
	if i < 1 || i >= len(list) {
		return nil
	}
	loop, set := list[i-1], list[i]
	n := set.node
	if loop.node.Kind != "WhileStmt" || loop.body() == nil || len(loop.body().inner) > 0 || loop.body().node.Kind != "CompoundStmt" && loop.body().node.Kind != "NullStmt" ||
		n.Kind != "BinaryOperator" || n.Opcode != "=" {
		return nil
	}
	object, value := n.Child(0), set.text(n.Child(1))
	kind := strings.TrimPrefix(object.Desugared, "volatile ")
	cond := loop.node.Child(0)
	free := freeValue(loop, cond, set.text(object))
	if free == "" || value == "" || !integers[kind] && !wideAtomics[kind] || acts(n.Child(1)) {
		return nil
	}
	call := fmt.Sprintf("atomicCAS(%s, %s, %s) != %s", atomicAddress(set, object), free, value, free)
	test := Edit{loop.file.Name, cond.Begin.Off, cond.End.End(), call}
	take := Edit{set.file.Name, set.from, set.to, ""}
	return &Patch{Edits: []Edit{test, set.lines(take)}, Inline: []Edit{test, take}, What: fmt.Sprintf("test and set %s in line %d by one atomicCAS", set.text(object), loop.file.line(loop.from))}
}

// freeValue is the value of an object with which a condition of a loop that waits for it does not hold; "" for other conditions.
func freeValue(s *statement, cond *syntax.Node, object string) string {
	cond = stripped(cond)
	switch {
	case object == "" || cond == nil || cond.Begin.Macro || cond.End.Macro:
	case s.text(cond) == object:
		return "0"
	case cond.Kind == "BinaryOperator" && cond.Opcode == "!=" && s.text(stripped(cond.Child(0))) == object && !acts(cond.Child(1)):
		return s.text(stripped(cond.Child(1)))
	}
	return ""
}

// test is an if.
type test struct{ *statement }

// assignment is an assignment to an object that a condition tests: the texts of the object, its address and the value.
type assignment struct {
	*statement
	object, address, value string
	// given is the value for the atomic function: it reads other elements of the same array by volatile, as other threads set them.
	given string
	typ   string
}

// set is the assignment that the statement for a condition is or begins with.
func (t test) set() (a assignment, alone, ok bool) {
	s := t.inner[0]
	alone = !s.isList() || len(s.inner) == 1
	if s.isList() {
		if len(s.inner) == 0 {
			return a, false, false
		}
		s = s.inner[0]
	}
	n := stripped(s.node)
	if n == nil || n.Kind != "BinaryOperator" || n.Opcode != "=" || n.Begin.Macro || n.End.Macro {
		return a, false, false
	}
	object, value := n.Child(0), stripped(n.Child(1))
	a = assignment{s, s.text(object), atomicAddress(s, object), s.text(value), s.beside(object, value), strings.TrimPrefix(object.Desugared, "volatile ")}
	return a, alone, a.object != "" && a.value != "" && !acts(object) && !acts(value)
}

// wideAtomics are the types that atomicMin, atomicMax, atomicExch and atomicCAS take besides int and unsigned int (CUDA C++ Programming
// Guide, "Atomic Functions"); the first two take long long as well.
var wideAtomics = map[string]bool{"unsigned long long": true}

// atomic is the patch for an if, nil where it has another form.
func (t test) atomic() *Patch {
	n := t.node
	if n.Begin.Macro || n.End.Macro || n.Else || len(t.inner) != 1 {
		return nil
	}
	set, alone, ok := t.set()
	cond := stripped(n.Child(0))
	if !ok || t.lookedAt(set.object) || cond == nil || cond.Begin.Macro || cond.End.Macro {
		return nil
	}
	tested, call := t.tested(cond, set)
	if call == "" || !integers[set.typ] && !wideAtomics[set.typ] && !(set.typ == "long long" && extremes[cond.Opcode] != [2]string{}) {
		return nil
	}
	edits := []Edit{{t.file.Name, t.from, t.to, call + ";"}}
	inline := edits
	if !alone {
		result := Edit{t.file.Name, tested.Begin.Off, tested.End.End(), call}
		edits = []Edit{result, set.lines(Edit{t.file.Name, set.from, set.to, ""})}
		inline = []Edit{result, {t.file.Name, set.from, set.to, ";"}}
	}
	return &Patch{Edits: edits, Inline: inline, What: fmt.Sprintf("test and set %s in line %d by one %s", set.object, t.file.line(t.from), call)}
}

// lookedAt reports whether another condition before this one decides by the object: it would not see what another thread sets between them.
func (t test) lookedAt(object string) bool {
	if t.outer == nil || !t.outer.isList() {
		return false
	}
	for _, s := range t.outer.inner {
		if s.from < t.from && s.node.Kind == "IfStmt" && names(s, s.node.Child(0), object) {
			return true
		}
	}
	return false
}

// names reports whether an object is read in an expression, by its text.
func names(s *statement, n *syntax.Node, object string) bool {
	return n != nil && (s.text(n) == object || slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return names(s, c, object) }))
}

// extremes are the functions that keep an object that is at the left, or the right, of a comparison which is met where it is
// replaced.
var extremes = map[string][2]string{"<": {"atomicMax", "atomicMin"}, "<=": {"atomicMax", "atomicMin"}, ">": {"atomicMin", "atomicMax"}, ">=": {"atomicMin", "atomicMax"}}

// beside is the text of a value in which the reads of other elements of an object's array are volatile.
func (s *statement) beside(object, value *syntax.Node) string {
	base, text := baseOf(stripped(object)), s.text(value)
	if base == nil || text == "" {
		return text
	}
	var edits []Edit
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if b := baseOf(n); b != nil && b.Ref.ID == base.Ref.ID && s.text(n) != "" && arithmetic[n.Desugared] {
			edits = append(edits, Edit{From: n.Begin.Off, To: n.End.End(), Text: fmt.Sprintf("*(volatile %s *)&%s", n.Desugared, s.text(n))})
			return
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(value)
	for _, e := range slices.Backward(edits) {
		text = text[:e.From-value.Begin.Off] + e.Text + text[e.To-value.Begin.Off:]
	}
	return text
}

// tested is the object in a condition that an assignment sets, and the call whose result is what it was.
func (t test) tested(cond *syntax.Node, set assignment) (object *syntax.Node, call string) {
	if cond.Kind == "UnaryOperator" && cond.Opcode == "!" {
		object = stripped(cond.Child(0))
		if t.text(object) != set.object {
			return nil, ""
		}
		return object, fmt.Sprintf("atomicCAS(%s, 0, %s)", set.address, set.given)
	}
	if cond.Kind != "BinaryOperator" {
		return nil, ""
	}
	left, right := stripped(cond.Child(0)), stripped(cond.Child(1))
	side, other := 0, right
	if object = left; t.text(left) != set.object {
		side, object, other = 1, right, left
	}
	if t.text(object) != set.object || acts(other) {
		return nil, ""
	}
	switch value := t.text(other); {
	case value == "":
		return nil, ""
	case cond.Opcode == "==":
		return object, fmt.Sprintf("atomicCAS(%s, %s, %s)", set.address, value, set.given)
	case value != set.value:
		return nil, ""
	case cond.Opcode == "!=":
		return object, fmt.Sprintf("atomicExch(%s, %s)", set.address, set.given)
	case extremes[cond.Opcode][side] != "":
		return object, fmt.Sprintf("%s(%s, %s)", extremes[cond.Opcode][side], set.address, set.given)
	}
	return nil, ""
}
