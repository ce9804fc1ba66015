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
		Doc: `A thread accesses memory that it may not: outside every allocation, at an
address that is not a multiple of the access size, or for writing where memory is
read-only. On a GPU this ends the kernel with cudaErrorIllegalAddress or
cudaErrorMisalignedAddress, or, where the address happens to belong to something
else, silently damages it. The report names the nearest allocation and where it
was made. A GPU ends the launch at the first such access, and the program sees that
error. warpgrind goes on with the launch all the same, so that one bad index does not hide
what else is wrong in it: the access reads zeros or writes nothing. --on-fault stop ends
the block there. Launches after the failed one do not run; the summary counts them.

An access that goes beyond the object it means and hits another one is found as
well: an index past one shared array that lands in the next, past a local array, or
past the allocation that a kernel parameter points to and into another. A GPU does
not notice, so the launch goes on. What an access means is followed from variables
and parameters to the instruction; where pointers come from memory it is not known,
and only accesses outside every allocation are found. Parts that a program carves out
of one allocation count as one object.

In the source-keeping build an index beyond an array that is a member of a structure is an
error in any memory, also where it only reaches the next member. An index beyond one row of
an array of arrays is a warning, since some programs walk the whole array by its last index.
One past the end is good for an address that is not accessed. Not checked are: arrays of
length 0 and 1 at the end of a structure, members of unions, pointers into an array, and the
width of an access that begins inside the member.

An access to the padding behind a row of cudaMallocPitch or cudaMalloc3D is a warning, in
kernels that get the pitch in bytes. Vectors that begin inside the row may end in the
padding.

Parts of a dynamic shared array are told apart in the source-keeping build, by the
pointers to which the kernel assigns their addresses (float *a = shared, *b = a + n). What
is found is data that goes from one part to another: a read through a, at or behind the
place where b begins, of what was written through b, or a write through a over what is
then read through b. If they point to different kinds of numbers it is an error. If
they point to the same kind, b may be meant as a place within a: then it is a warning,
where the other accesses look like those of two arrays. Memory that is used again for
something else, and parts that begin at the same place, are no findings. Pointers that
helpers return, alone or in structures, and arrays of pointers are not followed. Some blocks of
a launch are looked at: the first, the last, and two between them.

In device code, a free of what is freed already, or is no memory of malloc, ends the
launch too. On the host a free of what is no allocation, and a copy or fill whose
range is not that of its allocation, whose direction is not that of the pointers, or
whose rows are wider than a pitch, are reported at the call; host code that follows a
pointer to device memory where it does so. With --leak-check full so is memory that the program has
not freed when it ends in order. --padding N puts at least N bytes between
allocations, instead of 512.`,
		Example: `__global__ void scale(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] *= 2;            // the last block goes past the end
}`,
		Fixed: `__global__ void scale(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
}`,
		Fix: `Compare the index with the size before the access; check that the allocation
has as many bytes as elements times element size; align what is accessed
through vector types to their size.`,
		References: []string{
			`CUDA C++ Programming Guide, "Device Memory Accesses": "Size and Alignment Requirement"`,
			`PTX ISA, "Data Movement and Conversion Instructions": ld, st`,
		},
	},
	Default: true,
	New:     New,
	Faults:  func() check.Checker { f := faults(); return &f },
	Static:  Static,
}

// Details is the memory rule's part of a finding in JSON.
type Details struct {
	Space   string `json:"space"`
	Access  string `json:"access"`
	Address uint64 `json:"address"`
	Size    int    `json:"size"`
	// Lanes is how many lanes of the warp did the same in that instruction.
	Lanes int `json:"lanes"`
}

// Merged implements finding.Merger: the witness's details are kept.
func (d Details) Merged(any) any { return d }

// New makes the checker.
func New(check.Config) check.Checker { return &checker{Faults: faults()} }

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
		kind = CheckIndex
	case kind == CheckIndex && v != nil && e.Space == trace.SpaceShared && e.Addr >= v.Addr:
		kind = MoreShared
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
	d := Details{e.Space.String(), e.Access.String(), e.Addr, e.Size, max(bits.OnesCount32(e.Mask), 1)}
	f.Details = d
	if e.Object != nil && f.Object.Kind != finding.Heap {
		f.Range = check.Range(e.Addr, e.Object.Base, e.Size)
	}
	if f.Message == "" {
		f.Message = fmt.Sprintf("%s %s of %d bytes at 0x%x in %s memory", f.Kind, d.Access, d.Size, d.Address, d.Space)
	}
	if d.Lanes > 1 {
		f.Notes = append(f.Notes, sameLanes(d.Lanes))
	}
	if e.Times > uint64(d.Lanes) {
		f.Notes = append(f.Notes, sameAccesses(e.Times))
	}
}
