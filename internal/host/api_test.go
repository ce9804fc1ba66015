package host

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var declaration = regexp.MustCompile(`(?m)^(?:cudaError_t|CUresult|nvrtcResult|struct cudaChannelFormatDesc) (\w+)\(`)

// TestEveryFunctionLinks refers to each function that the headers declare.
func TestEveryFunctionLinks(t *testing.T) {
	if compiler() == "" {
		t.Skip("no C++ compiler")
	}
	objects, err := library()
	if err != nil {
		t.Fatal(err)
	}
	var src strings.Builder
	var names []string
	for _, h := range []string{"cuda_runtime_api.h", "warpgrind/runtime_calls.h", "cuda.h", "warpgrind/texture_driver.h",
		"warpgrind/driver_calls.h", "warpgrind/driver_graph.h", "warpgrind/driver_foreign.h", "warpgrind/cuda_more.h", "cudaProfiler.h",
		"nvrtc.h", "cuda_gl_interop.h", "cudaGL.h", "cuda_vdpau_interop.h"} {
		text, err := os.ReadFile("../shim/include/" + h)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(h, "/") { // the others are parts of these
			fmt.Fprintf(&src, "#include %q\n", h)
		}
		for _, m := range declaration.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	if len(names) < 500 {
		t.Errorf("only %d functions are declared", len(names))
	}
	src.WriteString("const void *volatile all[] = {\n")
	for _, n := range names {
		fmt.Fprintf(&src, "  reinterpret_cast<const void *>(%s),\n", n)
	}
	src.WriteString("};\nint main() { return all[0] == nullptr; }\n")
	file := filepath.Join(t.TempDir(), "all.cpp")
	if err := os.WriteFile(file, []byte(src.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := compile(append([]string{"-D__WG_RUNTIME__", file, "-o", file + ".exe", "-lpthread"}, objects...)...); err != nil {
		t.Error(err)
	}
}

// TestErrorNames compares the enumerators of driver_types.h with codeNames.
func TestErrorNames(t *testing.T) {
	text, err := os.ReadFile("../shim/include/driver_types.h")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "enum cudaError {")
	enum, _, _ := strings.Cut(rest, "};")
	found := regexp.MustCompile(`(\w+) = (\d+)`).FindAllStringSubmatch(enum, -1)
	for _, m := range found {
		var c Code
		fmt.Sscan(m[2], &c)
		if c.String() != m[1] {
			t.Errorf("code %d is %s, want %s", c, c, m[1])
		}
	}
	if len(found) != len(codeNames) {
		t.Errorf("%d names, want %d", len(codeNames), len(found))
	}
}

// driverFunction is the head of a function of the driver API in the shim, up to its
// first statement.
var driverFunction = regexp.MustCompile(`(?m)^ *CUresult (cu[A-Z][\w#]*)\([^{;]*\{[\s\\]*(\w*)`)

// TestDriverCalls: each function of the driver API is marked as one, so that its
// errors are not those of cudaGetLastError.
func TestDriverCalls(t *testing.T) {
	files, err := filepath.Glob("../shim/runtime/*.cpp")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range driverFunction.FindAllStringSubmatch(string(text), -1) {
			seen++
			if m[2] != "DRIVER_CALL" && m[2] != "NEEDS_CONTEXT" {
				t.Errorf("%s: %s does not begin with DRIVER_CALL", filepath.Base(file), m[1])
			}
		}
	}
	if seen < 350 {
		t.Errorf("only %d functions found", seen)
	}
}
