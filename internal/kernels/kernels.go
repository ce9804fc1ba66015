package kernels

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Kernels is a module whose kernels are called on buffers, without a host program. The
// module's variables keep their values from call to call.
type Kernels struct {
	// Name is the module's, PTX its text.
	Name string
	PTX  []byte
	// Memory bounds the device's memory in bytes; 0 for the default.
	Memory uint64
	Calls  []Call
	// Host is a program with a function that launches the kernels; nil for none. It brings the PTX, and each
	// call has one launch, whose arguments are the function's.
	Host *HostProgram `json:"-"`
	// Note asks for the HostFlow of each call of a HostProgram without Origins, Follow for all of it. Rules about undefined values cannot
	// run beside Follow.
	Note, Follow bool
}

// Call is one use of the kernels: buffers that are allocated for it, and launches in order.
type Call struct {
	Buffers  []Buffer
	Launches []KernelLaunch
}

// Buffer is device memory of a call. Without Contents it is uninitialized, and its bytes
// are poison: 0xff.
type Buffer struct {
	Name     string
	Size     uint64
	Contents []byte
}

// poison is what uninitialized buffers hold: a NaN in all floating-point types.
const poison = 0xff

// KernelLaunch is a launch of a call. Kernel is a name as in the source, or mangled; "" is the
// only kernel of the module.
type KernelLaunch struct {
	Kernel               string
	Grid, Block, Cluster trace.Dim3
	Shared               uint32
	Cooperative          bool
	Arguments            []KernelArgument
}

// KernelArgument is a pointer to the start of a buffer, by its index in the call, or, if that is
// negative, a value.
type KernelArgument struct {
	Buffer int
	Value  []byte
	// Pointers are the buffers that pointers in the value point to, by the bytes before them.
	Pointers map[int]int
}

// Refusal says why kernels cannot be called as they are.
type Refusal string

// The refusals.
const (
	InvalidPTX       Refusal = "invalid-ptx"
	NoKernel         Refusal = "no-kernel"
	WrongArguments   Refusal = "wrong-arguments"
	InvalidLaunch    Refusal = "invalid-launch"
	OutOfMemory      Refusal = "out-of-memory"
	UnsupportedInput Refusal = "unsupported"
)

// RefusedError is returned where kernels cannot be called.
type RefusedError struct {
	Refusal Refusal
	Message string
}

func (e *RefusedError) Error() string { return e.Message }

func refuse(r Refusal, format string, args ...any) error {
	return &RefusedError{r, fmt.Sprintf(format, args...)}
}

// Called is what came of Kernels.
type Called struct {
	Calls []CallResult
	// Findings are as the rules gave them: those of one cause are not joined.
	Findings []*finding.Finding
	// Stats are as in a report; Launches have what each launch executed, in order.
	Stats    map[string]any
	Launches []LaunchCost
	// Of a HostProgram, Crashed is set if it ended before all calls were over, Unfinished if a call returned before
	// its work had ended.
	Crashed, Unfinished bool
	// Printed is the bytes that device code printed, TimedOut is set if the context ended first.
	Printed  uint64
	TimedOut bool
}

// CallResult is the memory after a call.
type CallResult struct {
	// Contents are those of the buffers, in order; Unwritten counts bytes that were never
	// written, and Gap is the offset of the first of them.
	Contents       [][]byte
	Unwritten, Gap []uint64
	// Stopped is set if a launch of the call ended with a fault, so that later ones did not run.
	Stopped bool
	// Flow is what the host gave the device; nil unless it was asked for.
	Flow *HostFlow `json:",omitempty"`
}

// LaunchCost is what a launch executed, and what fits on a multiprocessor.
type LaunchCost struct {
	Call                                     int
	Kernel                                   string
	Blocks, Threads                          uint64
	WarpInstructions, Instructions, Accesses uint64
	// SharedBytes are those of a block; Registers an estimate of those of a thread.
	SharedBytes uint64
	Registers   int
	// Resident is how many blocks a multiprocessor holds by each limit alone.
	Resident Residence
	MaxWarps int
}

// Residence is blocks per multiprocessor by each limit of the architecture.
type Residence struct {
	Threads   int `json:"threads"`
	Blocks    int `json:"blocks"`
	Shared    int `json:"shared_memory"`
	Registers int `json:"registers"`
}

