package repair

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// widened computes an index in 64 bits whose product does not fit into 32: in the subscript, or in the initializer of the variable
// that the subscript uses, which becomes a size_t.
func widened(p *Program, f *finding.Finding) (out []*Patch) {
	fn, s, off := p.place(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	for _, a := range s.accesses(off) { // the one at the place comes first; a write is at its operator
		if edits, ok := s.widening(a.index); ok && len(edits) > 0 {
			out = append(out, widenedBy(s, edits))
		}
		for _, id := range operands(a.index) {
			if d, edits := fn.widenedVariable(id); d != nil {
				out = append(out, widenedBy(d, edits))
			}
		}
	}
	return distinct(out)
}

func widenedBy(s *statement, edits []Edit) *Patch {
	return &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("compute the index in line %d in 64 bits", s.file.line(s.from))}
}

// narrow are the types whose products wrap.
var narrow = map[string]bool{"int": true, "unsigned int": true}

// widening converts the first factor of each product in a sum. ok is false where a macro makes a part of it.
func (s *statement) widening(n *syntax.Node) (out []Edit, ok bool) {
	n = stripped(n)
	if n == nil || n.Kind != "BinaryOperator" || !narrow[n.Desugared] || n.Opcode != "*" && n.Opcode != "+" && n.Opcode != "-" {
		return nil, true
	}
	left, ok := s.widening(n.Child(0))
	right, both := s.widening(n.Child(1))
	if !ok || !both {
		return nil, false
	}
	if n.Opcode != "*" || len(left) > 0 {
		return append(left, right...), true
	}
	factor := n.Child(0)
	if s.text(factor) == "" {
		return nil, false
	}
	at := factor.Begin.Off
	return append(right, Edit{s.file.Name, at, at, "(size_t)"}), true
}

// operands are the variables that a sum or product is made of, by their IDs.
func operands(n *syntax.Node) (ids []string) {
	n = stripped(n)
	switch {
	case n == nil:
	case n.Kind == "DeclRefExpr" && n.Ref != nil && n.Ref.Kind == "VarDecl" && narrow[strings.TrimPrefix(n.Desugared, "const ")]:
		ids = append(ids, n.Ref.ID)
	case n.Kind == "BinaryOperator" && sums(n):
		ids = append(operands(n.Child(0)), operands(n.Child(1))...)
	}
	return ids
}

// sums reports whether an operator gives the same in 64 bits where its result, and those of its operands, fit into 32.
func sums(n *syntax.Node) bool { return n.Opcode == "+" || n.Opcode == "-" || n.Opcode == "*" }

// narrowType is the type in a declaration.
var narrowType = regexp.MustCompile(`^((?:const[ \t]+)?)(?:unsigned[ \t]+int|unsigned|int|uint32_t|int32_t)[ \t]+$`)

// widenedVariable makes a variable a size_t whose initializer has a product. It is nil where the variable is used for anything but an
// index: a comparison or a division of a negative number would change.
func (fn *function) widenedVariable(id string) (decl *statement, edits []Edit) {
	fn.each(func(s *statement) {
		v := s.node.Child(0)
		if s.node.Kind != "DeclStmt" || len(s.node.Inner) != 1 || v == nil || v.ID != id || len(v.Inner) == 0 {
			return
		}
		made, ok := s.widening(v.Child(len(v.Inner) - 1))
		name := v.Loc.Off
		if m := narrowType.FindSubmatch(s.file.Text[s.from:max(s.from, name)]); ok && len(made) > 0 && m != nil && !v.Begin.Macro {
			decl, edits = s, append([]Edit{{s.file.Name, s.from, name, string(m[1]) + "size_t "}}, made...)
		}
	})
	if decl == nil || !indexOnly(fn.body.node, id, false) {
		return nil, nil
	}
	return decl, edits
}

// indexOnly reports whether an expression uses a variable in indices alone, of which it is a part where in is set.
func indexOnly(n *syntax.Node, id string, in bool) bool {
	if n == nil {
		return true
	}
	switch {
	case n.Kind == "DeclRefExpr":
		return in || n.Ref == nil || n.Ref.ID != id
	case n.Kind == "ArraySubscriptExpr":
		return indexOnly(n.Child(0), id, false) && indexOnly(n.Child(1), id, true)
	}
	in = in && (n.Kind == "ImplicitCastExpr" || n.Kind == "ParenExpr" || n.Kind == "BinaryOperator" && sums(n))
	return !slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return !indexOnly(c, id, in) })
}
