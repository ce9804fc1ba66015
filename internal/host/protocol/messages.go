package protocol

// Pointer is an address, of the device or of the host.
type Pointer uint64

// Stream is the number of a stream: 0 to 2 are CUDA's special handles.
type Stream uint64

// Dim3 is CUDA's dim3.
type Dim3 struct{ X, Y, Z uint32 }

// Head begins each request.
type Head struct {
	Op     Op       `valid:"known"`
	Device uint8    `valid:"known"` // the calling thread's current device
	Call   string   `valid:"<=4K"`
	Place  string   `valid:"<=4K"` // file:line of an interpreter's program, "" where none was told
	Frames []uint64 `valid:"<=32"` // return addresses in the program's image, innermost first
}

// ReplyHead begins each reply.
type ReplyHead struct {
	Code, Sticky int32  // cudaError_t of the call; that of an earlier fault, or 0
	Text         string // for the program's standard output
}

// None is the reply of an operation that returns no more than its error.
type None struct{}

// Hello opens a connection for a thread of a program, which Token names. The arena's file
// descriptor follows the reply to the program's first one.
type Hello struct {
	Version uint32 `valid:"known"`
	Token   uint64 `valid:"any"`
	Exe     string `valid:"<=4K"`
}

// Caps describes the emulated device, and where more connections are opened.
type Caps struct {
	SM, MaxThreads                           uint64
	MaxBlock, MaxGrid                        [3]uint64
	SharedPerBlock, SharedOptin, SharedPerSM uint64
	ThreadsPerSM, BlocksPerSM, RegsPerSM     uint64
	Multiprocessors, TotalMem                uint64
	ArenaBase, ArenaSize, HostBase, Devices  uint64
	Watch                                    bool // accesses of host code are of interest
	Starter                                  bool // the exit code follows the reply to Bye, once the check is over
	Socket                                   string
}

// Part is one module as clang or nvcc embeds it: metadata in JSON, and PTX.
type Part struct {
	Meta []byte `valid:"<=16M"`
	// PTX may be compressed, see fatbin.Pack.
	PTX []byte `valid:"any"`
}

// Load loads a module. Managed names its managed variables.
type Load struct {
	Module  Part
	Managed []string `valid:"<=64K"`
}

// LoadReply has the module's ID and the names of its kernels, or why it cannot be loaded.
type LoadReply struct {
	ID      uint32
	Log     string
	Kernels []string
}

// LoadLinked links modules with relocatable device code and loads the result.
type LoadLinked struct {
	Parts   []Part   `valid:"1..64K"`
	Managed []string `valid:"<=64K"`
}

// LoadLinkedReply has the ID of the first module; those of the others follow it.
type LoadLinkedReply struct{ First uint32 }

// Unpack takes the PTX out of fat binaries: the module's own, then those that
// it was linked from.
type Unpack struct {
	Images [][]byte `valid:"1..64K"`
}

// UnpackReply has the PTX.
type UnpackReply struct{ PTX []byte }

// Unload unloads a module.
type Unload struct {
	Module uint32 `valid:"known"`
}

// Function resolves a kernel.
type Function struct {
	Module uint32 `valid:"known"`
	Name   string `valid:"<=1M"`
}

// Param is where a parameter lies in a kernel's parameter buffer.
type Param struct{ Offset, Size uint32 }

// FunctionReply describes a kernel.
type FunctionReply struct {
	ID, SharedBytes, LocalBytes, Registers, MaxThreads uint32
	Target, MaxDynamicShared                           uint32
	ConstBytes                                         uint64
	Cluster                                            Dim3
	Params                                             []Param
}

// FuncAttribute sets an attribute of a kernel.
type FuncAttribute struct {
	Kernel    uint32 `valid:"known"`
	Attribute uint32 `valid:"any"`
	Value     int32  `valid:"any"`
}

