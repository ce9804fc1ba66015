package repair

import (
	"slices"
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
	var sized []*Patch
	fn.each(func(s *statement) {
		to := memberOf(assigned(s.node))
		if to == "gridDim" || to == "gridDim.x" {
			grids = append(grids, s)
		}
		if to == "clusterDim.x" {
			size = s.text(lastOf(s))
			sized = append(sized, clusterOf(p, f, fn, s)...)
		}
	})
	out = append(out, sized...)
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

// memberOf names the member that an expression is, and the one that this is a member of where that is a coordinate: "gridDim", "clusterDim.x".
func memberOf(n *syntax.Node) string {
	n = stripped(n)
	if n == nil || n.Kind != "MemberExpr" {
		return ""
	}
	if outer := stripped(n.Child(0)); n.Name == "x" && outer != nil && outer.Kind == "MemberExpr" {
		return outer.Name + ".x"
	}
	return n.Name
}

// clusterOf launches clusters of the size that the kernel is compiled for: where a statement sets it, or where the function is told the
// size and the kernel.
func clusterOf(p *Program, f *finding.Finding, fn *function, s *statement) (out []*Patch) {
	for _, kernel := range p.functions {
		size := kernel.clusterDims()
		if size == "" || !kernel.kernel(f.KernelName) {
			continue
		}
		n := lastOf(s)
		parameter := -1
		i := 0
		for _, v := range fn.node.Inner {
			if v != nil && v.Kind == "ParmVarDecl" {
				if n != nil && n.Ref != nil && n.Ref.ID == v.ID {
					parameter = i
				}
				i++
			}
		}
		if parameter < 0 {
			out = append(out, rewrite(s, n, size))
			continue
		}
		for _, caller := range p.functions {
			caller.each(func(o *statement) {
				for _, call := range calling(o.node, func(name string) bool { return name == fn.node.Name }) {
					if passes(call, kernel.node.Name) {
						out = append(out, rewrite(o, call.Child(parameter+1), size))
					}
				}
			})
		}
	}
	return distinct(out)
}

// passes reports whether a call has a function as an argument.
func passes(n *syntax.Node, name string) bool {
	return n != nil && (n.Kind == "DeclRefExpr" && n.Ref != nil && n.Ref.Kind == "FunctionDecl" && n.Ref.Name == name ||
		slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return passes(c, name) }))
}

// clusterDims is the text of the number of blocks in x of the clusters that a kernel is compiled for; "" for none.
func (fn *function) clusterDims() string {
	text := fn.file.Text
	for at := fn.node.Begin.Off; at < fn.node.Loc.Off; {
		at = syntax.SkipBlank(text, at)
		word := syntax.WordAt(text, at)
		if word == "" {
			at = syntax.SkipToken(text, at)
			continue
		}
		if at += len(word); word != "__cluster_dims__" || at >= len(text) || text[at] != '(' {
			continue
		}
		to := at + 1
		for depth := 0; to < fn.node.Loc.Off && (depth > 0 || text[to] != ',' && text[to] != ')'); to = syntax.SkipToken(text, to) {
			switch text[to] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		return strings.TrimSpace(string(text[at+1 : to]))
	}
	return ""
}

// lastOf is the right side of an assignment.
func lastOf(s *statement) *syntax.Node {
	n := s.node
	for n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	return uncastConstructor(n.Child(len(n.Inner) - 1))
}
