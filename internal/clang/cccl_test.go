package clang

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// bare is an environment in which nothing of NVIDIA's is installed.
func bare(t *testing.T) {
	t.Helper()
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Setenv(name, "")
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv(cache.DirEnv, t.TempDir())
}

// fakeCCCL puts Thrust of a version below a folder.
func fakeCCCL(t *testing.T, include, version string) {
	t.Helper()
	dir := filepath.Join(include, "thrust")
	if err := errors.Join(os.MkdirAll(dir, 0o777),
		os.WriteFile(filepath.Join(dir, "version.h"), []byte("#define THRUST_VERSION "+version+" // macro\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// TestFindCCCL: what setup fetched comes before a Python package; versions that are too old are none.
func TestFindCCCL(t *testing.T) {
	bare(t)
	if _, err := os.Stat("/usr/local/cuda"); err == nil {
		t.Skip("this machine has a toolkit")
	}
	if got := FindCCCL(); got != nil {
		t.Fatalf("found %s on a machine without", got.Dir)
	}
	venv := t.TempDir()
	t.Setenv("VIRTUAL_ENV", venv)
	packages := filepath.Join(venv, "lib", "python3.12", "site-packages", "nvidia")
	fakeCCCL(t, filepath.Join(packages, "cuda_cccl", "include"), "200200")
	if got := FindCCCL(); got != nil {
		t.Errorf("found %s, which is too old", got.Dir)
	}
	fakeCCCL(t, filepath.Join(packages, "cu13", "include", "cccl"), "300300")
	fakeCCCL(t, filepath.Join(packages, "cu9", "include", "cccl"), "300300")
	if got := FindCCCL(); got == nil || got.Dir != filepath.Join(packages, "cu13") {
		t.Errorf("got %v, want that of cu13", got)
	}
	dir, err := CCCLDir()
	if err != nil {
		t.Fatal(err)
	}
	fakeCCCL(t, filepath.Join(dir, "include"), "200800")
	if got := FindCCCL(); got == nil || got.Dir != dir {
		t.Errorf("got %v, want %s", got, dir)
	}
	with, have := Unit{Flags: Flags{Both: []string{"-DA"}}}.withLibraries()
	if !have || with.Flags.libraries != dir || with.Flags.Both[0] != "-DA" || len(with.Flags.Both) < 2 {
		t.Errorf("flags %+v", with.Flags)
	}
	if _, again := with.withLibraries(); again {
		t.Error("header libraries are added twice")
	}
}

// TestPlaceCCCL: a compilation that has begun keeps its headers when setup brings others, also over the folder of an old version; what was
// replaced long ago is removed.
func TestPlaceCCCL(t *testing.T) {
	bare(t)
	dir, err := CCCLDir()
	if err != nil {
		t.Fatal(err)
	}
	fakeCCCL(t, filepath.Join(dir, "include"), "200700") // the folder of an old version
	version := func(at string) int { return (&Toolkit{at}).thrustVersion() }
	for _, c := range []struct {
		name, text string
		want       int
	}{{"cccl-12.8", "200800", 200800}, {"cccl-13.0", "300000", 300000}, {"cccl-12.8", "200800", 200800}} {
		before := (&Toolkit{dir}).pinned().Dir
		old := version(before)
		made := filepath.Join(t.TempDir(), "made")
		fakeCCCL(t, filepath.Join(made, "include"), c.text)
		if err := placeCCCL(made, dir, c.name); err != nil {
			t.Fatal(err)
		}
		if got := version(dir); got != c.want {
			t.Errorf("%s: Thrust %d, want %d", c.name, got, c.want)
		}
		if before != dir && version(before) != old {
			t.Errorf("%s: the headers before are gone", c.name)
		}
	}
	if got := version(dir + "-before"); got != 200700 {
		t.Errorf("the folder of an old version has Thrust %d", got)
	}
	long := time.Now().Add(-2 * shimAge)
	for _, f := range []string{dir + "-before", dir + "-cccl-13.0"} {
		if err := os.Chtimes(f, long, long); err != nil {
			t.Fatal(err)
		}
	}
	removeCCCL(dir, dir+"-cccl-12.8", "")
	if left, _ := filepath.Glob(dir + "-*"); len(left) != 1 || left[0] != dir+"-cccl-12.8" {
		t.Errorf("left: %q", left)
	}
}

// TestLibraryHint: the note for a missing header names the command that fetches it, and the folder of header libraries that lack it.
func TestLibraryHint(t *testing.T) {
	for _, c := range []struct{ header, libraries, want string }{
		{"thrust/sort.h", "", "warpgrind setup cccl"},
		{"cuda_occupancy.h", "", "warpgrind setup cccl"},
		{"cuda/std/new", "/opt/cccl", "in /opt/cccl do not have"},
		{"helper_cuda.h", "", "Common"},
		{"mine.h", "", ""},
		{"", "", ""},
	} {
		got := headerHint(c.header, c.libraries)
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") || strings.Contains(got, "\n") {
			t.Errorf("%q: %q, want %q", c.header, got, c.want)
		}
	}
}

func TestCCCLPackage(t *testing.T) {
	for _, c := range []struct {
		v    nvcc.Version
		want string
	}{
		{nvcc.Version{}, "nvidia-cuda-cccl==13.3.*"}, {nvcc.Version{Major: 13}, "nvidia-cuda-cccl==13.0.*"},
		{nvcc.Version{Major: 12, Minor: 9}, "nvidia-cuda-cccl-cu12==12.9.*"}, {nvcc.Version{Major: 12, Minor: 3}, ""}, {nvcc.Version{Major: 11, Minor: 8}, ""},
	} {
		if got, err := ccclPackage(c.v); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%v: %q, %v", c.v, got, err)
		}
	}
}

// TestUnpackHeaders: headers and the license come out, nothing else, and nothing outside of the folder.
func TestUnpackHeaders(t *testing.T) {
	wheel := filepath.Join(t.TempDir(), "a.whl")
	out, err := os.Create(wheel)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	for _, name := range []string{"nvidia/cu13/include/cccl/thrust/sort.h", "nvidia/cu13/lib/cmake/a.cmake", "a-1.dist-info/licenses/License.txt",
		"nvidia/cu13/include/../../../../escaped.h", "/etc/absolute.h", "nvidia/cu13/include/dir/"} {
		w, err := z.Create(name)
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = w.Write([]byte(name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	if err := unpackHeaders(wheel, filepath.Join(top, "a", "b")); err != nil {
		t.Fatal(err)
	}
	var got []string
	filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, strings.TrimPrefix(path, top+"/"))
		}
		return err
	})
	if want := "a/b/LICENSE.txt a/b/include/cccl/thrust/sort.h"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
