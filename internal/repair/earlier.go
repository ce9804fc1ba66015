package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// mostMoved is over how many statements one is moved.
const mostMoved = 3

// movedOver moves a write before the statements that come before it, such as one that sets a flag for it, and a read behind those that
// follow it, such as a wait.
func movedOver(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range places(f) {
		_, s := p.at(at.Loc.Pos)
		if s == nil || s.outer == nil || !s.outer.isList() || s.isList() || len(s.inner) > 0 || s.node.Kind == "DeclStmt" || leaves(s) || s.node.Begin.Macro {
			continue
		}
		list := s.outer.inner
		text := string(s.file.Text[s.from:s.to])
		take := Edit{s.file.Name, s.from, s.to, ""}
		for i, o := range list {
			if o != s {
				continue
			}
			signals := false
			for n := 1; n <= mostMoved; n++ {
				if k := map[bool]int{true: i - n, false: i + n}[at.Access == finding.Write]; k >= 0 && k < len(list) {
					signals = signals || signaling(list[k].node)
				}
				if !signals {
					continue
				}
				c := calls{text: text, edits: []Edit{s.lines(take)}, inline: []Edit{take}}
				switch {
				case at.Access == finding.Write && i >= n && !list[i-n].node.Begin.Macro:
					c.before(list[i-n])
				case at.Access == finding.Read && i+n < len(list) && !leaves(list[i+n]):
					c.behind(list[i+n])
				}
				for _, patch := range c.patches {
					patch.Call = ""
					if at.Access == finding.Write {
						patch.What = fmt.Sprintf("move line %d before line %d", s.file.line(s.from), s.file.line(list[i-n].from))
					} else {
						patch.What = fmt.Sprintf("move line %d after line %d", s.file.line(s.from), s.file.line(list[i+n].to-1))
					}
					out = append(out, patch)
				}
			}
		}
	}
	return distinct(out)
}

// signaling reports whether a statement may order threads: it waits, sets a flag or is a fence.
func signaling(n *syntax.Node) bool {
	return n != nil && (strings.HasPrefix(n.Desugared, "volatile ") || len(calling(n, func(name string) bool {
		return strings.HasPrefix(name, "atomic") || strings.HasPrefix(name, "__threadfence")
	})) > 0 || slices.ContainsFunc(n.Inner, signaling))
}

// allAwaited lets a loop wait for as many as there are, where it waits for fewer: "< n" for "< n - 1".
func allAwaited(p *Program, f *finding.Finding) (out []*Patch) {
	for _, fn := range p.functionsOf(f) {
		var visit func(s *statement)
		visit = func(s *statement) {
			if s.isLoop() && len(s.body().inner) == 0 {
				var find func(n *syntax.Node)
				find = func(n *syntax.Node) {
					if n == nil || n == s.body().node {
						return
					}
					if n.Kind == "BinaryOperator" && (n.Opcode == "<" || n.Opcode == "<=" || n.Opcode == "!=") {
						if bound := stripped(n.Child(1)); bound != nil && bound.Kind == "BinaryOperator" && bound.Opcode == "-" && isConstant(bound.Child(1)) {
							out = append(out, rewrite(s, bound, s.text(bound.Child(0))))
						}
					}
					for _, c := range n.Inner {
						find(c)
					}
				}
				find(s.node)
			}
			for _, in := range s.inner {
				visit(in)
			}
		}
		visit(fn.body)
	}
	return distinct(out)
}
