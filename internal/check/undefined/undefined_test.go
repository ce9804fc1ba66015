package undefined

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

func TestMistakesHaveHelp(t *testing.T) {
	for group, m := range mistakes {
		if helps[m.repair] == "" {
			t.Errorf("-W%s: no help for %q", group, m.repair)
		}
	}
}

// TestDistinct: another rule's finding at the same line takes the place of one of this
// rule, unless it is about something else.
func TestDistinct(t *testing.T) {
	at := func(line int) source.Location {
		return source.Location{Pos: source.Pos{File: "a.cu", Line: line, Col: 3}}
	}
	fs := Diagnosed([]check.Diagnostic{
		{Group: "array-bounds", Text: "index", Loc: at(4)},
		{Group: "array-bounds", Text: "index", Loc: at(5)},
		{Group: "division-by-zero", Text: "zero", Loc: at(4)},
		{Group: "sometimes-uninitialized", Text: "unset", Loc: at(9)},
		{Group: "unused-variable", Text: "unused", Loc: at(4)},
	})
	if len(fs) != 4 || fs[3].Level != finding.Warning || fs[3].Confidence != finding.Possible {
		t.Fatalf("%d findings: %+v", len(fs), fs)
	}
	others := []*finding.Finding{{Rule: "memory", Primary: finding.Place{Loc: at(4)}}, {Rule: "race", Primary: finding.Place{Loc: at(5)}}}
	got := ""
	for _, f := range Distinct(fs, others) {
		got += f.Kind + " "
	}
	if want := "division-by-zero array-bounds sometimes-uninitialized "; got != want {
		t.Errorf("left: %s, want %s", got, want)
	}
}
