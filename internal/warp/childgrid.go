package warp

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// The device runtime: what device code can ask of the CUDA runtime (CUDA C++
// Programming Guide, "CUDA Dynamic Parallelism"). Child grids, copies and fills
// may run at any time between the call and the end of the parent grid, which
// does not end before they do. Here they run where a thread of their block waits
// for them, else after the parent's last thread.

// Children is who runs what the threads of a block asked for.
type Children interface {
	// Prepare looks at a child grid before its launch: the bytes of its
	// parameters, or the code (of cudaError_t) with which the launch fails.
	Prepare(n *ChildWork) (bytes uint64, code uint32)
	// Wait runs what is in list to its end; site is where it is waited for. ok is
	// false where the parent must not continue, otherwise code is that of the wait.
	Wait(site *trace.Site, list []ChildWork) (code uint32, ok bool)
}

// ChildWork is a child grid, or a copy or fill of memory, that a thread asked for,
// or what it said of the order of its streams.
type ChildWork struct {
	Kind  ChildKind
	Child trace.Child
	// Func is the kernel's address, Buffer that of its parameters: it is freed
	// by whoever runs the grid.
	Func, Buffer uint64
	Grid, Block  trace.Dim3
	Shared       uint32
	Stream       trace.DeviceStream
	// Dst, Src and Bytes are those of a copy or fill, Value what is filled in.
	Dst, Src, Bytes uint64
	Value           byte
	// Event is what is recorded in the stream, or what the stream waits for.
	Event uint64
	Site  *trace.Site
}

// ChildKind says what a ChildWork is.
type ChildKind uint8

// The kinds.
const (
	ChildLaunch ChildKind = iota
	ChildCopy
	ChildFill
	ChildRecord
	ChildAwait
)

// parameterBytes bounds a kernel's parameters where its size is not known
// ("CUDA C++ Programming Guide", "Function Parameters").
const parameterBytes = 4096

// childWorkEnv is what a block has under way with the device runtime: parameter
// buffers that are not launched yet, what is to run, and each thread's last
// error.
type childWorkEnv struct {
	prepared  map[uint64]ChildWork
	queue     []ChildWork
	asked     int
	handles   uint64
	lastError map[int]uint64
}

// ChildWork returns what the threads of the block asked for and did not wait for,
// in order.
func (e *Env) ChildWork() []ChildWork { return e.children.queue }

// ForgetChildWork readies it for the next block.
func (e *Env) ForgetChildWork() { e.children = childWorkEnv{} }

type hostFunc = func(w deviceRuntime, h *program.HostCall, l int) (uint64, bool)

// Error codes ("CUDA Runtime API", "cudaError").
const (
	codeSuccess        = 0
	codeInvalidValue   = 1
	codeMemory         = 2
	codeInvalidHandle  = 400
	codeInvalidPointer = 17
	runtimeVersion     = 13000
	attributeWarpSize  = 10
)

// requests and queries are those that keep the error they return; see package program.
var requests, queries = map[string]hostFunc{
	"GetParameterBufferV2": deviceRuntime.parameterBufferV2, "GetParameterBuffer": deviceRuntime.parameterBuffer,
	"LaunchDeviceV2": deviceRuntime.launchDeviceV2, "LaunchDevice": deviceRuntime.launchDevice,
	"DeviceSynchronize": deviceRuntime.deviceSynchronize, "MemcpyAsync": deviceRuntime.deviceCopy, "MemsetAsync": deviceRuntime.deviceFill,
	"StreamCreateWithFlags": deviceRuntime.newStream, "EventCreateWithFlags": deviceRuntime.newEvent,
	"StreamWaitEvent": deviceRuntime.streamWaitEvent, "EventRecord": deviceRuntime.eventRecord, "EventRecordWithFlags": deviceRuntime.eventRecord,
	"Malloc": deviceRuntime.deviceMalloc, "Free": deviceRuntime.deviceFree,
}, map[string]hostFunc{
	"StreamDestroy": success, "EventDestroy": success,
	"GetDevice":          answer(func(deviceRuntime, *program.HostCall, int) uint64 { return 0 }),
	"GetDeviceCount":     answer(func(deviceRuntime, *program.HostCall, int) uint64 { return 1 }),
	"RuntimeGetVersion":  answer(func(deviceRuntime, *program.HostCall, int) uint64 { return runtimeVersion }),
	"DeviceGetAttribute": deviceRuntime.deviceAttribute,
}

