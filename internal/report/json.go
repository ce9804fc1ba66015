package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// JSON writes r as indented JSON with a final newline. Paths below dir are
// written relative to it. The same report gives the same bytes.
func JSON(w io.Writer, r *Report, dir string) error {
	out := relativeReport(r, dir)
	out.Schema = Schema
	if out.Merged {
		out.Code = nil // the parts have it
	}
	if out.Tools == nil {
		out.Tools = []string{}
	}
	e := json.NewEncoder(visible.JSONWriter(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// ReadError says why a file is not a saved report.
type ReadError struct {
	Name string
	Err  error
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("%s: not a report of warpgrind: %v", e.Name, e.Err)
}
func (e *ReadError) Unwrap() error { return e.Err }

// mostBytes bounds a saved report.
const mostBytes = 512 << 20

// Read reads what JSON wrote; name is for the error, a *ReadError. Details and
// statistics come back as maps.
func Read(rd io.Reader, name string) (*Report, error) {
	var head struct {
		Schema   int
		Findings *[]json.RawMessage
	}
	b, err := io.ReadAll(io.LimitReader(rd, mostBytes+1))
	if len(b) > mostBytes {
		err = fmt.Errorf("it has more than %d bytes", mostBytes)
	}
	if err == nil {
		err = json.Unmarshal(b, &head)
	}
	switch {
	case err != nil:
		return nil, &ReadError{name, err}
	case head.Schema == 0 || head.Findings == nil:
		return nil, &ReadError{name, errors.New("it has no schema or no findings")}
	case head.Schema > Schema:
		return nil, &ReadError{name, fmt.Errorf("schema %d is from a newer version; this one reads up to %d", head.Schema, Schema)}
	}
	r := &Report{}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // details have addresses, which a float64 does not hold
	if err := d.Decode(r); err != nil {
		return nil, &ReadError{name, err}
	}
	if hasNull(r) {
		return nil, &ReadError{name, errors.New("one of its findings is null")}
	}
	return r, nil
}

// hasNull reports whether a finding or a member is missing where the form has
// room for one.
func hasNull(r *Report) bool {
	null := func(f *finding.Finding) bool { return f == nil || slices.Contains(f.Members, nil) }
	return slices.ContainsFunc(r.Findings, null) || slices.ContainsFunc(r.Parts, func(p *Report) bool { return p == nil || hasNull(p) }) ||
		slices.ContainsFunc(r.Suppressed, func(s Suppressed) bool { return null(s.Finding) })
}

// relativeReport returns r with paths relative to dir; r is not changed.
func relativeReport(r *Report, dir string) *Report {
	out := *r
	out.Findings = make([]*finding.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, relativeTo(f, dir))
	}
	if dir != "" && r.Stats != nil {
		out.Stats = map[string]any{}
		for rule, s := range r.Stats {
			out.Stats[rule] = relativeDetails(s, dir)
		}
	}
	out.Suppressed = nil
	for _, q := range r.Suppressed {
		out.Suppressed = append(out.Suppressed, Suppressed{relativeTo(q.Finding, dir), q.InSource, q.Reason})
	}
	out.Limits = r.Limits.relativeTo(dir)
	out.Coverage = r.Coverage.Moved(func(file string) string { return relative(file, dir) })
	out.Code = nil
	for _, c := range r.Code {
		out.Code = append(out.Code, c.relativeTo(dir))
	}
	out.Parts = nil
	for _, p := range r.Parts {
		out.Parts = append(out.Parts, relativeReport(p, dir))
	}
	out.Sources = nil
	for _, s := range r.Sources {
		out.Sources = append(out.Sources, Source{relative(s.File, dir), s.Text})
	}
	return &out
}
