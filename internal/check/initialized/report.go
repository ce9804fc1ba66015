package initialized

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
		if d.Variable = check.VariableName(r.memory.Name); r.memory.ReadOnly {
			d.Space = "constant"
		}
		elem := max(site.Elem, 1)
		first := bits.TrailingZeros64(r.first.missing) / elem * elem
		d.Element = check.GlobalElement(&r.memory, int64(d.Offset)+int64(first), elem, elem)
	}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: d.Space, Level: finding.Error,
		Kernel: o.launch.Kernel, Launches: finding.InLaunch(o.launch.ID),
		Message: d.message(site), Details: d,
		Count: r.count, Unit: "use",
		Key:     fmt.Sprintf("%s\x00%s\x00%s\x00%d", d.Space, d.Variable, check.SiteKey(site), k.object),
		Witness: [4]uint64{uint64(verdicts - w.verdict), uint64(o.launch.ID), w.block, uint64(32*w.warp + w.lane)},
	}
	if w.verdict == suspect {
		f.Level = finding.Warning
	}
	o.facts(f, k, r, site)
	f.Help = help(f.Repair.Kind, &d, site)
	f.Notes = o.notes(r, &d, site)
	f.Primary = check.Place(site, check.Role(site.Kind), check.Thread(o.launch, w.block, w.warp, w.lane))
	return f
}

func (o *launchObserver) details(k readKey, r *read, site *trace.Site) Details {
	w := &r.first
	d := Details{
		Space: k.space.String(), Index: -1, Address: w.addr, Offset: w.addr, Size: site.Size,
		Unwritten: bits.OnesCount64(w.missing), Stored: w.source != nil,
	}
	if w.verdict == wrong {
		d.Purpose = purposes[w.purpose].name
	}
	base, known := uint64(0), false
	switch {
	case k.space == trace.SpaceRegister:
		d.Variable, d.Size = site.Register, d.Unwritten
	case k.space == trace.SpaceLane:
		source := int(w.addr)
		d.Source, d.Size, d.Address, d.Offset = &source, d.Unwritten, 0, 0
		return d
	case k.space == trace.SpaceResponse:
		d.Size = d.Unwritten
		return d
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
	case d.Space == trace.SpaceRegister.String():
		return "register " + d.Variable
	case d.Space == trace.SpaceTensor.String():
		return "tensor memory"
	case d.Source != nil:
		return fmt.Sprintf("lane %d", *d.Source)
	case d.Space == trace.SpaceResponse.String():
		return "a response that canceled nothing"
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
	case d.Space == "global" && d.Variable != "":
		return "__device__ variable " + or(d.Element, d.Variable)
	case d.Allocated == "":
		return fmt.Sprintf("byte %d of %s from malloc in device code", d.Offset, check.Plural(d.Allocation, "byte"))
	}
	return fmt.Sprintf("byte %d of the %d bytes of %s", d.Offset, d.Allocation, d.Allocated)
}

// message is the finding's first line.
func (d *Details) message(site *trace.Site) string {
	what := "read"
	if site.Kind == trace.Atomic {
		what = "atomic update"
	}
	if d.Stored {
		return fmt.Sprintf("%s of an uninitialized value that was stored in %s", what, d.object())
	}
	if d.Space == "constant" {
		return fmt.Sprintf("read of uninitialized memory: %s, which is zero", d.object())
	}
	if d.Space == trace.SpaceTensor.String() {
		return "read of uninitialized tensor memory"
	}
	if d.Source != nil {
		return fmt.Sprintf("read of an undefined value: %s reads %s, which does not take part", check.OpName(site), d.object())
	}
	if d.Space == trace.SpaceResponse.String() {
		return "read of an undefined value: the first block of " + d.object()
	}
	if d.Space == trace.SpaceRegister.String() {
		return "read of an uninitialized value: " + d.object() + " is read before it is written"
	}
	return fmt.Sprintf("%s of uninitialized memory: %s", what, d.object())
}

// purposes are the names of the ways in which a value matters, and a phrase for each.
var purposes = [...]struct{ name, what string }{
	trace.DecidesBranch:   {"branch", "a branch depends on the value"},
	trace.DecidesGuard:    {"guard", "whether an instruction is executed depends on the value"},
	trace.FormsAddress:    {"address", "the value forms an address"},
	trace.UpdatesMemory:   {"atomic", "an atomic update uses the value"},
	trace.StoredInGlobal:  {"stored", "the result is stored in global memory"},
	trace.PassedToRuntime: {"call", "the value is passed to a function of the device runtime"},
	trace.SelectsLanes:    {"lanes", "the value selects the threads of a shuffle, vote or barrier"},
	trace.Fetched:         {"fetch", "a texture instruction fetches it"},
}