func init() {
	for _, table := range []map[string]hostFunc{requests, queries} {
		for name, f := range table {
			provide(name, noting(f))
		}
	}
	provide("GetLastError", lastError(true))
	provide("PeekAtLastError", lastError(false))
	hostFuncs["__cudaDeviceSynchronizeDeprecationAvoidance"] = hostFuncs["cudaDeviceSynchronize"]
}

// provide gives a function of the device runtime its names.
func provide(name string, f hostFunc) {
	for _, n := range program.RuntimeNames(name) {
		hostFuncs[n] = f
	}
}

// noting makes a function keep the error that it returns for the thread.
func noting(f hostFunc) hostFunc {
	return func(w deviceRuntime, h *program.HostCall, l int) (uint64, bool) {
		code, ok := f(w, h, l)
		if !strings.Contains(h.Name, "ParameterBuffer") {
			w.runtime().note(l, code)
		}
		return code, ok
	}
}

// note keeps a thread's error, if it is one.
func (w deviceRuntime) note(l int, code uint64) {
	if code == codeSuccess {
		return
	}
	x := &w.Env.children
	if x.lastError == nil {
		x.lastError = map[int]uint64{}
	}
	x.lastError[32*w.Index+l] = code
}

// lastError is cudaGetLastError or, where it does not forget,
// cudaPeekAtLastError.
func lastError(forget bool) hostFunc {
	return func(w deviceRuntime, _ *program.HostCall, l int) (uint64, bool) {
		x := &w.Env.children
		code := x.lastError[32*w.Index+l]
		if forget {
			delete(x.lastError, 32*w.Index+l)
		}
		return code, true
	}
}

func success(deviceRuntime, *program.HostCall, int) (uint64, bool) { return codeSuccess, true }

// answer makes a function that stores an int through its first argument.
func answer(value func(deviceRuntime, *program.HostCall, int) uint64) hostFunc {
	return func(w deviceRuntime, h *program.HostCall, l int) (uint64, bool) {
		return w.runtime().give(h, l, 4, value(w, h, l))
	}
}

// give stores a result of n bytes through the first argument.
func (w deviceRuntime) give(h *program.HostCall, l, n int, v uint64) (uint64, bool) {
	if p := w.Arg(h, 0, l); !w.poke(p, l, n, v) {
		return w.badPointer(h, l, "the result's address", p)
	}
	return codeSuccess, true
}

// dim3 reads argument i.
func (w deviceRuntime) dim3(h *program.HostCall, i, l int) trace.Dim3 {
	var v [3]uint32
	if i < len(h.Args) {
		for k, s := range h.Args[i] {
			if k < 3 {
				v[k] = w.V32(s)[l]
			}
		}
	}
	return trace.Dim3{X: v[0], Y: v[1], Z: v[2]}
}

// prepare asks whether a child grid can be launched. An error is the thread's
// last one.
func (w deviceRuntime) prepare(n *ChildWork, l int) (bytes uint64, ok bool) {
	if w.Env.Children == nil {
		return parameterBytes, true
	}
	bytes, code := w.Env.Children.Prepare(n)
	w.note(l, uint64(code))
	return bytes, code == codeSuccess
}

// buffer allocates memory for parameters.
func (w deviceRuntime) buffer(n ChildWork, size uint64, l int) (uint64, bool) {
	al, err := w.Env.Arena.AllocSpec(mem.Spec{Size: max(size, 1), Kind: mem.Symbol, Name: "(parameters)", Where: "parameters of a child grid"})
	if err != nil {
		w.note(l, codeMemory)
		return 0, true
	}
	x := &w.Env.children
	if x.prepared == nil {
		x.prepared = map[uint64]ChildWork{}
	}
	n.Buffer = al.Base
	x.prepared[al.Base] = n
	return al.Base, true
}

