package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/ptx/fatbin"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Meta is the metadata that the front end stores next to the PTX of a module.
type Meta struct {
	// Source is the CUDA file, Build the build kept ("keep", "optimized"),
	// Clang the compiler's version, Module the module's name.
	Source string `json:"source"`
	Build  string `json:"build"`
	Clang  string `json:"clang"`
	Module string `json:"module"`
	// Targets lists the parts of the PTX, one per architecture. It is nil for PTX that names none.
	Targets []Target `json:"targets"`
}

// Target is a part of a module's PTX, for the architecture SM. Only is "a" where no other one runs
// it, "f" where those of its family do.
type Target struct {
	SM, Bytes int
	Only      string
}

// oldestCompiled is the oldest architecture that the compiler targets. Older devices run its code too.
const oldestCompiled = 35

// RunsOn reports whether a device of architecture sm runs it.
func (t Target) RunsOn(sm int) bool {
	sm = max(sm, oldestCompiled)
	switch t.Only {
	case "a":
		return t.SM == sm
	case "f":
		return t.SM <= sm && t.SM/10 == sm/10
	}
	return t.SM <= sm
}

// betterThan reports whether a device that runs both takes it rather than o.
func (t Target) betterThan(o Target) bool {
	if t.SM == o.SM {
		return t.Only != "" && o.Only == ""
	}
	return t.SM > o.SM
}

// choose returns the PTX for a device of architecture sm: of what it runs the
// newest, as the driver takes it ("CUDA C++ Programming Guide", "Just-in-Time
// Compilation"). The error is a *fatbin.NoImageError if it runs none.
func (m *Meta) choose(ptx []byte, sm int) ([]byte, error) {
	if m.Targets == nil {
		return ptx, nil
	}
	var best []byte
	var of Target
	for _, t := range m.Targets {
		if t.Bytes < 0 || t.Bytes > len(ptx) {
			return nil, nil // damaged
		}
		text := ptx[:t.Bytes]
		ptx = ptx[t.Bytes:]
		if t.RunsOn(sm) && (best == nil || t.betterThan(of)) {
			best, of = text, t
		}
	}
	if best == nil && len(m.Targets) > 0 {
		return nil, m.noImage(sm)
	}
	return best, nil
}

// noImage is the error of a device that runs no part.
func (m *Meta) noImage(sm int) error {
	targets := slices.Clone(m.Targets)
	slices.SortStableFunc(targets, func(a, b Target) int { return a.SM - b.SM })
	e := &fatbin.NoImageError{Device: sm}
	for _, t := range targets {
		e.For = append(e.For, fmt.Sprintf("sm_%d%s", t.SM, t.Only))
	}
	return e
}

// text returns the PTX of a part for a device of architecture sm.
func (m *Meta) text(part protocol.Part, sm int) ([]byte, error) {
	all, err := fatbin.Unpack(part.PTX)
	if err != nil {
		return nil, err
	}
	return m.choose(all, sm)
}

// GivenPTX is the Meta.Build of PTX that the program itself gave to the driver
// API.
const GivenPTX = "ptx"

// Runner executes device code. The server calls it from one goroutine at a time, and
// again while a launch waits in LaunchConfig.Await.
type Runner interface {
	// Load parses and prepares a module. name tells the modules of a process
	// apart. An error that has a method Unsupported() string, naming the
	// feature, stops the check as unsupported; any other one means that the
	// PTX is invalid.
	Load(name string, ptx []byte, meta Meta) (Module, error)
	// Launch runs a kernel to its end. The error is an unsupported feature
	// (as for Load), the end of ctx, or a bug of the engine; what the program
	// did wrong is LaunchResult.Fault.
	Launch(ctx context.Context, k Kernel, c LaunchConfig) (LaunchResult, error)
}

// Module is a loaded PTX module.
type Module interface {
	// Variables lists the module-scope .global and .const variables. The
	// server allocates each of them and then calls Link.
	Variables() []Variable
	// Link tells the addresses, by name, of the module's variables and of
	// those that it declares and an earlier module defines. It resolves names
	// in code. The server then writes Variable.Init, where there is one.
	Link(addr map[string]uint64) error
	// Kernel finds an entry by its mangled name.
	Kernel(name string) (Kernel, error)
	// Kernels lists the mangled names of the entries.
	Kernels() []string
}

// Variable is a module-scope variable. Size and Align are in bytes. External
// marks a declaration without a definition in this module.
type Variable struct {
	Name        string
	Size, Align uint64
	Const       bool
	External    bool
	// Type is nil where it is not known.
	Type *ctype.Type
	// Init returns the initial bytes, at most Size of them, for given
	// addresses of names; nil where the variable starts as zero.
	Init func(addrOf func(name string) uint64) []byte
}

