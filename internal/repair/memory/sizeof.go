package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
)

// SizesInBytes give an allocation of an array that a kernel accesses beyond its end as many bytes as its elements have: where its size is a number of
// elements, or has the sizeof of a smaller type.
func SizesInBytes(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	if f.Object == nil || f.Object.Space != "global" || f.Object.Size == 0 || f.Range.Lo < 0 {
		return nil
	}
	for _, fn := range p.Functions {
		for _, l := range code.LaunchesIn(fn, f.KernelName) {
			for _, call := range code.LaunchCalls(l.Node) {
				for _, a := range call.Inner[2:] {
					if a = code.Uncast(a); code.IsPointer(a) {
						out = append(out, sizeInBytes(fn, f, l, call, a)...)
					}
				}
			}
		}
	}
	for _, patch := range code.Distinct(out) {
		patch.Sure = true
	}
	return code.Distinct(out)
}

// sizeInBytes are the patches of the allocations of one argument of a launch.
func sizeInBytes(fn *code.Function, f *finding.Finding, l *code.Statement, launch, pointer *syntax.Node) (out []*code.Patch) {
	element := strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(pointer.Desugared, "*"), "const "))
	width := guard.Widths[element]
	if width < 2 || f.Range.Hi > int64(f.Object.Size)*width {
		return nil
	}
	eachAllocating(fn, l.Text(pointer), func(owner *code.Statement, call *syntax.Node) {
		size := call.Child(allocates[code.Callee(call)].size)
		if allocates[code.Callee(call)].size == 0 || size == nil {
			return
		}
		c := capacity{owner: owner, size: size, element: element}
		text := owner.Argument(size)
		switch smaller := narrower(size, width); {
		case smaller != nil && owner.Argument(smaller) != "":
			out = append(out, code.Rewrite(owner, smaller, fmt.Sprintf("sizeof(%s)", element)))
		case text != "" && countsElements(fn, text, l, launch):
			out = append(out, c.inElements(fn))
		}
	})
	return out
}

// narrower is the sizeof of a type with fewer bytes in a product, nil for none.
func narrower(n *syntax.Node, width int64) *syntax.Node {
	n = code.Uncast(n)
	switch {
	case n == nil:
		return nil
	case n.Kind == "UnaryExprOrTypeTraitExpr":
		if w := guard.Widths[strings.TrimPrefix(n.ArgType, "const ")]; w > 0 && w < width {
			return n
		}
	case n.Kind == "BinaryOperator" && n.Opcode == "*":
		for _, c := range n.Inner {
			if found := narrower(c, width); found != nil {
				return found
			}
		}
	}
	return nil
}

// countsElements reports whether a text is a number of elements in a function: it is passed to the kernel or makes its grid, or is multiplied by a
// sizeof. What makes the grid alone is none where it is the size of a copy or fill by itself.
func countsElements(fn *code.Function, text string, l *code.Statement, launch *syntax.Node) (counted bool) {
	own := func(s *code.Statement) func(n *syntax.Node) bool {
		return func(n *syntax.Node) bool { return s.Argument(code.Uncast(n)) == text }
	}
	counted = slices.ContainsFunc(launch.Inner[2:], own(l))
	bytes := false
	fn.Each(func(s *code.Statement) {
		for _, call := range code.Calling(s.Node, func(name string) bool { return Transfers[name].size > 0 }) {
			bytes = bytes || own(s)(call.Child(Transfers[code.Callee(call)].size))
		}
		counted = counted || holds(s.Node, func(n *syntax.Node) bool {
			return n.Kind == "BinaryOperator" && n.Opcode == "*" && slices.ContainsFunc(n.Inner, own(s)) &&
				slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool {
					return code.Uncast(c) != nil && code.Uncast(c).Kind == "UnaryExprOrTypeTraitExpr"
				})
		})
	})
	return counted || !bytes && holds(launch.Child(1), own(l))
}

// holds reports whether a condition holds for an expression or a part of it.
func holds(n *syntax.Node, is func(*syntax.Node) bool) bool {
	return n != nil && (is(n) || slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return holds(c, is) }))
}
