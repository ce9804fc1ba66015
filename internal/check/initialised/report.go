package initialised

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// finding turns what was seen of a site into a finding.
func (o *launchObserver) finding(k readKey, r *read) *finding.Finding {
	site, w := o.launch.Sites[k.site], &r.first
	d := o.details(k, r, site)
	if r.memory.Kind == "symbol" {
		d.Space, d.Variable, d.Copied = "constant", check.VariableName(r.memory.Name), false
		elem := max(site.Elem, 1)
		first := bits.TrailingZeros64(r.first.missing) / elem * elem
		d.Element = check.GlobalElement(&r.memory, int64(d.Offset)+int64(first), elem, elem)
	}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: d.Space, Level: finding.Error,
		Kernel: o.launch.Kernel, Launches: finding.InLaunch(o.launch.ID),
		Message: d.message(site), Details: d,
		Count: r.used + r.copied, Unit: "read",
		Key:     fmt.Sprintf("%s\x00%s\x00%s\x00%d", d.Space, d.Variable, check.SiteKey(site), k.object),
		Witness: [4]uint64{uint64(verdicts - w.verdict), uint64(o.launch.ID), w.block, uint64(32*w.warp + w.lane)},
	}
	if w.verdict == suspect {
		f.Level = finding.Warning
	}
	o.facts(f, k, r, site)
	f.Help = help(f.Repair.Kind, &d, site)
	f.Notes = notes(k, r, &d, site)
	f.Primary = check.Place(site, check.Role(site.Kind), check.Thread(o.launch, w.block, w.warp, w.lane))
	return f
}

func (o *launchObserver) details(k readKey, r *read, site *trace.Site) Details {
	w := &r.first
	d := Details{
		Space: k.space.String(), Index: -1, Address: w.addr, Offset: w.addr, Size: site.Size,
		Unwritten: bits.OnesCount64(w.missing), Copied: w.verdict == suspect,
	}
	base, known := uint64(0), false
	switch {
	case k.space == trace.SpaceShared && k.object >= 0:
		v := o.launch.Shared[k.object]
		d.Variable, base, known = check.VariableName(v.Name), v.Addr, v.Size > uint64(site.Size) || v.Dynamic
		d.Allocation = v.Size
		elem := max(site.Elem, 1)
		first := bits.TrailingZeros64(w.missing) / elem * elem
		d.Element = check.ElementOf(&v, int64(w.addr-v.Addr)+int64(first), elem, elem)
	case k.space == trace.SpaceLocal && site.Local != nil:
		elem := max(site.Elem, 1)
		first := bits.TrailingZeros64(w.missing) / elem * elem
		d.Variable = site.Local.Name
		d.Element = check.ElementOf(site.Local, int64(w.addr-site.Local.Addr)+int64(first), elem, elem)
	case k.space == trace.SpaceGlobal && k.object >= 0:
		base, known = r.memory.Base, true
		d.Allocation, d.Allocated = r.memory.Size, r.memory.Where
	case k.space == trace.SpaceGlobal:
		// Addresses of the device heap depend on which block comes first.
		d.Address, d.Allocation, base = 0, r.memory.Size, r.memory.Base
	}
	d.Offset = w.addr - base
	if size := uint64(max(site.Elem, 1)); known && d.Offset%size == 0 {
		first := uint64(bits.TrailingZeros64(w.missing)) / size
		d.Index = int64(d.Offset/size + first)
	}
	return d
}

// object names what is read: "shared variable s[3]".
func (d *Details) object() string {
	switch {
	case d.Space == "constant":
		return "__constant__ variable " + or(d.Element, d.Variable)
	case d.Space == "local" && d.Element != "":
		return "local variable " + d.Element
	case d.Space == "local":
		return fmt.Sprintf("local memory at offset %d", d.Offset)
	case d.Space == "shared" && d.Variable == "":
		return fmt.Sprintf("shared memory at offset %d", d.Offset)
	case d.Space == "shared":
		return "shared variable " + or(d.Element, d.Variable)
	case d.Allocated == "":
		return fmt.Sprintf("byte %d of %s from malloc in device code", d.Offset, check.Plural(d.Allocation, "byte"))
	}
	return fmt.Sprintf("byte %d of the %d bytes of %s", d.Offset, d.Allocation, d.Allocated)
}

