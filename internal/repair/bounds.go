package repair

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// afterConditions is after how many conditions of single accesses those of all accesses together are tried.
const afterConditions = 4

// indexOf is the index of an access: of a[i], *(a + i), and v[i] of a class. It is nil for what is none.
func indexOf(n *syntax.Node) *syntax.Node {
	switch n.Kind {
	case "ArraySubscriptExpr":
		return n.Child(1) // clang puts the array first, also for i[a]
	case "CXXOperatorCallExpr":
		if i := n.Child(2); len(n.Inner) == 3 && callee(n) == "operator[]" && whole[i.Desugared] {
			return i
		}
	case "UnaryOperator":
		if sum := stripped(n.Child(0)); n.Opcode == "*" {
			return offset(sum)
		}
	case "BinaryOperator":
		return offset(n)
	}
	return nil
}

// offset is what is added to a pointer, nil where nothing is.
func offset(n *syntax.Node) *syntax.Node {
	if n == nil || n.Kind != "BinaryOperator" || n.Opcode != "+" || !strings.HasSuffix(n.Desugared, "*") {
		return nil
	}
	for _, side := range n.Inner {
		if whole[side.Desugared] {
			return side
		}
	}
	return nil
}

// passed are the whole numbers, and the offsets of pointers, that are arguments of calls in an expression: what the
// function may have as an index.
func (s *statement) passed(n *syntax.Node) (out []access) {
	if n == nil {
		return nil
	}
	if n.Kind == "CallExpr" || n.Kind == "CXXMemberCallExpr" {
		for _, a := range n.Inner[1:] {
			if sum := offset(stripped(a)); sum != nil {
				a = sum
			}
			if whole[a.Desugared] && len(variables(a)) > 0 {
				out = append(out, access{subscript: a, index: a})
			}
		}
	}
	for _, c := range n.Inner {
		if !s.isInner(c) {
			out = append(out, s.passed(c)...)
		}
	}
	return out
}

// lower are the conditions that keep an index from being less than zero: what is subtracted is at most as large as
// what it is subtracted from, and neither the row nor the column is negative.
func (s *statement) lower(index *syntax.Node, whole string, c *conditions) {
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n = stripped(n); n == nil || n.Kind != "BinaryOperator" {
			return
		}
		l, r := stripped(n.Child(0)), stripped(n.Child(1))
		switch n.Opcode {
		case "-":
			a, b := s.compared(n.Child(0)), s.compared(n.Child(1))
			if a != "" && b != "" {
				c.add(a + " >= " + b)
				if all := terms(l); len(all) > 1 { // or one of several that are added
					for _, t := range all {
						if a := s.compared(t); a != "" && t.Kind == "DeclRefExpr" {
							c.add(a + " >= " + b)
						}
					}
				}
			}
		case "*":
			for _, factor := range []*syntax.Node{l, r} {
				if text := s.compared(factor); text != "" && signed[factor.Desugared] && len(variables(factor)) > 0 {
					c.add(text + " >= 0")
				}
			}
		}
		visit(l)
		visit(r)
	}
	visit(index)
	if inner := stripped(index); signed[inner.Desugared] {
		c.add(whole + " >= 0")
		for _, t := range terms(inner) {
			if text := s.compared(t); text != "" && signed[t.Desugared] && len(variables(t)) > 0 {
				c.add(text + " >= 0")
			}
		}
	}
}

// signed are the types of indices that can be less than zero.
var signed = map[string]bool{"int": true, "const int": true, "long": true, "const long": true, "long long": true, "const long long": true}

// tightened lets a comparison around a statement, of an index in it or a variable of that, leave out one value more:
// "i < n" for "i <= n" and for "i < n + 1", "i > 0" for "i >= 0".
func (s *statement) tightened(at source.Pos, list []access, below bool) (out []*Patch) {
	ids := map[string]bool{}
	for _, a := range list {
		for _, v := range variables(a.index) {
			ids[v.Ref.ID] = true
		}
	}
	var visit func(o *statement, n *syntax.Node, not bool)
	visit = func(o *statement, n *syntax.Node, not bool) {
		if n = stripped(n); n == nil || n.Kind != "BinaryOperator" {
			return
		}
		l, r := n.Child(0), n.Child(1)
		if n.Opcode == "&&" || n.Opcode == "||" {
			visit(o, l, not)
			visit(o, r, not)
			return
		}
		left, right := mentions(l, ids), mentions(r, ids)
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
			if from := s.file.operator(n); from > 0 {
				out = append(out, s.file.compares(at, n, Edit{s.file.Name, from, from + len(n.Opcode), strict}))
			}
		}
		if sum := stripped(limit); sum.Kind == "BinaryOperator" && sum.Opcode == map[bool]string{true: "-", false: "+"}[below] && stripped(sum.Child(1)).Kind == "IntegerLiteral" {
			if from, to := sum.Child(0).End.End(), sum.End.End(); !sum.Child(0).End.Macro && !sum.End.Macro && from < to {
				out = append(out, s.file.compares(at, n, Edit{s.file.Name, from, to, ""}))
			}
		}
	}
	for o := s; o.outer != nil; o = o.outer {
		switch outer := o.outer; {
		case outer.node.Kind == "IfStmt" || outer.node.Kind == "WhileStmt" || outer.node.Kind == "ForStmt":
			for _, n := range outer.node.Inner {
				if n != nil && !outer.isInner(n) {
					visit(outer, n, false)
				}
			}
		case outer.isList():
			for _, in := range outer.inner {
				if in.to <= s.from && in.node.Kind == "IfStmt" && !in.node.Else && len(in.inner) == 1 && onlyLeaves(in.inner[0]) {
					visit(in, in.node.Child(0), true)
				}
			}
		}
	}
	return out
}

