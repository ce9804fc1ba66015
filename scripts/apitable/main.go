// Command apitable writes docs/API.md: for each function of the CUDA runtime
// API, the driver API, NVRTC and cuRAND that the headers declare, whether it is
// executed and which program of the examples and tests calls it; and the
// same for the functions of device code. Run it in the root of the repository.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const output = "docs/API.md"

// api is a part of the API with the headers that declare it.
type api struct {
	title   string
	headers []string
}

var apis = []api{
	{"Runtime API", []string{"cuda_runtime_api.h", "warpgrind/runtime_calls.h", "cuda_profiler_api.h"}},
	{"Driver API", driverHeaders},
	{"NVRTC", []string{"nvrtc.h"}},
	{"cuRAND, host library", []string{"curand.h"}},
	{"OpenGL and VDPAU interoperation", []string{"cuda_gl_interop.h", "cudaGL.h", "cuda_vdpau_interop.h"}},
}

// driverHeaders are cuda.h with its parts that declare functions.
var driverHeaders = []string{"cuda.h", "warpgrind/texture_driver.h", "warpgrind/driver_calls.h", "warpgrind/driver_graph.h",
	"warpgrind/driver_foreign.h", "warpgrind/cuda_more.h", "cudaProfiler.h"}

const shim = "internal/shim/"

func main() {
	text, err := table()
	if err == nil {
		err = os.WriteFile(output, []byte(text), 0o666)
	}
	if err == nil {
		var list []intrinsic
		if list, err = intrinsics(); err == nil {
			err = os.WriteFile(callsFile, []byte(calls(list)), 0o666)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "apitable:", err)
		os.Exit(1)
	}
}

// table is the page's text.
func table() (string, error) {
	lacking, err := unsupported()
	if err != nil {
		return "", err
	}
	callers, err := programs(call)
	if err != nil {
		return "", err
	}
	var page strings.Builder
	page.WriteString(`# The CUDA API

Made by ` + "`go run ./scripts/apitable`" + ` from the headers, the runtime library's sources, the examples and the tests.

All functions are declared and can be linked. One that is not supported ends the check with exit code 5 and "not
supported: NAME". "Called in" is an example or test program, which checks the results.
`)
	for _, a := range apis {
		names, err := declared(a.headers)
		if err != nil {
			return "", err
		}
		writeAPI(&page, a.title, names, lacking, callers)
	}
	list, err := intrinsics()
	if err != nil {
		return "", err
	}
	if err := writeIntrinsics(&page, list); err != nil {
		return "", err
	}
	err = writeUsage(&page)
	return page.String(), err
}

func writeAPI(page *strings.Builder, title string, names []string, lacking map[string]bool, callers map[string]string) {
	var rows strings.Builder
	done, tested := 0, 0
	for _, n := range names {
		state := "yes"
		if lacking[n] {
			state = "no"
		} else {
			done++
		}
		if callers[n] != "" {
			tested++
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", n, state, callers[n])
	}
	fmt.Fprintf(page, "\n## %s\n\n%d functions, %d supported, %d called in examples and tests.\n\n", title, len(names), done, tested)
	page.WriteString("| function | supported | called in |\n| --- | --- | --- |\n" + rows.String())
}

// declaration is a function of the C API at the start of a line.
var declaration = regexp.MustCompile(`(?m)^(?:cudaError_t|CUresult|nvrtcResult|curandStatus_t|const char \*|struct cudaChannelFormatDesc) ?(\w+)\(`)

// declared lists the functions of headers by name.
func declared(headers []string) ([]string, error) {
	var names []string
	for _, h := range headers {
		text, err := os.ReadFile(shim + "include/" + h)
		if err != nil {
			return nil, err
		}
		for _, m := range declaration.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(m[1], "__") {
				names = append(names, m[1])
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

var stub = regexp.MustCompile(`(?m)^(?:CUDA|CURAND)\((\w+)\)`)

// unsupported are the functions of unsupported.cpp that no other file defines.
func unsupported() (map[string]bool, error) {
	text, err := os.ReadFile(shim + "runtime/unsupported.cpp")
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(shim + "runtime/*.cpp")
	if err != nil {
		return nil, err
	}
	var rest strings.Builder
	for _, f := range files {
		if filepath.Base(f) == "unsupported.cpp" {
			continue
		}
		t, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		rest.Write(t)
	}
	lacking := map[string]bool{}
	for _, m := range stub.FindAllStringSubmatch(string(text), -1) {
		lacking[m[1]] = !strings.Contains(rest.String(), " "+m[1]+"(")
	}
	return lacking, nil
}

var call = regexp.MustCompile(`\b(cu[A-Z]\w+|curand[A-Z]\w+|cuda[A-Z]\w+|nvrtc[A-Z]\w+)\s*(?:<[^<>;()]*>)?\s*\(`)

// programFiles are the examples and test programs.
var programFiles = []string{"examples/*/*.cu", "examples/*.h", "internal/host/testdata/*.cpp", "internal/host/testdata/*.cu",
	"testdata/*/*.cu", "testdata/programs/*.cpp", "testdata/programs/*/*.c", "testdata/programs/*/*.cu"}

// programs gives for each function the first program that calls it, as the
// pattern finds calls.
func programs(call *regexp.Regexp) (map[string]string, error) {
	all, err := readPrograms(programFiles)
	if err != nil {
		return nil, err
	}
	first := map[string]string{}
	for _, p := range all {
		for _, m := range call.FindAllStringSubmatch(p.text, -1) {
			if first[m[1]] == "" {
				first[m[1]] = p.file
			}
		}
	}
	return first, nil
}
