package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// TestAndSet lets one atomic function compare and write where a condition tests an object and the statement that it is for
// begins with an assignment to it: "if (x > v) x = v;" becomes atomicMin(&x, v), "if (!x) { x = 1; ..." a condition on the
// result of atomicCAS.
func TestAndSet(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range code.Places(f) {
		_, s := p.At(at.Loc.Pos)
		out = append(out, spinning(s))
		for ; s != nil; s = s.Outer {
			if s.Node.Kind == "IfStmt" {
				out = append(out, test{s}.atomic())
				break
			}
		}
	}
	return code.Distinct(out)
}

// spinning lets a loop that waits for an object to be free take it at once: "while (x) {} x = 1;" becomes
// "while (atomicCAS(&x, 0, 1) != 0) {}". The statement is the loop, what it repeats, or the assignment.
func spinning(s *code.Statement) *code.Patch {
	for s != nil && s.Outer != nil && !s.Outer.IsList() || s != nil && s.Outer != nil && s.Outer.Outer != nil && s.IsList() {
		s = s.Outer
	}
	if s == nil || s.Outer == nil {
		return nil
	}
	list := s.Outer.Inner
	i := slices.Index(list, s)
	if s.Node.Kind == "WhileStmt" {
		i++
	}
	if i < 1 || i >= len(list) {
		return nil
	}
	loop, set := list[i-1], list[i]
	n := set.Node
	if loop.Node.Kind != "WhileStmt" || loop.Body() == nil || len(loop.Body().Inner) > 0 || loop.Body().Node.Kind != "CompoundStmt" && loop.Body().Node.Kind != "NullStmt" ||
		n.Kind != "BinaryOperator" || n.Opcode != "=" {
		return nil
	}
	object, value := n.Child(0), set.Text(n.Child(1))
	kind := strings.TrimPrefix(object.Desugared, "volatile ")
	cond := loop.Node.Child(0)
	free := freeValue(loop, cond, set.Text(object))
	if free == "" || value == "" || !integers[kind] && !wideAtomics[kind] || code.Acts(n.Child(1)) {
		return nil
	}
	call := fmt.Sprintf("atomicCAS(%s, %s, %s) != %s", atomicAddress(set, object), free, value, free)
	test := loop.File.Replace(cond.Begin.Off, cond.End.End(), call)
	take := set.File.Replace(set.From, set.To, "")
	return &code.Patch{Edits: []code.Edit{test, set.Lines(take)}, Inline: []code.Edit{test, take}, What: fmt.Sprintf("test and set %s in line %d by one atomicCAS", set.Text(object), loop.File.Line(loop.From))}
}

// freeValue is the value of an object with which a condition of a loop that waits for it does not hold; "" for other conditions.
func freeValue(s *code.Statement, cond *syntax.Node, object string) string {
	cond = code.Stripped(cond)
	switch {
	case object == "" || cond == nil || cond.Begin.Macro || cond.End.Macro:
	case s.Text(cond) == object:
		return "0"
	case cond.Kind == "BinaryOperator" && cond.Opcode == "!=" && s.Text(code.Stripped(cond.Child(0))) == object && !code.Acts(cond.Child(1)):
		return s.Text(code.Stripped(cond.Child(1)))
	}
	return ""
}

// test is an if.
type test struct{ *code.Statement }

// assignment is an assignment to an object that a condition tests: the texts of the object, its address and the value.
type assignment struct {
	*code.Statement
	object, address, value string
	// given is the value for the atomic function: it reads other elements of the same array by volatile, as other threads set them.
	given string
	typ   string
}

// set is the assignment that the statement for a condition is or begins with.
func (t test) set() (a assignment, alone, ok bool) {
	s := t.Inner[0]
	alone = !s.IsList() || len(s.Inner) == 1
	if s.IsList() {
		if len(s.Inner) == 0 {
			return a, false, false
		}
		s = s.Inner[0]
	}
	n := code.Stripped(s.Node)
	if n == nil || n.Kind != "BinaryOperator" || n.Opcode != "=" || n.Begin.Macro || n.End.Macro {
		return a, false, false
	}
	object, value := n.Child(0), code.Stripped(n.Child(1))
	a = assignment{s, s.Text(object), atomicAddress(s, object), s.Text(value), besideVolatile(s, object, value), strings.TrimPrefix(object.Desugared, "volatile ")}
	return a, alone, a.object != "" && a.value != "" && !code.Acts(object) && !code.Acts(value)
}

