package capsule

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Format is the version of the manifest that this package writes. A change of the meaning of a
// field makes it larger; Open refuses later ones. In format 1 all contents are kept; before
// format 3 no kernel launches child grids.
const Format = 3

// Capsule is a launch as it is written down: the manifest.
type Capsule struct {
	Format int `json:"format"`
	// Version is that of the tool that recorded it.
	Version string `json:"version"`
	// Dir is the directory of the recording run, to which reports show paths relative.
	Dir      string   `json:"dir,omitempty"`
	Settings Settings `json:"settings"`
	Launch   Launch   `json:"launch"`
	Module   Module   `json:"module"`
	// Sources are the files that the module's positions name, as far as they could be read.
	Sources  []Source  `json:"sources,omitempty"`
	Memory   Memory    `json:"memory"`
	Textures []Texture `json:"textures,omitempty"`
	// Outputs is set if it is known what the launch has written.
	Outputs bool `json:"outputs,omitempty"`
	// Missing lists the parts of the launch's state that are not in the capsule, for people.
	Missing []string `json:"missing,omitempty"`

	store *store
}

// Settings are those of the recording run that decide what a check finds. They are the
// defaults of a replay, in the form that the flags have.
type Settings struct {
	Arch       string `json:"arch"`
	Tools      string `json:"tools,omitempty"`
	RaceModel  string `json:"race_model,omitempty"`
	RacePolicy string `json:"race_policy,omitempty"`
	OnFault    string `json:"on_fault,omitempty"`
	Schedule   string `json:"schedule,omitempty"`
	Seed       uint64 `json:"seed,omitempty"`
	MaxSteps   uint64 `json:"max_steps,omitempty"`
	// Sample chooses the blocks that are checked, of all that run.
	Sample string `json:"sample,omitempty"`
	// Kernel, KernelExclude and Count choose the child grids that are checked: of the kernels that the
	// patterns choose the first Count, this launch included; 0 for all.
	Kernel        string `json:"kernel,omitempty"`
	KernelExclude string `json:"kernel_exclude,omitempty"`
	Count         int    `json:"count,omitempty"`
}

// Launch is the configuration of the launch.
type Launch struct {
	// ID counts the launches of the recorded run from 0. Kernel is the mangled name, Where
	// the call as file:line, or "".
	ID            int        `json:"id"`
	Kernel        string     `json:"kernel"`
	Where         string     `json:"where,omitempty"`
	Grid          trace.Dim3 `json:"grid"`
	Block         trace.Dim3 `json:"block"`
	Cluster       trace.Dim3 `json:"cluster,omitzero"`
	SharedDynamic uint32     `json:"shared_dynamic,omitempty"`
	// Blocks are those that run, by their linear indices in rising order; all if there are none.
	Blocks []uint64 `json:"blocks,omitempty"`
	// Params is the parameter buffer. Arguments describe it for people.
	Params    []byte     `json:"params"`
	Arguments []Argument `json:"arguments,omitempty"`
	Stream    uint64     `json:"stream,omitempty"`
	Device    int        `json:"device,omitempty"`
	// Stack is bytes of a thread, Heap those of device-side malloc, Printf the buffer's.
	Stack  uint64 `json:"stack,omitempty"`
	Heap   uint64 `json:"heap,omitempty"`
	Printf uint64 `json:"printf,omitempty"`
	// Children is set if the kernel can launch child grids.
	Children *Children `json:"children,omitempty"`
	// Resident is how many blocks the device keeps at once.
	Resident      int    `json:"resident,omitempty"`
	Programmatic  bool   `json:"programmatic,omitempty"`
	Cooperative   bool   `json:"cooperative,omitempty"`
	GridWorkspace uint64 `json:"grid_workspace,omitempty"`
	// Neighbors are the launch before it in its stream, and those that may run at the same time.
	Neighbors []Neighbor `json:"neighbors,omitempty"`
}

// Children is what child grids depend on: the number of the first one among the launches, how
// many levels of grids may wait for their children, and how many may be pending.
type Children struct {
	Next      int    `json:"next"`
	SyncDepth uint64 `json:"sync_depth"`
	Pending   uint64 `json:"pending"`
}

// Order is how a launch is ordered with another one.
type Order string

// A launch that Precedes is the one before it in its stream; one that Overlaps is the same, but may still run,
// since the recorded one is a programmatic dependent launch; Unordered ones may run at the same time.
const (
	Precedes  Order = "precedes"
	Overlaps  Order = "overlaps"
	Unordered Order = "unordered"
)

// Neighbor is another launch of the run. Kernel and Where are "" where they are not known.
type Neighbor struct {
	Launch int    `json:"launch"`
	Kernel string `json:"kernel,omitempty"`
	Stream uint64 `json:"stream,omitempty"`
	Where  string `json:"where,omitempty"`
	Order  Order  `json:"order"`
}

