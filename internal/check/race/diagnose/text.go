package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// clauses follow what a top line says happened.
var clauses = map[Cause]string{
	NoBarrier:        "without a barrier between them",
	PartialBarrier:   "with a barrier between them that not both threads wait at",
	NoSyncwarp:       "without a __syncwarp between them",
	PartialSyncwarp:  "with a __syncwarp between them whose mask leaves one lane out",
	OneInstruction:   "by lanes of the same instruction",
	Overlap:          "through arrays that overlap",
	InFlight:         "before an asynchronous operation has completed",
	NoProxyFence:     "without a proxy fence between them",
	IssuedEarly:      "by an asynchronous operation that is issued too early",
	NotAtomic:        "of which only one is atomic",
	LostUpdate:       "in a non-atomic update",
	NoFence:          "without a memory fence between them",
	NotArrived:       "before the other block has arrived",
	NotAwaited:       "with an arrival that no thread waits for",
	WrongPhase:       "in different phases of an mbarrier",
	CopiesOnly:       "that an arrival of cp.async copies does not order",
	NarrowScope:      "with a scope that is too narrow",
	MixedSizes:       "with atomics of different sizes",
	NoLock:           "of which only one holds the lock",
	Reused:           "before the last value was read",
	TestThenSet:      "in a test and set that is not atomic",
	NotVolatile:      "by polling with plain reads",
	BlocksUnordered:  "by different blocks",
	StreamsUnordered: "in different streams",
	StagedCopy:       "with a copy that may not have arrived",
	ChildUnordered:   "without a wait for the child grid",
	GridUnordered:    "by dependent launches that overlap",
	ReadOnlyPath:     "through the read-only path",
	HostUnordered:    "without a wait of the host",
}

// topLine is what happened in plain words, with the hazard after it.
func topLine(what, object string, c Cause, between, hazard string) string {
	return fmt.Sprintf("data race: %s %s %s%s (%s)", what, object, clauses[c], between, hazard)
}

// accesses are what two operations are called together, up to their object.
func accesses(a, z trace.Kind, sameValue bool) string {
	switch {
	case sameValue && a == trace.Write && z == trace.Write:
		return "two writes of the same value to"
	case a == trace.Atomic && z == trace.Atomic:
		return "two atomic operations on"
	case a == trace.Write && z == trace.Write:
		return "two writes to"
	case a == trace.Atomic || z == trace.Atomic:
		other := min(a, z)
		return other.String() + " and atomic operation on"
	}
	return "read and write of"
}

// message is the top line of a pair of threads.
func (d *rendering) message() string {
	a, z := d.early.Site, d.late.Site
	if a.Frees || z.Frees {
		return "data race: free of memory that other threads access"
	}
	what := accesses(a.Kind, z.Kind, d.sameValue())
	if d.cause == NoLock && !d.w.Lock.Missing() {
		return fmt.Sprintf("data race: %s %s outside the lock that both threads take (%s)", what, d.object(), d.hazard)
	}
	if d.cause == NotVolatile && d.half != nil {
		return fmt.Sprintf("data race: %s %s with a flag that a plain write sets (%s)", what, d.object(), d.hazard)
	}
	return topLine(what, d.object(), d.cause, "", d.hazard.String())
}

// file is the one that the sentences are about; where names a place as seen from it.
func (d *diagnosis) file() string               { return d.late.Site.Loc.File }
func (d *diagnosis) where(s *trace.Site) string { return check.Where(s, d.file()) }
func whyTest(d *diagnosis) string {
	return fmt.Sprintf(decides, d.where(d.test.read), d.where(d.test.write))
}
func whyBlocks(d *diagnosis) string {
	return "the threads are in different blocks, and " + d.unordered()
}
func whyNoBarrier(d *diagnosis) string { return "no barrier between them" }
func whyNoSyncwarp(d *diagnosis) string {
	return "both are in one warp: no __syncwarp and no barrier between them"
}
func whyHalfAtomic(d *diagnosis) string {
	return "one access is atomic and the other is not, and nothing else orders them"
}
func whyHalfUpdate(d *diagnosis) string { return "one update is atomic and the other is not" }
func whyInFlight(d *diagnosis) string {
	return "the asynchronous copy may still be in flight: its thread has not waited for it"
}
func helpUpdate(*diagnosis) string {
	return "make the update atomic (for example atomicAdd), or give each thread its own element"
}
func helpSizes(*diagnosis) string {
	return "access the location by atomics of one size everywhere: of the larger one, or of the smaller one for each part"
}
func helpSameValue(*diagnosis) string {
	return "harmless as long as all write the same value; let one thread write it to be sure"
}
func helpLock(*diagnosis) string {
	return "make both accesses under the same lock, or make them atomic"
}
func helpEarly(d *diagnosis) string { return "arrive at " + d.passedName() + " after the access" }

