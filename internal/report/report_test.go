package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

var update = flag.Bool("update", false, "write the golden files")

func at(file string, line, col int) source.Location {
	return source.Location{Pos: source.Pos{File: file, Line: line, Col: col}}
}

// sample has one finding of each shape that the printer knows.
func sample(dir string) *Report {
	th := &finding.Thread{Thread: finding.Coord{X: 5}, Warp: 0, Lane: 5}
	file := filepath.Join(dir, "k.cu")
	inlined := at(file, 2, 2)
	inlined.InlinedAt = []source.Pos{{File: file, Line: 4, Col: 3}, {File: "/usr/include/x.h", Line: 9}}
	r := &Report{
		Version: "0.1", Arch: "sm_80", Build: "source-keeping", Tools: []string{"race", "memory"}, Exit: 1,
		Findings: []*finding.Finding{
			{Rule: "race", Kind: "RAW", Level: finding.Error, Kernel: "_Z1kPi", KernelName: "k", Launches: finding.InLaunch(3),
				Message: "RAW on shared variable s[5]", Primary: finding.Place{Role: "read by", Access: finding.Read, Loc: inlined, Thread: th},
				Related: []finding.Place{{Role: "written by", Access: finding.Write, Loc: at(file, 3, 1), Thread: th}},
				Notes:   []string{"a note that is long enough to be broken over more than one line of eighty columns"}, Help: "add __syncthreads()", Count: 2},
			{Rule: "memory", Kind: "out-of-bounds", Level: finding.Error, Message: "no source line",
				Primary: finding.Place{Role: "read by", Access: finding.Read, PTX: "ld.global.u32\t%r1, [%rd1];", PTXLine: 1234, Thread: th}},
			{Rule: "race", Level: finding.Warning, Message: "a long source line is cut around the column that it is about, and so is the message",
				Primary: finding.Place{Role: "written by", Access: finding.Write, Loc: at(file, 5, 140)}},
			{Rule: "launch", Level: finding.Error, Message: "invalid launch: no place at all", Kernel: "k"},
			{Rule: "bank", Level: finding.Info, Message: "missing file", Primary: finding.Place{Loc: at("/nowhere/else.cu", 7, 0)}},
		},
		Summary:  Summary{Launches: 12, Instructions: 1234567, Accesses: 1, Suppressed: 2},
		Messages: []string{"the program stopped by itself with exit code 3"},
	}
	r.CountLevels()
	return r
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update to accept):\n%s", name, got)
	}
}

func TestText(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"plain.txt":  {},
		"color.txt":  {Color: true},
		"narrow.txt": {Width: 50},
		"limit.txt":  {Limit: 2},
	} {
		o.Dir, o.Files = dir, &source.Files{}
		var b bytes.Buffer
		if err := Text(&b, sample(dir), o); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		if strings.Contains(b.String(), dir) {
			t.Errorf("%s has an absolute path below the directory", name)
		}
	}
}

