package clang

import (
	"bytes"
	"context"
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// loggedClang is a toolchain whose clang writes its arguments to a file, and then does what the
// line of shell says.
func loggedClang(t *testing.T, then string) (tc *Toolchain, log string) {
	t.Helper()
	copied := *toolchain(t)
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >>%s\n%s\nexec %s \"$@\"\n", log, then, copied.Clang)
	copied.Clang = filepath.Join(dir, "clang")
	if err := os.WriteFile(copied.Clang, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return &copied, log
}

// preludeRuns counts the compilations with the precompiled prelude, and those that made one.
func preludeRuns(t *testing.T, log string) (with, made int) {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "-include-pch"), strings.Count(string(text), "-emit-pch")
}

const preludeSource = `#include "scale.h"
#include <cassert>
#include <vector>
template <typename T> __global__ void k(T *p, dim3 d) { p[threadIdx.x] = sqrtf(p[threadIdx.x]) * SCALE + d.x; assert(p[0] > 0); }
int main(int n, char **v) {
	std::vector<float> h(32);
	float *p;
	cudaMalloc(&p, 128);
	k<<<1, 32>>>(p, dim3(n));
	strlen("unread");
	return cudaDeviceSynchronize();
}
`

// compileVariants compiles a source as often as it takes for the prelude to be precompiled and to
// be taken from the cache.
func compileVariants(t *testing.T, tc *Toolchain, text string, flags Flags) (products []*Product, failed []error) {
	t.Helper()
	t.Setenv(cache.DirEnv, t.TempDir())
	dir := t.TempDir()
	source := filepath.Join(dir, "a.cu")
	for i := range 3 {
		if err := os.WriteFile(source, fmt.Appendf(nil, "%s// %d\n", text, i), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "scale.h"), []byte("#define SCALE 2\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := tc.Compile(context.Background(), Unit{Source: source, Lang: nvcc.CUDA, SM: 80, Flags: flags})
		products, failed = append(products, p), append(failed, err)
	}
	return products, failed
}

// A precompiled prelude changes nothing in what comes out.
func TestPreludeSameProduct(t *testing.T) {
	for _, flags := range [][]string{nil, {"-std=c++14", "-DNDEBUG"}, {"-std=c++20", "-Wall", "-I" + t.TempDir()}} {
		tc, log := loggedClang(t, "")
		got, failed := compileVariants(t, tc, preludeSource, Flags{Both: flags, LLC: []string{"-fp-contract=fast"}, Opt: "2"})
		if err := errors.Join(failed...); err != nil {
			t.Fatal(err)
		}
		if with, made := preludeRuns(t, log); with != 4 || made != 2 {
			t.Errorf("%q: %d compilations with a precompiled prelude, %d made; want 4, 2", flags, with, made)
		}
		for _, p := range got[1:] {
			if !bytes.Equal(p.PTX, got[0].PTX) {
				t.Errorf("%q: other PTX:\n%s\nthan without:\n%s", flags, p.PTX, got[0].PTX)
			}
			if p.Warnings != got[0].Warnings {
				t.Errorf("%q: warnings\n%s\nwithout:\n%s", flags, p.Warnings, got[0].Warnings)
			}
			if more, fewer := without(p.Files, got[0].Files...), without(got[0].Files, p.Files...); more != nil || fewer != nil {
				t.Errorf("%q: also reads %q, but not %q", flags, more, fewer)
			}
			if a, b := codeOf(t, p.Object), codeOf(t, got[0].Object); !reflect.DeepEqual(a, b) {
				t.Errorf("%q: the host code or its lines differ", flags)
			}
		}
	}
}

// codeOf is an object's machine code by section, and its lines.
func codeOf(t *testing.T, object []byte) map[string]string {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(object))
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]string{}
	for i, s := range f.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 {
			text, err := s.Data()
			if err != nil {
				t.Fatal(err)
			}
			code[fmt.Sprint(i, s.Name)] = string(text)
		}
	}
	d, err := f.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	unit, err := d.Reader().Next()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := d.LineReader(unit)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for e := (dwarf.LineEntry{}); lines.Next(&e) == nil; {
		fmt.Fprintln(&all, e.Address, e.File.Name, e.Line, e.Column)
	}
	code["lines"] = all.String()
	return code
}

