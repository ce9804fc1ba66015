package repair

import (
	"fmt"
	"regexp"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// guards are the repairs that execute a statement for some indices only.
var guards = map[finding.RepairKind]bool{"check-index": true}

// guarded puts the statement of an access under a condition: that its index is less than the
// array's size, or than a parameter of the function that is a whole number, which is what a
// kernel is told the size by.
func (p *Program) guarded(f *finding.Finding) []*Patch {
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil || s.isList() || s.node.Kind == "DeclStmt" || s.outer == nil {
		return nil
	}
	var out []*Patch
	for _, a := range subscripts(s.node) {
		index := s.text(a.Child(1))
		if index == "" || stripped(a.Child(1)).Kind == "IntegerLiteral" {
			continue
		}
		if stripped(a.Child(1)).Kind == "BinaryOperator" {
			index = "(" + index + ")"
		}
		for _, bound := range append(sizes(a), fn.parameters...) {
			edits := s.only(index + " < " + bound)
			// Another condition would keep the access away as well.
			out = append(out, &Patch{Edits: edits, Inline: edits, KeepsMemory: true,
				What: fmt.Sprintf("execute line %d only where %s < %s", s.file.line(s.from), index, bound)})
		}
	}
	return out
}

// only puts a condition before the statement, or joins it to the one that it has.
func (s *statement) only(condition string) []Edit {
	if o := s.outer; o.node.Kind == "IfStmt" && !o.node.Else && len(o.node.Inner) == 2 {
		if own := o.text(o.node.Child(0)); own != "" {
			begin, end := o.node.Child(0).Begin.Off, o.node.Child(0).End.End()
			if n := stripped(o.node.Child(0)); n.Kind == "BinaryOperator" && loose[n.Opcode] {
				own = "(" + own + ")"
			}
			return []Edit{{s.file.Name, begin, end, own + " && " + condition}}
		}
	}
	return []Edit{s.insert(s.from, "if ("+condition+") ")}
}

// loose are the operators that bind less than &&.
var loose = map[string]bool{"||": true, ",": true, "=": true}

// subscripts are the accesses a[i] in an expression.
func subscripts(n *syntax.Node) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "ArraySubscriptExpr" {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, subscripts(c)...)
	}
	return out
}

var arraySize = regexp.MustCompile(`^[^\[]*\[(\d+)\]`)

// sizes is the size of the array that is accessed, if its type has one.
func sizes(subscript *syntax.Node) []string {
	array := stripped(subscript.Child(0))
	if array == nil {
		return nil
	}
	if m := arraySize.FindStringSubmatch(array.Desugared); m != nil {
		return m[1:]
	}
	return nil
}
