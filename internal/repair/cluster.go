package repair

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// clustersFit lets a launch keep the limits of clusters: a grid of whole clusters, or clusters larger than all devices have.
func clustersFit(p *Program, f *finding.Finding) (out []*Patch) {
	fn, all := p.inLine(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	var grids []*statement
	size := ""
	fn.each(func(s *statement) {
		to := s.text(stripped(assigned(s.node)))
		if strings.HasSuffix(to, ".gridDim") || strings.HasSuffix(to, ".gridDim.x") {
			grids = append(grids, s)
		}
		if strings.HasSuffix(to, ".clusterDim.x") || strings.HasSuffix(to, "->clusterDim.x") {
			size = s.text(lastOf(s))
		}
	})
	for _, s := range grids {
		n := lastOf(s)
		if blocks := s.text(n); blocks != "" && size != "" {
			k := factor(size)
			out = append(out, rewrite(s, n, "("+blocks+" + "+k+" - 1) / "+k+" * "+k))
		}
	}
	for _, s := range all {
		for _, call := range calling(s.node, func(name string) bool { return strings.HasPrefix(name, "cudaLaunchKernelEx") }) {
			if kernel := s.argument(stripped(call.Child(2))); kernel != "" {
				c := calls{text: s.checked("cudaFuncSetAttribute("+kernel+", cudaFuncAttributeNonPortableClusterSizeAllowed, 1)") + ";"}
				c.before(s.written())
				out = append(out, c.patches...)
			}
		}
	}
	return distinct(out)
}

// lastOf is the right side of an assignment.
func lastOf(s *statement) *syntax.Node {
	n := s.node
	for n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	return uncastConstructor(n.Child(len(n.Inner) - 1))
}
