package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// atomicRef is the class by which plain memory is accessed atomically (libcu++, <cuda/atomic>).
const atomicRef = "cuda::atomic_ref"

// relaxedTypes are those whose elements a patch accesses by it.
var relaxedTypes = map[string]bool{"int": true, "unsigned int": true, "long": true, "unsigned long": true, "long long": true, "unsigned long long": true, "float": true, "double": true}

// relaxed makes the plain accesses to an array relaxed atomics, in the functions of a finding: all of them, as the threads read there
// what others write at any time.
func relaxed(p *Program, f *finding.Finding) []*Patch {
	scope := "device"
	if f.Object != nil && f.Object.Space == "shared" {
		scope = "block"
	}
	r := relaxing{scope: scope}
	for _, at := range places(f) {
		fn, s, off := p.place(at.Loc.Pos)
		if s == nil {
			return nil
		}
		if !r.function(fn, baseOf(s.object(s.node, off))) {
			return nil
		}
	}
	if len(r.edits) == 0 {
		return nil
	}
	patch := &Patch{Edits: r.edits, Inline: slices.Clone(r.edits), What: "make the accesses of " + strings.Join(r.names, " and ") + " relaxed atomics"}
	return including(p, atomicRef, []*Patch{patch})
}

// baseOf is the pointer or the array that an element is of, nil for other expressions.
func baseOf(n *syntax.Node) *syntax.Node {
	if n == nil || n.Kind != "ArraySubscriptExpr" {
		return nil
	}
	if base := stripped(n.Child(0)); base != nil && base.Kind == "DeclRefExpr" && base.Ref != nil {
		return base
	}
	return nil
}

// relaxing collects the edits.
type relaxing struct {
	scope string
	edits []Edit
	names []string
	done  []string // the variables, by function and ID
}

// function changes the accesses of a function through a variable. It reports whether all are of a form that it knows.
func (r *relaxing) function(fn *function, base *syntax.Node) bool {
	if base == nil {
		return false
	}
	key := fn.node.ID + " " + base.Ref.ID
	if slices.Contains(r.done, key) {
		return true
	}
	r.done = append(r.done, key)
	before := len(r.edits)
	ok := true
	var visit func(s *statement)
	visit = func(s *statement) {
		ok = ok && r.expression(s, s.node, nil, base.Ref.ID)
		for _, in := range s.inner {
			visit(in)
		}
	}
	visit(fn.body)
	if name := fmt.Sprintf("%s in %s", base.Ref.Name, fn.node.Name); len(r.edits) > before {
		r.names = append(r.names, name)
	}
	return ok
}

// expression changes the accesses in an expression of a statement, which is the operand of another one.
func (r *relaxing) expression(s *statement, n, of *syntax.Node, id string) bool {
	if n == nil {
		return true
	}
	// Operands first and the last one before the others: of the edits at one place, which is where both the operand and the expression end, the
	// operand's comes first.
	for _, c := range slices.Backward(n.Inner) {
		if c != nil && !s.isInner(c) && !r.expression(s, c, n, id) {
			return false
		}
	}
	b := baseOf(n)
	return b == nil || b.Ref.ID != id || r.access(s, n, of)
}

// access changes one access. One whose address is taken is atomic already, or not an access.
func (r *relaxing) access(s *statement, n, of *syntax.Node) bool {
	switch {
	case of == nil:
		return false
	case of.Kind == "UnaryOperator" && of.Opcode == "&":
		return true
	case s.text(n) == "" || !relaxedTypes[n.Desugared]:
		return false
	}
	file, begin, end := s.file.Name, n.Begin.Off, n.End.End()
	element := fmt.Sprintf("%s<%s, cuda::thread_scope_%s>(", atomicRef, n.Type, r.scope)
	switch value := of.Child(1); {
	case of.Kind == "ImplicitCastExpr" && of.Cast == "LValueToRValue":
		r.edits = append(r.edits, Edit{file, begin, begin, element}, Edit{file, end, end, ").load(cuda::memory_order_relaxed)"})
	case of.Kind == "BinaryOperator" && of.Opcode == "=" && of == s.node && of.Child(0) == n && s.text(value) != "":
		to := value.End.End()
		r.edits = append(r.edits, Edit{file, begin, begin, element}, Edit{file, end, value.Begin.Off, ").store("}, Edit{file, to, to, ", cuda::memory_order_relaxed)"})
	default:
		return false
	}
	return true
}
