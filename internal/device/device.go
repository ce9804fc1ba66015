// Package device is the emulated GPU as the host server sees it (host.Runner): it parses
// and lowers the modules that a program loads, runs their kernels on the engine, and
// serves the device runtime's child grids.
//
//	module:  loaded -> linked, when its variables have addresses -> kernels lowered, when first asked for
//	launch:  observers before -> engine -> Ran -> child grids, copies and fills for the server -> observers after
package device

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/proofs"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Device is the emulated GPU of one run. It implements host.Runner; the server calls
// it from one goroutine at a time.
type Device struct {
	// Engine runs the grids, whose memory is in Arena.
	Engine *engine.Engine
	Arena  *mem.Arena
	// Proofs gets the modules; it may be nil.
	Proofs *proofs.Cache
	// Observers see each launch before and after it runs.
	Observers []Observer
	// Text, if set, is the text that is loaded for a module.
	Text func(text []byte, meta host.Meta) []byte
	// Edit, if set, changes modules before they are used.
	Edit func(*ptx.Module)
	// Choose, if set, returns the blocks of a launch that run, as engine.Launch.Blocks; nil for all.
	Choose func(host.LaunchConfig) []uint64
	// Ran, if set, is called after each launch.
	Ran func(*Ran)

	// Limits are the instructions of the modules that are not executed, or only approximately: those
	// of a module when it is loaded, and what its operands rule out when a kernel is prepared.
	Limits []Limit
	// Builds are the builds of the modules that were loaded (host.Meta), Failed the modules
	// and kernels that could not be prepared.
	Builds map[string]bool
	Failed []error

	// stopped describes what the threads of an interrupted launch did.
	stopped []string
	// preparing is the kernel that is lowered or launched, nil for none.
	preparing atomic.Pointer[string]
	// dependent is set when a module with griddepcontrol is loaded.
	dependent bool
}

// Limit is an instruction that is not executed, or only approximately.
type Limit = lower.Limit

// LimitsOf lists those of a module that no program loads.
func LimitsOf(m *ptx.Module) []Limit { return lower.Limits(m) }

// Ran is a launch that has ended.
type Ran struct {
	// ID counts launches from 0. Kernel is the mangled name, Shown the name as in the source.
	ID            int
	Kernel, Shown string
	Config        host.LaunchConfig
	// Counts are those of the launch; Counts.Launches is 0 if it did not begin.
	Counts engine.Counts
	// SharedStatic is bytes of a block. Registers is how many registers of 32 bits the values of a thread
	// take that live at the same time in PTX: ptxas may do with fewer, and spill, or take more to be faster.
	SharedStatic uint32
	Registers    int
}

// unsupportedError names a feature that the emulator lacks.
type unsupportedError string

func (e unsupportedError) Error() string       { return string(e) }
func (e unsupportedError) Unsupported() string { return string(e) }

// Load implements host.Runner.
func (d *Device) Load(name string, text []byte, meta host.Meta) (host.Module, error) {
	if d.Text != nil {
		text = d.Text(text, meta)
	}
	m, err := ptx.Parse(name, text)
	if err != nil {
		if meta.Build != host.GivenPTX { // the program is told and may have tried on purpose
			d.Failed = append(d.Failed, err)
		}
		return nil, err
	}
	ownRuntime(m)
	if d.Edit != nil {
		d.Edit(m)
	}
	if d.Proofs != nil {
		d.Proofs.Add(m)
	}
	if d.Builds == nil {
		d.Builds = map[string]bool{}
	}
	d.Builds[meta.Build] = true
	d.dependent = d.dependent || lower.Dependent(m)
	d.Limits = append(d.Limits, lower.Limits(m)...)
	return &module{d: d, ptx: m, text: text, build: meta.Build, kernels: map[string]*kernel{}}, nil
}

// prepares notes which kernel is at work, until the function that it returns is called.
func (d *Device) prepares(kernel string) (done func()) {
	d.preparing.Store(&kernel)
	return func() { d.preparing.Store(nil) }
}

