package inst

// Kind is the family of an instruction: all of one kind do the same to memory
// and to other threads, up to spaces, sizes and functions.
type Kind uint8

// The kinds.
const (
	Compute Kind = iota // a function of registers and constants

	Load         // ld, ldu, and ld_reduce of a multimem address
	Store        // st
	Atomic       // atom, red
	FillAsync    // st.bulk: a fill of shared memory by the async proxy
	StoreAsync   // st.async: a store that completes on an mbarrier or by itself
	AtomicAsync  // red.async
	MatrixLoad   // wmma.load, ldmatrix: all lanes' addresses make one tile
	MatrixStore  // wmma.store, stmatrix
	TextureLoad  // tex, tld4
	SurfaceLoad  // suld
	SurfaceStore // sust
	SurfaceRed   // sured

	CopyAsync     // cp.async, a copy to shared memory by each thread
	CopyCommit    // cp.async.commit_group
	CopyWait      // cp.async.wait_group, cp.async.wait_all
	BulkCopy      // cp.async.bulk and its tensor and multimem forms
	BulkReduce    // cp.reduce.async.bulk
	BulkCommit    // cp.async.bulk.commit_group
	BulkWait      // cp.async.bulk.wait_group
	TensorMap     // tensormap.replace: writes a descriptor in memory
	TensorMapCopy // tensormap.cp_fenceproxy

	MBarrierInit
	MBarrierInval
	MBarrierArrive   // arrive, arrive_drop
	MBarrierExpect   // expect_tx
	MBarrierComplete // complete_tx
	MBarrierTest     // test_wait, try_wait
	CopyArrive       // cp.async.mbarrier.arrive
	LaunchCancel     // clusterlaunchcontrol.try_cancel

	Barrier       // bar, barrier of the block, with wait
	BarrierArrive // without
	BarrierReduce // with a vote over the block
	ClusterArrive // barrier.cluster.arrive
	ClusterWait   // barrier.cluster.wait
	WarpSync      // bar.warp.sync
	Fence         // membar, fence, fence.mbarrier_init
	ProxyFence    // fence.proxy, membar.proxy
	MapFence      // fence.proxy.tensormap::generic
	InitFence     // fence.mbarrier_init: a fence that orders initializations of mbarriers only
	GridWait      // griddepcontrol.wait
	GridTrigger   // griddepcontrol.launch_dependents

	Shuffle
	Vote
	Match
	Redux
	Elect
	ActiveMask
	MatrixMath // wmma.mma, mma, movmatrix: registers of all lanes

	ProductAsync  // wgmma.mma_async: D = A*B + D by a warpgroup, on shared memory and registers
	ProductFence  // wgmma.fence
	ProductCommit // wgmma.commit_group
	ProductWait   // wgmma.wait_group

	TensorAlloc   // tcgen05.alloc: takes columns of tensor memory, writes their address to shared memory
	TensorFree    // tcgen05.dealloc
	TensorPermit  // tcgen05.relinquish_alloc_permit
	TensorLoad    // tcgen05.ld: tensor memory to registers of a warp
	TensorStore   // tcgen05.st
	TensorWait    // tcgen05.wait
	TensorCopy    // tcgen05.cp: shared to tensor memory
	TensorShift   // tcgen05.shift
	TensorProduct // tcgen05.mma: on shared and tensor memory
	TensorCommit  // tcgen05.commit: an arrival at an mbarrier when copies and products are complete
	TensorFence   // tcgen05.fence

	SetRegisters // setmaxnreg: a warp takes registers from its block's pool, or gives them back

	Hint       // prefetch, applypriority, nanosleep: nothing that a program can see
	Discard    // makes the contents of memory undefined
	StackSave  // reads the top of the thread's stack
	StackSet   // stackrestore
	StackAlloc // alloca

	Branch
	Call
	Return
	Exit
	Trap

	NumKinds
)

// Effect is a set of what an instruction does besides computing its result.
type Effect uint8

// The effects. Memory is for what Reads and Writes of the Op list.
const (
	// Memory: it reads or writes memory of the program.
	Memory Effect = 1 << iota
	// Exchanges: its result depends on other lanes of the warp.
	Exchanges
	// Waits: it can wait for other threads, or ends a wait.
	Waits
	// Orders: memory accesses before and after it are ordered.
	Orders
	// Later: it takes effect after the instruction, by itself or at a wait.
	Later
	// Control: it decides what runs next.
	Control
	// Stack: it moves or reads the top of the thread's stack.
	Stack
)

// Has reports whether all of f are in e.
func (e Effect) Has(f Effect) bool { return e&f == f }

type traits struct {
	name          string
	effect        Effect
	reads, writes Spaces
}

