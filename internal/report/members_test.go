package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// TestManyMembers: a finding with many members makes no large report, and loses no count.
func TestManyMembers(t *testing.T) {
	const n = 30000
	f := &finding.Finding{Rule: "race", Level: finding.Error, Message: "a race", Kernel: "k", Count: n}
	for range n {
		m := *f
		m.Members, m.Count = nil, 1
		f.Members = append(f.Members, &m)
	}
	r := &Report{Schema: Schema, Findings: []*finding.Finding{f}}
	for _, format := range []string{"json", "html", "sarif", "text"} {
		var out bytes.Buffer
		if err := Write(&out, r, format, Options{}); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 1<<20 {
			t.Errorf("%s: %d bytes", format, out.Len())
		}
		if left := "29800"; (format == "json" || format == "html") && !strings.Contains(out.String(), left) {
			t.Errorf("%s: no count of the %s members that are left out", format, left)
		}
	}
	if len(f.Members) != n {
		t.Error("the finding itself has lost members")
	}
}
