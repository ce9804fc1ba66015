package clang

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/warpgrind/warpgrind/internal/cache"
)

// Toolkit is NVIDIA's CUDA toolkit, which is not needed, but used where it is
// given: for the header libraries that come with it, or for its compiler.
type Toolkit struct{ Dir string }

// toolkitVars name the environment variables with a toolkit's folder.
var toolkitVars = []string{"CUDA_HOME", "CUDA_PATH"}

// libraries are the folders of the toolkit's header libraries: Thrust, CUB and
// libcu++. They build on the CUDA headers, which stay our own.
var libraries = []string{"thrust", "cub", "cuda", "nv"}

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

// headerFlags are clang's flags for the toolkit's headers: its libraries come
// before ours, and all else that it has after everything.
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
	dir := filepath.Join(base, "toolkit-"+cache.Key(from)[:16])
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, lib := range libraries {
		target := filepath.Join(from, lib)
		if err := os.Symlink(target, filepath.Join(dir, lib)); err != nil && !os.IsExist(err) {
			return nil, err
		}
	}
	// NVTX is a profiler's: nothing is lost.
	return []string{"-I" + dir, "-DCCCL_DISABLE_NVTX=1"}, nil
}

// UseToolkit adds the headers of the toolkit that FindToolkit finds.
func (f *Flags) UseToolkit(dir string) error {
	t, err := FindToolkit(dir)
	if t == nil || err != nil {
		return err
	}
	flags, err := t.headerFlags()
	f.Both = append(f.Both, flags...)
	return err
}
