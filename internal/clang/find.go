// Package clang turns CUDA sources into PTX and a host executable by running
// an installed clang with its matching opt and llc.
//
// Device code goes CUDA to LLVM IR to PTX. In the source-keeping build the IR
// is rewritten between the stages so that every access of the source to
// shared, global and constant memory is still one access in the PTX (see
// mark.go). Host code is compiled by the same clang, linked with the runtime
// library of package shim, and carries the PTX inside (see fatbin.go).
package clang

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// MinVersion is the oldest clang that Find accepts: textual IR with opaque
// pointers by default.
const MinVersion = 15

// newestProbed bounds the version suffixes that Find looks for.
const newestProbed = 40

// Toolchain is a usable clang with its opt and llc.
type Toolchain struct {
	// Clang, Opt and LLC are the paths of the programs.
	Clang, Opt, LLC string
	// Version is the first line of clang --version, Major its major number.
	Version string
	Major   int
	// ResourceDir holds clang's own headers under include/.
	ResourceDir string
	// Building, if set, is told while the runtime library or a part of another is compiled what
	// that is and how many of its files are done. It is called from several goroutines, one at a time.
	Building func(what string, done, all int) `json:"-"`
	// openMP is set if clang's OpenMP runtime is installed.
	openMP bool
}

// NotFoundError reports that no usable clang was found, and what to do.
type NotFoundError struct{ Reason string }

func (e *NotFoundError) Error() string {
	return e.Reason + fmt.Sprintf(" (install clang and llvm, version %d or newer; on Debian and Ubuntu: apt install clang-19 llvm-19)", MinVersion)
}

