package guard

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// afterConditions is after how many conditions of single accesses those of all accesses together are tried.
const afterConditions = 4

// IndexOf is the index of an access: of a[i], *(a + i), and v[i] of a class. It is nil for what is none.
func IndexOf(n *syntax.Node) *syntax.Node {
	switch n.Kind {
	case "ArraySubscriptExpr":
		return n.Child(1) // clang puts the array first, also for i[a]
	case "CXXOperatorCallExpr":
		if i := n.Child(2); len(n.Inner) == 3 && code.Callee(n) == "operator[]" && code.Whole[i.Desugared] {
			return i
		}
	case "UnaryOperator":
		if sum := code.Stripped(n.Child(0)); n.Opcode == "*" {
			return Offset(sum)
		}
	case "BinaryOperator":
		return Offset(n)
	}
	return nil
}

// Offset is what is added to a pointer, nil where nothing is.
func Offset(n *syntax.Node) *syntax.Node {
	if n == nil || n.Kind != "BinaryOperator" || n.Opcode != "+" || !strings.HasSuffix(n.Desugared, "*") {
		return nil
	}
	for _, side := range n.Inner {
		if code.Whole[side.Desugared] {
			return side
		}
	}
	return nil
}

// passedNumbers are the whole numbers, and the offsets of pointers, that are arguments of calls in an expression: what the
// function may have as an index.
func passedNumbers(s *code.Statement, n *syntax.Node) (out []Access) {
	if n == nil {
		return nil
	}
	if n.Kind == "CallExpr" || n.Kind == "CXXMemberCallExpr" {
		for _, a := range n.Inner[1:] {
			if sum := Offset(code.Stripped(a)); sum != nil {
				a = sum
			}
			if code.Whole[a.Desugared] && len(code.Variables(a)) > 0 {
				out = append(out, Access{Subscript: a, Index: a})
			}
		}
	}
	for _, c := range n.Inner {
		if !s.IsInner(c) {
			out = append(out, passedNumbers(s, c)...)
		}
	}
	return out
}

// lowerBounds are the conditions that keep an index from being less than zero: what is subtracted is at most as large as
// what it is subtracted from, and neither the row nor the column is negative.
func lowerBounds(s *code.Statement, index *syntax.Node, whole string, c *conditions) {
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n = code.Stripped(n); n == nil || n.Kind != "BinaryOperator" {
			return
		}
		l, r := code.Stripped(n.Child(0)), code.Stripped(n.Child(1))
		switch n.Opcode {
		case "-":
			a, b := ComparedElsewhere(s, n.Child(0)), ComparedElsewhere(s, n.Child(1))
			if a != "" && b != "" {
				c.add(a + " >= " + b)
				if all := code.Terms(l); len(all) > 1 { // or one of several that are added
					for _, t := range all {
						if a := ComparedElsewhere(s, t); a != "" && t.Kind == "DeclRefExpr" {
							c.add(a + " >= " + b)
						}
					}
				}
			}
		case "*":
			for _, factor := range []*syntax.Node{l, r} {
				if text := ComparedElsewhere(s, factor); text != "" && signed[factor.Desugared] && len(code.Variables(factor)) > 0 {
					c.add(text + " >= 0")
				}
			}
		}
		visit(l)
		visit(r)
	}
	visit(index)
	if inner := code.Stripped(index); signed[inner.Desugared] {
		c.add(whole + " >= 0")
		for _, t := range code.Terms(inner) {
			if text := ComparedElsewhere(s, t); text != "" && signed[t.Desugared] && len(code.Variables(t)) > 0 {
				c.add(text + " >= 0")
			}
		}
	}
}

// signed are the types of indices that can be less than zero.
var signed = map[string]bool{"int": true, "const int": true, "long": true, "const long": true, "long long": true, "const long long": true}

// tightenComparison lets a comparison around a statement, of an index in it or a variable of that, leave out one value more:
// "i < n" for "i <= n" and for "i < n + 1", "i > 0" for "i >= 0".
func tightenComparison(s *code.Statement, at source.Pos, list []Access, below bool) (out []*code.Patch) {
	ids := map[string]bool{}
	for _, a := range list {
		for _, v := range code.Variables(a.Index) {
			ids[v.Ref.ID] = true
		}
	}
	var visit func(o *code.Statement, n *syntax.Node, not bool)
	visit = func(o *code.Statement, n *syntax.Node, not bool) {
		if n = code.Stripped(n); n == nil || n.Kind != "BinaryOperator" {
			return
		}
		l, r := n.Child(0), n.Child(1)
		if n.Opcode == "&&" || n.Opcode == "||" {
			visit(o, l, not)
			visit(o, r, not)
			return
		}
		left, right := code.Mentions(l, ids), code.Mentions(r, ids)
		if left == right {
			return
		}
		large := strings.HasPrefix(n.Opcode, "<") == left // the index has an upper limit
		if not {
			large = !large
		}
		if large == below || inverses[n.Opcode] == "" {
			return
		}
		limit := r
		if right {
			limit = l
		}
		if strict, ok := stricter[n.Opcode]; ok != not {
			if not {
				strict = n.Opcode + "=" // fewer are left out by a return for i > n
			}
			if from := code.OperatorAt(s.File, n); from > 0 {
				out = append(out, code.ChangeComparison(s.File, at, n, s.File.Replace(from, from+len(n.Opcode), strict)))
			}
		}
		if sum := code.Stripped(limit); sum.Kind == "BinaryOperator" && sum.Opcode == map[bool]string{true: "-", false: "+"}[below] && code.Stripped(sum.Child(1)).Kind == "IntegerLiteral" {
			if from, to := sum.Child(0).End.End(), sum.End.End(); !sum.Child(0).End.Macro && !sum.End.Macro && from < to {
				out = append(out, code.ChangeComparison(s.File, at, n, s.File.Replace(from, to, "")))
			}
		}
	}
	for o := s; o.Outer != nil; o = o.Outer {
		switch outer := o.Outer; {
		case outer.Node.Kind == "IfStmt" || outer.Node.Kind == "WhileStmt" || outer.Node.Kind == "ForStmt":
			for _, n := range outer.Node.Inner {
				if n != nil && !outer.IsInner(n) {
					visit(outer, n, false)
				}
			}
		case outer.IsList():
			for _, in := range outer.Inner {
				if in.To <= s.From && in.Node.Kind == "IfStmt" && !in.Node.Else && len(in.Inner) == 1 && onlyLeaves(in.Inner[0]) {
					visit(in, in.Node.Child(0), true)
				}
			}
		}
	}
	return out
}

