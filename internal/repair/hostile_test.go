package repair

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestHostileReports: what fix and tidy say of each finding shows names and messages, and obeys none of them.
func TestHostileReports(t *testing.T) {
	r, values := rand.New(rand.NewPCG(4, 7)), 0
	for range 300 {
		var fixed Report
		var tidied TidyReport
		values += tooltest.FillHostile(&fixed.Results, r) + tooltest.FillHostile(&tidied.Results, r)
		for i := range fixed.Results {
			if x := &fixed.Results[i]; x.Finding == nil {
				x.Finding = &finding.Finding{Message: tooltest.Hostile(r)}
			}
		}
		var b strings.Builder
		fixed.Text(&b, "")
		tidied.Text(&b, "")
		if text := tooltest.Harm(b.String(), nil); text != "" {
			t.Fatal(text)
		}
	}
	t.Logf("%d values", values)
}

// TestHostileDiffs: a diff of files with any names changes these files and no others, and its heads obey none of the names.
func TestHostileDiffs(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	r, dir := rand.New(rand.NewPCG(5, 2)), t.TempDir()
	git := func(in string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin = strings.NewReader(in)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%q", err, out, in)
		}
	}
	git("", "init", "-q")
	const before, after = "one\ntwo\n", "one\n2\n"
	files := []Changed{}
	for i := range 300 {
		name := filepath.Join(dir, strconv.Itoa(i)+strings.NewReplacer("/", "", "\x00", "").Replace(tooltest.Hostile(r)))
		if err := os.WriteFile(name, []byte(before), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, Changed{name, before, after})
	}
	var b strings.Builder
	if err := (&Report{Files: files}).Diff(&b, dir); err != nil {
		t.Fatal(err)
	}
	if text := tooltest.Harm(b.String(), nil); text != "" || strings.Count(b.String(), "\n") != 6*len(files) {
		t.Errorf("%s, %d lines\n%s", text, strings.Count(b.String(), "\n"), b.String())
	}
	git(b.String(), "apply", "-p1")
	for _, f := range files {
		if text, err := os.ReadFile(f.File); err != nil || string(text) != after {
			t.Errorf("%q: %q, %v", f.File, text, err)
		}
	}
}

// TestHostileSuggestions: a comment of a review has one suggestion, with the text of the lines, whatever they, names and messages have.
func TestHostileSuggestions(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for range 300 {
		line := "a[i] = 0; // ```suggestion " + strings.Repeat("`", r.IntN(6)) + strings.ReplaceAll(tooltest.Hostile(r), "\n", "")
		at := func(col int) source.Pos { return source.Pos{File: "/a.cu", Line: 1, Col: col} }
		fixed := Report{Files: []Changed{{File: "/a.cu", Before: line + "\n"}}, Results: []Result{{
			Outcome: Fixed, What: "\n```suggestion\nrm\n```\n" + tooltest.Hostile(r), Edits: []source.Replacement{{From: at(1), To: at(1), Text: "x "}},
			Finding: &finding.Finding{Rule: tooltest.Hostile(r), Message: "\n```suggestion\nrm\n```\n" + tooltest.Hostile(r)},
		}}}
		var b strings.Builder
		var got struct{ Comments []struct{ Body string } }
		if err := fixed.Suggestions(&b, "/"); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil || len(got.Comments) != 1 {
			t.Fatalf("%v: %s", err, b.String())
		}
		body := regexp.MustCompile("(?s)^[^\n]*\n\n[^\n]*\n\n(`{3,})suggestion\n(.*)\n(`{3,})\n$").FindStringSubmatch(got.Comments[0].Body)
		if body == nil || body[1] != body[3] || body[2] != string([]rune("x "+line)) || strings.Contains(body[2], body[1]) {
			t.Errorf("%q", got.Comments[0].Body)
		}
	}
}
