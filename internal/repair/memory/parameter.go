package memory

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
)

// PassSize gives a kernel the number of elements of an array that it accesses as a parameter, where it has none that a
// condition could name: each launch passes the number that the array was allocated for.
func PassSize(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, s, off := p.Place(f.Primary.Loc.Pos)
	if s == nil || s.IsList() || s.Outer == nil || !fn.Node.Has("CUDAGlobalAttr") || f.Range.Lo < 0 {
		return nil
	}
	var out []*code.Patch
	for _, a := range guard.AccessesIn(s, off) {
		array := code.Uncast(a.Subscript.Child(0))
		at := slices.IndexFunc(pointersOf(fn), func(v *syntax.Node) bool { return array != nil && array.Ref != nil && v.ID == array.Ref.ID })
		index := guard.ComparedElsewhere(s, a.Index)
		if at < 0 || index == "" || code.Effects(a.Index) || code.Stripped(a.Index).Kind == "IntegerLiteral" {
			continue
		}
		name := s.Unused("count_" + array.Ref.Name)
		edits := counted(p, fn, f.KernelName, array.Ref.ID, name)
		if edits == nil {
			continue
		}
		g := guard.Guard{Condition: index + " < " + name, At: f.Primary.Loc.Pos, S: s}
		first, second := g.Statement(), g.Read(a)
		if a.Choice != nil || code.HasCall(s.Node) {
			first, second = second, first
		}
		for _, patch := range []*code.Patch{first, second} {
			if patch == nil {
				continue
			}
			patch.Edits, patch.Inline = slices.Concat(edits, patch.Edits), slices.Concat(edits, patch.Inline)
			patch.What += fmt.Sprintf(", with %s as a new parameter", name)
			out = append(out, patch)
		}
	}
	return code.Distinct(out)
}

