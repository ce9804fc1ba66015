// Package api reports errors of the CUDA API that the program never reads (rule api).
package api

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the api rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "api",
		Rank:  finding.Wrong,
		Title: "unread error of an API call",
		Doc: `A call of the runtime or driver API, or a kernel launch, failed, and the program
never reads the error: it discards the result of the call, or stores it in a variable
that nothing reads, and does not ask cudaGetLastError() or cudaPeekAtLastError() before
another call of the runtime API fails or the thread ends. The program goes on as if the
call had succeeded.

An error counts as read where any code takes it: a comparison, a macro, a function that
gets it as an argument. A call of cudaGetLastError() whose own result is discarded clears
the error and does not read it. Errors of the driver API are not kept for
cudaGetLastError(). Discarding cudaErrorNotReady, which queries return, is fine, and so is
discarding what calls return after a kernel has failed: the kernel has a finding of its own.

The rule is off by default, since programs may rely on calls that fail. It needs to know
which results are discarded: the sources are compiled by warpgrind run --tool api, or by
warpgrind cc --tell-unread. Of host code that another compiler has made it finds nothing,
except for launches and functions in sources that were compiled so.`,
		Example: `cudaMalloc(&d, n * sizeof *d);   // out of memory: d stays as it was
kernel<<<blocks, 2048>>>(d);     // refused: the kernel does not run`,
		Fixed: `cudaError_t e = cudaMalloc(&d, n * sizeof *d);
if (e != cudaSuccess) return fail(e);
kernel<<<blocks, 256>>>(d);
if ((e = cudaGetLastError()) != cudaSuccess) return fail(e);`,
		Fix: `Check the result of each call, and cudaGetLastError() after each launch.`,
		References: []string{
			`CUDA C++ Programming Guide, "Error Checking"`,
			`CUDA Runtime API, "Error Handling"`,
			`Compute Sanitizer, "CUDA API Error Checking"`,
		},
	},
	New: New,
}
