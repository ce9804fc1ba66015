package tree

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/warpgrind/warpgrind"

// mayImport gives each room the rooms that it may import, itself always
// among them. A room's sub-packages follow their room's rule. The picture
// of it is in docs/ARCHITECTURE.md.
var mayImport = map[string][]string{
	"source":     {"userfile"},
	"arch":       {},
	"graph":      {},
	"shim":       {},
	"scratch":    {},
	"interrupt":  {},
	"solve":      {},
	"cache":      {"fallback", "userfile"},
	"fallback":   {},
	"patience":   {},
	"nvcc":       {"userfile"},
	"finding":    {"source"},
	"ctype":      {},
	"inst":       {},
	"tensormap":  {},
	"shadow":     {},
	"trace":      {"source", "ctype", "inst", "shadow"},
	"mem":        {"arch", "ctype", "intmap", "memfile"},
	"memfile":    {},
	"coverage":   {"source"},
	"clang":      {"coverage", "fallback", "patience", "source", "arch", "shim", "cache", "nvcc", "scratch", "ctype", "ptx", "userfile"},
	"cc":         {"source", "arch", "shim", "cache", "nvcc", "clang", "ptx", "scratch", "interrupt", "userfile", "visible"},
	"ptx":        {"source", "arch", "inst"},
	"cfg":        {"coverage", "source", "graph", "ptx", "ctype", "inst"},
	"ssa":        {"source", "graph", "ptx", "cfg", "inst"},
	"analysis":   {"source", "graph", "ptx", "cfg", "ssa", "inst"},
	"static":     {"source", "graph", "ptx", "cfg", "clang", "ssa", "analysis", "solve", "inst"},
	"warp":       {"fallback", "shadow", "source", "arch", "graph", "mem", "memfile", "trace", "ctype", "inst", "tensormap"},
	"lower":      {"coverage", "source", "arch", "graph", "ptx", "cfg", "mem", "trace", "warp", "ctype", "inst", "tensormap"},
	"engine":     {"source", "arch", "graph", "mem", "trace", "warp", "ctype", "inst", "tensormap"},
	"host":       {"patience", "source", "arch", "graph", "ptx", "cfg", "mem", "trace", "warp", "lower", "engine", "scratch", "interrupt", "ctype", "inst", "tensormap"},
	"check":      {"intmap", "shadow", "source", "arch", "graph", "ptx", "cfg", "ssa", "analysis", "trace", "solve", "static", "finding", "ctype", "inst"},
	"explore":    {"intmap", "shadow", "source", "arch", "graph", "ptx", "cfg", "ssa", "analysis", "trace", "solve", "static", "finding", "check", "ctype", "inst"},
	"proofs":     {"source", "graph", "ptx", "cfg", "ssa", "analysis", "trace", "ctype", "inst"},
	"device":     {"source", "arch", "graph", "ptx", "cfg", "ssa", "analysis", "proofs", "mem", "tensormap", "trace", "warp", "lower", "engine", "host", "interrupt", "buffers", "finding", "scratch", "ctype", "inst"},
	"instrument": {"source", "clang", "userfile"},
	"report":     {"coverage", "source", "finding", "pattern", "visible", "userfile"},
	"lsp":        {"source", "finding", "pattern", "report", "visible", "userfile"},
	"pattern":    {"source", "finding"},
	"suppress":   {"source", "finding", "pattern"},
	"buffers":    {"source", "finding", "arch", "mem", "ctype"},
	"capsule":    {"arch", "ctype", "inst", "intmap", "mem", "source", "trace"},
	"suite":      {"arch", "capsule", "ctype", "inst", "intmap", "mem", "source", "trace", "userfile", "visible"},
	"watch":      {"source", "finding", "arch", "mem", "trace", "buffers", "check", "ctype"},
	"study":      {"source", "ptx"},
	"repair":     {"source", "finding", "instrument", "ptx", "inst", "visible"},
	"session":    {"coverage", "fallback", "patience", "arch", "buffers", "cache", "capsule", "cc", "check", "clang", "device", "engine", "explore", "finding", "host", "instrument", "interrupt", "mem", "mutate", "numdiff", "nvcc", "pattern", "proofs", "ptx", "repair", "report", "scratch", "shim", "solve", "source", "ssa", "static", "study", "suppress", "trace", "visible", "warp", "watch", "userfile"},
	"sandbox":    {},
	"judge":      {"finding", "report", "sandbox", "scratch", "session", "trace", "visible"},
	"numdiff":    {"source", "visible", "userfile"},
	"mcp":        {"cache", "finding", "judge", "report", "sandbox", "source"},
	"config":     {"source"},
	"mutate":     {},
	"intmap":     {},
	"wording":    {},
	"userfile":   {},
	"visible":    {},
	"tooltest":   {"cache"},
}

