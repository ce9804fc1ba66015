package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/source"
)

// covered is coverage of a file: a template with two instances, one function that was not launched, and a macro's branch.
func covered(file string) *coverage.Result {
	count := func(threads, warps uint64) coverage.Count { return coverage.Count{Threads: threads, Warps: warps} }
	return &coverage.Result{Files: []coverage.File{{
		Path: file,
		Lines: []coverage.Line{
			{Line: 2, Count: count(64, 2), Launched: true}, {Line: 3, Count: count(60, 2), Launched: true},
			{Line: 4, Launched: true}, {Line: 5, Launched: true}, {Line: 8}, {Line: 9},
		},
		Functions: []coverage.FunctionCount{
			{Line: 2, Col: 30, EndLine: 6, Count: count(64, 2), Launched: true,
				Instances: []coverage.Instance{{Symbol: "_Z5scaleIfEvPT_", Count: count(32, 1)}, {Symbol: "_Z5scaleIiEvPT_", Count: count(32, 1)}}},
			{Line: 8, Col: 1, EndLine: 10, Instances: []coverage.Instance{{Symbol: "_Z4lessPi"}}},
		},
		Branches: []coverage.BranchCount{
			{Line: 3, Col: 7, EndLine: 3, EndCol: 12, Taken: count(60, 2), NotTaken: count(4, 1), Diverged: 1, Launched: true},
			{Line: 3, Col: 16, EndLine: 3, EndCol: 20, Macro: &source.Pos{File: file, Line: 1, Col: 20}, Taken: count(60, 2), Launched: true},
			{Line: 8, Col: 7, EndLine: 8, EndCol: 9},
		},
	}}}
}

// TestCoverageTools has genhtml and an XML validator read what they are for.
func TestCoverageTools(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a b.cu")
	if err := os.WriteFile(file, []byte(strings.Repeat("x;\n", 12)), 0o666); err != nil {
		t.Fatal(err)
	}
	dtd, err := filepath.Abs("testdata/cobertura.dtd")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		format, tool string
		args         []string
		want         string
	}{
		{"lcov", "genhtml", []string{"--branch-coverage", "-o", "html", "coverage.lcov"}, "33.3% (2 of 6 lines)"},
		{"cobertura", "xmllint", []string{"--noout", "--nonet", "--dtdvalid", dtd, "coverage.cobertura"}, ""},
	} {
		t.Run(c.format, func(t *testing.T) {
			tool, err := exec.LookPath(c.tool)
			if err != nil {
				t.Skip(c.tool + " is not installed")
			}
			for _, r := range []*Report{{Coverage: covered(file)}, {}} {
				if r.Coverage == nil && c.format == "lcov" {
					continue // genhtml takes no empty file
				}
				if err := os.WriteFile(filepath.Join(dir, "coverage."+c.format), []byte(render(t, c.format, r, Options{Dir: dir})), 0o666); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(tool, c.args...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), c.want) || strings.Contains(string(out), "WARNING") {
					t.Errorf("%v\n%s", err, out)
				}
			}
		})
	}
}

// TestTemplateName: instances have the name of their template.
func TestTemplateName(t *testing.T) {
	for name, want := range map[string]string{
		"void scale<int>(int*)":                                    "scale",
		"int ns::Box<float>::get<3>(int) const":                    "ns::Box::get",
		"bool operator< <int>(Box<int>, Box<int>)":                 "operator<",
		"Box<int>::operator()(int) const":                          "Box::operator()",
		"void (anonymous namespace)::f<int>(int)":                  "(anonymous namespace)::f",
		"void run<(Mode)1>(int)":                                   "run",
		"auto k<int>(int)::{lambda(int)#1}::operator()(int) const": "k::{lambda(int)#1}::operator()",
		"void g<f(int)>(void (*)(int))":                            "g",
		"Box<int>::operator->() const":                             "Box::operator->",
		"std::enable_if<(1 > 0), int>::type h<1>(int)":             "h",
		"k(int*)":                "k",
		"Box<int>::Box(int)":     "Box::Box",
		"Box<Box<int> >::~Box()": "Box::~Box",
		"unsigned int twice<unsigned int>(unsigned int, unsigned int)": "twice",
	} {
		if got := templateName(name); got != want {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
}
