package tree

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/scripts/backrefs/figures"
)

var updateBackrefs = flag.Bool("update-backrefs", false, "write lower figures in backrefs.txt")

// What a package may have that backrefs.txt does not list: files, and references that run backwards in the best order of its
// files. A package beyond that cannot be read from one end to the other.
const (
	mostFiles    = 40
	mostBackward = 10
)

// limit is a package's line in backrefs.txt.
type limit struct{ files, backward int }

const backrefsHead = `# Packages that have more than 40 files, or more than 10 references between files that run backwards in the best order of
# the files (go run ./scripts/backrefs). The figures may only fall. go test ./e2e/tree -run TestBackwardReferences
# -update-backrefs writes those that have fallen.
`

// TestBackwardReferences keeps packages from growing together: files may not come to use what later files declare more
// than they do, and a package of more than 40 files is several.
func TestBackwardReferences(t *testing.T) {
	limits := readLimits(t)
	lower := map[string]limit{}
	for _, room := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" {
				return fs.SkipDir
			}
			f, err := figures.Of(path)
			if err != nil {
				return err
			}
			name := filepath.ToSlash(path)
			most, listed := limits[name]
			if !listed {
				most = limit{mostFiles, mostBackward}
			}
			if f.Files > most.files {
				t.Errorf("%s has %d files, more than %d: divide it", name, f.Files, most.files)
			}
			if f.Backward > most.backward {
				t.Errorf("%s has %d backward references between its files, more than %d: go run ./scripts/backrefs %s", name, f.Backward, most.backward, name)
			}
			if f.Files > mostFiles || f.Backward > mostBackward {
				lower[name] = limit{max(mostFiles, min(f.Files, most.files)), min(f.Backward, most.backward)}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if *updateBackrefs {
		writeLimits(t, lower)
	}
}

const backrefsFile = "e2e/tree/backrefs.txt"

func readLimits(t *testing.T) map[string]limit {
	t.Helper()
	text, err := os.ReadFile(backrefsFile)
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]limit{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var name string
		var l limit
		if _, err := fmt.Sscanf(line, "%s files %d backward %d", &name, &l.files, &l.backward); err != nil {
			t.Fatalf("backrefs.txt: %q: %v", line, err)
		}
		limits[name] = l
	}
	return limits
}

func writeLimits(t *testing.T, limits map[string]limit) {
	t.Helper()
	var names []string
	for name := range limits {
		names = append(names, name)
	}
	slices.Sort(names)
	text := backrefsHead
	for _, name := range names {
		text += fmt.Sprintf("%-28s files %d backward %d\n", name, limits[name].files, limits[name].backward)
	}
	if err := os.WriteFile(backrefsFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
