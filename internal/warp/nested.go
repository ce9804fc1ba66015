package warp

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The device runtime: what device code can ask of the CUDA runtime (CUDA C++
// Programming Guide, "CUDA Dynamic Parallelism"). Child grids, copies and fills
// may run at any time between the call and the end of the parent grid, which
// does not end before they do. Here they run after the parent's last thread.

// Nested is a child grid, or a copy or fill of memory, that a thread asked for.
type Nested struct {
	Kind NestedKind
	// Func is the kernel's address, Buffer that of its parameters: it is freed
	// by whoever runs the grid.
	Func, Buffer uint64
	Grid, Block  trace.Dim3
	Shared       uint32
	// Stream is the handle; see TailLaunch.
	Stream uint64
	// Dst, Src and Bytes are those of a copy or fill, Value what is filled in.
	Dst, Src, Bytes uint64
	Value           byte
	Site            *trace.Site
}

// NestedKind says what a Nested is.
type NestedKind uint8

// The kinds.
const (
	NestedLaunch NestedKind = iota
	NestedCopy
	NestedFill
)

// TailLaunch is the stream whose work comes after all other of the parent
// (cudaStreamTailLaunch).
const TailLaunch = 3

// parameterBytes bounds a kernel's parameters ("CUDA C++ Programming Guide",
// "Function Parameters").
const parameterBytes = 4096

// nestedEnv is what a block has under way with the device runtime: parameter
// buffers that are not launched yet, and what is to run.
type nestedEnv struct {
	prepared map[uint64]Nested
	queue    []Nested
	handles  uint64
}

// Nested returns what the threads of the block asked for, in order.
func (e *Env) Nested() []Nested { return e.nested.queue }

// ForgetNested readies it for the next block.
func (e *Env) ForgetNested() {
	if e.nested.prepared != nil || e.nested.queue != nil {
		e.nested = nestedEnv{}
	}
}

type hostFunc = func(w *Warp, h *HostCall, l int) (uint64, bool)

// Error codes ("CUDA Runtime API", "cudaError").
const (
	codeSuccess       = 0
	codeInvalidValue  = 1
	codeMemory        = 2
	runtimeVersion    = 12030
	attributeWarpSize = 10
)

func init() {
	for name, f := range map[string]hostFunc{
		"GetParameterBufferV2": (*Warp).parameterBufferV2, "GetParameterBuffer": (*Warp).parameterBuffer,
		"LaunchDeviceV2": (*Warp).launchDeviceV2, "LaunchDevice": (*Warp).launchDevice,
		"DeviceSynchronize": (*Warp).deviceSynchronize, "GetLastError": success, "PeekAtLastError": success,
		"StreamCreateWithFlags": (*Warp).newHandle, "EventCreateWithFlags": (*Warp).newHandle,
		"StreamDestroy": success, "EventDestroy": success, "StreamWaitEvent": success, "EventRecord": success,
		"EventRecordWithFlags": success, "MemcpyAsync": (*Warp).nestedCopy, "MemsetAsync": (*Warp).nestedFill,
		"Malloc": (*Warp).nestedMalloc, "Free": (*Warp).nestedFree,
		"GetDevice": answer(func(*Warp, *HostCall, int) uint64 { return 0 }), "GetDeviceCount": answer(func(*Warp, *HostCall, int) uint64 { return 1 }),
		"RuntimeGetVersion":  answer(func(*Warp, *HostCall, int) uint64 { return runtimeVersion }),
		"DeviceGetAttribute": (*Warp).nestedAttribute,
	} {
		// The names of the first and of the second version, whose default
		// stream may be the thread's.
		for _, prefix := range []string{"cuda", "__cudaCDP2"} {
			hostFuncs[prefix+name], hostFuncs[prefix+name+"_ptsz"] = f, f
		}
	}
	hostFuncs["__cudaDeviceSynchronizeDeprecationAvoidance"] = (*Warp).deviceSynchronize
}

func success(*Warp, *HostCall, int) (uint64, bool) { return codeSuccess, true }

// answer makes a function that stores an int through its first argument.
func answer(value func(*Warp, *HostCall, int) uint64) hostFunc {
	return func(w *Warp, h *HostCall, l int) (uint64, bool) {
		return w.give(h, l, 4, value(w, h, l))
	}
}

// give stores a result of n bytes through the first argument.
func (w *Warp) give(h *HostCall, l, n int, v uint64) (uint64, bool) {
	if p := w.arg(h, 0, l); !w.poke(p, l, n, v) {
		return w.badPointer(h, l, "the result's address", p)
	}
	return codeSuccess, true
}

// dim3 reads argument i.
func (w *Warp) dim3(h *HostCall, i, l int) trace.Dim3 {
	var v [3]uint32
	if i < len(h.Args) {
		for k, s := range h.Args[i] {
			if k < 3 {
				v[k] = w.v32(s)[l]
			}
		}
	}
	return trace.Dim3{X: v[0], Y: v[1], Z: v[2]}
}

// buffer allocates memory for parameters.
func (w *Warp) buffer(n Nested, size uint64) (uint64, bool) {
	al, err := w.Env.Arena.AllocSpec(mem.Spec{Size: max(size, 1), Kind: mem.Symbol, Name: "(parameters)", Where: "parameters of a child grid"})
	if err != nil {
		return 0, true
	}
	x := &w.Env.nested
	if x.prepared == nil {
		x.prepared = map[uint64]Nested{}
	}
	n.Buffer = al.Base
	x.prepared[al.Base] = n
	return al.Base, true
}

// parameterBufferV2 is cudaGetParameterBufferV2(func, grid, block, shared).
func (w *Warp) parameterBufferV2(h *HostCall, l int) (uint64, bool) {
	return w.buffer(Nested{Func: w.arg(h, 0, l), Grid: w.dim3(h, 1, l), Block: w.dim3(h, 2, l), Shared: uint32(w.arg(h, 3, l))}, parameterBytes)
}

// parameterBuffer is cudaGetParameterBuffer(alignment, size).
func (w *Warp) parameterBuffer(h *HostCall, l int) (uint64, bool) {
	return w.buffer(Nested{}, min(w.arg(h, 1, l), parameterBytes))
}

// launchDeviceV2 is cudaLaunchDeviceV2(buffer, stream).
func (w *Warp) launchDeviceV2(h *HostCall, l int) (uint64, bool) {
	n, ok := w.Env.nested.prepared[w.arg(h, 0, l)]
	if !ok {
		return codeMemory, true
	}
	n.Stream = w.arg(h, 1, l)
	return w.launchNested(h, n)
}

// launchDevice is cudaLaunchDevice(func, buffer, grid, block, shared, stream).
func (w *Warp) launchDevice(h *HostCall, l int) (uint64, bool) {
	n := w.Env.nested.prepared[w.arg(h, 1, l)] // none for a kernel without parameters
	n.Func, n.Grid, n.Block = w.arg(h, 0, l), w.dim3(h, 2, l), w.dim3(h, 3, l)
	n.Shared, n.Stream = uint32(w.arg(h, 4, l)), w.arg(h, 5, l)
	return w.launchNested(h, n)
}

func (w *Warp) launchNested(h *HostCall, n Nested) (uint64, bool) {
	n.Site = h.Site
	delete(w.Env.nested.prepared, n.Buffer)
	w.Env.nested.queue = append(w.Env.nested.queue, n)
	return codeSuccess, true
}

// deviceSynchronize would have the block wait for its child grids, which CUDA
// has given up ("CUDA Dynamic Parallelism (CDP1)").
func (w *Warp) deviceSynchronize(h *HostCall, l int) (uint64, bool) {
	if len(w.Env.nested.queue) == 0 {
		return codeSuccess, true
	}
	w.fault(trace.FaultUnsupported, h.Site, 1<<l, "cudaDeviceSynchronize in device code")
	return 0, false
}

// newHandle is cudaStreamCreateWithFlags or cudaEventCreateWithFlags. What
// threads ask for runs in the order of the calls, which satisfies all streams
// and events.
func (w *Warp) newHandle(h *HostCall, l int) (uint64, bool) {
	w.Env.nested.handles++
	return w.give(h, l, 8, 0x100+w.Env.nested.handles<<4)
}

// nestedCopy is cudaMemcpyAsync(dst, src, bytes, kind, stream).
func (w *Warp) nestedCopy(h *HostCall, l int) (uint64, bool) {
	return w.transfer(h, l, Nested{Kind: NestedCopy, Dst: w.arg(h, 0, l), Src: w.arg(h, 1, l), Bytes: w.arg(h, 2, l), Stream: w.arg(h, 4, l)})
}

// nestedFill is cudaMemsetAsync(dst, value, bytes, stream).
func (w *Warp) nestedFill(h *HostCall, l int) (uint64, bool) {
	return w.transfer(h, l, Nested{Kind: NestedFill, Dst: w.arg(h, 0, l), Value: byte(w.arg(h, 1, l)), Bytes: w.arg(h, 2, l), Stream: w.arg(h, 3, l)})
}

// transfer checks the ranges, which have to be global memory.
func (w *Warp) transfer(h *HostCall, l int, n Nested) (uint64, bool) {
	n.Site = h.Site
	for _, side := range []struct {
		name string
		addr uint64
	}{{"destination", n.Dst}, {"source", n.Src}} {
		if n.Bytes == 0 || side.name == "source" && n.Kind == NestedFill {
			continue
		}
		if spaceOf(side.addr) != trace.SpaceGlobal {
			f := w.fault(trace.FaultOutOfBounds, h.Site, 1<<l, "%s: the %s is %s memory", call(h), side.name, spaceOf(side.addr))
			f.Addr, f.Lane, f.Space = side.addr, l, spaceOf(side.addr)
			return 0, false
		}
		if al := w.Env.Arena.Find(side.addr); al == nil || n.Bytes > al.End()-side.addr {
			f := w.fault(trace.FaultOutOfBounds, h.Site, 1<<l, "%s: the %s of %d bytes at %#x is not within an allocation", call(h), side.name, n.Bytes, side.addr)
			f.Addr, f.Lane, f.Space = side.addr, l, trace.SpaceGlobal
			return 0, false
		}
	}
	w.Env.nested.queue = append(w.Env.nested.queue, n)
	return codeSuccess, true
}

// call is the function's name as users write it.
func call(h *HostCall) string {
	return strings.Replace(strings.TrimSuffix(h.Name, "_ptsz"), "__cudaCDP2", "cuda", 1)
}

// nestedMalloc is cudaMalloc(pointer, bytes): memory of the device heap.
func (w *Warp) nestedMalloc(h *HostCall, l int) (uint64, bool) {
	n := w.arg(h, 1, l)
	if !w.Env.Heap.take(n) {
		return codeMemory, true
	}
	al, err := w.Env.Arena.Alloc(max(n, 1), 16, mem.Heap, "")
	if err != nil {
		return codeMemory, true
	}
	return w.give(h, l, 8, al.Base)
}

// nestedFree is cudaFree.
func (w *Warp) nestedFree(h *HostCall, l int) (uint64, bool) {
	_, ok := w.free(h, l)
	return codeSuccess, ok
}

// nestedAttribute is cudaDeviceGetAttribute(value, attribute, device).
func (w *Warp) nestedAttribute(h *HostCall, l int) (uint64, bool) {
	a := w.Env.Arch
	v, ok := map[uint64]int{1: a.MaxThreads, 2: a.MaxBlock[0], 3: a.MaxBlock[1], 4: a.MaxBlock[2],
		5: a.MaxGrid[0], 6: a.MaxGrid[1], 7: a.MaxGrid[2], 8: a.SharedPerBlock, attributeWarpSize: 32,
		39: a.MaxThreadsPerSM, 75: a.SM / 10, 76: a.SM % 10}[w.arg(h, 1, l)]
	if !ok {
		return codeInvalidValue, true
	}
	return w.give(h, l, 4, uint64(v))
}