// Call calls kernels under a configuration, of which rules, architecture, race model, schedule
// and bounds count. The error is a *RefusedError or a *UsageError, or a bug.
func (k *Kernels) Call(ctx context.Context, cfg session.Config) (*Called, error) {
	s, err := session.NewSession(cfg)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	arena, err := mem.New(0)
	if err != nil {
		return nil, err
	}
	if k.Memory > 0 {
		arena.SetLimit(k.Memory)
	}
	r := &caller{Session: s, k: k, arena: arena, out: &Called{}}
	err = r.run(ctx)
	if (r.replay == nil || !r.replay.Abandoned()) && (r.server == nil || !r.server.Abandoned()) {
		arena.Close()
	}
	return r.out, err
}

// caller calls the kernels of a module.
type caller struct {
	*session.Session
	k      *Kernels
	arena  *mem.Arena
	d      *device.Device
	m      host.Module
	parsed *ptx.Module
	out    *Called
	call   int
	replay *host.Replay
	// Of a HostProgram: served is closed when it has said all, and flow follows what it gives the device, if set.
	server *host.Server
	served chan struct{}
	near   *session.Neighbors
	flow   *hostFlow
	work   uint64
}

func (r *caller) run(ctx context.Context) error {
	r.near = session.NewNeighbors()
	r.Observers = append(r.Observers, r.near.Observer(), &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{MarksWritten: true}}
	}})
	if (r.k.Note || r.k.Follow) && r.k.Host != nil {
		if r.flow = newHostFlow(r.arena, r.k.Follow); r.k.Follow {
			r.Observers = append(r.Observers, r.flow.observer())
		}
	}
	d, end, err := r.Device(r.arena)
	if err != nil {
		return err
	}
	r.d = d
	r.arena.TrackWrites()
	hooks := r.Hooks()
	hooks.Launched = func(l *host.LaunchInfo, res host.LaunchResult) {
		r.Launched(l, res)
		r.out.Printed += uint64(len(res.Printf)) + res.Lost
	}
	ran := d.Ran
	d.Ran = func(l *device.Ran) { ran(l); r.cost(l) }
	if r.k.Host != nil {
		if r.flow != nil {
			r.flow.add(&hooks)
		}
		r.k.Host.standsStill(&hooks)
		r.serveHost(ctx, hooks)
		err = r.awaitStart(ctx)
	} else {
		r.replay = NewReplay(r.Session, d, hooks)
		err = r.load()
	}
	if err != nil {
		return err
	}
	for i := range r.k.Calls {
		if r.out.TimedOut || r.out.Crashed {
			break
		}
		r.call = i
		if err := r.one(ctx, &r.k.Calls[i]); err != nil {
			return err
		}
	}
	if r.k.Host != nil {
		r.endHost()
	}
	end()
	r.Partial = true // comments in the source hide nothing
	r.Finish(ctx, d, host.Exit{})
	r.out.Findings, r.out.Stats = r.Found, r.Report.Stats
	return r.Bug
}

// load loads the module and gives its variables memory.
func (r *caller) load() (err error) {
	if r.parsed, err = ptx.Parse(r.k.Name, r.k.PTX); err != nil {
		return refuse(InvalidPTX, "%v", err)
	}
	if r.m, err = r.d.Load(r.k.Name, r.k.PTX, host.Meta{Build: host.GivenPTX, Module: r.k.Name}); err != nil {
		return refuse(InvalidPTX, "%v", err)
	}
	addr := map[string]uint64{}
	vars := r.m.Variables()
	for _, v := range vars {
		if v.External {
			return refuse(InvalidPTX, "variable %s is declared and not defined", v.Name)
		}
		al, err := r.arena.AllocSpec(mem.Spec{Size: v.Size, Align: v.Align, Kind: mem.Symbol, Name: v.Name,
			ReadOnly: v.Const, Unfilled: v.Const && v.Init == nil, Type: v.Type, Where: "variable " + v.Name})
		if err != nil {
			return refuse(OutOfMemory, "variable %s of %d bytes: %v", v.Name, v.Size, err)
		}
		addr[v.Name] = al.Base
	}
	if err := r.m.Link(addr); err != nil {
		return refuse(InvalidPTX, "%v", err)
	}
	for _, v := range vars {
		if v.Init != nil {
			b := v.Init(func(name string) uint64 { return addr[name] })
			copy(r.arena.Bytes(addr[v.Name], v.Size), b)
			if w := r.arena.Find(addr[v.Name]).Written; w != nil {
				w.Mark(0, v.Size)
			}
		}
	}
	return nil
}

