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

// transfer says which arguments of a copy or fill are what, counted from 1: the destination, the source,
// the size in bytes and the direction, and where in a symbol it begins. An argument that the call does not take is 0.
type transfer struct{ to, from, size, kind, offset int }

// Transfers are the calls that copy or fill memory (CUDA Runtime API, "Memory Management"; CUDA Driver API,
// "Memory Management").
var Transfers = map[string]transfer{
	"cudaMemcpy": {1, 2, 3, 4, 0}, "cudaMemcpyAsync": {1, 2, 3, 4, 0},
	"cudaMemset": {1, 0, 3, 0, 0}, "cudaMemsetAsync": {1, 0, 3, 0, 0},
	"cudaMemcpyToSymbol": {1, 2, 3, 5, 4}, "cudaMemcpyToSymbolAsync": {1, 2, 3, 5, 4},
	"cudaMemcpyFromSymbol": {1, 2, 3, 5, 4}, "cudaMemcpyFromSymbolAsync": {1, 2, 3, 5, 4},
	"cudaGraphAddMemcpyNode1D": {5, 6, 7, 8, 0},
	"cudaMemcpy2D":             {1, 3, 0, 7, 0}, "cudaMemcpy2DAsync": {1, 3, 0, 7, 0},
	"cuMemcpyHtoD": {1, 2, 3, 0, 0}, "cuMemcpyHtoD_v2": {1, 2, 3, 0, 0}, "cuMemcpyDtoH": {1, 2, 3, 0, 0}, "cuMemcpyDtoH_v2": {1, 2, 3, 0, 0},
	"cuMemcpyDtoD": {1, 2, 3, 0, 0}, "cuMemcpyDtoD_v2": {1, 2, 3, 0, 0}, "cuMemsetD8": {1, 0, 3, 0, 0}, "cuMemsetD8_v2": {1, 0, 3, 0, 0},
}

// directions are the directions of a copy, the likeliest first.
var directions = []string{"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice", "cudaMemcpyHostToHost", "cudaMemcpyDefault"}

// RepairTransfer repairs a copy or fill that CUDA refuses: its direction, its arguments, its size, or when it is made.
func RepairTransfer(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, all := p.InLine(f.Primary.Loc.Pos)
	var out []*code.Patch
	for _, s := range all {
		for _, call := range code.Calling(s.Node, func(name string) bool { _, ok := Transfers[name]; return ok }) {
			t := &transferCall{Transfers[code.Callee(call)], fn, s, call}
			if len(call.Inner) <= max(t.to, t.from, t.size) {
				continue
			}
			switch f.Repair.Kind {
			case "direction":
				out = slices.Concat(out, t.pointers(), t.directions(), t.shorter())
			case "copy-less", "check-size":
				sure, perhaps := t.enlarged()
				if len(sure) > 0 { // to transfer less would keep the mistake
					out = slices.Concat(out, sure, enlargeAll(fn))
					continue
				}
				out = slices.Concat(out, t.shorter(), t.pointers(), perhaps)
			case "copy-earlier":
				out = append(out, t.earlier()...)
			}
		}
	}
	return code.Distinct(out)
}

// transferCall is a call in a statement of a function.
type transferCall struct {
	transfer
	fn   *code.Function
	s    *code.Statement
	call *syntax.Node
}

// pointers passes a pointer where its address is passed.
func (t *transferCall) pointers() (out []*code.Patch) {
	for _, i := range []int{t.to, t.from} {
		n := code.Uncast(t.call.Child(i))
		if i == 0 || n == nil || n.Kind != "UnaryOperator" || n.Opcode != "&" || !code.IsPointer(n.Child(0)) {
			continue
		}
		out = append(out, code.Rewrite(t.s, n, t.s.Argument(n.Child(0))))
	}
	return code.Distinct(out)
}

