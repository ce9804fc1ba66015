package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// waitedFirst moves a wait before the access that it is for, or where that declares what the wait names, the access behind the wait; with
// the fence that the repair names between the two, and what else it adds.
func waitedFirst(p *Program, f *finding.Finding) []*Patch {
	r := f.Repair
	if r.At == nil || r.To == nil {
		return nil
	}
	_, wait := p.at(r.At.Pos)
	_, access := p.at(r.To.Pos)
	if wait == nil || access == nil || wait.file != access.file {
		return nil
	}
	a, b, common := fork(access, wait)
	if common == 0 || common >= len(a) || common >= len(b) || !a[common-1].isList() {
		return nil
	}
	first, last := a[common], b[common]
	if first.to > last.from || last.node.Begin.Macro || leaves(last) {
		return nil
	}
	var made []*Patch
	if !declaredBetween(a[common-1], first, last) {
		made = p.movedBefore(r, first, last)
	} else if first == access && !access.node.Begin.Macro && access.node.Kind != "DeclStmt" && len(access.inner) == 0 {
		made = p.movedBehind(r, access, last)
	}
	changes := p.additions(f)
	if len(changes) == 0 && len(r.Adds)+len(r.Orders) > 0 {
		return nil
	}
	for i, m := range made {
		made[i] = Join(append([]*Patch{m}, changes...)...)
	}
	return made
}

// declaredBetween reports whether a statement names what one before it in its list declares, from another statement on.
func declaredBetween(list, from, s *statement) bool {
	ids := map[string]bool{}
	for _, d := range list.inner[slices.Index(list.inner, from):slices.Index(list.inner, s)] {
		if d.node.Kind != "DeclStmt" {
			continue
		}
		for _, v := range d.node.Inner {
			if v != nil {
				ids[v.ID] = true
			}
		}
	}
	return mentions(s.node, ids)
}

// movedBefore moves a wait before another statement.
func (p *Program) movedBefore(r *finding.Repair, s, wait *statement) []*Patch {
	c, ok := moving(wait)
	if !ok {
		return nil
	}
	if r.Then != "" {
		c.text += "\n" + p.spelled(r.Then, r.At.File) + ";"
	}
	c.before(s)
	for _, patch := range c.patches {
		patch.Call, patch.What = "", fmt.Sprintf("move the wait of line %d before line %d%s", s.file.line(wait.from), s.file.line(s.from), with(r.Then))
	}
	return c.patches
}

// movedBehind moves an access behind a wait.
func (p *Program) movedBehind(r *finding.Repair, s, wait *statement) []*Patch {
	c, ok := moving(s)
	if !ok {
		return nil
	}
	if r.Then != "" {
		c.text = p.spelled(r.Then, r.At.File) + ";\n" + c.text
	}
	c.behind(wait)
	for _, patch := range c.patches {
		patch.Call, patch.What = "", fmt.Sprintf("move line %d behind the wait of line %d%s", s.file.line(s.from), s.file.line(wait.from), with(r.Then))
	}
	return c.patches
}

// with puts what is added between into words.
func with(call string) string {
	if call == "" {
		return ""
	}
	return ", with " + call + " between"
}

// moving are calls that put a statement at another place. ok is false for one whose lines cannot be joined.
func moving(s *statement) (c calls, ok bool) {
	text := string(s.file.Text[s.from:s.to])
	lines := strings.Count(text, "\n")
	take := Edit{s.file.Name, s.from, s.to, ""}
	stay := Edit{s.file.Name, s.from, s.to, strings.Repeat("\n", lines)} // what follows stays in its line
	c = calls{text: strings.ReplaceAll(text, "\n"+s.indent(), "\n"), edits: []Edit{s.lines(take)}, inline: []Edit{stay}}
	return c, lines == 0 || !strings.Contains(text, "//")
}