// one makes one call.
func (r *caller) one(ctx context.Context, c *Call) error {
	list, err := r.allocate(c)
	if err != nil {
		return err
	}
	var res CallResult
	launch := r.launch
	if r.k.Host != nil {
		launch = r.callHost
	}
	if r.flow != nil {
		r.flow.begin(list)
	}
	for i := range c.Launches {
		l := &c.Launches[i]
		stopped, err := launch(ctx, l, list)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			r.out.TimedOut = true
			return nil
		}
		if res.Stopped = stopped; stopped {
			break
		}
	}
	r.arena.Settle()
	if r.flow != nil {
		res.Flow = r.flow.finish(list)
	}
	for _, al := range list {
		res.Contents = append(res.Contents, append([]byte(nil), r.arena.Bytes(al.Base, al.Size)...))
		var gap, missing uint64
		if al.Written != nil {
			gap, _, missing = al.Written.Gap(0, al.Size)
		}
		res.Unwritten, res.Gap = append(res.Unwritten, missing), append(res.Gap, gap)
		if _, err := r.arena.Free(al.Base); err != nil {
			return err
		}
	}
	r.out.Calls = append(r.out.Calls, res)
	return nil
}

// allocate makes the buffers of a call.
func (r *caller) allocate(c *Call) (list []*mem.Allocation, err error) {
	for _, b := range c.Buffers {
		al, err := r.arena.AllocSpec(mem.Spec{Size: max(b.Size, 1), Kind: mem.Device, Where: "buffer " + b.Name, Call: "buffer " + b.Name})
		if err != nil {
			return nil, refuse(OutOfMemory, "buffer %s of %d bytes: %v", b.Name, b.Size, err)
		}
		bytes := r.arena.Bytes(al.Base, b.Size)
		if b.Contents == nil {
			for i := range bytes {
				bytes[i] = poison
			}
		} else if copy(bytes, b.Contents); al.Written != nil {
			al.Written.Mark(0, b.Size)
		}
		list = append(list, al)
	}
	return list, nil
}

// launch runs one launch, and reports whether it ended with a fault.
func (r *caller) launch(ctx context.Context, l *KernelLaunch, list []*mem.Allocation) (stopped bool, err error) {
	name, err := r.entry(l.Kernel)
	if err != nil {
		return false, err
	}
	k, err := r.m.Kernel(name)
	if err != nil {
		return false, refusedBy(err, InvalidPTX)
	}
	cfg := host.LaunchConfig{ID: r.replay.Launches(), Limits: host.DefaultLimits(), Grid: l.Grid, Block: l.Block, Cluster: l.Cluster, SharedDynamic: l.Shared, Cooperative: l.Cooperative}
	if cfg.Cluster == (trace.Dim3{}) {
		cfg.Cluster = k.Cluster()
	}
	if cfg.Params, err = parameters(k, l, list); err != nil {
		return false, err
	}
	if err := host.Admissible(r.Arch, k, cfg); err != nil {
		return false, refuse(InvalidLaunch, "%v", err)
	}
	if l.Cooperative {
		if cfg.GridWorkspace, err = r.workspace(); err != nil {
			return false, err
		}
	}
	_, ok := r.replay.Run(ctx, r.m, k, &host.LaunchInfo{Kernel: name, Module: r.k.Name, LaunchConfig: cfg}, cfg.ID+1)
	if r.Unsupported != "" {
		return false, refuse(UnsupportedInput, "%s", r.Unsupported)
	}
	return !ok, r.Bug
}

// workspace is the barrier of cooperative launches.
func (r *caller) workspace() (uint64, error) {
	if r.work == 0 {
		al, err := r.arena.AllocSpec(mem.Spec{Size: 8, Kind: mem.Device, Where: "the barrier of the grid"})
		if err != nil {
			return 0, err
		}
		if r.work = al.Base; al.Written != nil {
			al.Written.Mark(0, 8)
		}
	}
	return r.work, nil
}

