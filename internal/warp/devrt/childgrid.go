package devrt

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

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

// childWork is what a block has under way: parameter buffers that are not launched yet, what is to
// run, and each thread's last error.
type childWork struct {
	prepared  map[uint64]ChildWork
	queue     []ChildWork
	asked     int
	handles   uint64
	lastError map[int]uint64
}

type hostFunc = func(t *thread) (uint64, bool)

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
	"GetParameterBufferV2": (*thread).parameterBufferV2, "GetParameterBuffer": (*thread).parameterBuffer,
	"LaunchDeviceV2": (*thread).launchDeviceV2, "LaunchDevice": (*thread).launchDevice,
	"DeviceSynchronize": (*thread).deviceSynchronize, "MemcpyAsync": (*thread).deviceCopy, "MemsetAsync": (*thread).deviceFill,
	"StreamCreateWithFlags": (*thread).newStream, "EventCreateWithFlags": (*thread).newEvent,
	"StreamWaitEvent": (*thread).streamWaitEvent, "EventRecord": (*thread).eventRecord, "EventRecordWithFlags": (*thread).eventRecord,
	"Malloc": (*thread).deviceMalloc, "Free": (*thread).deviceFree,
}, map[string]hostFunc{
	"StreamDestroy": success, "EventDestroy": success,
	"GetDevice":          answer(func(*thread) uint64 { return 0 }),
	"GetDeviceCount":     answer(func(*thread) uint64 { return 1 }),
	"RuntimeGetVersion":  answer(func(*thread) uint64 { return runtimeVersion }),
	"DeviceGetAttribute": (*thread).deviceAttribute,
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
	return func(t *thread) (uint64, bool) {
		code, ok := f(t)
		if !strings.Contains(t.call.Name, "ParameterBuffer") {
			t.note(code)
		}
		return code, ok
	}
}

// note keeps a thread's error, if it is one.
func (t *thread) note(code uint64) {
	if code == codeSuccess {
		return
	}
	x := t.block
	if x.lastError == nil {
		x.lastError = map[int]uint64{}
	}
	x.lastError[t.number()] = code
}

// lastError is cudaGetLastError or, where it does not forget,
// cudaPeekAtLastError.
func lastError(forget bool) hostFunc {
	return func(t *thread) (uint64, bool) {
		x := t.block
		code := x.lastError[t.number()]
		if forget {
			delete(x.lastError, t.number())
		}
		return code, true
	}
}

func success(*thread) (uint64, bool) { return codeSuccess, true }

// answer makes a function that stores an int through its first argument.
func answer(value func(*thread) uint64) hostFunc {
	return func(t *thread) (uint64, bool) {
		return t.give(4, value(t))
	}
}

// give stores a result of n bytes through the first argument.
func (t *thread) give(n int, v uint64) (uint64, bool) {
	if p := t.arg(0); !t.warp.Poke(p, t.lane, n, v) {
		return t.badPointer("the result's address", p)
	}
	return codeSuccess, true
}

// dim3 reads argument i.
func (t *thread) dim3(i int) trace.Dim3 {
	var v [3]uint32
	if i < len(t.call.Args) {
		for k, s := range t.call.Args[i] {
			if k < 3 {
				v[k] = t.regs.V32(s)[t.lane]
			}
		}
	}
	return trace.Dim3{X: v[0], Y: v[1], Z: v[2]}
}

// prepare asks whether a child grid can be launched. An error is the thread's
// last one.
func (t *thread) prepare(n *ChildWork) (bytes uint64, ok bool) {
	if t.block.Children == nil {
		return parameterBytes, true
	}
	bytes, code := t.block.Children.Prepare(n)
	t.note(uint64(code))
	return bytes, code == codeSuccess
}

// buffer allocates memory for parameters.
func (t *thread) buffer(n ChildWork, size uint64) (uint64, bool) {
	al, err := t.warp.Memory().AllocSpec(mem.Spec{Size: max(size, 1), Kind: mem.Symbol, Name: "(parameters)", Where: "parameters of a child grid"})
	if err != nil {
		t.note(codeMemory)
		return 0, true
	}
	x := t.block
	if x.prepared == nil {
		x.prepared = map[uint64]ChildWork{}
	}
	n.Buffer = al.Base
	x.prepared[al.Base] = n
	return al.Base, true
}

