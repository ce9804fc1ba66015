package tree

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityNamesTests holds that what SECURITY.md promises names tests that there are: each
// point does, but for those that say what is possible.
func TestSecurityNamesTests(t *testing.T) {
	page, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	known := testNames(t)
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+|testdata/[\\w./]+)`")
	for _, point := range regexp.MustCompile(`(?m)^- .*(\n  .*)*`).FindAllString(string(page), -1) {
		names := named.FindAllStringSubmatch(point, -1)
		if len(names) == 0 && !strings.HasPrefix(point, "- It can ") && !strings.HasPrefix(point, "- Can ") {
			t.Errorf("no test holds:\n%s", point)
		}
		for _, m := range names {
			if _, err := os.Stat(m[1]); !known[m[1]] && err != nil {
				t.Errorf("there is no %s", m[1])
			}
		}
	}
}

// TestPromises: each exit code and variable of docs/ENVIRONMENT.md is in SECURITY.md's table of what holds it, and the tests that its
// tables name are there.
func TestPromises(t *testing.T) {
	text := map[string]string{}
	for _, name := range []string{"SECURITY.md", "docs/ENVIRONMENT.md"} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[name] = string(page)
	}
	_, tables, _ := strings.Cut(text["SECURITY.md"], "## What holds the promises of other pages")
	tables, _, _ = strings.Cut(tables, "## What was tried")
	known, held := testNames(t), map[string]bool{}
	quoted := regexp.MustCompile("`([^`]+)`")
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?) \| (.*) \|$`).FindAllStringSubmatch(tables, -1) {
		if row[1] == "promise" || row[1] == "---" {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(row[1], -1) {
			held[m[1]] = true
		}
		names := quoted.FindAllStringSubmatch(row[2], -1)
		if len(names) == 0 {
			t.Errorf("no test holds %s", row[1])
		}
		for _, m := range names {
			if _, err := os.Stat(m[1]); !known[m[1]] && err != nil {
				t.Errorf("there is no %s", m[1])
			}
		}
	}
	n := 0
	for _, row := range regexp.MustCompile(`(?m)^\| (\d|128\+N|`+"`"+`.*?) \|`).FindAllStringSubmatch(text["docs/ENVIRONMENT.md"], -1) {
		for _, name := range strings.Split(strings.ReplaceAll(row[1], "`", ""), ", ") {
			if n++; !held[name] {
				t.Errorf("SECURITY.md does not say what holds %s", name)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d codes and variables", n)
	}
}

// testNames are the names of all tests and fuzz targets.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
