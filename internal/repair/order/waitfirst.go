package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// WaitFirst moves a wait before the access that it is for, or where that declares what the wait names, the access behind the wait; with
// the fence that the repair names between the two, and what else it adds.
func WaitFirst(p *code.Program, f *finding.Finding) []*code.Patch {
	r := f.Repair
	if r.At == nil || r.To == nil {
		return nil
	}
	_, wait := p.At(r.At.Pos)
	_, access := p.At(r.To.Pos)
	if wait == nil || access == nil || wait.File != access.File {
		return nil
	}
	a, b, common := code.Fork(access, wait)
	if common == 0 || common >= len(a) || common >= len(b) || !a[common-1].IsList() {
		return nil
	}
	first, last := a[common], b[common]
	if first.To > last.From || last.Node.Begin.Macro || code.Leaves(last) {
		return nil
	}
	var made []*code.Patch
	list := a[common-1].Inner
	between := list[slices.Index(list, first):slices.Index(list, last)]
	if CanMoveOver(last, between) {
		made = moveBefore(p, r, first, last)
	} else if first == access && !access.Node.Begin.Macro && access.Node.Kind != "DeclStmt" && len(access.Inner) == 0 && CanMoveOver(access, append(slices.Clone(between[1:]), last)) {
		made = moveBehind(p, r, access, last)
	}
	changes := AddCalls(p, f)
	if len(changes) == 0 && len(r.Adds)+len(r.Orders) > 0 {
		return nil
	}
	for i, m := range made {
		made[i] = code.Join(append([]*code.Patch{m}, changes...)...)
	}
	return made
}

// moveBefore moves a wait before another statement.
func moveBefore(p *code.Program, r *finding.Repair, s, wait *code.Statement) []*code.Patch {
	c, ok := Moving(wait)
	if !ok {
		return nil
	}
	if r.Then != "" {
		c.Text += "\n" + spellCall(p, r.Then, r.At.File) + ";"
	}
	c.Before(s)
	for _, patch := range c.Patches {
		patch.Call, patch.What = "", fmt.Sprintf("move the wait of line %d before line %d%s", s.File.Line(wait.From), s.File.Line(s.From), with(r.Then))
	}
	return c.Patches
}

// moveBehind moves an access behind a wait.
func moveBehind(p *code.Program, r *finding.Repair, s, wait *code.Statement) []*code.Patch {
	c, ok := Moving(s)
	if !ok {
		return nil
	}
	if r.Then != "" {
		c.Text = spellCall(p, r.Then, r.At.File) + ";\n" + c.Text
	}
	c.Behind(wait)
	for _, patch := range c.Patches {
		patch.Call, patch.What = "", fmt.Sprintf("move line %d behind the wait of line %d%s", s.File.Line(s.From), s.File.Line(wait.From), with(r.Then))
	}
	return c.Patches
}

// with puts what is added between into words.
func with(call string) string {
	if call == "" {
		return ""
	}
	return ", with " + call + " between"
}

// Moving are calls that put a statement at another place. ok is false for one whose lines cannot be joined.
func Moving(s *code.Statement) (c code.Calls, ok bool) {
	text := string(s.File.Text[s.From:s.To])
	lines := strings.Count(text, "\n")
	take := s.File.Replace(s.From, s.To, "")
	stay := s.File.Replace(s.From, s.To, strings.Repeat("\n", lines)) // what follows stays in its line
	c = code.Calls{Text: strings.ReplaceAll(text, "\n"+s.Indent(), "\n"), Edits: []code.Edit{s.Lines(take)}, Inline: []code.Edit{stay}}
	return c, lines == 0 || !strings.Contains(text, "//")
}
