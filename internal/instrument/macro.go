package instrument

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// Accesses that a macro makes cannot be wrapped where they stand: the macro's
// text serves other uses, an argument may come several times or as a string.
// So such a use of a macro is replaced by what it expands to, with the use
// itself kept as a comment before it, and the file is read again. What the
// preprocessor makes of the new text must be what it made of the old.

// use is one use of a macro in a file, with its arguments.
type use struct {
	span
	text string // what it expands to
}

// expand replaces uses of macros by their expansions, and says which could not be.
func (p *project) expand(ctx context.Context, r Reader, macros map[hidden]bool) (refused []string, err error) {
	uses := usesOf(macros)
	if err := p.expansions(ctx, r, uses); err != nil {
		return nil, err
	}
	for again := true; again; {
		p.replace(uses)
		again = false
		var kept []*use
		if kept, err = p.verify(ctx, r, uses); err != nil {
			return nil, err
		}
		for _, u := range uses {
			if !slices.Contains(kept, u) {
				line, _ := u.file.originalPlace(u.begin)
				refused = append(refused, fmt.Sprintf("%s:%d: the accesses of the macro %s are not watched: it expands differently elsewhere",
					u.file.name, line, syntax.WordAt(u.file.original, u.begin)))
				again = true
			}
		}
		uses = kept
	}
	p.replace(uses)
	return refused, nil
}

// usesOf returns the outermost uses, in order.
func usesOf(macros map[hidden]bool) []*use {
	var uses []*use
	for m := range macros {
		if end := syntax.UseEnd(m.file.original, m.off); end > m.off {
			uses = append(uses, &use{span: span{m.file, m.off, end}})
		}
	}
	slices.SortFunc(uses, func(a, b *use) int {
		if a.file != b.file {
			return strings.Compare(a.file.abs, b.file.abs)
		}
		return a.begin - b.begin
	})
	var out []*use
	for _, u := range uses {
		if n := len(out); n > 0 && out[n-1].file == u.file && u.begin < out[n-1].end {
			continue
		}
		out = append(out, u)
	}
	return out
}

// Marks around a use survive the preprocessor.
func markBegin(i int) string { return fmt.Sprintf(" wgi_mark_b%d_ ", i) }
func markEnd(i int) string   { return fmt.Sprintf(" wgi_mark_e%d_ ", i) }

// marked returns the files with marks around each use; with done the uses are
// in text, expanded, else in original.
func (p *project) marked(uses []*use, done bool) map[string][]byte {
	changes := map[*file][]edit{}
	for i, u := range uses {
		begin, end := u.begin, u.end
		if done {
			for _, e := range u.file.expanded {
				if e.origBegin == u.begin {
					begin, end = e.begin, e.end
				}
			}
		}
		changes[u.file] = append(changes[u.file], edit{at: begin, text: markBegin(i), order: opening}, edit{at: end, text: markEnd(i)})
	}
	out := p.texts()
	for f, all := range changes {
		text := f.original
		if done {
			text = f.text
		}
		out[f.abs] = apply(text, all)
	}
	return out
}

// expansions finds out what each use expands to on the device side.
func (p *project) expansions(ctx context.Context, r Reader, uses []*use) error {
	device, _, err := preprocess(ctx, r, p.marked(uses, false))
	if err != nil {
		return err
	}
	for i, u := range uses {
		if all := between(device, i); len(all) > 0 {
			u.text = tidy(all[0])
		}
	}
	return nil
}

// preprocess does both sides at once.
func preprocess(ctx context.Context, r Reader, texts map[string][]byte) (device, host []byte, err error) {
	done := make(chan error, 1)
	go func() {
		var err error
		host, err = r.Preprocess(ctx, texts, false)
		done <- err
	}()
	device, err = r.Preprocess(ctx, texts, true)
	if e := <-done; err == nil {
		err = e
	}
	return device, host, err
}

// between returns the texts between a use's marks: one for each time that its
// file is read.
func between(text []byte, i int) [][]byte {
	b, e := []byte(strings.TrimSpace(markBegin(i))), []byte(strings.TrimSpace(markEnd(i)))
	var out [][]byte
	for {
		from := bytes.Index(text, b)
		if from < 0 {
			return out
		}
		text = text[from+len(b):]
		to := bytes.Index(text, e)
		if to < 0 {
			return out
		}
		out = append(out, text[:to])
		text = text[to:]
	}
}

var lineMarker = regexp.MustCompile(`(?m)^# \d+ .*$`)

// tidy puts an expansion on one line.
func tidy(text []byte) string {
	var words []string
	for _, l := range strings.Split(string(lineMarker.ReplaceAll(text, nil)), "\n") {
		l = strings.TrimSpace(l)
		if pragma, ok := strings.CutPrefix(l, "#pragma "); ok {
			l = `_Pragma("` + strings.ReplaceAll(strings.ReplaceAll(pragma, `\`, `\\`), `"`, `\"`) + `")`
		}
		if l != "" {
			words = append(words, l)
		}
	}
	return spaceWords.Replace(strings.Join(words, " "))
}

// spaceWords gives CUDA's words back, which are macros.
var spaceWords = strings.NewReplacer("__attribute__((global))", "__global__", "__attribute__((device))", "__device__",
	"__attribute__((host))", "__host__", "__attribute__((shared))", "__shared__", "__attribute__((constant))", "__constant__")

// replace makes text of original with the uses expanded.
func (p *project) replace(uses []*use) {
	for _, f := range p.files {
		f.text, f.expanded = f.original, nil
		var out bytes.Buffer
		done := 0
		for _, u := range uses {
			if u.file != f {
				continue
			}
			out.Write(f.original[done:u.begin])
			begin := out.Len()
			comment := strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(string(f.original[u.begin:u.end]))
			fmt.Fprintf(&out, "/*%s*/ %s ", comment, u.text)
			f.expanded = append(f.expanded, expansion{begin, out.Len(), u.begin, u.end})
			done = u.end
		}
		if len(f.expanded) > 0 {
			out.Write(f.original[done:])
			f.text = out.Bytes()
		}
	}
}

// verify returns the uses that the preprocessor sees unchanged.
func (p *project) verify(ctx context.Context, r Reader, uses []*use) ([]*use, error) {
	device, host, err := preprocess(ctx, r, p.marked(uses, false))
	if err != nil {
		return nil, err
	}
	newDevice, newHost, err := preprocess(ctx, r, p.marked(uses, true))
	if err != nil {
		return nil, err
	}
	var kept []*use
	for i, u := range uses {
		if u.text != "" && same(between(device, i), between(newDevice, i)) && same(between(host, i), between(newHost, i)) {
			kept = append(kept, u)
		}
	}
	return kept, nil
}

// same compares texts but for white space.
func same(a, b [][]byte) bool {
	return slices.EqualFunc(a, b, func(x, y []byte) bool { return bare(x) == bare(y) })
}

func bare(text []byte) string {
	text = lineMarker.ReplaceAll(text, nil)
	return string(bytes.Join(bytes.Fields(text), nil))
}
