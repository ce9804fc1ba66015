package tree

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
)

const module = "github.com/warpgrind/warpgrind"

var updateImports = flag.Bool("update-imports", false, "write the table of imports in docs/ARCHITECTURE.md")

// never lists the edges that the design rules out. A room includes its sub-packages, and itself where it is named alone.
var never = []struct{ from, to string }{
	{"check", "engine"},
	{"check", "host"},
	{"check", "warp"},
	{"engine", "check"},
	{"report", "check"},
	{"warp", "ptx"},
	// Detectors ask for what happens before and yield evidence; only diagnose puts a race into words.
	{"check/race/hb", "finding"},
	{"check/race/shared", "finding"},
	{"check/race/global", "finding"},
	{"check/race/work", "finding"},
	{"check/race/predict", "finding"},
	// The command talks to session, judge and mcp, and shows reports; it sees no machinery.
	{"cmd", "arch"}, {"cmd", "clang"}, {"cmd", "cfg"}, {"cmd", "device"}, {"cmd", "engine"}, {"cmd", "host"}, {"cmd", "lower"}, {"cmd", "mem"},
	{"cmd", "ptx"}, {"cmd", "ssa"}, {"cmd", "static"}, {"cmd", "trace"}, {"cmd", "warp"},
}

// only lists what a few rooms may import alone.
var only = map[string][]string{
	"clang":           {"build", "cc", "driver", "examine", "fix", "instrument", "nvrtc", "session"},
	"clang/irtext":    {"clang/passes", "static"},
	"check/race/work": {"check/race", "check/race/global"},
	"session":         {"cmd/warpgrind", "driver", "examine", "fix", "judge", "kernels", "trial"},
	"kernels":         {"examine", "judge", "trial"},
	"trial":           {"cmd/warpgrind", "examine", "fix"},
	"examine":         {"cmd/warpgrind", "fix"},
	"fix":             {"cmd/warpgrind"},
	"judge":           {"cmd/warpgrind", "mcp"},
	"mcp":             {"cmd/warpgrind"},
}

// most bounds how many packages of the project one imports: what wires many parts together is not to become a corridor again.
const most = 30

// listed is what the test needs of "go list -json".
type listed struct {
	ImportPath string
	Imports    []string
}

// imports returns, for each package of internal and cmd, the packages of the project that it imports, both without
// the module's path and without internal/.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./internal/...", "./cmd/...")
	cmd.Env = append(cmd.Environ(), "GOARCH=amd64") // which has files of its own
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	short := func(path string) (string, bool) {
		rest, ok := strings.CutPrefix(path, module+"/")
		return strings.TrimPrefix(rest, "internal/"), ok
	}
	packages := map[string][]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		from, _ := short(p.ImportPath)
		packages[from] = nil
		for _, path := range p.Imports {
			if to, ok := short(path); ok {
				packages[from] = append(packages[from], to)
			}
		}
	}
	return packages
}

// room is the directory under internal/ that a package is in.
func room(name string) string {
	r, _, _ := strings.Cut(name, "/")
	return r
}

// within reports whether a package is a room or one of its sub-packages.
func within(name, room string) bool { return name == room || strings.HasPrefix(name, room+"/") }

// TestImports keeps the table of docs/ARCHITECTURE.md equal to the imports, so that each new edge is seen in a change.
func TestImports(t *testing.T) {
	all := imports(t)
	var table strings.Builder
	table.WriteString("| package | imports |\n| --- | --- |\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&table, "| `%s` | %s |\n", name, strings.Join(all[name], ", "))
	}
	for name, list := range all {
		if len(list) > most {
			t.Errorf("%s imports %d packages of the project, more than %d", name, len(list), most)
		}
	}
	e2e.ComparePage(t, "docs/ARCHITECTURE.md", table.String(), *updateImports, "go test ./e2e/tree -run TestImports -update-imports")
}

// TestForbidden keeps out the edges that the design rules out.
func TestForbidden(t *testing.T) {
	for from, tos := range imports(t) {
		for _, to := range tos {
			for _, edge := range never {
				if within(from, edge.from) && within(to, edge.to) {
					t.Errorf("%s imports %s", from, to)
				}
			}
			if allowed, ok := only[to]; ok && room(from) != room(to) && !slices.Contains(allowed, from) {
				t.Errorf("%s imports %s: only %v may", from, to, allowed)
			}
		}
	}
}

// TestRooms: no two rooms import each other, and docs/ARCHITECTURE.md describes each.
func TestRooms(t *testing.T) {
	rooms := map[string]map[string]bool{}
	for from, tos := range imports(t) {
		if rooms[room(from)] == nil {
			rooms[room(from)] = map[string]bool{}
		}
		for _, to := range tos {
			if room(to) != room(from) {
				rooms[room(from)][room(to)] = true
			}
		}
	}
	page, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	described, _, _ := strings.Cut(string(page), "## Who may import whom")
	for from, tos := range rooms {
		for to := range tos {
			if rooms[to][from] {
				t.Errorf("%s and %s import each other", from, to)
			}
		}
		if !strings.Contains(described, "`"+from+"`") && !strings.Contains(described, "`"+from+"/") {
			t.Errorf("docs/ARCHITECTURE.md does not describe %s", from)
		}
	}
}

// TestPureGo: the tool is built by go install alone, also where cgo is on: the go command then refuses C files beside Go files.
func TestPureGo(t *testing.T) {
	cmd := exec.Command("go", "list", "-e", "-f", "{{if .Error}}{{.Error}}{{end}}{{range .CgoFiles}}{{.}} uses cgo{{end}}", "./cmd/...", "./internal/...")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=1")
	out, err := cmd.CombinedOutput()
	if text := strings.TrimSpace(string(out)); err != nil || text != "" {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestRoot keeps the repository's first page to build files and documents.
func TestRoot(t *testing.T) {
	if files, err := filepath.Glob("*.go"); err != nil || len(files) > 0 {
		t.Errorf("Go files in the root: %v %v", files, err)
	}
}
