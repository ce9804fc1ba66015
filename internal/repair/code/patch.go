package code

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/warpgrind/warpgrind/internal/source"
)

// Edit replaces bytes of a file.
type Edit struct {
	// File is the absolute path; From and To are offsets in it.
	File     string
	From, To int
	Text     string
}

// Replace is an edit of a file.
func (f *File) Replace(from, to int, text string) Edit {
	return Edit{File: f.Name, From: from, To: to, Text: text}
}

// Patch is edits that belong together.
type Patch struct {
	// Edits are as they are to be read. Inline are the same without new lines, so that all
	// that follows stays in its line.
	Edits, Inline []Edit
	// What says for people what the patch does: "add __syncthreads() after line 5".
	What string
	// Parts are the patches that it consists of, where each is a change of its own, which may not be needed;
	// else it is nil.
	Parts []*Patch
	// Condition is the one that the patch adds; if it does not keep what is wrong away, it does not
	// do so elsewhere either, unless it is for a Part of the statement.
	Condition string
	Part      bool
	// Call is the one that the patch adds as a statement; if it does not compile at one place, it does not
	// do so elsewhere either.
	Call string
	// KeepsMemory is set for a patch that holds only if the launches leave the same in memory.
	KeepsMemory bool
	// Fills is set for a patch that fills memory of the device. It must not overwrite what the program has written
	// there where that changes results.
	Fills bool
	// Sure is set if the text of the program shows that the patch is what is meant, as a sizeof that is missing in one of two sizes: it is taken if it
	// holds, also where results change.
	Sure bool
	// Headers are those that Edits include. Inline does not, so that lines stay where they are.
	Headers []string
	// Skips is the place of an access of which the patch leaves out the wrong ones, and must not leave
	// out others. It then may change memory, unless it leaves out what other lines do as well.
	Skips   source.Pos
	Further bool
	// lower is set if the condition keeps out indices below zero only.
	Lower bool
}

// Replacements are the edits as a viewer of the texts can make them.
func (p *Patch) Replacements(texts map[string][]byte) (out []source.Replacement) {
	for _, e := range p.Edits {
		text := texts[e.File]
		e = e.written(text)
		pos := func(off int) source.Pos {
			begin := bytes.LastIndexByte(text[:off], '\n') + 1
			return source.Pos{File: e.File, Line: bytes.Count(text[:begin], []byte("\n")) + 1, Col: utf8.RuneCount(text[begin:off]) + 1}
		}
		out = append(out, source.Replacement{From: pos(e.From), To: pos(e.To), Text: e.Text})
	}
	return out
}

// Join is a patch that does what several others do.
func Join(ps ...*Patch) *Patch {
	all := &Patch{}
	var what []string
	for _, p := range ps {
		parts := p.Parts
		if parts == nil {
			parts = []*Patch{p}
		}
		all.Edits, all.Inline, all.Parts = append(all.Edits, p.Edits...), append(all.Inline, p.Inline...), append(all.Parts, parts...)
		all.KeepsMemory, all.Further = all.KeepsMemory || p.KeepsMemory, all.Further || p.Further
		all.Fills = all.Fills || p.Fills
		all.Headers = append(all.Headers, p.Headers...)
		if p.Skips.IsValid() {
			all.Skips = p.Skips
		}
		what = append(what, p.What)
	}
	all.What = strings.Join(what, ", ")
	return all
}

// Without is a patch of several parts without the i-th.
func (p *Patch) Without(i int) *Patch {
	return Join(slices.Delete(slices.Clone(p.Parts), i, i+1)...)
}

// Same reports whether two patches make the same edits.
func (p *Patch) Same(o *Patch) bool { return slices.Equal(p.Inline, o.Inline) }

// Apply returns the texts of the files that the patches change. inline keeps all lines where
// they are.
func Apply(texts map[string][]byte, patches []*Patch, inline bool) map[string][]byte {
	byFile := map[string][]Edit{}
	for _, p := range patches {
		edits := p.Edits
		if inline {
			edits = p.Inline
		}
		for _, e := range edits {
			switch {
			case !inline:
				e = e.written(texts[e.File])
			default: // of several lines that one replaces the others stay empty
				e.Text += strings.Repeat("\n", max(0, bytes.Count(texts[e.File][e.From:e.To], []byte("\n"))-strings.Count(e.Text, "\n")))
			}
			byFile[e.File] = append(byFile[e.File], e)
		}
	}
	out := map[string][]byte{}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		out[file] = apply(texts[file], byFile[file])
	}
	return out
}

// Moved is where a place of the texts is once patches have been applied inline, or, with back set, where
// a place of the patched text was.
func Moved(texts map[string][]byte, patches []*Patch, at source.Pos, back bool) source.Pos {
	text := texts[at.File]
	var edits []Edit
	for _, p := range patches {
		for _, e := range p.Inline {
			if e.File == at.File && !slices.Contains(edits, e) && bytes.Count(text[:e.From], []byte("\n"))+1 == at.Line {
				edits = append(edits, e)
			}
		}
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.From - b.From })
	moved := at
	for _, e := range edits {
		from := e.From - bytes.LastIndexByte(text[:e.From], '\n') // its column
		by := len(e.Text) - (e.To - e.From)
		switch {
		case !back && from <= at.Col:
			moved.Col += by
		case back && from+len(e.Text) <= moved.Col:
			moved.Col -= by
		case back && from < moved.Col: // in what the patch writes
			moved.Col = from
		}
	}
	return moved
}

// apply makes edits in one text. Of edits of the same bytes the first is made; those at one
// place stay in their order. What is added within bytes that another edit takes out is added
// there, on a line of its own if these were lines. What is added where another edit begins comes before that.
func apply(text []byte, edits []Edit) []byte {
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(a.From-b.From, Boolean(a.From < a.To)-Boolean(b.From < b.To)) })
	var out bytes.Buffer
	done, removed := 0, false
	for i, e := range edits {
		if slices.Contains(edits[:i], e) {
			continue
		}
		if e.From < done {
			if removed && e.From == e.To {
				out.WriteString(addedIn(text[:done], e.Text))
			}
			continue
		}
		out.Write(text[done:e.From])
		out.WriteString(e.Text)
		done, removed = e.To, e.Text == ""
	}
	out.Write(text[done:])
	return out.Bytes()
}

// addedIn is a text that is added where others were taken out up to the end of before.
func addedIn(before []byte, added string) string {
	if !bytes.HasSuffix(before, []byte("\n")) {
		return added
	}
	return strings.Trim(added, "\r\n") + lineEndOf(before)
}
