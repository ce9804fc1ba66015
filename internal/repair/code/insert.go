package code

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Apart adds the statement between two calls of one statement, as of a helper that is called twice: the first one is evaluated before it.
func (c *Calls) Apart(p *Program, r *finding.Repair, s *Statement) {
	if s.Outer == nil || !s.Outer.IsList() || r.From.Col >= r.To.Col {
		return
	}
	_, _, from := p.Place(r.From.Pos)
	_, _, to := p.Place(r.To.Pos)
	first, then := callAt(s, s.Node, from), callAt(s, s.Node, to)
	if first == nil || then == nil || first == then || holdsNode(first, then) || holdsNode(then, first) {
		return
	}
	line := s.File.Line(s.From)
	name := s.Unused(fmt.Sprintf("first%d", line))
	use := s.File.Replace(first.Begin.Off, first.End.End(), name)
	before := func(sep string) Edit {
		return s.Insert(s.From, "auto "+name+" = "+s.Text(first)+";"+sep+c.With(sep)+sep)
	}
	c.Patches = append(c.Patches, &Patch{Edits: append([]Edit{before("\n" + s.listIndent()), use}, s.ownLine()...), Inline: []Edit{before(" "), use},
		What: fmt.Sprintf("add %s between the calls of line %d", r.Call, line)})
}

// Calls collects patches that add one statement.
type Calls struct {
	// text has a new line between two statements.
	Text    string
	Patches []*Patch
	// named is the statement in short, "" where it is short.
	Named string
	// edits, and inline, are what each of the patches needs besides.
	Edits, Inline []Edit
	// ends are the offsets between which the statement goes, none where it is about one place: it does not go into a part of the text that the
	// preprocessor may leave out and that does not have both.
	Ends []int
}

// With is the text with a separator between statements.
func (c *Calls) With(sep string) string { return strings.ReplaceAll(c.Text, "\n", sep) }

func (c *Calls) add(what string, line int, edits, inline []Edit) {
	edits, inline = slices.Concat(c.Edits, edits), slices.Concat(c.Inline, inline)
	patch := &Patch{Edits: edits, Inline: inline, Call: c.Text, What: fmt.Sprintf("add %s %s line %d", cmp.Or(c.Named, strings.TrimSuffix(c.With(" "), ";")), what, line)}
	if !slices.ContainsFunc(c.Patches, patch.Same) {
		c.Patches = append(c.Patches, patch)
	}
}

// Between adds the statement between two of a list: right before the second, and, as others
// may lie between them, right behind the first.
func (c *Calls) Between(list, first, second *Statement) {
	i, k := slices.Index(list.Inner, first), slices.Index(list.Inner, second)
	if i < 0 || k <= i {
		return
	}
	c.Behind(list.Inner[k-1])
	c.Behind(first)
}

// Behind adds the statement behind another one.
func (c *Calls) Behind(s *Statement) {
	switch {
	case s.Outer == nil || Leaves(s):
	case s.Outer.Labels(): // a list has the label
		c.Behind(s.Outer)
	case s.Outer.IsList():
		sep := "\n" + s.listIndent()
		edits := append([]Edit{s.Insert(s.LineEnd(), sep+c.With(sep))}, s.ownLine()...)
		if s.inNest() {
			edits = []Edit{s.Insert(s.To, " "+c.With(" "))}
		}
		if end := s.File.conditionalEnd(s.To-1, c.Ends); end > 0 { // of a part that may not be compiled
			edits = []Edit{s.Insert(end, sep+c.With(sep))}
		}
		c.add("after", s.File.Line(s.To-1), edits, []Edit{s.Insert(s.To, " "+c.With(" "))})
	default:
		c.Wrap(s, false)
	}
}

// Before adds the statement before another one.
func (c *Calls) Before(s *Statement) {
	switch {
	case s.Outer == nil:
	case s.Outer.Labels():
		c.Before(s.Outer)
	case s.Labels() && len(s.Inner) > 0: // behind the label
		in := s.Inner[len(s.Inner)-1]
		sep := "\n" + s.listIndent()
		c.add("before", s.File.Line(in.From), []Edit{in.Insert(in.From, c.With(sep)+sep)}, []Edit{in.Insert(in.From, c.With(" ")+" ")})
	case s.Outer.IsList():
		sep := "\n" + s.listIndent()
		edits := append([]Edit{s.Insert(s.From, c.With(sep)+sep)}, s.ownLine()...)
		if s.inNest() {
			edits = []Edit{s.Insert(s.From, c.With(" ")+" ")}
		}
		if begin := s.File.conditionalBegin(s.From, c.Ends); begin >= 0 {
			edits = []Edit{s.Insert(begin, s.listIndent()+c.With(sep)+"\n")}
		}
		c.add("before", s.File.Line(s.From), edits, []Edit{s.Insert(s.From, c.With(" ")+" ")})
	default:
		c.Wrap(s, true)
	}
}