// Occupancy asks for one of the numbers that OccupancyOf lists.
type Occupancy struct {
	Kernel    uint32 `valid:"known"`
	What      OccupancyOf
	BlockSize int32  `valid:"any"`
	Given     uint64 `valid:"any"` // dynamic shared memory, or blocks
}

// OccupancyReply is that number.
type OccupancyReply struct{ Value uint64 }

// Variable resolves a variable.
type Variable struct {
	Module uint32 `valid:"known"`
	Name   string `valid:"<=1M"`
}

// VariableReply is where a variable lies.
type VariableReply struct {
	Address Pointer
	Size    uint64
}

// Launch launches a kernel. Triggered, Started and Begun are events of the launch, or null: see
// Moment in runtime/registry.h.
type Launch struct {
	Kernel                    uint32 `valid:"known"`
	Unconfigured              bool   // called as a function, without <<<...>>>: the launch is refused
	Cooperative, Programmatic bool
	MayOverlap                bool    // a programmatic launch may follow
	Cluster, Grid, Block      Dim3    `valid:"any"`
	SharedDynamic             uint64  `valid:"any"`
	Stream                    Stream  `valid:"any"`
	Triggered, Started, Begun Pointer `valid:"any"`
	Params                    []byte  `valid:"known"` // as long as the kernel's
}

// LaunchReply has the launch's number, counted from 1; 0 where nothing was launched.
type LaunchReply struct{ Number uint32 }

// Alloc allocates memory of a mem.Kind, in rows if Pitch is not 0. InStream
// says whether it is part of a stream's work. At is a range that was reserved, which the memory
// fills when all before it in its stream has ended; null for any place.
type Alloc struct {
	Kind         uint8  `valid:"<=2"`
	Size         uint64 `valid:"any"`
	Width, Pitch uint64 `valid:"known"` // rows that lie in the memory
	InStream     bool
	Stream       Stream  `valid:"any"`
	At           Pointer `valid:"any"`
}

// AllocReply has the address, null for no bytes.
type AllocReply struct{ Address Pointer }

// Free frees memory; Host asks for page-locked memory.
type Free struct {
	Address  Pointer `valid:"any"`
	Host     bool
	InStream bool
	Stream   Stream `valid:"any"`
}

// Copy copies a box between two places. Kind is a cudaMemcpyKind.
type Copy struct {
	Kind                                   uint32 `valid:"any"`
	Async                                  bool
	Stream                                 Stream  `valid:"any"`
	Dst, Src                               Pointer `valid:"any"`
	Width, Height, Depth                   uint64  `valid:"any"`
	DstPitch, SrcPitch, DstSlice, SrcSlice uint64  `valid:"any"`
}

// CopyReply says who carries out the copy.
type CopyReply struct{ Carrier Carrier }

// Stage has the bytes of a copy that the engine carries out later, without gaps.
type Stage struct {
	Data []byte `valid:"known"` // as long as the copy
}

// Set fills a box with a pattern.
type Set struct {
	Async                bool
	Stream               Stream  `valid:"any"`
	Dst                  Pointer `valid:"any"`
	Pattern              []byte  `valid:"1..16"` // of whose length Width is a multiple
	Width, Height, Depth uint64  `valid:"any"`
	Pitch, Slice         uint64  `valid:"any"`
}

// WriteValue writes a value of 4 or 8 bytes in the order of a stream. Fence is set if what the
// stream did before is visible to who sees the value.
type WriteValue struct {
	Stream  Stream  `valid:"any"`
	Address Pointer `valid:"any"`
	Value   uint64  `valid:"any"`
	Bytes   uint8   `valid:"known"`
	Fence   bool
}

// WaitValue lets later work of a stream wait until the 4 or 8 bytes in memory compare with the
// value as Condition says.
type WaitValue struct {
	Stream    Stream  `valid:"any"`
	Address   Pointer `valid:"any"`
	Value     uint64  `valid:"any"`
	Bytes     uint8   `valid:"known"`
	Condition ValueCondition
}

// MemInfo asks for the current device's memory.
type MemInfo struct{}

