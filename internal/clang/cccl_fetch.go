package clang

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// CCCL describes what FetchCCCL installed.
type CCCL struct {
	// Package is the Python package with its version, Dir the folder, License the file with the
	// terms of the package.
	Package, Dir, License string
}

// newestCCCL is the newest release of CUDA whose header libraries have been tested.
var newestCCCL = nvcc.Version{Major: 13, Minor: 3}

// ccclPackage is NVIDIA's Python package with the header libraries of a CUDA version, as pip wants it;
// the zero version means the newest that was tested.
func ccclPackage(v nvcc.Version) (string, error) {
	if v == (nvcc.Version{}) {
		v = newestCCCL
	}
	switch {
	case v.Major > 12:
		return fmt.Sprintf("nvidia-cuda-cccl==%v.*", v), nil
	case v.Major == 12 && v.Minor >= 4:
		return fmt.Sprintf("nvidia-cuda-cccl-cu12==%v.*", v), nil
	}
	return "", &UsageError{"the header libraries of CUDA " + v.String() + " are too old: 12.4 or a later version is needed"}
}

// FetchCCCL has pip download NVIDIA's package with Thrust, CUB and libcu++, and puts its headers and its
// license into a folder to which CCCLDir then leads. Without pip or the package the error is a *UsageError.
func FetchCCCL(ctx context.Context, version nvcc.Version) (*CCCL, error) {
	spec, err := ccclPackage(version)
	if err != nil {
		return nil, err
	}
	dir, err := CCCLDir()
	if err != nil {
		return nil, err
	}
	tmp, remove, err := scratch.In(filepath.Dir(dir), "cccl-new-")
	if err != nil {
		return nil, err
	}
	defer remove()
	if err := pipDownload(ctx, tmp, spec); err != nil {
		return nil, err
	}
	wheels, err := filepath.Glob(filepath.Join(tmp, "*.whl"))
	if err != nil || len(wheels) != 1 {
		return nil, &UsageError{fmt.Sprintf("pip has not downloaded one package for %s but %q", spec, wheels)}
	}
	made := filepath.Join(tmp, "cccl")
	if err := unpackHeaders(wheels[0], made); err != nil {
		return nil, err
	}
	if (&Toolkit{made}).thrustVersion() < oldestCCCL {
		return nil, &UsageError{filepath.Base(wheels[0]) + " has no header libraries that can be used"}
	}
	parts := strings.SplitN(filepath.Base(wheels[0]), "-", 3)
	out := &CCCL{Package: strings.Join(parts[:2], " "), Dir: dir, License: filepath.Join(dir, "LICENSE.txt")}
	return out, placeCCCL(made, dir, strings.Join(parts[:2], "-"))
}

// pipDownload has pip download a package without those that it needs.
func pipDownload(ctx context.Context, dir, spec string) error {
	command := []string{"python3", "-m", "pip"}
	if _, err := exec.LookPath("python3"); err != nil {
		command = []string{"pip3"}
	}
	args := append(command[1:], "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--dest", dir, spec)
	_, diag, err := runTool(ctx, nil, command[0], args...)
	if err == nil || ctx.Err() != nil || isShort(err) {
		return err
	}
	why := strings.TrimSpace(string(diag))
	if errors.Is(err, exec.ErrNotFound) {
		why = "there is no python3"
	}
	return &UsageError{"cannot fetch " + spec + " with pip: " + why[strings.LastIndexByte(why, '\n')+1:]}
}

// What a package may hold: today's have 2,400 files and 30 MB.
const (
	maxHeaders     = 20_000
	maxHeaderBytes = 256 << 20
)

// unpackHeaders writes the headers of a Python package, which lie in nvidia/PACKAGE/include, below
// include in a new folder, and its license beside them.
func unpackHeaders(wheel, dir string) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer z.Close()
	left := int64(maxHeaderBytes)
	if len(z.File) > maxHeaders {
		return fmt.Errorf("%s: too many files: %d", wheel, len(z.File))
	}
	for _, f := range z.File {
		to := headerTarget(f.Name)
		if to == "" || !f.Mode().IsRegular() {
			continue
		}
		n, err := unpackFile(f, filepath.Join(dir, to), left)
		if err != nil {
			return fmt.Errorf("%s: %w", wheel, err)
		}
		left -= n
	}
	return nil
}

// headerTarget is where a file of the package goes, "" for nowhere.
func headerTarget(name string) string {
	parts := strings.Split(name, "/")
	switch base := strings.ToLower(parts[len(parts)-1]); {
	case !filepath.IsLocal(name) || strings.HasSuffix(name, "/"):
		return ""
	case len(parts) > 3 && parts[0] == "nvidia" && parts[2] == "include":
		return filepath.Join(parts[2:]...)
	case strings.HasSuffix(parts[0], ".dist-info") && base == "license.txt":
		return "LICENSE.txt"
	}
	return ""
}

// unpackFile writes one file of at most so many bytes, and returns how many they are.
func unpackFile(f *zip.File, to string, most int64) (int64, error) {
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return 0, err
	}
	out, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(in, most+1))
	if err == nil && n > most {
		err = fmt.Errorf("more than %d bytes of headers", int64(maxHeaderBytes))
	}
	return n, errors.Join(err, out.Close())
}
