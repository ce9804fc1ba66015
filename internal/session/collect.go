package session

import (
	"os"
	"runtime/debug"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// ClaimMemory takes the addresses of device memory before anything else does. If it
// reports false, the process is to be started again: its memory lies there.
func ClaimMemory() bool { return mem.Claim() }

// CollectLess makes the process's garbage collector run less often: what lives
// long is small next to what the kernels use, except for shadows of large
// allocations, which the limit keeps in bounds. The environment variable GOGC
// has its say.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(int64(mem.Physical() / 2))
	}
}
