package host

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var declaration = regexp.MustCompile(`(?m)^(?:cudaError_t|CUresult|nvrtcResult|struct cudaChannelFormatDesc) (\w+)\(`)

// TestEveryFunctionLinks refers to each function that the headers declare.
func TestEveryFunctionLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the runtime library; not in short mode")
	}
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

// entryPoint matches the symbols of entry points of the runtime API and the driver API.
var entryPoint = regexp.MustCompile(`^cu(?:da)?[A-Z]`)

// TestCore: the core calls no entry point, which would record its error as the
// program's last error. What calls them stands for calls of the program: older versions
// of functions, what nvcc's host code calls, and the functions' addresses by name. The
// names and texts of errors have no error themselves.
func TestCore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the runtime library; not in short mode")
	}
	if compiler() == "" {
		t.Skip("no C++ compiler")
	}
	linked, err := library()
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range linked {
		if filepath.Ext(object) != ".o" { // an option of the linker
			continue
		}
		name := strings.TrimSuffix(filepath.Base(object), ".o")
		if slices.Contains([]string{"abi", "fatbinary", "entry"}, name) {
			continue
		}
		file, err := elf.Open(object)
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := file.Symbols()
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range symbols {
			if s.Section == elf.SHN_UNDEF && entryPoint.MatchString(s.Name) && !strings.HasPrefix(s.Name, "cudaGetError") {
				t.Errorf("%s.cpp calls the entry point %s instead of a function of the core", name, s.Name)
			}
		}
	}
}
