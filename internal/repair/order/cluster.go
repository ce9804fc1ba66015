package order

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// FitClusters lets a launch keep the limits of clusters: a grid of whole clusters, or clusters larger than all devices have.
func FitClusters(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	fn, all := p.InLine(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	var grids []*code.Statement
	size := ""
	var sized []*code.Patch
	fn.Each(func(s *code.Statement) {
		to := memberOf(code.Assigned(s.Node))
		if to == "gridDim" || to == "gridDim.x" {
			grids = append(grids, s)
		}
		if to == "clusterDim.x" {
			size = s.Text(lastOf(s))
			sized = append(sized, clusterOf(p, f, fn, s)...)
		}
	})
	out = append(out, sized...)
	for _, s := range grids {
		n := lastOf(s)
		if blocks := s.Text(n); blocks != "" && size != "" && code.Whole[n.Desugared] {
			k := code.Factor(size)
			out = append(out, code.Rewrite(s, n, "("+code.Factor(blocks)+" + "+k+" - 1) / "+k+" * "+k))
		}
	}
	for _, s := range all {
		for _, call := range code.Calling(s.Node, func(name string) bool { return strings.HasPrefix(name, "cudaLaunchKernelEx") }) {
			if kernel := s.Argument(code.Stripped(call.Child(2))); kernel != "" {
				c := code.Calls{Text: s.Checked("cudaFuncSetAttribute("+kernel+", cudaFuncAttributeNonPortableClusterSizeAllowed, 1)") + ";"}
				c.Before(s.Written())
				out = append(out, c.Patches...)
			}
		}
	}
	return code.Distinct(out)
}

// memberOf names the member that an expression is, and the one that this is a member of where that is a coordinate: "gridDim", "clusterDim.x".
func memberOf(n *syntax.Node) string {
	n = code.Stripped(n)
	if n == nil || n.Kind != "MemberExpr" {
		return ""
	}
	if outer := code.Stripped(n.Child(0)); n.Name == "x" && outer != nil && outer.Kind == "MemberExpr" {
		return outer.Name + ".x"
	}
	return n.Name
}

// clusterOf launches clusters of the size that the kernel is compiled for: where a statement sets it, or where the function is told the
// size and the kernel.
func clusterOf(p *code.Program, f *finding.Finding, fn *code.Function, s *code.Statement) (out []*code.Patch) {
	for _, kernel := range p.Functions {
		size := code.ClusterDimsOf(kernel)
		if size == "" || !code.IsKernel(kernel, f.KernelName) {
			continue
		}
		n := lastOf(s)
		parameter := -1
		i := 0
		for _, v := range fn.Node.Inner {
			if v != nil && v.Kind == "ParmVarDecl" {
				if n != nil && n.Ref != nil && n.Ref.ID == v.ID {
					parameter = i
				}
				i++
			}
		}
		if parameter < 0 {
			out = append(out, code.Rewrite(s, n, size))
			continue
		}
		for _, caller := range p.Functions {
			caller.Each(func(o *code.Statement) {
				for _, call := range code.Calling(o.Node, func(name string) bool { return name == fn.Node.Name }) {
					if passes(call, kernel.Node.Name) {
						out = append(out, code.Rewrite(o, call.Child(parameter+1), size))
					}
				}
			})
		}
	}
	return code.Distinct(out)
}

// passes reports whether a call has a function as an argument.
func passes(n *syntax.Node, name string) bool {
	return n != nil && (n.Kind == "DeclRefExpr" && n.Ref != nil && n.Ref.Kind == "FunctionDecl" && n.Ref.Name == name ||
		slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return passes(c, name) }))
}

// lastOf is the right side of an assignment.
func lastOf(s *code.Statement) *syntax.Node {
	n := s.Node
	for n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	return code.UncastConstructor(n.Child(len(n.Inner) - 1))
}
