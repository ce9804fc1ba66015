// Command apitable makes all that comes from the table of the CUDA API
// (internal/shim/api.txt): the runtime library's entry points, stubs and names,
// and docs/results/API.md, which lists of each function whether it is supported and which
// program of the examples and tests calls it. From the table of error codes
// (internal/shim/errors.txt) it makes the enumerations of the headers, their names and
// texts, and the server's codes. For the functions of device code it
// does the same. The functions of cuBLAS with 64-bit sizes come from the declarations of those with 32. Run it in the root of the repository.
package main

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

const output = "docs/results/API.md"

// headers declare the functions of the table.
var headers = []string{"cuda_runtime_api.h", "warpgrind/runtime_calls.h", "cuda_profiler_api.h", "cuda.h", "warpgrind/texture_driver.h",
	"warpgrind/driver_calls.h", "warpgrind/driver_graph.h", "warpgrind/driver_foreign.h", "warpgrind/cuda_more.h", "cudaProfiler.h",
	"nvrtc.h", "nvJitLink.h", "curand.h", "cuda_gl_interop.h", "cudaGL.h", "cuda_vdpau_interop.h",
	"cublas_v2.h", "cublasLt.h", "cufft.h", "cusparse.h", "cusolverDn.h", "nccl.h", "nvml.h"}

const shim = "internal/shim/"

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "apitable:", err)
		os.Exit(1)
	}
}

// write writes the files.
func write() error {
	texts, err := outputs()
	if err != nil {
		return err
	}
	for file, text := range texts {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// outputs are the files that are made here, with their texts.
func outputs() (map[string]string, error) {
	list, err := functions()
	if err != nil {
		return nil, err
	}
	device, err := intrinsics()
	if err != nil {
		return nil, err
	}
	out, err := errorOutputs()
	if err != nil {
		return nil, err
	}
	out[entryFile], out[callsFile] = entries(list), calls(device)
	if out[wideHeader], out[wideFile], err = wideFunctions(list); err != nil {
		return nil, err
	}
	out[output], err = apiPage(list, device)
	return out, err
}

// apiPage is the text of docs/results/API.md.
func apiPage(list []function, device []intrinsic) (string, error) {
	callers, err := programs(call)
	if err != nil {
		return "", err
	}
	byType, err := programs(typedCall)
	if err != nil {
		return "", err
	}
	for i := range list {
		if name := list[i].name; callers[name] == "" && list[i].library() != "" {
			callers[name] = cmp.Or(callers[strings.TrimSuffix(name, "_v2")], byType[typedName.ReplaceAllString(name, "$2")])
		}
	}
	var page strings.Builder
	page.WriteString(`# The CUDA API

Made by ` + "`go run ./scripts/apitable`" + ` from ` + "`" + tableFile + "`" + `, the examples and the tests.

All functions are declared and can be linked, unless a section says otherwise. A call of one that is not supported ends the
check with exit code 5 and "not supported: NAME". "Called in" is an example or test program, which checks the results.
`)
	for section := range slices.Values(sections(list)) {
		writeAPI(&page, section, list, callers)
	}
	if err := writeIntrinsics(&page, device); err != nil {
		return "", err
	}
	err = writeUsage(&page)
	return page.String(), err
}

// sections are the sections of the table, in its order.
func sections(list []function) []string {
	var out []string
	for _, f := range list {
		if !slices.Contains(out, f.section) {
			out = append(out, f.section)
		}
	}
	return out
}

func writeAPI(page *strings.Builder, section string, list []function, callers map[string]string) {
	var rows strings.Builder
	all, done, tested := 0, 0, 0
	for _, f := range list {
		if f.section != section {
			continue
		}
		all++
		if f.support != none {
			done++
		}
		if callers[f.name] != "" {
			tested++
		}
		state := f.support.String()
		if f.note != "" {
			state += ": " + f.note
		}
		if f.wide {
			state += "; also with `_64`"
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", f.name, state, callers[f.name])
	}
	fmt.Fprintf(page, "\n## %s\n\n%d functions, %d supported, %d called in examples and tests.\n\n", section, all, done, tested)
	page.WriteString("| function | supported | called in |\n| --- | --- | --- |\n" + rows.String())
}

// declaration is a function of the C API at the start of a line.
var declaration = regexp.MustCompile(`(?m)^(?:cudaError_t|CUresult|nvrtcResult|nvJitLinkResult|nvmlReturn_t|curandStatus_t|cublasStatus_t|cufftResult|cusparse\w+_t|size_t|cusolverStatus_t|ncclResult_t|const char \*|struct cudaChannelFormatDesc) ?(\w+)\(`)

// declared lists the functions of the headers by name.
func declared() ([]string, error) {
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

var call = regexp.MustCompile(`\b(cu[A-Z]\w+|cu(?:rand|blas|blasLt|fft|sparse|solverDn)[A-Z]\w+|cuda[A-Z]\w+|nvrtc[A-Z]\w+|nccl[A-Z]\w+|nvml[A-Z]\w+|nvJitLink[A-Z]\w+)\s*(?:<[^<>;()]*>)?\s*\(`)

// typedCall is a function of a library in a macro that names those of several types, typedName the
// part of a function's name that is the same for them.
var (
	typedCall = regexp.MustCompile(`\b(?:cublas|cusolverDn)##L##(\w+)`)
	typedName = regexp.MustCompile(`^(cublas|cusolverDn)[SDCZ](\w+?)(_v2)?$`)
)

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
