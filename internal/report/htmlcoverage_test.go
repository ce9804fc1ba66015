package report

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/source"
)

// coveredPage is a report with coverage, and a file's text.
func coveredPage() (*Report, Options) {
	files := &source.Files{}
	files.Add("/src/a.cu", []byte(`#define POSITIVE(x) ((x) > 0)
template <class T> __global__ void scale(T *o) {
  if (t < n && POSITIVE(o[t]))
    if (o[t] > limit)
      o[t] = limit;
}

__device__ void less(int *o) { if (t) {
  --*o;
} }
`))
	return &Report{Version: "0.1", Coverage: covered("/src/a.cu")}, Options{Dir: "/src", Files: files}
}

func TestHTMLCoverageInBrowser(t *testing.T) {
	r, o := coveredPage()
	var got struct {
		Files, Functions, Heads, Second, Third, Fourth, Eighth string
		Missed, Opened                                         string
		Hidden                                                 bool
	}
	browse(t, render(t, "html", r, o), press+`
const text = id => document.getElementById(id).textContent;
const out = {files: text('coveragetable'), functions: text('functions'), heads: document.querySelector('#code thead').textContent,
  hidden: document.getElementById('coverage').hidden, second: text('L2'), third: text('L3'), fourth: text('L4'), eighth: text('L8')};
out.missed = [...document.querySelectorAll('#code tr.missed')].map(r => r.id).join(' ');
document.querySelector('#coveragetable td button').click(); out.opened = document.querySelector('#code tr.at').id;
return out;`, &got)
	for _, tc := range []struct{ what, got, want string }{
		{"file", got.Files, "a.cu2 of 6 (33 %)1 of 2 (50 %)3 of 6 (50 %)4-5"},
		{"function", got.Functions, "scale26422 of 4 (50 %)3 of 4 (75 %)"},
		{"instance", got.Functions, "scale<float>(float*)321"},
		{"function that did not run", got.Functions, "less(int*)800 of 2 (0 %)0 of 2 (0 %)"},
		{"columns", got.Heads, "threadswarpstrue / falsediverged"},
		{"line", got.Second, "2642template"},
		{"branches", got.Third, "3602col. 7: 60 / 4\ncol. 16: 60 / nevercol. 7: 1\ncol. 16: 0"},
		{"line that was never reached", got.Fourth, "4never"},
		{"line of code that was not launched", got.Eighth, "800 / 0"},
		{"marked lines", got.Missed, "L4 L5"},
		{"opened line", got.Opened, "L4"},
	} {
		if !strings.Contains(tc.got, tc.want) {
			t.Errorf("%s: %q lacks %q", tc.what, tc.got, tc.want)
		}
	}
	if got.Hidden {
		t.Error("the section is hidden")
	}
}

// TestHTMLCoverageOfHostileNames: names of files and functions are text on the page.
func TestHTMLCoverageOfHostileNames(t *testing.T) {
	const attack = `</script><img src=x onerror="window.ran = 1"><script>window.ran = 2</script>`
	r, o := coveredPage()
	o.Files.Add("/src/"+attack, []byte(attack))
	file := covered("/src/" + attack).Files[0]
	file.Functions[0].Instances[0].Symbol = attack
	file.Functions[1].Instances[0].Symbol = attack
	file.Branches[1].Macro = &source.Pos{File: attack, Line: 1, Col: 1}
	r.Coverage.Files = []coverage.File{file}
	var got struct {
		Ran, Images   int
		File, Special string
	}
	browse(t, render(t, "html", r, o), `
const out = {ran: window.ran || 0, images: document.querySelectorAll('img').length, file: document.getElementById('coveragetable').textContent};
out.special = document.getElementById('functions').textContent;
return out;`, &got)
	if got.Ran != 0 || got.Images != 0 || !strings.Contains(got.File, "<img src=x") || !strings.Contains(got.Special, "<img src=x") {
		t.Errorf("got %+v", got)
	}
}

// TestHTMLWithoutCoverage: the page has no section for coverage that was not measured.
func TestHTMLWithoutCoverage(t *testing.T) {
	r, o := pageReport()
	var got struct{ Hidden, Link bool }
	browse(t, render(t, "html", r, o), `
return {Hidden: document.getElementById('coverage').hidden, Link: document.querySelector('nav a[href="#coverage"]').hidden};`, &got)
	if !got.Hidden || !got.Link {
		t.Errorf("got %+v", got)
	}
}
