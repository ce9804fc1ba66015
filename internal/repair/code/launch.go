package code

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// LaunchCalls are the launches by <<< and >>> in a statement.
func LaunchCalls(n *syntax.Node) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "CUDAKernelCallExpr" && n.Child(1) != nil {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, LaunchCalls(c)...)
	}
	return out
}

// UncastConstructor is an expression without conversions, those by constructors that are not written included.
func UncastConstructor(n *syntax.Node) *syntax.Node {
	for n != nil && (n.Kind == "ImplicitCastExpr" || n.Kind == "ParenExpr" || n.Kind == "MaterializeTemporaryExpr" || n.Kind == "ExprWithCleanups" ||
		n.Kind == "CXXConstructExpr" && n.Child(0) != nil && n.Begin == n.Child(0).Begin && n.End == n.Child(0).End) {
		n = n.Child(0)
	}
	return n
}

// ClusterDimsOf is the text of the number of blocks in x of the clusters that a kernel is compiled for; "" for none.
func ClusterDimsOf(fn *Function) string {
	text := fn.File.Text
	for at := fn.Node.Begin.Off; at < fn.Node.Loc.Off; {
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
		for depth := 0; to < fn.Node.Loc.Off && (depth > 0 || text[to] != ',' && text[to] != ')'); to = syntax.SkipToken(text, to) {
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

// LaunchesIn are the statements of a function that launch a kernel of a name.
func LaunchesIn(fn *Function, kernel string) []*Statement {
	var out []*Statement
	var visit func(s *Statement)
	visit = func(s *Statement) {
		if len(s.Inner) == 0 && s.Outer != nil && Launches(s.Node, kernel) {
			out = append(out, s)
		}
		for _, in := range s.Inner {
			visit(in)
		}
	}
	visit(fn.Body)
	return out
}

// Launches reports whether an expression launches a kernel, which is named as it is demangled.
func Launches(n *syntax.Node, kernel string) bool {
	if n == nil {
		return false
	}
	if name := Callee(n); n.Kind == "CUDAKernelCallExpr" && name != "" && (kernel == name || strings.HasPrefix(kernel, name+"(") || strings.HasPrefix(kernel, name+"<") ||
		strings.Contains(kernel, "::"+name+"(") || strings.Contains(kernel, "::"+name+"<") || strings.Contains(kernel, " "+name+"<")) {
		return true
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return Launches(c, kernel) })
}

// Configurations are the calls with what stands between <<< and >>> in a statement: grid, block, bytes of shared
// memory, stream.
func Configurations(n *syntax.Node) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "CUDAKernelCallExpr" && n.Child(1) != nil {
		out = append(out, n.Child(1))
	}
	for _, c := range n.Inner {
		out = append(out, Configurations(c)...)
	}
	return out
}
