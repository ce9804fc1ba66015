package program

import "slices"

// HostFunc is what lowering has to know of a function that the emulator provides to
// device code.
type HostFunc struct {
	// Runtime functions are the emulator's even where a module brings NVIDIA's.
	Runtime bool
	// InTurn: blocks that call it run one after the other, so that each run is the
	// same.
	InTurn bool
	// Launches: it starts child grids, copies or fills. Allocates and Frees: it gives
	// out or ends memory of the device's heap.
	Launches, Allocates, Frees bool
	// Fails: the kernel ends there as failed.
	Fails bool
}

// hostFuncs are the functions of the CUDA C++ Programming Guide ("Formatted Output",
// "Dynamic Global Memory Allocation", "Assertion") as compilers call them, and the
// device runtime.
var hostFuncs = map[string]HostFunc{
	"vprintf": {}, "__assertfail": {Fails: true}, "__assert_fail": {Fails: true},
	"malloc": {InTurn: true, Allocates: true}, "free": {InTurn: true, Frees: true},
	"__cudaDeviceSynchronizeDeprecationAvoidance": {Runtime: true, InTurn: true},
}

// requests have effects outside of their block, so that blocks take turns where
// they are called; queries have none. launching are those of requests that start work.
var (
	requests = []string{
		"GetParameterBufferV2", "GetParameterBuffer", "LaunchDeviceV2", "LaunchDevice", "DeviceSynchronize", "MemcpyAsync", "MemsetAsync",
		"StreamCreateWithFlags", "EventCreateWithFlags", "StreamWaitEvent", "EventRecord", "EventRecordWithFlags", "Malloc", "Free",
	}
	queries   = []string{"StreamDestroy", "EventDestroy", "GetDevice", "GetDeviceCount", "RuntimeGetVersion", "DeviceGetAttribute", "GetLastError", "PeekAtLastError"}
	launching = []string{"LaunchDeviceV2", "LaunchDevice", "MemcpyAsync", "MemsetAsync"}
)

func init() {
	for _, name := range requests {
		for _, n := range RuntimeNames(name) {
			hostFuncs[n] = HostFunc{Runtime: true, InTurn: true, Launches: slices.Contains(launching, name)}
		}
	}
	for _, name := range queries {
		for _, n := range RuntimeNames(name) {
			hostFuncs[n] = HostFunc{Runtime: true}
		}
	}
}

// RuntimeNames are a function's names in the first and in the second version of
// dynamic parallelism, each also with a thread's own default stream.
func RuntimeNames(name string) []string {
	return []string{"cuda" + name, "cuda" + name + "_ptsz", "__cudaCDP2" + name, "__cudaCDP2" + name + "_ptsz"}
}

// HostFuncs has the functions by name.
func HostFuncs() map[string]HostFunc { return hostFuncs }
