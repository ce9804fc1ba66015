package initialized

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// CopiedUnwritten is for trace.Observer.
func (c *checker) CopiedUnwritten(e *trace.CopiedUnwritten) {
	if c.owed(&e.Memory) || !e.Computed && !(e.Stored && c.lasting.at(e.Origin&^trace.Computed).element) && padding(e) {
		return
	}
	what, kind := "bytes of uninitialized memory", "copied"
	if e.Stored {
		what, kind = "bytes of uninitialized values", "stored"
	}
	if e.Total == 1 {
		what = "byte" + what[len("bytes"):]
	}
	message, role := fmt.Sprintf("%s copies %d %s to the host", or(e.Call, "the program"), e.Total, what), "copied here"
	switch {
	case e.Wait:
		message = fmt.Sprintf("%s compares %d %s with a value", e.Call, e.Total, what)
	case e.Operator:
		message, role = fmt.Sprintf("%s reads %d %s", e.Call, e.Total, what), "called here"
	}
	first := e.Gaps[0]
	off := e.Addr - e.Memory.Base
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "copied", Level: finding.Warning, Count: e.Total, Unit: "byte",
		Message: message,
		Cause:   CopiedOut, Object: check.ObjectOf(trace.SpaceGlobal, &e.Memory), Repair: &finding.Repair{Kind: finding.CopyWritten},
		Range:   check.Range(first.Addr, e.Memory.Base, int(e.Size)),
		Key:     fmt.Sprintf("%s\x00%s\x00%d", kind, e.Where, e.Memory.ID),
		Witness: [4]uint64{uint64(verdicts), uint64(e.Memory.ID), off},
		Details: Details{Space: "global", Index: -1, Address: first.Addr, Offset: first.Addr - e.Memory.Base, Stored: e.Stored,
			Size: int(e.Size), Unwritten: int(e.Total), Allocation: e.Memory.Size, Allocated: e.Memory.Where, Copied: true},
	}
	if e.Computed {
		f.Level = finding.Error // as a kernel that does so
	}
	f.Help = help(finding.CopyWritten, nil, nil)
	f.Notes = c.copiedNotes(e)
	f.Primary = finding.Place{Role: role, Loc: check.HostPlace(e.Where)}
	c.set.Add(f)
}

// copiedNotes say which bytes, and where the values come from.
func (c *checker) copiedNotes(e *trace.CopiedUnwritten) (notes []string) {
	first := e.Gaps[0]
	from := first.Addr - e.Memory.Base
	notes = append(notes, fmt.Sprintf("bytes %d to %d of the %d bytes of %s", from, from+first.Size-1, e.Memory.Size, e.Memory.Where))
	n := uint64(e.Elems & -e.Elems)
	switch {
	case e.Stored:
		s := c.lasting.at(e.Origin &^ trace.Computed)
		notes = append(notes, fmt.Sprintf("the value was loaded at %s from %s, which is uninitialized", check.Where(s.site(), ""), s.object()))
	case n == 0:
		notes = append(notes, "no kernel writes to it")
	case from%n == 0 && first.Size%n == 0:
		notes = append(notes, fmt.Sprintf("elements %d to %d, in elements of %s as kernels write them", from/n, (from+first.Size)/n-1, check.Plural(n, "byte")))
	}
	if e.Total > first.Size {
		notes = append(notes, check.Plural(e.Total-first.Size, "byte")+" after them, with gaps")
	}
	return notes
}

// maxObject is the largest structure of which the one gap in a copy may be padding.
const maxObject = 4096

// padding reports whether the gaps of a copy look like padding of structures that kernels
// wrote member by member: each ends where a member can begin that is aligned to more than
// the gap's size and of a size that kernels wrote, and all structures of an array have the
// same ones.
func padding(e *trace.CopiedUnwritten) bool {
	if e.Elems == 0 && !e.Stored {
		return false
	}
	smallest := uint64(max(e.Elems&-e.Elems, 1))
	if e.Stored { // with pieces that the compiler chose
		smallest = 1
	}
	for _, g := range e.Gaps {
		from := g.Addr - e.Memory.Base
		if from%smallest != 0 || g.Size%smallest != 0 || !pads(from, g.Size, e.Elems) {
			return false
		}
	}
	n := len(e.Gaps)
	if n == 1 {
		return e.Size <= maxObject
	}
	for k := 1; k <= min(n/2+1, n-1); k++ {
		if period := e.Gaps[k].Addr - e.Gaps[0].Addr; repeats(e.Gaps, k, period) {
			return e.Count*period/uint64(k)+period > e.Size
		}
	}
	return false
}

// pads reports whether a gap ends where a member can begin that is aligned to more than the gap's
// size; elems are the sizes that kernels wrote, or-ed, 0 where that is not known.
func pads(from, size uint64, elems int) bool {
	align := uint64(1) << bits.Len64(size) // the least that is above it
	return align <= 16 && (from+size)%align == 0 && (elems == 0 || uint64(elems) >= align)
}

// isElement reports whether the first lane's missing bytes are a part of an element that was not written as a whole, and
// no padding: the host wrote what is around them, or kernels did in elements that leave no such gap.
func (r *record) isElement(lane int) bool {
	if r.key.space != trace.SpaceGlobal || r.memory.Size == 0 {
		return false
	}
	gap, elems := missingBytes(r.addr[lane], r.missing[lane]), r.memory.Elems
	return elems == 0 || !pads(uint64(gap.Lo)-r.memory.Base, uint64(gap.Hi-gap.Lo), elems)
}

// repeats reports whether each gap comes again k gaps later at a distance.
func repeats(gaps []trace.Gap, k int, period uint64) bool {
	for i := range gaps[k:] {
		if gaps[i+k].Addr-gaps[i].Addr != period || gaps[i+k].Size != gaps[i].Size {
			return false
		}
	}
	return true
}
