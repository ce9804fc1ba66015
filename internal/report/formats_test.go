package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// full is sample with all that a report can hold.
func full(t *testing.T) (*Report, Options) {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	r := sample(dir)
	o := Options{Dir: dir, Files: &source.Files{}, Rules: []finding.Rule{{ID: "race", Title: "data race", Doc: "Two threads.", Fix: "Order them."}}}
	file := filepath.Join(dir, "k.cu")
	r.Findings[0].Details = map[string]any{"variable": "s", "address": 20, "size": 4}
	r.Findings[1].Details = map[string]any{"space": "global", "access": "read", "address": 4096, "size": 4}
	a, b := race("_Z1kPi", "t", 2, 4, threads), race("_Z1kPi", "u", 3, 4, threads)
	for _, f := range []*finding.Finding{a, b} {
		f.Primary.Loc.File, f.Related[0].Loc.File, f.Repair.From.File, f.Repair.To.File = file, file, file, file
	}
	init := &finding.Finding{Rule: "init", Kind: "shared", Level: finding.Error, Kernel: "_Z1kPi", Message: "read of uninitialized memory: s[1]",
		Primary: finding.Place{Role: "read by", Access: finding.Read, Loc: at(file, 3, 4), PTXLine: 30, Thread: &finding.Thread{Lane: 1}}, Details: map[string]any{"space": "shared", "size": 4}}
	refused := &finding.Finding{Rule: "launch", Level: finding.Error, Kernel: "_Z1kPi", Message: "invalid launch: 2048 threads | too many", Count: 1, Unit: "launch",
		Details: map[string]any{"error": "cudaErrorInvalidConfiguration", "limit": "2048 threads | too many"}}
	free := &finding.Finding{Rule: "memory", Kind: "double-free", Level: finding.Error, Message: "cudaFree: double free of 0x1000", Primary: finding.Place{Loc: at(file, 5, 0)}}
	sync := &finding.Finding{Rule: "sync", Kind: "deadlock", Level: finding.Error, Kernel: "_Z1kPi", Message: "32 of 64 threads wait", Primary: finding.Place{Loc: at(file, 5, 0)}}
	r.Suppressed = []Suppressed{{Finding: race("_Z1kPi", "v", 2, 3, threads), InSource: true, Reason: "all write the same value"}}
	r.Coverage = covered(file)
	r.Prepare(append(r.Findings, a, b, init, refused, free, sync), rules, o.Files)
	r.CountLevels()
	r.AddLaunch(Launch{Count: 1, Kernel: "_Z1kPi", KernelName: "k(int*)", Grid: finding.Coord{X: 1, Y: 1, Z: 1}, Block: finding.Coord{X: 32, Y: 1, Z: 1}, Instructions: 10})
	r.AddLaunch(Launch{ID: 1, Count: 1, Kernel: "_Z1kPi", KernelName: "k(int*)", Grid: finding.Coord{X: 1, Y: 1, Z: 1}, Block: finding.Coord{X: 32, Y: 1, Z: 1}, Instructions: 10})
	return r, o
}

