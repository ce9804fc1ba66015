package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

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
var link = regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)

// heading is a title of a page; GitHub makes an anchor of it.
var heading = regexp.MustCompile(`(?m)^#+ (.+)$`)

// anchors returns the anchors of a page: titles in lower case, without punctuation, with dashes for spaces.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		out[strings.Map(func(r rune) rune {
			switch {
			case r == ' ' || r == '-':
				return '-'
			case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])] = true
	}
	return out
}

// TestLinks: what the pages link to is there, pages and sections.
func TestLinks(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "python/*.md", "editors/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	text := map[string]string{}
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text[page] = string(b)
	}
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(text[page], -1) {
			if strings.ContainsAny(m[1], " (,") || m[1]+m[2] == "" { // code, such as a[i](x)
				continue
			}
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			if m[2] != "" && text[to] != "" && !anchors(text[to])[m[2]] {
				t.Errorf("%s: %s has no section %s", page, to, m[2])
			}
		}
	}
	if len(pages) < 40 {
		t.Errorf("only %d pages", len(pages))
	}
}