// entry finds a kernel by its name in the source, or as it is mangled.
func (r *caller) entry(name string) (string, error) {
	var all, fits []string
	for _, it := range r.parsed.Items {
		f, ok := it.(*ptx.Func)
		if !ok || !f.Entry || slices.Contains(all, f.Name) { // declared before
			continue
		}
		all = append(all, f.Name)
		if name == "" || f.Name == name || finding.DemangleName(f.Name) == name || finding.Demangle(f.Name) == name {
			fits = append(fits, f.Name)
		}
	}
	switch {
	case len(fits) == 1:
		return fits[0], nil
	case len(fits) > 1:
		return "", refuse(NoKernel, "%d kernels fit the name %q: give the whole name, such as %s", len(fits), name, finding.Demangle(fits[0]))
	case len(all) == 0:
		return "", refuse(NoKernel, "the module has no kernel")
	}
	return "", refuse(NoKernel, "the module has no kernel %q, but %s", name, finding.Demangle(all[0]))
}

// parameters lays out the arguments of a launch.
func parameters(k host.Kernel, l *KernelLaunch, list []*mem.Allocation) ([]byte, error) {
	ps := k.Params()
	if len(ps) != len(l.Arguments) {
		return nil, refuse(WrongArguments, "kernel %s takes %d arguments, and the job has %d", finding.Demangle(k.Name()), len(ps), len(l.Arguments))
	}
	var out []byte
	for i, p := range ps {
		a := l.Arguments[i]
		value := a.Value
		if a.Buffer >= 0 {
			value = appendPointer(value, list[a.Buffer].Base)
		}
		for at, buffer := range a.Pointers {
			if value = slices.Clone(value); at+8 <= len(value) {
				copy(value[at:], appendPointer(nil, list[buffer].Base))
			}
		}
		if len(value) != int(p.Size) {
			return nil, refuse(WrongArguments, "argument %d of kernel %s has %d bytes, and the job's has %d", i+1, finding.Demangle(k.Name()), p.Size, len(value))
		}
		for len(out) < int(p.Offset) {
			out = append(out, 0)
		}
		out = append(out, value...)
	}
	return out, nil
}

// refusedBy is the refusal for an error of the device's.
func refusedBy(err error, otherwise Refusal) error {
	var u interface{ Unsupported() string }
	if errors.As(err, &u) {
		return refuse(UnsupportedInput, "%s", u.Unsupported())
	}
	return refuse(otherwise, "%v", err)
}

// cost notes what a launch executed.
func (r *caller) cost(l *device.Ran) {
	c := LaunchCost{Call: r.call, Kernel: l.Shown, Blocks: l.Config.Grid.Size(), Threads: l.Config.Block.Size(),
		WarpInstructions: l.Counts.WarpInstrs, Instructions: l.Counts.ThreadInstrs, Accesses: l.Counts.Accesses,
		MaxWarps: r.Arch.MaxThreadsPerSM / arch.WarpSize}
	c.SharedBytes, c.Registers = uint64(l.SharedStatic)+uint64(l.Config.SharedDynamic), l.Registers
	c.Resident = residence(r.Arch, &c)
	r.out.Launches = append(r.out.Launches, c)
}

// residence is how many blocks of a launch a multiprocessor holds by each limit alone (CUDA C++
// Programming Guide, "Hardware Multithreading" and "Compute Capabilities").
func residence(a *arch.Arch, c *LaunchCost) Residence {
	const unit = 256 // registers are allocated to warps in units of so many
	warps := int(c.Threads+arch.WarpSize-1) / arch.WarpSize
	out := Residence{Threads: a.MaxThreadsPerSM / (warps * arch.WarpSize), Blocks: a.MaxBlocksPerSM, Shared: a.MaxBlocksPerSM, Registers: a.MaxBlocksPerSM}
	if c.SharedBytes > 0 {
		out.Shared = a.SharedPerSM / int(c.SharedBytes+host.ReservedShared(a))
	}
	if c.Registers > 0 {
		perWarp := (c.Registers*arch.WarpSize + unit - 1) / unit * unit
		out.Registers = a.RegsPerSM / (perWarp * warps)
	}
	return out
}

// replays makes what runs launches without a program.
func NewReplay(s *session.Session, d *device.Device, hooks host.Hooks) *host.Replay {
	r := host.NewReplay(host.Config{Arena: d.Arena, Arch: s.Arch, Forgive: s.Cfg.OnFault == "kernel", Runner: d, Observer: s.On, Hooks: hooks})
	s.Numbers = r
	return r
}
