package repair

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// guarded lets an access happen for some threads only: where a condition holds on its index, or on
// the variables of which that is made. The conditions are those that the function has elsewhere,
// and that an index is less than what the function is told a size by. Where the access is in a function that
// another one calls, the call may be what needs the condition.
func (p *Program) guarded(f *finding.Finding) []*Patch {
	var each [][]*Patch
	for i, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		fn, s, off := p.place(at)
		if s == nil || s.isList() || s.outer == nil {
			continue
		}
		each = append(each, p.guardedAt(f, fn, s, off, i > 0))
	}
	return distinct(alternating(each))
}

// alternating takes from several lists in turn, a few at a time.
func alternating(each [][]*Patch) (out []*Patch) {
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

// guardedAt lets a statement, or its access at an offset, be executed for some threads only. called is set if
// the access is in a function that the statement calls.
func (p *Program) guardedAt(f *finding.Finding, fn *function, s *statement, off int, called bool) []*Patch {
	at := f.Primary.Loc.Pos
	list := s.accesses(off)
	if called {
		list = append(list, s.passed(s.node)...)
	}
	below := f.Range.Lo < 0
	out := s.tightened(at, list, below)
	several := p.conjunctions(fn, s, list)
	var leave []*Patch
	tried := 0
	for _, a := range list {
		within, lower := s.within(a), &conditions{}
		s.lower(a.index, s.compared(a.index), lower)
		for _, c := range fn.conditions(s, a.index, append(sizes(a.subscript), p.constants(f, a)...), below) {
			g := guard{condition: c, at: at, s: s, bounds: slices.Contains(within, c), lower: slices.Contains(lower.list, c)}
			first, second := g.statement(), g.read(a)
			if a.choice != nil || s.calls(s.node) {
				first, second = second, first
			}
			out = append(out, first, second)
			leave = append(leave, g.leave(fn, a.index))
			if tried++; tried == afterConditions {
				out, several = append(out, guardsOf(at, s, several)...), nil
			}
		}
	}
	out = append(out, guardsOf(at, s, several)...)
	for _, d := range fn.body.inner { // what places a thread, where the index does not show it
		if d.node.Kind != "DeclStmt" || d.to > s.from {
			continue
		}
		for _, v := range d.node.Inner {
			if v.Kind != "VarDecl" || !whole[v.Desugared] || !placed(v) {
				continue
			}
			for _, b := range slices.Concat(p.constants(f, access{}), fn.bounds(s)) {
				if b != v.Name {
					g := guard{condition: v.Name + " < " + b, at: at, s: s}
					leave = append(leave, g.statement(), g.after(d))
				}
			}
		}
	}
	const byName = 8 // of the conditions on indices come first
	out = append(out, leave...)
	return distinct(slices.Insert(out, min(byName, len(out)), partGuards(f, s, off, list, below)...))
}

// strided lets only those threads make the accesses of a race that have a partner at a distance.
func (p *Program) strided(f *finding.Finding) (out []*Patch) {
	for _, at := range places(f) {
		fn, s, off := p.place(at.Loc.Pos)
		if s == nil || s.isList() || s.outer == nil {
			continue
		}
		for _, a := range s.accesses(off) {
			c := &conditions{}
			fn.strides(s, a.index, c)
			for _, text := range c.list {
				g := guard{condition: text, at: at.Loc.Pos, s: s}
				if patch := g.statement(); patch != nil {
					patch.KeepsMemory, patch.Skips = false, source.Pos{} // what races changes memory
					out = append(out, patch)
				}
			}
		}
	}
	return distinct(out)
}

// access is an element a[i] that a statement accesses.
type access struct {
	subscript, index *syntax.Node
	// read is the conversion that loads it, or the constructor that copies it, nil for what is written or whose address is taken;
	// choice is a conditional expression that it is the second part of, nil for none.
	read, choice *syntax.Node
}

// accesses are the accesses of a statement, those at an offset first, inner ones before outer.
func (s *statement) accesses(off int) []access {
	var at, others []access
	s.subscripts(s.node, nil, nil, func(a access) {
		if a.subscript.Begin.Off <= off && off < a.subscript.End.End() {
			at = slices.Insert(at, 0, a)
		} else {
			others = append(others, a)
		}
	})
	return append(at, others...)
}

// subscripts visits the accesses in an expression.
func (s *statement) subscripts(n, parent, choice *syntax.Node, visit func(access)) {
	if n == nil {
		return
	}
	if index := indexOf(n); index != nil {
		a := access{subscript: n, index: index, choice: choice}
		if parent != nil && (parent.Kind == "ImplicitCastExpr" && parent.Cast == "LValueToRValue" || parent.Kind == "CXXConstructExpr") {
			a.read = parent
		}
		visit(a)
	}
	for i, c := range n.Inner {
		if c == nil || s.isInner(c) {
			continue
		}
		below := choice
		if n.Kind == "ConditionalOperator" {
			if below = nil; i == 1 {
				below = n
			}
		}
		s.subscripts(c, n, below, visit)
	}
}

// calls reports whether something is called in an expression of the statement.
func (s *statement) calls(n *syntax.Node) bool {
	return n != nil && (n.Kind == "CallExpr" || n.Kind == "CXXMemberCallExpr" || slices.ContainsFunc(n.Inner, s.calls))
}

// effects reports whether evaluating an expression may do more than give its value: an assignment, a call that is given other
// things than numbers, or a member function other than a group's rank. threadIdx.x calls one inside, which has none.
func effects(n *syntax.Node) bool {
	switch {
	case n == nil || n.Kind == "PseudoObjectExpr":
		return false
	case changed(n) != nil:
		return true
	case n.Kind == "CXXMemberCallExpr":
		if m := stripped(n.Child(0)); m == nil || !ranks[m.Name] {
			return true
		}
	case n.Kind == "CallExpr":
		if slices.ContainsFunc(n.Inner[1:], func(a *syntax.Node) bool { return !arithmetic[a.Desugared] }) || len(n.Inner) < 2 {
			return true
		}
	}
	return slices.ContainsFunc(n.Inner, effects)
}

// advances reports whether the statement changes a variable beside what it is there for, as a[i++] = 1 does: where the statement
// is left out, the variable falls behind.
func (s *statement) advances() bool {
	top := s.node
	for top.Kind == "ExprWithCleanups" || top.Kind == "ParenExpr" || top.Kind == "ImplicitCastExpr" {
		top = top.Child(0)
	}
	var below func(n *syntax.Node) bool
	below = func(n *syntax.Node) bool {
		if n == nil {
			return false
		}
		to := stripped(changed(n))
		return n != top && to != nil && to.Kind == "DeclRefExpr" || slices.ContainsFunc(n.Inner, below)
	}
	return below(top)
}

// isInner reports whether a node is a statement of its own.
func (s *statement) isInner(n *syntax.Node) bool {
	return slices.ContainsFunc(s.inner, func(in *statement) bool { return in.node == n })
}

// guard is a condition for a statement's access. bounds is set if it says no more than that the index is one of the array, which
// leaves out nothing else, so that what changes is what the wrong accesses did.
type guard struct {
	condition string
	at        source.Pos
	s         *statement
	bounds    bool
	// lower is set if it keeps out indices below zero only.
	lower bool
}

// within are the conditions by which an index is one of an array whose type has a size.
func (s *statement) within(a access) (out []string) {
	if whole := s.compared(a.index); whole != "" {
		for _, size := range sizes(a.subscript) {
			out = append(out, whole+" < "+size)
		}
	}
	return out
}

func (g *guard) patch(edits []Edit, format string, args ...any) *Patch {
	return &Patch{Edits: edits, Inline: edits, KeepsMemory: !g.bounds, Skips: g.at, Condition: g.condition, lower: g.lower, What: fmt.Sprintf(format, args...)}
}

// statement puts a condition before the statement, or joins it to the one that it has.
func (g *guard) statement() *Patch {
	s := g.s
	if s.node.Kind == "DeclStmt" || leaves(s) || len(s.inner) > 0 || s.advances() {
		return nil
	}
	if e := g.endsLoop(); e != nil {
		return g.patch(e, "let the loop in line %d end where not %s", s.file.line(s.outer.from), g.condition)
	}
	edits := []Edit{s.insert(s.from, "if ("+g.condition+") ")}
	if o := s.outer; o.node.Kind == "IfStmt" && !o.node.Else && len(o.node.Inner) == 2 {
		if e := o.joined(o.node.Child(0), g.condition); e != nil {
			edits = e
		}
	} else if o.node.Kind == "IfStmt" && o.node.Else && s == o.inner[0] { // whose else stays its own
		edits = []Edit{s.insert(s.from, "{ if ("+g.condition+") "), s.insert(s.to, " }")}
	}
	return g.patch(edits, "execute line %d only where %s", s.file.line(s.from), g.condition)
}

// endsLoop adds the condition to that of a loop whose bound comes from memory, where the statement is all that it repeats and an index that
// grows is too great: a bound that is wrong should not keep threads busy.
func (g *guard) endsLoop() []Edit {
	loop := g.s.outer
	if loop == nil || loop.node.Kind != "ForStmt" || g.lower {
		return nil
	}
	cond, step := loop.condition(), stripped(loop.node.Child(3))
	if cond == nil || step == nil || step.Kind != "UnaryOperator" || step.Opcode != "++" || !readsMemory(cond) {
		return nil
	}
	counter := stripped(step.Child(0))
	if counter == nil || counter.Ref == nil || !strings.HasPrefix(g.condition, counter.Ref.Name+" < ") || strings.Contains(g.condition, "&&") {
		return nil
	}
	return loop.joined(cond, g.condition)
}

// joined adds a condition to one that stands in the source.
func (s *statement) joined(n *syntax.Node, condition string) []Edit {
	own := s.text(n)
	if own == "" {
		return s.joinedMacro(n, condition)
	}
	begin, end := n.Begin.Off, n.End.End()
	switch inner := stripped(n); {
	case inner.Kind == "CXXBoolLiteralExpr" && own == "true":
		return []Edit{{s.file.Name, begin, end, condition}}
	case inner.Kind == "BinaryOperator" && loose[inner.Opcode]:
		return []Edit{s.insert(begin, "("), s.insert(end, ") && "+condition)}
	}
	return []Edit{s.insert(end, " && "+condition)}
}

// joinedMacro adds a condition to one that is the use of a macro.
func (s *statement) joinedMacro(n *syntax.Node, condition string) []Edit {
	if !n.Begin.Macro || !n.End.Macro || n.Begin.Off != n.End.Off {
		return nil
	}
	begin, end := n.Begin.Off, syntax.UseEnd(s.file.Text, n.Begin.Off)
	for n.Kind == "ImplicitCastExpr" {
		n = n.Child(0)
	}
	if n.Kind == "ParenExpr" {
		return []Edit{s.insert(end, " && "+condition)}
	}
	return []Edit{s.insert(begin, "("), s.insert(end, ") && "+condition)}
}

// read takes zero instead of the element where the condition does not hold, or what a conditional
// expression around it has for that.
func (g *guard) read(a access) *Patch {
	if a.read == nil {
		return nil
	}
	zero := "0"
	if !arithmetic[a.subscript.Desugared] {
		zero = strings.TrimPrefix(a.subscript.Type, "const ") + "{}"
	}
	what := "read %s in line %d only where %s"
	text := g.s.text(a.subscript)
	if text == "" {
		return nil
	}
	edits := []Edit{g.s.insert(a.subscript.Begin.Off, "("+g.condition+" ? "), g.s.insert(a.subscript.End.End(), " : "+zero+")")}
	if a.choice != nil {
		if e := g.s.joined(a.choice.Child(0), g.condition); e != nil {
			edits = e
		}
	}
	p := g.patch(edits, what, text, g.s.file.line(a.subscript.Begin.Off), g.condition)
	p.Part = true
	return p
}

// leave lets threads for which the condition does not hold leave the function, after the variable
// on which it depends has its value.
func (g *guard) leave(fn *function, index *syntax.Node) *Patch {
	if !fn.void {
		return nil
	}
	names := map[string]bool{}
	for _, v := range variables(index) {
		names[v.Ref.ID] = true
	}
	for _, d := range fn.body.inner {
		if d.node.Kind != "DeclStmt" || d.to > g.s.from || !slices.ContainsFunc(d.node.Inner, func(v *syntax.Node) bool { return names[v.ID] }) {
			continue
		}
		return g.after(d)
	}
	return nil
}

// after lets threads leave after a declaration.
func (g *guard) after(d *statement) *Patch {
	text := "if (!(" + g.condition + ")) return;"
	p := g.patch([]Edit{d.insert(d.lineEnd(), "\n"+d.indent()+text)}, "return after line %d unless %s", d.file.line(d.to-1), g.condition)
	p.Inline, p.Further = []Edit{d.insert(d.to, " "+text)}, true
	return p
}

// placed reports whether an expression is made of the thread's or the block's index.
func placed(n *syntax.Node) bool {
	if n == nil {
		return false
	}
	if n.Kind == "MemberExpr" && ranks[n.Name] {
		return true
	}
	if n.Kind == "DeclRefExpr" && n.Ref != nil && (n.Ref.Name == "threadIdx" || n.Ref.Name == "blockIdx") {
		return true
	}
	return slices.ContainsFunc(n.Inner, placed)
}

// ranks are the member functions of groups that place a thread (CUDA C++ Programming Guide, "Cooperative Groups").
var ranks = map[string]bool{"thread_rank": true, "thread_index": true, "block_rank": true, "block_index": true, "group_index": true, "meta_group_rank": true}

// loose are the operators that bind less than &&.
var loose = map[string]bool{"||": true, ",": true, "=": true}

// arithmetic are the types of which 0 is a value.
var arithmetic = map[string]bool{"int": true, "unsigned int": true, "float": true, "double": true, "char": true, "signed char": true, "unsigned char": true,
	"short": true, "unsigned short": true, "long": true, "unsigned long": true, "long long": true, "unsigned long long": true, "bool": true,
	"const int": true, "const unsigned int": true, "const float": true, "const double": true, "const char": true, "const unsigned char": true,
	"const short": true, "const unsigned short": true, "const long": true, "const unsigned long": true, "const long long": true, "const unsigned long long": true}

// conditions are those that may hold for valid indices only, the likeliest first.
// below is set if an index was less than zero.
func (fn *function) conditions(s *statement, index *syntax.Node, sizes []string, below bool) []string {
	whole := s.compared(index)
	if whole == "" || stripped(index).Kind == "IntegerLiteral" || effects(index) {
		return nil
	}
	own := map[string]bool{whole: true}
	names := []string{whole}
	for _, v := range variables(index) {
		if !own[v.Ref.Name] {
			own[v.Ref.Name] = true
			names = append(names, v.Ref.Name)
		}
	}
	c := &conditions{}
	if below {
		s.lower(index, whole, c)
	}
	for _, size := range sizes {
		c.add(whole + " < " + size)
	}
	bounds := slices.DeleteFunc(fn.bounds(s), func(b string) bool { return own[b] })
	same := fn.uniform(s)
	slices.SortStableFunc(bounds, func(a, b string) int { // what is the same for all threads is likelier a size
		return boolean(slices.Contains(same, b)) - boolean(slices.Contains(same, a))
	})
	fn.compared(s, own, c)
	fn.compared(s, fn.made(s, index), c)
	fn.strides(s, index, c)
	bounded, lengths := fn.bounded(), map[string]bool{}
	s.factors(index, lengths)
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
	s.squares(index, c)
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
	s.lower(index, whole, c)
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

// squares are that a row is less than the size of a row, by which it is multiplied: an index in a square matrix.
func (s *statement) squares(n *syntax.Node, c *conditions) {
	if n = stripped(n); n == nil {
		return
	}
	if n.Kind == "BinaryOperator" && n.Opcode == "*" {
		for i := range 2 {
			row, size := s.compared(n.Child(i)), stripped(n.Child(1-i))
			if row != "" && size.Kind == "IntegerLiteral" && len(variables(n.Child(i))) > 0 {
				c.add(row + " < " + s.compared(size))
			}
		}
	}
	for _, in := range n.Inner {
		s.squares(in, c)
	}
}

// factors are the texts of what something is multiplied by in an index.
func (s *statement) factors(n *syntax.Node, out map[string]bool) {
	if n == nil {
		return
	}
	if n.Kind == "BinaryOperator" && n.Opcode == "*" {
		out[s.text(stripped(n.Child(0)))], out[s.text(stripped(n.Child(1)))] = true, true
	}
	for _, in := range n.Inner {
		s.factors(in, out)
	}
}

// bounded are the names that a function compares with something.
func (fn *function) bounded() map[string]bool {
	out := map[string]bool{}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Kind == "BinaryOperator" && inverses[n.Opcode] != "" {
			for i := range 2 {
				if side := stripped(n.Child(i)); side != nil && side.Ref != nil {
					out[side.Ref.Name] = true
				}
			}
		}
		for _, in := range n.Inner {
			visit(in)
		}
	}
	visit(fn.body.node)
	return out
}

// asWritten is the text of an expression with the macros in it as they are used; "" where the expression
// is a part of what one macro makes.
func (s *statement) asWritten(n *syntax.Node) string {
	if n == nil || !n.Begin.Macro && !n.End.Macro {
		return s.text(n)
	}
	from, to := n.Begin.Off, n.End.End()
	if n.End.Macro {
		to = syntax.UseEnd(s.file.Text, n.End.Off)
	}
	if n.Begin.Macro && n.End.Macro && n.Begin.Off == n.End.Off && n.Kind != "IntegerLiteral" || n.Begin.File == "" || from < s.from || to <= from || to > s.to {
		return ""
	}
	return string(s.file.Text[from:to])
}

// conditions are texts, each once.
type conditions struct{ list []string }

func (c *conditions) add(text string) {
	if !slices.Contains(c.list, text) {
		c.list = append(c.list, text)
	}
}

// compared are the comparisons that a function makes elsewhere of an index or a variable in it:
// "i < n" where it has "if (i >= n) return".
func (fn *function) compared(s *statement, own map[string]bool, c *conditions) {
	held := map[*syntax.Node]bool{} // what holds where the statement is executed
	for o := s.outer; o != nil; o = o.outer {
		for _, n := range o.node.Inner {
			held[n] = !o.isInner(n)
		}
	}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil || held[n] {
			return
		}
		if inverse, ok := inverses[n.Opcode]; ok && n.Kind == "BinaryOperator" {
			l, r := fn.body.text(n.Child(0)), fn.body.text(n.Child(1))
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
	visit(fn.body.node)
}

var inverses = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<"}

// variables are those in an index that are whole numbers, each once: the local ones, and the
// parameters only where there is no other.
func variables(n *syntax.Node) []*syntax.Node {
	if out := named(n, "VarDecl"); len(out) > 0 {
		return out
	}
	return named(n, "ParmVarDecl")
}

// named are the variables of a kind of declaration in an expression.
func named(n *syntax.Node, kind string) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "DeclRefExpr" && n.Ref != nil && n.Ref.Kind == kind && whole[n.Desugared] {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		for _, v := range named(c, kind) {
			if !slices.ContainsFunc(out, func(o *syntax.Node) bool { return o.Ref.ID == v.Ref.ID }) {
				out = append(out, v)
			}
		}
	}
	return out
}

// bounds are what a function is told sizes by: its parameters that are whole numbers, members of
// others, and the variables declared before the statement.
func (fn *function) bounds(s *statement) []string {
	out := slices.Clone(fn.parameters)
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
		if base := stripped(n.Child(0)); n.Kind == "MemberExpr" && whole[n.Desugared] && base != nil && base.Ref != nil && base.Ref.Kind == "ParmVarDecl" {
			if n.Arrow && !strings.HasPrefix(base.Desugared, "const ") {
				mutable = append(mutable, fn.body.text(n))
			} else {
				add(fn.body.text(n))
			}
		}
		for _, c := range n.Inner {
			members(c)
		}
	}
	members(fn.body.node)
	for _, v := range s.locals() {
		if whole[v.Desugared] {
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
	array := stripped(subscript.Child(0))
	if array == nil {
		return nil
	}
	if m := arraySize.FindStringSubmatch(array.Desugared); m != nil {
		return m[1:]
	}
	return nil
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
