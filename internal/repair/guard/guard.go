package guard

import (
	"fmt"
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
	switch {
	case code.IsPointer(a.Subscript):
		zero = "nullptr"
	case !code.Arithmetic[strings.TrimPrefix(a.Subscript.Desugared, "volatile ")]:
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