// parameterBufferV2 is cudaGetParameterBufferV2(func, grid, block, shared). It
// returns a null pointer where the launch would fail.
func (w deviceRuntime) parameterBufferV2(h *program.HostCall, l int) (uint64, bool) {
	n := ChildWork{Func: w.Arg(h, 0, l), Grid: w.dim3(h, 1, l), Block: w.dim3(h, 2, l), Shared: uint32(w.Arg(h, 3, l)), Site: h.Site}
	bytes, ok := w.prepare(&n, l)
	if !ok {
		return 0, true
	}
	return w.buffer(n, bytes, l)
}

// parameterBuffer is cudaGetParameterBuffer(alignment, size).
func (w deviceRuntime) parameterBuffer(h *program.HostCall, l int) (uint64, bool) {
	return w.buffer(ChildWork{}, min(w.Arg(h, 1, l), parameterBytes), l)
}

// launchDeviceV2 is cudaLaunchDeviceV2(buffer, stream).
func (w deviceRuntime) launchDeviceV2(h *program.HostCall, l int) (uint64, bool) {
	n, ok := w.Env.children.prepared[w.Arg(h, 0, l)]
	if !ok {
		return codeInvalidPointer, true
	}
	n.Stream = trace.DeviceStream(w.Arg(h, 1, l))
	return w.launchChild(h, l, n)
}

// launchDevice is cudaLaunchDevice(func, buffer, grid, block, shared, stream).
func (w deviceRuntime) launchDevice(h *program.HostCall, l int) (uint64, bool) {
	n := w.Env.children.prepared[w.Arg(h, 1, l)] // none for a kernel without parameters
	n.Func, n.Grid, n.Block = w.Arg(h, 0, l), w.dim3(h, 2, l), w.dim3(h, 3, l)
	n.Shared, n.Stream, n.Site = uint32(w.Arg(h, 4, l)), trace.DeviceStream(w.Arg(h, 5, l)), h.Site
	if _, ok := w.prepare(&n, l); !ok {
		return w.Env.children.lastError[32*w.Index+l], true
	}
	return w.launchChild(h, l, n)
}

func (w deviceRuntime) launchChild(h *program.HostCall, l int, n ChildWork) (uint64, bool) {
	delete(w.Env.children.prepared, n.Buffer)
	if !isDeviceStream(n.Stream) {
		if n.Buffer != 0 {
			w.dropBuffer(n.Buffer)
		}
		return codeInvalidHandle, true
	}
	return w.ask(h, l, n)
}

// dropBuffer frees a parameter buffer that no grid gets.
func (w deviceRuntime) dropBuffer(buffer uint64) {
	w.Env.cached = nil
	w.Env.Forget(w.Prog)
	_, _ = w.Env.Arena.Free(buffer)
}

// ask puts a request after the block's others.
func (w deviceRuntime) ask(h *program.HostCall, l int, n ChildWork) (uint64, bool) {
	x, b := &w.Env.children, &w.Env.Block
	n.Site, n.Child = h.Site, trace.Child{Parent: b.Launch.ID, Block: b.Index, N: x.asked}
	x.asked++
	x.queue = append(x.queue, n)
	if f := w.Env.On.Spawned; f != nil && n.Kind <= ChildFill {
		f(&trace.Spawn{Site: h.Site, Warp: w.Index, Lane: l, Child: n.Child, Stream: n.Stream})
	}
	return codeSuccess, true
}

