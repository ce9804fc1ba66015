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
		Doc: `Global memory is moved in pieces. A warp's access is served by as many of them
as its lanes touch, whether they use a few bytes of each or all. Neighboring
lanes should therefore access neighboring elements.

What a piece is depends on --arch. From sm_50 on it is a sector of 32 bytes. On
sm_20 to sm_37 loads are served by cache lines of 128 bytes (8-byte accesses for
each half-warp, 16-byte accesses for each quarter-warp on its own), stores and
atomics by sectors. On sm_12 and sm_13 a half-warp needs a transaction for each
segment of 128 bytes that it touches (32 for single bytes, 64 for 2-byte words),
halved while one half is enough. On sm_10 and sm_11 it needs one transaction if
lane k accesses element k of an aligned segment, and else one for each lane.

What counts is the excess: pieces beyond those that the bytes asked for would
fill if they lay side by side; bytes that several lanes ask for count once. Each
place is reported with its share of the kernel's excess, the one with the
greatest excess first. lines_per_access is the number of different 128-byte
lines that a warp's access touches, on average.

The kind is "uncoalesced" where half as much again is moved as would do,
"misaligned" where it is less. A place is reported if its excess is at least 1 %
of all that the kernel moves (5 % if misaligned), and at most ten of a kernel
are; two sectors for an access are never too many. The help is the
change that helps most among those that were tried on accesses recorded at
this place: aligning the start, one vector access for several elements,
exchanging x and y or the lanes with a loop's iterations (where that spoils
other accesses of the kernel, a tile in shared memory), a structure of arrays,
the array transposed. "uncoalesced" is a warning if one of them removes at least
half of the excess. All else is information: where addresses follow from data
there may be nothing to repair. Caches are not modeled: excess that another
warp finds in the cache costs less. Textures are left out.`,
		Example: `struct Point { float x, y, z, w; };
__global__ void norm(const Point *p, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = p[i].x * p[i].x + p[i].y * p[i].y;   // lanes are 16 bytes apart
}`,
		Fixed: `__global__ void norm(const float *x, const float *y, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] * x[i] + y[i] * y[i];           // lanes are neighbors
}`,
		Fix: `Let threadIdx.x be the fastest index of what is accessed. Make an array of
structures a structure of arrays, or load a whole structure of 8 or 16 bytes as
one vector. Where rows are read and columns written, pass the data through a
tile in shared memory. Let rows begin at multiples of 128 bytes
(cudaMallocPitch).`,
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
