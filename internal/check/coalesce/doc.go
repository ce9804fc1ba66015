// Package coalesce counts, while a kernel runs, how much more of global memory
// is moved than a warp's accesses ask for.
package coalesce

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the coalescing rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "coalesce",
		Title: "uncoalesced access to global memory",
		Doc: `Global memory is transferred in sectors of 32 bytes. A warp's access transfers every
sector that its lanes touch, whether they use a few bytes of it or all. Adjacent
lanes should therefore access adjacent elements.

The rule counts the excess: sectors beyond the number that the requested bytes would
fill if they were contiguous. Bytes that several lanes request count once. Each
place is reported with its share of the kernel's excess, the largest first.

The kind is "uncoalesced" if at least half as many sectors again are transferred as
needed, "misaligned" if fewer. A place is reported if its excess is at least 1 % of
the kernel's transfers (5 % if misaligned); at most ten places per kernel are. Accesses
of two sectors are never reported. The suggested change is the one that removed the
most excess when tried on recorded accesses: an aligned start, one vector access for
several elements, exchanging x and y or lanes and loop iterations (through a tile in
shared memory where other accesses would suffer), a structure of arrays, a transposed
array.

"uncoalesced" is a warning if one of these changes removes at least half of the
excess; everything else is information, since data-dependent addresses may leave
nothing to improve. Caches are not modeled: excess that another warp finds in a cache
costs less. Textures are not checked.`,
		More: `The unit of transfer depends on --arch. From sm_50 on it is a sector of 32 bytes. On
sm_20 to sm_37 loads transfer cache lines of 128 bytes (8-byte accesses for each half-warp,
16-byte accesses for each quarter-warp separately), stores and atomics transfer sectors. On
sm_12 and sm_13 a half-warp needs one transaction for each segment of 128 bytes that it
touches (32 for single bytes, 64 for 2-byte words), halved while one half suffices. On
sm_10 and sm_11 it needs one transaction if lane k accesses element k of an aligned
segment, and otherwise one per lane.

lines_per_access is the average number of distinct 128-byte lines that a warp's access
touches.`,
		Example: `struct Point { float x, y, z, w; };
__global__ void norm(const Point *p, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = p[i].x * p[i].x + p[i].y * p[i].y;   // lanes are 16 bytes apart
}`,
		Fixed: `__global__ void norm(const float *x, const float *y, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] * x[i] + y[i] * y[i];           // lanes are neighbors
}`,
		Fix: `Let threadIdx.x be the fastest-varying index. Turn an array of structures into a
structure of arrays, or load a whole structure of 8 or 16 bytes as one vector. Where
rows are read and columns written, pass the data through a tile in shared memory. Let
rows begin at multiples of 128 bytes (cudaMallocPitch).`,
		References: []string{
			`CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"`,
			`CUDA C++ Programming Guide, "Compute Capabilities": "Global Memory" of each capability`,
			`CUDA C Programming Guide 4.2, appendix F.3.2 (capability 1.x)`,
			`Alur, Devietti, Navarro Leija, Singhania: GPUDrano (CAV 2017), section 5`,
		},
	},
	New:    New,
	Static: Static,
}
