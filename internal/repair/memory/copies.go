package memory

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// copyContents fill memory that was allocated from arrays and vectors of the host that have elements of the same
// type: before the launches that come later, and behind the allocation. Those come first that nothing copies
// to the device, and of these the ones whose name is a part of the pointer's or has that as a part.
func copyContents(fn *code.Function, s *code.Statement, call *syntax.Node, arguments []any, launches []*code.Statement) []*code.Patch {
	a := allocations[code.Callee(call)]
	element := pointed(call.Child(1))
	if a.copied == "" || element == "" {
		return nil
	}
	pointer := arguments[0].(string)
	var out [3][]*code.Patch
	var before []*code.Statement
	for _, l := range launches {
		before = append(before, outermostBehind(l, s))
	}
	for _, at := range append(slices.Concat(before, launches), s) {
		for _, v := range fn.Visible(at) {
			text, bytes := hostArray(v, element)
			if text == "" || a.pitched && !isProduct(s, v, arguments[2:]) {
				continue
			}
			c, off := code.Calls{Text: hostCall{s}.like(call, a.copied, append(slices.Clone(arguments), text, bytes))}, at.From
			if at == s {
				c.Behind(s)
				off = s.To
			} else {
				c.Before(at)
			}
			if !isFilled(fn, v, off) {
				continue
			}
			rank := 1
			switch {
			case isCopied(fn, v.ID):
				rank = 2
			case strings.Contains(pointer, v.Name) || strings.Contains(v.Name, pointer):
				rank = 0
			}
			out[rank] = append(out[rank], c.Patches...)
		}
	}
	return code.Distinct(slices.Concat(out[0], out[1], out[2]))
}

// outermostBehind is the statement around s, or s itself, that comes after another one in a list of statements.
func outermostBehind(s *code.Statement, after *code.Statement) *code.Statement {
	for o := s; o.Outer != nil; o = o.Outer {
		if o.Outer.IsList() && o.Outer.Holds(after.From) {
			return o
		}
	}
	return s
}

// pointed is the type of what is allocated by a call that has the place of a pointer as an argument.
func pointed(n *syntax.Node) string {
	n = code.Uncast(n)
	if n == nil {
		return ""
	}
	element, ok := strings.CutSuffix(n.Desugared, "*") // T **
	if !ok {
		return ""
	}
	element, ok = strings.CutSuffix(strings.TrimSpace(element), "*")
	if element = strings.TrimSpace(element); !ok || element == "void" {
		return ""
	}
	return element
}

// hostArray is the address of the elements of an array or a vector of the host, and its size in bytes;
// "" for other variables.
func hostArray(v *syntax.Node, element string) (address, bytes string) {
	t := strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(v.Desugared, "&"), "const "))
	if rest, ok := strings.CutPrefix(t, "std::vector<"+element); ok && (rest[0] == '>' || rest[0] == ',') {
		return v.Name + ".data()", v.Name + ".size() * sizeof(" + v.Name + "[0])"
	}
	if m := code.Extents.FindStringSubmatch(t); m != nil && m[1] == element && m[2] != "" && !v.Has("CUDASharedAttr") {
		return v.Name, "sizeof " + v.Name
	}
	return "", ""
}

// isFilled reports whether an array may have contents at an offset: it is a parameter, has an initializer or is
// named before.
func isFilled(fn *code.Function, v *syntax.Node, off int) bool {
	if v.Kind == "ParmVarDecl" || slices.ContainsFunc(v.Inner, func(c *syntax.Node) bool { return c != nil && !strings.HasSuffix(c.Kind, "Attr") }) {
		return true
	}
	var named func(n *syntax.Node) bool
	named = func(n *syntax.Node) bool {
		return n != nil && (n.Ref != nil && n.Ref.ID == v.ID && n.Begin.Off < off || slices.ContainsFunc(n.Inner, named))
	}
	return named(fn.Body.Node)
}

// isProduct reports whether a vector is made with as many elements as the product of two texts.
func isProduct(s *code.Statement, v *syntax.Node, factors []any) bool {
	var found bool
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n = code.Uncast(n); n == nil || found {
			return
		}
		if n.Kind == "BinaryOperator" && n.Opcode == "*" {
			a, b := textAnywhere(s, n.Child(0)), textAnywhere(s, n.Child(1))
			found = a == factors[0] && b == factors[1] || a == factors[1] && b == factors[0]
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	for _, c := range v.Inner {
		visit(c)
	}
	return found
}

// textAnywhere is text, also of an expression outside the statement.
func textAnywhere(s *code.Statement, n *syntax.Node) string {
	for s.Outer != nil {
		s = s.Outer
	}
	return s.Text(n)
}

// isCopied reports whether a function copies from a variable to the device.
func isCopied(fn *code.Function, id string) bool {
	var visit func(n *syntax.Node) bool
	visit = func(n *syntax.Node) bool {
		if n == nil {
			return false
		}
		if i, ok := copySources[code.Callee(n)]; ok && n.Kind == "CallExpr" && code.Mentions(n.Child(i), map[string]bool{id: true}) {
			return true
		}
		return slices.ContainsFunc(n.Inner, visit)
	}
	return visit(fn.Body.Node)
}

// copySources are the places of the arguments that calls copy from, the function counted.
var copySources = map[string]int{"cudaMemcpy": 2, "cudaMemcpyAsync": 2, "cudaMemcpy2D": 3, "cudaMemcpy2DAsync": 3,
	"cuMemcpyHtoD": 2, "cuMemcpyHtoD_v2": 2, "cuMemcpyHtoDAsync": 2, "cuMemcpyHtoDAsync_v2": 2}