// deviceSynchronize waits for what the block asked for before ("CUDA Dynamic
// Parallelism (CDP1)", "Synchronization"): it runs now. Grids of the tail stream
// come after the parent.
func (w deviceRuntime) deviceSynchronize(h *program.HostCall, l int) (uint64, bool) {
	x := &w.Env.children
	if w.Env.Children == nil {
		if len(x.queue) == 0 {
			return codeSuccess, true
		}
		w.Fault(trace.FaultUnsupported, "", h.Site, 1<<l, "cudaDeviceSynchronize in device code")
		return 0, false
	}
	var list, tail []ChildWork
	for _, n := range x.queue {
		if n.Stream == trace.TailStream {
			tail = append(tail, n)
		} else {
			list = append(list, n)
		}
	}
	x.queue = nil
	code, ok := w.Env.Children.Wait(h.Site, list)
	if !ok {
		return 0, false
	}
	if code != codeSuccess {
		x.queue = append(list, tail...)
		return uint64(code), true
	}
	x.queue = tail
	w.Env.cached = nil // children may have freed memory
	w.Env.Forget(w.Prog)
	w.Progress++
	if f := w.Env.On.Joined; f != nil {
		f(&trace.Join{Site: h.Site, Warp: w.Index, Lane: l})
	}
	return codeSuccess, true
}

// Handles of streams and events that device code makes. The program knows
// nothing of what they look like.
const (
	handleTag      = 0xd5 << 48
	handleTagMask  = 0xff << 48
	handleEvent    = 1 << 47
	blockShift     = 20
	handlesOfBlock = 1<<(blockShift-4) - 1
)

// Flags that device code must give ("CUDA Dynamic Parallelism", "Streams",
// "Events").
const (
	streamNonBlocking  = 1
	eventDisableTiming = 2
)

// isDeviceStream reports whether device code can have a handle.
func isDeviceStream(s trace.DeviceStream) bool {
	return s <= trace.FireAndForget || s&handleTagMask == handleTag && s&handleEvent == 0
}

// newHandle makes a handle that no other block makes, as far as that goes.
func (w deviceRuntime) newHandle(h *program.HostCall, l int, kind uint64) (uint64, bool) {
	x := &w.Env.children
	x.handles++
	block := w.Env.Block.Index & (1<<26 - 1)
	return w.give(h, l, 8, handleTag|kind|block<<blockShift|(x.handles&handlesOfBlock)<<4)
}

// newStream is cudaStreamCreateWithFlags(stream, flags).
func (w deviceRuntime) newStream(h *program.HostCall, l int) (uint64, bool) {
	if w.Arg(h, 1, l)&0xffffffff != streamNonBlocking {
		return codeInvalidValue, true
	}
	return w.newHandle(h, l, 0)
}

// newEvent is cudaEventCreateWithFlags(event, flags).
func (w deviceRuntime) newEvent(h *program.HostCall, l int) (uint64, bool) {
	if w.Arg(h, 1, l)&eventDisableTiming == 0 {
		return codeInvalidValue, true
	}
	return w.newHandle(h, l, handleEvent)
}

// eventRecord is cudaEventRecord(event, stream).
func (w deviceRuntime) eventRecord(h *program.HostCall, l int) (uint64, bool) {
	return w.orderStream(h, l, ChildWork{Kind: ChildRecord, Event: w.Arg(h, 0, l), Stream: trace.DeviceStream(w.Arg(h, 1, l))})
}

// streamWaitEvent is cudaStreamWaitEvent(stream, event, flags).
func (w deviceRuntime) streamWaitEvent(h *program.HostCall, l int) (uint64, bool) {
	return w.orderStream(h, l, ChildWork{Kind: ChildAwait, Event: w.Arg(h, 1, l), Stream: trace.DeviceStream(w.Arg(h, 0, l))})
}

// orderStream notes what orders streams. Requests are executed in the order
// in which they were made, which satisfies all streams and events.
func (w deviceRuntime) orderStream(h *program.HostCall, l int, n ChildWork) (uint64, bool) {
	switch {
	case n.Stream == trace.TailStream || n.Stream == trace.FireAndForget:
		return codeInvalidValue, true
	case !isDeviceStream(n.Stream) || n.Event&handleTagMask != handleTag || n.Event&handleEvent == 0:
		return codeInvalidHandle, true
	}
	return w.ask(h, l, n)
}