// clusterBarrier orders threads of different blocks of a cluster, but for updates, of which a barrier would make one after the other.
func clusterBarrier(d *diagnosis) mend {
	if d.update && !d.volatile {
		return by(finding.MakeAtomic, helpUpdate(d))
	}
	return by(finding.ClusterBarrier, "add a barrier of the cluster (cluster.sync()) "+d.between())
}

func helpWriteBefore(*diagnosis) string {
	return "write it before the launch, for example with cudaMemset, or in a kernel of its own"
}
func helpNarrowFence(*diagnosis) string {
	return "use a fence of device scope: __threadfence() instead of __threadfence_block(), or cuda::thread_scope_device"
}
func (d *diagnosis) between() string    { return d.placeBetween(d.early.Site, d.late.Site) }
func (d *diagnosis) passedName() string { return passedName(d.w.Between, d.file()) }

const (
	decides            = "the read of %s decides whether to execute the write of %s: before one thread writes, others may read the same value and write as well"
	copyMayBegin       = ": the copy may begin only when all threads are done with what it overwrites"
	orBothAtomic       = ", or make both accesses atomic"
	outsideBlockBranch = ", outside of the branch that only some threads of the block take"
	outsideWarpBranch  = ", outside of the branch that only some lanes take"
	orGridSync         = ", or order the blocks (grid.sync() of a cooperative launch, a flag with __threadfence)"
	volatileNote       = "both are volatile: that makes each access happen, but orders nothing between threads"
	noFenceNote        = ", but no fence "
)

// countedBarrierHelp is for accesses in the two arms of a branch. Where both write, a barrier orders them, but does not tell which
// of the values should stay.
func countedBarrierHelp(a, z *trace.Site) string {
	if a.Kind == trace.Write && z.Kind == trace.Write {
		return "write the element in one of the two branches, or give each its own: no barrier tells which of the values should stay"
	}
	first, then := check.Where(a, a.Loc.File), check.Where(z, a.Loc.File)
	return fmt.Sprintf("some threads of the block come to only one of the two places: end the branch between them, so that all execute first %s, then %s, then %s; or use a barrier that counts those that take part (bar.sync with a number and their count, or an mbarrier)",
		first, finding.Syncthreads, then)
}

func whyOneInstruction(d *diagnosis) string {
	return fmt.Sprintf("two lanes of the same instruction (warp %d) write this location; their order is undefined", d.w.Then.Warp)
}

func whySizes(d *diagnosis) string {
	a, z := d.taken()
	return fmt.Sprintf("the two have different sizes, %d and %d bytes (%s, %s): neither is atomic for the other", a.Elem, z.Elem, d.where(a), d.where(z))
}

func whyBlockAtomics(*diagnosis) string {
	return "scope too narrow: an operation of block scope is atomic for the threads of its block only"
}

func helpBlockAtomics(*diagnosis) string {
	return "use device scope: the atomic without _block, cuda::thread_scope_device"
}

func whyLock(d *diagnosis) string {
	locked := d.w.Then.Site
	if d.w.Lock.First {
		locked = d.w.First.Site
	}
	return fmt.Sprintf("the %s of %s is made under a lock, which the other thread does not hold", locked.Kind, d.where(locked))
}

func whyLost(d *diagnosis) string {
	return fmt.Sprintf("the value that %s writes is computed from what %s has read, in two steps: of two threads that read the same value, the update of one is lost",
		d.where(d.lost.write), d.where(d.lost.read))
}

func whyPolled(d *diagnosis) string {
	const plain = " by plain reads, which the compiler may hoist out of the loop and which nothing orders"
	if d.waits == nil || d.waits == d.early.Site || d.waits == d.late.Site {
		return "one thread polls the location" + plain
	}
	return fmt.Sprintf("the flag that %s waits for should order the two, but is read"+plain, d.where(d.waits))
}

func whyPlain(d *diagnosis) string {
	return d.where(d.plain) + " is a plain access, and other threads access the location by relaxed atomics at the same time"
}

