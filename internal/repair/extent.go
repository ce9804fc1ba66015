package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// bulkAccesses are the functions that access as many bytes as an argument says, counted from 1: where, and how many.
var bulkAccesses = map[string]struct{ at, size int }{"memset": {1, 3}, "memcpy": {1, 3}, "memmove": {1, 3},
	"__builtin_memset": {1, 3}, "__builtin_memcpy": {1, 3}, "__builtin_memmove": {1, 3}}

// shortened lets device code fill or copy no more than an array has: the size of its type, or the number of elements that it was
// allocated for, which the kernel gets as a parameter.
func shortened(p *Program, f *finding.Finding) (out []*Patch) {
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil || !onGPU(fn) {
		return nil
	}
	for _, call := range calling(s.node, func(name string) bool { _, ok := bulkAccesses[name]; return ok }) {
		b := bulkAccesses[callee(call)]
		to, size := uncast(call.Child(b.at)), call.Child(b.size)
		if to == nil || size == nil || s.argument(size) == "" {
			continue
		}
		if object := to.Child(0); to.Kind == "UnaryOperator" && to.Opcode == "&" && s.argument(object) != "" {
			out = append(out, rewrite(s, size, "sizeof("+s.argument(object)+")"))
			continue
		}
		if m := extents.FindStringSubmatch(to.Desugared); m != nil && m[2] != "" && s.text(to) != "" {
			out = append(out, rewrite(s, size, "sizeof "+s.text(to)))
			continue
		}
		first := "0"
		if index := offset(to); index != nil {
			first = s.text(index)
			for _, side := range to.Inner {
				if side != index {
					to = uncast(side)
				}
			}
		}
		if to.Ref == nil || first == "" || s.text(size) == "" || !slices.ContainsFunc(fn.pointers(), func(v *syntax.Node) bool { return v.ID == to.Ref.ID }) {
			continue
		}
		name := s.unused("count_" + to.Ref.Name)
		edits := counted(p, fn, f.KernelName, to.Ref.ID, name)
		if edits == nil {
			continue
		}
		room := fmt.Sprintf("(%[1]s > %[2]s ? (%[1]s - %[2]s) * sizeof(*%[3]s) : 0)", name, factor(first), to.Ref.Name)
		if first == "0" {
			room = fmt.Sprintf("%s * sizeof(*%s)", name, to.Ref.Name)
		}
		own := factor(s.text(size))
		e := Edit{s.file.Name, size.Begin.Off, size.End.End(), fmt.Sprintf("%s < %s ? %[1]s : %[2]s", own, room)}
		edits = append(edits, e)
		out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("let %s of line %d access no more than %s has, with %s as a new parameter", callee(call), s.file.line(s.from), to.Ref.Name, name)})
	}
	return distinct(out)
}

// libraryCalled are patches of a call of a library whose kernels access too much: sizes that are one too large, and
// memory that is too small for the call's result.
func libraryCalled(p *Program, f *finding.Finding) (out []*Patch) {
	fn, all := p.inLine(f.Primary.Loc.Pos)
	if fn == nil || onGPU(fn) {
		return nil
	}
	for _, s := range all {
		for _, call := range calling(s.node, func(name string) bool { return strings.HasPrefix(name, "cu") && !strings.HasPrefix(name, "cuda") }) {
			for _, a := range call.Inner[1:] {
				n := stripped(a)
				if !whole[n.Desugared] || n.Kind != "BinaryOperator" || n.Opcode != "+" {
					continue
				}
				if one := stripped(n.Child(1)); one.Kind == "IntegerLiteral" && one.Value == "1" {
					out = append(out, rewrite(s, n, s.argument(n.Child(0))))
				}
			}
			out = append(out, fn.allocatedMore(f, s, call)...)
		}
	}
	return distinct(out)
}

// allocatedMore allocates what an argument of a call points to with the bytes that the call accesses beyond it.
func (fn *function) allocatedMore(f *finding.Finding, s *statement, call *syntax.Node) (out []*Patch) {
	if f.Object == nil || f.Object.Size == 0 || f.Range.Hi <= int64(f.Object.Size) {
		return nil
	}
	for _, a := range call.Inner[1:] {
		pointer := s.argument(uncast(a))
		if pointer == "" || !isPointer(uncast(a)) {
			continue
		}
		fn.allocating(pointer, func(owner *statement, allocation *syntax.Node) {
			size := allocation.Child(allocates[callee(allocation)].size)
			if text := owner.argument(size); text != "" {
				out = append(out, rewrite(owner, size, fmt.Sprintf("%s + %d", text, f.Range.Hi-int64(f.Object.Size))))
			}
		})
	}
	return out
}
