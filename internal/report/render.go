package report

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// renderers are the formats by name.
var renderers = map[string]func(io.Writer, *Report, Options) error{
	"text":              Text,
	"json":              func(w io.Writer, r *Report, o Options) error { return JSON(w, r.findingsOnly(), o.Dir) },
	"sarif":             SARIF,
	"junit":             JUnit,
	"github":            GitHub,
	"compute-sanitizer": Sanitizer,
	"sanitizer-xml":     SanitizerXML,
	"html":              HTML,
	"lcov":              LCOV,
	"cobertura":         Cobertura,
}

// findingsOnly returns r without what only saved reports have.
func (r *Report) findingsOnly() *Report {
	out := *r
	out.Run, out.Code, out.Parts = nil, nil, nil
	for _, p := range r.Parts {
		part := *p
		part.Code = nil
		out.Parts = append(out.Parts, &part)
	}
	return &out
}

// Formats lists the names that Write takes.
func Formats() []string {
	return []string{"text", "json", "sarif", "junit", "github", "compute-sanitizer", "sanitizer-xml", "html", "lcov", "cobertura"}
}

// FormatOf returns the format that a file's name asks for, "text" where it says
// nothing.
func FormatOf(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".json":
		return "json"
	case ".sarif":
		return "sarif"
	case ".xml":
		return "junit"
	case ".html", ".htm":
		return "html"
	case ".info", ".lcov":
		return "lcov"
	}
	return "text"
}

// CheckFormat returns an error that lists the formats if there is none of that
// name.
func CheckFormat(name string) error {
	if !slices.Contains(Formats(), name) {
		return fmt.Errorf("--format %q: want %s", name, strings.Join(Formats(), ", "))
	}
	return nil
}

// Write renders r in the named format.
func Write(w io.Writer, r *Report, format string, o Options) error {
	if err := CheckFormat(format); err != nil {
		return err
	}
	return renderers[format](w, r, o)
}

// files lists the source files that r names, each once, in order: those of findings and of coverage,
// and of statistics and PTX those near dir. Others are of the system.
func (r *Report) files(dir string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(file string) {
		if file != "" && !seen[file] {
			seen[file] = true
			out = append(out, file)
		}
	}
	for _, f := range Ungroup(r.Findings) {
		for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
			add(p.Loc.File)
		}
	}
	for _, n := range siteNumbers(r.Stats) {
		if near(n.file, dir) {
			add(n.file)
		}
	}
	for _, c := range r.Code {
		for _, i := range c.Instructions {
			if near(i.File, dir) {
				add(i.File)
			}
		}
	}
	if r.Coverage != nil {
		for _, f := range r.Coverage.Files {
			add(f.Path)
		}
	}
	slices.Sort(out)
	return out
}

// near reports whether a file lies in dir, or beside it as the sources do in a
// project that is built in a folder of its own.
func near(file, dir string) bool {
	if parent := filepath.Dir(dir); parent != filepath.Dir(parent) {
		dir = parent
	}
	return !filepath.IsAbs(relative(file, dir))
}

// maxSource bounds a file that is kept in a report, in bytes.
const maxSource = 1 << 20

// Embed puts the text of the files that r names into it, so that it can be
// rendered elsewhere.
func (r *Report) Embed(o Options) {
	r.Sources = nil
	if o.Files == nil {
		return
	}
	for _, file := range r.files(o.Dir) {
		if text, ok := o.Files.Text(o.absolute(file)); ok && len(text) <= maxSource {
			r.Sources = append(r.Sources, Source{file, text})
		}
	}
}

// Unpack makes the embedded files those that o.Files gives.
func (r *Report) Unpack(o Options) {
	for _, s := range r.Sources {
		o.Files.Add(o.absolute(s.File), []byte(s.Text))
	}
}
