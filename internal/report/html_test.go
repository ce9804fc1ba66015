package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// pageReport has a finding for each drawing, and numbers at lines.
func pageReport() (*Report, Options) {
	files := &source.Files{}
	files.Add("/src/a.cu", []byte("__global__ void k(int *o) {\n  s[t] = o[t]; // </script><b>&amp;\n  o[t] = s[t + 1];\n}\n"))
	th := func(x uint32, lane int) finding.Thread {
		return finding.Thread{Thread: finding.Coord{X: x}, Lane: lane}
	}
	a, b := th(0, 0), th(1, 1)
	side := func(kind string, t finding.Thread) map[string]any {
		return map[string]any{"kind": kind, "thread": t, "size": 4, "value": "7"}
	}
	lanes, words, rows := []int{}, []int{}, []int{}
	for i := range 32 {
		lanes, words, rows = append(lanes, i), append(words, 128*i), append(rows, 128*i)
	}
	histogram := make([]int, 32)
	histogram[0] = 32
	place := func(line int, role string, t finding.Thread) finding.Place {
		return finding.Place{Role: role, Loc: at("/src/a.cu", line, 3), Thread: &t}
	}
	tile, pad := &finding.Object{Kind: finding.Variable, Space: "shared", Name: "s"}, &finding.Repair{Kind: "pad-rows"}
	second := &finding.Finding{Rule: "bank", Object: tile, Repair: pad, Kind: "32-way", Level: finding.Warning, Kernel: "_Z1kPi", KernelName: "k(int*)", Message: "again 32-way", Help: "pad it",
		Primary: place(4, "read by", b), Count: 3, Details: map[string]any{"variable": "s", "histogram": histogram}}
	fs := []*finding.Finding{second,
		{Rule: "race", Kind: "RAW", Level: finding.Error, Kernel: "_Z1kPi", KernelName: "k(int*)", Launches: finding.InLaunch(0), Message: "RAW on shared variable s[1] </script>",
			Primary: place(3, "read by", a), Related: []finding.Place{place(2, "written by", b)}, Help: "add __syncthreads() between line 2 and line 3", Count: 9, Unit: "thread pair",
			Details: map[string]any{"variable": "s", "index": 1, "bytes": 4, "reason": "no barrier between them", "first": side("write", b), "then": side("read", a), "interval": map[string]any{"number": 2, "after": "barrier at line 1"}}},
		{Rule: "bank", Object: tile, Repair: pad, Kind: "32-way", Level: finding.Warning, Kernel: "_Z1kPi", KernelName: "k(int*)", Message: "32-way bank conflicts", Help: "pad it", Primary: place(2, "written by", a), Count: 31,
			Details: map[string]any{"variable": "s", "histogram": histogram, "pattern": map[string]any{"size": 4, "lanes": lanes, "offsets": words}}},
		{Rule: "coalesce", Level: finding.Warning, Kernel: "_Z1kPi", KernelName: "k(int*)", Message: "uncoalesced read", Primary: place(2, "read by", a), Count: 28,
			Details: map[string]any{"pattern": map[string]any{"size": 4, "lanes": lanes, "offsets": rows}}},
		{Rule: "launch", Level: finding.Error, Message: "launch refused", Count: 1},
	}
	loc := func(line int) map[string]any { return map[string]any{"file": "/src/a.cu", "line": line} }
	const kernel = "_Z1kPi"
	stats := map[string]any{
		"bank":       []any{map[string]any{"kernel": kernel, "requests": 8, "passes": 64, "ideal": 8, "excess": 56, "worst": 32, "sites": []any{map[string]any{"location": loc(2), "requests": 8, "passes": 64, "ideal": 8, "worst": 32}}}},
		"coalesce":   []any{map[string]any{"kernel": kernel, "requests": 8, "units": 64, "ideal": 32, "excess": 32, "bytes_used": 1024, "bytes_moved": 2048, "sites": []any{map[string]any{"kind": "read", "location": loc(2), "accesses": 8, "units": 64, "ideal": 32, "unit": "sector"}}}},
		"divergence": []any{map[string]any{"kernel": kernel, "lane_instructions": 400, "idle_lane_instructions": 100, "branches": []any{map[string]any{"parted": 3, "location": loc(3), "share_idle": 0.25}}}},
		"race":       map[string]any{"race_model": "its"},
	}
	r := &Report{Version: "0.1", Arch: "sm_80", Tools: []string{"race", "bank"}, Stats: stats, Exit: 1}
	r.Prepare(fs, rules, files)
	r.CountLevels()
	r.AddLaunch(Launch{Count: 1, Kernel: "_Z1kPi", KernelName: "k(int*)", Instructions: 100})
	r.AddLaunch(Launch{ID: 1, Count: 1, Kernel: "_Z1lPi", KernelName: "l(int*)", Instructions: 300})
	r.Code = []Code{{Kernel: kernel, KernelName: "k(int*)", Instructions: []Instruction{
		{PTX: "ld.global.u32 \t%r1, [%rd1];", PTXLine: 20, File: "/src/a.cu", Line: 2, Warps: 8, Threads: 256},
		{PTX: "st.global.u32 [%rd1], %r1;", PTXLine: 21, File: "/src/a.cu", Line: 3, Warps: 7, Threads: 100},
	}}}
	r.Run = &Run{Command: []string{"warpgrind", "run", "a.cu"}, Program: []string{"a.cu"}, Args: []string{"--size", "a b"}, Started: time.Unix(0, 0).UTC()}
	return r, Options{Dir: "/src", Files: files, Rules: []finding.Rule{{ID: "race", Title: "data race", Doc: "D", Fix: "F"}}}
}

