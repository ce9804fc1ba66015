package repair

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// insertions are the places for a call between two others, the likeliest first: where both are
// in one list of statements between them; in a loop that comes back to the second at its end;
// and else behind the first and before the second, further and further out.
func (p *Program) insertions(r *finding.Repair) []*Patch {
	_, from := p.at(r.From.Pos)
	_, to := p.at(r.To.Pos)
	if from == nil || to == nil {
		return nil
	}
	c := calls{text: r.Call + ";", named: inShort[r.Call]}
	if from.file == to.file {
		c.ends = []int{from.from, to.from}
	}
	if from == to && !r.Next {
		c.apart(p, r, from)
		c.split(from)
	}
	a, b, common := fork(from, to)
	if !r.Next && common > 0 && common < len(a) && common < len(b) && a[common-1].isList() {
		c.between(a[common-1], a[common], b[common])
	}
	for i := common - 1; i >= 0; i-- { // loops around both, the innermost first
		if a[i].isLoop() {
			c.atEnd(a[i].body())
			c.atStart(a[i].body())
		}
	}
	if from == to && r.Next {
		c.split(from)
	}
	for i := len(a) - 1; from == to && i > 0; i-- {
		c.behind(a[i])
		c.before(a[i])
	}
	for i := len(a) - 1; i >= common && i > 0; i-- {
		c.behind(a[i])
	}
	for i := len(b) - 1; i >= common && i > 0; i-- {
		c.before(b[i])
	}
	return c.patches
}

// calls collects patches that add one statement.
type calls struct {
	// text has a new line between two statements.
	text    string
	patches []*Patch
	// named is the statement in short, "" where it is short.
	named string
	// edits, and inline, are what each of the patches needs besides.
	edits, inline []Edit
	// ends are the offsets between which the statement goes, none where it is about one place: it does not go into a part of the text that the
	// preprocessor may leave out and that does not have both.
	ends []int
}

// with is the text with a separator between statements.
func (c *calls) with(sep string) string { return strings.ReplaceAll(c.text, "\n", sep) }

func (c *calls) add(what string, line int, edits, inline []Edit) {
	edits, inline = slices.Concat(c.edits, edits), slices.Concat(c.inline, inline)
	patch := &Patch{Edits: edits, Inline: inline, Call: c.text, What: fmt.Sprintf("add %s %s line %d", cmp.Or(c.named, strings.TrimSuffix(c.with(" "), ";")), what, line)}
	if !slices.ContainsFunc(c.patches, patch.Same) {
		c.patches = append(c.patches, patch)
	}
}

// between adds the statement between two of a list: right before the second, and, as others
// may lie between them, right behind the first.
func (c *calls) between(list, first, second *statement) {
	i, k := slices.Index(list.inner, first), slices.Index(list.inner, second)
	if i < 0 || k <= i {
		return
	}
	c.behind(list.inner[k-1])
	c.behind(first)
}

// behind adds the statement behind another one.
func (c *calls) behind(s *statement) {
	switch {
	case s.outer == nil || leaves(s):
	case s.outer.labels(): // a list has the label
		c.behind(s.outer)
	case s.outer.isList():
		sep := "\n" + s.listIndent()
		edits := append([]Edit{s.insert(s.lineEnd(), sep+c.with(sep))}, s.ownLine()...)
		if s.inNest() {
			edits = []Edit{s.insert(s.to, " "+c.with(" "))}
		}
		if end := s.file.conditionalEnd(s.to-1, c.ends); end > 0 { // of a part that may not be compiled
			edits = []Edit{s.insert(end, sep+c.with(sep))}
		}
		c.add("after", s.file.line(s.to-1), edits, []Edit{s.insert(s.to, " "+c.with(" "))})
	default:
		c.wrap(s, false)
	}
}

// before adds the statement before another one.
func (c *calls) before(s *statement) {
	switch {
	case s.outer == nil:
	case s.outer.labels():
		c.before(s.outer)
	case s.labels() && len(s.inner) > 0: // behind the label
		in := s.inner[len(s.inner)-1]
		sep := "\n" + s.listIndent()
		c.add("before", s.file.line(in.from), []Edit{in.insert(in.from, c.with(sep)+sep)}, []Edit{in.insert(in.from, c.with(" ")+" ")})
	case s.outer.isList():
		sep := "\n" + s.listIndent()
		edits := append([]Edit{s.insert(s.from, c.with(sep)+sep)}, s.ownLine()...)
		if s.inNest() {
			edits = []Edit{s.insert(s.from, c.with(" ")+" ")}
		}
		if begin := s.file.conditionalBegin(s.from, c.ends); begin >= 0 {
			edits = []Edit{s.insert(begin, s.listIndent()+c.with(sep)+"\n")}
		}
		c.add("before", s.file.line(s.from), edits, []Edit{s.insert(s.from, c.with(" ")+" ")})
	default:
		c.wrap(s, true)
	}
}

