package trace

// An observer is a structure of functions, one for each event. A nil function
// is an event that is not wanted: nothing is computed for it. There are three
// of them, as there are three lifetimes: Observer for a run, LaunchObserver for
// one launch, BlockObserver for the blocks of one slot.
//
// A new event is one field here, its line in a Join function, and the call.

// Observer watches a run: one per rule.
type Observer struct {
	// Launch returns the observers of a launch that is about to begin, each of
	// which watches it by itself.
	Launch func(*Launch) []*LaunchObserver

	// Rejected is called for launches that CUDA refuses, InvalidFree for invalid
	// frees by the host, BadTransfer for copies and fills that CUDA refuses,
	// HostAccess for host code that follows a device pointer.
	Rejected    func(*RejectedLaunch)
	InvalidFree func(*InvalidFree)
	BadTransfer func(*BadTransfer)
	HostAccess  func(*HostAccess)
	// StuckWait is called for a stream's wait for a value that nothing can end.
	StuckWait func(*StuckWait)
	// Unread is called for errors of API calls that the program does not read.
	Unread func(*UnreadError)
	// Failed is called for API calls that return an error.
	Failed func(*FailedCall)
	// Unseen is called when a program ends in order and has not waited for the text that a kernel printed.
	Unseen func(*UnseenText)
	// Leaked gets, where the user asks for it, the memory that a program still holds
	// when it ends in order or resets its device, in the order of allocation.
	Leaked func([]Memory)
	// CopiedUnwritten is called for copies of uninitialized bytes to the host. It
	// makes the run note which bytes are written.
	CopiedUnwritten func(*CopiedUnwritten)

	// Unused is called for an allocation that ends and of which bytes were never written.
	Unused func(*UnusedMemory)

	// What the host does with streams, in the order in which it does it. Work runs when all
	// that it is ordered after has ended, maybe only after later work of other streams was
	// enqueued. Runs comes when a launch begins, and when it continues after Parked: it then
	// waits for a change of memory while others run. Finished comes after it.
	StreamOrder func(*StreamOrder)
	Transfer    func(*Transfer)
	Enqueued    func(*Enqueued)
	Runs        func(launch int)
	Parked      func(launch int)
	Finished    func(launch int)
	Freed       func(*Freed)
	// HostWatched is called before the first launch if accesses of host code are
	// watched, with the range in which they can lie. HostTouch gets these accesses
	// in order, as far as it matters: those of one place together, except that
	// those after a strong read come after it. All came between two other actions
	// of the host.
	HostWatched func(Range)
	HostTouch   func(*HostTouch)
	// What grids ask of the device runtime, in the order in which it is done: at a
	// wait of a block, or after the end of the parent's blocks. A child grid is
	// Enqueued and Finished between ChildBegins and ChildEnds.
	ChildBegins func(*ChildGrid)
	ChildOrder  func(*ChildOrder)
	ChildEnds   func(*ChildGrid)
}

// LaunchObserver watches one launch.
type LaunchObserver struct {
	// Block makes the observer of one resident-block slot, which runs many blocks
	// one after the other. Slots run at once, and which block runs in which slot is
	// not determined. nil observes no block.
	Block func() *BlockObserver
	// Spares reports whether a block that is about to begin may run without this
	// observer. It is called from several goroutines.
	Spares func(block uint64) bool
	// Again is asked, in a Repeatable launch, whether the observer has to see the launch again:
	// when its blocks have ended, or only wait for something outside of the launch. If so, Block
	// makes observers for the repetition, which begins with the memory that the launch began with.
	// waits: the launch waits; the observers of its blocks see what comes then, not those of the
	// repetition.
	Again func(waits bool) bool
	// Trial is asked, when the blocks of a Repeatable launch have ended without a fault, for another
	// execution of the launch; nil for none. It is asked again after each.
	Trial func(Work) *Trial
	// Led is called when the first Lead blocks have ended, or clusters of blocks, in the order in
	// which they begin; no other one has begun by then. It is not called where the launch has no more, or where
	// one of them has to wait for another block.
	Lead uint64
	Led  func()
	// Fault gets what ended the launch. It is called after the blocks.
	Fault func(*Fault)
	// Executed gets how often the launch executed each basic block, in the order of the
	// program. It is called before End.
	Executed func([]Executed)
	// Decided gets how often the conditions held that the program counts. It is called after Executed, which the observer must have.
	Decided func([]Decided)
	// End is called once, when all blocks have ended. Only here may results of the
	// block observers be merged, in an order-free way.
	End func()
	// MarksWritten asks that the bytes written are noted in every block of the
	// launch, also in those that this observer does not see.
	MarksWritten bool
}

