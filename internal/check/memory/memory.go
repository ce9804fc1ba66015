// Package memory reports accesses that cannot be made (out of bounds,
// misaligned, to read-only memory), overflows of the stack, and invalid frees.
package memory

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Rule is the memory rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "memory",
		Rank:  finding.Stops,
		Title: "invalid memory access",
		Doc: `A thread accesses memory that it must not: outside every allocation, at an address
that is not a multiple of the access size, after the memory was freed, or to write
where memory is read-only. Memory of a graph is there from its allocation node to its
free, in each launch anew. On a GPU such an access ends the kernel with
cudaErrorIllegalAddress or cudaErrorMisalignedAddress, or, where the address belongs
to another object, silently corrupts it. The report names the nearest allocation and
the call that made it.

A GPU ends the launch at the first invalid access, and the program sees that error.
warpgrind reports the same error to the program but continues the launch, so that one
bad index does not hide other defects: invalid reads return zero, invalid writes are
dropped. A block with very many invalid accesses, or that runs for very long after one, is
stopped, and the report says so. With --on-fault stop the block ends at the access.
Launches after the failed one do not run; the summary counts them.

Also found are accesses that leave the object they are meant for and hit another one,
which a GPU does not notice: an index past one shared array into the next, past a
local array, or past the allocation that a kernel parameter points to. warpgrind
tracks the intended object from variables and parameters to the instruction. For
pointers that are loaded from memory it is unknown; then only accesses outside every
allocation are found. Subarrays of one allocation count as one object.

- padding (a warning): an access to the padding after a row of cudaMallocPitch or
  cudaMalloc3D, in kernels that receive the pitch in bytes.
- subarrays of dynamic shared memory: data that is written through one and read
  through the other.
- after-return, after-scope: an access, by a pointer, to a local variable whose function
  has returned, or whose block or loop iteration has ended.
- invalid-free, double-free: free() in device code, cudaFree and its relatives.
- bad-copy: a copy or fill whose range exceeds its allocation, whose direction does
  not match the pointers, or whose rows are wider than the pitch; a copy whose source and
  destination overlap, which CUDA does not define (a warning where they are the same).
- host-access: host code dereferences a pointer to device memory.
- leak (with --leak-check full): memory that was not freed when the program ends.

--padding N puts at least N bytes between allocations instead of 512.`,
		More: `In the source-preserving build, an index beyond an array member of a structure is an error
in any memory, even if it only reaches the next member. An index beyond one row of an array
of arrays is a warning, since some programs traverse the whole array by its last index.
The address one past the end may be formed but not accessed. Not checked: arrays of length
0 and 1 at the end of a structure, members of unions, pointers into an array, and the width
of an access that begins inside the member.

Vectors that begin inside a row of pitched memory may end in the padding.

A variable that optimization keeps in registers is not followed beyond its scope, nor are the
scopes in functions that call themselves.

Subarrays of a dynamic shared array are tracked in the source-preserving build, by the
pointers to which the kernel assigns their addresses (float *a = shared, *b = a + n).
warpgrind reports data that crosses from one subarray to another: a read through a, at or
beyond the start of b, of a value that was written through b; or a write through a over a
value that is then read through b. If the pointers have different element types, it is an
error. If they have the same type, b may be meant as a position within a: then it is a
warning, and only where the other accesses look like those of two arrays. Memory that is
reused for another purpose and subarrays with the same start are not reported. Pointers
that helper functions return, alone or in structures, and arrays of pointers are not
tracked. Only some blocks of a launch are checked for this: the first, the last, and two
in between.

In device code, freeing memory twice or freeing a pointer that malloc did not return ends
the launch. On the host, an invalid free, copy or fill is reported at the call, and an
access to device memory at the line that makes it.`,
		Example: `__global__ void scale(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] *= 2;            // the last block goes past the end
}`,
		Fixed: `__global__ void scale(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
}`,
		Fix: `Compare the index with the size before the access. Check that the allocation has
number of elements times element size bytes. Align what is accessed through vector
types to their size.`,
		References: []string{
			`CUDA C++ Programming Guide, "Device Memory Accesses": "Size and Alignment Requirement"`,
			`PTX ISA, "Data Movement and Conversion Instructions": ld, st`,
		},
	},
	Default:  true,
	PerBlock: true,
	New:      New,
	Faults:   func() check.Checker { f := faults(); return &f },
	Static:   Static,
}

