package cc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// nvccFrontend carries out a command line with NVIDIA's own compiler. Its
// programs hold PTX for one architecture, and use our runtime.
func (d *driver) nvccFrontend(ctx context.Context, args []string) error {
	path, err := findNVCC(d.cmd.CudaPath)
	if err != nil {
		return err
	}
	args = nvccArgs(args, d.cmd)
	if d.cmd.Phase == nvcc.Link {
		home, err := d.home(ctx)
		if err != nil {
			return err
		}
		major, err := majorOf(ctx, path)
		if err != nil {
			return err
		}
		args = append([]string{"-L" + home.LinkDir(major)}, args...)
		args = append(args, "-cudart", "shared", "-Xlinker", "-rpath="+home.Lib(), "-Xlinker", "-rpath-link="+home.Lib())
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = d.Stdin, d.Stdout, d.Stderr
	err = cmd.Run()
	var status *exec.ExitError
	if errors.As(err, &status) {
		return programError{status.ExitCode()} // it said itself what is wrong
	}
	return err
}

// findNVCC looks in the toolkit, then in PATH for one that is not ours.
func findNVCC(cudaPath string) (string, error) {
	t, err := clang.FindToolkit(cudaPath)
	if err != nil {
		return "", err
	}
	if t != nil && t.NVCC() != "" {
		return t.NVCC(), nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, "nvcc")
		real, err := filepath.EvalSymlinks(path)
		if err != nil || real == self || isScript(real) {
			continue
		}
		return path, nil
	}
	return "", &clang.UsageError{Text: "--frontend=nvcc: no nvcc of NVIDIA's in PATH, and no CUDA toolkit named with --cuda-path or CUDA_HOME"}
}

var release = regexp.MustCompile(`release (\d+)\.`)

// majorOf asks an nvcc for the major version of its CUDA.
func majorOf(ctx context.Context, path string) (int, error) {
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	m := release.FindSubmatch(out)
	if err != nil || m == nil {
		return 0, fmt.Errorf("%s --version prints no release", path)
	}
	return strconv.Atoi(string(m[1]))
}

// isScript tells bin/nvcc of our own folder from the real one.
func isScript(path string) bool {
	f, err := userfile.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	var head [2]byte
	_, err = f.Read(head[:])
	return err != nil || string(head[:]) == "#!"
}

// replaced are the options that nvccArgs sets itself, with one value each.
var replaced = []string{"arch", "gpu-architecture", "code", "gpu-code", "gencode", "generate-code", "cudart", "frontend", "cuda-path", "cuda-version", "build"}

// nvccArgs returns the options for NVIDIA's nvcc: ours taken out, and PTX of
// the newest architecture that was asked for in place of machine code.
func nvccArgs(args []string, c *nvcc.Command) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, attached := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		switch {
		case !strings.HasPrefix(args[i], "-") || !slices.Contains(replaced, name):
			out = append(out, args[i])
		case !attached:
			i++
		}
	}
	name := clang.FlagsOf(c).Arch
	if name == "" {
		name = arch.Default
	}
	_, number, _ := strings.Cut(name, "_")
	if n, err := strconv.Atoi(strings.TrimRight(number, "af")); err == nil {
		number = strconv.Itoa(n)
	}
	if c.Phase == nvcc.Preprocess || c.Phase == nvcc.Depend {
		return out
	}
	out = append(out, "-lineinfo")
	if c.Phase == nvcc.PTX {
		return append(out, "-arch=compute_"+number)
	}
	return append(out, "-gencode=arch=compute_"+number+",code=compute_"+number)
}
