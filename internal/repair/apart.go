package repair

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// apart adds the statement between two calls of one statement, as of a helper that is called twice: the first one is evaluated before it.
func (c *calls) apart(p *Program, r *finding.Repair, s *statement) {
	if s.outer == nil || !s.outer.isList() || r.From.Col >= r.To.Col {
		return
	}
	_, _, from := p.place(r.From.Pos)
	_, _, to := p.place(r.To.Pos)
	first, then := callAt(s, s.node, from), callAt(s, s.node, to)
	if first == nil || then == nil || first == then || holdsNode(first, then) || holdsNode(then, first) {
		return
	}
	line := s.file.line(s.from)
	name := s.unused(fmt.Sprintf("first%d", line))
	use := Edit{s.file.Name, first.Begin.Off, first.End.End(), name}
	before := func(sep string) Edit {
		return s.insert(s.from, "auto "+name+" = "+s.text(first)+";"+sep+c.with(sep)+sep)
	}
	c.patches = append(c.patches, &Patch{Edits: append([]Edit{before("\n" + s.listIndent()), use}, s.ownLine()...), Inline: []Edit{before(" "), use},
		What: fmt.Sprintf("add %s between the calls of line %d", r.Call, line)})
}

// callAt is the outermost call at an offset whose value can be computed before the statement: none that a condition decides.
func callAt(s *statement, n *syntax.Node, off int) *syntax.Node {
	if n == nil || n.Kind == "ConditionalOperator" || n.Kind == "LambdaExpr" || n.Kind == "BinaryOperator" && (n.Opcode == "&&" || n.Opcode == "||" || n.Opcode == ",") {
		return nil
	}
	if n.Kind == "CallExpr" && n.Begin.Off <= off && off < n.End.End() && !n.Begin.Macro && n.Desugared != "void" && s.text(n) != "" {
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
