package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

var console = regexp.MustCompile("(?s)```console\n\\$ (warpgrind [^\n]*)\n(.*?)```")

// TestReadme runs the sessions in the README and compares what they print.
func TestReadme(t *testing.T) {
	tooltest.NeedsClang(t)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	sessions := console.FindAllStringSubmatch(string(text), -1)
	if len(sessions) == 0 {
		t.Fatal("no sessions")
	}
	for _, s := range sessions {
		cmd := exec.Command("bash", "-c", s[1])
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(tooltest.Tool(t))+":"+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput() // findings make the exit code 1
		if got := string(out); got != s[2] {
			t.Errorf("$ %s\n%s", s[1], e2e.FirstDifference([]byte(got), []byte(s[2])))
		}
	}
}

// link is a relative link of Markdown.
var link = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

// TestLinks: what the pages link to is there.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := filepath.Glob("docs/rules/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(append(pages, rules...), "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.ContainsAny(m[1], " (,") { // code, such as a[i](x)
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
