package repair

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// sized gives a kernel the number of elements of an array that it accesses as a parameter, where it has none that a
// condition could name: each launch passes the number that the array was allocated for.
func sized(p *Program, f *finding.Finding) []*Patch {
	fn, s, off := p.place(f.Primary.Loc.Pos)
	if s == nil || s.isList() || s.outer == nil || !fn.node.Has("CUDAGlobalAttr") || f.Range.Lo < 0 {
		return nil
	}
	var out []*Patch
	for _, a := range s.accesses(off) {
		array := uncast(a.subscript.Child(0))
		at := slices.IndexFunc(fn.pointers(), func(v *syntax.Node) bool { return array != nil && array.Ref != nil && v.ID == array.Ref.ID })
		index := s.compared(a.index)
		if at < 0 || index == "" || effects(a.index) || stripped(a.index).Kind == "IntegerLiteral" {
			continue
		}
		name := s.unused("count_" + array.Ref.Name)
		edits := counted(p, fn, f.KernelName, array.Ref.ID, name)
		if edits == nil {
			continue
		}
		g := guard{condition: index + " < " + name, at: f.Primary.Loc.Pos, s: s}
		first, second := g.statement(), g.read(a)
		if a.choice != nil || s.calls(s.node) {
			first, second = second, first
		}
		for _, patch := range []*Patch{first, second} {
			if patch == nil {
				continue
			}
			patch.Edits, patch.Inline = slices.Concat(edits, patch.Edits), slices.Concat(edits, patch.Inline)
			patch.What += fmt.Sprintf(", with %s as a new parameter", name)
			out = append(out, patch)
		}
	}
	return distinct(out)
}

// tellsAnySize reports whether a launch of a kernel passes something of which the size of one of its arrays is made: a condition
// on what the kernel has is tried before a new parameter, also if it is the size of another array with the same index.
func (p *Program) tellsAnySize(f *finding.Finding) bool {
	kernel, s, _ := p.place(f.Primary.Loc.Pos)
	if s == nil {
		return false
	}
	told, sizes := map[string]bool{}, map[string]bool{}
	for at, v := range kernel.parametersOf() {
		if isPointer(v) {
			p.launchesPass(f.KernelName, at, told, sizes)
		}
	}
	return meet(told, sizes) || productIn(numbersIn(told), numbersIn(sizes))
}

// numbersIn are the numbers among words.
func numbersIn(words map[string]bool) (out []int) {
	for w := range words {
		if n, err := strconv.Atoi(w); err == nil && n > 1 {
			out = append(out, n)
		}
	}
	return out
}

// productIn reports whether a number is the product of two or three others, as rows and columns.
func productIn(factors, numbers []int) bool {
	for _, a := range factors {
		for _, b := range factors {
			if slices.Contains(numbers, a*b) || slices.ContainsFunc(factors, func(c int) bool { return slices.Contains(numbers, a*b*c) }) {
				return true
			}
		}
	}
	return false
}

// launchesPass adds the words in the arguments of all launches of a kernel, and in the sizes of what one of them points to.
func (p *Program) launchesPass(kernel string, at int, told, sizes map[string]bool) {
	for _, fn := range p.functions {
		for _, l := range fn.launches(kernel) {
			for _, call := range launchCalls(l.node) {
				if at >= 0 && len(call.Inner) > 2+at {
					fn.passed(l, call.Inner[2:], at, told, sizes)
				}
			}
		}
	}
}

func meet(a, b map[string]bool) bool {
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}

// tellsSize reports whether a kernel may know how many elements the arrays have that a statement accesses: a launch passes something of
// which the size is made, or one of the conditions names it. known is set if the size shows.
func (p *Program) tellsSize(f *finding.Finding, conditions []*Patch) (tells, known bool) {
	kernel, s, off := p.place(f.Primary.Loc.Pos)
	if s == nil {
		return false, false
	}
	told, sizes := map[string]bool{}, map[string]bool{}
	for _, c := range conditions {
		(&function{body: kernel.body}).words(c.Condition, told)
	}
	for _, a := range s.accesses(off) {
		array := uncast(a.subscript.Child(0))
		at := slices.IndexFunc(kernel.parametersOf(), func(v *syntax.Node) bool { return array != nil && array.Ref != nil && v.ID == array.Ref.ID })
		p.launchesPass(f.KernelName, at, told, sizes)
	}
	return meet(told, sizes), len(sizes) > 0
}