func TestTextFitsWidth(t *testing.T) {
	for _, width := range []int{50, 80, 100} {
		var b bytes.Buffer
		if err := Text(&b, sample("/src"), Options{Width: width, Files: &source.Files{}}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		for _, l := range lines[:len(lines)-1] {
			if len(l) > width {
				t.Errorf("width %d: %d columns: %s", width, len(l), l)
			}
			if strings.TrimRight(l, " ") != l {
				t.Errorf("trailing space: %q", l)
			}
		}
	}
}

func TestJSONIsStable(t *testing.T) {
	var a, b bytes.Buffer
	r := sample("/src")
	if err := JSON(&a, r, "/src"); err != nil {
		t.Fatal(err)
	}
	if err := JSON(&b, r, "/src"); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Error("two renderings of one report differ")
	}
	if r.Findings[0].Primary.Loc.File != "/src/k.cu" {
		t.Error("rendering changed the report")
	}
	var got struct {
		Schema   int
		Exit     int
		Findings []struct {
			Level   string
			Primary struct{ Location struct{ File string } }
		}
	}
	if err := json.Unmarshal(a.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != Schema || got.Exit != 1 || got.Findings[0].Level != "error" || got.Findings[0].Primary.Location.File != "k.cu" {
		t.Errorf("got %+v", got)
	}
}

func TestEmptyReport(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, &Report{Summary: Summary{Launches: 1, Instructions: 3136, Accesses: 128}}, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "warpgrind: 1 launch, 3136 instructions, 128 accesses checked: 0 findings\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	b.Reset()
	if err := JSON(&b, &Report{}, ""); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.Contains(s, `"findings": []`) || !strings.Contains(s, `"tools": []`) {
		t.Errorf("empty lists are not empty lists: %s", s)
	}
}

func TestExpand(t *testing.T) {
	for _, tc := range []struct {
		line string
		col  int
		want string
		at   int
	}{
		{"\tx = 1;", 2, "    x = 1;", 4},
		{"ab\tc", 4, "ab  c", 4},
		{"    x", 0, "    x", 4},
		{"x", 9, "x", 1},
		{"é = s[1];", 6, "é = s[1];", 4},
		{"a\x1b[31mb", 1, "a?[31mb", 0},
		{"", 1, "", 0},
	} {
		got, col := expand(tc.line, tc.col)
		if got != tc.want || col != tc.at {
			t.Errorf("expand(%q, %d) = %q, %d; want %q, %d", tc.line, tc.col, got, col, tc.want, tc.at)
		}
	}
}

func TestRelative(t *testing.T) {
	for _, tc := range [][3]string{
		{"/a/b/c.cu", "/a/b", "c.cu"}, {"/a/b/d/c.cu", "/a/b", "d/c.cu"}, {"/a/c.cu", "/a/b", "/a/c.cu"},
		{"/a/bc.cu", "/a/b", "/a/bc.cu"}, {"c.cu", "/a", "c.cu"}, {"/a/c.cu", "", "/a/c.cu"},
		{"/a/b/../c.cu", "/a/b", "/a/c.cu"}, {"/a/b/../b/c.cu", "/a/b", "c.cu"}, {"", "/a", ""},
	} {
		if got := relative(tc[0], tc[1]); got != tc[2] {
			t.Errorf("relative(%q, %q) = %q, want %q", tc[0], tc[1], got, tc[2])
		}
	}
}

func TestRelativeText(t *testing.T) {
	for _, tc := range []struct{ text, dir, want string }{
		{"at /src/a.cu:4", "/src", "at a.cu:4"},
		{"at /src/a.cu:4", "/src/", "at a.cu:4"},
		{"/src/a.cu and \"/src/b.cu\"", "/src", "a.cu and \"b.cu\""},
		{"at /tmp/src/a.cu", "/src", "at /tmp/src/a.cu"},
		{"at /src/src/a.cu", "/src", "at src/a.cu"},
		{"at /src2/a.cu", "/src", "at /src2/a.cu"},
		{"at /src/a.cu", "/", "at /src/a.cu"},
		{"a / b", "/", "a / b"},
	} {
		if got := relativeText(tc.text, tc.dir); got != tc.want {
			t.Errorf("%q in %s: %q, want %q", tc.text, tc.dir, got, tc.want)
		}
	}
}

// TestSanitizerLeak has a record for each allocation, and their sum.
func TestSanitizerLeak(t *testing.T) {
	f := &finding.Finding{Rule: "memory", Kind: "leak", Level: finding.Error, Count: 2, Primary: finding.Place{Loc: at("a.cu", 7, 0)},
		Details: map[string]any{"leaked": []any{map[string]any{"address": 0x1000, "size": 64}, map[string]any{"address": 0x2000, "size": 1}}}}
	r := &Report{Tools: []string{"memory"}, Findings: []*finding.Finding{f}}
	want := `========= COMPUTE-SANITIZER
========= Leaked 64 bytes at 0x1000
=========     allocated at host in a.cu:7
=========
========= Leaked 1 bytes at 0x2000
=========     allocated at host in a.cu:7
=========
========= LEAK SUMMARY: 65 bytes leaked in 2 allocations
========= ERROR SUMMARY: 2 errors
`
	if got := render(t, "compute-sanitizer", r, Options{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNearestLine(t *testing.T) {
	o := &finding.Object{Kind: finding.Allocation, Space: "global", Address: 0x200, Size: 400}
	for lo, want := range map[int64]string{
		400:   "and is 1 bytes after the nearest allocation at 0x200 of size 400 bytes",
		404:   "and is 5 bytes after the nearest allocation at 0x200 of size 400 bytes",
		-2000: "and is 2,000 bytes before the nearest allocation at 0x200 of size 400 bytes",
		396:   "",
	} {
		if got := nearestLine(o, finding.Bytes{Lo: lo, Hi: lo + 8}); got != want {
			t.Errorf("%d: %q, want %q", lo, got, want)
		}
	}
}