func helpPlain(d *diagnosis) string {
	return "make the access of " + d.where(d.plain) + " a relaxed atomic as well, or order the threads"
}

func helpHalfAtomic(*diagnosis) string {
	return "read it by an atomic too (or by volatile, for any of the values that it has), or order the two by a barrier of the grid or by separate launches"
}

func helpTest(d *diagnosis) string {
	if d.test.Extreme {
		return "let one atomic operation compare and write: atomicMax or atomicMin (for a type that has none, atomicCAS in a loop)"
	}
	return "let one atomic operation test and write (atomicCAS, or atomicExch where the written value is always the same), and decide by its result"
}

func whySignal(*diagnosis) string {
	return "the threads communicate through a volatile variable, but no fence orders the surrounding accesses"
}

// linkWords is how a flag, a lock or a ticket connects the two threads.
func (d *diagnosis) linkWords() string {
	who := "the first"
	if d.w.Link.Lane {
		who = "another lane of the first one's warp"
	}
	return fmt.Sprintf("the second thread has read at %s what %s wrote at %s", d.where(d.w.Link.Acquire.Site), who, d.where(d.w.Link.Site))
}

func whyNoAcquire(d *diagnosis) string { return d.linkWords() + noFenceNote + "follows the read" }
func whyNoRelease(d *diagnosis) string {
	return d.linkWords() + noFenceNote + "lies between the first access and that write"
}
func whyEarlyFence(d *diagnosis) string {
	return d.linkWords() + ", but the fence comes before the first access and does not order it"
}
func whyEarlySignal(d *diagnosis) string {
	return d.linkWords() + ", but that was before the first access"
}
func whyBesideLock(d *diagnosis) string {
	return fmt.Sprintf("the threads synchronize by a lock, and the %s of %s is made without it", d.w.First.Site.Kind, d.where(d.w.First.Site))
}
func whyAnnouncedLater(d *diagnosis) string {
	return fmt.Sprintf("the operation of %s chooses the thread that writes, and only %s tells that it has written", d.where(d.w.Link.Site), d.where(d.announcement()))
}

// waitForWriter lets the second thread wait until the chosen one has written.
func waitForWriter(d *diagnosis) mend {
	return by(finding.WaitForWriter, fmt.Sprintf("wait before %s until the value that %s writes is there, then %s", d.where(d.w.Then.Site), d.where(d.announcement()), d.fence()))
}
func whyReused(d *diagnosis) string {
	return fmt.Sprintf("the flag that %s sets tells that the value is there; nothing tells the writer that it was read, before the next pass overwrites it", d.where(d.w.Link.Site))
}

// waitForReaders keeps a loop's next pass from overwriting what others are still to read: the second half of a mailbox.
func waitForReaders(d *diagnosis) mend {
	then := d.w.Then.Site
	if then.Kind.Writes() {
		return by(finding.WaitForReaders, fmt.Sprintf("wait before %s until the threads of %s have announced, by a flag or a counter of their own, that they are done with the last value", d.where(d.w.First.Site), d.where(then)))
	}
	return by(finding.WaitForReaders, fmt.Sprintf("wait before %s until the threads that read at %s have announced it, by a flag or a counter that they set after the read and %s", d.where(d.w.First.Site), d.where(then), d.fence()))
}

func whyNoJoinLane(d *diagnosis) string {
	return d.linkWords() + ", but no __syncwarp orders the first access before that"
}

func whyNoJoin(d *diagnosis) string {
	return fmt.Sprintf("the second thread has read at %s what another thread of the first one's block wrote at %s, but no barrier orders the first access before that",
		d.where(d.w.Link.Acquire.Site), d.where(d.w.Link.Site))
}

func whyNoSpread(d *diagnosis) string {
	return fmt.Sprintf("another lane of the second thread's warp has read at %s what the first wrote at %s, but no __syncwarp follows",
		d.where(d.w.Link.Acquire.Site), d.where(d.w.Link.Site))
}

func whyNarrowLink(d *diagnosis) string {
	return fmt.Sprintf("scope too narrow: what %s writes and %s reads is of block scope, and the threads are in different blocks",
		d.where(d.w.Link.Site), d.where(d.w.Link.Acquire.Site))
}

func whyNarrowFence(d *diagnosis) string {
	return fmt.Sprintf("scope too narrow: the fence before %s orders for the threads of its block only", d.where(d.w.Link.Site))
}

func whyTicket(d *diagnosis) string {
	return fmt.Sprintf("the blocks synchronize by the atomic of %s, but the kernel has no fence", d.where(d.unfenced()))
}