func render(t *testing.T, format string, r *Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, format, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// example is a report of a real run.
func example(t *testing.T) *Report {
	t.Helper()
	f, err := os.Open("../../docs/report-example/report.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := Read(f, f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFormats holds every format against its golden file, and sees that no path
// of this machine is in it.
func TestFormats(t *testing.T) {
	for _, format := range Formats() {
		if format == "html" { // see TestHTML
			continue
		}
		r, o := full(t)
		before, _ := json.Marshal(r)
		got := render(t, format, r, o)
		golden(t, "full."+format, got)
		if strings.Contains(got, o.Dir) {
			t.Errorf("%s has an absolute path below the directory", format)
		}
		if after, _ := json.Marshal(r); !bytes.Equal(before, after) {
			t.Errorf("%s changed the report", format)
		}
	}
	if err := Write(&bytes.Buffer{}, &Report{}, "yaml", Options{}); err == nil || !strings.Contains(err.Error(), "compute-sanitizer") {
		t.Errorf("unknown format: %v", err)
	}
}

// TestSARIFSchema validates logs against the official schema of SARIF 2.1.0,
// which the library brings along in its source, and reads them with its types;
// a property that these do not know fails.
func TestSARIFSchema(t *testing.T) {
	schema := gojsonschema.NewStringLoader(officialSchema(t))
	r, o := full(t)
	at := source.Pos{File: r.Findings[0].Primary.Loc.File, Line: 3, Col: 2}
	o.Fixes = map[*finding.Finding]Fix{r.Findings[0]: {"add a line", []source.Replacement{{From: at, To: at, Text: "\n"}}}}
	for name, r := range map[string]*Report{"full": r, "example": example(t), "empty": {}, "failed": {Exit: 3, Messages: []string{"it crashed"}}} {
		text := render(t, "sarif", r, o)
		var log sarif.Report
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&log); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		res, err := gojsonschema.Validate(schema, gojsonschema.NewStringLoader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range res.Errors() {
			t.Errorf("%s: %v", name, e)
		}
		if len(log.Runs) != 1 || len(log.Runs[0].Results) != len(r.Findings)+len(r.Suppressed) {
			t.Errorf("%s: not all results are there", name)
		}
	}
}

// officialSchema takes the schema out of the library's source, where it is a
// constant that is not exported.
func officialSchema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && len(lit.Value) > len(text) {
			text = lit.Value
		}
		return true
	})
	if text, err = strconv.Unquote(text); err != nil {
		t.Fatal(err)
	}
	return text
}

// TestJSONSchema validates the JSON form against docs/report-schema.json.
func TestJSONSchema(t *testing.T) {
	schema, err := os.ReadFile("../../docs/report-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	r, o := full(t)
	saved := *r
	saved.Embed(o)
	for name, r := range map[string]*Report{"full": r, "saved": &saved, "example": example(t), "empty": {},
		"merged": Merge([]*Report{result(t, &saved), someResult(t, 3, 4)}, []string{"a", "b"}, finding.Rules{})} {
		text := render(t, "json", r, o)
		res, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewStringLoader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range res.Errors() {
			t.Errorf("%s: %v", name, e)
		}
	}
	res, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewStringLoader(`{"schema": 1, "findings": [{}]}`))
	if err != nil || res.Valid() {
		t.Errorf("a finding without fields is valid: %v", err)
	}
}

// TestReadBack renders a saved report as the report itself.
func TestReadBack(t *testing.T) {
	r, o := full(t)
	saved := *r
	saved.Embed(o)
	if len(saved.Sources) != 1 {
		t.Fatalf("%d sources, want k.cu alone", len(saved.Sources))
	}
	read, err := Read(strings.NewReader(render(t, "json", &saved, o)), "r.json")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := Options{Dir: "/elsewhere", Files: &source.Files{}, Rules: o.Rules}
	read.Unpack(elsewhere)
	for _, format := range []string{"text", "sarif", "junit", "github", "compute-sanitizer", "html"} {
		if got, want := render(t, format, read, elsewhere), render(t, format, r, o); got != want {
			t.Errorf("%s of the saved report differs: %s", format, firstDifference(got, want))
		}
	}
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("got %q, want %q", got[from:min(len(got), i+60)], want[from:min(len(want), i+60)])
}

func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", "[]", `{"schema": 99, "findings": []}`, `{"schema": 1}`, `{"schema": 1, "findings": [null]}`,
		`{"schema": 1, "findings": [{"members": [null]}]}`, `{"schema": 1, "findings": [], "suppressed": [{}]}`,
		`{"schema": 1, "findings": [{"level": "fatal"}]}`, `{"schema": 1, "findings": [{"launches": {"count": 5, "first": 3, "last": 1}}]}`} {
		_, err := Read(strings.NewReader(text), "r.json")
		if err == nil || !strings.HasPrefix(err.Error(), "r.json: ") {
			t.Errorf("Read(%q): %v", text, err)
		}
	}
}

// TestFingerprints moves lines and changes counts: the names stay. Another line
// is another finding.
func TestFingerprints(t *testing.T) {
	mk := func(text string, early, late int) string {
		files := &source.Files{}
		files.Add("k.cu", []byte(text))
		f := race("_Z1kIiEvPT_", "s", early, late, threads)
		fingerprint([]*finding.Finding{f}, files)
		return f.Fingerprint
	}
	base := mk("a = s[1];\ns[0] = b;", 1, 2)
	if got := mk("\n// more\n  a  =  s[1];\n\n s[0] = b;", 3, 5); got != base {
		t.Errorf("%s after lines moved, want %s", got, base)
	}
	if got := mk("a = s[2];\ns[0] = b;", 1, 2); got == base {
		t.Error("the same name for another line")
	}
	twice := []*finding.Finding{race("k", "s", 1, 2, threads), race("k", "s", 1, 2, threads)}
	fingerprint(twice, nil)
	if twice[0].Fingerprint == twice[1].Fingerprint {
		t.Error("two findings have one name")
	}
}

