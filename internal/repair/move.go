package repair

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// moved takes the barrier that a finding is about out of the conditionals around it: it puts it
// behind each of them, or ends the innermost before it, and continues that after it.
func (p *Program) moved(f *finding.Finding) []*Patch {
	_, s := p.at(f.Primary.Loc.Pos)
	if s == nil || s.isList() || s.outer == nil || len(s.inner) > 0 {
		return nil
	}
	text := string(s.file.Text[s.from:s.to])
	out := s.divided(text)
	for o := s.outer; o != nil && o.outer != nil; o = o.outer {
		if o.node.Kind != "IfStmt" || !o.outer.isList() && !o.outer.isLoop() {
			continue
		}
		take := Edit{s.file.Name, s.from, s.to, ""}
		if !s.outer.isList() {
			take.Text = ";" // the only statement of its branch
		}
		if o.outer.isLoop() {
			c := calls{text: text, edits: []Edit{s.lines(take)}, inline: []Edit{take}}
			c.wrap(o, false)
			for _, patch := range c.patches {
				patch.What = fmt.Sprintf("move the barrier of line %d behind the branch that ends in line %d", s.file.line(s.from), s.file.line(o.to-1))
			}
			out = append(out, c.patches...)
			continue
		}
		out = append(out, &Patch{
			Edits:  []Edit{s.lines(take), o.insert(o.lineEnd(), "\n"+o.indent()+text)},
			Inline: []Edit{take, o.insert(o.to, " "+text)},
			What:   fmt.Sprintf("move the barrier of line %d behind the branch that ends in line %d", s.file.line(s.from), s.file.line(o.to-1)),
		})
		out = append(out, merged(o, s, text))
	}
	return distinct(out)
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
