package protocol

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