// Argument is a kernel argument: its C++ type, its value in hexadecimal as the bytes lie in
// memory, and the buffer that it points into.
type Argument struct {
	Type   string `json:"type,omitempty"`
	Value  string `json:"value"`
	Buffer string `json:"buffer,omitempty"`
}

// Module is the PTX module of the kernel.
type Module struct {
	// Name tells the modules of the run apart. Build is how it was built: host.Meta.
	Name  string `json:"name"`
	Build string `json:"build,omitempty"`
	PTX   Object `json:"ptx"`
	// Addresses are those of the module's variables, by mangled name.
	Addresses map[string]uint64 `json:"addresses,omitempty"`
}

// Object is the contents of something: SHA-256 in hexadecimal, and its length in bytes.
type Object struct {
	Hash string `json:"sha256"`
	Size uint64 `json:"size"`
}

// Source is a source file under the name that positions use.
type Source struct {
	File string `json:"file"`
	Text Object `json:"text"`
}

// Memory is the device memory before the launch.
type Memory struct {
	// Size is the extent of its addresses in bytes, Limit what the device has, Next the
	// number of the next allocation.
	Size        uint64       `json:"size"`
	Limit       uint64       `json:"limit"`
	Next        int          `json:"next"`
	Allocations []Allocation `json:"allocations"`
	// Origins are those of undefined values that earlier launches stored.
	Origins []Origin `json:"origins,omitempty"`
}

// Origin is where an undefined value comes from; see check.Origin.
type Origin struct {
	Launch int             `json:"launch"`
	Loc    source.Location `json:"location"`
	Object string          `json:"object"`
}

// Taint is bytes whose values are undefined, in the bits that are set. Origin is an index in
// Memory.Origins, -1 for none; Computed is trace.Computed.
type Taint struct {
	At       uint64 `json:"at"`
	Bytes    uint64 `json:"bytes"`
	Bits     uint8  `json:"bits"`
	Origin   int    `json:"origin"`
	Computed bool   `json:"computed,omitempty"`
}

// Allocation is one allocation; freed ones are there to be recognized. See mem.Allocation.
type Allocation struct {
	ID        int      `json:"id"`
	Base      uint64   `json:"base"`
	Size      uint64   `json:"size"`
	Footprint uint64   `json:"footprint"`
	Kind      mem.Kind `json:"kind"`
	Name      string   `json:"name,omitempty"`
	Where     string   `json:"where,omitempty"`
	Call      string   `json:"call,omitempty"`
	At        string   `json:"at,omitempty"`
	// Type is as ctype.Type.String has it.
	Type     string `json:"type,omitempty"`
	ReadOnly bool   `json:"read_only,omitempty"`
	Mapped   bool   `json:"mapped,omitempty"`
	RowWidth uint64 `json:"row_width,omitempty"`
	RowPitch uint64 `json:"row_pitch,omitempty"`
	Freed    bool   `json:"freed,omitempty"`
	// FreedBy is the function that freed it, FreedAt the place of its call.
	FreedBy string `json:"freed_by,omitempty"`
	FreedAt string `json:"freed_at,omitempty"`
	// Tracked is set if it is noted which bytes were written. Marks has a bit for each byte,
	// in words of 8 bytes, little endian; without it all were.
	Tracked bool    `json:"tracked,omitempty"`
	Marks   *Object `json:"marks,omitempty"`
	// Chunks are its contents, where they are not zero. Left are contents that are not kept: the
	// launch has not accessed them.
	Chunks []Chunk `json:"chunks,omitempty"`
	Left   []Span  `json:"left,omitempty"`
	// Taints are undefined values among them, in order.
	Taints []Taint `json:"taints,omitempty"`
	// After are the contents after the launch where it has changed them, if Capsule.Outputs is set.
	After []Chunk `json:"after,omitempty"`
}

// Span is a range of bytes at an offset.
type Span struct {
	At    uint64 `json:"at"`
	Bytes uint64 `json:"bytes"`
}

// Chunk is contents at an offset, a multiple of ChunkSize.
type Chunk struct {
	At   uint64 `json:"at"`
	Data Object `json:"data"`
}

// ChunkSize is the most bytes of a Chunk. Chunks are shared between capsules: smaller ones
// would share more, and be more files.
const ChunkSize = 64 << 10

// Texture is a texture or surface object, with the number of its array's allocation, -1 for none.
type Texture struct {
	Handle     uint64 `json:"handle"`
	Allocation int    `json:"allocation"`
	// Texture has no Alloc.
	Texture mem.Texture `json:"texture"`
}