// HasAnySize reports whether a launch of a kernel passes something of which the size of one of its arrays is made: a condition
// on what the kernel has is tried before a new parameter, also if it is the size of another array with the same index.
func HasAnySize(p *code.Program, f *finding.Finding) bool {
	kernel, s, _ := p.Place(f.Primary.Loc.Pos)
	if s == nil {
		return false
	}
	told, sizes := map[string]bool{}, map[string]bool{}
	for at, v := range parametersOfKernel(kernel) {
		if code.IsPointer(v) {
			addLaunchWords(p, f.KernelName, at, told, sizes)
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

// addLaunchWords adds the words in the arguments of all launches of a kernel, and in the sizes of what one of them points to.
func addLaunchWords(p *code.Program, kernel string, at int, told, sizes map[string]bool) {
	for _, fn := range p.Functions {
		for _, l := range code.LaunchesIn(fn, kernel) {
			for _, call := range code.LaunchCalls(l.Node) {
				if at >= 0 && len(call.Inner) > 2+at {
					addPassedWords(fn, l, call.Inner[2:], at, told, sizes)
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

// HasSize reports whether a kernel may know how many elements the arrays have that a statement accesses: a launch passes something of
// which the size is made, or one of the conditions names it. known is set if the size shows.
func HasSize(p *code.Program, f *finding.Finding, conditions []*code.Patch) (tells, known bool) {
	kernel, s, off := p.Place(f.Primary.Loc.Pos)
	if s == nil {
		return false, false
	}
	told, sizes := map[string]bool{}, map[string]bool{}
	for _, c := range conditions {
		addWords((&code.Function{Body: kernel.Body}), c.Condition, told)
	}
	for _, a := range guard.AccessesIn(s, off) {
		array := code.Uncast(a.Subscript.Child(0))
		at := slices.IndexFunc(parametersOfKernel(kernel), func(v *syntax.Node) bool { return array != nil && array.Ref != nil && v.ID == array.Ref.ID })
		addLaunchWords(p, f.KernelName, at, told, sizes)
	}
	return meet(told, sizes), len(sizes) > 0
}

// addPassedWords adds the words in the arguments of a launch, and in the sizes of the allocations of one of them.
func addPassedWords(fn *code.Function, l *code.Statement, arguments []*syntax.Node, at int, told, sizes map[string]bool) {
	eachAllocating(fn, l.Argument(code.Uncast(arguments[at])), func(owner *code.Statement, call *syntax.Node) {
		if i := allocates[code.Callee(call)].size; i > 0 {
			addWords(fn, owner.Argument(call.Child(i)), sizes)
		}
	})
	for i, given := range arguments {
		if i != at && !code.IsPointer(given) {
			addWords(fn, l.Argument(code.Uncast(given)), told)
		}
	}
}

// addWords adds the words of an expression, and those of what initializes the variables in it and of the extents of arrays.
func addWords(fn *code.Function, text string, to map[string]bool) {
	for _, w := range code.OperandWords.FindAllString(text, -1) {
		if to[w] || w == "sizeof" || code.Arithmetic[w] {
			continue
		}
		to[w] = true
		if d, v := fn.Body.Declaration(w); v != nil {
			if from, end := ExtentAt(d, v); from < end {
				addWords(fn, string(d.File.Text[from:end]), to)
			}
			for _, c := range v.Inner {
				if c != nil && code.IsExpression(c) {
					addWords(fn, d.Text(c), to)
				}
			}
		}
	}
}

// parametersOfKernel are the parameters of a function.
func parametersOfKernel(fn *code.Function) (out []*syntax.Node) {
	for _, c := range fn.Node.Inner {
		if c != nil && c.Kind == "ParmVarDecl" {
			out = append(out, c)
		}
	}
	return out
}

// pointersOf are the parameters of a function that are pointers.
func pointersOf(fn *code.Function) (out []*syntax.Node) {
	for _, c := range fn.Node.Inner {
		if c != nil && c.Kind == "ParmVarDecl" && code.IsPointer(c) {
			out = append(out, c)
		}
	}
	return out
}

// counted are the edits that give a kernel the number of elements of one of its arrays: the parameter, and what each launch passes.
// There are none where the kernel is named elsewhere than in launches, or the array's size does not show at one of them.
func counted(p *code.Program, kernel *code.Function, name, array, parameter string) []code.Edit {
	var all []*syntax.Node
	for _, c := range kernel.Node.Inner {
		if c != nil && c.Kind == "ParmVarDecl" {
			all = append(all, c)
		}
	}
	at := slices.IndexFunc(all, func(v *syntax.Node) bool { return v.ID == array })
	last := all[len(all)-1]
	if at < 0 || last.End.Macro || p.File(last.End.File) != kernel.File || kernel.Body.From < last.End.End() {
		return nil
	}
	edits := []code.Edit{kernel.File.Replace(last.End.End(), last.End.End(), ", size_t "+parameter)}
	named, launched := 0, 0
	for _, fn := range p.Functions {
		named += namings(fn.Node, kernel.Node.Name)
		for _, l := range code.LaunchesIn(fn, name) {
			for _, call := range code.LaunchCalls(l.Node) {
				launched++
				if len(call.Inner) != 2+len(all) || call.End.Macro || call.Begin.Macro {
					return nil
				}
				count := elementsOf(fn, l.Text(code.Uncast(call.Child(2+at))))
				if count == "" {
					return nil
				}
				edits = append(edits, fn.File.Replace(call.End.End()-1, call.End.End()-1, ", "+count))
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

// elementsOf is how many elements a pointer of a text points to, as a function allocates them once; "" where that does not show.
func elementsOf(fn *code.Function, pointer string) (count string) {
	if pointer == "" {
		return ""
	}
	n := 0
	eachAllocating(fn, pointer, func(owner *code.Statement, call *syntax.Node) {
		n++
		i := allocates[code.Callee(call)].size
		size := call.Child(i)
		if i == 0 || size == nil {
			return
		}
		inner := code.Uncast(size)
		if inner.Kind == "BinaryOperator" && inner.Opcode == "*" {
			for k := range 2 {
				if code.Uncast(inner.Child(k)).Kind == "UnaryExprOrTypeTraitExpr" {
					count = owner.Argument(code.Uncast(inner.Child(1 - k)))
					return
				}
			}
		}
		if text := owner.Argument(size); text != "" {
			count = code.Factor(text) + " / sizeof(*" + pointer + ")"
		}
	})
	if n != 1 {
		return ""
	}
	return count
}
