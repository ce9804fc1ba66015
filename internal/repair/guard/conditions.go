package guard

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// loose are the operators that bind less than &&.
var loose = map[string]bool{"||": true, ",": true, "=": true}

// conditionsFor are those that may hold for valid indices only, the likeliest first.
// below is set if an index was less than zero.
func conditionsFor(fn *code.Function, s *code.Statement, index *syntax.Node, sizes []string, below bool) []string {
	whole := ComparedElsewhere(s, index)
	if whole == "" || code.Stripped(index).Kind == "IntegerLiteral" || code.Effects(index) {
		return nil
	}
	own := map[string]bool{whole: true}
	names := []string{whole}
	for _, v := range code.Variables(index) {
		if !own[v.Ref.Name] {
			own[v.Ref.Name] = true
			names = append(names, v.Ref.Name)
		}
	}
	c := &conditions{}
	if below {
		lowerBounds(s, index, whole, c)
	}
	for _, size := range sizes {
		c.add(whole + " < " + size)
	}
	bounds := slices.DeleteFunc(boundsOf(fn, s), func(b string) bool { return own[b] })
	same := uniformBounds(fn, s)
	slices.SortStableFunc(bounds, func(a, b string) int { // what is the same for all threads is likelier a size
		return code.Boolean(slices.Contains(same, b)) - code.Boolean(slices.Contains(same, a))
	})
	addCompared(fn, s, own, c)
	addCompared(fn, s, dependentNames(fn, s, index), c)
	addStrides(fn, s, index, c)
	bounded, lengths := boundedNames(fn), map[string]bool{}
	indexFactors(s, index, lengths)
	if len(lengths) == 0 { // no matrix
		for _, b := range bounds {
			c.add(whole + " < " + b)
		}
	}
	for _, v := range names[1:] {
		for _, b := range bounds {
			if lengths[b] {
				c.add(v + " < " + b)
			}
		}
	}
	for i, v := range names[1:] { // both indices of a matrix, where its rows are as long as it has rows
		for _, w := range names[2+i:] {
			for _, b := range bounds {
				if lengths[b] && !bounded[v] && !bounded[w] {
					c.add(v + " < " + b + " && " + w + " < " + b)
				}
			}
		}
	}
	addSquares(s, index, c)
	for _, row := range slices.Sorted(maps.Keys(lengths)) { // all of a matrix whose rows have a length that is fixed
		if !own[row] && row != "" && !slices.Contains(bounds, row) {
			for _, b := range bounds {
				c.add(whole + " < " + b + " * " + row)
			}
		}
	}
	for _, v := range names[1:] {
		for _, b := range bounds {
			c.add(v + " < " + b)
		}
	}
	for i, v := range names[1:] { // rows and columns
		for _, w := range names[2+i:] {
			for _, a := range bounds {
				for _, b := range bounds {
					if a != b {
						c.add(v + " < " + a + " && " + w + " < " + b)
					}
				}
			}
		}
	}
	lowerBounds(s, index, whole, c)
	for _, b := range bounds {
		c.add(whole + " < " + b)
	}
	for i, a := range bounds { // all of a matrix
		for _, b := range bounds[i:] {
			c.add(whole + " < " + a + " * " + b)
		}
	}
	return c.list
}

// addSquares are that a row is less than the size of a row, by which it is multiplied: an index in a square matrix.
func addSquares(s *code.Statement, n *syntax.Node, c *conditions) {
	if n = code.Stripped(n); n == nil {
		return
	}
	if n.Kind == "BinaryOperator" && n.Opcode == "*" {
		for i := range 2 {
			row, size := ComparedElsewhere(s, n.Child(i)), code.Stripped(n.Child(1-i))
			if row != "" && size.Kind == "IntegerLiteral" && len(code.Variables(n.Child(i))) > 0 {
				c.add(row + " < " + ComparedElsewhere(s, size))
			}
		}
	}
	for _, in := range n.Inner {
		addSquares(s, in, c)
	}
}

// indexFactors are the texts of what something is multiplied by in an index.
func indexFactors(s *code.Statement, n *syntax.Node, out map[string]bool) {
	if n == nil {
		return
	}
	if n.Kind == "BinaryOperator" && n.Opcode == "*" {
		out[s.Text(code.Stripped(n.Child(0)))], out[s.Text(code.Stripped(n.Child(1)))] = true, true
	}
	for _, in := range n.Inner {
		indexFactors(s, in, out)
	}
}