// notes say what of the access is uninitialized, why it matters, and where it comes from.
func (o *launchObserver) notes(r *read, d *Details, site *trace.Site) []string {
	var n []string
	w := &r.first
	if d.Space == "global" && d.Index >= 0 {
		n = append(n, fmt.Sprintf("element %d, in elements of %s", d.Index, check.Plural(uint64(site.Elem), "byte")))
	}
	if s := o.checker.fills.note(&r.memory, d.Offset, site.Elem); s != "" && d.Allocated != "" && w.source == nil {
		n = append(n, s)
	}
	if d.Source != nil {
		n = append(n, w.absentNotes(site)...)
	}
	if d.Unwritten < d.Size {
		n = append(n, fmt.Sprintf("%d of the %d bytes read are uninitialized", d.Unwritten, d.Size))
	}
	if w.verdict == wrong && !(w.purpose == trace.UpdatesMemory && w.site == site) {
		what := purposes[w.purpose].what
		if s := w.site; s != nil && s.Loc.IsValid() && (s.Loc.File != site.Loc.File || s.Loc.Line != site.Loc.Line) {
			what += ", at " + check.Where(s, site.Loc.File)
		}
		n = append(n, what)
	}
	if w.source != nil {
		n = append(n, o.origin(w.source, site))
	}
	return n
}

// origin says where an uninitialized value comes from.
func (o *launchObserver) origin(s *provenance, site *trace.Site) string {
	from := s.site()
	n := fmt.Sprintf("the value was loaded at %s from %s, which is uninitialized", check.Where(from, site.Loc.File), s.object())
	if s.recorded == nil && (s.key.space == trace.SpaceLane || s.key.space == trace.SpaceResponse) {
		n = fmt.Sprintf("the value comes from %s at %s, %s", check.OpName(from), check.Where(from, site.Loc.File), s.object())
	}
	if s.number() != o.launch.ID {
		n += fmt.Sprintf(", by launch %d", s.number())
	}
	return n
}

// object names the memory that was not initialized.
func (s *provenance) object() string {
	if s.recorded != nil {
		return s.recorded.Object
	}
	switch site := s.launch.Sites[s.key.site]; {
	case s.key.space == trace.SpaceRegister:
		return "register " + site.Register
	case s.key.space == trace.SpaceTensor:
		return "tensor memory"
	case s.key.space == trace.SpaceLane:
		return "a lane that does not take part in it"
	case s.key.space == trace.SpaceResponse:
		return "a response that canceled nothing"
	case s.key.space == trace.SpaceShared && s.key.object >= 0:
		return "shared variable " + check.VariableName(s.launch.Shared[s.key.object].Name)
	case s.key.space == trace.SpaceShared:
		return "shared memory"
	case s.key.space == trace.SpaceLocal && site.Local != nil:
		return "local variable " + site.Local.Name
	case s.key.space == trace.SpaceLocal:
		return "local memory"
	case s.key.object < 0 || s.memory.Where == "":
		return "memory from malloc in device code"
	}
	return fmt.Sprintf("the %d bytes of %s", s.memory.Size, s.memory.Where)
}

// help puts a repair into words.
func help(k finding.RepairKind, d *Details, site *trace.Site) string {
	switch k {
	case finding.WaitForWriter:
		return fmt.Sprintf("let line %d wait for the threads that write %s, at the barrier where those arrive afterwards", site.Loc.Line, or(d.Variable, "the array"))
	case finding.WriteFirst:
		return fmt.Sprintf("write the elements of %s before line %d reads them, then __syncthreads()", or(d.Variable, "the array"), site.Loc.Line)
	case finding.Initialize:
		return "initialize the local variable, or write all of it before it is read"
	case finding.WriteRegister:
		return "write the register on every path to the instruction"
	case finding.ReadPresent:
		return "let all lanes that are read take part, with a neutral value where they have none; or use the value only where the lane that was read takes part"
	case finding.AskCanceled:
		return "use the coordinates only where clusterlaunchcontrol.query_cancel.is_canceled is true for the response"
	case finding.WriteTensor:
		return "write the cells first: by tcgen05.st, tcgen05.cp, or a tcgen05.mma whose enable-input-d is false, and wait for it"
	case finding.CopySymbol:
		return "copy its values with cudaMemcpyToSymbol before the launch, or give it an initializer"
	case finding.WriteHeap:
		return "write the memory after malloc: it is not cleared"
	case finding.InitializeSource:
		return "initialize the memory from which the value was loaded, or do not store the uninitialized value"
	case finding.Reset:
		return "reset the memory before each launch, with cudaMemset or a separate kernel, or wait for a value that differs in each launch"
	case finding.CopyWritten:
		return "copy only what was written, or fill the memory first"
	}
	return "fill the memory before the launch, with cudaMemset or cudaMemcpy"
}

// handsOver reports whether threads of the kernel arrive at mbarriers to tell others that they
// can continue.
func (o *launchObserver) handsOver() bool {
	return slices.ContainsFunc(o.launch.Sites, func(s *trace.Site) bool { return s.Op.Arrives() })
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
