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