func (d *Details) message(site *trace.Site) string {
	what := "read"
	if site.Kind == trace.Atomic {
		what = "atomic update"
	}
	if d.Copied {
		what = "copy"
	}
	if d.Space == "constant" {
		return fmt.Sprintf("read of %s, which nobody filled: it is zero", d.object())
	}
	return fmt.Sprintf("%s of %s, which nobody wrote", what, d.object())
}

func notes(k readKey, r *read, d *Details, site *trace.Site) []string {
	var n []string
	if d.Space == "global" && d.Index >= 0 {
		n = append(n, fmt.Sprintf("element %d, in elements of %s", d.Index, check.Plural(uint64(site.Elem), "byte")))
	}
	if d.Unwritten < d.Size {
		n = append(n, fmt.Sprintf("%d of the %d bytes read are unwritten", d.Unwritten, d.Size))
	}
	if d.Copied {
		n = append(n, "it is only stored again: harmless if it is a member of a structure that is not used yet")
	}
	if r.used > 0 && r.copied > 0 {
		n = append(n, check.Plural(r.copied, "read")+" of them only to store it again")
	}
	return n
}

// help puts a repair into words.
func help(k finding.RepairKind, d *Details, site *trace.Site) string {
	switch k {
	case WaitForWriter:
		return fmt.Sprintf("let line %d wait for those who write %s, at the barrier where they arrive once they have", site.Loc.Line, or(d.Variable, "the array"))
	case WriteFirst:
		return fmt.Sprintf("write the elements of %s before line %d reads them, then __syncthreads()", or(d.Variable, "the array"), site.Loc.Line)
	case Initialize:
		return "give the local variable an initializer, or write all of it before it is read"
	case CopySymbol:
		return "copy its values with cudaMemcpyToSymbol before the launch, or give it an initializer"
	case WriteHeap:
		return "write the memory after malloc: it is not cleared"
	case Reset:
		return "reset the memory before each launch, with cudaMemset or in a kernel of its own, or wait for a value that is new in each launch"
	case CopyWritten:
		return "copy only what was written, or fill the memory first"
	}
	return "fill the memory before the launch, with cudaMemset or cudaMemcpy"
}

// handsOver reports a kernel whose threads arrive at mbarriers to tell others that they
// can go on.
func (o *launchObserver) handsOver() bool {
	return slices.ContainsFunc(o.launch.Sites, func(s *trace.Site) bool { return s.Op.Arrives() })
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// CopiedUnwritten is for trace.Observer.
func (c *checker) CopiedUnwritten(e *trace.CopiedUnwritten) {
	if c.owed(&e.Memory) {
		return
	}
	off := e.Addr - e.Memory.Base
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "copied", Level: finding.Warning, Count: e.Total, Unit: "byte",
		Message: fmt.Sprintf("%s copies %s to the host that nobody wrote", or(e.Call, "the program"), check.Plural(e.Total, "byte")),
		Cause:   CopiedOut, Object: check.ObjectOf(trace.SpaceGlobal, &e.Memory), Repair: &finding.Repair{Kind: CopyWritten},
		Range:   check.Range(e.First, e.Memory.Base, int(e.Size)),
		Key:     fmt.Sprintf("copied\x00%s\x00%d", e.Where, e.Memory.ID),
		Witness: [4]uint64{uint64(verdicts), uint64(e.Memory.ID), off},
		Details: Details{Space: "global", Index: -1, Address: e.First, Offset: e.First - e.Memory.Base,
			Size: int(e.Size), Unwritten: int(e.Total), Allocation: e.Memory.Size, Allocated: e.Memory.Where, Copied: true},
	}
	f.Notes = append(f.Notes, fmt.Sprintf("bytes %d to %d of the %d bytes of %s", e.First-e.Memory.Base,
		e.First-e.Memory.Base+e.Length-1, e.Memory.Size, e.Memory.Where))
	if n, from := uint64(e.Elem), e.First-e.Memory.Base; n > 0 && from%n == 0 && e.Length%n == 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("elements %d to %d, in elements of %s as kernels write them", from/n, (from+e.Length)/n-1, check.Plural(n, "byte")))
	} else if n == 0 {
		f.Notes = append(f.Notes, "no kernel wrote to it")
	}
	if e.Total > e.Length {
		f.Notes = append(f.Notes, check.Plural(e.Total-e.Length, "byte")+" after them, with gaps")
	}
	f.Help = help(CopyWritten, nil, nil)
	f.Primary = finding.Place{Role: "copied here", Loc: check.HostPlace(e.Where)}
	c.set.Add(f)
}
