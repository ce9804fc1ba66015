package guard

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// mostParts is with how many pointers the address of an access is compared.
const mostParts = 3

// partGuards let accesses to a part of an array happen only before the next part begins, or from where their own begins: by comparing
// addresses, as a part has no size of its own. The parts are those to which the kernel's other pointers point.
func partGuards(f *finding.Finding, s *code.Statement, off int, list []Access, below bool) (out []*code.Patch) {
	if f.Repair.Kind != finding.MovePart {
		return nil
	}
	for _, a := range list {
		address := AddressIn(s, a.Subscript)
		base := pointerIn(a.Subscript.Child(0))
		if address == "" || base == nil || base.Ref == nil || code.Effects(a.Index) || base.Ref.Kind != "VarDecl" && (off < a.Subscript.Begin.Off || a.Subscript.End.End() <= off) {
			continue
		}
		n := 0
		for _, v := range slices.Backward(s.Locals()) {
			if !code.IsPointer(v) || (v.ID == base.Ref.ID) != below || v.ID != base.Ref.ID && !code.HasInitializer(v) {
				continue
			}
			compared := " < "
			if below {
				compared = " >= "
			}
			g := Guard{Condition: "(const char *)" + address + compared + "(const char *)" + v.Name, At: f.Primary.Loc.Pos, S: s, bounds: true}
			out = append(out, g.Read(a), g.Statement())
			if n++; n == mostParts {
				break
			}
		}
	}
	return code.Distinct(out)
}

// AddressIn is the text of the address of an element that an expression accesses; "" for others.
func AddressIn(s *code.Statement, n *syntax.Node) string {
	if n.Category != "lvalue" || s.Text(n) == "" {
		return ""
	}
	switch {
	case n.Kind == "UnaryOperator" && n.Opcode == "*":
		if text := s.Text(n.Child(0)); text != "" {
			return "(" + text + ")"
		}
	case n.Kind == "ArraySubscriptExpr":
		return "&" + s.Text(n)
	}
	return ""
}