// Insert is an edit that adds text.
func (s *Statement) Insert(at int, text string) Edit { return s.File.Replace(at, at, text) }

// LineEnd is the place behind the statement, or behind a comment that follows it in its line.
func (s *Statement) LineEnd() int {
	rest := s.File.Text[s.To:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	if comment := bytes.TrimLeft(rest, " \t"); bytes.HasPrefix(comment, []byte("//")) && !bytes.HasSuffix(comment, []byte("\\")) {
		return s.To + len(bytes.TrimRight(rest, "\r"))
	}
	if comment := bytes.TrimLeft(s.File.Text[s.To:], " \t"); bytes.HasPrefix(comment, []byte("/*")) {
		end := bytes.Index(comment, []byte("*/"))
		begin := len(s.File.Text) - len(comment)
		if end >= 0 && endsLine(comment[end+2:]) {
			return begin + end + 2
		}
	}
	return s.To
}

// endsLine reports whether nothing follows in a line.
func endsLine(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r")
	return len(text) == 0 || text[0] == '\n'
}

// AtEnd adds the statement at the end of what a loop repeats, atStart at its beginning.
func (c *Calls) AtEnd(body *Statement) {
	switch {
	case body == nil:
	case !body.IsList():
		c.Wrap(body, false)
	case len(body.Inner) > 0:
		c.Behind(body.Inner[len(body.Inner)-1])
	}
}

func (c *Calls) AtStart(body *Statement) {
	switch {
	case body == nil:
	case !body.IsList():
		c.Wrap(body, true)
	case len(body.Inner) > 0:
		c.Before(body.Inner[0])
	}
}

// Wrap adds the statement to one that stands without braces behind if, else or a loop.
func (c *Calls) Wrap(s *Statement, before bool) {
	if s.IsList() || Leaves(s) && !before {
		return
	}
	outer, own := s.Outer.Indent(), s.Indent()
	open := len(bytes.TrimRight(s.File.Text[:s.From], " \t\n\r"))
	begin := s.File.Replace(open, open, " {")
	if s.File.Line(open-1) == s.File.Line(s.From) { // on the line of the head
		own = outer + s.Unit()
		begin = s.File.Replace(open, s.From, " {\n"+own)
	}
	end := s.Insert(s.LineEnd(), "\n"+outer+"}")
	first, last, what := " {", " }", "after"
	if before {
		what, first = "before", " { "+c.With(" ")
		if begin.To == s.From {
			begin.Text += c.With("\n"+own) + "\n" + own
		} else {
			begin.Text += "\n" + own + c.With("\n"+own)
		}
	} else {
		last = " " + c.With(" ") + " }"
		end.Text = "\n" + own + c.With("\n"+own) + end.Text
	}
	c.add(what, s.File.Line(s.From), []Edit{begin, end}, []Edit{s.Insert(open, first), s.Insert(s.To, last)})
}

// Split adds the statement within an assignment: between the computation of the value and its
// being stored.
func (c *Calls) Split(s *Statement) {
	n := s.Node
	if n.Kind != "CompoundAssignOperator" && (n.Kind != "BinaryOperator" || n.Opcode != "=") || s.Outer == nil || !s.Outer.IsList() {
		return
	}
	object, value := s.Text(n.Child(0)), s.Text(n.Child(1))
	if object == "" || value == "" {
		return
	}
	name := s.Unused(fmt.Sprintf("next%d", s.File.Line(s.From)))
	sep := "\n" + s.Indent()
	parts := []string{fmt.Sprintf("auto %s = %s;", name, value), c.Text, fmt.Sprintf("%s %s %s;", object, n.Opcode, name)}
	replaced := func(sep string) []Edit {
		return []Edit{s.File.Replace(s.From, s.To, strings.Join(parts, sep))}
	}
	c.add("between the read and the write of", s.File.Line(s.From), replaced(sep), replaced(" "))
	c.Patches[len(c.Patches)-1].Call = "" // there is more that may not compile
}

// Indent is the white space before the statement's line.
func (s *Statement) Indent() string {
	line := s.File.Line(s.From)
	for line < len(s.File.Lines) && bytes.HasPrefix(bytes.TrimLeft(s.File.Text[s.File.Lines[line-1]:], " \t"), []byte("#")) {
		line++ // behind a pragma for it
	}
	text := s.File.Text[s.File.Lines[line-1]:]
	return string(text[:len(text)-len(bytes.TrimLeft(text, " \t"))])
}

// Leaves reports whether what stands behind the statement is not executed after it.
func Leaves(s *Statement) bool {
	switch s.Node.Kind {
	case "ReturnStmt", "BreakStmt", "ContinueStmt", "GotoStmt":
		return true
	}
	return false
}