// Stopped describes where the check was when it was ended from outside: what the threads of
// the interrupted launch did, or which kernel was being prepared.
func (d *Device) Stopped() []string {
	if k := d.preparing.Load(); k != nil && len(d.stopped) == 0 {
		return []string{"kernel " + finding.Demangle(*k) + " was being prepared or run"}
	}
	return d.stopped
}

// ownRuntime takes NVIDIA's device runtime out of a module: its functions, which
// call what only the driver has, are the emulator's.
func ownRuntime(m *ptx.Module) {
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && program.HostFuncs()[f.Name].Runtime {
			f.Body = nil
		}
	}
}

// Launch implements host.Runner.
func (d *Device) Launch(ctx context.Context, k host.Kernel, c host.LaunchConfig) (host.LaunchResult, error) {
	kn := k.(*kernel)
	if c.Blocks == nil && d.Choose != nil {
		if c.Blocks = d.Choose(c); c.Blocks != nil {
			defer d.Arena.AssumeWritten() // by the blocks that are skipped
			if kn.prog.Ordered {          // whose blocks may read what others write
				d.Arena.AssumeWritten()
			}
		}
	}
	defer d.observed(kn, c)()
	nest := d.newChildGrids(kn.module, c.Nesting)
	done := d.prepares(kn.prog.Name)
	res, err := d.Engine.Run(ctx, kn.prog, engine.Launch{
		ID: c.ID, Await: c.Await, Module: kn.module.ptx.Name, Grid: c.Grid, Block: c.Block, Cluster: c.Cluster, Blocks: c.Blocks, SharedDynamic: c.SharedDynamic, Params: c.Params,
		GridWorkspace: c.GridWorkspace, Resident: c.Resident, Stack: c.Limits.Stack, Heap: c.Limits.Heap,
		Printf:     c.Limits.Printf,
		ChildGrids: nest.engine(), Dependent: d.dependent || c.MayOverlap, Unseen: c.Unseen,
	})
	done()
	if res.Where != nil {
		d.stopped = append([]string{"in " + finding.Demangle(kn.prog.Name)}, res.Where...)
	}
	if d.Ran != nil {
		d.Ran(&Ran{ID: c.ID, Kernel: kn.prog.Name, Shown: kn.shown, Config: c, Counts: res.Counts, SharedStatic: kn.prog.SharedStatic, Registers: kn.prog.LiveRegisters})
	}
	if err == nil && res.Fault != nil && res.Fault.Kind == trace.FaultUnsupported {
		err = unsupported(res.Fault)
	}
	out := host.LaunchResult{Printf: res.Output, Lost: res.Lost, Fault: res.Fault}
	if err == nil {
		out.ChildWork, err = nest.take(res.ChildWork)
	}
	if err == nil {
		err = nest.failed
	}
	return out, err
}

// unsupported names the instruction at its CUDA line; the message has the
// place in the PTX.
func unsupported(f *trace.Fault) unsupportedError {
	if f.Site != nil && f.Site.Loc.IsValid() {
		return unsupportedError(f.Site.Loc.Pos.String() + ": " + f.Message)
	}
	return unsupportedError(f.Message)
}

// module is a loaded PTX module.
type module struct {
	d   *Device
	ptx *ptx.Module
	// text is what ptx was parsed from, build host.Meta's.
	text    []byte
	build   string
	addr    map[string]uint64
	kernels map[string]*kernel
}

// Variables implements host.Module.
func (m *module) Variables() []host.Variable {
	var out []host.Variable
	types := lower.Types(m.ptx)
	for _, it := range m.ptx.Items {
		v, ok := it.(*ptx.Variable)
		if !ok || v.Space != ptx.Global && v.Space != ptx.Const && v.Space != ptx.Tex {
			continue
		}
		size := uint64(v.StorageSize())
		hv := host.Variable{
			Name: v.Name, Size: size, Align: uint64(v.Alignment()),
			Const: v.Space == ptx.Const, External: v.Linkage == ptx.Extern,
		}
		if t := types[v.Name]; t != nil && t.Size == size {
			hv.Type = t
		}
		if v.Init != nil {
			hv.Init = func(addrOf func(string) uint64) []byte {
				return v.InitialBytes(func(name string) uint64 {
					if a := lower.FuncAddr(m.ptx, name); a != 0 {
						return a
					}
					return addrOf(name)
				})
			}
		}
		out = append(out, hv)
	}
	return out
}