// many is a report of n findings at the lines of one file.
func many(n int) (*Report, Options) {
	files := &source.Files{}
	files.Add("/src/a.cu", []byte(strings.Repeat("  s[threadIdx.x] = a[threadIdx.x];\n", 1000)))
	var fs []*finding.Finding
	for i := range n {
		f := mend(fmt.Sprintf("_Z6kernelPi%d", i%100), fmt.Sprintf("v%d", i%7), 1+i%998, 2+i%998, "atomic")
		f.Help = "make the update atomic or give each thread its own element"
		f.Rule, f.Message = "memory", fmt.Sprintf("finding number %d", i)
		f.Primary.Loc.File, f.Related[0].Loc.File = "/src/a.cu", "/src/a.cu"
		f.Primary.Loc.Col = 1 + i/998
		f.Primary.Thread = &finding.Thread{}
		f.Notes = []string{"0 bytes after the end of the nearest allocation", "32 lanes of the warp do the same"}
		fs = append(fs, f)
	}
	r := &Report{Version: "0.1", Exit: 1}
	r.Prepare(fs, rules, files)
	r.CountLevels()
	return r, Options{Dir: "/src", Files: files}
}

var outside = regexp.MustCompile(`(?i)(src|href|url)\s*[=(]\s*["']?(https?:|//)|@import|fetch\(|XMLHttpRequest`)

func TestHTML(t *testing.T) {
	r, o := pageReport()
	text := render(t, "html", r, o)
	if m := outside.FindString(text); m != "" {
		t.Errorf("the page asks for something outside: %s", m)
	}
	if n := strings.Count(text, "</script"); n != 2 {
		t.Errorf("%d script elements end, want 2: the data must not end its own", n)
	}
	if text != render(t, "html", r, o) {
		t.Error("two renderings differ")
	}
	if strings.Contains(text, "/src/") {
		t.Error("a path is not relative")
	}
}

func TestHTMLWithoutSources(t *testing.T) {
	r, _ := pageReport()
	if text := render(t, "html", r, Options{}); !strings.Contains(text, `"files":[]`) {
		t.Error("files without a source of them")
	}
}