// Find returns the newest usable clang of those installed, or the one that
// explicit names (a path, or a command in PATH). A clang is usable when its
// version is at least MinVersion, it can generate NVPTX code, and opt and llc
// of the same version stand beside it or in PATH. The error is a
// *NotFoundError.
func Find(explicit string) (*Toolchain, error) {
	if explicit != "" {
		path, err := exec.LookPath(explicit)
		if err != nil {
			return nil, &NotFoundError{fmt.Sprintf("clang %q not found", explicit)}
		}
		return probeCached(path)
	}
	var first error
	for _, path := range candidates() {
		tc, err := probeCached(path)
		if err == nil {
			return tc, nil
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return nil, first
	}
	return nil, &NotFoundError{"no clang found"}
}

// candidates lists existing clang programs, newest version suffix first, the
// plain name last.
func candidates() []string {
	var paths []string
	add := func(p string) {
		if st, err := os.Stat(p); err == nil && !st.IsDir() {
			paths = append(paths, p)
		}
	}
	for v := newestProbed; v >= MinVersion; v-- {
		if p, err := exec.LookPath("clang-" + strconv.Itoa(v)); err == nil {
			add(p)
		}
		for _, root := range []string{"/usr/lib/llvm-%d", "/usr/lib/llvm/%d", "/usr/lib64/llvm%d", "/opt/llvm-%d", "/opt/homebrew/opt/llvm@%d", "/usr/local/opt/llvm@%d"} {
			add(filepath.Join(fmt.Sprintf(root, v), "bin", "clang"))
		}
	}
	if p, err := exec.LookPath("clang"); err == nil {
		add(p)
	}
	for _, dir := range []string{"/usr/local/bin", "/usr/bin", "/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin", "/opt/llvm/bin"} {
		add(filepath.Join(dir, "clang"))
	}
	return paths
}

var versionLine = regexp.MustCompile(`clang version (\d+)\.`)

// probe checks one clang and finds its companions.
func probe(path string) (*Toolchain, error) {
	ctx := context.Background()
	out, _, err := runTool(ctx, nil, path, "--version")
	if err != nil {
		return nil, &NotFoundError{fmt.Sprintf("%s does not run: %v", path, err)}
	}
	text := string(out)
	m := versionLine.FindStringSubmatch(text)
	if m == nil {
		return nil, &NotFoundError{path + " is not clang"}
	}
	major, _ := strconv.Atoi(m[1])
	line, _, _ := strings.Cut(text, "\n")
	tc := &Toolchain{Clang: path, Version: strings.TrimSpace(line), Major: major}
	if major < MinVersion {
		return nil, &NotFoundError{fmt.Sprintf("%s is version %d, too old", path, major)}
	}
	out, _, err = runTool(ctx, nil, path, "--print-resource-dir")
	if err != nil {
		return nil, &NotFoundError{fmt.Sprintf("%s does not tell its resource directory: %v", path, err)}
	}
	tc.ResourceDir = strings.TrimSpace(string(out))
	if tc.Opt, err = tc.companion("opt"); err != nil {
		return nil, err
	}
	if tc.LLC, err = tc.companion("llc"); err != nil {
		return nil, err
	}
	return tc, nil
}

// companion finds opt or llc of the same major version.
func (tc *Toolchain) companion(name string) (string, error) {
	real := tc.Clang
	if r, err := filepath.EvalSymlinks(real); err == nil {
		real = r
	}
	suffixed := name + "-" + strconv.Itoa(tc.Major)
	tries := []string{
		filepath.Join(filepath.Dir(real), name),
		filepath.Join(filepath.Dir(tc.Clang), suffixed),
		filepath.Join(filepath.Dir(tc.Clang), name),
	}
	for _, n := range []string{suffixed, name} {
		if p, err := exec.LookPath(n); err == nil {
			tries = append(tries, p)
		}
	}
	for _, p := range tries {
		if tc.isCompanion(name, p) {
			return p, nil
		}
	}
	return "", &NotFoundError{fmt.Sprintf("%s has no %s of version %d with the NVPTX target beside it", tc.Clang, name, tc.Major)}
}

var llvmVersion = regexp.MustCompile(`LLVM version (\d+)\.`)

func (tc *Toolchain) isCompanion(name, path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	out, _, err := runTool(context.Background(), nil, path, "--version")
	if err != nil {
		return false
	}
	m := llvmVersion.FindSubmatch(out)
	if m == nil || string(m[1]) != strconv.Itoa(tc.Major) {
		return false
	}
	return name != "llc" || strings.Contains(string(out), "nvptx64")
}

// hasOpenMP reports whether clang's OpenMP runtime is installed.
func (tc *Toolchain) hasOpenMP() bool {
	out, _, err := runTool(context.Background(), nil, tc.Clang, "--print-file-name="+openMPLibrary)
	return err == nil && strings.Contains(string(out), "/")
}

// openMPLibrary is clang's OpenMP runtime.
const openMPLibrary = "libomp.so"

// knownArchs lists by clang version the newest architecture that it accepts.
var knownArchs = []struct{ clang, sm int }{{21, 120}, {20, 100}, {16, 90}, {0, 86}}

// oldestArch is the oldest architecture compiled for. Below it NVPTX lacks
// ld.global.nc and the shuffles that even old programs use.
const oldestArch = 35

// supportedSM lists the architectures of clang's NVPTX back end.
var supportedSM = []int{35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 120}

// Architectures lists the numbers of the architectures that can be compiled
// for. Others are mapped to them.
func Architectures() []int { return supportedSM }

// splitArch takes "sm_90a", "compute_90a" or "90a" apart, into the number and what follows: a for
// code that only that architecture runs, f for code that its family runs. The number is 0 in other names.
func splitArch(name string) (n int, feature string) {
	digits := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "sm_"), "compute_"), "lto_")
	number := strings.TrimRight(digits, "af")
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0, ""
	}
	return n, digits[len(number):]
}

// GPUArch maps an architecture ("sm_13", "compute_80", "80", "sm_90a") to
// the sm number compiled for: the newest supported one that is not newer.
func (tc *Toolchain) GPUArch(name string) (int, error) {
	n, _ := splitArch(name)
	if n < 10 || n > 999 {
		return 0, &UsageError{fmt.Sprintf("unknown GPU architecture %q: want sm_NN", name)}
	}
	newest := 0
	for _, k := range knownArchs {
		if tc.Major >= k.clang {
			newest = k.sm
			break
		}
	}
	i := sort.SearchInts(supportedSM, min(max(n, oldestArch), newest)+1)
	return supportedSM[i-1], nil
}

// ptxFeature returns the PTX version feature to compile sm for. Version 7.5
// has all that the headers use; newer architectures ask for more, and CUB's clusters on sm_90 for 8.0.
func ptxFeature(sm int) string {
	switch {
	case sm >= 120:
		return "+ptx87"
	case sm >= 100:
		return "+ptx86"
	case sm >= 90:
		return "+ptx80"
	case sm >= 87:
		return "+ptx78"
	}
	return "+ptx75"
}
