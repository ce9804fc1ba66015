package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// savedRun is a report that a run has left in a file.
type savedRun struct {
	file     string
	modified time.Time
	size     int64
	report   *report.Report
	// folders are those that its relative paths may start from, the likeliest
	// first.
	folders []string
	// lines are the sources as they were when the program ran, by path.
	lines map[string][]string
	// fixes are patches that were run, of a run that the server has started.
	fixes []Fix
}

// newest finds the youngest file that matches one of the patterns, which are
// relative to dir, and is a report. If that is the one that is known, it is
// returned as it is.
func newest(dir string, patterns []string, known *savedRun) *savedRun {
	var best *savedRun
	for _, p := range patterns {
		if !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		names, _ := filepath.Glob(p) // the patterns were checked at the start
		for _, name := range names {
			st, err := os.Stat(name)
			if err != nil || !st.Mode().IsRegular() || best != nil && !st.ModTime().After(best.modified) {
				continue
			}
			r := &savedRun{file: name, modified: st.ModTime(), size: st.Size()}
			if known != nil && known.file == name && known.modified.Equal(r.modified) && known.size == r.size {
				best = known
			} else if r.read(dir) == nil {
				best = r
			}
		}
	}
	return best
}

// read reads the report; it fails while the file is being written, too.
func (r *savedRun) read(dir string) error {
	f, err := userfile.Open(r.file)
	if err != nil {
		return err
	}
	defer f.Close()
	if r.report, err = report.Read(f, r.file); err != nil {
		return err
	}
	r.folders = []string{filepath.Dir(r.file), dir, filepath.Dir(filepath.Dir(r.file))}
	r.lines = map[string][]string{}
	for _, s := range r.report.Sources {
		r.lines[r.path(s.File)] = splitLines(s.Text)
	}
	return nil
}

// path returns where a file of the report lies, "" if it has none.
func (r *savedRun) path(file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	for _, dir := range r.folders {
		name := filepath.Join(dir, file)
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return filepath.Join(r.folders[0], file)
}

// findings are those of the run with whole paths; one without a place is put
// at the start of the first source.
func (r *savedRun) findings() []*finding.Finding {
	var out []*finding.Finding
	for _, f := range r.report.Findings {
		out = append(out, r.resolve(f))
	}
	return out
}

func (r *savedRun) resolve(f *finding.Finding) *finding.Finding {
	g := *f
	g.Primary = r.resolvePlace(f.Primary)
	g.Related, g.Members = nil, nil
	for _, p := range f.Related {
		g.Related = append(g.Related, r.resolvePlace(p))
	}
	for _, m := range f.Members {
		g.Members = append(g.Members, r.resolve(m))
	}
	if f.Repair.Placed() {
		repair := *f.Repair
		repair.From, repair.To = r.resolvePoint(repair.From), r.resolvePoint(repair.To)
		g.Repair = &repair
	}
	if !g.Primary.Loc.IsValid() && len(r.report.Sources) > 0 {
		g.Primary.Loc.File, g.Primary.Loc.Line = r.path(r.report.Sources[0].File), 1
	}
	return &g
}

func (r *savedRun) resolvePoint(p *finding.Point) *finding.Point {
	q := *p
	q.File = r.path(p.File)
	return &q
}

func (r *savedRun) resolvePlace(p finding.Place) finding.Place {
	p.Loc.File = r.path(p.Loc.File)
	at := p.Loc.InlinedAt
	p.Loc.InlinedAt = nil
	for _, q := range at {
		q.File = r.path(q.File)
		p.Loc.InlinedAt = append(p.Loc.InlinedAt, q)
	}
	return p
}

// below reports whether a file lies in dir.
func below(file, dir string) bool {
	return dir != "" && strings.HasPrefix(file, strings.TrimSuffix(dir, "/")+"/")
}
