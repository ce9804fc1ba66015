package nvcc

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a version of CUDA.
type Version struct{ Major, Minor int }

// Newest is the version that the compiler and the headers stand for by default.
var Newest = Version{13, 0}

// lastMinor is the last release of each major version that can be asked for.
var lastMinor = map[int]int{11: 8, 12: 9, 13: 0}

// ParseVersion reads "12" or "12.4". A major version alone is its last release.
func ParseVersion(s string) (Version, error) {
	major, minor, given := strings.Cut(s, ".")
	v := Version{}
	var err error
	if v.Major, err = strconv.Atoi(major); err == nil && given {
		v.Minor, err = strconv.Atoi(minor)
	}
	last, known := lastMinor[v.Major]
	if err != nil || !known || v.Minor < 0 || v.Minor > 9 {
		return Version{}, fmt.Errorf("CUDA version %q: want 11, 12 or 13, or a release of these such as 12.4", s)
	}
	if !given {
		v.Minor = last
	}
	return v, nil
}

// String returns "12.4".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Number is the version as in CUDART_VERSION, 12040.
func (v Version) Number() int { return v.Major*1000 + v.Minor*10 }

// OrNewest is the version, or the newest one if none was asked for.
func (v Version) OrNewest() Version {
	if v == (Version{}) {
		return Newest
	}
	return v
}

// VersionText is what nvcc --version prints, in the form that build systems
// parse, with a line that says what it really is.
func VersionText(tool string, v Version) string {
	return fmt.Sprintf("nvcc: NVIDIA (R) Cuda compiler driver\n"+
		"%s in place of NVIDIA's compiler; no product of NVIDIA\n"+
		"Cuda compilation tools, release %[2]s, V%[2]s.0\n", tool, v)
}
