package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Runner runs the program of a CUDA source as it is saved. It gives the report to found, and
// returns the patches that remove findings and that were run, all together.
type Runner func(ctx context.Context, file string, found func(*report.Report)) ([]Fix, error)

// Fix is a patch that was run.
type Fix struct {
	// Finding is the finding it removes, What describes the patch, and Edits apply to the sources as reported.
	Finding *finding.Finding
	What    string
	Edits   []source.Replacement
}

// rerun runs the program of a source that was saved, and shows what that finds. A run of an older
// text is given up.
func (s *server) rerun(file string) {
	d := s.docs[file]
	if s.o.Run == nil || d == nil || !cudaSource(file) {
		return
	}
	d.stop()
	ctx, cancel := context.WithCancel(s.ctx)
	d.stop = cancel
	texts := map[string][]string{}
	for name, open := range s.docs {
		texts[name] = open.lines
	}
	go func() {
		defer cancel()
		run := &savedRun{file: file, folders: []string{filepath.Dir(file)}}
		fixes, _ := s.o.Run(ctx, file, func(r *report.Report) {
			run.report, run.modified = r, time.Now()
			s.show(ctx, run, texts)
		})
		if run.report != nil && len(fixes) > 0 {
			with := *run
			with.fixes = fixes
			s.show(ctx, &with, texts)
		}
	}()
}

// show takes what a run has found, unless that was given up. texts are the files that were open when it
// began; what it says of others is about the files as they are.
func (s *server) show(ctx context.Context, r *savedRun, texts map[string][]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	s.ran[r.file] = r
	clear(s.disk)
	clear(s.maps)
	r.lines = map[string][]string{r.file: texts[r.file]}
	keep := func(name string) {
		if lines, ok := texts[name]; ok {
			r.lines[name] = lines
		} else if name != "" {
			r.lines[name] = s.lines(name)
		}
	}
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

// fixesAt offers the patches of a run in which a finding has one. They were run with the texts as these
// were saved, and all together: they are offered so, while all texts are as they were.
func (s *server) fixesAt(m *marked) []codeAction {
	r := m.run
	if r == nil || !slices.ContainsFunc(r.fixes, func(f Fix) bool { return removes(f, m.finding) }) {
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
	return []codeAction{{Title: title, Kind: "quickfix", Preferred: true, Diagnostics: []diagnostic{m.diag}, Edit: workspaceEdit{edits}}}
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
