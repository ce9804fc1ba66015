package code

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// callAt is the outermost call at an offset whose value can be computed before the statement: none that a condition decides.
func callAt(s *Statement, n *syntax.Node, off int) *syntax.Node {
	if n == nil || n.Kind == "ConditionalOperator" || n.Kind == "LambdaExpr" || n.Kind == "BinaryOperator" && (n.Opcode == "&&" || n.Opcode == "||" || n.Opcode == ",") {
		return nil
	}
	if n.Kind == "CallExpr" && n.Begin.Off <= off && off < n.End.End() && !n.Begin.Macro && n.Desugared != "void" && s.Text(n) != "" {
		return n
	}
	for _, c := range n.Inner {
		if call := callAt(s, c, off); call != nil {
			return call
		}
	}
	return nil
}

// holdsNode reports whether an expression has another one in it.
func holdsNode(n, in *syntax.Node) bool {
	return n.Begin.Off <= in.Begin.Off && in.End.End() <= n.End.End()
}

// Distinct are patches without those that make the same edits as one before.
func Distinct(ps []*Patch) (out []*Patch) {
	for _, p := range ps {
		if p == nil {
			continue
		}
		same := false
		for _, o := range out {
			same = same || p.Same(o)
		}
		if !same {
			out = append(out, p)
		}
	}
	return out
}

// Assigned is the left side of an assignment, nil for other statements.
func Assigned(n *syntax.Node) *syntax.Node {
	for n != nil && n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	switch {
	case n == nil:
	case n.Kind == "BinaryOperator" && n.Opcode == "=":
		return n.Child(0)
	case n.Kind == "CXXOperatorCallExpr" && Callee(n) == "operator=":
		return n.Child(1)
	}
	return nil
}

// Stripped is an expression without conversions and parentheses.
func Stripped(n *syntax.Node) *syntax.Node {
	for n != nil && (n.Kind == "ImplicitCastExpr" || n.Kind == "ParenExpr") {
		n = n.Child(0)
	}
	return n
}

// Text is the text of an expression; "" where a macro has a part in its ends that may be more than an operand.
func (s *Statement) Text(n *syntax.Node) string {
	if n == nil || n.Begin.File == "" || !s.File.operand(n, n.Begin) || !s.File.operand(n, n.End) || n.Begin.Off < s.From || n.End.End() > s.To {
		return ""
	}
	return string(s.File.Text[n.Begin.Off:n.End.End()])
}

// Callee is the name of the function that is called, "" where there is none.
func Callee(call *syntax.Node) string {
	if n := Stripped(call.Child(0)); n != nil && n.Ref != nil {
		return n.Ref.Name
	}
	return ""
}

// Uncast is an expression without conversions, also those that are written, and parentheses.
func Uncast(n *syntax.Node) *syntax.Node {
	for n != nil && (strings.HasSuffix(n.Kind, "CastExpr") || n.Kind == "ParenExpr") {
		n = n.Child(0)
	}
	return n
}

// Argument is text, also of an expression that a macro has as an argument. What consists of several
// arguments has a comma in it.
func (s *Statement) Argument(n *syntax.Node) string {
	if n == nil || !n.Begin.Macro && !n.End.Macro {
		return s.Text(n)
	}
	if n.Begin.Arg == 0 || n.End.Arg == 0 || n.Begin.File != n.End.File {
		return ""
	}
	from, to := n.Begin.Arg-1, n.End.Arg-1+n.End.ArgLen
	if from < s.From || to > s.To || from >= to {
		return ""
	}
	return string(s.File.Text[from:to])
}

// Written is the statement as it stands in the source: a macro's use for what the macro makes.
func (s *Statement) Written() *Statement {
	for s.Outer != nil && (s.Outer.Node.Begin.Macro || !s.Outer.IsList()) && s.Outer.From == s.From {
		s = s.Outer
	}
	return s
}