// TestHTMLPolicy: a script that gets into the page does not run, and nothing is loaded.
func TestHTMLPolicy(t *testing.T) {
	r, o := pageReport()
	page := strings.Replace(render(t, "html", r, o), "<main>", `<main><script>window.ran = 1;</script><b onclick="window.ran = 2" id="strange"></b><style>body { color: rgb(1, 2, 3) }</style>`, 1)
	var got struct {
		Strange, Rows int
		Color         string
	}
	browse(t, page, `
		document.getElementById('strange').click();
		return {Strange: window.ran || 0, Rows: document.querySelectorAll('#table tbody tr').length, Color: getComputedStyle(document.body).color};`, &got)
	if got.Strange != 0 || got.Rows == 0 || got.Color == "rgb(1, 2, 3)" {
		t.Errorf("got %+v", got)
	}
}

// browse opens a page in Chromium with a script added at its end, which leaves
// what it saw as JSON in the document's title, and reads it into the result.
// WARPGRIND_SCREENSHOTS names a folder for pictures of the pages.
func browse(t *testing.T, page, script string, result any) {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" || testing.Short() {
		t.Skip("no Chromium is installed, or in short mode")
	}
	file := filepath.Join(t.TempDir(), "page.html")
	probe := `try { document.title = JSON.stringify((function () {` + script + `})()); } catch (e) { document.title = String(e); }`
	page = strings.Replace(page, "</body>", "<script>"+probe+"</script></body>", 1)
	// The page's policy names its own script; here it names the probe too.
	sum := sha256.Sum256([]byte(probe))
	page = strings.Replace(page, "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"' ", 1)
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir=" + t.TempDir(), "--dump-dom"}
	if shots := os.Getenv("WARPGRIND_SCREENSHOTS"); shots != "" {
		name := filepath.Join(shots, strings.ReplaceAll(t.Name(), "/", "-")+".png")
		if out, err := exec.Command(browser, append(args[:len(args)-1:len(args)-1], "--window-size=1500,1400", "--screenshot="+name, file)...).CombinedOutput(); err != nil {
			t.Fatalf("screenshot: %v\n%s", err, out)
		}
	}
	out, err := exec.Command(browser, append(args, file)...).Output()
	if err != nil {
		t.Fatalf("%s: %v", browser, err)
	}
	title := regexp.MustCompile(`(?s)<title>(.*?)</title>`).FindStringSubmatch(string(out))
	if title == nil {
		t.Fatalf("the browser gave no page: %.200s", out)
	}
	got := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(title[1])
	if err := json.Unmarshal([]byte(got), result); err != nil {
		t.Fatalf("the page's script failed: %s", got)
	}
}

// TestPageTitle: the title writes numbers as the list below it does.
func TestPageTitle(t *testing.T) {
	for n, want := range map[int]string{0: "clean", 1: "1 finding", 999: "999 findings", 100_000: "100,000 findings"} {
		var page bytes.Buffer
		if err := HTML(&page, &Report{Summary: Summary{Errors: n}}, Options{Files: &source.Files{}}); err != nil {
			t.Fatal(err)
		}
		for _, element := range []string{"<title>warpgrind: " + want + "</title>", "<h1>warpgrind: " + want + "</h1>"} {
			if !strings.Contains(page.String(), element) {
				t.Errorf("%d findings: no %s", n, element)
			}
		}
	}
}

// press is what scripts use to act as a user does.
const press = `
const key = (k, target) => (target || document.activeElement || document.body).dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true, cancelable: true}));
const rows = () => document.querySelectorAll('#table tbody tr').length;
const detailText = () => document.getElementById('detail').textContent;
const type = text => { const i = document.getElementById('text'); i.value = text; i.dispatchEvent(new Event('input')); };
const choose = (id, v) => { const s = document.getElementById(id); s.value = v; s.dispatchEvent(new Event('change')); };
`

