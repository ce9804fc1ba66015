package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// ended lets a loop end, or what it waits for come: by an arrival, a later statement of the host that comes first, a lock that is
// released, or a condition that all values of the counter reach.
func ended(p *Program, f *finding.Finding) []*Patch {
	return slices.Concat(p.arrivedAt(f), p.leadingOnly(f, broughtForward(p, f)), unlocked(p, f), leavable(p, f))
}

// mostForward is how many statements are tried before a wait.
const mostForward = 6

// broughtForward moves what the host does after a launch that waits, or after a wait of a stream, before that.
func broughtForward(p *Program, f *finding.Finding) (out []*Patch) {
	var waits []*statement
	if fn, all := p.inLine(f.Primary.Loc.Pos); fn != nil && !onGPU(fn) {
		waits = all
	}
	for _, fn := range p.functions {
		if !onGPU(fn) {
			waits = append(waits, fn.launches(f.KernelName)...)
		}
	}
	for _, w := range waits {
		w = w.written()
		if w.outer == nil || !w.outer.isList() {
			continue
		}
		n := 0
		for _, s := range w.outer.inner {
			if s.from < w.to || !gives(s) {
				continue
			}
			if patch := s.forward(w); patch != nil {
				out = append(out, patch)
				n++
			}
			if n == mostForward {
				break
			}
		}
	}
	return distinct(out)
}

// onGPU reports whether a function is one of the device.
func onGPU(fn *function) bool {
	return fn.node.Has("CUDAGlobalAttr") || fn.node.Has("CUDADeviceAttr")
}

// gives reports whether a statement changes memory that others may wait for: by a launch, a write in a stream, a copy, or through
// a pointer.
func gives(s *statement) bool {
	if len(s.inner) > 0 || s.node.Kind == "DeclStmt" {
		return false
	}
	if len(launchCalls(s.node)) > 0 || len(calling(s.node, func(name string) bool {
		_, transfers := transfers[name]
		return transfers || strings.HasPrefix(name, "cuStreamWriteValue")
	})) > 0 {
		return true
	}
	to := stripped(assigned(s.node))
	return to != nil && (to.Kind == "UnaryOperator" && to.Opcode == "*" || to.Kind == "ArraySubscriptExpr")
}

// forward moves a statement before another one of its list.
func (s *statement) forward(w *statement) *Patch {
	text := string(s.file.Text[s.from:s.to])
	if strings.Contains(text, "\n") {
		return nil
	}
	take := Edit{s.file.Name, s.from, s.to, ""}
	return &Patch{
		Edits:  []Edit{w.insert(w.from, text+"\n"+w.indent()), s.lines(take)},
		Inline: []Edit{w.insert(w.from, text+" "), take},
		What:   fmt.Sprintf("move line %d before line %d, which waits for it", s.file.line(s.from), w.file.line(w.from)),
	}
}

// writtenValue lets a stream's wait be for a value that is written, or what writes it come first.
func writtenValue(p *Program, f *finding.Finding) []*Patch {
	out := broughtForward(p, f)
	_, all := p.inLine(f.Primary.Loc.Pos)
	for _, s := range all {
		if s.outer == nil || !s.outer.isList() {
			continue
		}
		for _, wait := range calling(s.node, func(name string) bool { return strings.HasPrefix(name, "cuStreamWaitValue") }) {
			for _, o := range s.outer.inner {
				for _, write := range calling(o.node, func(name string) bool { return strings.HasPrefix(name, "cuStreamWriteValue") }) {
					if o.argument(write.Child(2)) == s.argument(wait.Child(2)) {
						out = append(out, rewrite(o, write.Child(3), s.argument(wait.Child(3))), rewrite(s, wait.Child(3), o.argument(write.Child(3))))
					}
				}
			}
		}
	}
	return distinct(out)
}

// unlocked releases a lock that a function takes by atomicCAS and releases nowhere, after what it does with it.
func unlocked(p *Program, f *finding.Finding) (out []*Patch) {
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	for !s.isLoop() && s.outer != nil {
		s = s.outer
	}
	object := ""
	if s.outer != nil && s.outer.isList() {
		object = lockedObject(s, "atomicCAS")
	}
	if object == "" {
		return nil
	}
	released := false
	fn.each(func(o *statement) { released = released || lockedObject(o, "atomicExch") == object })
	if released {
		return nil
	}
	c := calls{text: "__threadfence();\natomicExch(" + object + ", 0);"}
	for _, after := range slices.Backward(s.outer.inner) {
		if after.from > s.to {
			c.behind(after)
		}
	}
	return c.patches
}

// leavable lets a loop's counter reach what ends it: it compares with < where the counter goes past a value, and counts in a type
// that has negative numbers where it compares with zero.
func leavable(p *Program, f *finding.Finding) (out []*Patch) {
	fn, s := p.at(f.Primary.Loc.Pos)
	for ; s != nil; s = s.outer {
		condition := s.condition()
		if condition == nil {
			continue
		}
		left, right := stripped(condition.Child(0)), stripped(condition.Child(1))
		switch from := s.file.operator(condition); {
		case from == 0:
		case condition.Opcode == "!=" && whole[left.Desugared]:
			edit := Edit{s.file.Name, from, from + len(condition.Opcode), "<"}
			out = append(out, counts(s.file, condition, edit))
		case condition.Opcode == ">=" && left.Ref != nil && unsignedTypes[left.Desugared] != "" && right.Kind == "IntegerLiteral" && right.Value == "0":
			out = append(out, countsIn(fn, left.Ref.ID, unsignedTypes[left.Desugared]))
		}
	}
	return distinct(out)
}

// condition is the comparison that a loop is repeated for; nil for others.
func (s *statement) condition() *syntax.Node {
	i, ok := map[string]int{"ForStmt": 2, "WhileStmt": 0, "DoStmt": 1}[s.node.Kind]
	if n := stripped(s.node.Child(i)); ok && n != nil && n.Kind == "BinaryOperator" {
		return n
	}
	return nil
}

// counts is a patch that changes the comparison of a loop.
func counts(f *File, n *syntax.Node, e Edit) *Patch {
	patch := f.compares(source.Pos{}, n, e)
	if patch != nil {
		patch.KeepsMemory = false
	}
	return patch
}

// unsignedTypes are the types of counters without negative numbers, each with one that has them.
var unsignedTypes = map[string]string{"unsigned int": "int", "unsigned long": "long", "unsigned long long": "long long", "unsigned short": "int", "unsigned char": "int"}

// countsIn declares a variable of a function with another type.
func countsIn(fn *function, id, kind string) (out *Patch) {
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Kind == "VarDecl" && n.ID == id && !n.Begin.Macro && !n.Loc.Macro && n.Begin.Off < n.Loc.Off {
			edits := []Edit{{fn.file.Name, n.Begin.Off, n.Loc.Off, kind + " "}}
			out = &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("declare %s as %s in line %d", n.Name, kind, fn.file.line(n.Loc.Off))}
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(fn.node)
	return out
}