// insert is an edit that adds text.
func (s *statement) insert(at int, text string) Edit { return Edit{s.file.Name, at, at, text} }

// lineEnd is the place behind the statement, or behind a comment that follows it in its line.
func (s *statement) lineEnd() int {
	rest := s.file.Text[s.to:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	if comment := bytes.TrimLeft(rest, " \t"); bytes.HasPrefix(comment, []byte("//")) && !bytes.HasSuffix(comment, []byte("\\")) {
		return s.to + len(bytes.TrimRight(rest, "\r"))
	}
	if comment := bytes.TrimLeft(s.file.Text[s.to:], " \t"); bytes.HasPrefix(comment, []byte("/*")) {
		end := bytes.Index(comment, []byte("*/"))
		begin := len(s.file.Text) - len(comment)
		if end >= 0 && endsLine(comment[end+2:]) {
			return begin + end + 2
		}
	}
	return s.to
}

// endsLine reports whether nothing follows in a line.
func endsLine(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r")
	return len(text) == 0 || text[0] == '\n'
}

// atEnd adds the statement at the end of what a loop repeats, atStart at its beginning.
func (c *calls) atEnd(body *statement) {
	switch {
	case body == nil:
	case !body.isList():
		c.wrap(body, false)
	case len(body.inner) > 0:
		c.behind(body.inner[len(body.inner)-1])
	}
}

func (c *calls) atStart(body *statement) {
	switch {
	case body == nil:
	case !body.isList():
		c.wrap(body, true)
	case len(body.inner) > 0:
		c.before(body.inner[0])
	}
}

// wrap adds the statement to one that stands without braces behind if, else or a loop.
func (c *calls) wrap(s *statement, before bool) {
	if s.isList() || leaves(s) && !before {
		return
	}
	outer, own := s.outer.indent(), s.indent()
	open := len(bytes.TrimRight(s.file.Text[:s.from], " \t\n\r"))
	begin := Edit{s.file.Name, open, open, " {"}
	if s.file.line(open-1) == s.file.line(s.from) { // on the line of the head
		own = outer + s.unit()
		begin = Edit{s.file.Name, open, s.from, " {\n" + own}
	}
	end := s.insert(s.lineEnd(), "\n"+outer+"}")
	first, last, what := " {", " }", "after"
	if before {
		what, first = "before", " { "+c.with(" ")
		if begin.To == s.from {
			begin.Text += c.with("\n"+own) + "\n" + own
		} else {
			begin.Text += "\n" + own + c.with("\n"+own)
		}
	} else {
		last = " " + c.with(" ") + " }"
		end.Text = "\n" + own + c.with("\n"+own) + end.Text
	}
	c.add(what, s.file.line(s.from), []Edit{begin, end}, []Edit{s.insert(open, first), s.insert(s.to, last)})
}

// split adds the statement within an assignment: between the computation of the value and its
// being stored.
func (c *calls) split(s *statement) {
	n := s.node
	if n.Kind != "CompoundAssignOperator" && (n.Kind != "BinaryOperator" || n.Opcode != "=") || s.outer == nil || !s.outer.isList() {
		return
	}
	object, value := s.text(n.Child(0)), s.text(n.Child(1))
	if object == "" || value == "" {
		return
	}
	name := s.unused(fmt.Sprintf("next%d", s.file.line(s.from)))
	sep := "\n" + s.indent()
	parts := []string{fmt.Sprintf("auto %s = %s;", name, value), c.text, fmt.Sprintf("%s %s %s;", object, n.Opcode, name)}
	replaced := func(sep string) []Edit {
		return []Edit{{s.file.Name, s.from, s.to, strings.Join(parts, sep)}}
	}
	c.add("between the read and the write of", s.file.line(s.from), replaced(sep), replaced(" "))
	c.patches[len(c.patches)-1].Call = "" // there is more that may not compile
}

// unused is a name that begins with a given one and that the file does not have. The line in
// it keeps those of several statements apart.
func (s *statement) unused(name string) string {
	for bytes.Contains(s.file.Text, []byte(name)) {
		name += "x"
	}
	return name
}

// indent is the white space before the statement's line.
func (s *statement) indent() string {
	line := s.file.line(s.from)
	for line < len(s.file.lines) && bytes.HasPrefix(bytes.TrimLeft(s.file.Text[s.file.lines[line-1]:], " \t"), []byte("#")) {
		line++ // behind a pragma for it
	}
	text := s.file.Text[s.file.lines[line-1]:]
	return string(text[:len(text)-len(bytes.TrimLeft(text, " \t"))])
}

// leaves reports whether what stands behind the statement is not executed after it.
func leaves(s *statement) bool {
	switch s.node.Kind {
	case "ReturnStmt", "BreakStmt", "ContinueStmt", "GotoStmt":
		return true
	}
	return false
}
