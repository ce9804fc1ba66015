package nvrtc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestRuntimeHeaders compiles with headers that programs bring since NVRTC has none of the standard library.
func TestRuntimeHeaders(t *testing.T) {
	tooltest.NeedsClang(t)
	s := Options{Clang: tooltest.Clang()}
	asDevice := []string{"--device-as-default-execution-space", "-std=c++17"}
	libraries(t, "#include <stdexcept>\nstruct failed : std::runtime_error {\n  const char *what() const noexcept override { return std::runtime_error::what(); }\n};\n"+
		"__host__ __device__ constexpr int two() { return 2; }\n")
	const program = "#include <cub/part.cuh>\nint f() { return two(); }\n__global__ void k(int *p) { *p = f(); }\n"
	const kernel = "\n__global__ void k(int *p) { *p = std::is_same<int, float>::value; }\n"
	for _, tt := range []struct {
		what string
		src  host.Source
		ok   bool
	}{
		{"the standard library's", host.Source{Name: "k", Options: asDevice, Text: "#include <type_traits>\n#include <string.h>" + kernel, Headers: map[string]string{
			"type_traits": "namespace std { template <class T, class U> struct is_same { enum { value = 0 }; }; }\n",
			"string.h":    "char *strcpy(char *, const char *);\n"}}, true},
		{"a name like one", host.Source{Name: "k", Options: asDevice, Text: "#include \"my/vector\"\n#include <type_traits>" + kernel,
			Headers: map[string]string{"my/vector": "qux a;\n"}}, false},
		{"CUB, where functions are for the device", host.Source{Name: "k", Options: asDevice, Text: program}, true},
		{"CUB without the word __host__", host.Source{Name: "k", Options: append(asDevice, "--pre-include=pre.h"), Text: program,
			Headers: map[string]string{"pre.h": "#undef __host__\n#define __host__\n"}}, true},
		{"a CUB that the program brings", host.Source{Name: "k", Options: asDevice, Text: program, Headers: map[string]string{"cub/part.cuh": "int two() { return 2; }\n"}}, true},
	} {
		c, err := s.Compile(context.Background(), tt.src)
		if err != nil || (c.PTX != nil) != tt.ok {
			t.Errorf("%s: %v, PTX of %d bytes, log\n%s", tt.what, err, len(c.PTX), c.Log)
		}
	}
}

// libraries makes header libraries for the test, in the place of a Python package, with a part of CUB.
func libraries(t *testing.T, part string) {
	venv := t.TempDir()
	t.Setenv("VIRTUAL_ENV", venv)
	cccl := filepath.Join(venv, "lib/python3.11/site-packages/nvidia/cu13/include/cccl")
	for name, text := range map[string]string{"thrust/version.h": "#define THRUST_VERSION 300300\n", "cub/part.cuh": part} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(cccl, name)), 0o777), os.WriteFile(filepath.Join(cccl, name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}