// directions changes the direction of a copy, or exchanges the destination and the source.
func (t *transferCall) directions() []*code.Patch {
	s, kind := t.s, t.call.Child(t.kind)
	if t.kind == 0 || kind == nil || kind.Kind == "CXXDefaultArgExpr" {
		return nil
	}
	var out []*code.Patch
	for _, d := range directions {
		if own := code.Stripped(kind); own.Ref == nil || own.Ref.Name != d {
			out = append(out, code.Rewrite(s, own, d))
		}
	}
	to, from := t.call.Child(t.to), t.call.Child(t.from)
	if a, b := code.Rewrite(s, to, s.Argument(from)), code.Rewrite(s, from, s.Argument(to)); a != nil && b != nil {
		edits := slices.Concat(a.Edits, b.Edits)
		swap := &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("exchange the destination and the source of the copy in line %d", s.File.Line(s.From))}
		out = slices.Insert(out, min(1, len(out)), swap)
	}
	return out
}

// capacity is a size of what an argument points to, and where the size stands that an allocation is given.
type capacity struct {
	// text is the size in bytes.
	text string
	// owner and size are the statement that allocates it and the size in it, nil for arrays.
	owner *code.Statement
	size  *syntax.Node
	// element is what the pointer points to.
	element string
}

// capacities are the sizes of what an argument of the call points to, as the function shows them.
func (t *transferCall) capacities(n *syntax.Node) (out []capacity) {
	s, at := t.s, ""
	n = code.Uncast(n)
	if index := guard.Offset(n); index != nil {
		for _, side := range n.Inner {
			if side != index {
				n, at = code.Uncast(side), s.Argument(index)
			}
		}
	} else if n != nil && n.Kind == "UnaryOperator" && n.Opcode == "&" {
		if i := guard.IndexOf(code.Stripped(n.Child(0))); i != nil {
			n, at = code.Uncast(code.Stripped(n.Child(0)).Child(0)), s.Argument(i)
		}
	}
	name := s.Argument(n)
	if name == "" || n.Kind != "DeclRefExpr" && n.Kind != "MemberExpr" {
		if n != nil && n.Kind == "UnaryOperator" && n.Opcode == "&" && s.Argument(n.Child(0)) != "" { // one object
			return []capacity{{text: "sizeof(" + s.Argument(n.Child(0)) + ")"}}
		}
		return nil
	}
	less := ""
	if at != "" {
		less = " - " + code.Factor(at) + " * sizeof(*" + name + ")"
	}
	if m := code.Extents.FindStringSubmatch(n.Desugared); m != nil && m[2] != "" {
		return []capacity{{text: "sizeof(" + name + ")" + less}}
	}
	eachAllocating(t.fn, name, func(owner *code.Statement, call *syntax.Node) {
		i := allocates[code.Callee(call)].size
		size := call.Child(i)
		if i == 0 || size == nil {
			return
		}
		if text := owner.Argument(size); text != "" {
			if less != "" {
				text = code.Factor(text)
			}
			out = append(out, capacity{text + less, owner, size, strings.TrimSpace(strings.TrimSuffix(n.Desugared, "*"))})
		}
	})
	return out
}

// allocator says which arguments of a call are the place of the pointer (0 where it returns that) and the size, what frees
// the memory, and which argument, if any, is the stream that the latter takes as well.
type allocator struct {
	pointer, size int
	free          string
	stream        int
}

// allocates are the calls that allocate memory, each with what frees it.
var allocates = map[string]allocator{
	"cudaMalloc": {1, 2, "cudaFree(%s)", 0}, "cudaMallocManaged": {1, 2, "cudaFree(%s)", 0},
	"cudaMallocAsync": {1, 2, "cudaFreeAsync(%s, %s)", 3}, "cudaMallocFromPoolAsync": {1, 2, "cudaFreeAsync(%s, %s)", 4},
	"cudaMallocHost": {1, 2, "cudaFreeHost(%s)", 0}, "cudaHostAlloc": {1, 2, "cudaFreeHost(%s)", 0},
	"cudaMallocPitch": {1, 0, "cudaFree(%s)", 0}, "cudaMalloc3D": {1, 0, "cudaFree(%s.ptr)", 0},
	"cudaMallocArray": {1, 0, "cudaFreeArray(%s)", 0}, "cudaMalloc3DArray": {1, 0, "cudaFreeArray(%s)", 0},
	"cuMemAlloc": {1, 2, "cuMemFree(%s)", 0}, "cuMemAlloc_v2": {1, 2, "cuMemFree(%s)", 0},
	"cuMemAllocManaged": {1, 2, "cuMemFree(%s)", 0}, "cuMemAllocHost_v2": {1, 2, "cuMemFreeHost(%s)", 0}, "cuMemHostAlloc": {1, 2, "cuMemFreeHost(%s)", 0},
	"malloc": {0, 1, "free(%s)", 0}, "aligned_alloc": {0, 2, "free(%s)", 0},
}