func whyChosen(d *diagnosis) string {
	return fmt.Sprintf("the atomic of %s chooses the thread that writes, and nothing tells the others that it has written", d.where(d.unfenced()))
}

// announce lets the chosen thread tell that it has written, and the others wait for that.
func announce(d *diagnosis) mend {
	return by(finding.WaitForWriter, fmt.Sprintf("let the chosen thread set another flag after %s and %s, and wait for that flag before %s", d.where(d.w.First.Site), d.fence(), d.where(d.w.Then.Site)))
}

// objectName names an mbarrier or a barrier.
func (d *diagnosis) objectName(o evidence.Object) string {
	if o.Numbered {
		return fmt.Sprintf("barrier %d", o.At)
	}
	if n := check.SharedName(d.run.Launch, o.At); n != "" {
		return n
	}
	return fmt.Sprintf("the mbarrier at offset 0x%x", o.At)
}

func (d *diagnosis) unawaitedName() string {
	if d.unawaited.Tracks {
		return "the mbarrier"
	}
	return d.objectName(d.unawaited.Object)
}

func whyUnawaited(d *diagnosis) string {
	u := d.unawaited
	arrives := d.where(u.Arrive) + " arrives at " + d.unawaitedName()
	if u.Behind == nil {
		return arrives + " so that others may continue, but no thread waits there"
	}
	return arrives + " once " + d.where(u.Behind) + " is done, but no thread waits there"
}

func helpUnawaited(d *diagnosis) string {
	how := "arrive_and_wait, or in a pipeline consumer_wait and producer_acquire"
	if d.unawaited.Object.Numbered {
		how = "bar.sync, with the count of " + d.where(d.unawaited.Arrive)
	}
	return fmt.Sprintf("wait at %s before %s (%s)", d.unawaitedName(), d.where(d.unawaited.Access), how)
}

func whyPhase(d *diagnosis) string {
	p := d.phases[0]
	return fmt.Sprintf("%s waits at %s for the arrival of %s, but a phase ends without it", d.where(p.Wait), d.objectName(p.Object), d.where(p.Arrive))
}

func whyLaneArrives(d *diagnosis) string {
	return fmt.Sprintf("%s waits at %s for the arrival of %s, which another lane of the first thread's warp makes, but no __syncwarp orders the first access before that",
		d.where(d.lane.Wait), d.objectName(d.lane.Object), d.where(d.lane.Arrive))
}

