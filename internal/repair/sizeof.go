package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// sizesInBytes give an allocation of an array that a kernel accesses beyond its end as many bytes as its elements have: where its size is a number of
// elements, or has the sizeof of a smaller type.
func sizesInBytes(p *Program, f *finding.Finding) (out []*Patch) {
	if f.Object == nil || f.Object.Space != "global" || f.Object.Size == 0 || f.Range.Lo < 0 {
		return nil
	}
	for _, fn := range p.functions {
		for _, l := range fn.launches(f.KernelName) {
			for _, call := range launchCalls(l.node) {
				for _, a := range call.Inner[2:] {
					if a = uncast(a); isPointer(a) {
						out = append(out, fn.inBytes(f, l, call, a)...)
					}
				}
			}
		}
	}
	for _, patch := range distinct(out) {
		patch.Sure = true
	}
	return distinct(out)
}

// inBytes are the patches of the allocations of one argument of a launch.
func (fn *function) inBytes(f *finding.Finding, l *statement, launch, pointer *syntax.Node) (out []*Patch) {
	element := strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(pointer.Desugared, "*"), "const "))
	width := widths[element]
	if width < 2 || f.Range.Hi > int64(f.Object.Size)*width {
		return nil
	}
	fn.allocating(l.text(pointer), func(owner *statement, call *syntax.Node) {
		size := call.Child(allocates[callee(call)].size)
		if allocates[callee(call)].size == 0 || size == nil {
			return
		}
		c := capacity{owner: owner, size: size, element: element}
		text := owner.argument(size)
		switch smaller := narrower(size, width); {
		case smaller != nil && owner.argument(smaller) != "":
			out = append(out, rewrite(owner, smaller, fmt.Sprintf("sizeof(%s)", element)))
		case text != "" && fn.counts(text, l, launch):
			out = append(out, c.inElements(fn))
		}
	})
	return out
}

// narrower is the sizeof of a type with fewer bytes in a product, nil for none.
func narrower(n *syntax.Node, width int64) *syntax.Node {
	n = uncast(n)
	switch {
	case n == nil:
		return nil
	case n.Kind == "UnaryExprOrTypeTraitExpr":
		if w := widths[strings.TrimPrefix(n.ArgType, "const ")]; w > 0 && w < width {
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

// counts reports whether a text is a number of elements in a function: it is passed to the kernel or makes its grid, or is multiplied by a
// sizeof. What makes the grid alone is none where it is the size of a copy or fill by itself.
func (fn *function) counts(text string, l *statement, launch *syntax.Node) (counted bool) {
	own := func(s *statement) func(n *syntax.Node) bool {
		return func(n *syntax.Node) bool { return s.argument(uncast(n)) == text }
	}
	counted = slices.ContainsFunc(launch.Inner[2:], own(l))
	bytes := false
	fn.each(func(s *statement) {
		for _, call := range calling(s.node, func(name string) bool { return transfers[name].size > 0 }) {
			bytes = bytes || own(s)(call.Child(transfers[callee(call)].size))
		}
		counted = counted || holds(s.node, func(n *syntax.Node) bool {
			return n.Kind == "BinaryOperator" && n.Opcode == "*" && slices.ContainsFunc(n.Inner, own(s)) &&
				slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return uncast(c) != nil && uncast(c).Kind == "UnaryExprOrTypeTraitExpr" })
		})
	})
	return counted || !bytes && holds(launch.Child(1), own(l))
}

// holds reports whether a condition holds for an expression or a part of it.
func holds(n *syntax.Node, is func(*syntax.Node) bool) bool {
	return n != nil && (is(n) || slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return holds(c, is) }))
}