// eachAllocating visits the calls of a function that allocate what an expression of a text points to.
func eachAllocating(fn *code.Function, pointer string, visit func(*code.Statement, *syntax.Node)) {
	var each func(s *code.Statement)
	each = func(s *code.Statement) {
		if len(s.Inner) > 0 {
			for _, in := range s.Inner {
				each(in)
			}
			return
		}
		eachAllocation(s, s.Node, "", func(text string, call *syntax.Node) {
			if text == pointer {
				visit(s, call)
			}
		})
	}
	each(fn.Body)
}

// eachAllocation visits the calls in an expression that allocate, with the text of the pointer that they set. to is
// what the value of the expression is assigned to.
func eachAllocation(s *code.Statement, n *syntax.Node, to string, visit func(pointer string, call *syntax.Node)) {
	if n == nil {
		return
	}
	if a, ok := allocates[code.Callee(n)]; ok && n.Kind == "CallExpr" && len(n.Inner) > max(a.pointer, a.size) {
		text := to
		if a.pointer > 0 {
			text = hostCall{s}.pointee(n.Child(a.pointer))
		}
		if text != "" {
			visit(text, n)
		}
		return
	}
	for i, c := range n.Inner {
		inner := ""
		switch {
		case n.Kind == "VarDecl":
			inner = n.Name
		case n.Kind == "BinaryOperator" && n.Opcode == "=" && i == 1:
			inner = s.Argument(n.Child(0))
		case strings.HasSuffix(n.Kind, "CastExpr") || n.Kind == "ParenExpr" || n.Kind == "ExprWithCleanups":
			inner = to
		}
		eachAllocation(s, c, inner, visit)
	}
}

// rows are the arguments of a copy in two dimensions, counted from 1: the destination and the source with their pitches, the width
// and the number of rows (CUDA Runtime API, "cudaMemcpy2D").
var rows = struct{ to, toPitch, from, fromPitch, width, height int }{1, 2, 3, 4, 5, 6}

// fewerRows copies as many rows as both sides have.
func (t *transferCall) fewerRows() (out []*code.Patch) {
	if name := code.Callee(t.call); name != "cudaMemcpy2D" && name != "cudaMemcpy2DAsync" {
		return nil
	}
	height := t.call.Child(rows.height)
	for _, side := range [][2]int{{rows.to, rows.toPitch}, {rows.from, rows.fromPitch}} {
		pitch := t.s.Argument(t.call.Child(side[1]))
		for _, c := range t.capacities(t.call.Child(side[0])) {
			if pitch != "" {
				out = append(out, code.Rewrite(t.s, height, code.Factor(c.text)+" / "+code.Factor(pitch)))
			}
		}
		eachAllocating(t.fn, t.s.Argument(code.Uncast(t.call.Child(side[0]))), func(owner *code.Statement, call *syntax.Node) {
			if code.Callee(call) == "cudaMallocPitch" && len(call.Inner) > 4 {
				out = append(out, code.Rewrite(t.s, height, owner.Argument(call.Child(4))))
			}
		})
	}
	return code.Distinct(out)
}

// shorter transfers as many bytes as one side has.
func (t *transferCall) shorter() (out []*code.Patch) {
	if t.size == 0 {
		return t.fewerRows()
	}
	for _, i := range []int{t.to, t.from} {
		if i == 0 {
			continue
		}
		for _, c := range t.capacities(t.call.Child(i)) {
			text := c.text
			if at := t.call.Child(t.offset); t.offset > 0 && at != nil && at.Kind != "CXXDefaultArgExpr" {
				text += " - " + code.Factor(t.s.Argument(at))
			}
			out = append(out, code.Rewrite(t.s, t.call.Child(t.size), text))
		}
	}
	return code.Distinct(out)
}

