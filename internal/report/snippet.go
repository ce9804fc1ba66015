package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// tab is how many columns a tab of the source takes.
const tab = 4

// ANSI colors (ECMA-48, "SGR").
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	green  = "\x1b[1;32m"
	strong = "\x1b[1m"
	reset  = "\x1b[0m"
)

var levelColor = [...]string{finding.Info: cyan, finding.Warning: yellow, finding.Error: red}

// paint makes a part of a line, colored where that is wanted.
func (p *printer) paint(color, s string) visible.Trusted {
	s = visible.Line(s)
	if p.o.Color && s != "" {
		s = color + s + reset
	}
	return visible.Trusted(s)
}

func (p *printer) bold(s string) visible.Trusted { return p.paint(strong, s) }

// labeled colors "note:" and "help:".
func (p *printer) labeled(s string) visible.Trusted {
	if s = visible.Line(s); p.o.Color {
		s = strings.Replace(s, "note:", cyan+"note:"+reset, 1)
		s = strings.Replace(s, "help:", green+"help:"+reset, 1)
	}
	return visible.Trusted(s)
}

// place writes where something is, with its source line and a mark below it.
// Of others those at the same place are marked there too.
func (p *printer) place(pl *finding.Place, gutter int, level finding.Level, primary bool, others ...finding.Place) {
	pad := strings.Repeat(" ", gutter)
	arrow := "-->"
	if !primary {
		arrow = ":::"
	}
	line, from := p.text(pl)
	p.line("%s%s %s", pad, p.paint(cyan, arrow), from)
	for _, at := range pl.Loc.InlinedAt {
		p.line("%s    called at %s", pad, at)
	}
	if pl.Library != nil {
		p.line("%s    %s %s", pad, inLibrary(pl), libraryPos(pl.Library.Pos))
	}
	sign := "^"
	if !primary {
		sign = "-"
	}
	line = p.source(pl, gutter, line)
	p.under(pl, pad, line.mark(sign), level)
	for i := range others {
		if samePlace(pl, &others[i]) {
			p.under(&others[i], pad, line.mark("-"), finding.Info)
		}
	}
}

// inLibrary introduces the place in a header library.
func inLibrary(pl *finding.Place) string {
	if pl.Launched {
		return "launches library code:"
	}
	return "in library code:"
}

// libraryPos is a place in a library by the name under which programs include the file.
func libraryPos(p source.Pos) source.Pos {
	p.File = source.Library(p.File)
	return p
}

// shownLine is a line of source or PTX as it is shown; what is marked begins at
// column col, from 0, and is width columns wide.
type shownLine struct {
	text       string
	col, width int
}

// mark is what stands below the line, "" if there is no line.
func (l shownLine) mark(sign string) string {
	if l.text == "" {
		return ""
	}
	return strings.Repeat(" ", l.col) + strings.Repeat(sign, max(1, l.width))
}

// source writes a line, if there is one, and returns it as it was written.
func (p *printer) source(pl *finding.Place, gutter int, l shownLine) shownLine {
	if l.text == "" {
		return l
	}
	pad := strings.Repeat(" ", gutter)
	l.text, l.col = cut(l.text, l.col, p.o.Width-gutter-3)
	l.width = min(l.width, utf8.RuneCountInString(l.text)-l.col)
	p.line("%s %s", pad, p.paint(cyan, "|"))
	p.line("%*d %s %s", gutter, placeLine(pl), p.paint(cyan, "|"), l.text)
	return l
}

// under writes the mark and what happens there: beside it, or where there is no
// room below it.
func (p *printer) under(pl *finding.Place, pad, mark string, level finding.Level) {
	what := pl.What()
	if what == "" && mark == "" {
		return
	}
	bar := visible.Trusted(pad+" ") + p.paint(cyan, "|") + " "
	room := p.o.Width - len(pad) - 3
	what = strings.Join(strings.Fields(printable(what)), " ")
	if n := utf8.RuneCountInString(what); mark != "" && len(mark)+1+n <= room {
		p.line("%s%s", bar, p.paint(levelColor[level], strings.TrimRight(mark+" "+what, " ")))
		return
	} else if mark != "" {
		p.line("%s%s", bar, p.paint(levelColor[level], mark))
		mark = strings.Repeat(" ", max(0, min(strings.LastIndexByte(mark, ' ')+1, room-n)))
	}
	for _, l := range breakLines(what, room-len(mark)) {
		p.line("%s%s", bar, visible.Trusted(mark)+p.paint(levelColor[level], l))
	}
}