// Checks reports whether the observer does more than to have written bytes noted.
func (o *LaunchObserver) Checks() bool { return o.Block != nil || o.Fault != nil || o.End != nil }

// BlockObserver watches the blocks of one slot. One block's events come in
// execution order, from one goroutine: Begin, events, End. Events are borrowed.
type BlockObserver struct {
	Begin func(*Block)
	End   func()

	// Accesses, by the space that the address resolved to.
	Shared, Global, Local, Const func(*Access)
	// LocalWritten returns by offset in a warp's local memory the lanes that have written
	// that byte, for at least so many bytes. Where an observer has it, accesses at one offset
	// in all lanes need not be sent to Local if writes are entered there and what is read was
	// written; those whose site has a variable with a Part always are.
	LocalWritten func(warp, bytes int) []uint32
	// Ignores reports the sites whose accesses to global memory Global passes over,
	// the same ones until the launch is repeated, so that they need not be sent. Those that Marks takes
	// have to be marked instead.
	Ignores func(*Site) bool
	// Plain lets code enter accesses to global memory by itself, instead of sending them to
	// Global. It does not continue behind a barrier before Barrier was called.
	Plain *PlainObserver
	// Marks lets code mark accesses to global memory, which then need not be sent to Global either.
	Marks *MarkObserver
	// Interval lets barrier intervals that were seen before be left out.
	Interval *IntervalObserver

	// Barrier is a completed barrier of the block, Arrived an arrival of lanes that do
	// not wait there.
	Barrier  func(*Barrier)
	Arrived  func(*Arrival)
	WarpSync func(*WarpSync)
	Fence    func(*Fence)

	// Unwritten is a read of uninitialized global memory, Wrote a write to shared or
	// local memory by a function of the device runtime, which is not an Access.
	Unwritten func(*Unwritten)
	Wrote     func(*RuntimeWrite)
	// Undefined wants undefined values followed. One observer of a slot has it.
	Undefined *UndefinedObserver

	// Diverged is a divergent branch, Stretch a number of instructions executed by the
	// same lanes, also where no lane is idle.
	Diverged func(*Divergence)
	Stretch  func(*Stretch)
	// Defect is an error of device code after which a GPU continues.
	Defect func(*Defect)
	// SubarrayBegins is where a part of an array in shared memory begins.
	SubarrayBegins func(*SubarrayStart)

	// Remote is an access of the block to the shared memory of another one of its
	// cluster, Reached an access of another block to this one's. GroupArrived
	// comes when lanes arrive at the barrier of the cluster or of the grid, GroupPassed
	// when lanes that waited there continue.
	Remote       func(*RemoteAccess)
	Reached      func(*Access)
	GroupArrived func(*GroupSync)
	GroupPassed  func(*GroupSync)

	// Asynchronous operations in the block's shared and tensor memory, and the fences between proxies
	// and of tensor memory.
	AsyncBegan  func(*AsyncAccess)
	AsyncEnded  func(*AsyncEnd)
	ProxyFence  func(*ProxyFence)
	TensorFence func(*TensorFence)

	// GridControl is a griddepcontrol of a programmatic dependent launch.
	GridControl func(*GridControl)

	// Rests is asked before a warp's access to memory by a site. If it returns true, the block rests before the
	// access until all others have ended or only wait, and is asked again then. It is not asked for
	// accesses that are not sent.
	Rests func(warp int, s *Site) bool

	// HeapFreed comes before memory of the device's heap is freed by device code.
	HeapFreed func(*HeapFree)

	// Spawned is a request to the device runtime, Joined the end of a wait for those
	// of the block.
	Spawned func(*Spawn)
	Joined  func(*Join)
}

