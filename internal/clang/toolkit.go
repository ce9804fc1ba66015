package clang

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// Toolkit is NVIDIA's CUDA toolkit, which is not needed, but used where it is
// given: for the header libraries that come with it, or for its compiler.
type Toolkit struct{ Dir string }

// toolkitVars name the environment variables with a toolkit's folder.
var toolkitVars = []string{"CUDA_HOME", "CUDA_PATH"}

// libraries are the toolkit's header libraries: Thrust, CUB, libcu++ and
// cooperative groups. They build on the CUDA headers, which stay our own.
var libraries = []string{"thrust", "cub", "cuda", "nv", "cooperative_groups", "cooperative_groups.h"}

// FindToolkit returns the toolkit in a folder, or if that is "", the one that
// CUDA_HOME or CUDA_PATH names. It is nil if there is none; the folder that
// CudaHome makes is none. A folder that was named and is none is a
// *UsageError.
func FindToolkit(dir string) (*Toolkit, error) {
	if dir != "" {
		t := &Toolkit{dir}
		if t.isOurs() || t.include() == "" && t.NVCC() == "" {
			return nil, &UsageError{fmt.Sprintf("%s: no CUDA toolkit: it has neither include/thrust nor bin/nvcc", dir)}
		}
		return t, nil
	}
	for _, name := range toolkitVars {
		t := &Toolkit{os.Getenv(name)}
		if t.Dir != "" && !t.isOurs() && (t.include() != "" || t.NVCC() != "") {
			return t, nil
		}
	}
	return nil, nil
}