// stricter are the comparisons that leave out one value more.
var stricter = map[string]string{"<=": "<", ">=": ">"}

// onlyLeaves reports whether a statement does nothing but to leave what it is in.
func onlyLeaves(s *code.Statement) bool {
	return code.Leaves(s) || s.IsList() && len(s.Inner) == 1 && code.Leaves(s.Inner[0])
}

// conjoin are conditions for all accesses of a statement together, the likeliest first, where more than one depends on
// what places the thread: a column is less than the length of its row, and a row than another bound.
func conjoin(p *code.Program, fn *code.Function, s *code.Statement, list []Access) []string {
	placed, bounds := fn.PlacedAt(s), uniformBounds(fn, s)
	var names []string
	limits := map[string][]string{}
	note := func(n *syntax.Node, is func(bound string) bool) {
		text := ComparedElsewhere(s, n)
		if text == "" || !placed(n) {
			return
		}
		if !slices.Contains(names, text) {
			names = append(names, text)
		}
		for _, b := range bounds {
			if b != text && is(b) && !slices.Contains(limits[text], b) {
				limits[text] = append(limits[text], b)
			}
		}
	}
	for _, a := range list {
		if len(sizes(a.Subscript)) > 0 || code.Effects(a.Index) {
			continue
		}
		row, length, column := matrixParts(s, a.Index, bounds)
		if row == nil {
			note(a.Index, func(string) bool { return true })
			continue
		}
		note(row, func(b string) bool { return b != length })
		if column != nil {
			note(column, func(b string) bool { return b == length })
		}
	}
	if len(names) < 2 || len(names) > 3 {
		return nil
	}
	out := []string{""}
	for _, name := range names {
		var next []string
		for _, so := range out {
			for _, b := range limits[name][:min(2, len(limits[name]))] {
				next = append(next, strings.TrimPrefix(so+" && "+name+" < "+b, " && "))
			}
		}
		out = next
	}
	return out
}

// uniformBounds are the bounds that do not depend on what places the thread.
func uniformBounds(fn *code.Function, s *code.Statement) []string {
	placed, own := fn.PlacedAt(s), map[string]bool{}
	for _, v := range s.Locals() {
		own[v.Name] = slices.ContainsFunc(v.Inner, placed)
	}
	return slices.DeleteFunc(boundsOf(fn, s), func(b string) bool { return own[b] })
}

// matrixParts are the parts of an index that has the form row * length + column, where length is one of some bounds; row is nil for
// others.
func matrixParts(s *code.Statement, index *syntax.Node, bounds []string) (row *syntax.Node, length string, column *syntax.Node) {
	for _, t := range code.Terms(index) {
		if t.Kind == "BinaryOperator" && t.Opcode == "*" && row == nil {
			for i := range 2 {
				if text := s.Text(code.Stripped(t.Child(i))); slices.Contains(bounds, text) {
					row, length = t.Child(1-i), text
				}
			}
			if row != nil {
				continue
			}
		}
		column = t
	}
	if len(code.Terms(index)) != 2 {
		column = nil
	}
	return row, length, column
}

// guardsOf are guards of a statement by conditions.
func guardsOf(at source.Pos, s *code.Statement, conditions []string) (out []*code.Patch) {
	for _, c := range conditions {
		g := Guard{Condition: c, At: at, S: s}
		out = append(out, g.Statement())
	}
	return out
}

// constantsAsLarge are the names of the constants of files that are as large as the number of elements of what a finding
// is about. Where the access is not known, the elements have the size of what was accessed.
func constantsAsLarge(p *code.Program, f *finding.Finding, a Access) (out []string) {
	if f.Object == nil || f.Object.Size == 0 {
		return nil
	}
	size := f.Range.Hi - f.Range.Lo
	if a.Subscript != nil {
		if n := Widths[strings.TrimPrefix(a.Subscript.Desugared, "const ")]; n > 0 {
			size = n
		}
	}
	if size <= 0 || int64(f.Object.Size)%size != 0 {
		return nil
	}
	for _, v := range p.Fixed {
		if n, ok := code.ConstantValue(p, v, 0); ok && n == int64(f.Object.Size)/size && v.Name != "" {
			out = append(out, v.Name)
		}
	}
	return out
}

// Widths are the sizes of types in bytes.
var Widths = map[string]int64{"char": 1, "signed char": 1, "unsigned char": 1, "bool": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned int": 4, "float": 4,
	"long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "double": 8}
