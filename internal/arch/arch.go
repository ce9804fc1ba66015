// Package arch holds what differs between GPU generations, as data with its
// references: limits of a launch, warp and bank geometry, and which lanes
// count as ordered.
//
// Sources: "CUDA C++ Programming Guide", section "Compute Capabilities"
// (table "Technical Specifications per Compute Capability"), and for
// capability 1.x the guide of release 4.2, appendix F.
package arch

import (
	"fmt"
	"strconv"
	"strings"
)

// WarpSize is the number of lanes of a warp on every CUDA device.
const WarpSize = 32

// Arch describes one compute capability. Sizes are in bytes.
type Arch struct {
	// SM is the capability times ten: 86 for sm_86.
	SM int
	// MaxThreads bounds the threads of a block, MaxBlock and MaxGrid its and
	// the grid's extents in x, y and z.
	MaxThreads int
	MaxBlock   [3]int
	MaxGrid    [3]int
	// SharedPerBlock is the static limit, SharedOptin what
	// cudaFuncAttributeMaxDynamicSharedMemorySize can raise it to.
	SharedPerBlock int
	SharedOptin    int
	// SharedPerSM is the shared memory of one multiprocessor.
	SharedPerSM     int
	MaxThreadsPerSM int
	MaxBlocksPerSM  int
	RegsPerSM       int
	// Banks is the number of shared-memory banks, four bytes wide each.
	// BankLanes is how many lanes are served together: a half-warp on 1.x.
	Banks     int
	BankLanes int
	// Independent is set if diverged lanes make progress independently
	// (capability 7.0 on).
	Independent bool
}

func (a *Arch) String() string { return "sm_" + strconv.Itoa(a.SM) }

// Default is used where the user names none. It is the oldest capability
// whose features today's kernels take for granted.
const Default = "sm_80"

// Parse finds the entry for a name such as "sm_86", "sm_90a" or "compute_70".
// A capability that is not in the table maps to the nearest older one of the
// same generation; the error lists the known names.
func Parse(name string) (*Arch, error) {
	s := strings.TrimPrefix(strings.TrimPrefix(name, "compute_"), "sm_")
	s = strings.TrimRight(s, "af")
	n, err := strconv.Atoi(s)
	if err != nil || s == name || n < 10 {
		return nil, fmt.Errorf("unknown architecture %q: want sm_NN, for example %s", name, Default)
	}
	var best *Arch
	for i := range table {
		if table[i].SM <= n {
			best = &table[i]
		}
	}
	a := *best
	a.SM = n
	return &a, nil
}

const k = 1024

var (
	block1x = [3]int{512, 512, 64}
	block2x = [3]int{1024, 1024, 64}
	grid1x  = [3]int{65535, 65535, 1}
	grid2x  = [3]int{65535, 65535, 65535}
	grid3x  = [3]int{1<<31 - 1, 65535, 65535}
)

// table is ordered by capability; a missing one behaves as the entry before.
var table = []Arch{
	{10, 512, block1x, grid1x, 16 * k, 16 * k, 16 * k, 768, 8, 8 * k, 16, 16, false},
	{12, 512, block1x, grid1x, 16 * k, 16 * k, 16 * k, 1024, 8, 16 * k, 16, 16, false},
	{20, 1024, block2x, grid2x, 48 * k, 48 * k, 48 * k, 1536, 8, 32 * k, 32, 32, false},
	{30, 1024, block2x, grid3x, 48 * k, 48 * k, 48 * k, 2048, 16, 64 * k, 32, 32, false},
	{37, 1024, block2x, grid3x, 48 * k, 48 * k, 112 * k, 2048, 16, 128 * k, 32, 32, false},
	{50, 1024, block2x, grid3x, 48 * k, 48 * k, 64 * k, 2048, 32, 64 * k, 32, 32, false},
	{52, 1024, block2x, grid3x, 48 * k, 48 * k, 96 * k, 2048, 32, 64 * k, 32, 32, false},
	{53, 1024, block2x, grid3x, 48 * k, 48 * k, 64 * k, 2048, 32, 64 * k, 32, 32, false},
	{60, 1024, block2x, grid3x, 48 * k, 48 * k, 64 * k, 2048, 32, 64 * k, 32, 32, false},
	{61, 1024, block2x, grid3x, 48 * k, 48 * k, 96 * k, 2048, 32, 64 * k, 32, 32, false},
	{62, 1024, block2x, grid3x, 48 * k, 48 * k, 64 * k, 2048, 32, 64 * k, 32, 32, false},
	{70, 1024, block2x, grid3x, 48 * k, 96 * k, 96 * k, 2048, 32, 64 * k, 32, 32, true},
	{75, 1024, block2x, grid3x, 48 * k, 64 * k, 64 * k, 1024, 16, 64 * k, 32, 32, true},
	{80, 1024, block2x, grid3x, 48 * k, 163 * k, 164 * k, 2048, 32, 64 * k, 32, 32, true},
	{86, 1024, block2x, grid3x, 48 * k, 99 * k, 100 * k, 1536, 16, 64 * k, 32, 32, true},
	{87, 1024, block2x, grid3x, 48 * k, 163 * k, 164 * k, 1536, 16, 64 * k, 32, 32, true},
	{89, 1024, block2x, grid3x, 48 * k, 99 * k, 100 * k, 1536, 24, 64 * k, 32, 32, true},
	{90, 1024, block2x, grid3x, 48 * k, 227 * k, 228 * k, 2048, 32, 64 * k, 32, 32, true},
}