// boundedNames are the names that a function compares with something.
func boundedNames(fn *code.Function) map[string]bool {
	out := map[string]bool{}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Kind == "BinaryOperator" && inverses[n.Opcode] != "" {
			for i := range 2 {
				if side := code.Stripped(n.Child(i)); side != nil && side.Ref != nil {
					out[side.Ref.Name] = true
				}
			}
		}
		for _, in := range n.Inner {
			visit(in)
		}
	}
	visit(fn.Body.Node)
	return out
}

// writtenCondition is the text of an expression with the macros in it as they are used; "" where the expression
// is a part of what one macro makes.
func writtenCondition(s *code.Statement, n *syntax.Node) string {
	if n == nil || !n.Begin.Macro && !n.End.Macro {
		return s.Text(n)
	}
	from, to := n.Begin.Off, n.End.End()
	if n.End.Macro {
		to = syntax.UseEnd(s.File.Text, n.End.Off)
	}
	if n.Begin.Macro && n.End.Macro && n.Begin.Off == n.End.Off && n.Kind != "IntegerLiteral" || n.Begin.File == "" || from < s.From || to <= from || to > s.To {
		return ""
	}
	return string(s.File.Text[from:to])
}

// conditions are texts, each once.
type conditions struct{ list []string }

func (c *conditions) add(text string) {
	if !slices.Contains(c.list, text) {
		c.list = append(c.list, text)
	}
}

// addCompared are the comparisons that a function makes elsewhere of an index or a variable in it:
// "i < n" where it has "if (i >= n) return".
func addCompared(fn *code.Function, s *code.Statement, own map[string]bool, c *conditions) {
	held := map[*syntax.Node]bool{} // what holds where the statement is executed
	for o := s.Outer; o != nil; o = o.Outer {
		for _, n := range o.Node.Inner {
			held[n] = !o.IsInner(n)
		}
	}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil || held[n] {
			return
		}
		if inverse, ok := inverses[n.Opcode]; ok && n.Kind == "BinaryOperator" {
			l, r := fn.Body.Text(n.Child(0)), fn.Body.Text(n.Child(1))
			if l != "" && r != "" && (own[l] || own[r]) {
				as, not := l+" "+n.Opcode+" "+r, l+" "+inverse+" "+r
				if n.Opcode == ">=" && own[l] || n.Opcode == "<=" && own[r] { // what an early return asks for
					as, not = not, as
				}
				c.add(as)
				defer c.add(not)
			}
		}
		for _, in := range n.Inner {
			visit(in)
		}
	}
	visit(fn.Body.Node)
}

var inverses = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<"}

// boundsOf are what a function is told sizes by: its parameters that are whole numbers, members of
// others, and the variables declared before the statement.
func boundsOf(fn *code.Function, s *code.Statement) []string {
	out := slices.Clone(fn.Parameters)
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	var mutable []string // by pointers to what may change meanwhile: they come last
	var members func(n *syntax.Node)
	members = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if base := code.Stripped(n.Child(0)); n.Kind == "MemberExpr" && code.Whole[n.Desugared] && base != nil && base.Ref != nil && base.Ref.Kind == "ParmVarDecl" {
			if n.Arrow && !strings.HasPrefix(base.Desugared, "const ") {
				mutable = append(mutable, fn.Body.Text(n))
			} else {
				add(fn.Body.Text(n))
			}
		}
		for _, c := range n.Inner {
			members(c)
		}
	}
	members(fn.Body.Node)
	for _, v := range s.Locals() {
		if code.Whole[v.Desugared] {
			add(v.Name)
		}
	}
	for _, m := range mutable {
		add(m)
	}
	return out
}

var arraySize = regexp.MustCompile(`^[^\[]*\[(\d+)\]`)

// sizes is the size of the array that is accessed, if its type has one.
func sizes(subscript *syntax.Node) []string {
	array := code.Stripped(subscript.Child(0))
	if array == nil {
		return nil
	}
	if m := arraySize.FindStringSubmatch(array.Desugared); m != nil {
		return m[1:]
	}
	return nil
}
