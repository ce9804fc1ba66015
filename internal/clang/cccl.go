package clang

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cache"
)

// CCCL is NVIDIA's name for Thrust, CUB and libcu++ together (CUDA Core Compute Libraries). A
// toolkit that the user names has them; without one they are looked for when a source includes a
// header of theirs that is not there: most programs have no use for them, and to those our own
// headers of libcu++ are nearer to what they were written for.

// CCCLDir is a link to where "warpgrind setup cccl" keeps them, laid out as a toolkit; versions before had a folder there.
func CCCLDir() (string, error) {
	data, err := cache.DataDir()
	return filepath.Join(data, "cccl"), err
}

// oldestCCCL is the oldest version of Thrust that works with our headers, as in THRUST_VERSION
// (thrust/version.h): that of CUDA 12.4. Older ones launch with functions that CUDA 12 took away.
const oldestCCCL = 200300

// FindCCCL returns the folder with the header libraries that is used if none is named, or nil: what
// setup fetched, the toolkit in its usual place, a Python package, or the system's.
func FindCCCL() *Toolkit {
	var dirs []string
	if dir, err := CCCLDir(); err == nil {
		dirs = append(dirs, dir)
	}
	dirs = append(dirs, "/usr/local/cuda")
	for _, site := range sitePackages() {
		// The packages of CUDA 13, and those of 12 and before.
		for _, pattern := range []string{"nvidia/cu[0-9]*", "nvidia/cuda_cccl"} {
			found, _ := filepath.Glob(filepath.Join(site, pattern))
			slices.SortFunc(found, func(a, b string) int { return trailingNumber(b) - trailingNumber(a) })
			dirs = append(dirs, found...)
		}
	}
	if prefix := os.Getenv("CONDA_PREFIX"); prefix != "" {
		dirs = append(dirs, filepath.Join(prefix, "targets", "x86_64-linux"), filepath.Join(prefix, "targets", "sbsa-linux"), prefix)
	}
	for _, dir := range append(dirs, "/usr") {
		t := &Toolkit{dir}
		if !t.isOurs() && t.thrustVersion() >= oldestCCCL {
			return t
		}
	}
	return nil
}

// trailingNumber is the number that a name ends in, 0 without one.
func trailingNumber(name string) int {
	n, _ := strconv.Atoi(name[len(strings.TrimRight(name, "0123456789")):])
	return n
}

// sitePackages are the folders in which the Python of the environment or of PATH has packages.
func sitePackages() []string {
	var prefixes, dirs []string
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(name); dir != "" {
			prefixes = append(prefixes, dir)
		}
	}
	if python, err := exec.LookPath("python3"); err == nil {
		prefixes = append(prefixes, filepath.Dir(filepath.Dir(python)))
	}
	if home, err := os.UserHomeDir(); err == nil {
		prefixes = append(prefixes, filepath.Join(home, ".local"))
	}
	for _, p := range prefixes {
		found, _ := filepath.Glob(filepath.Join(p, "lib", "python3*", "site-packages"))
		dirs = append(dirs, found...)
	}
	return dirs
}

var thrustMacro = regexp.MustCompile(`(?m)^#\s*define\s+THRUST_VERSION\s+(\d+)`)

// thrustVersion is the version of Thrust in a folder, 0 if there is none.
func (t *Toolkit) thrustVersion() int {
	text, err := os.ReadFile(filepath.Join(t.include(), "thrust", "version.h"))
	if m := thrustMacro.FindSubmatch(text); err == nil && m != nil {
		n, _ := strconv.Atoi(string(m[1]))
		return n
	}
	return 0
}

// isLibraryHeader reports whether a header that was not found is one of the header libraries.
// Thrust before CUDA 12, which Debian has, wants cuda_occupancy.h.
func isLibraryHeader(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return slices.Contains(libraries, first) || name == "cuda_occupancy.h"
}

// withLibraries returns the unit with the header libraries of this machine, if there are any and it has
// none yet.
func (u Unit) withLibraries() (with Unit, have bool) {
	if u.Flags.libraries != "" {
		return u, false
	}
	t := FindCCCL()
	if t == nil {
		return u, false
	}
	t = t.pinned()
	flags, err := t.headerFlags()
	if err != nil {
		return u, false
	}
	u.Flags.Both = append(slices.Clone(u.Flags.Both), flags...)
	u.Flags.libraries = t.Dir
	return u, true
}

// LibrariesHave reports whether name is a header of the header libraries of this machine that are used if none are named.
func LibrariesHave(name string) bool {
	if !isLibraryHeader(name) {
		return false
	}
	t := FindCCCL()
	first, rest, _ := strings.Cut(name, "/")
	return t != nil && exists(filepath.Join(libraryIn(t.include(), first), rest))
}
