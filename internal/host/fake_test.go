package host

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// fakeRunner stands for the engine: its kernels are Go functions.
type fakeRunner struct {
	arena *mem.Arena
	addr  map[string]uint64
	// during, if set, is called while a kernel is lowered whose name is prepared.
	during func()
}

type fakeKernel struct {
	name   string
	params []Param
	static uint32
	max    int
	block  trace.Dim3
	run    func(*fakeRunner, context.Context, LaunchConfig) (LaunchResult, error)
}

func (k *fakeKernel) Name() string         { return k.name }
func (k *fakeKernel) Params() []Param      { return k.params }
func (k *fakeKernel) SharedStatic() uint32 { return k.static }
func (k *fakeKernel) LocalBytes() uint32   { return 0 }
func (k *fakeKernel) Registers() int       { return 32 }
func (k *fakeKernel) MaxThreads() int      { return k.max }
func (k *fakeKernel) Block() trace.Dim3    { return k.block }
func (k *fakeKernel) Target() int          { return 80 }
func (k *fakeKernel) Cluster() trace.Dim3  { return trace.Dim3{} }

type errLacking struct{}

func (errLacking) Error() string       { return "lacking feature" }
func (errLacking) Unsupported() string { return "device feature X" }

func (f *fakeRunner) Load(_ string, ptx []byte, meta Meta) (Module, error) {
	if string(ptx) != "fake device code" || meta.Source != "fake.cu" {
		return nil, fmt.Errorf("bad module %q %+v", ptx, meta)
	}
	return f, nil
}

func (f *fakeRunner) Launch(ctx context.Context, k Kernel, c LaunchConfig) (LaunchResult, error) {
	return k.(*fakeKernel).run(f, ctx, c)
}

func (f *fakeRunner) Variables() []Variable {
	words := func(ws ...uint32) func(func(string) uint64) []byte {
		return func(func(string) uint64) []byte {
			var b []byte
			for _, w := range ws {
				b = binary.LittleEndian.AppendUint32(b, w)
			}
			return b
		}
	}
	return []Variable{
		{Name: "counter", Size: 4, Align: 4},
		{Name: "table", Size: 16, Align: 16, Const: true, Init: words(1, 2, 3, 4)},
		{Name: "managed", Size: 4, Align: 4, Init: words(5)},
	}
}

func (f *fakeRunner) Link(addr map[string]uint64) error {
	f.addr = addr
	return nil
}

func (f *fakeRunner) Kernel(name string) (Kernel, error) {
	if name == "prepared" {
		f.during()
	}
	if k, ok := fakeKernels[name]; ok {
		k.name = name
		return k, nil
	}
	return nil, errors.New("not in the module")
}

func (f *fakeRunner) Kernels() []string { return slices.Sorted(maps.Keys(fakeKernels)) }

// holds reports whether there is memory for a word at an address.
func (f *fakeRunner) holds(addr uint64) bool {
	al := f.arena.Find(addr)
	return al != nil && al.End()-addr >= 4
}

func (f *fakeRunner) add(addr uint64, n uint32) {
	if !f.holds(addr) {
		return
	}
	b := f.arena.Bytes(addr, 4)
	binary.LittleEndian.PutUint32(b, binary.LittleEndian.Uint32(b)+n)
}

func faulting(kind trace.FaultKind) *fakeKernel {
	return &fakeKernel{run: func(*fakeRunner, context.Context, LaunchConfig) (LaunchResult, error) {
		return LaunchResult{Fault: &trace.Fault{Kind: kind}}, nil
	}}
}

var fakeKernels = map[string]*fakeKernel{
	"oob":        faulting(trace.FaultOutOfBounds),
	"misaligned": faulting(trace.FaultMisaligned),
	"assertion":  faulting(trace.FaultAssert),
	"trap":       faulting(trace.FaultTrap),
	"hang":       faulting(trace.FaultBudget),
	"add_one": {params: []Param{{0, 8}, {8, 4}},
		run: func(f *fakeRunner, _ context.Context, c LaunchConfig) (LaunchResult, error) {
			base := binary.LittleEndian.Uint64(c.Params)
			n := binary.LittleEndian.Uint32(c.Params[8:])
			for i := range min(uint64(n), c.Grid.Size()*c.Block.Size()) {
				f.add(base+4*i, 1)
			}
			return LaunchResult{}, nil
		}},
	"count": {run: func(f *fakeRunner, _ context.Context, c LaunchConfig) (LaunchResult, error) {
		f.add(f.addr["counter"], uint32(c.Grid.Size()*c.Block.Size()))
		f.add(f.addr["managed"], uint32(c.Grid.Size()*c.Block.Size()))
		return LaunchResult{}, nil
	}},
	"say": {run: func(*fakeRunner, context.Context, LaunchConfig) (LaunchResult, error) {
		return LaunchResult{Printf: []byte("device says hello\n")}, nil
	}},
	"bounded": {static: 1024, max: 128,
		run: func(*fakeRunner, context.Context, LaunchConfig) (LaunchResult, error) {
			return LaunchResult{}, nil
		}},
	"boom": {run: func(*fakeRunner, context.Context, LaunchConfig) (LaunchResult, error) {
		panic("a bug")
	}},
	"lacking": {run: func(*fakeRunner, context.Context, LaunchConfig) (LaunchResult, error) {
		return LaunchResult{}, fmt.Errorf("at line 5: %w", errLacking{})
	}},
	"prepared": {run: func(*fakeRunner, context.Context, LaunchConfig) (LaunchResult, error) { return LaunchResult{}, nil }},
	"heap": {run: func(f *fakeRunner, _ context.Context, _ LaunchConfig) (LaunchResult, error) {
		_, err := f.arena.AllocSpec(mem.Spec{Size: 24, Kind: mem.Heap, Where: "malloc in kernel heap"})
		return LaunchResult{}, err
	}},
	// awaits waits for a word of memory to be set.
	"awaits": {params: []Param{{0, 8}}, run: func(f *fakeRunner, ctx context.Context, c LaunchConfig) (LaunchResult, error) {
		addr := binary.LittleEndian.Uint64(c.Params)
		if !f.holds(addr) || addr%4 != 0 {
			return LaunchResult{Fault: &trace.Fault{Kind: trace.FaultOutOfBounds}}, nil
		}
		word := f.arena.Pointer(addr)
		for atomic.LoadUint32((*uint32)(word)) == 0 && ctx.Err() == nil {
			if c.Await(false) != nil {
				return LaunchResult{Fault: &trace.Fault{Kind: trace.FaultBudget}}, nil
			}
		}
		return LaunchResult{}, ctx.Err()
	}},
	"slow": {run: func(_ *fakeRunner, ctx context.Context, _ LaunchConfig) (LaunchResult, error) {
		select {
		case <-ctx.Done():
			return LaunchResult{}, ctx.Err()
		case <-time.After(time.Minute):
			return LaunchResult{}, nil
		}
	}},
}