// Declaration is the statement in s that declares a variable of a name, and the variable.
func (s *Statement) Declaration(name string) (*Statement, *syntax.Node) {
	if s.Node.Kind == "DeclStmt" {
		for _, v := range s.Node.Inner {
			if v.Kind == "VarDecl" && v.Name == name {
				return s, v
			}
		}
	}
	for _, in := range s.Inner {
		if d, v := in.Declaration(name); v != nil {
			return d, v
		}
	}
	return nil, nil
}

// IsInner reports whether a node is a statement of its own.
func (s *Statement) IsInner(n *syntax.Node) bool {
	return slices.ContainsFunc(s.Inner, func(in *Statement) bool { return in.Node == n })
}

// OnGPU reports whether a function is one of the device.
func OnGPU(fn *Function) bool {
	return fn.Node.Has("CUDAGlobalAttr") || fn.Node.Has("CUDADeviceAttr")
}

// Unused is a name that begins with a given one and that the file does not have. The line in
// it keeps those of several statements apart.
func (s *Statement) Unused(name string) string {
	for bytes.Contains(s.File.Text, []byte(name)) {
		name += "x"
	}
	return name
}

// Each visits the innermost statements of a function.
func (fn *Function) Each(visit func(*Statement)) {
	var inner func(s *Statement)
	inner = func(s *Statement) {
		for _, in := range s.Inner {
			inner(in)
		}
		if len(s.Inner) == 0 && s.Outer != nil {
			visit(s)
		}
	}
	inner(fn.Body)
}

// Lines lets an edit that removes the statement remove its line, if that has nothing else.
func (s *Statement) Lines(e Edit) Edit {
	text := s.File.Text
	from := s.File.Lines[s.File.Line(s.From)-1]
	end := bytes.IndexByte(text[s.To:], '\n')
	if e.Text == "" && end >= 0 && len(bytes.TrimSpace(text[from:s.From])) == 0 && len(bytes.TrimSpace(text[s.To:s.To+end])) == 0 {
		e.From, e.To = from, s.To+end+1
	}
	return e
}

// Changed returns the operand to which an expression gives another value, nil if it gives none.
func Changed(n *syntax.Node) *syntax.Node {
	switch n.Kind {
	case "CompoundAssignOperator":
		return n.Child(0)
	case "BinaryOperator":
		if n.Opcode == "=" {
			return n.Child(0)
		}
	case "UnaryOperator":
		if n.Opcode == "++" || n.Opcode == "--" {
			return n.Child(0)
		}
	case "CXXOperatorCallExpr":
		if callee := Stripped(n.Child(0)); callee != nil && callee.Ref != nil && assignments[callee.Ref.Name] {
			return n.Child(1)
		}
	}
	return nil
}

// assignments are the operators that change their first operand.
var assignments = map[string]bool{"operator=": true, "operator++": true, "operator--": true, "operator+=": true, "operator-=": true, "operator*=": true,
	"operator/=": true, "operator%=": true, "operator&=": true, "operator|=": true, "operator^=": true, "operator<<=": true, "operator>>=": true}

// StreamType is what cudaStream_t and CUstream name, as clang prints it.
const StreamType = "struct CUstream_st *"

// Checked is a call made as those of the statement are: with the macro that one of them is the argument of.
func (s *Statement) Checked(call string) string {
	if name := s.Node.Begin; name.Macro && s.argumentOf(s.Node) {
		return syntax.WordAt(s.File.Text, name.Off) + "(" + call + ")"
	}
	return call
}

// argumentOf reports whether a call stands in the argument of a macro.
func (s *Statement) argumentOf(n *syntax.Node) bool {
	if n == nil {
		return false
	}
	if n.Kind == "CallExpr" && n.Begin.Arg > 0 {
		return true
	}
	for _, c := range n.Inner {
		if s.argumentOf(c) {
			return true
		}
	}
	return false
}

// Acts reports whether the evaluation of an expression may do more than give its value.
func Acts(n *syntax.Node) bool {
	switch {
	case n == nil || n.Kind == "PseudoObjectExpr": // threadIdx.x
		return false
	case Changed(n) != nil, n.Kind == "CallExpr", n.Kind == "CXXMemberCallExpr", n.Kind == "CXXOperatorCallExpr", n.Kind == "CXXConstructExpr":
		return true
	}
	return slices.ContainsFunc(n.Inner, Acts)
}

