package guard

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// GuardAccess lets an access happen for some threads only: where a condition holds on its index, or on
// the variables of which that is made. The conditions are those that the function has elsewhere,
// and that an index is less than what the function is told a size by. Where the access is in a function that
// another one calls, the call may be what needs the condition.
func GuardAccess(p *code.Program, f *finding.Finding) []*code.Patch {
	var each [][]*code.Patch
	for i, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		fn, s, off := p.Place(at)
		if s == nil || s.IsList() || s.Outer == nil {
			continue
		}
		each = append(each, guardAccessAt(p, f, fn, s, off, i > 0))
	}
	return code.Distinct(alternating(each))
}

// alternating takes from several lists in turn, a few at a time.
func alternating(each [][]*code.Patch) (out []*code.Patch) {
	const few = 8
	for left := true; left; {
		left = false
		for i, list := range each {
			n := min(few, len(list))
			out, each[i] = append(out, list[:n]...), list[n:]
			left = left || n > 0
		}
	}
	return out
}

// guardAccessAt lets a statement, or its access at an offset, be executed for some threads only. called is set if
// the access is in a function that the statement calls.
func guardAccessAt(p *code.Program, f *finding.Finding, fn *code.Function, s *code.Statement, off int, called bool) []*code.Patch {
	at := f.Primary.Loc.Pos
	list := AccessesIn(s, off)
	if called {
		list = append(list, passedNumbers(s, s.Node)...)
	}
	below := f.Range.Lo < 0
	out := tightenComparison(s, at, list, below)
	several := conjoin(p, fn, s, list)
	var leave []*code.Patch
	tried := 0
	for _, a := range list {
		within, lower := indexLimits(s, a), &conditions{}
		lowerBounds(s, a.Index, ComparedElsewhere(s, a.Index), lower)
		for _, c := range conditionsFor(fn, s, a.Index, append(sizes(a.Subscript), constantsAsLarge(p, f, a)...), below) {
			g := Guard{Condition: c, At: at, S: s, bounds: slices.Contains(within, c), lower: slices.Contains(lower.list, c)}
			first, second := g.Statement(), g.Read(a)
			if a.Choice != nil || code.HasCall(s.Node) {
				first, second = second, first
			}
			out = append(out, first, second)
			leave = append(leave, g.leave(fn, a.Index))
			if tried++; tried == afterConditions {
				out, several = append(out, guardsOf(at, s, several)...), nil
			}
		}
	}
	out = append(out, guardsOf(at, s, several)...)
	for _, d := range fn.Body.Inner { // what places a thread, where the index does not show it
		if d.Node.Kind != "DeclStmt" || d.To > s.From {
			continue
		}
		for _, v := range d.Node.Inner {
			if v.Kind != "VarDecl" || !code.Whole[v.Desugared] || !code.Placed(v) {
				continue
			}
			for _, b := range slices.Concat(constantsAsLarge(p, f, Access{}), boundsOf(fn, s)) {
				if b != v.Name {
					g := Guard{Condition: v.Name + " < " + b, At: at, S: s}
					leave = append(leave, g.Statement(), g.after(d))
				}
			}
		}
	}
	const byName = 8 // of the conditions on indices come first
	out = append(out, leave...)
	return code.Distinct(slices.Insert(out, min(byName, len(out)), partGuards(f, s, off, list, below)...))
}

// GuardByStride lets only those threads make the accesses of a race that have a partner at a distance.
func GuardByStride(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range code.Places(f) {
		fn, s, off := p.Place(at.Loc.Pos)
		if s == nil || s.IsList() || s.Outer == nil {
			continue
		}
		for _, a := range AccessesIn(s, off) {
			c := &conditions{}
			addStrides(fn, s, a.Index, c)
			for _, text := range c.list {
				g := Guard{Condition: text, At: at.Loc.Pos, S: s}
				if patch := g.Statement(); patch != nil {
					patch.KeepsMemory, patch.Skips = false, source.Pos{} // what races changes memory
					out = append(out, patch)
				}
			}
		}
	}
	return code.Distinct(out)
}

// Access is an element a[i] that a statement accesses.
type Access struct {
	Subscript, Index *syntax.Node
	// read is the conversion that loads it, or the constructor that copies it, nil for what is written or whose address is taken;
	// choice is a conditional expression that it is the second part of, nil for none.
	read, Choice *syntax.Node
}

