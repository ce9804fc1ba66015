package instrument

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// file is one of the project's files.
type file struct {
	// name is the compiler's name for it, abs the absolute path.
	name, abs string
	// original is the file's text; text is the same with the macros expanded
	// that hide accesses, in the same lines.
	original, text []byte
	expanded       []expansion
	// lines are the offsets in original at which lines begin.
	lines []int
	// copied is where the instrumented copy goes, relative to the folder of
	// copies; "" for the source itself.
	copied string
}

// expansion is a macro that was expanded: the bytes of text, and of original.
type expansion struct{ begin, end, origBegin, origEnd int }

// project is a source with the headers that belong to it.
type project struct {
	files []*file // the source first
	byAbs map[string]*file
	names map[string]*file // by the compiler's names
}

// openProject reads the files.
func openProject(names []string) (*project, error) {
	p := &project{byAbs: map[string]*file{}, names: map[string]*file{}}
	for _, name := range names {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		if f := p.byAbs[abs]; f != nil {
			p.names[name] = f
			continue
		}
		text, err := userfile.Read(abs)
		if err != nil {
			return nil, err
		}
		f := &file{name: name, abs: abs, original: text, text: text, lines: lineStarts(text)}
		p.files = append(p.files, f)
		p.byAbs[abs], p.names[name] = f, f
	}
	p.layOut()
	return p, nil
}

// layOut chooses the places of the copies: as the headers lie to the source,
// those elsewhere in numbered folders.
func (p *project) layOut() {
	root := filepath.Dir(p.files[0].abs)
	elsewhere := map[string]string{}
	for _, f := range p.files[1:] {
		rel, err := filepath.Rel(root, f.abs)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			dir := filepath.Dir(f.abs)
			if elsewhere[dir] == "" {
				elsewhere[dir] = "_" + string(rune('a'+len(elsewhere)%26)) + strings.Repeat("_", len(elsewhere)/26)
			}
			rel = filepath.Join(elsewhere[dir], filepath.Base(f.abs))
		}
		f.copied = rel
	}
}

// file finds a file by the compiler's name for it; nil for others' files.
func (p *project) file(name string) *file {
	f, known := p.names[name]
	if !known {
		if abs, err := filepath.Abs(name); err == nil {
			f = p.byAbs[abs]
		}
		p.names[name] = f
	}
	return f
}

// texts are the files that differ from those on disk, for the compiler.
func (p *project) texts() map[string][]byte {
	out := map[string][]byte{}
	for _, f := range p.files {
		if len(f.expanded) > 0 {
			out[f.abs] = f.text
		}
	}
	return out
}

func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// origin maps an offset of text to one of original; within an expanded macro
// it is the macro's begin.
func (f *file) origin(off int) int {
	shift := 0
	for _, e := range f.expanded {
		if off < e.begin {
			break
		}
		if off < e.end {
			return e.origBegin
		}
		shift = e.origEnd - e.end
	}
	return off + shift
}

// originEnd is origin for an offset at which a range ends.
func (f *file) originEnd(off int) int {
	for _, e := range f.expanded {
		if off > e.begin && off <= e.end {
			return e.origEnd
		}
	}
	return f.origin(off)
}

// place returns line and column of an offset of text, from 1.
func (f *file) place(off int) (line, col int) { return f.originalPlace(f.origin(off)) }

// originalPlace is place for an offset of original.
func (f *file) originalPlace(o int) (line, col int) {
	i := sort.SearchInts(f.lines, o+1) - 1
	return i + 1, o - f.lines[i] + 1
}

// source returns the original text of a range of text, on one line.
func (f *file) source(begin, end int) string {
	b, e := f.origin(begin), f.originEnd(end)
	if b < 0 || e > len(f.original) || b >= e {
		return ""
	}
	return oneLine(string(f.original[b:e]))
}

// oneLine joins lines, without comments at their ends.
func oneLine(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if i < len(lines)-1 {
			l, _, _ = strings.Cut(l, "//")
		}
		lines[i] = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(l), `\`))
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}

// mentions reports whether any file has a text in it, outside of comments.
func (p *project) mentions(text string) bool {
	return slices.ContainsFunc(p.files, func(f *file) bool {
		return bytes.Contains(f.original, []byte(text)) && strings.Contains(uncommented(f.original), text)
	})
}

// notCode matches comments and, so that no comment is seen in them, literals. A raw
// string ends it: what follows is left as it is.
var notCode = regexp.MustCompile(`(?s)R"[^ ()\\\t\v\f\n]{0,16}\(.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*.*?\*/`)

// uncommented returns a text without its comments.
func uncommented(text []byte) string {
	return string(notCode.ReplaceAllFunc(text, func(s []byte) []byte {
		if s[0] == '/' {
			return []byte(" ")
		}
		return s
	}))
}

// uses reports whether any file has a word that begins with a prefix.
func (p *project) uses(prefix string) bool {
	for _, f := range p.files {
		for at := 0; ; {
			i := bytes.Index(f.original[at:], []byte(prefix))
			if i < 0 {
				break
			}
			at += i
			if at == 0 || !syntax.IsWord(f.original[at-1]) {
				return true
			}
			at++
		}
	}
	return false
}