// Calling returns the calls in an expression or a statement that a function chooses by name.
func Calling(n *syntax.Node, chosen func(name string) bool) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "CallExpr" && chosen(Callee(n)) {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, Calling(c, chosen)...)
	}
	return out
}

// Rewrite writes another text for an expression; nil where that has no text of its own.
func Rewrite(s *Statement, n *syntax.Node, text string) *Patch {
	from, to := Span(s, n)
	if from >= to || text == "" || text == string(s.File.Text[from:to]) {
		return nil
	}
	edits := []Edit{s.File.Replace(from, to, text)}
	return &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("write %s for %s in line %d", text, s.File.Text[from:to], s.File.Line(from))}
}

// IsPointer reports whether the value of an expression is a pointer.
func IsPointer(n *syntax.Node) bool { return n != nil && strings.HasSuffix(n.Desugared, "*") }

// everyList visits the lists of statements in a statement.
func everyList(s *Statement, visit func(*Statement)) {
	for _, in := range s.Inner {
		everyList(in, visit)
	}
	if s.IsList() {
		visit(s)
	}
}

// gap is a statement with gaps.
type gap struct{ *Statement }

// addUnread adds the statements in the gaps of a list. In a gap with a directive there may be text that is not compiled.
func (s gap) addUnread() {
	if !s.IsList() || s.Node.Begin.Macro || s.Node.End.Macro {
		return
	}
	var all []*Statement
	from := s.From + 1
	add := func(to int) {
		if from < to && !bytes.Contains(s.File.Text[from:to], []byte("#")) {
			for at := syntax.SkipBlank(s.File.Text, from); at < to; at = syntax.SkipBlank(s.File.Text, at) {
				in := s.unreadAt(at, to)
				if in == nil {
					break
				}
				all = append(all, in)
				at = in.To
			}
		}
	}
	for _, in := range s.Inner {
		if in.Node.Kind == "RecoveryExpr" && s.File.Text[in.To-1] == ';' { // a call with functions that are not the device's
			in.Node = s.unreadExpr(in.From, in.To-1)
		}
		add(in.From)
		all = append(all, in)
		from = max(from, in.To)
	}
	add(s.To - 1)
	s.Inner = all
}