func TestHTMLInBrowser(t *testing.T) {
	r, o := pageReport()
	var got struct {
		Ready, Code, Launches                     string
		Rows, Filtered, ByRule, Circles           int
		First, Second, Banks, Sectors, Focus, Hot string
		Sorted                                    []string
		Source                                    string
		Themes                                    []string
		Idle, Member, Mark, Access, Hash, Opened  string
		Run, Kernels, Metrics, PTX, Chosen, Hits  string
		Comments                                  int
	}
	browse(t, render(t, "html", r, o), press+`
const out = {ready: document.documentElement.dataset.ready, rows: rows(), themes: [], sorted: []};
out.code = document.getElementById('L2').textContent;
out.idle = document.getElementById('L3').textContent;
out.launches = document.getElementById('timeline').textContent;
key('j'); out.second = detailText(); out.access = document.querySelector('#detail pre mark').textContent; out.circles = document.querySelectorAll('#detail svg circle').length;
out.focus = document.activeElement.tagName;
key('Enter'); out.source = document.querySelector('#code tr.at').id;
key('f'); key('j'); out.banks = detailText(); out.hot = document.querySelector('.banks .hot').textContent;
document.querySelector('#detail details button').click(); out.member = detailText();
document.querySelector('#detail button').click(); out.mark = document.querySelector('#L4 .mark').textContent;
key('ArrowDown'); out.sectors = detailText();
out.hash = location.hash;
location.hash = '#' + all[0].id; openNamed(); out.opened = document.querySelector('#detail h3').textContent;
location.hash = out.hash; openNamed();
key('k'); key('k'); key('k'); out.first = detailText();
document.querySelectorAll('#table th button')[4].click();
document.querySelectorAll('#table tbody tr').forEach(x => out.sorted.push(x.cells[4].textContent));
key('/'); type('bank'); out.filtered = rows();
key('Escape', document.getElementById('text')); choose('rule', 'race'); out.byRule = rows(); choose('rule', '');
document.activeElement.blur();
out.run = document.getElementById('run').textContent;
out.kernels = document.getElementById('kerneltable').textContent;
out.metrics = document.getElementById('metrics').textContent;
out.comments = document.querySelectorAll('#code .t-comment').length;
document.querySelector('#L3 td:last-child').click(); out.chosen = document.querySelector('#ptx tr.at').textContent;
out.ptx = document.querySelector('#ptx tbody tr').textContent;
const find = document.getElementById('find'); find.value = 'o[t]'; find.dispatchEvent(new Event('input')); key('Enter', find);
out.hits = document.getElementById('hits').textContent;
for (let i = 0; i < 3; i++) { key('t'); out.themes.push(getComputedStyle(document.body).backgroundColor); }
return out;`, &got)
	if got.Ready != "true" || got.Rows != 4 {
		t.Fatalf("the page is not ready or has %d rows, want 4", got.Rows)
	}
	for _, tc := range []struct{ what, got, want string }{
		{"first finding", got.First, "launch refused"},
		{"race", got.Second, "not ordered"},
		{"race's interval", got.Second, "after the barrier at line 1"},
		{"banks", got.Banks, "bank 31"},
		{"hot bank", got.Hot, "lanes 0-31"},
		{"sectors", got.Sectors, "32 sectors of 32 bytes; 128 of 1,024 bytes"},
		{"line", got.Code, "</script><b>&amp;"},
		{"bank column", got.Code, "8.0× 32-way"},
		{"sector column", got.Code, "8.0 (4.0)"},
		{"idle column", got.Idle, "25.0 %"},
		{"launches", got.Launches, "launch 1: l(int*)"},
		{"focus", got.Focus, "TR"},
		{"opened line", got.Source, "L3"},
		{"access", got.Access, "o[t]"},
		{"finding of an address", got.Opened, "launch refused"},
		{"sorted", strings.Join(got.Sorted, " "), "34 28 9 1"},
		{"member", got.Member, "again 32-way"},
		{"member's drawing", got.Member, "bank 31"},
		{"member's mark", got.Mark, "W"},
		{"run", got.Run, `a.cu --size "a b", 1970-01-01 00:00:00 UTC`},
		{"kernels", got.Kernels, "k311007583256"}, // findings, launches, instructions, active lanes, sectors per request, excess
		{"metric of Nsight Compute", got.Metrics, "bank.excess56wavefronts beyond those, from bank conflictsderived__memory_l1_wavefronts_shared_excessive"},
		{"executions", got.Code, "E 38168.0"},
		{"PTX", got.PTX, "2028256ld.global.u32 %r1, [%rd1];"},
		{"PTX of a line", got.Chosen, "2137100st.global.u32"},
		{"places found", got.Hits, "2 of 2"},
	} {
		if !strings.Contains(tc.got, tc.want) {
			t.Errorf("%s: %q lacks %q", tc.what, tc.got, tc.want)
		}
	}
	if got.Comments != 1 {
		t.Errorf("%d comments are colored, want 1", got.Comments)
	}
	if got.Circles != 2 || got.Filtered != 1 || got.ByRule != 1 {
		t.Errorf("%d circles, %d filtered, %d of a rule; want 2, 1, 1", got.Circles, got.Filtered, got.ByRule)
	}
	if len(got.Themes) != 3 || got.Themes[0] == got.Themes[1] {
		t.Errorf("dark and light look the same: %v", got.Themes)
	}
}

