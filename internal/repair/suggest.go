package repair

import (
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// review is a review of a pull request with comments, as GitHub's "Create a review for a pull request"
// takes it.
type review struct {
	Event    string    `json:"event"`
	Comments []comment `json:"comments"`
}

type comment struct {
	Path string `json:"path"`
	// Line is the last line that the comment is about, StartLine the first one, if there are several.
	Line      int    `json:"line"`
	StartLine int    `json:"start_line,omitempty"`
	Side      string `json:"side"`
	Body      string `json:"body"`
}

// Suggestions writes the patches as a review with suggested changes, one for each place, with names
// relative to dir.
func (r *Report) Suggestions(w io.Writer, dir string) error {
	out := review{Event: "COMMENT", Comments: []comment{}}
	for _, x := range r.Results {
		if x.Outcome != Fixed {
			continue
		}
		for _, f := range r.Files {
			lines := strings.SplitAfter(f.Before, "\n")
			for _, edits := range clusters(x.Edits, f.File) {
				c := comment{Path: strings.TrimPrefix(filepath.ToSlash(within(dir, f.File)), "/"), Line: edits[len(edits)-1].To.Line, Side: "RIGHT"}
				first := edits[0].From.Line
				if first < c.Line {
					c.StartLine = first
				}
				text := edited(lines[first-1:c.Line], edits, first)
				fence := fenceOf(text)
				c.Body = "**" + visible.Line(x.Finding.Rule) + "**: " + visible.Line(x.Finding.Message) + "\n\nVerified: " + visible.Line(x.What) + "\n\n" + fence + "suggestion\n" + text + fence + "\n"
				out.Comments = append(out.Comments, c)
			}
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// fenceOf is a fence for text: longer than each run of backticks there, which could end a shorter one (CommonMark, "Fenced code blocks").
func fenceOf(text string) string {
	most, n := 2, 0
	for _, c := range text {
		if n++; c != '`' {
			n = 0
		}
		most = max(most, n)
	}
	return strings.Repeat("`", most+1)
}

// clusters are the edits of a file in their order, those in one line or in neighboring ones together.
func clusters(edits []source.Replacement, file string) (out [][]source.Replacement) {
	edits = slices.DeleteFunc(slices.Clone(edits), func(e source.Replacement) bool { return e.From.File != file })
	slices.SortStableFunc(edits, func(a, b source.Replacement) int { return a.From.Compare(b.From) })
	for _, e := range edits {
		if n := len(out); n > 0 && e.From.Line <= out[n-1][len(out[n-1])-1].To.Line+1 {
			out[n-1] = append(out[n-1], e)
			continue
		}
		out = append(out, []source.Replacement{e})
	}
	return out
}

// edited are lines with edits, of which the first is line number first.
func edited(lines []string, edits []source.Replacement, first int) string {
	text := strings.Join(lines, "")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	offset := func(p source.Pos) int {
		at := 0
		for _, l := range lines[:p.Line-first] {
			at += len(l)
		}
		line := []rune(strings.TrimSuffix(text[at:], "\n"))
		return at + len(string(line[:min(p.Col-1, len(line))]))
	}
	for _, e := range slices.Backward(edits) {
		text = text[:offset(e.From)] + e.Text + text[offset(e.To):]
	}
	return text
}
