package instrument

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// edit inserts text at an offset and removes the next bytes.
type edit struct {
	at, remove int
	text       string
	// order sorts edits at one place.
	order int
}

// Edits at one place come in this order: what ends there from the inside out,
// what begins there from the outside in.
const (
	closing = 0
	opening = 1 << 40
)

// hook returns what comes before and after a wrapped range.
func (a *access) hook() (before, behind string) {
	flags, seen := "", ""
	if a.flags != 0 {
		flags = fmt.Sprintf("<%d>", a.flags)
	}
	if a.flags&oneIteration != 0 {
		seen = fmt.Sprintf("wgi_i%d, ", a.id)
	}
	letter := map[Kind]string{Read: "r", Write: "w", Update: "u", Atomic: "a"}[a.kind]
	switch a.wrap {
	case asPointer:
		if a.kind != Atomic {
			letter = "p" + letter
		}
	case asRange:
		letter = "each"
	case asVoid:
		return "(", fmt.Sprintf(", wgi_barrier(%d))", a.id)
	case asValue:
		return fmt.Sprintf("wgi_barrier_value(%d, ", a.id), ")"
	case asText:
		return "do { ", fmt.Sprintf("; wgi_barrier(%d); } while (0)", a.id)
	case asReset:
		return "(wgi_flush(), ", ")"
	case asLaunch:
		return "wgi_ready(0, ", ")"
	}
	return fmt.Sprintf("wgi_%s%s(%d, %s", letter, flags, a.id, seen), ")"
}

// edits returns the changes of a file for its accesses and kernels.
func edits(f *file, accesses []*access, kernels []*kernel, starts map[span]bool) []edit {
	var all []edit
	for _, a := range accesses {
		if a.file != f {
			continue
		}
		before, behind := a.hook()
		if a.begin > 0 && syntax.IsWord(f.text[a.begin-1]) {
			before = " " + before
		}
		length := a.end - a.begin
		all = append(all, edit{at: a.begin, text: before, order: opening - length},
			edit{at: a.end, text: behind, order: closing + length})
	}
	for i, k := range kernels {
		if k.body.file != f {
			continue
		}
		kind := "wgi_kernel"
		if k.meets {
			kind = "wgi_kernel_all"
		}
		all = append(all, edit{at: k.body.begin + 1, text: fmt.Sprintf(" %s wgi_k(%d);", kind, i), order: closing})
	}
	for s := range starts {
		if s.file == f && f.text[s.begin] == '{' {
			all = append(all, edit{at: s.begin + 1, text: " wgi_start();", order: closing})
		}
	}
	return append(all, loopEdits(f, accesses)...)
}

// apply makes the changes; the first error is an edit within what another one
// removes, which would be our mistake.
func apply(text []byte, all []edit) []byte {
	slices.SortStableFunc(all, func(a, b edit) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.order - b.order
	})
	var out bytes.Buffer
	done := 0
	for _, e := range all {
		out.Write(text[done:e.at])
		out.WriteString(e.text)
		done = e.at + e.remove
	}
	out.Write(text[done:])
	return out.Bytes()
}

// Flags of accesses that are watched only in part; core.cuh has the same.
const (
	oneThread    = 1
	oneIteration = 2
	unbroken     = 4 // with oneIteration: the loop has no barrier
)

// loopEdits gives the outermost loop around an access that is watched once per
// barrier interval a variable that remembers the interval.
func loopEdits(f *file, accesses []*access) []edit {
	var all []edit
	for _, a := range accesses {
		if a.file == f && a.flags&oneIteration != 0 {
			l := a.loops[0]
			all = append(all, edit{at: l.begin, order: opening - (l.end - l.begin),
				text: fmt.Sprintf("for (unsigned wgi_i%d = 0, wgi_g%d = 1; wgi_g%d--; ) ", a.id, a.id, a.id)})
		}
	}
	return all
}

// includeEdits points a file's includes of the project's headers to their
// copies. prefix is the way from the file's own copy to the folder of copies.
func (p *project) includeEdits(f *file, dirs []string, prefix string) []edit {
	var all []edit
	for _, d := range directives(f.text) {
		h := p.resolve(f, d, dirs)
		if h == nil || h == p.files[0] {
			continue
		}
		all = append(all, edit{at: d.begin, remove: d.end - d.begin, order: opening,
			text: `"` + filepath.ToSlash(filepath.Join(prefix, h.copied)) + `"`})
	}
	return all
}

// directive is the name in an #include, with its delimiters.
type directive struct {
	begin, end int
	name       string
	quoted     bool
}

// directives finds the includes of a text that name a file directly.
func directives(text []byte) []directive {
	var out []directive
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		if d, ok := parseInclude(string(text[at : at+end])); ok {
			d.begin += at
			d.end += at
			out = append(out, d)
		}
		at += end + 1
	}
	return out
}

func parseInclude(line string) (directive, bool) {
	rest := strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(rest, "#") {
		return directive{}, false
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	if !strings.HasPrefix(rest, "include") {
		return directive{}, false
	}
	rest = strings.TrimLeft(rest[len("include"):], " \t")
	if rest == "" {
		return directive{}, false
	}
	closer := map[byte]byte{'"': '"', '<': '>'}[rest[0]]
	n := strings.IndexByte(rest[1:], closer)
	if closer == 0 || n < 0 {
		return directive{}, false
	}
	begin := len(line) - len(rest)
	return directive{begin, begin + n + 2, rest[1 : n+1], closer == '"'}, true
}

// resolve finds the project's file that an include names, as the preprocessor
// does: beside the file, then in the folders of -I.
func (p *project) resolve(f *file, d directive, dirs []string) *file {
	var tries []string
	if filepath.IsAbs(d.name) {
		tries = []string{d.name}
	} else {
		if d.quoted {
			tries = append(tries, filepath.Join(filepath.Dir(f.abs), d.name))
		}
		for _, dir := range dirs {
			tries = append(tries, filepath.Join(dir, d.name))
		}
	}
	for _, t := range tries {
		if abs, err := filepath.Abs(t); err == nil && p.byAbs[abs] != nil {
			return p.byAbs[abs]
		}
	}
	return nil
}