// Accesses returns the function for accesses to a space, nil if they are not wanted.
func (o *BlockObserver) Accesses(s Space) func(*Access) {
	switch s {
	case SpaceShared:
		return o.Shared
	case SpaceGlobal:
		return o.Global
	case SpaceLocal:
		return o.Local
	case SpaceConst:
		return o.Const
	}
	return nil
}

// JoinBlocks returns an observer that passes each event to those of a list that want
// it, in the order of the list. It has no Interval.
func JoinBlocks(all []*BlockObserver) *BlockObserver {
	type B = BlockObserver
	return &BlockObserver{
		Begin:          each(all, func(o *B) func(*Block) { return o.Begin }),
		End:            eachEnd(all, func(o *B) func() { return o.End }),
		Shared:         each(all, func(o *B) func(*Access) { return o.Shared }),
		Global:         each(all, func(o *B) func(*Access) { return o.Global }),
		Local:          each(all, func(o *B) func(*Access) { return o.Local }),
		LocalWritten:   theLocalWritten(all),
		Const:          each(all, func(o *B) func(*Access) { return o.Const }),
		Ignores:        allIgnore(all),
		Plain:          thePlain(all),
		Marks:          theMarks(all),
		Barrier:        each(all, func(o *B) func(*Barrier) { return o.Barrier }),
		Arrived:        each(all, func(o *B) func(*Arrival) { return o.Arrived }),
		WarpSync:       each(all, func(o *B) func(*WarpSync) { return o.WarpSync }),
		Fence:          each(all, func(o *B) func(*Fence) { return o.Fence }),
		Unwritten:      each(all, func(o *B) func(*Unwritten) { return o.Unwritten }),
		Wrote:          each(all, func(o *B) func(*RuntimeWrite) { return o.Wrote }),
		Undefined:      theUndefined(all),
		Diverged:       each(all, func(o *B) func(*Divergence) { return o.Diverged }),
		Stretch:        each(all, func(o *B) func(*Stretch) { return o.Stretch }),
		Defect:         each(all, func(o *B) func(*Defect) { return o.Defect }),
		SubarrayBegins: each(all, func(o *B) func(*SubarrayStart) { return o.SubarrayBegins }),
		Remote:         each(all, func(o *B) func(*RemoteAccess) { return o.Remote }),
		Reached:        each(all, func(o *B) func(*Access) { return o.Reached }),
		GroupArrived:   each(all, func(o *B) func(*GroupSync) { return o.GroupArrived }),
		GroupPassed:    each(all, func(o *B) func(*GroupSync) { return o.GroupPassed }),
		AsyncBegan:     each(all, func(o *B) func(*AsyncAccess) { return o.AsyncBegan }),
		AsyncEnded:     each(all, func(o *B) func(*AsyncEnd) { return o.AsyncEnded }),
		ProxyFence:     each(all, func(o *B) func(*ProxyFence) { return o.ProxyFence }),
		TensorFence:    each(all, func(o *B) func(*TensorFence) { return o.TensorFence }),
		GridControl:    each(all, func(o *B) func(*GridControl) { return o.GridControl }),
		Rests:          theRests(all),
		HeapFreed:      each(all, func(o *B) func(*HeapFree) { return o.HeapFreed }),
		Spawned:        each(all, func(o *B) func(*Spawn) { return o.Spawned }),
		Joined:         each(all, func(o *B) func(*Join) { return o.Joined }),
	}
}

