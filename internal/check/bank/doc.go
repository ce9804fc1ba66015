// Package bank counts shared-memory bank conflicts while a kernel runs: how
// many passes each access needs beyond those that its width needs anyway.
package bank

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the bank rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:     "bank",
		Groups: true,
		Title:  "shared-memory bank conflicts",
		Doc: `Shared memory is divided into banks that work in parallel; successive 4-byte words lie
in successive banks. If lanes of one access need different words of the same bank,
the access is replayed: it takes as many passes as its busiest bank has words to
deliver. Lanes that read the same word share one delivery.

The rule counts the excess: passes beyond the minimum that an access of this width
needs. The histogram shows the number of words that each bank delivered in the worst
access.

A place is reported if its excess is at least 1 % of the kernel's passes; at most ten
places per kernel are, the largest excess first. The suggested change is the one that
removed the most excess when tried on recorded accesses: padded rows, a gap after each
row of banks, adjacent elements for adjacent lanes, exchanging lanes with loop
iterations or x with y, swizzled rows.

A finding is a warning if the access takes at least half as many passes again as the
minimum and one of the changes removes at least half of the excess; otherwise it is
information.`,
		More: `From sm_20 on there are 32 banks, and all lanes of a warp are served together. 8-byte
accesses are served by half-warps and 16-byte accesses by quarter-warps; two such parts
merge where adjacent lanes (t and t^1, or t and t^2) access the same address. On sm_30 to
sm_37 a bank delivers two words that lie 32 words apart in one 64-word segment at once. On
sm_10 to sm_13 there are 16 banks, half-warps are served separately, one word per pass is
broadcast to all lanes that want it (warpgrind assumes the choice that serves most lanes),
and an 8-byte access is two accesses of 4 bytes.

A request is one access by a warp, or by a half-warp on sm_1x. Atomics count as one access
of their width. On sm_1x the histogram shows the number of lanes that each bank served.`,
		Example: `__shared__ float tile[32][32];
float v = tile[threadIdx.x][0];   // all lanes need bank 0: 32 passes`,
		Fixed: `__shared__ float tile[32][33];    // one column of padding
float v = tile[threadIdx.x][0];   // 32 different banks: 1 pass`,
		Fix: `Let adjacent lanes access adjacent words. Where a stride is needed, make it odd: pad
the rows of a two-dimensional array by one element. A structure of arrays causes fewer
conflicts than an array of structures.`,
		References: []string{
			`CUDA C++ Programming Guide, "Compute Capabilities": "Shared Memory" of each capability`,
			`CUDA C Programming Guide 4.2, appendix F.3.3 (capability 1.x)`,
			`Boyer, Skadron, Weimer: Automated Dynamic Analysis of CUDA Programs (STMCS 2008), section 5`,
		},
	},
	New:    New,
	Static: Static,
}