// passed adds the words in the arguments of a launch, and in the sizes of the allocations of one of them.
func (fn *function) passed(l *statement, arguments []*syntax.Node, at int, told, sizes map[string]bool) {
	fn.allocating(l.argument(uncast(arguments[at])), func(owner *statement, call *syntax.Node) {
		if i := allocates[callee(call)].size; i > 0 {
			fn.words(owner.argument(call.Child(i)), sizes)
		}
	})
	for i, given := range arguments {
		if i != at && !isPointer(given) {
			fn.words(l.argument(uncast(given)), told)
		}
	}
}

// words adds the words of an expression, and those of what initializes the variables in it and of the extents of arrays.
func (fn *function) words(text string, to map[string]bool) {
	for _, w := range operandWords.FindAllString(text, -1) {
		if to[w] || w == "sizeof" || arithmetic[w] {
			continue
		}
		to[w] = true
		if d, v := fn.body.declaration(w); v != nil {
			if from, end := d.extent(v); from < end {
				fn.words(string(d.file.Text[from:end]), to)
			}
			for _, c := range v.Inner {
				if c != nil && isExpression(c) {
					fn.words(d.text(c), to)
				}
			}
		}
	}
}

// operandWords matches the names and the numbers in an expression.
var operandWords = regexp.MustCompile(`\w+`)

// parametersOf are the parameters of a function.
func (fn *function) parametersOf() (out []*syntax.Node) {
	for _, c := range fn.node.Inner {
		if c != nil && c.Kind == "ParmVarDecl" {
			out = append(out, c)
		}
	}
	return out
}

// pointers are the parameters of a function that are pointers.
func (fn *function) pointers() (out []*syntax.Node) {
	for _, c := range fn.node.Inner {
		if c != nil && c.Kind == "ParmVarDecl" && isPointer(c) {
			out = append(out, c)
		}
	}
	return out
}

// counted are the edits that give a kernel the number of elements of one of its arrays: the parameter, and what each launch passes.
// There are none where the kernel is named elsewhere than in launches, or the array's size does not show at one of them.
func counted(p *Program, kernel *function, name, array, parameter string) []Edit {
	var all []*syntax.Node
	for _, c := range kernel.node.Inner {
		if c != nil && c.Kind == "ParmVarDecl" {
			all = append(all, c)
		}
	}
	at := slices.IndexFunc(all, func(v *syntax.Node) bool { return v.ID == array })
	last := all[len(all)-1]
	if at < 0 || last.End.Macro || p.file(last.End.File) != kernel.file || kernel.body.from < last.End.End() {
		return nil
	}
	edits := []Edit{{kernel.file.Name, last.End.End(), last.End.End(), ", size_t " + parameter}}
	named, launched := 0, 0
	for _, fn := range p.functions {
		named += namings(fn.node, kernel.node.Name)
		for _, l := range fn.launches(name) {
			for _, call := range launchCalls(l.node) {
				launched++
				if len(call.Inner) != 2+len(all) || call.End.Macro || call.Begin.Macro {
					return nil
				}
				count := fn.elements(l.text(uncast(call.Child(2 + at))))
				if count == "" {
					return nil
				}
				edits = append(edits, Edit{fn.file.Name, call.End.End() - 1, call.End.End() - 1, ", " + count})
			}
		}
	}
	if launched == 0 || named != launched {
		return nil
	}
	return edits
}

// namings counts where an expression names a function.
func namings(n *syntax.Node, name string) (count int) {
	if n == nil {
		return 0
	}
	if n.Kind == "DeclRefExpr" && n.Ref != nil && n.Ref.Kind == "FunctionDecl" && n.Ref.Name == name {
		count++
	}
	for _, c := range n.Inner {
		count += namings(c, name)
	}
	return count
}

// elements is how many elements a pointer of a text points to, as a function allocates them once; "" where that does not show.
func (fn *function) elements(pointer string) (count string) {
	if pointer == "" {
		return ""
	}
	n := 0
	fn.allocating(pointer, func(owner *statement, call *syntax.Node) {
		n++
		i := allocates[callee(call)].size
		size := call.Child(i)
		if i == 0 || size == nil {
			return
		}
		inner := uncast(size)
		if inner.Kind == "BinaryOperator" && inner.Opcode == "*" {
			for k := range 2 {
				if uncast(inner.Child(k)).Kind == "UnaryExprOrTypeTraitExpr" {
					count = owner.argument(uncast(inner.Child(1 - k)))
					return
				}
			}
		}
		if text := owner.argument(size); text != "" {
			count = factor(text) + " / sizeof(*" + pointer + ")"
		}
	})
	if n != 1 {
		return ""
	}
	return count
}