// Link implements host.Module.
func (m *module) Link(addr map[string]uint64) error {
	m.addr = addr
	if m.d.Proofs != nil {
		m.d.Proofs.Link(m.ptx.Name, addr)
	}
	return nil
}

// Kernels implements host.Module.
func (m *module) Kernels() []string {
	var names []string
	for _, it := range m.ptx.Items {
		if f, ok := it.(*ptx.Func); ok && f.Entry {
			names = append(names, f.Name)
		}
	}
	return names
}

// Kernel implements host.Module.
func (m *module) Kernel(name string) (host.Kernel, error) {
	if k, ok := m.kernels[name]; ok {
		return k, nil
	}
	if f := m.ptx.Func(name); f == nil || !f.Entry { // programs may ask for what is not there
		return nil, fmt.Errorf("module %s has no kernel %s", m.ptx.Name, name)
	}
	defer m.d.prepares(name)()
	p, err := lower.Kernel(m.ptx, name, m.addr)
	if err != nil {
		m.d.Failed = append(m.d.Failed, err) // a kernel that is there and cannot run is never the program's fault alone
		return nil, fmt.Errorf("kernel %s: %w", name, err)
	}
	m.d.stopsAt(p)
	k := &kernel{module: m, prog: p, shown: finding.Demangle(p.Name), block: requiredOf(m.ptx.Func(name), "reqntid"),
		cluster: requiredOf(m.ptx.Func(name), "reqnctapercluster")}
	m.kernels[name] = k
	return k, nil
}

// stopsAt adds the instructions at which a kernel stops to the limits, without those that the
// module's list has.
func (d *Device) stopsAt(p *program.Program) {
	for _, l := range lower.Stops(p) {
		known := func(o lower.Limit) bool {
			return !o.Reason.Approximate() && o.Func == l.Func && o.File == l.File && o.Line == l.Line && o.Opcode == l.Opcode
		}
		if !slices.ContainsFunc(d.Limits, known) {
			d.Limits = append(d.Limits, l)
		}
	}
}

// kernel is a lowered entry.
type kernel struct {
	module *module
	prog   *program.Program
	shown  string // its name as in the source
	// block and cluster are the extents that it requires of its blocks and clusters, zero for none.
	block, cluster trace.Dim3
}

func (k *kernel) Name() string         { return k.prog.Name }
func (k *kernel) SharedStatic() uint32 { return k.prog.SharedStatic }
func (k *kernel) LocalBytes() uint32   { return k.prog.StackBase }
func (k *kernel) MaxThreads() int      { return k.prog.MaxThreads }
func (k *kernel) Block() trace.Dim3    { return k.block }
func (k *kernel) Cluster() trace.Dim3  { return k.cluster }
func (k *kernel) Target() int          { return k.module.ptx.SM() }

// Registers cannot be known without a register allocator for the hardware.
func (k *kernel) Registers() int { return 32 }

func (k *kernel) Params() []host.Param {
	var ps []host.Param
	for _, p := range k.prog.Params {
		ps = append(ps, host.Param{Offset: uint32(p.Offset), Size: uint32(p.Size)})
	}
	return ps
}

// requiredOf is the extent that a directive requires, zero where the kernel has none (PTX ISA,
// "Performance-Tuning Directives: .reqntid", "Cluster Dimension Directives").
func requiredOf(f *ptx.Func, directive string) (d trace.Dim3) {
	if f == nil {
		return d
	}
	for _, dir := range f.Directives {
		if dir.Name == directive {
			d = trace.Dim3{X: 1, Y: 1, Z: 1}
			for i, at := range []*uint32{&d.X, &d.Y, &d.Z} {
				if i < len(dir.Args) {
					*at = uint32(dir.Args[i])
				}
			}
		}
	}
	return d
}
