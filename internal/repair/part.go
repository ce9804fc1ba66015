package repair

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// mostParts is with how many pointers the address of an access is compared.
const mostParts = 3

// partGuards let accesses to a part of an array happen only before the next part begins, or from where their own begins: by comparing
// addresses, as a part has no size of its own. The parts are those to which the kernel's other pointers point.
func partGuards(f *finding.Finding, s *statement, off int, list []access, below bool) (out []*Patch) {
	if f.Repair.Kind != "move-part" {
		return nil
	}
	for _, a := range list {
		address := s.addressOf(a.subscript)
		base := pointerIn(a.subscript.Child(0))
		if address == "" || base == nil || base.Ref == nil || effects(a.index) || base.Ref.Kind != "VarDecl" && (off < a.subscript.Begin.Off || a.subscript.End.End() <= off) {
			continue
		}
		n := 0
		for _, v := range slices.Backward(s.locals()) {
			if !isPointer(v) || (v.ID == base.Ref.ID) != below || v.ID != base.Ref.ID && !hasInitializer(v) {
				continue
			}
			compared := " < "
			if below {
				compared = " >= "
			}
			g := guard{condition: "(const char *)" + address + compared + "(const char *)" + v.Name, at: f.Primary.Loc.Pos, s: s, bounds: true}
			out = append(out, g.read(a), g.statement())
			if n++; n == mostParts {
				break
			}
		}
	}
	return distinct(out)
}

// hasInitializer reports whether a variable is initialized where it is declared.
func hasInitializer(v *syntax.Node) bool {
	return slices.ContainsFunc(v.Inner, func(c *syntax.Node) bool { return c != nil && isExpression(c) })
}
