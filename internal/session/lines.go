package session

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// withoutLines tells the user how to get line information for kernels with findings whose PTX has none.
func withoutLines(fs []*finding.Finding) []string {
	kernels := map[string]bool{}
	first := ""
	for _, f := range fs {
		if f.Kernel == "" || f.Primary.Loc.IsValid() || f.Primary.PTXLine == 0 {
			continue
		}
		if first == "" {
			first = finding.DemangleName(f.Kernel)
		}
		kernels[f.Kernel] = true
	}
	switch n := len(kernels); n {
	case 0:
		return nil
	case 1:
		return []string{first + " has no line information: compile it with -lineinfo, in Numba with @cuda.jit(lineinfo=True)"}
	default:
		return []string{fmt.Sprintf("%s and %d more kernels have no line information: compile them with -lineinfo, in Numba with @cuda.jit(lineinfo=True)", first, n-1)}
	}
}
