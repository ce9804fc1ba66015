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
		Title: "unchecked error of an API call",
		Doc: `A call of the runtime or driver API, or a kernel launch, fails, and the program never
checks the error: it discards the result of the call, or stores it in a variable that
is not read, and does not call cudaGetLastError() or cudaPeekAtLastError() before
another runtime call fails or the thread ends. The program continues as if the call
had succeeded.

An error counts as checked if any code uses it: a comparison, a macro, a function that
takes it as an argument. A call of cudaGetLastError() whose own result is discarded
clears the error without checking it. Errors of the driver API are not recorded for
cudaGetLastError(). Discarding cudaErrorNotReady, which queries return, is fine, and so
is discarding what calls return after a kernel has failed: the kernel has its own
finding.

With --api-errors all every call that fails is reported, also where the program handles
the error; this needs nothing of the compiler.

A pointer that the program compares with null after the call counts as a check, too.

The rule is off by default, since programs may rely on calls that fail. With the memory
rule, which is on by default, calls that allocate memory, create a stream, an event or
another handle, or select a device are reported as warnings: later work depends on them.

If the program ends without waiting for a kernel that calls printf the report says so (kind
unseen-printf, information): a GPU writes the text out at calls that wait for the device, not
when the program ends.

warpgrind must see which results are discarded: in CUDA sources that warpgrind run or
warpgrind cc compile, and in C and C++ sources with warpgrind cc --tell-unread. In host
code built by other compilers only launches and functions from such sources are checked.`,
		Example: `cudaMalloc(&d, n * sizeof *d);   // out of memory: d keeps its old value
kernel<<<blocks, 2048>>>(d);     // invalid configuration: the kernel does not run`,
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