func (t *Toolkit) isOurs() bool { return exists(filepath.Join(t.Dir, "lib64", sharedRuntime)) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// NVCC is the toolkit's compiler driver, "" if it has none.
func (t *Toolkit) NVCC() string {
	path, err := exec.LookPath(filepath.Join(t.Dir, "bin", "nvcc"))
	if err != nil {
		return ""
	}
	return path
}

// include is the folder with the header libraries, "" if there is none. Since
// CUDA 13 it is a folder of its own.
func (t *Toolkit) include() string {
	for _, sub := range []string{"include/cccl", "include"} {
		if dir := filepath.Join(t.Dir, sub); exists(filepath.Join(dir, "thrust")) || exists(filepath.Join(dir, "cub")) {
			return dir
		}
	}
	return ""
}

// headerFlags are clang's flags for the toolkit's header libraries, which come
// before ours.
func (t *Toolkit) headerFlags() ([]string, error) {
	from := t.include()
	if from == "" {
		return nil, nil
	}
	from, err := filepath.Abs(from)
	if err != nil {
		return nil, err
	}
	base, err := cache.Dir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(base, "toolkit-"+cache.Key(append([]string{from}, libraries...)...)[:16])
	if err := os.MkdirAll(dir, 0o775); err != nil {
		return nil, err
	}
	for _, lib := range libraries {
		if err := os.Symlink(libraryIn(from, lib), filepath.Join(dir, lib)); err != nil && !os.IsExist(err) {
			return nil, err
		}
	}
	return []string{"-I" + dir}, nil
}

// libraryIn is where a toolkit has one of its header libraries, of which most are in the folder from: since
// CUDA 13 the others have a folder of their own.
func libraryIn(from, lib string) string {
	if dir := filepath.Join(from, lib); exists(dir) {
		return dir
	}
	return filepath.Join(filepath.Dir(from), lib)
}

// libraryFlags leave out of the header libraries, wherever they come from, what needs headers that we do
// not have: ranges for a profiler, and __float128 in device code, which they
// enable from sm_100 on.
var libraryFlags = []string{"-DCCCL_DISABLE_NVTX=1", "-Xarch_device", "-DCCCL_DISABLE_FLOAT128_SUPPORT"}

// UseToolkit adds the header libraries of the toolkit that FindToolkit finds,
// or of the one whose headers the command line names, as build files do with
// -I$(CUDA_HOME)/include. Those are then searched last: the CUDA headers are
// ours, since NVIDIA's are for its own compiler.
func (f *Flags) UseToolkit(dir string) error {
	t, err := FindToolkit(dir)
	if err != nil {
		return err
	}
	if named := f.demoteHeaders(); t == nil && named != "" {
		t = &Toolkit{filepath.Dir(named)}
	}
	if t != nil {
		flags, err := t.headerFlags()
		if err != nil {
			return err
		}
		f.Both = append(f.Both, flags...)
		if flags != nil {
			f.libraries = t.Dir
		}
	}
	if f.CUDA == (nvcc.Version{}) && t != nil {
		f.CUDA = librariesKnow
		if v := t.version(); v.Major != 0 && v.Number() < f.CUDA.Number() {
			f.CUDA = v
		}
	}
	return nil
}

// librariesKnow is the newest version that header libraries of a toolkit are told
// of: from 13.0 on they name pools of managed and of host memory, which our headers
// do not declare.
var librariesKnow = nvcc.Version{Major: 12, Minor: 9}

// defineVersion defines the macros of the CUDA version.
func (f *Flags) defineVersion() {
	f.CUDA = f.CUDA.OrNewest()
	f.Both = append([]string{fmt.Sprintf("-D__WG_CUDA_VERSION__=%d", f.CUDA.Number()),
		fmt.Sprintf("-D__WG_CUDA_MAJOR__=%d", f.CUDA.Major), fmt.Sprintf("-D__WG_CUDA_MINOR__=%d", f.CUDA.Minor)}, f.Both...)
}

var versionMacro = regexp.MustCompile(`(?m)^#define\s+CUDA(?:RT)?_VERSION\s+(\d+)`)

// version is the toolkit's, as its headers say; zero if they are not there.
func (t *Toolkit) version() nvcc.Version {
	for _, name := range []string{"cuda.h", "cuda_runtime_api.h"} {
		text, err := os.ReadFile(filepath.Join(t.Dir, "include", name))
		if m := versionMacro.FindSubmatch(text); err == nil && m != nil {
			n, _ := strconv.Atoi(string(m[1]))
			return nvcc.Version{Major: n / 1000, Minor: n % 1000 / 10}
		}
	}
	return nvcc.Version{}
}

// demoteHeaders moves the CUDA headers that a command line names to the end of the search, and
// returns the first folder with some of NVIDIA's, or "". Ours, as CMake's CUDAToolkit_INCLUDE_DIRS
// names them, are left out: they are searched anyway, and the header libraries among them are for
// other compilers; withLibraries finds them here.
func (f *Flags) demoteHeaders() (named string) {
	var rest, last []string
	for i := 0; i < len(f.Both); i++ {
		dir, joined := strings.CutPrefix(f.Both[i], "-I")
		if f.Both[i] == "-isystem" && i+1 < len(f.Both) {
			dir, joined = f.Both[i+1], false
		} else if !joined {
			dir = ""
		}
		ours := dir != "" && areOurs(dir)
		nvidia := !ours && dir != "" && areNvidias(dir)
		if !nvidia && !ours {
			rest = append(rest, f.Both[i])
			continue
		}
		if nvidia {
			last = append(last, "-idirafter", dir)
		}
		if !joined {
			i++
		}
		if nvidia && named == "" {
			named = dir
		}
	}
	f.Both = append(rest, last...)
	return named
}

// areNvidias reports whether a folder holds CUDA's own headers. In a toolkit those of its compiler are in
// crt; Python's packages since CUDA 13 have these in another package than the runtime's.
func areNvidias(include string) bool {
	if exists(filepath.Join(include, "crt", "host_runtime.h")) {
		return true
	}
	for _, name := range []string{"cuda_runtime_api.h", "driver_types.h", "device_launch_parameters.h"} {
		if !exists(filepath.Join(include, name)) {
			return false
		}
	}
	return true
}

// areOurs reports whether a folder is one of those with headers in the folder that CudaHome makes.
func areOurs(include string) bool {
	include = strings.TrimSuffix(filepath.Clean(include), string(filepath.Separator)+"cccl")
	return (&Toolkit{filepath.Dir(include)}).isOurs()
}