// AccessesIn are the accesses of a statement, those at an offset first, inner ones before outer.
func AccessesIn(s *code.Statement, off int) []Access {
	var at, others []Access
	eachSubscript(s, s.Node, nil, nil, func(a Access) {
		if a.Subscript.Begin.Off <= off && off < a.Subscript.End.End() {
			at = slices.Insert(at, 0, a)
		} else {
			others = append(others, a)
		}
	})
	return append(at, others...)
}

// eachSubscript visits the accesses in an expression.
func eachSubscript(s *code.Statement, n, parent, choice *syntax.Node, visit func(Access)) {
	if n == nil {
		return
	}
	if index := IndexOf(n); index != nil {
		a := Access{Subscript: n, Index: index, Choice: choice}
		if parent != nil && (parent.Kind == "ImplicitCastExpr" && parent.Cast == "LValueToRValue" || parent.Kind == "CXXConstructExpr") {
			a.read = parent
		}
		visit(a)
	}
	for i, c := range n.Inner {
		if c == nil || s.IsInner(c) {
			continue
		}
		below := choice
		if n.Kind == "ConditionalOperator" {
			if below = nil; i == 1 {
				below = n
			}
		}
		eachSubscript(s, c, n, below, visit)
	}
}

// isAdvanced reports whether the statement changes a variable beside what it is there for, as a[i++] = 1 does: where the statement
// is left out, the variable falls behind.
func isAdvanced(s *code.Statement) bool {
	top := s.Node
	for top.Kind == "ExprWithCleanups" || top.Kind == "ParenExpr" || top.Kind == "ImplicitCastExpr" {
		top = top.Child(0)
	}
	var below func(n *syntax.Node) bool
	below = func(n *syntax.Node) bool {
		if n == nil {
			return false
		}
		to := code.Stripped(code.Changed(n))
		return n != top && to != nil && to.Kind == "DeclRefExpr" || slices.ContainsFunc(n.Inner, below)
	}
	return below(top)
}

// Guard is a condition for a statement's access. bounds is set if it says no more than that the index is one of the array, which
// leaves out nothing else, so that what changes is what the wrong accesses did.
type Guard struct {
	Condition string
	At        source.Pos
	S         *code.Statement
	bounds    bool
	// lower is set if it keeps out indices below zero only.
	lower bool
}

// indexLimits are the conditions by which an index is one of an array whose type has a size.
func indexLimits(s *code.Statement, a Access) (out []string) {
	if whole := ComparedElsewhere(s, a.Index); whole != "" {
		for _, size := range sizes(a.Subscript) {
			out = append(out, whole+" < "+size)
		}
	}
	return out
}

func (g *Guard) patch(edits []code.Edit, format string, args ...any) *code.Patch {
	return &code.Patch{Edits: edits, Inline: edits, KeepsMemory: !g.bounds, Skips: g.At, Condition: g.Condition, Lower: g.lower, What: fmt.Sprintf(format, args...)}
}

// Statement puts a condition before the statement, or joins it to the one that it has.
func (g *Guard) Statement() *code.Patch {
	s := g.S
	if s.Node.Kind == "DeclStmt" || code.Leaves(s) || len(s.Inner) > 0 || isAdvanced(s) {
		return nil
	}
	if e := g.endsLoop(); e != nil {
		return g.patch(e, "let the loop in line %d end where not %s", s.File.Line(s.Outer.From), g.Condition)
	}
	edits := []code.Edit{s.Insert(s.From, "if ("+g.Condition+") ")}
	if o := s.Outer; o.Node.Kind == "IfStmt" && !o.Node.Else && len(o.Node.Inner) == 2 {
		if e := joinCondition(o, o.Node.Child(0), g.Condition); e != nil {
			edits = e
		}
	} else if o.Node.Kind == "IfStmt" && o.Node.Else && s == o.Inner[0] { // whose else stays its own
		edits = []code.Edit{s.Insert(s.From, "{ if ("+g.Condition+") "), s.Insert(s.To, " }")}
	}
	return g.patch(edits, "execute line %d only where %s", s.File.Line(s.From), g.Condition)
}

