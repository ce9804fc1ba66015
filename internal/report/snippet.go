package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// tab is how many columns a tab of the source takes.
const tab = 4

// ANSI colours (ECMA-48, "SGR").
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	green  = "\x1b[1;32m"
	strong = "\x1b[1m"
	reset  = "\x1b[0m"
)

var levelColor = [...]string{finding.Info: cyan, finding.Warning: yellow, finding.Error: red}

func (p *printer) paint(color, s string) string {
	if !p.o.Color || s == "" {
		return s
	}
	return color + s + reset
}

func (p *printer) bold(s string) string { return p.paint(strong, s) }

// labelled colours "note:" and "help:".
func (p *printer) labelled(s string) string {
	if !p.o.Color {
		return s
	}
	s = strings.Replace(s, "note:", cyan+"note:"+reset, 1)
	return strings.Replace(s, "help:", green+"help:"+reset, 1)
}

// place writes where something is, with its source line and a mark below it.
// Of others those at the same place are marked there too.
func (p *printer) place(pl *finding.Place, gutter int, level finding.Level, primary bool, others ...finding.Place) {
	pad := strings.Repeat(" ", gutter)
	arrow := "-->"
	if !primary {
		arrow = ":::"
	}
	text, col, from := p.text(pl)
	p.line("%s%s %s", pad, p.paint(cyan, arrow), from)
	for _, at := range pl.Loc.InlinedAt {
		p.line("%s    inlined at %s", pad, at)
	}
	mark, kind := "", ""
	if text != "" {
		mark, kind = p.source(pl, gutter, text, col), "^ "
		if !primary {
			kind = "- "
		}
	}
	p.under(pl, pad, mark+kind, level)
	for i := range others {
		if samePlace(pl, &others[i]) {
			p.under(&others[i], pad, mark+strings.Replace(kind, "^", "-", 1), finding.Info)
		}
	}
}

// source writes a source line and returns the space before its mark.
func (p *printer) source(pl *finding.Place, gutter int, text string, col int) string {
	pad := strings.Repeat(" ", gutter)
	line, col := cut(text, col, p.o.Width-gutter-3)
	p.line("%s %s", pad, p.paint(cyan, "|"))
	p.line("%*d %s %s", gutter, placeLine(pl), p.paint(cyan, "|"), line)
	return strings.Repeat(" ", col)
}

// under writes the mark and what happens there, broken to the width.
func (p *printer) under(pl *finding.Place, pad, mark string, level finding.Level) {
	what := pl.Role
	if pl.Thread != nil {
		if what != "" && !strings.HasSuffix(what, " by") {
			what += ":"
		}
		what = strings.TrimSpace(what + " " + pl.Thread.String())
	}
	if what == "" && mark == "" {
		return
	}
	bar := pad + " " + p.paint(cyan, "|") + " "
	room := p.o.Width - len(pad) - 3 - len(mark)
	if room < 40 && mark != "" { // no room to the right: write it below
		p.line("%s%s", bar, p.paint(levelColor[level], strings.TrimRight(mark, " ")))
		mark, room = "", p.o.Width-len(pad)-3
	}
	for i, l := range breakLines(what, room) {
		if i > 0 {
			mark = strings.Repeat(" ", len(mark))
		}
		p.line("%s%s", bar, strings.TrimRight(p.paint(levelColor[level], mark+l), " "))
	}
}

// text finds the line to show: the source line, or else the PTX instruction.
// col is the mark's column from 0; from is the position to print.
func (p *printer) text(pl *finding.Place) (text string, col int, from string) {
	if pl.Loc.IsValid() {
		from = pl.Loc.Pos.String()
		if p.o.Files == nil {
			return "", 0, from
		}
		file := pl.Loc.File
		line, ok := p.o.Files.Line(p.o.absolute(file), pl.Loc.Line)
		if !ok {
			return "", 0, from
		}
		text, col = expand(line, pl.Loc.Col)
		return text, col, from
	}
	if pl.PTXLine == 0 {
		return "", 0, "unknown position"
	}
	return strings.ReplaceAll(strings.TrimSpace(pl.PTX), "\t", " "), 0, "PTX line " + strconv.Itoa(pl.PTXLine)
}

// expand replaces tabs and returns where column col (from 1, in bytes; 0 means
// the first character that is not white) has come to, from 0.
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

// Explain writes a rule's documentation, as "warpgrind explain" does.
func Explain(r finding.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", r.ID, r.Title, r.Doc)
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

// Markdown is Explain as a section of docs/RULES.md.
func Markdown(r finding.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s: %s\n\n%s\n", r.ID, r.Title, r.Doc)
	if r.Example != "" {
		fmt.Fprintf(&b, "\n```cuda\n%s\n```\n", r.Example)
	}
	if r.Fixed != "" {
		fmt.Fprintf(&b, "\nRepaired:\n\n```cuda\n%s\n```\n", r.Fixed)
	}
	fmt.Fprintf(&b, "\n%s\n", r.Fix)
	if len(r.References) > 0 {
		b.WriteString("\nReferences:\n\n")
		for _, ref := range r.References {
			fmt.Fprintf(&b, "- %s\n", ref)
		}
	}
	return b.String()
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(s, "\n", "\n    ")
}
