package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// EvenLoops lets all threads of a block make the same number of passes of a loop, of which each tests the condition again for its own
// element, so that barriers can stand in it: one between the two accesses, one at the end of a pass.
//
//	for (int i = threadIdx.x; i < n; i += blockDim.x) { A; B; }
//	for (int base = 0; base < n; base += blockDim.x) { int i = base + threadIdx.x; if (i < n) { A; } __syncthreads(); if (i < n) { B; } __syncthreads(); }
func EvenLoops(p *code.Program, f *finding.Finding) []*code.Patch {
	r := f.Repair
	if !r.Placed() || r.Next && r.From.Pos == r.To.Pos {
		return nil
	}
	fn, from := p.At(r.From.Pos)
	_, to := p.At(r.To.Pos)
	if from == nil || to == nil {
		return nil
	}
	if from.From > to.From {
		from, to = to, from
	}
	a, b, common := code.Fork(from, to)
	if common < 2 || common >= len(a) || common >= len(b) || !a[common-1].IsList() || a[common-2].Node.Kind != "ForStmt" {
		return nil
	}
	l := &strided{s: a[common-2], fn: fn}
	if !l.read() || !l.dividable(b[common]) {
		return nil
	}
	return []*code.Patch{l.evened(b[common])}
}

// strided is a loop over elements at a distance from a thread's first one.
type strided struct {
	s    *code.Statement
	fn   *code.Function
	list *code.Statement // what it repeats
	// The counter is of a type and has a name; base is where the block's first thread begins.
	counter          *syntax.Node
	typ, base, bound string
	operator, step   string
	condition        string
}

// read reads the head of the loop. It reports whether it has the form: "for (int i = base + threadIdx.x; i < bound; i += step)", where base,
// bound and step are the same for all threads of a block and for all passes.
func (l *strided) read() bool {
	n := l.s.Node
	if n.Begin.Macro || n.End.Macro || l.s.Outer == nil || !l.s.Outer.IsList() || len(n.Inner) != 5 {
		return false
	}
	init, cond, inc := n.Child(0), code.Stripped(n.Child(2)), code.Stripped(n.Child(3))
	if init == nil || init.Kind != "DeclStmt" || len(init.Inner) != 1 || cond == nil || inc == nil {
		return false
	}
	l.counter, l.list = init.Child(0), l.s.Body()
	if l.counter.Kind != "VarDecl" || !code.Whole[l.counter.Desugared] || l.counter.Loc.Macro || len(l.counter.Inner) == 0 || l.list == nil || !l.list.IsList() {
		return false
	}
	names := func(n *syntax.Node) bool { return n != nil && n.Ref != nil && n.Ref.ID == l.counter.ID }
	if cond.Kind != "BinaryOperator" || cond.Opcode != "<" && cond.Opcode != "<=" || !names(code.Stripped(cond.Child(0))) ||
		inc.Kind != "CompoundAssignOperator" || inc.Opcode != "+=" || !names(code.Stripped(inc.Child(0))) {
		return false
	}
	for _, side := range []*syntax.Node{cond.Child(1), inc.Child(1)} {
		if !l.uniform(side) {
			return false
		}
	}
	l.typ = string(l.s.File.Text[init.Begin.Off:l.counter.Loc.Off])
	l.operator, l.condition = cond.Opcode, l.s.Text(cond)
	l.bound, l.step = l.s.Text(cond.Child(1)), l.s.Text(inc.Child(1))
	return l.begins(l.counter.Child(len(l.counter.Inner)-1)) && l.condition != "" && l.bound != "" && l.step != ""
}

// begins reads where the counter begins: at the thread's index, to which what is the same for all threads of the block is added.
func (l *strided) begins(n *syntax.Node) bool {
	var rest []string
	threads := 0
	for _, t := range code.Terms(n) {
		switch text := l.s.Text(t); {
		case text == "":
			return false
		case text == "threadIdx.x":
			threads++
		case !l.uniform(t):
			return false
		default:
			rest = append(rest, text)
		}
	}
	if l.base = strings.Join(rest, " + "); l.base == "" {
		l.base = "0"
	}
	return threads == 1
}

// uniform reports whether an expression is the same for all threads of a block and all passes of the loop, and does nothing else.
func (l *strided) uniform(n *syntax.Node) bool {
	return n != nil && !code.Acts(n) && !code.ReadsMemory(n) && !assigns(l.fn.Body.Node, declared(n)) && !l.byThread(n)
}

