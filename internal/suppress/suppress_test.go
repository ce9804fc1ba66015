package suppress

import (
	"bytes"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// race is a finding of scan<float>, written in scan.cu:30 and read in a helper
// of util.cuh that is called from scan.cu:31.
func race() *finding.Finding {
	return &finding.Finding{
		Rule: "race", Kind: "RAW", Kernel: "_Z4scanIfEvPT_", KernelName: "scan<float>(float*)", Message: "RAW on s",
		Primary: finding.Place{Loc: source.Location{
			Pos: source.Pos{File: "/src/util.cuh", Line: 7}, Func: "_Z4loadPf", InlinedAt: []source.Pos{{File: "/src/scan.cu", Line: 31}}}},
		Object:  &finding.Object{Kind: finding.Variable, Name: "s"},
		Related: []finding.Place{{Loc: source.Location{Pos: source.Pos{File: "/src/scan.cu", Line: 30}, Func: "_Z4scanIfEvPT_"}}},
	}
}

// sources are the files of race in a folder, with something before the first line of each.
func sources(dir, before string) *source.Files {
	files := &source.Files{}
	files.Add(dir+"/util.cuh", []byte(before+strings.Repeat("\n", 6)+"  return p[1];  // \"next\" \\\n"))
	files.Add(dir+"/scan.cu", []byte(before+strings.Repeat("\n", 29)+"\ts[t] = x;\n\ty = load(s + t);\n\ts[t + 1] = x;\n"))
	return files
}

// moved is a finding in a folder, with lines inserted before.
func moved(f *finding.Finding, dir string, lines int) *finding.Finding {
	at := func(p source.Pos) source.Pos {
		return source.Pos{File: strings.Replace(p.File, "/src", dir, 1), Line: p.Line + lines, Col: p.Col}
	}
	f.Primary.Loc.Pos, f.Related[0].Loc.Pos = at(f.Primary.Loc.Pos), at(f.Related[0].Loc.Pos)
	f.Primary.Loc.InlinedAt[0] = at(f.Primary.Loc.InlinedAt[0])
	return f
}

// TestGeneratedElsewhere holds what was generated against the program in another folder and with lines inserted, and against other
// defects of the same function.
func TestGeneratedElsewhere(t *testing.T) {
	var b bytes.Buffer
	if err := Generate(&b, []*finding.Finding{race()}, sources("/src", "")); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "/src") || strings.Contains(text, "line=") {
		t.Errorf("generated %s", text)
	}
	var l List
	if err := l.Read("f", &b); err != nil {
		t.Fatal(err)
	}
	files := sources("/other/checkout", "\n\n\n")
	other := moved(race(), "/other/checkout", 3)
	if _, n := l.Apply([]*finding.Finding{race()}, sources("/src", "")); len(n) != 1 {
		t.Error("the finding itself is kept")
	}
	if _, n := l.Apply([]*finding.Finding{other}, files); len(n) != 1 {
		t.Errorf("kept in another checkout with lines inserted: %s", l.Entries[0].Text)
	}
	for what, change := range map[string]func(*finding.Finding){
		"another line":   func(f *finding.Finding) { f.Related[0].Loc.Line += 2 },
		"another object": func(f *finding.Finding) { f.Object = &finding.Object{Kind: finding.Variable, Name: "t"} },
		"another kind":   func(f *finding.Finding) { f.Kind = "WAW" },
		"another kernel": func(f *finding.Finding) { f.Kernel, f.KernelName = "_Z4fillPf", "fill(float*)" },
	} {
		f := moved(race(), "/other/checkout", 3)
		change(f)
		if kept, _ := l.Apply([]*finding.Finding{f}, files); len(kept) != 1 {
			t.Errorf("%s: suppressed", what)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tc := range []struct {
		line string
		want bool
	}{
		{"rule=race", true},
		{"rule=*", true},
		{"rule=memory", false},
		{"rule=race kind=RAW", true},
		{"rule=race kind=WAW", false},
		{"rule=race kernel=scan", true},
		{`rule=race kernel="scan<float>(float*)"`, true},
		{"rule=race kernel=reduce", false},
		{"rule=race file=util.cuh", true},
		{"rule=race file=scan.cu", true},
		{"rule=race file=src/*.cu", true},
		{"rule=race file=other.cu", false},
		{"rule=race file=scan.cu line=30", true},
		{"rule=race file=scan.cu line=31", true},
		{"rule=race file=scan.cu line=29", false},
		{"rule=race file=util.cuh line=5-8", true},
		{"rule=race function=load", true},
		{"rule=race function=load file=util.cuh", true},
		{"rule=race function=load file=scan.cu line=30", false},
		{"rule=race function=store", false},
		{"rule=race stack=util.cuh:7,scan.cu:31", true},
		{"rule=race stack=util.cuh,scan.cu", true},
		{"rule=race object=s", true},
		{"rule=race object=t", false},
		{`rule=race text="return p[1]; // \"next\""`, true},
		{`rule=race text="s[t] = x;"`, true},
		{`rule=race text="s[t]  =  x;" text="return p[1]; // \"next\""`, true},
		{`rule=race text="s[t] = x;" text="y = x;"`, false},
		{"rule=race stack=scan.cu:31", false},
		{"rule=race stack=util.cuh:7,scan.cu:31,main.cu:1", false},
	} {
		var l List
		if err := l.Read("x", strings.NewReader(tc.line)); err != nil {
			t.Fatal(err)
		}
		kept, n := l.Apply([]*finding.Finding{race()}, sources("/src", ""))
		if got := len(n) == 1; got != tc.want || len(kept)+len(n) != 1 {
			t.Errorf("%s: suppressed %d, kept %d, want it suppressed: %v", tc.line, len(n), len(kept), tc.want)
		}
		if unused := len(l.Unused()) == 1; unused == tc.want {
			t.Errorf("%s: unused is %v", tc.line, unused)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for line, want := range map[string]string{
		"kernel=k":                  "f:1: a suppression needs rule=",
		"rule":                      `f:1: "rule": want key=value`,
		"rule=race line=3":          "f:1: line= needs file=",
		"rule=race file=a line=0":   `f:1: line "0": want N or N-M`,
		"rule=race file=a line=5-4": `f:1: line "5-4": want N or N-M`,
		`rule=race kernel="k`:       "f:1: a quotation mark is not closed",
		"rule=race speed=3":         `f:1: unknown field "speed": want rule, kind, kernel, function, file, line, stack, object or text`,
		"rule=race kernel=regex:(":  "f:1: pattern",
	} {
		var l List
		if err := l.Read("f", strings.NewReader(line)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
}

// TestGenerateRoundTrip reads what was generated: it suppresses the findings.
func TestGenerateRoundTrip(t *testing.T) {
	f := race()
	f.KernelName = "run<main::{lambda(int) #1}>(float*)"
	f.Kernel = f.KernelName
	var b bytes.Buffer
	if err := Generate(&b, []*finding.Finding{f}, nil); err != nil {
		t.Fatal(err)
	}
	var l List
	if err := l.Read("f", &b); err != nil {
		t.Fatal(err)
	}
	if _, n := l.Apply([]*finding.Finding{f}, nil); len(n) != 1 || n[0].Finding != f || len(l.Entries) != 1 || !strings.Contains(n[0].Reason, "give a reason") {
		t.Errorf("suppressed %+v by %+v", n, l.Entries)
	}
}

func TestComments(t *testing.T) {
	for _, tc := range []struct {
		text string
		want bool
	}{
		{"a[i] = 1; // warpgrind: ignore race (known)", true},
		{"a[i] = 1; // warpgrind: ignore race (known (see k()))", true},
		{"a[i] = 1; // warpgrind: ignore init, race", true},
		{"a[i] = 1; // warpgrind: ignore", true},
		{"a[i] = 1; // warpgrind: ignore all (x)", true},
		{"a[i] = 1; /* warpgrind: ignore race */", true},
		{"a[i] = 1; // warpgrind: ignore init", false},
		{"a[i] = 1; // warpgrind ignore race", false},
		{"// warpgrind: ignore race\na[i] = 1;", true},
		{"b[i] = 2; // warpgrind: ignore race\na[i] = 1;", false},
		{"a[i] = 1;", false},
	} {
		var files source.Files
		files.Add("a.cu", []byte(tc.text))
		n := 1 + strings.Count(tc.text, "\n")
		f := &finding.Finding{Rule: "race", Primary: finding.Place{Loc: source.Location{Pos: source.Pos{File: "a.cu", Line: n}}}}
		_, got := Comments([]*finding.Finding{f}, &files)
		if (len(got) == 1) != tc.want {
			t.Errorf("%q: suppressed %+v, want %v", tc.text, got, tc.want)
		}
		reason := ""
		if _, after, ok := strings.Cut(tc.text, " ("); ok {
			reason = strings.TrimSuffix(after, ")")
		}
		if tc.want && got[0].Reason != reason {
			t.Errorf("%q: reason %q, want %q", tc.text, got[0].Reason, reason)
		}
	}
}
