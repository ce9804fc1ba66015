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
		Doc: `Shared memory is divided into banks that work side by side. Successive 4-byte
words lie in successive banks. Lanes that are served together and need
different words of one bank are served one after the other: an access needs as
many passes as its busiest bank has words to deliver.

From sm_20 on there are 32 banks and the lanes of a warp are served together;
lanes that read one word of a bank share one delivery. 8-byte accesses are
served by half-warps and 16-byte accesses by quarter-warps; two such parts
merge where neighboring lanes (t and t^1, or t and t^2) access the same
address. On sm_30 to sm_37 a bank delivers two words that lie 32 words apart in
one 64-word segment at once. On sm_10 to sm_13 there are 16 banks, half-warps
are served on their own, one word per pass is broadcast to all lanes that want
it (the choice that serves most is assumed), and an 8-byte access is two
accesses of 4 bytes.

What counts is the excess: passes needed beyond one for each part. A request is
one instance: a warp's access, or a half-warp's on sm_1x. Atomics count as one
access of their width. The histogram shows for the worst request how many
words each bank had to deliver (on sm_1x, how many lanes it had to serve).

A place is reported if its excess is at least 1 % of the kernel's passes, and at
most ten of a kernel are, the one with the greatest excess first. The help is
the change that helps most among those that were tried on accesses recorded at
all places that use the array: padded rows, a gap after as many words as there
are banks, neighboring elements for neighboring lanes, the lanes exchanged
with a loop's iterations, x with y, swizzled rows. It is a warning where half as
many passes again are made as would do and one of the changes removes at least
half of the excess, else information.`,
		Example: `__shared__ float tile[32][32];
float v = tile[threadIdx.x][0];   // all lanes need bank 0: 32 passes`,
		Fixed: `__shared__ float tile[32][33];    // one column of padding
float v = tile[threadIdx.x][0];   // 32 different banks: 1 pass`,
		Fix: `Let neighboring lanes access neighboring words. Where a stride is needed, make
it odd: pad the rows of a two-dimensional array by one element. A structure of
arrays conflicts less than an array of structures.`,
		References: []string{
			`CUDA C++ Programming Guide, "Compute Capabilities": "Shared Memory" of each capability`,
			`CUDA C Programming Guide 4.2, appendix F.3.3 (capability 1.x)`,
			`Boyer, Skadron, Weimer: Automated Dynamic Analysis of CUDA Programs (STMCS 2008), section 5`,
		},
	},
	New:    New,
	Static: Static,
}