func helpPhase(d *diagnosis) string {
	var names []string
	for _, p := range d.phases {
		if n := d.objectName(p.Object); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return "let the count of " + strings.Join(names[:min(2, len(names))], " and of ") +
		" be the number of all arrivals of one phase, let each thread arrive once in it, and let it track the copies it is for"
}

func whyCluster(*diagnosis) string {
	return "the threads are in different blocks of a cluster, and no barrier of the cluster is between the accesses"
}

func whyAlone(d *diagnosis) string {
	a := d.arrivalOf()
	return fmt.Sprintf("another thread of its block waits at %s for the other block's arrival at %s, but no barrier makes this thread wait for that", d.where(a.wait), d.where(a.arrive))
}

func whyNotArrived(d *diagnosis) string {
	a := d.arrivalOf()
	return fmt.Sprintf("its block waits at %s, but continues before the other block has arrived at %s", d.where(a.wait), d.where(a.arrive))
}

func helpNotArrived(d *diagnosis) string {
	a := d.arrivalOf()
	return fmt.Sprintf("let %s wait until all blocks have arrived (is the number that it waits for too small?)", check.Where(a.wait, a.access.Loc.File))
}

func whySomeBlocks(d *diagnosis) string {
	return fmt.Sprintf("%d of the thread pairs are in different blocks, and %s", d.by[evidence.AcrossBlocks], d.unordered())
}

// passedText names a synchronization with its participants, passedName in short.
func passedText(p *evidence.Passed, file string) string {
	if p.Part == nil {
		return fmt.Sprintf("%s (mask 0x%08x)", passedName(p, file), p.Lanes)
	}
	return fmt.Sprintf("%s (%d threads)", passedName(p, file), p.Threads())
}

func passedName(p *evidence.Passed, file string) string {
	if p.Part == nil {
		return "the __syncwarp of " + check.Where(p.Site, file)
	}
	return "the barrier of " + check.Where(p.Site, file)
}

func whyEarly(d *diagnosis) string {
	return "the first thread arrives at " + d.passedName() + " before its access, so the barrier does not order it"
}

func whyPartialBarrier(d *diagnosis) string {
	return fmt.Sprintf("%s joins %d of %d threads and does not order these two", d.passedName(), d.w.Between.Threads(), d.run.Launch.Block.Size())
}

func whyMiscounted(d *diagnosis) string {
	m := d.miscounts()[0]
	return fmt.Sprintf("barrier %d counts %d threads, but %d come to it: %d arrive without waiting and %d wait, so that a phase ends with the arrivals alone",
		m.ID, m.Counted, m.Arrive+m.Wait, m.Arrive, m.Wait)
}

// helpMiscounted names the counts of all barriers between the same threads: with one of them changed alone, the threads hang.
func helpMiscounted(d *diagnosis) mend {
	all := d.miscounts()
	var names []string
	for _, m := range all {
		names = append(names, fmt.Sprintf("barrier %d", m.ID))
	}
	first := all[0]
	m := by(finding.CountThreads, fmt.Sprintf("let %s count %d threads in each instruction that names them: the %d that arrive and the %d that wait",
		strings.Join(names, " and "), first.Arrive+first.Wait, first.Arrive, first.Wait))
	for _, c := range all {
		m.Counts = append(m.Counts, finding.BarrierCount{ID: c.ID, Threads: c.Arrive + c.Wait})
	}
	return m
}

func whyCountsTwice(d *diagnosis) string {
	return fmt.Sprintf("%s joins %d of %d threads and does not order these two: it counts threads twice that arrive by bar.arrive and then wait in the same phase",
		d.passedName(), d.w.Between.Threads(), d.run.Launch.Block.Size())
}

func helpCountsTwice(d *diagnosis) string {
	return "let each thread come to " + d.passedName() + " once in a phase: leave out the bar.arrive of threads that wait there, unless they should pass alone"
}

func whyPartialSyncwarp(d *diagnosis) string {
	return fmt.Sprintf("%s has the mask 0x%08x, which leaves one of the two lanes out", d.passedName(), d.w.Between.Lanes)
}

// joinSyncwarp lets all lanes come to a __syncwarp() that leaves some out.
func joinSyncwarp(d *diagnosis) mend {
	m := by(finding.AddSyncwarp, "let all lanes that exchange data take part in "+d.passedName()+", with a mask that names them")
	p, _ := evidence.InOneFunction(d.w.Between.Site, d.late.Site)
	m.At = &finding.Point{Pos: p, PTXLine: d.w.Between.Site.PTXLine}
	return m
}

func helpJoinBarrier(d *diagnosis, otherwise string) string {
	return "let both threads take part in " + d.passedName() + ", or " + otherwise
}

func helpOwnElement(d *diagnosis) string {
	if d.reachesOut() {
		return "give each thread its own element (does the index use blockIdx?), or use an atomic"
	}
	return ownElement
}

func helpOtherArray(d *diagnosis) string { return otherArray + d.between() + orGridSync }

const (
	ownElement  = "let one thread write it, give each thread its own element, or use an atomic"
	otherArray  = "write the results to another array, or split the kernel in two launches "
	splitKernel = "split the kernel in two launches "
)

// unordered is why blocks are not ordered.
func (d *diagnosis) unordered() string {
	if cooperative(d) {
		return "no grid.sync() lies between the two"
	}
	return "nothing in the kernel orders these blocks"
}

// syncGrid is the barrier of a grid whose blocks can wait for each other.
func syncGrid(d *diagnosis) mend {
	m := by(finding.SplitKernel, "add grid.sync() "+d.between())
	m.Call = finding.GridSync
	return m
}

func helpSplitKernel(d *diagnosis) string { return splitKernel + d.between() + orGridSync }

// readsFirst is for reads that all come before the write.
const readsFirst = "here each read comes before the write, and finds the right value"

// readOnly is the reason of all reads through the read-only path.
const readOnly = "the read-only path may return stale data for what the same kernel writes, whatever barrier or fence lies between"

func whyReadOnly(d *diagnosis) string {
	if d.stale.First.Site.Restricted || d.stale.Then.Site.Restricted {
		return "a compiler may read a const __restrict__ parameter through the read-only path (ld.global.nc): " + readOnly
	}
	return readOnly
}

func helpReadOnly(*diagnosis) string {
	return "read it by an ordinary load: without __ldg, const __restrict__ or a texture; or write to other memory"
}