// parameterBufferV2 is cudaGetParameterBufferV2(func, grid, block, shared). It
// returns a null pointer where the launch would fail.
func (t *thread) parameterBufferV2() (uint64, bool) {
	n := ChildWork{Func: t.arg(0), Grid: t.dim3(1), Block: t.dim3(2), Shared: uint32(t.arg(3)), Site: t.call.Site}
	bytes, ok := t.prepare(&n)
	if !ok {
		return 0, true
	}
	return t.buffer(n, bytes)
}

// parameterBuffer is cudaGetParameterBuffer(alignment, size).
func (t *thread) parameterBuffer() (uint64, bool) {
	return t.buffer(ChildWork{}, min(t.arg(1), parameterBytes))
}

// launchDeviceV2 is cudaLaunchDeviceV2(buffer, stream).
func (t *thread) launchDeviceV2() (uint64, bool) {
	n, ok := t.block.prepared[t.arg(0)]
	if !ok {
		return codeInvalidPointer, true
	}
	n.Stream = trace.DeviceStream(t.arg(1))
	return t.launchChild(n)
}

// launchDevice is cudaLaunchDevice(func, buffer, grid, block, shared, stream).
func (t *thread) launchDevice() (uint64, bool) {
	n := t.block.prepared[t.arg(1)] // none for a kernel without parameters
	n.Func, n.Grid, n.Block = t.arg(0), t.dim3(2), t.dim3(3)
	n.Shared, n.Stream, n.Site = uint32(t.arg(4)), trace.DeviceStream(t.arg(5)), t.call.Site
	if _, ok := t.prepare(&n); !ok {
		return t.block.lastError[t.number()], true
	}
	return t.launchChild(n)
}

func (t *thread) launchChild(n ChildWork) (uint64, bool) {
	delete(t.block.prepared, n.Buffer)
	if !isDeviceStream(n.Stream) {
		if n.Buffer != 0 {
			t.dropBuffer(n.Buffer)
		}
		return codeInvalidHandle, true
	}
	return t.ask(n)
}

// dropBuffer frees a parameter buffer that no grid gets.
func (t *thread) dropBuffer(buffer uint64) {
	t.warp.Freed()
	_, _ = t.warp.Memory().Free(buffer)
}

// ask puts a request after the block's others.
func (t *thread) ask(n ChildWork) (uint64, bool) {
	x, b := t.block, t.warp.Block()
	n.Site, n.Child = t.call.Site, trace.Child{Parent: b.Launch.ID, Block: b.Index, N: x.asked}
	x.asked++
	x.queue = append(x.queue, n)
	if f := t.warp.Observer().Spawned; f != nil && n.Kind <= ChildFill {
		f(&trace.Spawn{Site: t.call.Site, Warp: t.warp.Number(), Lane: t.lane, Child: n.Child, Stream: n.Stream})
	}
	return codeSuccess, true
}