// stricter are the comparisons that leave out one value more.
var stricter = map[string]string{"<=": "<", ">=": ">"}

// onlyLeaves reports whether a statement does nothing but to leave what it is in.
func onlyLeaves(s *statement) bool {
	return leaves(s) || s.isList() && len(s.inner) == 1 && leaves(s.inner[0])
}

// operator is where the operator of a binary expression stands; 0 where that is not sure.
func (f *File) operator(n *syntax.Node) int {
	from, to := n.Child(0).End, n.Child(1).Begin
	if from.File == "" || from.Macro || to.Macro || from.File != to.File || from.End() >= to.Off || to.Off > len(f.Text) {
		return 0
	}
	between := f.Text[from.End():to.Off]
	if i := bytes.Index(between, []byte(n.Opcode)); i >= 0 && len(bytes.Trim(between, " \t\r\n()")) == len(n.Opcode) {
		return from.End() + i
	}
	return 0
}

// compares is a patch that changes a comparison.
func (f *File) compares(at source.Pos, n *syntax.Node, e Edit) *Patch {
	from, to := n.Begin.Off, n.End.End()
	if n.Begin.Macro || n.End.Macro || e.From < from || e.To > to {
		return nil
	}
	now := string(f.Text[from:e.From]) + e.Text + string(f.Text[e.To:to])
	edits := []Edit{e}
	return &Patch{Edits: edits, Inline: edits, KeepsMemory: true, Skips: at, What: fmt.Sprintf("compare %s in line %d", now, f.line(from))}
}

// conjunctions are conditions for all accesses of a statement together, the likeliest first, where more than one depends on
// what places the thread: a column is less than the length of its row, and a row than another bound.
func (p *Program) conjunctions(fn *function, s *statement, list []access) []string {
	placed, bounds := fn.placedAt(s), fn.uniform(s)
	var names []string
	limits := map[string][]string{}
	note := func(n *syntax.Node, is func(bound string) bool) {
		text := s.compared(n)
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
		if len(sizes(a.subscript)) > 0 || effects(a.index) {
			continue
		}
		row, length, column := s.matrix(a.index, bounds)
		if row == nil {
			note(a.index, func(string) bool { return true })
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

// uniform are the bounds that do not depend on what places the thread.
func (fn *function) uniform(s *statement) []string {
	placed, own := fn.placedAt(s), map[string]bool{}
	for _, v := range s.locals() {
		own[v.Name] = slices.ContainsFunc(v.Inner, placed)
	}
	return slices.DeleteFunc(fn.bounds(s), func(b string) bool { return own[b] })
}

// matrix are the parts of an index that has the form row * length + column, where length is one of some bounds; row is nil for
// others.
func (s *statement) matrix(index *syntax.Node, bounds []string) (row *syntax.Node, length string, column *syntax.Node) {
	for _, t := range terms(index) {
		if t.Kind == "BinaryOperator" && t.Opcode == "*" && row == nil {
			for i := range 2 {
				if text := s.text(stripped(t.Child(i))); slices.Contains(bounds, text) {
					row, length = t.Child(1-i), text
				}
			}
			if row != nil {
				continue
			}
		}
		column = t
	}
	if len(terms(index)) != 2 {
		column = nil
	}
	return row, length, column
}

// guardsOf are guards of a statement by conditions.
func guardsOf(at source.Pos, s *statement, conditions []string) (out []*Patch) {
	for _, c := range conditions {
		g := guard{condition: c, at: at, s: s}
		out = append(out, g.statement())
	}
	return out
}

// constants are the names of the constants of files that are as large as the number of elements of what a finding
// is about. Where the access is not known, the elements have the size of what was accessed.
func (p *Program) constants(f *finding.Finding, a access) (out []string) {
	if f.Object == nil || f.Object.Size == 0 {
		return nil
	}
	size := f.Range.Hi - f.Range.Lo
	if a.subscript != nil {
		if n := widths[strings.TrimPrefix(a.subscript.Desugared, "const ")]; n > 0 {
			size = n
		}
	}
	if size <= 0 || int64(f.Object.Size)%size != 0 {
		return nil
	}
	for _, v := range p.fixed {
		if n, ok := p.value(v, 0); ok && n == int64(f.Object.Size)/size && v.Name != "" {
			out = append(out, v.Name)
		}
	}
	return out
}

// widths are the sizes of types in bytes.
var widths = map[string]int64{"char": 1, "signed char": 1, "unsigned char": 1, "bool": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned int": 4, "float": 4,
	"long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "double": 8}

// value is that of a constant expression, or of the constant that a declaration makes.
func (p *Program) value(n *syntax.Node, depth int) (int64, bool) {
	const deepest = 50
	if n = stripped(n); n == nil || depth > deepest {
		return 0, false
	}
	switch n.Kind {
	case "IntegerLiteral":
		v, err := strconv.ParseInt(n.Value, 10, 64)
		return v, err == nil
	case "ConstantExpr":
		return p.value(n.Child(0), depth+1)
	case "VarDecl":
		return p.value(n.Child(0), depth+1)
	case "DeclRefExpr":
		for _, v := range p.fixed {
			if n.Ref != nil && v.ID == n.Ref.ID {
				return p.value(v, depth+1)
			}
		}
	case "BinaryOperator":
		a, ok := p.value(n.Child(0), depth+1)
		b, too := p.value(n.Child(1), depth+1)
		if !ok || !too {
			return 0, false
		}
		switch n.Opcode {
		case "+":
			return a + b, true
		case "-":
			return a - b, true
		case "*":
			return a * b, true
		case "/":
			if b != 0 {
				return a / b, true
			}
		}
	}
	return 0, false
}