// Kernel is an entry function of a module.
type Kernel interface {
	Name() string
	// Params are the parameters in order.
	Params() []Param
	// SharedStatic and LocalBytes are bytes per block and per thread.
	SharedStatic() uint32
	LocalBytes() uint32
	// Registers is an estimate of the registers that a thread needs.
	Registers() int
	// MaxThreads is the bound of .maxntid or .reqntid on the threads of a
	// block; 0 without one.
	MaxThreads() int
	// Block is the extent in threads of the blocks that the kernel must be launched
	// with (.reqntid), zero where it takes any.
	Block() trace.Dim3
	// Cluster is the extent in blocks of the clusters that the kernel must be
	// launched with (.reqnctapercluster), zero where there are none.
	Cluster() trace.Dim3
	// Target is the architecture that it was compiled for: 80 for sm_80.
	Target() int
}

// Param is where a kernel parameter lies in LaunchConfig.Params, in bytes.
type Param struct{ Offset, Size uint32 }

// LaunchConfig is a launch that passed the limits of the architecture.
type LaunchConfig struct {
	// ID counts launches from 0, in the order in which they are enqueued.
	ID          int
	Grid, Block trace.Dim3
	// Blocks are those that run, by linear index in rising order; nil for all.
	Blocks []uint64
	// SharedDynamic is the dynamic shared memory of a block in bytes.
	SharedDynamic uint32
	// Params is the parameter buffer, laid out as Kernel.Params says.
	Params []byte
	// Stream is 0 for the legacy default stream.
	Stream uint64
	// Device is the device that runs it, from 0.
	Device int
	// Limits are those of the device at the launch.
	Limits Limits
	// Cluster is the extent of clusters in blocks, zero for a launch without.
	Cluster trace.Dim3
	// Programmatic is set if it may begin before the kernel before it in its stream has
	// ended (programmatic stream serialization).
	Programmatic bool
	// MayOverlap is set if such a launch may follow, as far as the program's code tells.
	MayOverlap bool
	// Cooperative is set if all blocks run at once and may wait for each other.
	Cooperative bool
	// GridWorkspace is the device address of 8 bytes for the barrier of a
	// cooperative launch, else 0.
	GridWorkspace uint64
	// Resident is how many blocks of the kernel the device keeps at once.
	Resident int
	// Nesting serves what the kernel's threads ask of the device runtime.
	Nesting Nesting
	// Await is called when no thread can continue before something else has changed memory,
	// with whether any has got on since the last call. It returns nil when that may have
	// happened, and what the host does if it never will.
	Await func(progressed bool) *trace.HostState
	// Unseen reports whether no thread of the host runs while the launch does, so that none sees what it does to managed memory.
	// It may be asked when the launch begins.
	Unseen func() bool
	// Moment numbers the state of memory when the launch has ended, by how much work the
	// programs have enqueued; ok is set if all other work has ended.
	Moment func() (n uint64, ok bool)
}

// Nesting is the server's side of the device runtime. It is called from the
// goroutine that called Runner.Launch, and may call that again.
type Nesting interface {
	// Check returns the code with which CUDA refuses a child grid.
	Check(n *ChildWork) Code
	// MayWait returns the code with which CUDA refuses a wait at where.
	MayWait(where *trace.Site) Code
	// Wait runs what is in list, after the device text printed. It returns false if
	// the parent must not continue.
	Wait(printed []byte, list []ChildWork) bool
}

// Source is a CUDA translation unit to compile to PTX (NVRTC).
type Source struct {
	// Name is what messages call it; Headers are names that its #include
	// lines may use, with their texts.
	Name, Text string
	Headers    map[string]string
	// Options are NVRTC's, in order ("NVRTC", "Supported Compile Options").
	Options []string
	// Names are C++ expressions of kernels and variables whose mangled names
	// are wanted.
	Names []string
}

// Compiled is what came of a Source. PTX is nil where it has errors; Log is
// the compiler's text. Lowered has a mangled name for each of Names.
type Compiled struct {
	PTX     []byte
	Log     string
	Lowered []string
}

// LaunchResult is what came of a launch.
type LaunchResult struct {
	// Printf is what the kernel printed and the buffer held, Lost how many bytes
	// before it were overwritten there.
	Printf []byte
	Lost   uint64
	// Fault is what ended the launch early, or nil.
	Fault *trace.Fault
	// ChildWork is what its threads asked the device runtime for and did not wait
	// for, in order.
	ChildWork []ChildWork
}