// MemInfoReply is cudaMemGetInfo's answer.
type MemInfoReply struct{ Free, Total uint64 }

// PointerInfo asks which allocation an address is in.
type PointerInfo struct {
	Address Pointer `valid:"any"`
}

// PointerReply describes an allocation; Type is a cudaMemoryType, 0 for none.
type PointerReply struct {
	Type       uint32
	Base, Size uint64
	Device     uint32
}

// Reserve reserves a range of addresses.
type Reserve struct {
	Size      uint64 `valid:"any"`
	Alignment uint64 `valid:"power"`
}

// ReserveReply is where it begins.
type ReserveReply struct{ Address Pointer }

// Unreserve gives a range back.
type Unreserve struct {
	Address Pointer `valid:"known"`
}

// Map maps memory into a reserved range.
type Map struct {
	Address Pointer `valid:"known"`
	Size    uint64  `valid:"known"`
}

// Contents asks which bytes of a mapping have memory, as the others are zero: a mapping may be larger than the machine.
type Contents struct {
	Address Pointer `valid:"known"`
	Size    uint64  `valid:"known"`
}

// ContentsReply has an offset and a length of each range.
type ContentsReply struct{ Ranges []uint64 }

// Unmap ends the mapping.
type Unmap struct {
	Address Pointer `valid:"known"`
	Size    uint64  `valid:"known"`
}

// StreamCreate creates a stream. A branch of a graph has a name.
type StreamCreate struct {
	Flags    uint32 `valid:"<=1"`
	Priority uint32 `valid:"any"`
	// Branch names it where it is of a branch of a graph, Library is the library whose own it is.
	Branch, Library string `valid:"<=4K"`
}

// StreamCreateReply has its handle.
type StreamCreateReply struct{ Handle Pointer }

// StreamDestroy destroys a stream.
type StreamDestroy struct {
	Stream Stream `valid:"any"`
}

// StreamInfo asks for a stream's properties.
type StreamInfo struct {
	Stream Stream `valid:"any"`
}

// StreamInfoReply are the properties.
type StreamInfoReply struct{ Flags, Priority, Device uint32 }

// StreamSync synchronizes with a stream, or queries it.
type StreamSync struct {
	Stream Stream `valid:"any"`
	Wait   bool
}

// StreamWait makes a stream wait for an event.
type StreamWait struct {
	Event  Pointer `valid:"any"`
	Stream Stream  `valid:"any"`
}

// EventCreate creates an event.
type EventCreate struct {
	Flags uint32 `valid:"<=7"`
}

// EventCreateReply has its handle.
type EventCreateReply struct{ Handle Pointer }

// EventOpen opens an event of another process.
type EventOpen struct {
	Number uint64 `valid:"any"`
}

// EventDestroy destroys an event.
type EventDestroy struct {
	Event Pointer `valid:"any"`
}

// EventRecord records an event in a stream.
type EventRecord struct {
	Event  Pointer `valid:"any"`
	Stream Stream  `valid:"any"`
}

// EventSync synchronizes with an event, or queries it.
type EventSync struct {
	Event Pointer `valid:"any"`
	Wait  bool
}

// EventElapsed asks for the time between two events.
type EventElapsed struct {
	Start, End Pointer `valid:"any"`
}

// EventElapsedReply is that time.
type EventElapsedReply struct{ Nanoseconds int64 }

// DeviceSync synchronizes with the current device.
type DeviceSync struct{}

// Reset resets the current device.
type Reset struct{}

// SetLimit sets a cudaLimit.
type SetLimit struct {
	Limit uint32 `valid:"any"`
	Value uint64 `valid:"any"`
}

// Level is one level of a texture's memory.
type Level struct {
	Base                 Pointer `valid:"any"`
	Width, Height, Depth uint32  `valid:"any"`
	Pitch, Slice         uint64  `valid:"any"`
}

