package nvcc

import "fmt"

// The version of CUDA whose compiler this one stands for: Major.Minor.
const (
	Major = 12
	Minor = 3
)

// VersionText is what nvcc --version prints, in the form that build systems
// parse, with a line that says what it really is.
func VersionText(tool string) string {
	return fmt.Sprintf("nvcc: NVIDIA (R) Cuda compiler driver\n"+
		"%s in place of NVIDIA's compiler; no product of NVIDIA\n"+
		"Cuda compilation tools, release %d.%d, V%d.%d.0\n", tool, Major, Minor, Major, Minor)
}