func TestHTMLComparisonInBrowser(t *testing.T) {
	before, o := pageReport()
	after, _ := pageReport()
	before.Findings = before.Findings[1:] // the first one is new
	after.Findings = after.Findings[:3]   // and the last one is gone
	after.Findings[1].Count = 99
	after.Tools, after.Launches, o.Before = nil, nil, before
	var got struct {
		All, New, Gone int
		Launches       bool
		Text, Summary  string
		States         []string
		Changed        string
	}
	browse(t, render(t, "html", after, o), press+`
const out = {launches: document.getElementById('launches').hidden, all: rows(), summary: document.getElementById('compared').textContent};
out.states = [...document.querySelectorAll('#table td.since')].map(x => x.textContent);
choose('state', 'changed'); out.changed = document.querySelector('#table td.count').textContent;
choose('state', 'gone'); out.gone = rows(); out.text = detailText();
choose('state', 'new'); out.new = rows();
return out;`, &got)
	if got.All != 4 || !got.Launches || got.New != 1 || got.Gone != 1 || !strings.HasPrefix(got.Text, "warning [coalesce] uncoalesced read gone") || got.Summary != "compared with the earlier run: 1 new, 1 gone, 1 with another count, 1 the same" || strings.Join(got.States, " ") != "new gone changed same" || got.Changed != "9 → 99" {
		t.Errorf("got %+v", got)
	}
}

// TestHTMLManyFindings opens 10,000 findings, and 100,000 in make test-long. The time
// until the page can be used is in the log: two seconds at most for 100,000.
func TestHTMLManyFindings(t *testing.T) {
	n := 10_000
	if os.Getenv("WARPGRIND_LONG_TESTS") != "" {
		n = 100_000
	}
	r, o := many(n)
	if len(r.Findings) != n {
		t.Fatalf("%d findings, want %d", len(r.Findings), n)
	}
	start := time.Now()
	page := render(t, "html", r, o)
	t.Logf("written in %v, %d bytes", time.Since(start), len(page))
	var got struct {
		Opened float64
		Rows   int
		Filter float64
	}
	browse(t, page, press+`
const out = {opened: performance.now(), rows: rows()};
const from = performance.now(); type('number 77'); out.filter = performance.now() - from;
return out;`, &got)
	t.Logf("opened in %.0f ms, filtered in %.0f ms", got.Opened, got.Filter)
	if got.Rows != 200 {
		t.Errorf("%d rows, want 200", got.Rows)
	}
}
