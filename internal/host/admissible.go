package host

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/arch"
)

// Admissible reports why a launch cannot run on any device of an architecture: for launches
// that come from a file and not through the server. Dynamic shared memory counts as opted in.
func Admissible(a *arch.Arch, k Kernel, c LaunchConfig) error {
	s := &Server{cfg: Config{Arch: a, Multiprocessors: defaultMultiprocessors}}
	most := max(a.SharedOptin-int(k.SharedStatic()), 0)
	own := &kernel{Kernel: k, maxDynamic: uint64(most), nonPortable: true}
	if _, _, msg := s.checkLimits(own, c, uint64(c.SharedDynamic)); msg != "" {
		return fmt.Errorf("kernel %s: %s", k.Name(), msg)
	}
	if n := paramBytes(own); n != len(c.Params) {
		return fmt.Errorf("kernel %s: %d bytes of parameters, but it takes %d", k.Name(), len(c.Params), n)
	}
	return nil
}
