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

// bulkAccesses are the functions that access as many bytes as an argument says, counted from 1: where, and how many.
var bulkAccesses = map[string]struct{ at, size int }{"memset": {1, 3}, "memcpy": {1, 3}, "memmove": {1, 3},
	"__builtin_memset": {1, 3}, "__builtin_memcpy": {1, 3}, "__builtin_memmove": {1, 3}}

// ShortenCopies lets device code fill or copy no more than an array has: the size of its type, or the number of elements that it was
// allocated for, which the kernel gets as a parameter.
func ShortenCopies(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	fn, s := p.At(f.Primary.Loc.Pos)
	if s == nil || !code.OnGPU(fn) {
		return nil
	}
	for _, call := range code.Calling(s.Node, func(name string) bool { _, ok := bulkAccesses[name]; return ok }) {
		b := bulkAccesses[code.Callee(call)]
		to, size := code.Uncast(call.Child(b.at)), call.Child(b.size)
		if to == nil || size == nil || s.Argument(size) == "" {
			continue
		}
		if object := to.Child(0); to.Kind == "UnaryOperator" && to.Opcode == "&" && s.Argument(object) != "" {
			out = append(out, code.Rewrite(s, size, "sizeof("+s.Argument(object)+")"))
			continue
		}
		if m := code.Extents.FindStringSubmatch(to.Desugared); m != nil && m[2] != "" && s.Text(to) != "" {
			out = append(out, code.Rewrite(s, size, "sizeof "+s.Text(to)))
			continue
		}
		first := "0"
		if index := guard.Offset(to); index != nil {
			first = s.Text(index)
			for _, side := range to.Inner {
				if side != index {
					to = code.Uncast(side)
				}
			}
		}
		if to.Ref == nil || first == "" || s.Text(size) == "" || !slices.ContainsFunc(pointersOf(fn), func(v *syntax.Node) bool { return v.ID == to.Ref.ID }) {
			continue
		}
		name := s.Unused("count_" + to.Ref.Name)
		edits := counted(p, fn, f.KernelName, to.Ref.ID, name)
		if edits == nil {
			continue
		}
		room := fmt.Sprintf("(%[1]s > %[2]s ? (%[1]s - %[2]s) * sizeof(*%[3]s) : 0)", name, code.Factor(first), to.Ref.Name)
		if first == "0" {
			room = fmt.Sprintf("%s * sizeof(*%s)", name, to.Ref.Name)
		}
		own := code.Factor(s.Text(size))
		e := s.File.Replace(size.Begin.Off, size.End.End(), fmt.Sprintf("%s < %s ? %[1]s : %[2]s", own, room))
		edits = append(edits, e)
		out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("let %s of line %d access no more than %s has, with %s as a new parameter", code.Callee(call), s.File.Line(s.From), to.Ref.Name, name)})
	}
	return code.Distinct(out)
}

// CallLibrary are patches of a call of a library whose kernels access too much: sizes that are one too large, and
// memory that is too small for the call's result.
func CallLibrary(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	fn, all := p.InLine(f.Primary.Loc.Pos)
	if fn == nil || code.OnGPU(fn) {
		return nil
	}
	for _, s := range all {
		for _, call := range code.Calling(s.Node, func(name string) bool { return strings.HasPrefix(name, "cu") && !strings.HasPrefix(name, "cuda") }) {
			for _, a := range call.Inner[1:] {
				n := code.Stripped(a)
				if !code.Whole[n.Desugared] || n.Kind != "BinaryOperator" || n.Opcode != "+" {
					continue
				}
				if one := code.Stripped(n.Child(1)); one.Kind == "IntegerLiteral" && one.Value == "1" {
					out = append(out, code.Rewrite(s, n, s.Argument(n.Child(0))))
				}
			}
			out = append(out, allocateMore(fn, f, s, call)...)
		}
	}
	return code.Distinct(out)
}

// allocateMore allocates what an argument of a call points to with the bytes that the call accesses beyond it.
func allocateMore(fn *code.Function, f *finding.Finding, s *code.Statement, call *syntax.Node) (out []*code.Patch) {
	if f.Object == nil || f.Object.Size == 0 || f.Range.Hi <= int64(f.Object.Size) {
		return nil
	}
	for _, a := range call.Inner[1:] {
		pointer := s.Argument(code.Uncast(a))
		if pointer == "" || !code.IsPointer(code.Uncast(a)) {
			continue
		}
		eachAllocating(fn, pointer, func(owner *code.Statement, allocation *syntax.Node) {
			size := allocation.Child(allocates[code.Callee(allocation)].size)
			if text := owner.Argument(size); text != "" {
				out = append(out, code.Rewrite(owner, size, fmt.Sprintf("%s + %d", text, f.Range.Hi-int64(f.Object.Size))))
			}
		})
	}
	return out
}