// byThread reports whether an expression is made of the thread's index, as variables are that it names.
func (l *strided) byThread(n *syntax.Node) bool {
	ids := map[string]bool{}
	locals := l.s.Locals()
	made := func(n *syntax.Node) bool { return ofThread(n) || code.Mentions(n, ids) }
	for range locals { // the order in which they are declared is lost
		for _, v := range locals {
			if slices.ContainsFunc(v.Inner, made) {
				ids[v.ID] = true
			}
		}
	}
	return made(n)
}

// ofThread reports whether an expression names the thread's index, or calls something that may.
func ofThread(n *syntax.Node) bool {
	switch {
	case n == nil:
		return false
	case n.Kind == "PseudoObjectExpr": // threadIdx.x, blockDim.x
		return mentionsName(n, "threadIdx")
	case n.Kind == "CallExpr", n.Kind == "CXXMemberCallExpr", n.Ref != nil && n.Ref.Name == "threadIdx":
		return true
	}
	return slices.ContainsFunc(n.Inner, ofThread)
}

// mentionsName reports whether an expression names a variable.
func mentionsName(n *syntax.Node, name string) bool {
	return n != nil && (n.Ref != nil && n.Ref.Name == name || slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return mentionsName(c, name) }))
}

// assigns reports whether an expression or a statement changes a variable, or takes its address.
func assigns(n *syntax.Node, ids map[string]bool) bool {
	if n == nil {
		return false
	}
	if changes(n, ids) || n.Kind == "UnaryOperator" && n.Opcode == "&" && namesAny(n.Child(0), ids) {
		return true
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return assigns(c, ids) })
}

// dividable reports whether the list that the loop repeats can be divided before one of its statements: none leaves it or waits at a barrier,
// and none changes the counter.
func (l *strided) dividable(at *code.Statement) bool {
	ok := !code.HasBarrier(l.list) && !assigns(l.list.Node, map[string]bool{l.counter.ID: true})
	var visit func(s *code.Statement)
	visit = func(s *code.Statement) {
		ok = ok && !code.Leaves(s) && !s.Labels() && (!s.Node.Begin.Macro || s.Node.Kind != "IfStmt")
		for _, in := range s.Inner {
			visit(in)
		}
	}
	visit(l.list)
	return ok && slices.Index(l.list.Inner, at) > 0
}

// evened is the patch.
func (l *strided) evened(at *code.Statement) *code.Patch {
	before, hoisted, ok := outlived(l.list, at)
	if !ok {
		return nil
	}
	text := l.s.File.Text
	open, shut := l.list.Node.Begin.Off+1, l.list.Node.End.Off
	first, second := replaced(text, open, at.From, hoisted), string(text[at.From:shut])
	base := unusedWordIn(l.fn, "base")
	head := fmt.Sprintf("for (%[1]s%[2]s = %[3]s; %[2]s %[4]s %[5]s; %[2]s += %[6]s) {", l.typ, base, l.base, l.operator, l.bound, l.step)
	own := append([]string{fmt.Sprintf("%s%s = %s + threadIdx.x;", l.typ, l.counter.Name, base)}, before...)
	test, barrier := "if ("+l.condition+") {", finding.Syncthreads+";"
	outer := "\n" + l.s.Indent()
	in := outer + l.s.Unit()
	deeper := func(part string) string {
		return in + l.s.Unit() + strings.TrimSpace(strings.ReplaceAll(part, outer+l.s.Unit(), in+l.s.Unit()))
	}
	long := head + in + strings.Join(append(own, test), in) + deeper(first) + in + "}" + in + barrier + in + test + deeper(second) + in + "}" + in + barrier + outer + "}"
	short := head + " " + strings.Join(append(own, test), " ") + first + "} " + barrier + " " + test + " " + second + "} " + barrier + " }"
	return &code.Patch{
		Edits:  []code.Edit{l.s.File.Replace(l.s.From, l.s.To, long)},
		Inline: []code.Edit{l.s.File.Replace(l.s.From, l.s.To, short)},
		What: fmt.Sprintf("let all threads make the same number of passes of the loop in line %d, with %s before line %d and at the end of each",
			l.s.File.Line(l.s.From), finding.Syncthreads, l.s.File.Line(at.From)),
	}
}

// unusedWordIn is a name that begins with a given one and that the function does not have.
func unusedWordIn(fn *code.Function, name string) string {
	body := string(fn.File.Text[fn.Node.Begin.Off:fn.Body.To])
	for slices.Contains(code.OperandWords.FindAllString(body, -1), name) {
		name += "x"
	}
	return name
}

// replaced is a part of a text with edits of it.
func replaced(text []byte, from, to int, edits []code.Edit) string {
	part := string(text[from:to])
	for _, e := range slices.Backward(edits) {
		part = part[:e.From-from] + e.Text + part[e.To-from:]
	}
	return part
}
