package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// reworded is text in other words: each letter is another one, so that no word that
// anything could look for is left.
func reworded(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, text)
}

// reword returns a finding whose words are others, its facts the same.
func reword(f *finding.Finding) *finding.Finding {
	g := *f
	g.Message, g.Help, g.Unit, g.Notes = reworded(f.Message), reworded(f.Help), f.Unit, nil
	for _, n := range f.Notes {
		g.Notes = append(g.Notes, reworded(n))
	}
	g.Primary.Role, g.Primary.PTX = reworded(f.Primary.Role), reworded(f.Primary.PTX)
	g.Related = nil
	for _, p := range f.Related {
		p.Role, p.PTX = reworded(p.Role), reworded(p.PTX)
		g.Related = append(g.Related, p)
	}
	for _, o := range []**finding.Object{&g.Object, &g.Hit} {
		if *o != nil {
			x := **o
			x.Where = reworded(x.Where)
			*o = &x
		}
	}
	if d, ok := f.Details.(map[string]any); ok {
		g.Details = rewordedDetails(d)
	}
	return &g
}

// rewordedDetails changes what details say in words: the strings with a space.
func rewordedDetails(d map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range d {
		switch x := v.(type) {
		case map[string]any:
			v = rewordedDetails(x)
		case string:
			if strings.Contains(x, " ") {
				v = reworded(x)
			}
		}
		out[k] = v
	}
	return out
}

// facts is what a report says of a finding, and of those joined to it, without words.
func facts(f *finding.Finding) string {
	var b strings.Builder
	for _, m := range append([]*finding.Finding{f}, f.Members...) {
		repair, _ := json.Marshal(m.Repair)
		fmt.Fprintf(&b, "%s %s %v %s %s %v %d %s %s\n", m.Rule, m.Kind, m.Level, m.Kernel, m.Cause, m.Primary.Loc, m.Count, repair, m.Fingerprint)
	}
	return b.String()
}

// samples are findings of many kinds: saved reports of the repository, taken apart, and
// those of the tests of joining.
func samples(t *testing.T) map[string][]*finding.Finding {
	all := map[string][]*finding.Finding{}
	names, err := filepath.Glob("../check/race/shared/testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "../../docs/report-example/report.json") {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(file, name)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		all[name] = Ungroup(r.Findings)
	}
	hang := missed("deadlock", 30, "same-barriers", "")
	hang.Waits = true
	races := race("k", "s", 10, 12, threads)
	races.Hangs = true
	all["joins"] = []*finding.Finding{
		races, race("k", "s", 12, 10, again), race("k", "b", 11, 13, threads), by(race("k", "s", 11, 12, warps), 0, 0), mend("k", "u", 20, 20, "atomic"), race("k", "u", 20, 20, warps),
		beyond("s", "t", 42, 0, 64), race("k", "t", 40, 42, threads), unwritten(3, 50), unwritten(3, 52), unwritten(4, 54),
		of(fenced("k", "a", 60, 90, 60, 80), "release", finding.Error, false), of(fenced("l", "b", 70, 91, 70, 80), "release", finding.Error, true),
		missed("exited", 9, "return-later", "8 exited"), missed("exited", 12, "return-later", "8 exited"), hang,
	}
	return all
}

// TestRewording renders findings with other words: what is joined, the order, the levels
// (and with them the exit code), the repairs and the fingerprints stay.
func TestRewording(t *testing.T) {
	words := 0
	for name, fs := range samples(t) {
		var others []*finding.Finding
		for _, f := range fs {
			others = append(others, reword(f))
			words += 1 + len(f.Notes)
			if f.Help != "" {
				words++
			}
		}
		a, b := &Report{}, &Report{}
		a.Prepare(fs, rules, nil)
		b.Prepare(others, rules, nil)
		a.CountLevels()
		b.CountLevels()
		if a.Summary != b.Summary || len(a.Findings) != len(b.Findings) {
			t.Errorf("%s: %d findings become %d, %+v becomes %+v", name, len(a.Findings), len(b.Findings), a.Summary, b.Summary)
			continue
		}
		for i, f := range a.Findings {
			if x, y := facts(f), facts(b.Findings[i]); x != y {
				t.Errorf("%s: finding %d was\n%sand is\n%s", name, i, x, y)
			}
		}
		if name == "joins" && !slices.ContainsFunc(a.Findings, func(f *finding.Finding) bool { return len(f.Members) > 2 }) {
			t.Error("nothing is joined: the test shows nothing")
		}
	}
	if words < 100 {
		t.Errorf("%d texts only", words)
	}
}