// partMayImport is for packages that have a tighter rule than their room: what they may
// import of the module.
var partMayImport = map[string][]string{
	"clang/irtext":     {},
	"clang/cutext":     {},
	"clang/passes":     {"clang/irtext", "coverage", "ctype", "shim"},
	"clang":            {"fallback", "patience", "arch", "cache", "clang/cutext", "clang/irtext", "clang/passes", "nvcc", "ptx/fatbin", "scratch", "shim", "userfile"},
	"host/protocol":    {},
	"warp/alu":         {"warp/alu/formula"},
	"warp/alu/formula": {},
	"warp/alu/body":    {"warp/alu/formula"},
	"warp/jit":         {"memfile"},
	"warp/program":     {"source", "graph", "mem", "tensormap", "trace", "warp/alu"},
	"warp/native":      {"fallback", "shadow", "trace", "trace/recall", "warp/alu", "warp/alu/body", "warp/jit", "warp/program"},
	"warp/native/x86":  {"fallback", "mem", "shadow", "trace", "trace/recall", "warp/alu", "warp/alu/body", "warp/jit", "warp/native", "warp/program"},
	"warp/native/llvm": {"fallback", "mem", "shadow", "trace", "trace/recall", "warp/alu", "warp/alu/body", "warp/jit", "warp/native", "warp/program"},
	"lower":            {"coverage", "graph", "ptx", "ptx/isa", "cfg", "mem", "tensormap", "trace", "ctype", "inst", "warp/alu", "warp/program"},
	"engine":           {"arch", "mem", "trace", "trace/recall", "warp", "warp/program"},
	"static":           {"analysis", "cfg", "clang/irtext", "graph", "inst", "ptx", "ptx/isa", "solve", "source", "ssa"},
	// Detectors ask for what happens before and yield evidence; only diagnose puts a race into words.
	"check/race":          {"analysis/guards", "check", "check/race/diagnose", "check/race/evidence", "check/race/global", "check/race/predict", "check/race/shared", "check/race/work", "finding", "ssa", "trace"},
	"check/race/hb":       {"analysis/guards", "check", "inst", "intmap", "trace"},
	"check/race/evidence": {"analysis/guards", "analysis/ownership", "check", "check/race/hb", "finding", "inst", "source", "trace"},
	"check/race/shared":   {"check", "check/race/evidence", "check/race/hb", "inst", "trace"},
	"check/race/work":     {"check", "check/race/evidence", "check/race/hb", "shadow", "trace"},
	"check/race/global":   {"analysis/ownership", "check", "check/race/evidence", "check/race/hb", "check/race/predict", "check/race/shared", "check/race/work", "inst", "shadow", "trace"},
	"check/race/predict":  {"check", "check/race/evidence", "trace"},
	"check/race/diagnose": {"analysis", "analysis/guards", "check", "check/race/evidence", "check/race/hb", "finding", "inst", "ptx", "source", "ssa", "static", "trace"},
}

// commandMayImport are the rooms that cmd may see.
var commandMayImport = []string{"session", "judge", "mcp", "interrupt", "config", "source", "finding", "check", "repair", "report", "lsp", "study", "numdiff", "suite", "userfile", "visible"}

// never lists the edges that the design rules out; TestRulesAgree keeps them
// out of mayImport.
var never = []struct{ from, to string }{
	{"check", "engine"},
	{"check", "host"},
	{"check", "warp"},
	{"engine", "check"},
	{"report", "check"},
	{"warp", "ptx"},
}

// listed is what the test needs of "go list -json".
type listed struct {
	ImportPath string
	Imports    []string
	CgoFiles   []string
}

func list(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,CgoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

// room names the directory under internal/ that a package is in; ok is
// false for packages outside internal/.
func room(path string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(path, module+"/internal/")
	name, _, _ = strings.Cut(rest, "/")
	return name, ok
}

func TestImports(t *testing.T) {
	for _, p := range list(t) {
		from, internal := room(p.ImportPath)
		if !internal {
			continue
		}
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("%s: room %q has no entry in mayImport", p.ImportPath, from)
		}
		for _, path := range p.Imports {
			if strings.HasPrefix(path, module+"/cmd/") {
				t.Errorf("%s imports %s: cmd is above all rooms", p.ImportPath, path)
			}
			if to, ok := room(path); ok && to != from && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s: %s may import %v only", p.ImportPath, path, from, allowed)
			}
		}
	}
}

// TestParts holds packages to their own rules.
func TestParts(t *testing.T) {
	for _, p := range list(t) {
		allowed, ok := partMayImport[strings.TrimPrefix(p.ImportPath, module+"/internal/")]
		if !ok {
			continue
		}
		for _, path := range p.Imports {
			if to, ok := strings.CutPrefix(path, module+"/internal/"); ok && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s: it may import %v only", p.ImportPath, path, allowed)
			}
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

// TestRulesAgree checks the table itself: it keeps the forbidden edges out
// and has no cycle.
func TestRulesAgree(t *testing.T) {
	for _, edge := range never {
		if slices.Contains(mayImport[edge.from], edge.to) {
			t.Errorf("mayImport allows %s -> %s", edge.from, edge.to)
		}
	}
	for from, allowed := range mayImport {
		for _, to := range allowed {
			if _, known := mayImport[to]; !known {
				t.Errorf("mayImport[%q] names the unknown room %q", from, to)
			}
			if slices.Contains(mayImport[to], from) {
				t.Errorf("%s and %s may import each other", from, to)
			}
		}
	}
}

// TestCommand keeps the wiring in session: the command sees sessions, the rules'
// documentation and the reports, but no machinery.
func TestCommand(t *testing.T) {
	for _, p := range list(t) {
		if !strings.HasPrefix(p.ImportPath, module+"/cmd/") {
			continue
		}
		for _, path := range p.Imports {
			if to, ok := room(path); ok && !slices.Contains(commandMayImport, to) {
				t.Errorf("%s imports %s: the command talks to session", p.ImportPath, path)
			}
		}
	}
}

func TestNoCgo(t *testing.T) {
	for _, p := range list(t) {
		if len(p.CgoFiles) > 0 || slices.Contains(p.Imports, "C") {
			t.Errorf("%s uses cgo", p.ImportPath)
		}
	}
}

// TestRoot keeps the repository's first page to build files and documents.
func TestRoot(t *testing.T) {
	if files, err := filepath.Glob("*.go"); err != nil || len(files) > 0 {
		t.Errorf("Go files in the root: %v %v", files, err)
	}
}