// text finds the line to show: the source line, or else the PTX instruction.
// from is the position to print.
func (p *printer) text(pl *finding.Place) (l shownLine, from string) {
	if pl.Loc.IsValid() {
		from = pl.Loc.Pos.String()
		if p.o.Files == nil {
			return l, from
		}
		line, ok := p.o.Files.Line(p.o.absolute(pl.Loc.File), pl.Loc.Line)
		if !ok {
			return l, from
		}
		return marked(line, pl.Loc.Col, writes(pl)), from
	}
	if pl.PTXLine == 0 {
		return l, "unknown position"
	}
	return shownLine{text: strings.ReplaceAll(strings.TrimSpace(pl.PTX), "\t", " ")}, "PTX line " + strconv.Itoa(pl.PTXLine)
}

// writes reports whether what happens at a place is not a read alone.
func writes(p *finding.Place) bool { return p.Access != finding.Read }

// marked is a line of source with the extent of what is at a column; without a
// column only the line's start is marked.
func marked(line string, col int, write bool) shownLine {
	if col <= 0 || col <= len(line) && strings.TrimSpace(line[:col]) == "" { // compilers of Python kernels have no columns
		text, at := expand(line, 0)
		return shownLine{text, at, 1}
	}
	from, to := Extent(line, col, write)
	text, at := expand(line, from+1)
	_, end := expand(line, to+1)
	return shownLine{text, at, end - at}
}

// expand replaces tabs and returns where column col (from 1, in bytes; 0 means
// the first character that is not white) has reached, from 0.
func expand(line string, col int) (string, int) {
	if col <= 0 {
		col = len(line) - len(strings.TrimLeft(line, " \t")) + 1
	}
	var b strings.Builder
	width, at := 0, -1
	for i, r := range line {
		if at < 0 && i >= col-1 {
			at = width
		}
		switch {
		case r == '\t':
			n := tab - width%tab
			b.WriteString(strings.Repeat(" ", n))
			width += n
			continue
		case r < ' ' || r == utf8.RuneError || r == 0x7f:
			r = '?'
		}
		b.WriteRune(r)
		width++
	}
	if at < 0 {
		at = width
	}
	return b.String(), at
}

// cut takes common white space off a line and shortens it to width columns
// around col.
func cut(line string, col, width int) (string, int) {
	rs := []rune(line)
	if len(rs) <= width || width < 20 {
		return line, col
	}
	from := max(0, min(col-width/3, len(rs)-width))
	out := append([]rune(nil), rs[from:from+width]...)
	if from > 0 {
		copy(out, []rune("..."))
	}
	if from+width < len(rs) {
		copy(out[width-3:], []rune("..."))
	}
	return string(out), min(col-from, width-1)
}

// Explain writes a rule's documentation, as "warpgrind explain" does; all adds the
// details.
func Explain(r finding.Rule, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", r.ID, r.Title, r.Doc)
	switch {
	case r.More != "" && all:
		fmt.Fprintf(&b, "\nDetails:\n\n%s\n", r.More)
	case r.More != "":
		fmt.Fprintf(&b, "\nDetails: warpgrind explain --all %s\n", r.ID)
	}
	if r.Example != "" {
		fmt.Fprintf(&b, "\nExample:\n\n%s\n", indent(r.Example))
	}
	if r.Fixed != "" {
		fmt.Fprintf(&b, "\nRepaired:\n\n%s\n", indent(r.Fixed))
	}
	fmt.Fprintf(&b, "\nHow to repair it:\n\n%s\n", r.Fix)
	if len(r.References) > 0 {
		b.WriteString("\nReferences:\n\n")
		for _, ref := range r.References {
			fmt.Fprintf(&b, "- %s\n", ref)
		}
	}
	return b.String()
}

// Markdown is Explain as a page of docs/rules.
func Markdown(r finding.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n%s\n", r.ID, r.Title, r.Doc)
	if r.Example != "" {
		fmt.Fprintf(&b, "\n```cuda\n%s\n```\n", r.Example)
	}
	if r.Fixed != "" {
		fmt.Fprintf(&b, "\nRepaired:\n\n```cuda\n%s\n```\n", r.Fixed)
	}
	fmt.Fprintf(&b, "\n## How to repair it\n\n%s\n", r.Fix)
	if r.More != "" {
		fmt.Fprintf(&b, "\n## Details\n\n%s\n", r.More)
	}
	if len(r.References) > 0 {
		b.WriteString("\n## References\n\n")
		for _, ref := range r.References {
			fmt.Fprintf(&b, "- %s\n", ref)
		}
	}
	return b.String()
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(s, "\n", "\n    ")
}