// wideAtomics are the types that atomicMin, atomicMax, atomicExch and atomicCAS take besides int and unsigned int (CUDA C++ Programming
// Guide, "Atomic Functions"); the first two take long long as well.
var wideAtomics = map[string]bool{"unsigned long long": true}

// atomic is the patch for an if, nil where it has another form.
func (t test) atomic() *code.Patch {
	n := t.Node
	if n.Begin.Macro || n.End.Macro || n.Else || len(t.Inner) != 1 {
		return nil
	}
	set, alone, ok := t.set()
	cond := code.Stripped(n.Child(0))
	if !ok || t.lookedAt(set.object) || cond == nil || cond.Begin.Macro || cond.End.Macro {
		return nil
	}
	tested, call := t.tested(cond, set)
	if call == "" || !integers[set.typ] && !wideAtomics[set.typ] && !(set.typ == "long long" && extremes[cond.Opcode] != [2]string{}) {
		return nil
	}
	edits := []code.Edit{t.File.Replace(t.From, t.To, call+";")}
	inline := edits
	if !alone {
		result := t.File.Replace(tested.Begin.Off, tested.End.End(), call)
		edits = []code.Edit{result, set.Lines(t.File.Replace(set.From, set.To, ""))}
		inline = []code.Edit{result, t.File.Replace(set.From, set.To, ";")}
	}
	return &code.Patch{Edits: edits, Inline: inline, What: fmt.Sprintf("test and set %s in line %d by one %s", set.object, t.File.Line(t.From), call)}
}

// lookedAt reports whether another condition before this one decides by the object: it would not see what another thread sets between them.
func (t test) lookedAt(object string) bool {
	if t.Outer == nil || !t.Outer.IsList() {
		return false
	}
	for _, s := range t.Outer.Inner {
		if s.From < t.From && s.Node.Kind == "IfStmt" && names(s, s.Node.Child(0), object) {
			return true
		}
	}
	return false
}

// names reports whether an object is read in an expression, by its text.
func names(s *code.Statement, n *syntax.Node, object string) bool {
	return n != nil && (s.Text(n) == object || slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return names(s, c, object) }))
}

// extremes are the functions that keep an object that is at the left, or the right, of a comparison which is met where it is
// replaced.
var extremes = map[string][2]string{"<": {"atomicMax", "atomicMin"}, "<=": {"atomicMax", "atomicMin"}, ">": {"atomicMin", "atomicMax"}, ">=": {"atomicMin", "atomicMax"}}

// besideVolatile is the text of a value in which the reads of other elements of an object's array are volatile.
func besideVolatile(s *code.Statement, object, value *syntax.Node) string {
	base, text := baseOf(code.Stripped(object)), s.Text(value)
	if base == nil || text == "" {
		return text
	}
	var edits []code.Edit
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if b := baseOf(n); b != nil && b.Ref.ID == base.Ref.ID && s.Text(n) != "" && code.Arithmetic[n.Desugared] {
			edits = append(edits, code.Edit{From: n.Begin.Off, To: n.End.End(), Text: fmt.Sprintf("*(volatile %s *)&%s", n.Desugared, s.Text(n))})
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
		object = code.Stripped(cond.Child(0))
		if t.Text(object) != set.object {
			return nil, ""
		}
		return object, fmt.Sprintf("atomicCAS(%s, 0, %s)", set.address, set.given)
	}
	if cond.Kind != "BinaryOperator" {
		return nil, ""
	}
	left, right := code.Stripped(cond.Child(0)), code.Stripped(cond.Child(1))
	side, other := 0, right
	if object = left; t.Text(left) != set.object {
		side, object, other = 1, right, left
	}
	if t.Text(object) != set.object || code.Acts(other) {
		return nil, ""
	}
	switch value := t.Text(other); {
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