// Texture makes a texture or surface object, or binds the reference whose
// variable is at Handle. Kind is a cudaResourceType, Format a
// cudaChannelFormatKind, Address has cudaTextureAddressModes.
type Texture struct {
	Handle                                               uint64 `valid:"any"`
	Surface                                              bool
	Kind, Channels, Bits, Format                         uint8 `valid:"any"`
	Cube                                                 bool
	Layers                                               uint32   `valid:"any"`
	Address                                              [3]uint8 `valid:"any"`
	Linear, LinearMip, Normalized, NormalizedFloat, SRGB bool
	Border                                               [4]float32 `valid:"any"`
	LevelBias, LevelMin, LevelMax                        float32    `valid:"any"`
	Array                                                Pointer    `valid:"any"` // memory of the CUDA array, or null
	Levels                                               []Level    `valid:"1..32"`
}

// TextureReply has the handle.
type TextureReply struct{ Handle uint64 }

// TextureFree destroys an object or unbinds a reference.
type TextureFree struct {
	Handle  uint64 `valid:"any"`
	Surface bool
}

// SourceHeader is a header for NVRTC.
type SourceHeader struct {
	Name string `valid:"<=64K"`
	Text string `valid:"any"`
}

// Compile compiles for NVRTC.
type Compile struct {
	Name    string         `valid:"<=64K"`
	Source  string         `valid:"any"`
	Headers []SourceHeader `valid:"<=64K"`
	Options []string       `valid:"<=64K"`
	Names   []string       `valid:"<=64K"` // expressions whose lowered names are wanted
}

// CompileReply has the log and, if OK, the PTX and the lowered names.
type CompileReply struct {
	OK      bool
	Log     string
	PTX     string
	Lowered []string
}

// Library asks for a part of one of the replacements for NVIDIA's closed libraries: the
// host's shared library, or one of its modules of device code.
type Library struct {
	Library string `valid:"<=64K"`
	Module  string `valid:"<=64K"` // "" for the shared library
}

// LibraryReply has the shared library's path, or the module's PTX.
type LibraryReply struct {
	Text string
}

// Name names a stream or memory.
type Name struct {
	What Named
	ID   uint64 `valid:"any"`
	Name string `valid:"<=1M"`
}

// Unsupported reports a call that warpgrind does not support.
type Unsupported struct{}

// Misuse reports misuse that the engine cannot see.
type Misuse struct {
	Code   int32 `valid:"any"`
	Kind   MisuseKind
	Detail string `valid:"<=64K"`
}

// Unread reports an error code that the program did not read.
type Unread struct {
	Launch, Cleared bool
	Error           string `valid:"<=64K"`
}

// Failed reports a call that returns an error to the program: its number, name and text in
// the API of the call. Sticky is set for what a kernel's fault makes of every later call.
// Collective is a CollectiveFault where the call would wait forever. Allocates is set where
// the call should have allocated Size bytes: Kept is the value that the program's pointer keeps.
type Failed struct {
	Code        int32 `valid:"any"`
	Sticky      bool
	Collective  uint8  `valid:"<=2"`
	Error, Text string `valid:"<=64K"`
	Allocates   bool
	Kept        Pointer `valid:"any"`
	Size        uint64  `valid:"any"`
}

// HostAccess reports that host code followed a device pointer.
type HostAccess struct {
	Address Pointer `valid:"any"`
}

// Extent is the bytes from Lo to before Hi.
type Extent struct {
	Lo, Hi uint64 `valid:"known"`
}

// Touch is what one place of host code did to memory that the device sees. Kind
// is a trace.Kind.
type Touch struct {
	Kind               uint8 `valid:"<=2"`
	Strong, Incomplete bool
	Frames             []uint64 `valid:"<=32"`
	Bytes              []Extent `valid:"<=16M"`
}

// Touched reports what host code did since the last request. It has no reply: the engine
// takes those of several threads in the order of Number, which counts them from 0.
type Touched struct {
	Number  uint64  `valid:"known"`
	Touches []Touch `valid:"<=16M"`
}

