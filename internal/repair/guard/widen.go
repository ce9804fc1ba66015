package guard

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// WidenIndex computes an index in 64 bits whose product does not fit into 32: in the subscript, or in the initializer of the variable
// that the subscript uses, which becomes a size_t.
func WidenIndex(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	fn, s, off := p.Place(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	for _, a := range AccessesIn(s, off) { // the one at the place comes first; a write is at its operator
		if edits, ok := widenProducts(s, a.Index); ok && len(edits) > 0 {
			out = append(out, widenedBy(s, edits))
		}
		for _, id := range operands(a.Index) {
			if d, edits := widenVariable(fn, id); d != nil {
				out = append(out, widenedBy(d, edits))
			}
		}
	}
	return code.Distinct(out)
}

func widenedBy(s *code.Statement, edits []code.Edit) *code.Patch {
	return &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("compute the index in line %d in 64 bits", s.File.Line(s.From))}
}

// narrow are the types whose products wrap.
var narrow = map[string]bool{"int": true, "unsigned int": true}

// widenProducts converts the first factor of each product in a sum. ok is false where a macro makes a part of it.
func widenProducts(s *code.Statement, n *syntax.Node) (out []code.Edit, ok bool) {
	n = code.Stripped(n)
	if n == nil || n.Kind != "BinaryOperator" || !narrow[n.Desugared] || n.Opcode != "*" && n.Opcode != "+" && n.Opcode != "-" {
		return nil, true
	}
	left, ok := widenProducts(s, n.Child(0))
	right, both := widenProducts(s, n.Child(1))
	if !ok || !both {
		return nil, false
	}
	if n.Opcode != "*" || len(left) > 0 {
		return append(left, right...), true
	}
	factor := n.Child(0)
	if s.Text(factor) == "" {
		return nil, false
	}
	at := factor.Begin.Off
	return append(right, s.File.Replace(at, at, "(size_t)")), true
}

// operands are the variables that a sum or product is made of, by their IDs.
func operands(n *syntax.Node) (ids []string) {
	n = code.Stripped(n)
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

// widenVariable makes a variable a size_t whose initializer has a product. It is nil where the variable is used for anything but an
// index: a comparison or a division of a negative number would change.
func widenVariable(fn *code.Function, id string) (decl *code.Statement, edits []code.Edit) {
	fn.Each(func(s *code.Statement) {
		v := s.Node.Child(0)
		if s.Node.Kind != "DeclStmt" || len(s.Node.Inner) != 1 || v == nil || v.ID != id || len(v.Inner) == 0 {
			return
		}
		made, ok := widenProducts(s, v.Child(len(v.Inner)-1))
		name := v.Loc.Off
		if m := narrowType.FindSubmatch(s.File.Text[s.From:max(s.From, name)]); ok && len(made) > 0 && m != nil && !v.Begin.Macro {
			decl, edits = s, append([]code.Edit{s.File.Replace(s.From, name, string(m[1])+"size_t ")}, made...)
		}
	})
	if decl == nil || !indexOnly(fn.Body.Node, id, false) {
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