// enlarged allocates as many elements as are transferred, where that has a sizeof in its size, and the allocation has none.
// It is sure if the size of the allocation is a factor of that of the transfer.
func (t *transferCall) enlarged() (sure, perhaps []*code.Patch) {
	if t.size == 0 || !hasSizeof(t.fn, t.call.Child(t.size)) {
		return nil, nil
	}
	for _, i := range []int{t.to, t.from} {
		if i == 0 {
			continue
		}
		for _, c := range t.capacities(t.call.Child(i)) {
			if patch := c.inElements(t.fn); patch != nil && slices.Contains(productFactors(t.fn, t.s, t.call.Child(t.size)), c.owner.Argument(c.size)) {
				patch.Sure = true
				sure = append(sure, patch)
			} else {
				perhaps = append(perhaps, patch)
			}
		}
	}
	return sure, perhaps
}

// enlargeAll gives all allocations of a function a sizeof that enlarged gives one: a program that forgets it in one often does in each.
func enlargeAll(fn *code.Function) []*code.Patch {
	var all []*code.Patch
	fn.Each(func(s *code.Statement) {
		for _, call := range code.Calling(s.Node, func(name string) bool { return Transfers[name].size > 0 }) {
			t := &transferCall{Transfers[code.Callee(call)], fn, s, call}
			if len(call.Inner) > max(t.to, t.from, t.size) {
				sure, _ := t.enlarged()
				all = append(all, sure...)
			}
		}
	})
	if all = code.Distinct(all); len(all) < 2 {
		return nil
	}
	joined := all[0]
	for _, patch := range all[1:] {
		joined = code.Join(joined, patch)
	}
	joined.Sure = true
	return []*code.Patch{joined}
}

// productFactors are the texts of the factors of a product at a statement, or of what initializes the variable that it is.
func productFactors(fn *code.Function, s *code.Statement, n *syntax.Node) []string {
	n = code.Uncast(n)
	switch {
	case n == nil:
		return nil
	case n.Kind == "BinaryOperator" && n.Opcode == "*":
		return append(productFactors(fn, s, n.Child(0)), productFactors(fn, s, n.Child(1))...)
	case n.Ref != nil && n.Ref.Kind == "VarDecl":
		if d, v := fn.Body.Declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID {
			for _, c := range v.Inner {
				if c != nil && hasSizeof(fn, c) {
					return productFactors(fn, d, c)
				}
			}
		}
	}
	return []string{s.Argument(n)}
}

// inElements gives an allocation as many bytes as its elements have, if no sizeof is in its size. It is nil for others.
func (c *capacity) inElements(fn *code.Function) *code.Patch {
	if c.owner == nil || c.element == "" || c.element == "void" || strings.HasSuffix(c.element, "char") || c.element == "bool" || hasSizeof(fn, c.size) {
		return nil
	}
	return code.Rewrite(c.owner, c.size, code.Factor(c.owner.Argument(c.size))+" * sizeof("+c.element+")")
}

// hasSizeof reports whether a sizeof is in an expression, or in what initializes a variable in it.
func hasSizeof(fn *code.Function, n *syntax.Node) bool {
	if n == nil {
		return false
	}
	inside := func(c *syntax.Node) bool { return hasSizeof(fn, c) }
	if n.Ref != nil && n.Ref.Kind == "VarDecl" {
		if _, v := fn.Body.Declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID && slices.ContainsFunc(v.Inner, inside) {
			return true
		}
	}
	return n.Kind == "UnaryExprOrTypeTraitExpr" || slices.ContainsFunc(n.Inner, inside)
}

// earlier moves the calls that free what is transferred behind the transfer.
func (t *transferCall) earlier() (out []*code.Patch) {
	at := t.s.Written()
	for _, i := range []int{t.to, t.from} {
		pointer := t.s.Argument(code.Uncast(t.call.Child(i)))
		if i == 0 || pointer == "" {
			continue
		}
		for _, free := range freesIn(t.fn, pointer) {
			if free.From < at.From {
				out = append(out, moveBehindLaunch(free, at, pointer))
			}
		}
	}
	return code.Distinct(out)
}
