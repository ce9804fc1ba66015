package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// mostMoved is over how many statements one is moved.
const mostMoved = 3

// MoveOver moves a write before the statements that come before it, such as one that sets a flag for it, and a read behind those that
// follow it, such as a wait.
func MoveOver(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range code.Places(f) {
		_, s := p.At(at.Loc.Pos)
		if s == nil || s.Outer == nil || !s.Outer.IsList() || s.IsList() || len(s.Inner) > 0 || s.Node.Kind == "DeclStmt" || code.Leaves(s) || s.Node.Begin.Macro {
			continue
		}
		list := s.Outer.Inner
		text := string(s.File.Text[s.From:s.To])
		take := s.File.Replace(s.From, s.To, "")
		for i, o := range list {
			if o != s {
				continue
			}
			signals := false
			for n := 1; n <= mostMoved; n++ {
				if k := map[bool]int{true: i - n, false: i + n}[at.Access == finding.Write]; k >= 0 && k < len(list) {
					if !CanMoveOver(s, list[k:k+1]) {
						break
					}
					signals = signals || signaling(list[k].Node)
				}
				if !signals {
					continue
				}
				c := code.Calls{Text: text, Edits: []code.Edit{s.Lines(take)}, Inline: []code.Edit{take}}
				switch {
				case at.Access == finding.Write && i >= n && !list[i-n].Node.Begin.Macro:
					c.Before(list[i-n])
				case at.Access == finding.Read && i+n < len(list) && !code.Leaves(list[i+n]):
					c.Behind(list[i+n])
				}
				for _, patch := range c.Patches {
					patch.Call = ""
					if at.Access == finding.Write {
						patch.What = fmt.Sprintf("move line %d before line %d", s.File.Line(s.From), s.File.Line(list[i-n].From))
					} else {
						patch.What = fmt.Sprintf("move line %d after line %d", s.File.Line(s.From), s.File.Line(list[i+n].To-1))
					}
					out = append(out, patch)
				}
			}
		}
	}
	return code.Distinct(out)
}

// signaling reports whether a statement may order threads: it waits, sets a flag or is a fence.
func signaling(n *syntax.Node) bool {
	return n != nil && (strings.HasPrefix(n.Desugared, "volatile ") || len(code.Calling(n, func(name string) bool {
		return strings.HasPrefix(name, "atomic") || strings.HasPrefix(name, "__threadfence")
	})) > 0 || slices.ContainsFunc(n.Inner, signaling))
}

// AwaitAll lets a loop wait for as many as there are, where it waits for fewer: "< n" for "< n - 1".
func AwaitAll(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, fn := range code.FunctionsOf(p, f) {
		var visit func(s *code.Statement)
		visit = func(s *code.Statement) {
			if s.IsLoop() && len(s.Body().Inner) == 0 {
				var find func(n *syntax.Node)
				find = func(n *syntax.Node) {
					if n == nil || n == s.Body().Node {
						return
					}
					if n.Kind == "BinaryOperator" && (n.Opcode == "<" || n.Opcode == "<=" || n.Opcode == "!=") {
						if bound := code.Stripped(n.Child(1)); bound != nil && bound.Kind == "BinaryOperator" && bound.Opcode == "-" && code.IsConstant(bound.Child(1)) {
							out = append(out, code.Rewrite(s, bound, s.Text(bound.Child(0))))
						}
					}
					for _, c := range n.Inner {
						find(c)
					}
				}
				find(s.Node)
			}
			for _, in := range s.Inner {
				visit(in)
			}
		}
		visit(fn.Body)
	}
	return code.Distinct(out)
}