// JoinRuns returns an observer that passes each event of the run to those of a list
// that want it, in the order of the list, except Launch, which it leaves nil.
func JoinRuns(all []*Observer) *Observer {
	type R = Observer
	return &Observer{
		Rejected:        each(all, func(o *R) func(*RejectedLaunch) { return o.Rejected }),
		InvalidFree:     each(all, func(o *R) func(*InvalidFree) { return o.InvalidFree }),
		BadTransfer:     each(all, func(o *R) func(*BadTransfer) { return o.BadTransfer }),
		HostAccess:      each(all, func(o *R) func(*HostAccess) { return o.HostAccess }),
		StuckWait:       each(all, func(o *R) func(*StuckWait) { return o.StuckWait }),
		Unread:          each(all, func(o *R) func(*UnreadError) { return o.Unread }),
		Failed:          each(all, func(o *R) func(*FailedCall) { return o.Failed }),
		Unseen:          each(all, func(o *R) func(*UnseenText) { return o.Unseen }),
		Unused:          each(all, func(o *R) func(*UnusedMemory) { return o.Unused }),
		Leaked:          each(all, func(o *R) func([]Memory) { return o.Leaked }),
		CopiedUnwritten: each(all, func(o *R) func(*CopiedUnwritten) { return o.CopiedUnwritten }),
		StreamOrder:     each(all, func(o *R) func(*StreamOrder) { return o.StreamOrder }),
		Transfer:        each(all, func(o *R) func(*Transfer) { return o.Transfer }),
		Enqueued:        each(all, func(o *R) func(*Enqueued) { return o.Enqueued }),
		Runs:            each(all, func(o *R) func(int) { return o.Runs }),
		Parked:          each(all, func(o *R) func(int) { return o.Parked }),
		Finished:        each(all, func(o *R) func(int) { return o.Finished }),
		Freed:           each(all, func(o *R) func(*Freed) { return o.Freed }),
		HostWatched:     each(all, func(o *R) func(Range) { return o.HostWatched }),
		HostTouch:       each(all, func(o *R) func(*HostTouch) { return o.HostTouch }),
		ChildBegins:     each(all, func(o *R) func(*ChildGrid) { return o.ChildBegins }),
		ChildOrder:      each(all, func(o *R) func(*ChildOrder) { return o.ChildOrder }),
		ChildEnds:       each(all, func(o *R) func(*ChildGrid) { return o.ChildEnds }),
	}
}

// theUndefined is the Undefined of the one observer that has it.
// theLocalWritten is that of the only observer of accesses to local memory.
func theLocalWritten(all []*BlockObserver) (f func(warp, bytes int) []uint32) {
	n := 0
	for _, o := range all {
		if o.Local != nil {
			f, n = o.LocalWritten, n+1
		}
	}
	if n != 1 {
		return nil
	}
	return f
}

// theRests is the Rests of the one observer that has it.
func theRests(all []*BlockObserver) func(int, *Site) bool {
	for _, o := range all {
		if o.Rests != nil {
			return o.Rests
		}
	}
	return nil
}

func theUndefined(all []*BlockObserver) *UndefinedObserver {
	for _, o := range all {
		if o.Undefined != nil {
			return o.Undefined
		}
	}
	return nil
}

// each returns a function that calls the one that field selects in every observer that
// has it; nil if none has.
func each[O, E any](all []*O, field func(*O) func(E)) func(E) {
	var fs []func(E)
	for _, o := range all {
		if f := field(o); f != nil {
			fs = append(fs, f)
		}
	}
	switch len(fs) {
	case 0:
		return nil
	case 1:
		return fs[0]
	}
	return func(e E) {
		for _, f := range fs {
			f(e)
		}
	}
}

// eachEnd is each for functions without an event.
func eachEnd[O any](all []*O, field func(*O) func()) func() {
	f := each(all, func(o *O) func(struct{}) {
		end := field(o)
		if end == nil {
			return nil
		}
		return func(struct{}) { end() }
	})
	if f == nil {
		return nil
	}
	return func() { f(struct{}{}) }
}

// allIgnore returns a function that reports the sites ignored by all observers that
// watch global memory, or marked for them; nil if one of them watches all sites.
func allIgnore(all []*BlockObserver) func(*Site) bool {
	var fs []func(*Site) bool
	for _, o := range all {
		switch {
		case o.Global == nil:
		case o.Marks != nil && o.Ignores != nil:
			fs = append(fs, func(s *Site) bool { return o.Ignores(s) || o.Marks.Takes(s) })
		case o.Marks != nil:
			fs = append(fs, o.Marks.Takes)
		case o.Ignores == nil:
			return nil
		default:
			fs = append(fs, o.Ignores)
		}
	}
	return func(s *Site) bool {
		for _, f := range fs {
			if !f(s) {
				return false
			}
		}
		return true
	}
}
