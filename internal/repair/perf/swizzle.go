package perf

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// banks is how many banks shared memory has (CUDA C++ Programming Guide, "Shared Memory").
const banks = 32

// swizzled puts the elements of each row of an array in shared memory elsewhere in the row, by the row's number: threads that
// access one column then access different banks, and the array is as large as it was. It changes all uses of the array, and
// there is none where one is more than an element by a row and a column.
func swizzled(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Object == nil || f.Object.Space != "shared" {
		return nil
	}
	fn, _ := p.At(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	_, v := fn.Body.Declaration(f.Object.Name)
	if v == nil {
		return nil
	}
	var rows, columns int
	m := code.Extents.FindStringSubmatch(v.Desugared)
	if m == nil || strings.Count(m[2], "[") != 2 {
		return nil
	}
	if _, err := fmt.Sscanf(m[2], "[%d][%d]", &rows, &columns); err != nil || columns < 2 || columns&(columns-1) != 0 {
		return nil
	}
	mask := min(columns, banks) - 1
	var edits []code.Edit
	whole := true
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil || !whole {
			return
		}
		row := code.Stripped(n.Child(0))
		if n.Kind == "ArraySubscriptExpr" && row != nil && row.Kind == "ArraySubscriptExpr" {
			if base := code.Stripped(row.Child(0)); base != nil && base.Ref != nil && base.Ref.ID == v.ID {
				a, b := row.Child(1), n.Child(1)
				first, second := fn.Body.Text(a), fn.Body.Text(b)
				if first == "" || second == "" || changes(a) || changes(b) {
					whole = false
					return
				}
				edits = append(edits, fn.File.Replace(b.Begin.Off, b.End.End(), fmt.Sprintf("%s ^ (%s & %d)", code.Factor(second), code.Factor(first), mask)))
				visit(a)
				visit(b)
				return
			}
		}
		if n.Ref != nil && n.Ref.ID == v.ID {
			whole = false
			return
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(fn.Body.Node)
	if !whole || len(edits) == 0 {
		return nil
	}
	return []*code.Patch{{Edits: edits, Inline: edits, What: fmt.Sprintf("swizzle the rows of %s, at %d places", v.Name, len(edits))}}
}

// changes reports whether an expression changes what it names, or may.
func changes(n *syntax.Node) bool {
	if n == nil {
		return false
	}
	switch {
	case n.Kind == "UnaryOperator" && (n.Opcode == "++" || n.Opcode == "--"), n.Kind == "CompoundAssignOperator", n.Kind == "BinaryOperator" && n.Opcode == "=",
		n.Kind == "CallExpr", n.Kind == "CXXMemberCallExpr", n.Kind == "ArraySubscriptExpr":
		return true
	case n.Kind == "PseudoObjectExpr":
		return false
	}
	for _, c := range n.Inner {
		if changes(c) {
			return true
		}
	}
	return false
}
