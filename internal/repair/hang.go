package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
	"github.com/warpgrind/warpgrind/internal/repair/order"
	"github.com/warpgrind/warpgrind/internal/source"
)

// ended lets a loop end, or what it waits for come: by an arrival, a later statement of the host that comes first, a lock that is
// released, or a condition that all values of the counter reach.
func ended(p *code.Program, f *finding.Finding) []*code.Patch {
	return slices.Concat(order.ArriveAt(p, f), order.KeepLeading(p, f, broughtForward(p, f)), unlocked(p, f), leavable(p, f))
}

// mostForward is how many statements are tried before a wait.
const mostForward = 6

// broughtForward moves what the host does after a launch that waits, or after a wait of a stream, before that.
func broughtForward(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	var waits []*code.Statement
	if fn, all := p.InLine(f.Primary.Loc.Pos); fn != nil && !code.OnGPU(fn) {
		waits = all
	}
	for _, fn := range p.Functions {
		if !code.OnGPU(fn) {
			waits = append(waits, code.LaunchesIn(fn, f.KernelName)...)
		}
	}
	for _, w := range waits {
		w = w.Written()
		if w.Outer == nil || !w.Outer.IsList() {
			continue
		}
		n := 0
		list := w.Outer.Inner
		for i, s := range list {
			if s.From < w.To || !gives(s) || !order.CanMoveOver(s, list[slices.Index(list, w):i]) {
				continue
			}
			if patch := moveForward(s, w); patch != nil {
				out = append(out, patch)
				n++
			}
			if n == mostForward {
				break
			}
		}
	}
	return code.Distinct(out)
}

// gives reports whether a statement changes memory that others may wait for: by a launch, a write in a stream, a copy, or through
// a pointer.
func gives(s *code.Statement) bool {
	if len(s.Inner) > 0 || s.Node.Kind == "DeclStmt" {
		return false
	}
	if len(code.LaunchCalls(s.Node)) > 0 || len(code.Calling(s.Node, func(name string) bool {
		_, transfers := memory.Transfers[name]
		return transfers || strings.HasPrefix(name, "cuStreamWriteValue")
	})) > 0 {
		return true
	}
	to := code.Stripped(code.Assigned(s.Node))
	return to != nil && (to.Kind == "UnaryOperator" && to.Opcode == "*" || to.Kind == "ArraySubscriptExpr")
}

// moveForward moves a statement before another one of its list.
func moveForward(s *code.Statement, w *code.Statement) *code.Patch {
	text := string(s.File.Text[s.From:s.To])
	if strings.Contains(text, "\n") {
		return nil
	}
	take := s.File.Replace(s.From, s.To, "")
	return &code.Patch{
		Edits:  []code.Edit{w.Insert(w.From, text+"\n"+w.Indent()), s.Lines(take)},
		Inline: []code.Edit{w.Insert(w.From, text+" "), take},
		What:   fmt.Sprintf("move line %d before line %d, which waits for it", s.File.Line(s.From), w.File.Line(w.From)),
	}
}

// writtenValue lets a stream's wait be for a value that is written, or what writes it come first.
func writtenValue(p *code.Program, f *finding.Finding) []*code.Patch {
	out := broughtForward(p, f)
	_, all := p.InLine(f.Primary.Loc.Pos)
	for _, s := range all {
		if s.Outer == nil || !s.Outer.IsList() {
			continue
		}
		for _, wait := range code.Calling(s.Node, func(name string) bool { return strings.HasPrefix(name, "cuStreamWaitValue") }) {
			for _, o := range s.Outer.Inner {
				for _, write := range code.Calling(o.Node, func(name string) bool { return strings.HasPrefix(name, "cuStreamWriteValue") }) {
					if o.Argument(write.Child(2)) == s.Argument(wait.Child(2)) {
						out = append(out, code.Rewrite(o, write.Child(3), s.Argument(wait.Child(3))), code.Rewrite(s, wait.Child(3), o.Argument(write.Child(3))))
					}
				}
			}
		}
	}
	return code.Distinct(out)
}

// unlocked releases a lock that a function takes by atomicCAS and releases nowhere, after what it does with it.
func unlocked(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	fn, s := p.At(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	for !s.IsLoop() && s.Outer != nil {
		s = s.Outer
	}
	object := ""
	if s.Outer != nil && s.Outer.IsList() {
		object = order.LockedObject(s, "atomicCAS")
	}
	if object == "" {
		return nil
	}
	released := false
	fn.Each(func(o *code.Statement) { released = released || order.LockedObject(o, "atomicExch") == object })
	if released {
		return nil
	}
	c := code.Calls{Text: "__threadfence();\natomicExch(" + object + ", 0);"}
	for _, after := range slices.Backward(s.Outer.Inner) {
		if after.From > s.To {
			c.Behind(after)
		}
	}
	return c.Patches
}

// leavable lets a loop's counter reach what ends it: it compares with < where the counter goes past a value, and counts in a type
// that has negative numbers where it compares with zero.
func leavable(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	fn, s := p.At(f.Primary.Loc.Pos)
	for ; s != nil; s = s.Outer {
		condition := code.LoopCondition(s)
		if condition == nil {
			continue
		}
		left, right := code.Stripped(condition.Child(0)), code.Stripped(condition.Child(1))
		switch from := code.OperatorAt(s.File, condition); {
		case from == 0:
		case condition.Opcode == "!=" && code.Whole[left.Desugared]:
			edit := s.File.Replace(from, from+len(condition.Opcode), "<")
			out = append(out, counts(s.File, condition, edit))
		case condition.Opcode == ">=" && left.Ref != nil && unsignedTypes[left.Desugared] != "" && right.Kind == "IntegerLiteral" && right.Value == "0":
			out = append(out, countsIn(fn, left.Ref.ID, unsignedTypes[left.Desugared]))
		}
	}
	return code.Distinct(out)
}

// counts is a patch that changes the comparison of a loop.
func counts(f *code.File, n *syntax.Node, e code.Edit) *code.Patch {
	patch := code.ChangeComparison(f, source.Pos{}, n, e)
	if patch != nil {
		patch.KeepsMemory = false
	}
	return patch
}

// unsignedTypes are the types of counters without negative numbers, each with one that has them.
var unsignedTypes = map[string]string{"unsigned int": "int", "unsigned long": "long", "unsigned long long": "long long", "unsigned short": "int", "unsigned char": "int"}

// countsIn declares a variable of a function with another type.
func countsIn(fn *code.Function, id, kind string) (out *code.Patch) {
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Kind == "VarDecl" && n.ID == id && !n.Begin.Macro && !n.Loc.Macro && n.Begin.Off < n.Loc.Off {
			edits := []code.Edit{fn.File.Replace(n.Begin.Off, n.Loc.Off, kind+" ")}
			out = &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("declare %s as %s in line %d", n.Name, kind, fn.File.Line(n.Loc.Off))}
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(fn.Node)
	return out
}