// endsLoop adds the condition to that of a loop whose bound comes from memory, where the statement is all that it repeats and an index that
// grows is too great: a bound that is wrong should not keep threads busy.
func (g *Guard) endsLoop() []code.Edit {
	loop := g.S.Outer
	if loop == nil || loop.Node.Kind != "ForStmt" || g.lower {
		return nil
	}
	cond, step := code.LoopCondition(loop), code.Stripped(loop.Node.Child(3))
	if cond == nil || step == nil || step.Kind != "UnaryOperator" || step.Opcode != "++" || !code.ReadsMemory(cond) {
		return nil
	}
	counter := code.Stripped(step.Child(0))
	if counter == nil || counter.Ref == nil || !strings.HasPrefix(g.Condition, counter.Ref.Name+" < ") || strings.Contains(g.Condition, "&&") {
		return nil
	}
	return joinCondition(loop, cond, g.Condition)
}

// joinCondition adds a condition to one that stands in the source.
func joinCondition(s *code.Statement, n *syntax.Node, condition string) []code.Edit {
	own := s.Text(n)
	if own == "" {
		return joinMacroCondition(s, n, condition)
	}
	begin, end := n.Begin.Off, n.End.End()
	switch inner := code.Stripped(n); {
	case inner.Kind == "CXXBoolLiteralExpr" && own == "true":
		return []code.Edit{s.File.Replace(begin, end, condition)}
	case inner.Kind == "BinaryOperator" && loose[inner.Opcode]:
		return []code.Edit{s.Insert(begin, "("), s.Insert(end, ") && "+condition)}
	}
	return []code.Edit{s.Insert(end, " && "+condition)}
}

// joinMacroCondition adds a condition to one that is the use of a macro.
func joinMacroCondition(s *code.Statement, n *syntax.Node, condition string) []code.Edit {
	if !n.Begin.Macro || !n.End.Macro || n.Begin.Off != n.End.Off {
		return nil
	}
	begin, end := n.Begin.Off, syntax.UseEnd(s.File.Text, n.Begin.Off)
	for n.Kind == "ImplicitCastExpr" {
		n = n.Child(0)
	}
	if n.Kind == "ParenExpr" {
		return []code.Edit{s.Insert(end, " && "+condition)}
	}
	return []code.Edit{s.Insert(begin, "("), s.Insert(end, ") && "+condition)}
}

// Read takes zero instead of the element where the condition does not hold, or what a conditional
// expression around it has for that.
func (g *Guard) Read(a Access) *code.Patch {
	if a.read == nil {
		return nil
	}
	zero := "0"
	if !code.Arithmetic[a.Subscript.Desugared] {
		zero = strings.TrimPrefix(a.Subscript.Type, "const ") + "{}"
	}
	what := "read %s in line %d only where %s"
	text := g.S.Text(a.Subscript)
	if text == "" {
		return nil
	}
	edits := []code.Edit{g.S.Insert(a.Subscript.Begin.Off, "("+g.Condition+" ? "), g.S.Insert(a.Subscript.End.End(), " : "+zero+")")}
	if a.Choice != nil {
		if e := joinCondition(g.S, a.Choice.Child(0), g.Condition); e != nil {
			edits = e
		}
	}
	p := g.patch(edits, what, text, g.S.File.Line(a.Subscript.Begin.Off), g.Condition)
	p.Part = true
	return p
}

// leave lets threads for which the condition does not hold leave the function, after the variable
// on which it depends has its value.
func (g *Guard) leave(fn *code.Function, index *syntax.Node) *code.Patch {
	if !fn.Void {
		return nil
	}
	names := map[string]bool{}
	for _, v := range code.Variables(index) {
		names[v.Ref.ID] = true
	}
	for _, d := range fn.Body.Inner {
		if d.Node.Kind != "DeclStmt" || d.To > g.S.From || !slices.ContainsFunc(d.Node.Inner, func(v *syntax.Node) bool { return names[v.ID] }) {
			continue
		}
		return g.after(d)
	}
	return nil
}

// after lets threads leave after a declaration.
func (g *Guard) after(d *code.Statement) *code.Patch {
	text := "if (!(" + g.Condition + ")) return;"
	p := g.patch([]code.Edit{d.Insert(d.LineEnd(), "\n"+d.Indent()+text)}, "return after line %d unless %s", d.File.Line(d.To-1), g.Condition)
	p.Inline, p.Further = []code.Edit{d.Insert(d.To, " "+text)}, true
	return p
}

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
