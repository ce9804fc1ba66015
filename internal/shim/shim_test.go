package shim

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// paragraph matches the first line of declarations in a header's namespace that no comment
// comes before.
var paragraph = regexp.MustCompile(`\n\n((?:struct|class|enum|using|inline|template|constexpr|extern|[a-z]\w* ?\*?\w)[^\n]*)`)

// TestDocumented: each source of the runtime library begins with a comment on what it is
// for, and declarations of its headers come after one on what they do.
func TestDocumented(t *testing.T) {
	files, err := filepath.Glob("*/*.*")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		if dir := filepath.Dir(file); dir != "runtime" && dir != "compat" {
			continue
		}
		data, err := Files.ReadFile(filepath.ToSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		seen++
		if !strings.HasPrefix(text, "// ") {
			t.Errorf("%s does not begin with a comment", file)
		}
		head, _, _ := strings.Cut(text, "\n#")
		if filepath.Ext(file) != ".h" || strings.Contains(head, "Generated") {
			continue
		}
		for _, m := range paragraph.FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(m[1], "namespace") && !strings.HasSuffix(m[1], ":") { // such as private:
				t.Errorf("%s: no comment before %s", file, m[1])
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d files", seen)
	}
}
