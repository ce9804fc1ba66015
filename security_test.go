package warpgrind_test

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