// Details is the memory rule's part of a finding in JSON.
type Details struct {
	Space   string `json:"space"`
	Access  string `json:"access"`
	Address uint64 `json:"address"`
	Size    int    `json:"size"`
	// Lanes is how many lanes of the warp did the same in that instruction.
	Lanes int `json:"lanes"`
	// Accesses is how many accesses of threads failed so.
	Accesses uint64 `json:"accesses,omitempty"`
	// StoppedBlocks counts the blocks of a launch that were stopped later, before their threads had ended:
	// what else they do was not checked.
	StoppedBlocks uint64 `json:"stopped_blocks,omitempty"`
	// Failed is the allocation that should have set the pointer.
	Failed *FailedCall `json:"failed_call,omitempty"`
}

// Merged implements finding.Merger: the witness's details are kept, but for the number of
// accesses.
func (d Details) Merged(other any) any {
	if o, ok := other.(Details); ok {
		d.Accesses += o.Accesses
		d.StoppedBlocks = max(d.StoppedBlocks, o.StoppedBlocks)
	}
	return d
}

// New makes the checker.
func New(check.Config) check.Checker {
	c := &checker{Faults: faults()}
	c.Describe = c.describe
	return c
}

// faults are the invalid accesses that end a launch.
func faults() check.Faults {
	return check.Faults{
		Rule: "memory",
		Kinds: []trace.FaultKind{trace.FaultOutOfBounds, trace.FaultMisaligned,
			trace.FaultReadOnly, trace.FaultStack, trace.FaultFree, trace.FaultDoubleFree},
		Role:     role,
		Describe: describe,
	}
}

func role(e *trace.Fault) string {
	switch {
	case e.Kind == trace.FaultStack:
		return "overflows here"
	case e.Kind == trace.FaultFree || e.Kind == trace.FaultDoubleFree:
		return "freed by"
	case e.Cause == trace.CauseCallTarget || e.Cause == trace.CauseCallType:
		return "called by"
	}
	return check.Role(e.Access)
}

// kinds are the kinds of findings, by the faults they come from.
var kinds = map[trace.FaultKind]string{
	trace.FaultOutOfBounds: "out-of-bounds", trace.FaultMisaligned: "misaligned", trace.FaultReadOnly: "read-only",
	trace.FaultFree: "invalid-free", trace.FaultDoubleFree: "double-free", trace.FaultStack: "stack",
}

// repairOf chooses the change that removes a fault: wild pointers are not wrong indices.
func repairOf(l *trace.Launch, e *trace.Fault) *finding.Repair {
	kind, ok := repairs[e.Cause]
	v := dynamic(l)
	switch {
	case !ok:
		kind = finding.CheckIndex
	case kind == finding.CheckIndex && v != nil && e.Space == trace.SpaceShared && e.Addr >= v.Addr:
		kind = finding.MoreShared
	case kind == finding.WriteGlobal && e.Space == trace.SpaceParam:
		kind = finding.CopyParameter
	}
	return &finding.Repair{Kind: kind}
}

// dynamic is the dynamic shared array of a launch, nil if it names none.
func dynamic(l *trace.Launch) *trace.Variable {
	for i := range l.Shared {
		if l.Shared[i].Dynamic {
			return &l.Shared[i]
		}
	}
	return nil
}

func describe(f *finding.Finding, l *trace.Launch, e *trace.Fault) {
	f.Kind, f.Repair = kinds[e.Kind], repairOf(l, e)
	f.Help = helpFor(f.Repair.Kind, e)
	switch e.Kind {
	case trace.FaultFree, trace.FaultDoubleFree, trace.FaultStack:
		return
	}
	d := Details{Space: e.Space.String(), Access: e.Access.String(), Address: e.Addr, Size: e.Size, Lanes: max(bits.OnesCount32(e.Mask), 1)}
	d.Accesses = max(e.Times, uint64(d.Lanes))
	d.StoppedBlocks = e.Stopped
	f.Details = d
	if e.Object != nil && f.Object.Kind != finding.Heap {
		f.Range = check.Range(e.Addr, e.Object.Base, e.Size)
	}
	if f.Message == "" {
		f.Message = fmt.Sprintf("%s %s of %d bytes at 0x%x in %s memory", f.Kind, d.Access, d.Size, d.Address, d.Space)
	}
	if e.Cause == trace.CauseFreed {
		nameFree(f, e.Object)
	}
	if d.Lanes > 1 {
		f.Notes = append(f.Notes, sameLanes(d.Lanes))
	}
	if e.Times > uint64(d.Lanes) {
		f.Notes = append(f.Notes, sameAccesses(e.Times))
	}
	if e.Stopped > 0 {
		f.Notes = append(f.Notes, stoppedBlocks(e.Stopped))
	}
}