// kinds gives each kind its effect.
var kinds = [NumKinds]traits{
	Compute: {name: "compute"},

	Load:         {"load", Memory, Named, 0},
	Store:        {"store", Memory, 0, Named},
	Atomic:       {"atomic", Memory, Named, Named},
	FillAsync:    {"fill", Memory | Later, 0, Shared},
	StoreAsync:   {"async store", Memory | Later | Waits, Shared, Named | Shared},
	AtomicAsync:  {"async atomic", Memory | Later | Waits, Named | Shared, Named | Shared},
	MatrixLoad:   {"matrix load", Memory | Exchanges, Named, 0},
	MatrixStore:  {"matrix store", Memory | Exchanges, 0, Named},
	TextureLoad:  {"texture load", Memory, Global, 0},
	SurfaceLoad:  {"surface load", Memory, Global, 0},
	SurfaceStore: {"surface store", Memory, 0, Global},
	SurfaceRed:   {"surface reduction", Memory, Global, Global},

	CopyAsync:     {"async copy", Memory | Later, Global, Shared},
	CopyCommit:    {name: "commit of copies", effect: Orders},
	CopyWait:      {name: "wait for copies", effect: Orders},
	BulkCopy:      {"bulk copy", Memory | Later | Waits, Global | Shared, Global | Shared},
	BulkReduce:    {"bulk reduction", Memory | Later | Waits, Global | Shared, Global | Shared},
	BulkCommit:    {name: "commit of bulk copies", effect: Orders},
	BulkWait:      {name: "wait for bulk copies", effect: Orders},
	TensorMap:     {"tensor map update", Memory, 0, Generic},
	TensorMapCopy: {"tensor map copy", Memory | Orders, Generic, Generic},

	MBarrierInit:     {"mbarrier init", Memory, 0, Named},
	MBarrierInval:    {"mbarrier inval", Memory, 0, Named},
	MBarrierArrive:   {"mbarrier arrive", Memory | Waits | Orders, Named, Named},
	MBarrierExpect:   {"mbarrier expect", Memory | Waits, Named, Named},
	MBarrierComplete: {"mbarrier complete", Memory | Waits, Named, Named},
	MBarrierTest:     {"mbarrier wait", Memory | Waits | Orders, Named, Named},
	CopyArrive:       {"copy arrive", Memory | Waits | Orders | Later, Named, Named},
	LaunchCancel:     {"launch cancel", Memory | Later | Waits, Shared, Shared},

	Barrier:       {name: "barrier", effect: Waits | Orders},
	BarrierArrive: {name: "barrier arrive", effect: Waits | Orders},
	BarrierReduce: {name: "barrier reduction", effect: Waits | Orders | Exchanges},
	ClusterArrive: {name: "cluster arrive", effect: Waits | Orders},
	ClusterWait:   {name: "cluster wait", effect: Waits | Orders},
	WarpSync:      {name: "warp barrier", effect: Waits | Orders | Exchanges},
	Fence:         {name: "fence", effect: Orders},
	ProxyFence:    {name: "proxy fence", effect: Orders},
	MapFence:      {name: "fence of tensor maps", effect: Orders},
	InitFence:     {name: "fence of mbarrier initializations", effect: Orders},
	GridWait:      {name: "grid wait", effect: Waits | Orders},
	GridTrigger:   {name: "grid trigger", effect: Waits},

	Shuffle:    {name: "shuffle", effect: Exchanges},
	Vote:       {name: "vote", effect: Exchanges},
	Match:      {name: "match", effect: Exchanges},
	Redux:      {name: "redux", effect: Exchanges},
	Elect:      {name: "elect", effect: Exchanges},
	ActiveMask: {name: "active mask", effect: Exchanges},
	MatrixMath: {name: "matrix arithmetic", effect: Exchanges},

	ProductAsync:  {"async product", Memory | Later | Waits | Orders | Exchanges, Shared, 0},
	ProductFence:  {name: "fence of products", effect: Orders | Exchanges},
	ProductCommit: {name: "commit of products", effect: Orders | Exchanges},
	ProductWait:   {name: "wait for products", effect: Orders | Exchanges},

	TensorAlloc:   {"tensor memory allocation", Memory | Waits | Orders | Exchanges, 0, Shared},
	TensorFree:    {name: "tensor memory release", effect: Waits | Orders | Exchanges},
	TensorPermit:  {name: "tensor memory permit", effect: Waits | Orders | Exchanges},
	TensorLoad:    {name: "tensor memory load", effect: Later | Orders | Exchanges},
	TensorStore:   {name: "tensor memory store", effect: Later | Orders | Exchanges},
	TensorWait:    {name: "wait for tensor memory", effect: Orders | Exchanges},
	TensorCopy:    {"tensor memory copy", Memory | Later | Waits | Orders, Shared, 0},
	TensorShift:   {name: "tensor memory shift", effect: Later | Waits | Orders},
	TensorProduct: {"tensor product", Memory | Later | Waits | Orders, Shared, 0},
	TensorCommit:  {"commit of tensor products", Memory | Later | Waits | Orders, Shared, Shared},
	TensorFence:   {name: "fence of tensor memory", effect: Orders},

	SetRegisters: {name: "register count", effect: Waits},

	Hint:       {name: "hint"},
	Discard:    {"discard", Memory, 0, Global},
	StackSave:  {name: "stack save", effect: Stack},
	StackSet:   {name: "stack restore", effect: Stack},
	StackAlloc: {name: "stack allocation", effect: Stack},

	Branch: {name: "branch", effect: Control},
	Call:   {"call", Control | Memory | Waits | Orders | Exchanges, Generic, Generic},
	Return: {name: "return", effect: Control},
	Exit:   {name: "exit", effect: Control},
	Trap:   {name: "trap", effect: Control},
}

// Effect returns what instructions of the kind do besides computing a result.
func (k Kind) Effect() Effect { return kinds[k].effect }

// Spaces returns the spaces that instructions of the kind may read and write,
// with Named where the modifiers decide.
func (k Kind) Spaces() (reads, writes Spaces) { return kinds[k].reads, kinds[k].writes }

// String names the kind.
func (k Kind) String() string { return kinds[k].name }