// Settle waits for the work of a stream on behalf of the runtime, not of the host.
type Settle struct {
	Stream Stream `valid:"any"`
}

// HostFunction puts a host function into a stream.
type HostFunction struct {
	Stream Stream `valid:"any"`
}

// HostFunctionReply numbers the function, and reports whether it may run now. Otherwise
// HostTurn waits for that.
type HostFunctionReply struct {
	Due bool
	ID  uint64
}

// HostTurn waits until a host function may run.
type HostTurn struct {
	ID uint64 `valid:"any"`
}

// HostTurnReply says whether it is to run.
type HostTurnReply struct{ Run bool }

// HostEnd reports that a host function has ended, and what it did.
type HostEnd struct {
	ID      uint64  `valid:"any"`
	Touches []Touch `valid:"<=16M"`
}

// Operator reports work of a stream that the program has done by itself, on memory of the device: an
// operator of a framework. Marks are bytes some of which it has written. The work before it was
// settled.
type Operator struct {
	Name, Where          string   `valid:"<=4K"`
	Stream               Stream   `valid:"any"`
	Reads, Writes, Marks []Extent `valid:"<=16M"`
}

// RanksID asks for an identifier of a communicator of NCCL, which cannot be guessed.
type RanksID struct{}

// RanksIDReply has the identifier.
type RanksIDReply struct{ ID string }

// RanksJoin makes the program a rank of the communicator of an identifier.
type RanksJoin struct {
	ID   string `valid:"<=16"`
	Size uint32 `valid:"1..64"`
	Rank uint32 `valid:"known"` // less than Size
}

// RanksJoinReply has the number of the communicator, and the size that the first rank gave.
type RanksJoinReply struct {
	Problem    RankProblem
	Team, Size uint32
}

// RanksLeave ends that. Operations that wait for the rank fail.
type RanksLeave struct {
	Team uint32 `valid:"known"`
	Rank uint32 `valid:"known"`
}

// RanksPost brings a rank to its next operation with all others, or with one peer. Reads is what the operation reads of
// the rank's memory in a stream, which is kept for the others. Moves is set if they get the bytes as they are;
// otherwise it matters here whether they are written. Call is for the other ranks. Broken is set if the rank cannot do
// its part.
type RanksPost struct {
	Team   uint32 `valid:"known"`
	Rank   uint32 `valid:"known"`
	Way    RankWay
	Peer   uint32   `valid:"known"`
	Call   []byte   `valid:"<=128"`
	Stream Stream   `valid:"any"`
	Reads  []Extent `valid:"<=2"`
	Moves  bool
	Broken bool
}

// RanksPostReply has the number of the operation.
type RanksPostReply struct{ Meeting uint64 }

// RanksAwait waits until all ranks of an operation have come, or one never will.
type RanksAwait struct {
	Meeting uint64 `valid:"known"`
}

// RanksAwaitReply has the ranks' calls and processes: of all ranks, or of the one that sends and the one that receives.
// Absent has a bit for each that does not come, Quiet is for how long nothing happened, if that is why. Broken is set if one could not do its part.
type RanksAwaitReply struct {
	Absence   RankAbsence
	Absent    uint64
	Quiet     string
	Broken    bool
	Calls     [][]byte
	Processes []uint64
}

// RanksTake writes bytes that a rank has brought to memory of this one, in the order of a stream.
type RanksTake struct {
	Meeting uint64  `valid:"known"`
	Slot    uint32  `valid:"known"` // of the rank in RanksAwaitReply
	Offset  uint64  `valid:"known"`
	Bytes   uint64  `valid:"known"`
	Dst     Pointer `valid:"any"`
	Stream  Stream  `valid:"any"`
}

// RanksDone is sent by a rank that needs nothing more of an operation.
type RanksDone struct {
	Meeting uint64 `valid:"known"`
}

// Bye ends a connection properly.
type Bye struct{}
