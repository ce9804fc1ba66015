package clang

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// Target is a module's device code for one architecture.
type Target struct {
	// SM is the number of the architecture that was asked for, also where clang is too old to
	// know it; Bytes is the length of its PTX.
	SM    int `json:"sm"`
	Bytes int `json:"bytes"`
	// Only is "a" for code that no other architecture runs, "f" for code that those of its
	// family run, else "" ("CUDA C++ Programming Guide", "Feature Availability").
	Only string `json:"only,omitempty"`
}

// number is the number of the architecture that was asked for.
func (u *Unit) number() int {
	n, _ := splitArch(u.Flags.Arch)
	return max(n, u.SM)
}

// OtherArchs names the architectures, besides the main one, whose device code a command line asks for (nvcc's documentation, "GPU
// Compilation": one version for each virtual architecture, and __CUDA_ARCH__ is
// the virtual one's).
func (tc *Toolchain) OtherArchs(c *nvcc.Command, main string) []string {
	var names []string
	for _, g := range c.Gencodes {
		names = append(names, g.Arch)
	}
	if c.Arch == "all" || c.Arch == "all-major" {
		for _, sm := range supportedSM {
			if c.Arch == "all" || sm%10 == 0 {
				names = append(names, "sm_"+strconv.Itoa(sm))
			}
		}
	}
	type version struct {
		sm   int
		only string
	}
	versionOf := func(name string) version {
		n, only := splitArch(name)
		return version{max(n, oldestArch), only}
	}
	seen := map[version]bool{versionOf(main): true}
	var out []string
	for _, n := range names {
		v := versionOf(n)
		if _, err := tc.GPUArch(n); err == nil && !seen[v] {
			seen[v] = true
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(versionOf(a).sm, versionOf(b).sm) })
	return out
}

// target describes PTX that was compiled for the unit's main architecture.
func (u *Unit) target(ptx []byte) Target {
	_, only := splitArch(u.Flags.Arch)
	return Target{u.number(), len(ptx), only}
}

// withOthers returns the module's PTX with that for the unit's other architectures
// behind it, and what is where. Sources that do not look at __CUDA_ARCH__ are the
// same for all but for the target that they name.
func (j *job) withOthers(ctx context.Context, overlay []string, ptx []byte) ([]byte, []Target, error) {
	targets := []Target{j.target(ptx)}
	if len(j.Others) == 0 {
		return ptx, targets, nil
	}
	all := slices.Clone(ptx)
	differ := j.looksAtArch()
	for i, name := range j.Others {
		u := j.Unit
		var err error
		if u.SM, err = j.tc.GPUArch(name); err != nil {
			return nil, nil, err
		}
		u.Flags.Arch, u.DeviceOnly = name, true
		u.Others = append(slices.Delete(slices.Clone(j.Others), i, i+1), j.Flags.Arch)
		text := retarget(slices.Clone(ptx), u.number())
		if differ {
			other := &job{tc: j.tc, Unit: u, include: j.include, dir: j.file(name)}
			if err := os.Mkdir(other.dir, 0o700); err != nil {
				return nil, nil, err
			}
			if text, _, err = other.devicePTX(ctx, overlay); err != nil {
				return nil, nil, err
			}
			j.read = append(j.read, other.dependencies("device.d")...)
		}
		all, targets = append(all, text...), append(targets, u.target(text))
	}
	return all, targets, nil
}

var targetLine = regexp.MustCompile(`(?m)^\.version ([0-9.]+)\n\.target sm_[0-9]+`)

// retarget has PTX name the architecture sm as its target. clang may be too old to know it; the code
// is then right for it nevertheless, as PTX for an older one is.
func retarget(ptx []byte, sm int) []byte {
	m := targetLine.FindSubmatchIndex(ptx)
	if m == nil {
		return ptx
	}
	version := string(ptx[m[2]:m[3]])
	if least := leastPTX(sm); version < least { // all are of the form N.N
		version = least
	}
	head := ".version " + version + "\n.target sm_" + strconv.Itoa(sm)
	return slices.Replace(ptx, m[0], m[1], []byte(head)...)
}

// leastPTX is the first version of PTX that has a target ("PTX ISA", "Release Notes").
func leastPTX(sm int) string {
	switch {
	case sm == 88 || sm == 110:
		return "9.0"
	case sm == 103 || sm > 120:
		return "8.8"
	case sm > 101:
		return "8.7"
	case sm >= 100:
		return "8.6"
	case sm >= 89:
		return "7.8"
	}
	return ""
}

// looksAtArch reports whether the source, or a header that is neither ours nor the
// compiler's, tells architectures apart.
func (j *job) looksAtArch() bool {
	files := without(j.dependencies("device.d"), j.include+"/", filepath.Join(j.tc.ResourceDir, "include")+"/")
	return slices.ContainsFunc(append(files, j.Source), func(f string) bool {
		text, err := userfile.Read(f)
		return err == nil && (bytes.Contains(text, []byte("__CUDA_ARCH")) || bytes.Contains(text, []byte("NV_IF_")))
	})
}
