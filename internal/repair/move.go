package repair

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// moved takes the barrier that a finding is about out of the conditionals around it: it puts it
// behind each of them, or ends the innermost before it, and continues that after it.
func (p *Program) moved(f *finding.Finding) []*Patch {
	return movedOut(p, f.Primary.Loc.Pos, "barrier")
}

// movedOut takes the statement at a position, which is a barrier or the like, out of the conditionals around it.
func movedOut(p *Program, at source.Pos, what string) []*Patch {
	_, s := p.at(at)
	if s == nil || s.isList() || s.outer == nil || len(s.inner) > 0 {
		return nil
	}
	out := s.divided(string(s.file.Text[s.from:s.to]))
	all := append(declarationsFor(s), s)
	text := joinedText(all, " ")
	for o := s.outer; o != nil && o.outer != nil; o = o.outer {
		if o.node.Kind != "IfStmt" || !o.outer.isList() && !o.outer.isLoop() {
			continue
		}
		var edits, take []Edit
		for _, m := range all {
			e := Edit{m.file.Name, m.from, m.to, ""}
			if !m.outer.isList() {
				e.Text = ";" // the only statement of its branch
			}
			edits, take = append(edits, m.lines(e)), append(take, e)
		}
		if o.outer.isLoop() {
			c := calls{text: text, edits: edits, inline: take}
			c.wrap(o, false)
			for _, patch := range c.patches {
				patch.What = fmt.Sprintf("move the %s of line %d behind the branch that ends in line %d", what, s.file.line(s.from), s.file.line(o.to-1))
			}
			out = append(out, c.patches...)
			continue
		}
		out = append(out, &Patch{
			Edits:  append(slices.Clone(edits), o.insert(o.lineEnd(), "\n"+o.indent()+joinedText(all, "\n"+o.indent()))),
			Inline: append(slices.Clone(take), o.insert(o.to, " "+text)),
			What:   fmt.Sprintf("move the %s of line %d behind the branch that ends in line %d", what, s.file.line(s.from), s.file.line(o.to-1)),
		})
		out = append(out, merged(o, s, string(s.file.Text[s.from:s.to])))
	}
	return distinct(out)
}

// declarationsFor are the statements before s in its list that declare what it names, such as the token of a barrier in two parts, with
// those that declare what these name.
func declarationsFor(s *statement) (out []*statement) {
	if !s.outer.isList() {
		return nil
	}
	needed := map[*statement]bool{s: true}
	for _, d := range slices.Backward(s.outer.inner) {
		if d.node.Kind != "DeclStmt" || d.to > s.from {
			continue
		}
		ids := map[string]bool{}
		for _, v := range d.node.Inner {
			if v != nil {
				ids[v.ID] = true
			}
		}
		for n := range needed {
			if mentions(n.node, ids) {
				needed[d] = true
				out = append(out, d)
				break
			}
		}
	}
	slices.Reverse(out)
	return out
}

// joinedText are the texts of statements, with a separator.
func joinedText(all []*statement, sep string) string {
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = string(s.file.Text[s.from:s.to])
	}
	return strings.Join(texts, sep)
}

// merged takes the barriers of both parts of a conditional, which are alike, out of it, and puts one behind it.
func merged(s, barrier *statement, text string) *Patch {
	if !s.node.Else || !isBarrier(barrier.node) {
		return nil
	}
	patch := &Patch{What: fmt.Sprintf("make one barrier of those of the branches before line %d", s.file.line(s.to-1))}
	var visit func(in *statement)
	visit = func(in *statement) {
		if len(in.inner) == 0 && string(in.file.Text[in.from:in.to]) == text {
			take := Edit{in.file.Name, in.from, in.to, ""}
			if !in.outer.isList() {
				take.Text = ";"
			}
			patch.Edits, patch.Inline = append(patch.Edits, in.lines(take)), append(patch.Inline, take)
		}
		for _, c := range in.inner {
			visit(c)
		}
	}
	visit(s)
	if len(patch.Edits) < 2 {
		return nil
	}
	patch.Edits = append(patch.Edits, s.insert(s.lineEnd(), "\n"+s.indent()+text))
	patch.Inline = append(patch.Inline, s.insert(s.to, " "+text))
	return patch
}

// divided makes two conditionals of the one around the statement.
func (s *statement) divided(text string) []*Patch {
	list := s.outer
	o := list.outer
	if o == nil || o.node.Kind != "IfStmt" || o.node.Else || len(o.node.Inner) != 2 || !list.isList() || s == list.inner[len(list.inner)-1] {
		return nil
	}
	condition := o.text(o.node.Child(0))
	if condition == "" {
		return nil
	}
	begin := s.file.lines[s.file.line(s.from)-1]
	if len(bytes.TrimSpace(s.file.Text[begin:s.from])) > 0 {
		begin = s.from
	}
	parts := []string{"}", text, "if (" + condition + ") {"}
	return []*Patch{{
		Edits:  []Edit{{s.file.Name, begin, s.to, o.indent() + strings.Join(parts, "\n"+o.indent())}},
		Inline: []Edit{{s.file.Name, s.from, s.to, strings.Join(parts, " ")}},
		What:   fmt.Sprintf("end the branch before the barrier of line %d, and continue it after", s.file.line(s.from)),
	}}
}

// lines lets an edit that removes the statement remove its line, if that has nothing else.
func (s *statement) lines(e Edit) Edit {
	text := s.file.Text
	from := s.file.lines[s.file.line(s.from)-1]
	end := bytes.IndexByte(text[s.to:], '\n')
	if e.Text == "" && end >= 0 && len(bytes.TrimSpace(text[from:s.from])) == 0 && len(bytes.TrimSpace(text[s.to:s.to+end])) == 0 {
		e.From, e.To = from, s.to+end+1
	}
	return e
}
