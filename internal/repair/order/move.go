package order

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// MoveBarrier takes the barrier that a finding is about out of the conditionals around it: it puts it
// behind each of them, or ends the innermost before it, and continues that after it.
func MoveBarrier(p *code.Program, f *finding.Finding) []*code.Patch {
	return movedOut(p, f.Primary.Loc.Pos, "barrier")
}

// movedOut takes the statement at a position, which is a barrier or the like, out of the conditionals around it.
func movedOut(p *code.Program, at source.Pos, what string) []*code.Patch {
	_, s := p.At(at)
	if s == nil || s.IsList() || s.Outer == nil || len(s.Inner) > 0 {
		return nil
	}
	out := divideConditional(s, string(s.File.Text[s.From:s.To]))
	all := append(declarationsFor(s), s)
	text := joinedText(all, " ")
	for o := s.Outer; o != nil && o.Outer != nil; o = o.Outer {
		if o.Node.Kind != "IfStmt" || !o.Outer.IsList() && !o.Outer.IsLoop() {
			continue
		}
		var edits, take []code.Edit
		for _, m := range all {
			e := m.File.Replace(m.From, m.To, "")
			if !m.Outer.IsList() {
				e.Text = ";" // the only statement of its branch
			}
			edits, take = append(edits, m.Lines(e)), append(take, e)
		}
		if o.Outer.IsLoop() {
			c := code.Calls{Text: text, Edits: edits, Inline: take}
			c.Wrap(o, false)
			for _, patch := range c.Patches {
				patch.What = fmt.Sprintf("move the %s of line %d behind the branch that ends in line %d", what, s.File.Line(s.From), s.File.Line(o.To-1))
			}
			out = append(out, c.Patches...)
			continue
		}
		out = append(out, &code.Patch{
			Edits:  append(slices.Clone(edits), o.Insert(o.LineEnd(), "\n"+o.Indent()+joinedText(all, "\n"+o.Indent()))),
			Inline: append(slices.Clone(take), o.Insert(o.To, " "+text)),
			What:   fmt.Sprintf("move the %s of line %d behind the branch that ends in line %d", what, s.File.Line(s.From), s.File.Line(o.To-1)),
		})
		out = append(out, merged(o, s, string(s.File.Text[s.From:s.To])))
	}
	return code.Distinct(out)
}

// declarationsFor are the statements before s in its list that declare what it names, such as the token of a barrier in two parts, with
// those that declare what these name.
func declarationsFor(s *code.Statement) (out []*code.Statement) {
	if !s.Outer.IsList() {
		return nil
	}
	needed := map[*code.Statement]bool{s: true}
	for _, d := range slices.Backward(s.Outer.Inner) {
		if d.Node.Kind != "DeclStmt" || d.To > s.From {
			continue
		}
		ids := map[string]bool{}
		for _, v := range d.Node.Inner {
			if v != nil {
				ids[v.ID] = true
			}
		}
		for n := range needed {
			if code.Mentions(n.Node, ids) {
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
func joinedText(all []*code.Statement, sep string) string {
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = string(s.File.Text[s.From:s.To])
	}
	return strings.Join(texts, sep)
}

// merged takes the barriers of both parts of a conditional, which are alike, out of it, and puts one behind it.
func merged(s, barrier *code.Statement, text string) *code.Patch {
	if !s.Node.Else || !code.IsBarrier(barrier.Node) {
		return nil
	}
	patch := &code.Patch{What: fmt.Sprintf("make one barrier of those of the branches before line %d", s.File.Line(s.To-1))}
	var visit func(in *code.Statement)
	visit = func(in *code.Statement) {
		if len(in.Inner) == 0 && string(in.File.Text[in.From:in.To]) == text {
			take := in.File.Replace(in.From, in.To, "")
			if !in.Outer.IsList() {
				take.Text = ";"
			}
			patch.Edits, patch.Inline = append(patch.Edits, in.Lines(take)), append(patch.Inline, take)
		}
		for _, c := range in.Inner {
			visit(c)
		}
	}
	visit(s)
	if len(patch.Edits) < 2 {
		return nil
	}
	patch.Edits = append(patch.Edits, s.Insert(s.LineEnd(), "\n"+s.Indent()+text))
	patch.Inline = append(patch.Inline, s.Insert(s.To, " "+text))
	return patch
}

// divideConditional makes two conditionals of the one around the statement.
func divideConditional(s *code.Statement, text string) []*code.Patch {
	list := s.Outer
	o := list.Outer
	if o == nil || o.Node.Kind != "IfStmt" || o.Node.Else || len(o.Node.Inner) != 2 || !list.IsList() || s == list.Inner[len(list.Inner)-1] {
		return nil
	}
	condition := o.Text(o.Node.Child(0))
	if condition == "" {
		return nil
	}
	begin := s.File.Lines[s.File.Line(s.From)-1]
	if len(bytes.TrimSpace(s.File.Text[begin:s.From])) > 0 {
		begin = s.From
	}
	parts := []string{"}", text, "if (" + condition + ") {"}
	return []*code.Patch{{
		Edits:  []code.Edit{s.File.Replace(begin, s.To, o.Indent()+strings.Join(parts, "\n"+o.Indent()))},
		Inline: []code.Edit{s.File.Replace(s.From, s.To, strings.Join(parts, " "))},
		What:   fmt.Sprintf("end the branch before the barrier of line %d, and continue it after", s.File.Line(s.From)),
	}}
}
