package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// atomicRef is the class by which plain memory is accessed atomically (libcu++, <cuda/atomic>).
const atomicRef = "cuda::atomic_ref"

// relaxedTypes are those whose elements a patch accesses by it.
var relaxedTypes = map[string]bool{"int": true, "unsigned int": true, "long": true, "unsigned long": true, "long long": true, "unsigned long long": true, "float": true, "double": true}

// RelaxAccesses makes the plain accesses to an array relaxed atomics, in the functions of a finding: all of them, as the threads read there
// what others write at any time.
func RelaxAccesses(p *code.Program, f *finding.Finding) []*code.Patch {
	scope := "device"
	if f.Object != nil && f.Object.Space == "shared" {
		scope = "block"
	}
	r := relaxing{scope: scope}
	for _, at := range code.Places(f) {
		fn, s, off := p.Place(at.Loc.Pos)
		if s == nil {
			return nil
		}
		if !r.function(fn, baseOf(objectAt(s, s.Node, off))) {
			return nil
		}
	}
	if len(r.edits) == 0 {
		return nil
	}
	patch := &code.Patch{Edits: r.edits, Inline: slices.Clone(r.edits), What: "make the accesses of " + strings.Join(r.names, " and ") + " relaxed atomics"}
	return including(p, atomicRef, []*code.Patch{patch})
}

// baseOf is the pointer or the array that an element is of, nil for other expressions.
func baseOf(n *syntax.Node) *syntax.Node {
	if n == nil || n.Kind != "ArraySubscriptExpr" {
		return nil
	}
	if base := code.Stripped(n.Child(0)); base != nil && base.Kind == "DeclRefExpr" && base.Ref != nil {
		return base
	}
	return nil
}

// relaxing collects the edits.
type relaxing struct {
	scope string
	edits []code.Edit
	names []string
	done  []string // the variables, by function and ID
}

// function changes the accesses of a function through a variable. It reports whether all are of a form that it knows.
func (r *relaxing) function(fn *code.Function, base *syntax.Node) bool {
	if base == nil {
		return false
	}
	key := fn.Node.ID + " " + base.Ref.ID
	if slices.Contains(r.done, key) {
		return true
	}
	r.done = append(r.done, key)
	before := len(r.edits)
	ok := true
	var visit func(s *code.Statement)
	visit = func(s *code.Statement) {
		ok = ok && r.expression(s, s.Node, nil, base.Ref.ID)
		for _, in := range s.Inner {
			visit(in)
		}
	}
	visit(fn.Body)
	if name := fmt.Sprintf("%s in %s", base.Ref.Name, fn.Node.Name); len(r.edits) > before {
		r.names = append(r.names, name)
	}
	return ok
}

// expression changes the accesses in an expression of a statement, which is the operand of another one.
func (r *relaxing) expression(s *code.Statement, n, of *syntax.Node, id string) bool {
	if n == nil {
		return true
	}
	// Operands first and the last one before the others: of the edits at one place, which is where both the operand and the expression end, the
	// operand's comes first.
	for _, c := range slices.Backward(n.Inner) {
		if c != nil && !s.IsInner(c) && !r.expression(s, c, n, id) {
			return false
		}
	}
	b := baseOf(n)
	return b == nil || b.Ref.ID != id || r.access(s, n, of)
}

// access changes one access. One whose address is taken is atomic already, or not an access.
func (r *relaxing) access(s *code.Statement, n, of *syntax.Node) bool {
	switch {
	case of == nil:
		return false
	case of.Kind == "UnaryOperator" && of.Opcode == "&":
		return true
	case s.Text(n) == "" || !relaxedTypes[n.Desugared]:
		return false
	}
	file, begin, end := s.File, n.Begin.Off, n.End.End()
	element := fmt.Sprintf("%s<%s, cuda::thread_scope_%s>(", atomicRef, n.Type, r.scope)
	switch value := of.Child(1); {
	case of.Kind == "ImplicitCastExpr" && of.Cast == "LValueToRValue":
		r.edits = append(r.edits, file.Replace(begin, begin, element), file.Replace(end, end, ").load(cuda::memory_order_relaxed)"))
	case of.Kind == "BinaryOperator" && of.Opcode == "=" && of == s.Node && of.Child(0) == n && s.Text(value) != "":
		to := value.End.End()
		r.edits = append(r.edits, file.Replace(begin, begin, element), file.Replace(end, value.Begin.Off, ").store("), file.Replace(to, to, ", cuda::memory_order_relaxed)"))
	default:
		return false
	}
	return true
}