// What clang rejects reads the same as without, whoever's fault it is.
func TestPreludeErrors(t *testing.T) {
	tc, log := loggedClang(t, "")
	_, failed := compileVariants(t, tc, "__global__ void k(float4 *p) { p->q = 1; cudaMalloc(1); }\n", Flags{})
	for _, err := range failed {
		if err == nil || err.Error() != failed[0].Error() {
			t.Errorf("%v\nwithout:\n%v", err, failed[0])
		}
	}
	if with, _ := preludeRuns(t, log); with == 0 {
		t.Error("the prelude was never precompiled")
	}
	for _, step := range []string{"-include-pch", "-emit-pch"} {
		before := fallback.Now()
		tc, log = loggedClang(t, "case \"$*\" in *"+step+"*) echo 'file was changed before "+step+"' >&2; exit 1;; esac")
		if _, failed = compileVariants(t, tc, preludeSource, Flags{}); errors.Join(failed...) != nil {
			t.Errorf("%s fails, and nothing is compiled without: %v", step, failed)
		}
		if with, made := preludeRuns(t, log); with+made == 0 {
			t.Error("the prelude was never precompiled")
		}
		told := func(f fallback.Taken) bool { // other tests of the package have reasons, too
			return f.Way == fallback.Cache && slices.ContainsFunc(f.Reasons, func(r string) bool { return strings.Contains(r, "file was changed before "+step) })
		}
		if list := fallback.Since(before); !slices.ContainsFunc(list, told) {
			t.Errorf("%s fails: replaced: %+v", step, list)
		}
	}
}

// Files of the user's that the prelude would read keep it from being precompiled: they may change
// at any time, or be read with another text.
func TestPreludeOfTheUser(t *testing.T) {
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, "time.h"), []byte("#include_next <time.h>\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-I", own}, {"-include", "time.h"}} {
		tc, log := loggedClang(t, "")
		if _, failed := compileVariants(t, tc, preludeSource, Flags{Both: flags}); errors.Join(failed...) != nil {
			t.Fatal(failed)
		}
		if with, _ := preludeRuns(t, log); with != 0 {
			t.Errorf("%q: %d compilations with the precompiled prelude", flags, with)
		}
	}
}

// A header that appears in a directory of the user takes the place of one that is precompiled.
func TestPreludeShadowed(t *testing.T) {
	own := t.TempDir()
	flags := Flags{Both: []string{"-I", own}}
	tc, log := loggedClang(t, "")
	t.Setenv(cache.DirEnv, t.TempDir())
	source := filepath.Join(t.TempDir(), "a.cu")
	compile := func(text string) (with int, err error) {
		t.Helper()
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		before, _ := preludeRuns(t, log)
		_, err = tc.Compile(context.Background(), Unit{Source: source, Lang: nvcc.CUDA, SM: 80, Flags: flags})
		with, _ = preludeRuns(t, log)
		return with - before, err
	}
	if err := os.WriteFile(log, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 2, 2} {
		if with, err := compile(fmt.Sprintf("__global__ void k() {} // %d\n", i)); err != nil || with != want {
			t.Fatalf("compilation %d: %d with the precompiled prelude, want %d; %v", i, with, want, err)
		}
	}
	if err := os.WriteFile(filepath.Join(own, "time.h"), []byte("#define MINE 1\n#include_next <time.h>\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if with, err := compile("static_assert(MINE);\n"); err != nil || with != 0 {
		t.Errorf("%d compilations with a prelude that does not read the user's time.h; %v", with, err)
	}
}
