package clang

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// findOnce finds the toolchain to test, which WARPGRIND_CLANG may name.
func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

var findOnce = sync.OnceValues(func() (*Toolchain, error) { return Find(os.Getenv("WARPGRIND_CLANG")) })

// toolchain returns the installed toolchain or skips the test.
func toolchain(t testing.TB) *Toolchain {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles programs; not in short mode")
	}
	tc, err := findOnce()
	if err != nil {
		t.Skip(err)
	}
	return tc
}

// device compiles sources' device side.
func device(t testing.TB, opts Options) *Result {
	t.Helper()
	opts.DeviceOnly = true
	if opts.WorkDir == "" {
		opts.WorkDir = t.TempDir()
	}
	r, err := toolchain(t).Build(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// accesses lists by source line the opcodes that touch memory other than
// local and parameter space.
func accesses(ptx []byte, file string) map[int][]string {
	byLine := map[int][]string{}
	index, line := fileIndex(ptx, file), 0
	sc := bufio.NewScanner(bytes.NewReader(ptx))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		w := strings.Fields(sc.Text())
		if len(w) > 0 && strings.HasPrefix(w[0], "@") {
			w = w[1:]
		}
		if len(w) > 2 && w[0] == ".loc" && w[1] == index {
			line, _ = strconv.Atoi(w[2])
		}
		if len(w) > 0 && isAccess(w[0]) {
			byLine[line] = append(byLine[line], untyped(w[0]))
		}
	}
	return byLine
}

// untyped replaces the type of a load or store by its width: versions of llc
// differ in whether a float's load is .f32, .u32 or .b32.
func untyped(op string) string {
	if strings.HasPrefix(op, "ld.") || strings.HasPrefix(op, "st.") {
		i := strings.LastIndexByte(op, '.')
		return op[:i+1] + "b" + op[i+2:]
	}
	for _, w := range []string{".relaxed", ".gpu"} {
		op = strings.Replace(op, w, "", 1)
	}
	if strings.HasPrefix(op, "atom") && strings.HasSuffix(op, ".inc.u32") {
		return "atom*.inc.u32" // of which space depends on the version
	}
	return op
}

func isAccess(op string) bool {
	for _, p := range []string{"ld.param", "st.param", "ld.local", "st.local"} {
		if strings.HasPrefix(op, p) {
			return false
		}
	}
	for _, p := range []string{"ld.", "st.", "atom.", "red."} {
		if strings.HasPrefix(op, p) {
			return true
		}
	}
	return false
}

func fileIndex(ptx []byte, file string) string {
	m := regexp.MustCompile(`\.file\s+(\d+) "[^"]*` + regexp.QuoteMeta(file) + `"`).FindSubmatch(ptx)
	if m == nil {
		return ""
	}
	return string(m[1])
}

// wanted reads a source's want comments.
func wanted(t *testing.T, path string) map[int][]string {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int][]string{}
	for i, s := range strings.Split(string(src), "\n") {
		_, list, ok := strings.Cut(s, "// want ")
		if !ok {
			continue
		}
		list, _, _ = strings.Cut(list, " //")
		for _, op := range strings.Fields(list) {
			n := 1
			if i := strings.LastIndexByte(op, '*'); i > 0 && irtext.LeadingInt(op[i+1:]) > 0 {
				op, n = op[:i], irtext.LeadingInt(op[i+1:])
			}
			for range n {
				want[i+1] = append(want[i+1], untyped(op))
			}
		}
	}
	return want
}

func TestEveryAccessIsKept(t *testing.T) {
	for _, name := range []string{"keep.cu", "undefined.cu"} {
		path := "testdata/" + name
		compareLines(t, name, accesses(device(t, Options{Sources: []string{path}}).Devices[0].PTX, name), wanted(t, path))
	}
}

// compareLines compares lists by line.
func compareLines(t *testing.T, name string, got, want map[int][]string) {
	t.Helper()
	lines := map[int]bool{}
	for l := range got {
		lines[l] = true
	}
	for l := range want {
		lines[l] = true
	}
	for l := range lines {
		if g, w := fmt.Sprint(got[l]), fmt.Sprint(want[l]); g != w {
			t.Errorf("%s:%d:\n got %s\nwant %s", name, l, g, w)
		}
	}
}

// TestUnsetVariables compares where the values of variables without an initializer
// are used with the "// unset" comments of undefined.cu.
func TestUnsetVariables(t *testing.T) {
	const path = "testdata/undefined.cu"
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int][]string{}
	for i, s := range strings.Split(string(src), "\n") {
		if _, name, ok := strings.Cut(s, "// unset "); ok {
			name, _, _ = strings.Cut(name, " //")
			want[i+1] = []string{name}
		}
	}
	compareLines(t, path, unsetReads(device(t, Options{Sources: []string{path}}).Devices[0].PTX), want)
}

// TestBeyondLocals compares the accesses to local memory in undefined.cu, from behind the
// functions whose variables are not set, with its "// local" comments.
func TestBeyondLocals(t *testing.T) {
	const path = "testdata/undefined.cu"
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[int][]string{}, map[int][]string{}
	for i, s := range strings.Split(string(src), "\n") {
		if _, n, ok := strings.Cut(s, "// local "); ok {
			want[i+1] = slices.Repeat([]string{"local"}, irtext.LeadingInt(n))
		}
	}
	line := 0
	for _, s := range strings.Split(string(device(t, Options{Sources: []string{path}}).Devices[0].PTX), "\n") {
		w := strings.Fields(s)
		switch {
		case len(w) > 2 && w[0] == ".loc":
			line, _ = strconv.Atoi(w[2])
		case len(w) > 0 && line > 45 && (strings.HasPrefix(w[0], "ld.local") || strings.HasPrefix(w[0], "st.local")):
			got[line] = append(got[line], "local")
		}
	}
	compareLines(t, path, got, want)
}

// unsetReads lists by line the variables of registers that are read there.
func unsetReads(ptx []byte) map[int][]string {
	byLine, line, pending := map[int][]string{}, 0, ""
	for _, s := range strings.Split(string(ptx), "\n") {
		w := strings.Fields(s)
		switch {
		case len(w) > 2 && w[0] == ".loc":
			line, _ = strconv.Atoi(w[2])
		case strings.Contains(s, "warpgrind.unset "):
			_, rest, _ := strings.Cut(s, "warpgrind.unset ")
			pending, _, _ = strings.Cut(rest, " ")
		case len(w) > 0 && strings.HasPrefix(w[0], "ld.local") && pending != "":
			byLine[line] = append(byLine[line], pending)
			pending = ""
		}
	}
	return byLine
}

// TestCheckedParts compares the indexes of members and rows that are checked at run time
// with the "// checked" comments of parts.cu.
func TestCheckedParts(t *testing.T) {
	const path = "testdata/parts.cu"
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[int][]string{}, map[int][]string{}
	for i, s := range strings.Split(string(src), "\n") {
		if strings.HasSuffix(s, "// checked") {
			want[i+1] = []string{"checked"}
		}
	}
	line := 0
	for _, s := range strings.Split(string(device(t, Options{Sources: []string{path}}).Devices[0].PTX), "\n") {
		w := strings.Fields(s)
		switch {
		case len(w) > 2 && w[0] == ".loc":
			line, _ = strconv.Atoi(w[2])
		case len(w) > 1 && w[0][0] == '@' && w[1] == "ld.local.u32":
			got[line] = append(got[line], "checked")
		}
	}
	compareLines(t, path, got, want)
}