// deviceCopy is cudaMemcpyAsync(dst, src, bytes, kind, stream).
func (w deviceRuntime) deviceCopy(h *program.HostCall, l int) (uint64, bool) {
	return w.transfer(h, l, ChildWork{Kind: ChildCopy, Dst: w.Arg(h, 0, l), Src: w.Arg(h, 1, l), Bytes: w.Arg(h, 2, l), Stream: trace.DeviceStream(w.Arg(h, 4, l))})
}

// deviceFill is cudaMemsetAsync(dst, value, bytes, stream).
func (w deviceRuntime) deviceFill(h *program.HostCall, l int) (uint64, bool) {
	return w.transfer(h, l, ChildWork{Kind: ChildFill, Dst: w.Arg(h, 0, l), Value: byte(w.Arg(h, 1, l)), Bytes: w.Arg(h, 2, l), Stream: trace.DeviceStream(w.Arg(h, 3, l))})
}

// transfer checks the ranges, which have to be global memory.
func (w deviceRuntime) transfer(h *program.HostCall, l int, n ChildWork) (uint64, bool) {
	if !isDeviceStream(n.Stream) {
		return codeInvalidHandle, true
	}
	for _, side := range []struct {
		name string
		addr uint64
	}{{"destination", n.Dst}, {"source", n.Src}} {
		if n.Bytes == 0 || side.name == "source" && n.Kind == ChildFill {
			continue
		}
		if vec.SpaceOf(side.addr) != trace.SpaceGlobal {
			f := w.Fault(trace.FaultOutOfBounds, trace.CauseWrongSpace, h.Site, 1<<l, "%s: the %s is %s memory", call(h), side.name, vec.SpaceOf(side.addr))
			f.Addr, f.Lane, f.Space = side.addr, l, vec.SpaceOf(side.addr)
			return 0, false
		}
		if al := w.Env.Arena.Find(side.addr); al == nil || n.Bytes > al.End()-side.addr {
			f := w.Fault(trace.FaultOutOfBounds, trace.CauseOutside, h.Site, 1<<l, "%s: the %s of %d bytes at %#x is not within an allocation", call(h), side.name, n.Bytes, side.addr)
			f.Addr, f.Lane, f.Space = side.addr, l, trace.SpaceGlobal
			return 0, false
		}
	}
	return w.ask(h, l, n)
}

// call is the function's name as users write it.
func call(h *program.HostCall) string {
	return strings.Replace(strings.TrimSuffix(h.Name, "_ptsz"), "__cudaCDP2", "cuda", 1)
}

// deviceMalloc is cudaMalloc(pointer, bytes): memory of the device heap.
func (w deviceRuntime) deviceMalloc(h *program.HostCall, l int) (uint64, bool) {
	n := w.Arg(h, 1, l)
	if !w.Env.Heap.take(n) {
		return codeMemory, true
	}
	al, err := w.Env.Arena.Alloc(max(n, 1), 16, mem.Heap, "")
	if err != nil {
		return codeMemory, true
	}
	return w.give(h, l, 8, al.Base)
}

// deviceFree is cudaFree.
func (w deviceRuntime) deviceFree(h *program.HostCall, l int) (uint64, bool) {
	_, ok := w.free(h, l)
	return codeSuccess, ok
}

// deviceAttribute is cudaDeviceGetAttribute(value, attribute, device).
func (w deviceRuntime) deviceAttribute(h *program.HostCall, l int) (uint64, bool) {
	a := w.Env.Arch
	v, ok := map[uint64]int{1: a.MaxThreads, 2: a.MaxBlock[0], 3: a.MaxBlock[1], 4: a.MaxBlock[2],
		5: a.MaxGrid[0], 6: a.MaxGrid[1], 7: a.MaxGrid[2], 8: a.SharedPerBlock, attributeWarpSize: 32,
		39: a.MaxThreadsPerSM, 75: a.SM / 10, 76: a.SM % 10}[w.Arg(h, 1, l)]
	if !ok {
		return codeInvalidValue, true
	}
	return w.give(h, l, 4, uint64(v))
}