func TestCompare(t *testing.T) {
	mk := func(names ...string) *Report {
		r := &Report{}
		for _, n := range names {
			r.Findings = append(r.Findings, &finding.Finding{Fingerprint: n, Level: finding.Error})
		}
		return r
	}
	c := Compare(mk("a", "b"), mk("b", "c", "d"))
	if len(c.Gone) != 1 || len(c.Same) != 1 || len(c.New) != 2 || c.NewErrors() != 2 {
		t.Errorf("got %+v", c)
	}
}

// TestRoot writes paths from the repository's root where a service reads them.
func TestRoot(t *testing.T) {
	r, o := full(t)
	o.Root = filepath.Dir(o.Dir)
	for format, want := range map[string]string{
		"github": "file=testdata/k.cu,", "sarif": `"uri": "testdata/k.cu"`, "junit": `file="testdata/k.cu"`,
	} {
		got := render(t, format, r, o)
		if !strings.Contains(got, want) || strings.Contains(got, `"uri": "k.cu"`) {
			t.Errorf("%s lacks %s", format, want)
		}
	}
}

func TestGitHubIsCapped(t *testing.T) {
	r := &Report{}
	for i := range 25 {
		r.Findings = append(r.Findings, &finding.Finding{Rule: "race", Level: finding.Error, Message: fmt.Sprintf("50%% of\n%d", i), Primary: finding.Place{Loc: at("a,b:c.cu", 3, 0)}})
	}
	r.CountLevels()
	got := render(t, "github", r, Options{})
	if n := strings.Count(got, "::error "); n != maxAnnotations {
		t.Errorf("%d annotations, want %d", n, maxAnnotations)
	}
	if !strings.Contains(got, "::error file=a%2Cb%3Ac.cu,line=3,title=warpgrind race::50%25 of%0A0\n") || !strings.Contains(got, "15 more at level error") {
		t.Errorf("got\n%s", got)
	}
	var b bytes.Buffer
	if err := JobSummary(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "| error |"); n != 25 {
		t.Errorf("%d rows in the job summary, want 25\n%s", n, b.String())
	}
}

func TestJUnitIsXML(t *testing.T) {
	r, o := full(t)
	r.Messages = append(r.Messages, "odd text: <a> & ]]> \x01 \x1b[31m")
	text := render(t, "junit", r, o)
	var got junitSuites
	if err := xml.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, f := range r.Findings {
		if f.Level == finding.Error {
			want++
		}
	}
	if got.Failures != want || got.Errors != 0 {
		t.Errorf("%d failures and %d errors, want %d and 0", got.Failures, got.Errors, want)
	}
	r.Exit = 3
	if err := xml.Unmarshal([]byte(render(t, "junit", r, o)), &got); err != nil || got.Errors != 1 {
		t.Errorf("a failed run has %d errors, want 1 (%v)", got.Errors, err)
	}
}

// TestSanitizerSummary checks the lines that scripts look for.
func TestSanitizerSummary(t *testing.T) {
	for _, tc := range []struct {
		tools []string
		races int
		want  string
	}{
		{[]string{"race"}, 0, "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"},
		{[]string{"race"}, 1, "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n"},
		{[]string{"memory"}, 0, "========= ERROR SUMMARY: 0 errors\n"},
		{[]string{"race", "memory"}, 2, "========= ERROR SUMMARY: 0 errors\n========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)\n"},
	} {
		r := &Report{Tools: tc.tools}
		for range tc.races {
			r.Findings = append(r.Findings, race("k", "s", 1, 2, threads))
		}
		if got := render(t, "compute-sanitizer", r, Options{}); !strings.HasPrefix(got, "========= COMPUTE-SANITIZER\n") || !strings.HasSuffix(got, tc.want) {
			t.Errorf("%v with %d races:\n%s", tc.tools, tc.races, got)
		}
	}
}
