package report

import (
	"encoding/json"
	"io"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// JSON writes r as indented JSON with a final newline. Paths below dir are
// written relative to it. The same report gives the same bytes.
func JSON(w io.Writer, r *Report, dir string) error {
	out := *r
	out.Schema = Schema
	out.Findings = make([]*finding.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, relativeTo(f, dir))
	}
	if out.Tools == nil {
		out.Tools = []string{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(&out)
}
