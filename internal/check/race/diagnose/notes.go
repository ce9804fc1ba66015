package diagnose

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// notes are the reason first, then what the threads did.
func (d *rendering) notes() []string {
	var notes []string
	if !d.bare() {
		notes = append(notes, d.reason)
	}
	if d.w.HasFound {
		notes = append(notes, d.values())
	}
	if !d.across() {
		notes = append(notes, interval(d.details.Interval))
	}
	if d.across() || d.w.First.Passed != nil || d.w.Then.Passed != nil {
		notes = append(notes, d.sides())
	}
	notes = append(notes, d.pairs())
	if d.volatile {
		notes = append(notes, volatileNote)
	}
	return notes
}

// bare: the reason is no more than what the top line says.
func (d *rendering) bare() bool { return d.cause == NoBarrier && !d.across() && !d.w.Link.OK }

func (d *rendering) values() string {
	w := d.w
	z := &w.Then
	in := formatValue(w.Found, z.Site)
	switch {
	case z.Site.Kind == trace.Read:
		return "value read: " + in
	case !z.HasWrote:
		return "value before: " + in
	case w.OneInstr && w.First.HasWrote && d.pair.Different:
		return fmt.Sprintf("values: one lane writes %s, the other %s", formatValue(w.First.Wrote, w.First.Site), formatValue(z.Wrote, z.Site))
	case z.Site.Kind == trace.Atomic:
		return fmt.Sprintf("value before: %s; operand of the atomic: %s", in, formatValue(z.Wrote, z.Site))
	}
	return fmt.Sprintf("value before: %s; value written: %s", in, formatValue(z.Wrote, z.Site))
}

func interval(n Interval) string {
	if n.Number == 0 {
		return "barrier interval: from the kernel's start, no barrier passed"
	}
	return fmt.Sprintf("barrier interval: after the %s, number %d of the block", n.After, n.Number)
}

// startName names what began an interval.
func startName(s evidence.Start) string {
	if s.Site == nil {
		return "kernel start"
	}
	return "barrier at " + check.Where(s.Site, s.Site.Loc.File)
}

// synced is what a thread synchronized on last before an access.
func (d *rendering) synced(a *evidence.Access) string {
	switch {
	case a.Passed != nil:
		return passedText(a.Passed, d.file())
	case a.Since.Site != nil:
		return "the barrier of " + d.where(a.Since.Site)
	case a.Since.Number > 0:
		return fmt.Sprintf("barrier number %d of its block", a.Since.Number)
	}
	return "the kernel's start"
}

// sides is what each side synchronized on last.
func (d *rendering) sides() string {
	x := &d.details
	s := fmt.Sprintf("synchronized last: before the %s, %s; before the %s, %s", x.First.Kind, x.First.Synced, x.Then.Kind, x.Then.Synced)
	if d.w.Link.OK && !d.run.Shared {
		s += " and then read " + d.where(d.w.Link.Acquire.Site)
	}
	return s
}

func (d *rendering) pairs() string {
	x := &d.details
	total := x.IntraWarp + x.InterWarp
	s := check.Plural(total, "thread pair")
	var parts []string
	for h, n := range []uint64{x.RAW, x.WAR, x.WAW} {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, evidence.Hazard(h)))
		}
	}
	if len(parts) > 1 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	if x.InterBlock > 0 && !d.run.InTurn && !d.run.Shared { // of a cluster all blocks are compared
		s += " in the blocks compared"
	}
	switch {
	case x.InterBlock == total:
		s += ", all in different blocks"
	case x.InterWarp == 0:
		s += ", all within a warp"
	case x.InterBlock > 0:
		s += fmt.Sprintf(", %d of them in different blocks", x.InterBlock)
	case x.IntraWarp > 0:
		s += fmt.Sprintf(", %d of them within a warp", x.IntraWarp)
	}
	return s
}

// object names what the race is about: "s[32]", "count" or an address.
func (d *rendering) object() string {
	l, a, z := d.run.Launch, d.early.Site, d.late.Site
	if lane, column, ok := evidence.TensorOf(d.w.Addr); ok && d.run.Shared {
		return fmt.Sprintf("tensor memory at column %d, lanes %d to %d", column, lane, lane+15)
	}
	if d.run.Shared {
		return d.sharedObject(d.w.Addr, d.key.Variable, d.w.Bytes, min(a.Size, z.Size))
	}
	if owner, off, ok := evidence.OwnerOf(d.w.Addr); ok {
		_, rank := l.ClusterOf(uint64(owner))
		return d.sharedObject(off, check.SharedVariable(l, off), z.Elem, z.Elem) + fmt.Sprintf(" of block rank %d of the cluster", rank)
	}
	m, ok := d.memory()
	elem := max(min(a.Elem, z.Elem), 1)
	if m.Name != "" {
		elem = z.Elem
	}
	return memoryName(&m, ok, d.w.Addr, elem)
}

func (d *rendering) sharedObject(at uint64, variable, size, elem int) string {
	l := d.run.Launch
	if variable < 0 {
		return fmt.Sprintf("shared memory at offset 0x%x", at)
	}
	if v := &l.Shared[variable]; v.Size <= uint64(max(elem, 1)) && !v.Dynamic {
		return check.VariableName(v.Name)
	}
	return check.SharedElement(l, at, size, elem)
}

// memoryName names what lies at an address of global memory, in elements of elem bytes.
func memoryName(m *trace.Memory, known bool, addr uint64, elem int) string {
	switch {
	case !known:
		return unknownMemory(addr)
	case m.Name != "" && m.Size <= uint64(elem):
		return check.VariableName(m.Name)
	case m.Name != "":
		return check.GlobalElement(m, int64(addr-m.Base), elem, elem)
	case m.Where != "":
		return fmt.Sprintf("element %d of the memory of %s", (addr-m.Base)/uint64(elem), m.Where)
	}
	return fmt.Sprintf("element %d of an allocation of %d bytes", (addr-m.Base)/uint64(elem), m.Size)
}

func unknownMemory(addr uint64) string { return fmt.Sprintf("global memory at 0x%x", addr) }

// formatValue prints an element as the site's instruction types it: a float
// for .f32 and .f64, signed for .s8 to .s64, else unsigned and hexadecimal.
func formatValue(v uint64, s *trace.Site) string {
	typ, size := s.Op.Type.Class, s.Elem
	switch {
	case typ == inst.Float && size == 4:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	case typ == inst.Float && size == 8:
		return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
	case typ == inst.Signed && size >= 1 && size <= 8:
		return strconv.FormatInt(int64(v<<(64-8*size))>>(64-8*size), 10)
	case v < 10:
		return strconv.FormatUint(v, 10)
	}
	return fmt.Sprintf("%d (0x%x)", v, v)
}