// Enclosed is the place behind the bracket that closes the one at an offset, -1 for none before the end.
func Enclosed(text []byte, at, end int) int {
	depth := 0
	for i := at; i < end; i = syntax.SkipToken(text, i) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// IsKernel reports whether the function is the kernel of a name, as it is demangled.
func IsKernel(fn *Function, name string) bool {
	own := fn.Node.Name
	return fn.Node.Has("CUDAGlobalAttr") && own != "" && (name == own || strings.HasPrefix(name, own+"(") || strings.HasPrefix(name, own+"<") ||
		strings.Contains(name, "::"+own+"(") || strings.Contains(name, "::"+own+"<") || strings.Contains(name, " "+own+"<"))
}

// CallLines are the statements of a call, which has a new line between two.
func CallLines(call string) []string { return strings.Split(call+";", "\n") }

// InOneLine is a call for people.
func InOneLine(call string) string { return strings.ReplaceAll(call, "\n", " ") }

// First are the first n of some patches.
func First(n int, ps []*Patch) []*Patch { return ps[:min(n, len(ps))] }

// Initializer gives a variable that has none one.
func Initializer(s *Statement, v *syntax.Node) []*Patch {
	if v.Begin.Macro || v.End.Macro {
		return nil
	}
	if HasInitializer(v) {
		return cleared(s, v)
	}
	edits := []Edit{s.Insert(v.End.End(), " = {}")}
	return []*Patch{{Edits: edits, Inline: edits, What: fmt.Sprintf("initialize %s in line %d", v.Name, s.File.Line(v.Begin.Off))}}
}

// cleared sets all of a variable to zero whose constructor, which has no arguments, leaves a part of it as it is.
func cleared(s *Statement, v *syntax.Node) []*Patch {
	made := v.Child(0)
	if made == nil || made.Kind != "CXXConstructExpr" || len(made.Inner) > 0 || v.End.End() != v.Loc.End() || s.Outer == nil || !s.Outer.IsList() {
		return nil
	}
	c := Calls{Text: "memset(&" + v.Name + ", 0, sizeof " + v.Name + ");"}
	c.Behind(s)
	return c.Patches
}

// HasCall reports whether something is called in an expression.
func HasCall(n *syntax.Node) bool {
	return n != nil && (n.Kind == "CallExpr" || n.Kind == "CXXMemberCallExpr" || slices.ContainsFunc(n.Inner, HasCall))
}

// Effects reports whether evaluating an expression may do more than give its value: an assignment, a call that is given other
// things than numbers, or a member function other than a group's rank. threadIdx.x calls one inside, which has none.
func Effects(n *syntax.Node) bool {
	switch {
	case n == nil || n.Kind == "PseudoObjectExpr":
		return false
	case Changed(n) != nil:
		return true
	case n.Kind == "CXXMemberCallExpr":
		if m := Stripped(n.Child(0)); m == nil || !Ranks[m.Name] {
			return true
		}
	case n.Kind == "CallExpr":
		if slices.ContainsFunc(n.Inner[1:], func(a *syntax.Node) bool { return !Arithmetic[a.Desugared] }) || len(n.Inner) < 2 {
			return true
		}
	}
	return slices.ContainsFunc(n.Inner, Effects)
}

// ReadsMemory reports whether an expression follows a pointer, or calls something that may.
func ReadsMemory(n *syntax.Node) bool {
	if n == nil || n.Kind == "PseudoObjectExpr" {
		return false
	}
	return n.Kind == "ArraySubscriptExpr" || n.Kind == "UnaryOperator" && n.Opcode == "*" || n.Kind == "CallExpr" || n.Kind == "CXXMemberCallExpr" ||
		slices.ContainsFunc(n.Inner, ReadsMemory)
}

// IsBarrier reports whether an expression is a call of a barrier of the block.
func IsBarrier(n *syntax.Node) bool {
	for n != nil && n.Kind == "ExprWithCleanups" {
		n = n.Child(0)
	}
	if n == nil {
		return false
	}
	if n.Kind == "CXXMemberCallExpr" {
		m := Stripped(n.Child(0))
		return m != nil && m.Name == "sync"
	}
	return n.Kind == "CallExpr" && strings.HasPrefix(Callee(n), "__syncthreads")
}

// HasBarrier reports whether a statement, or one in it, calls a barrier.
func HasBarrier(s *Statement) bool {
	var visit func(n *syntax.Node) bool
	visit = func(n *syntax.Node) bool {
		return n != nil && (IsBarrier(n) || slices.ContainsFunc(n.Inner, visit))
	}
	return visit(s.Node)
}

// HasInitializer reports whether a variable is initialized where it is declared.
func HasInitializer(v *syntax.Node) bool {
	return slices.ContainsFunc(v.Inner, func(c *syntax.Node) bool { return c != nil && IsExpression(c) })
}

// Surrounded puts statements before and after another one, in which it makes an edit.
func Surrounded(s *Statement, before, after []string, edit Edit, what string) *Patch {
	edits := func(sep, more string, at int) []Edit {
		open, end := "", ""
		if !s.Outer.IsList() {
			open, end, sep = "{"+sep+more, sep+"}", sep+more
		}
		first, last := open+strings.Join(before, sep)+sep, ""
		for _, text := range after {
			last += sep + text
		}
		if last += end; last == "" {
			return []Edit{s.Insert(s.From, first), edit}
		}
		return []Edit{s.Insert(s.From, first), edit, s.Insert(at, last)}
	}
	return &Patch{Edits: edits("\n"+s.Indent(), s.Unit(), s.LineEnd()), Inline: edits(" ", "", s.To), What: what}
}