// deviceSynchronize waits for what the block asked for before ("CUDA Dynamic
// Parallelism (CDP1)", "Synchronization"): it runs now. Grids of the tail stream
// come after the parent.
func (t *thread) deviceSynchronize() (uint64, bool) {
	x := t.block
	if t.block.Children == nil {
		if len(x.queue) == 0 {
			return codeSuccess, true
		}
		t.warp.Fault(trace.FaultUnsupported, "", t.call.Site, 1<<t.lane, "cudaDeviceSynchronize in device code")
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
	code, ok := t.block.Children.Wait(t.call.Site, list)
	if !ok {
		return 0, false
	}
	if code != codeSuccess {
		x.queue = append(list, tail...)
		return uint64(code), true
	}
	x.queue = tail
	t.warp.Freed() // perhaps, by children
	t.did.Progress++
	if f := t.warp.Observer().Joined; f != nil {
		f(&trace.Join{Site: t.call.Site, Warp: t.warp.Number(), Lane: t.lane})
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
func (t *thread) newHandle(kind uint64) (uint64, bool) {
	x := t.block
	x.handles++
	block := t.warp.Block().Index & (1<<26 - 1)
	return t.give(8, handleTag|kind|block<<blockShift|(x.handles&handlesOfBlock)<<4)
}

// newStream is cudaStreamCreateWithFlags(stream, flags).
func (t *thread) newStream() (uint64, bool) {
	if t.arg(1)&0xffffffff != streamNonBlocking {
		return codeInvalidValue, true
	}
	return t.newHandle(0)
}

// newEvent is cudaEventCreateWithFlags(event, flags).
func (t *thread) newEvent() (uint64, bool) {
	if t.arg(1)&eventDisableTiming == 0 {
		return codeInvalidValue, true
	}
	return t.newHandle(handleEvent)
}

// eventRecord is cudaEventRecord(event, stream).
func (t *thread) eventRecord() (uint64, bool) {
	return t.orderStream(ChildWork{Kind: ChildRecord, Event: t.arg(0), Stream: trace.DeviceStream(t.arg(1))})
}

// streamWaitEvent is cudaStreamWaitEvent(stream, event, flags).
func (t *thread) streamWaitEvent() (uint64, bool) {
	return t.orderStream(ChildWork{Kind: ChildAwait, Event: t.arg(1), Stream: trace.DeviceStream(t.arg(0))})
}

// orderStream notes what orders streams. Requests are executed in the order
// in which they were made, which satisfies all streams and events.
func (t *thread) orderStream(n ChildWork) (uint64, bool) {
	switch {
	case n.Stream == trace.TailStream || n.Stream == trace.FireAndForget:
		return codeInvalidValue, true
	case !isDeviceStream(n.Stream) || n.Event&handleTagMask != handleTag || n.Event&handleEvent == 0:
		return codeInvalidHandle, true
	}
	return t.ask(n)
}

// deviceCopy is cudaMemcpyAsync(dst, src, bytes, kind, stream).
func (t *thread) deviceCopy() (uint64, bool) {
	return t.transfer(ChildWork{Kind: ChildCopy, Dst: t.arg(0), Src: t.arg(1), Bytes: t.arg(2), Stream: trace.DeviceStream(t.arg(4))})
}

// deviceFill is cudaMemsetAsync(dst, value, bytes, stream).
func (t *thread) deviceFill() (uint64, bool) {
	return t.transfer(ChildWork{Kind: ChildFill, Dst: t.arg(0), Value: byte(t.arg(1)), Bytes: t.arg(2), Stream: trace.DeviceStream(t.arg(3))})
}

// transfer checks the ranges, which have to be global memory.
func (t *thread) transfer(n ChildWork) (uint64, bool) {
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
			f := t.warp.Fault(trace.FaultOutOfBounds, trace.CauseWrongSpace, t.call.Site, 1<<t.lane, "%s: the %s is %s memory", t.name(), side.name, vec.SpaceOf(side.addr))
			f.Addr, f.Lane, f.Space = side.addr, t.lane, vec.SpaceOf(side.addr)
			return 0, false
		}
		if al := t.warp.Memory().Find(side.addr); al == nil || n.Bytes > al.End()-side.addr {
			f := t.warp.Fault(trace.FaultOutOfBounds, trace.CauseOutside, t.call.Site, 1<<t.lane, "%s: the %s of %d bytes at %#x is not within an allocation", t.name(), side.name, n.Bytes, side.addr)
			f.Addr, f.Lane, f.Space = side.addr, t.lane, trace.SpaceGlobal
			return 0, false
		}
	}
	return t.ask(n)
}

// name is the function's name as users write it.
func (t *thread) name() string {
	return strings.Replace(strings.TrimSuffix(t.call.Name, "_ptsz"), "__cudaCDP2", "cuda", 1)
}

// deviceMalloc is cudaMalloc(pointer, bytes): memory of the device heap.
func (t *thread) deviceMalloc() (uint64, bool) {
	n := t.arg(1)
	if !t.block.Heap.take(n) {
		return codeMemory, true
	}
	al, err := t.warp.Memory().Alloc(max(n, 1), 16, mem.Heap, "")
	if err != nil {
		return codeMemory, true
	}
	return t.give(8, al.Base)
}

// deviceFree is cudaFree.
func (t *thread) deviceFree() (uint64, bool) {
	_, ok := t.free()
	return codeSuccess, ok
}

// deviceAttribute is cudaDeviceGetAttribute(value, attribute, device).
func (t *thread) deviceAttribute() (uint64, bool) {
	a := t.warp.Arch()
	v, ok := map[uint64]int{1: a.MaxThreads, 2: a.MaxBlock[0], 3: a.MaxBlock[1], 4: a.MaxBlock[2],
		5: a.MaxGrid[0], 6: a.MaxGrid[1], 7: a.MaxGrid[2], 8: a.SharedPerBlock, attributeWarpSize: 32,
		39: a.MaxThreadsPerSM, 75: a.SM / 10, 76: a.SM % 10}[t.arg(1)]
	if !ok {
		return codeInvalidValue, true
	}
	return t.give(4, uint64(v))
}
