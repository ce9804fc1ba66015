package clang

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// Target is device code for one architecture of several that a module has.
type Target struct {
	// SM is what it was compiled for, Bytes the length of its PTX.
	SM    int `json:"sm"`
	Bytes int `json:"bytes"`
}

// OtherArchs are the architectures, besides the main one, whose device code a command line asks for (nvcc's documentation, "GPU
// Compilation": one version for each virtual architecture, and __CUDA_ARCH__ is
// the virtual one's).
func (tc *Toolchain) OtherArchs(c *nvcc.Command, main int) []int {
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
	var out []int
	for _, n := range names {
		if sm, err := tc.GPUArch(n); err == nil && sm != main && !slices.Contains(out, sm) {
			out = append(out, sm)
		}
	}
	slices.Sort(out)
	return out
}

// withOthers returns the module's PTX with that for the unit's other architectures
// behind it, and what is where. Sources that do not look at __CUDA_ARCH__ are the
// same for all: they have one.
func (j *job) withOthers(ctx context.Context, overlay []string, ptx []byte) ([]byte, []Target, error) {
	if len(j.Others) == 0 || j.RDC || !j.looksAtArch() {
		return ptx, nil, nil
	}
	all, targets := slices.Clone(ptx), []Target{{j.SM, len(ptx)}}
	for _, sm := range j.Others {
		u := j.Unit
		u.SM, u.Others, u.DeviceOnly = sm, append(slices.Clone(j.Others), j.SM), true
		other := &job{tc: j.tc, Unit: u, include: j.include, dir: j.file("sm_" + strconv.Itoa(sm))}
		if err := os.Mkdir(other.dir, 0o700); err != nil {
			return nil, nil, err
		}
		text, _, err := other.devicePTX(ctx, overlay)
		if err != nil {
			return nil, nil, err
		}
		all, targets = append(all, text...), append(targets, Target{sm, len(text)})
		j.read = append(j.read, other.dependencies("device.d")...)
	}
	return all, targets, nil
}

// looksAtArch reports whether the source, or a header that is neither ours nor the
// compiler's, tells architectures apart.
func (j *job) looksAtArch() bool {
	files := without(j.dependencies("device.d"), j.include+"/", filepath.Join(j.tc.ResourceDir, "include")+"/")
	return slices.ContainsFunc(append(files, j.Source), func(f string) bool {
		text, err := os.ReadFile(f)
		return err == nil && (bytes.Contains(text, []byte("__CUDA_ARCH")) || bytes.Contains(text, []byte("NV_IF_")))
	})
}
