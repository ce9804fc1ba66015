package lsp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Request is a program to run.
type Request struct {
	// File is its CUDA source. Text is what to run in its place, nil for the file as it is on disk.
	File string
	Text *string
	Args []string
	// Asked is set if the user has named the program: such a run takes the time that it takes.
	Asked bool
	// Output takes what the program prints.
	Output io.Writer
}

// Runner runs a program. It gives the report to found, and returns the patches that remove findings and
// that were run, all together. For a text that is not on disk it looks for no patches.
type Runner func(ctx context.Context, q *Request, found func(*report.Report)) ([]Fix, error)

// Fix is a patch that was run.
type Fix struct {
	// Finding is the finding it removes, What describes the patch, and Edits apply to the sources as reported.
	Finding *finding.Finding
	What    string
	Edits   []source.Replacement
}

// show takes what a run has found. texts are the files that were open when it began; what it says of
// others is about the files as they are.
func (s *server) show(r *savedRun, texts map[string][]string) {
	s.ran[r.file] = r
	clear(s.disk)
	clear(s.maps)
	r.lines = map[string][]string{}
	keep := func(name string) {
		if lines, ok := texts[name]; ok {
			r.lines[name] = lines
		} else if name != "" {
			r.lines[name] = s.lines(name)
		}
	}
	keep(r.file)
	for _, f := range r.findings() {
		keep(f.Primary.Loc.File)
		for _, p := range f.Related {
			keep(p.Loc.File)
		}
	}
	for _, f := range r.fixes {
		for _, e := range f.Edits {
			keep(e.From.File)
		}
	}
	s.publish()
}

// runs are the runs whose findings are shown, the newest first.
func (s *server) runs() []*savedRun {
	var out []*savedRun
	if s.run != nil {
		out = append(out, s.run)
	}
	for _, r := range s.ran {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *savedRun) int {
		return cmp.Or(b.modified.Compare(a.modified), strings.Compare(a.file, b.file))
	})
	return out
}

// fixesAt offers the patches of a run in which a finding has one.
func (s *server) fixesAt(m *marked) []codeAction {
	r := m.run
	if r == nil || !slices.ContainsFunc(r.fixes, func(f Fix) bool { return removes(f, m.finding) }) {
		return nil
	}
	p := s.patch(r)
	if p == nil {
		return nil
	}
	return []codeAction{{Title: p.Title, Kind: "quickfix", Preferred: true, Diagnostics: []diagnostic{m.diag}, Edit: p.Edit}}
}

// patch is what "warpgrind.fix" answers.
type patch struct {
	Title string        `json:"title"`
	Edit  workspaceEdit `json:"edit"`
}

// patch returns the patches of a run, nil if there are none. They were run with the texts as these were
// saved, and all together: they are offered so, while all texts are as they were.
func (s *server) patch(r *savedRun) *patch {
	if len(r.fixes) == 0 {
		return nil
	}
	edits := map[string][]textEdit{}
	var what []string
	for _, f := range r.fixes {
		what = append(what, f.What)
		for _, e := range f.Edits {
			lines := s.lines(e.From.File)
			if !slices.Equal(lines, r.lines[e.From.File]) {
				return nil
			}
			uri := uriOf(e.From.File)
			edit := textEdit{span{s.position(lines, e.From), s.position(lines, e.To)}, e.Text}
			if !slices.Contains(edits[uri], edit) {
				edits[uri] = append(edits[uri], edit)
			}
		}
	}
	title := upperFirst(what[0]) + " (verified)"
	if len(what) > 1 {
		title = fmt.Sprintf("Apply %d patches (verified together): %s", len(what), strings.Join(what, "; "))
	}
	return &patch{title, workspaceEdit{edits}}
}

// removes reports whether a patch removes a finding or one of its members.
func removes(x Fix, f *finding.Finding) bool {
	same := func(g *finding.Finding) bool {
		return g.Rule == x.Finding.Rule && g.Kernel == x.Finding.Kernel && g.Primary.Loc.Pos == x.Finding.Primary.Loc.Pos
	}
	return same(f) || slices.ContainsFunc(f.Members, same)
}

// position is a place as the protocol has it.
func (s *server) position(lines []string, p source.Pos) position {
	if p.Line < 1 || p.Line > len(lines) {
		return position{Line: len(lines)}
	}
	line, at := lines[p.Line-1], 0
	for i := 1; i < p.Col && at < len(line); i++ {
		_, n := utf8.DecodeRuneInString(line[at:])
		at += n
	}
	return position{p.Line - 1, character(line, at, s.utf8)}
}

func upperFirst(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
