package diagnose

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// row is a row of the table. The first row that holds and has a cause decides the cause and
// the reason; the first one that holds and has a repair decides the repair, but for rows
// whose cause was already decided.
type row struct {
	when   func(*diagnosis) bool
	cause  Cause // "" for a row about the repair alone
	reason func(*diagnosis) string
	// repair is nil where the rows below decide.
	repair func(*diagnosis) mend
	// origin names what is missing where several races may lack the same, nil where none do.
	origin func(*diagnosis) string
}

// table has all causes and repairs, in order. It is set by init, as its rows lead back to it.
var table []row

func init() {
	table = []row{
		// Reads through the read-only path, whatever the order.
		{isStale, ReadOnlyPath, whyReadOnly, always(finding.CoherentLoad, helpReadOnly), nil},

		// Pieces of work.
		{hostNarrow, NarrowScope, whyHostNarrow, always(finding.WidenScope, helpHostNarrow), nil},
		{hostPlainFlag, NotVolatile, whyHostPlain, always(finding.MakeVolatile, helpHostPlain), nil},
		{hostNarrowFence, NarrowScope, whyHostFence, always(finding.WidenScope, helpHostFence), nil},
		{hostNoFence, NoFence, whyHostNoFence, always(finding.AddFence, helpHostFence), nil},
		{withHost, HostUnordered, whyHost, always(finding.HostWait, helpHost), originHost},
		{dependentReadOnly, ReadOnlyPath, whyDependentReadOnly, always(finding.CoherentLoad, helpDependentReadOnly), originWait},
		{dependentEarly, GridUnordered, whyDependentEarly, always(finding.GridWait, helpDependentEarly), originWait},
		{dependent, GridUnordered, whyDependentChained, always(finding.GridWait, helpDependentChained), originWaitBefore},
		{stagedCopy, StagedCopy, whyStaged, always(finding.OrderStreams, helpStaged), originStreams},
		{betweenStreams, StreamsUnordered, whyStreams, always(finding.OrderStreams, helpStreams), originStreams},
		{twoChildren, StreamsUnordered, whyChildren, always(finding.OrderStreams, helpChildren), nil},
		{childOfOtherBlock, BlocksUnordered, whyOtherBlock, always(finding.TailLaunch, helpOtherBlock), nil},
		{beforeChildInWarp, NoSyncwarp, whyBeforeChild, always(finding.AddSyncwarp, helpBeforeChildInWarp), nil},
		{beforeChild, NoBarrier, whyBeforeChild, always(finding.AddBarrier, helpBeforeChild), nil},
		{afterWaitInWarp, NoSyncwarp, whyAfterWait, always(finding.AddSyncwarp, helpAfterWaitInWarp), nil},
		{afterWait, NoBarrier, whyAfterWait, always(finding.AddBarrier, helpAfterWait), nil},
		{withChild, ChildUnordered, whyChild, always(finding.ChildWait, helpChild), nil},

		// Asynchronous operations.
		{asyncFault(evidence.NoProxyFence), NoProxyFence, whyNoProxyFence, always(finding.AddProxyFence, helpNoProxyFence), originProxyFence},
		{asyncFault(evidence.NoMapAcquire), NoProxyFence, whyNoMapAcquire, always(finding.AddProxyFence, helpNoMapAcquire), originMapAcquire},
		{asyncFault(evidence.NoMapRelease), NoProxyFence, whyNoMapRelease, always(finding.AddProxyFence, helpNoMapRelease), originMapRelease},
		{asyncFault(evidence.Unfinished), InFlight, whyUnfinished, awaitAsync, originAsync},
		{issuedAhead, IssuedEarly, whyIssuedAhead, issueLater, originIssue},
		{asyncFault(evidence.Unobserved), InFlight, whyUnobserved, awaitAsync, originAsync},
		{asyncFault(evidence.Unfenced), NoFence, whyUnfenced, always(finding.AddTensorFence, helpTensorFence), originTensorFence},
		{asyncFault(evidence.IssuedEarly), IssuedEarly, whyIssuedEarly, issueLater, originIssue},

		// What is wrong with each access by itself, or with the operation that both belong to.
		{neverAwaited, NotAwaited, whyUnawaited, always(finding.WaitThere, helpUnawaited), originUnawaited},
		{waitsForCopyTooLate, InFlight, whyInFlight, waitForCopyFirst, originInFlight},
		{inFlight, InFlight, whyInFlight, awaitCopy, originInFlight},
		{isOverlap, Overlap, whyOverlap, always(finding.MoveArray, helpOverlap), nil},
		{testThenSet, TestThenSet, whyTest, always(finding.MakeAtomic, helpTest), originTest},
		{oneInstruction, OneInstruction, whyOneInstruction, nil, nil},
		{(*diagnosis).sizesDiffer, MixedSizes, whySizes, always(finding.MakeAtomic, helpSizes), nil},
		{harmless, "", nil, always(finding.Nothing, helpSameValue), nil},
		{blockAtomics, NarrowScope, whyBlockAtomics, always(finding.WidenScope, helpBlockAtomics), originLink},
		{lockMissing, NoLock, whyLock, always(finding.TakeLock, helpLock), nil},
		{lostUpdate, LostUpdate, whyLost, always(finding.MakeAtomic, helpUpdate), originLost},
		{polled, NotVolatile, whyPolled, volatileFlag, originPolled},
		{plainAmongRelaxed, NotAtomic, whyPlain, always(finding.MakeAtomic, helpPlain), originPlain},
		{halfAtomicAcross, NotAtomic, whyHalfAtomic, always(finding.MakeAtomic, helpHalfAtomic), nil},

		// A flag connects the threads, but does not order the accesses.
		{unfencedSignal, NoFence, whySignal, signalFences, originSignal},
		{narrowLink, NarrowScope, whyNarrowLink, always(finding.WidenScope, helpBlockAtomics), originLink},
		{narrowFence, NarrowScope, whyNarrowFence, always(finding.WidenScope, helpNarrowFence), originLink},
		{linked(evidence.NoAcquire), NoFence, whyNoAcquire, fenceAfterRead, originAcquire},
		{linked(evidence.NoRelease), NoFence, whyNoRelease, fenceBeforeWrite, originLink},
		{linked(evidence.EarlyFence), NoFence, whyEarlyFence, fenceBeforeWrite, originLink},
		{besideLock, NoLock, whyBesideLock, always(finding.TakeLock, helpLock), nil},
		{reused, Reused, whyReused, waitForReaders, originLink},
		{announcedLater, BlocksUnordered, whyAnnouncedLater, waitForWriter, originLink},
		{linked(evidence.EarlySignal), NoFence, whyEarlySignal, writeFirst, originLink},
		{otherLaneReleases, NoSyncwarp, whyNoJoinLane, syncwarpBeforeWrite, nil},
		{linked(evidence.NoJoin), NoBarrier, whyNoJoin, barrierBeforeWrite, nil},
		{linked(evidence.NoSpread), NoSyncwarp, whyNoSpread, syncwarpAfterRead, nil},

		// An arrival or a wait should order them.
		{unawaited, NotAwaited, whyUnawaited, always(finding.WaitThere, helpUnawaited), originUnawaited},
		{otherLaneArrives, NoSyncwarp, whyLaneArrives, syncwarpBeforeArrival, nil},
		{copiesArrive, CopiesOnly, whyCopiesOnly, always(finding.CountArrivals, helpCopiesOnly), originPhase},
		{noWayBack, WrongPhase, whyNoWayBack, always(finding.WaitThere, helpNoWayBack), originPhase},
		{wrongPhase, WrongPhase, whyPhase, always(finding.CountArrivals, helpPhase), originPhase},
		{chosenInSilence, BlocksUnordered, whyChosen, announce, nil},
		{ticketWithoutFence, NoFence, whyTicket, ticketFences, originTicket},
		{arrivesEarlyAcross, PartialBarrier, whyEarly, always(finding.AddBarrier, helpEarly), nil},
		{clusterBlocks, NoBarrier, whyCluster, clusterBarrier, nil},
		{otherThreadWaits, NoBarrier, whyAlone, barrierAfterWait, nil},
		{goesOnEarly, NotArrived, whyNotArrived, always(finding.WaitForAll, helpNotArrived), nil},

		// Nothing does, or a barrier that leaves one of them out.
		{halfVolatile, NotVolatile, whyHalfVolatile, volatileWrite, originHalf},
		{(*diagnosis).across, BlocksUnordered, whyBlocks, nil, nil},
		{(*diagnosis).reachesOut, BlocksUnordered, whySomeBlocks, nil, nil},
		{miscounted, PartialBarrier, whyMiscounted, helpMiscounted, nil},
		{arrivesEarly, PartialBarrier, whyEarly, nil, nil},
		{countsTwice, PartialBarrier, whyCountsTwice, always(finding.CountArrivals, helpCountsTwice), nil},
		{partialBarrier, PartialBarrier, whyPartialBarrier, nil, nil},
		{partialSyncwarp, PartialSyncwarp, whyPartialSyncwarp, nil, nil},
		{storesBehind, InFlight, whyStoresBehind, finishStore, nil},
		{halfAtomicUpdate, NotAtomic, whyHalfUpdate, always(finding.MakeAtomic, helpUpdate), nil},
		{(*diagnosis).warpOnly, NoSyncwarp, whyNoSyncwarp, nil, nil},
		{otherwise, NoBarrier, whyNoBarrier, nil, nil},

		// Repairs of those above.
		{waitsTooLate, "", nil, waitFirst, nil},
		{passesCopyWait, "", nil, waitForCopyFirst, nil},
		{isSignaled, "", nil, always(finding.AddFence, helpSignaled), nil},
		{isPursued, "", nil, always(finding.MakeRelaxed, helpPursued), nil},
		{copyTooSoon, "", nil, barrierBeforeCopy, nil},
		{partOfUpdate, "", nil, always(finding.MakeAtomic, helpUpdate), nil},
		{sharedElement, "", nil, always(finding.OwnElement, helpOwnElement), nil},
		{gridBarrierMissing, "", nil, syncGrid, nil},
		{blocksWrite, "", nil, always(finding.SplitKernel, helpWriteBefore), nil},
		{blocksWriteLater, "", nil, always(finding.SplitKernel, helpOtherArray), nil},
		{(*diagnosis).reachesOut, "", nil, always(finding.SplitKernel, helpSplitKernel), nil},
		{has(PartialSyncwarp), "", nil, joinSyncwarp, nil},
		{arrivesEarly, "", nil, always(finding.AddBarrier, helpEarly), nil},
		{has(PartialBarrier), "", nil, joinBarrier, nil},
		{atomicAndRead, "", nil, barrierOrAtomics, nil},
		{otherwise, "", nil, (*diagnosis).barrier, nil},
	}
}

// decide goes through the table once.
func (d *diagnosis) decide() {
	for i := range table {
		r := &table[i]
		if r.cause != "" && d.cause != "" || r.cause == "" && d.mend != nil || !r.when(d) {
			continue
		}
		if r.cause != "" {
			d.cause, d.reason = r.cause, r.reason(d)
			if r.origin != nil {
				d.origin = r.origin(d)
			}
		}
		if r.repair != nil && d.mend == nil {
			m := r.repair(d)
			d.mend = &m
		}
		if d.cause != "" && d.mend != nil {
			return
		}
	}
}

// always is a repair without a place, whatever else holds.
func always(k finding.RepairKind, help func(*diagnosis) string) func(*diagnosis) mend {
	return func(d *diagnosis) mend { return by(k, help(d)) }
}

func otherwise(*diagnosis) bool { return true }

// has reports what the rows above have decided.
func has(c Cause) func(*diagnosis) bool { return func(d *diagnosis) bool { return d.cause == c } }

func isStale(d *diagnosis) bool { return d.stale != nil }

// Predicates on pieces of work.

func related(d *diagnosis, r evidence.Relation) bool { return d.work != nil && d.work.Between == r }
func withHost(d *diagnosis) bool                     { return related(d, evidence.WithHost) }
func dependent(d *diagnosis) bool                    { return related(d, evidence.BetweenGrids) }
func dependentReadOnly(d *diagnosis) bool {
	return dependentEarly(d) && d.work.Then.Wait != nil && d.work.Then.Use.Site != nil && evidence.ReadsReadOnly(d.work.Then.Use.Site)
}
func dependentEarly(d *diagnosis) bool { return dependent(d) && d.work.Awaited }
func betweenStreams(d *diagnosis) bool { return related(d, evidence.BetweenStreams) }
func stagedCopy(d *diagnosis) bool     { return betweenStreams(d) && d.work.First.Use.Staged }
func withChild(d *diagnosis) bool      { return related(d, evidence.WithChild) }

func hostNarrow(d *diagnosis) bool {
	return withHost(d) && d.work.First.Strong && d.work.Then.Strong
}

func hostPlainFlag(d *diagnosis) bool {
	if !withHost(d) {
		return false
	}
	u, host := &d.work.First, &d.work.Then
	return host.Strong && host.Kind == trace.Read && u.Site != nil && !u.Strong
}

func hostNarrowFence(d *diagnosis) bool { return hostNoFence(d) && d.work.First.Flag.DeviceFence }

func hostNoFence(d *diagnosis) bool {
	return withHost(d) && d.work.First.Flag != nil && d.work.First.Flag != d.work.First.Use
}

func twoChildren(d *diagnosis) bool {
	return withChild(d) && d.work.First.Child != nil && d.work.Then.Child != nil
}

func childOfOtherBlock(d *diagnosis) bool {
	return withChild(d) && uint64(d.parentSide().Thread.Block) != d.childSide().Child.Block
}

func beforeChild(d *diagnosis) bool { return withChild(d) && d.work.First.Thread != nil }

func beforeChildInWarp(d *diagnosis) bool {
	return beforeChild(d) && d.config.Model == check.ITS && d.work.First.Thread.Warp == d.work.Then.Child.Warp
}

func afterWait(d *diagnosis) bool { return withChild(d) && d.work.WaitedBy >= 0 }

func afterWaitInWarp(d *diagnosis) bool {
	return afterWait(d) && d.config.Model == check.ITS && d.work.WaitedBy/32 == d.work.Then.Thread.Warp
}

// Predicates on pairs of threads.

func neverAwaited(d *diagnosis) bool     { return d.unawaited != nil && d.unawaited.Behind == nil }
func unawaited(d *diagnosis) bool        { return d.unawaited != nil }
func otherLaneArrives(d *diagnosis) bool { return d.lane != nil }
func wrongPhase(d *diagnosis) bool       { return len(d.phases) > 0 }
func inFlight(d *diagnosis) bool {
	return d.w.InFlight && !d.w.Swapped && !d.pair.Awaited || !d.w.InFlight && neverLands(d)
}
func testThenSet(d *diagnosis) bool    { return d.test != nil }
func oneInstruction(d *diagnosis) bool { return d.w.OneInstr }
func lockMissing(d *diagnosis) bool    { return d.w.Lock.Missing() }
func lostUpdate(d *diagnosis) bool     { return d.lost != nil }
func polled(d *diagnosis) bool         { return d.w.Polled || d.waits != nil }

// harmless writes need no repair, unless they show something else that is missing.
func harmless(d *diagnosis) bool {
	return d.sameValue() && d.hazard == evidence.WAW && d.lost == nil && d.unawaited == nil && len(d.phases) == 0
}

func blockAtomics(d *diagnosis) bool {
	x, y := d.strengths()
	return d.across() && x == hb.Strong && y == hb.Strong
}

func plainAmongRelaxed(d *diagnosis) bool { return d.plain != nil }
func halfAtomicAcross(d *diagnosis) bool  { return d.reachesOut() && d.halfAtomic() }

func halfAtomicUpdate(d *diagnosis) bool {
	return d.run.Shared && d.oneAtomic() && d.updates()
}

// unfencedSignal: the two are the flag themselves. In one block of a grid, where the
// accesses to global memory are a flag, what another flag lacks matters less.
func unfencedSignal(d *diagnosis) bool {
	return d.signals() && !(d.w.Link.OK && (d.run.Shared || d.across()))
}

func narrowLink(d *diagnosis) bool { return d.across() && d.narrowFlag() }

func narrowFence(d *diagnosis) bool {
	return d.across() && linked(evidence.NoAcquire)(d) && d.w.Link.Fence.Scope == trace.ScopeCTA
}

func linked(f evidence.Fault) func(*diagnosis) bool {
	return func(d *diagnosis) bool { return d.w.Link.OK && d.w.Fault == f }
}

func otherLaneReleases(d *diagnosis) bool { return linked(evidence.NoJoin)(d) && d.w.Link.Lane }

// besideLock: what connects the threads is a lock, which the first one has left, or has not got, at its access.
func besideLock(d *diagnosis) bool {
	return linked(evidence.EarlySignal)(d) && d.run.Locks.IsLock(d.w.Link.Acquire.Word)
}

// reused: the flag that comes before the first access is also set behind it in each pass of a loop, so that it announces
// this write as well. What nothing tells is that the value of the last pass was read.
func reused(d *diagnosis) bool {
	first, set := d.w.First.Site, d.w.Link.Site
	if !linked(evidence.EarlySignal)(d) || !first.Kind.Writes() {
		return false
	}
	w := d.ways(d.run.Launch)
	r := w.route(first, set, false)
	return r != nil && r.loop == nil && (releases(set.Order) || w.fenced(first, set))
}

// announcedLater: by the operation that connects the threads, the first one has been chosen to write. That it has written
// is what another write of the flag tells, and the second thread does not wait for that.
func announcedLater(d *diagnosis) bool {
	return d.across() && linked(evidence.EarlySignal)(d) && d.w.Link.Site.Op.Result && d.announcement() != nil
}

// announcement is the first strong write that a thread comes to after the first access, nil for none.
func (d *diagnosis) announcement() *trace.Site {
	w := d.ways(d.run.Launch)
	for _, u := range d.strong {
		if r := w.route(d.w.First.Site, u, false); u.Kind != trace.Read && r != nil && r.loop == nil {
			return u
		}
	}
	return nil
}

// chosenInSilence: an atomic chooses the thread that writes, as once for all blocks, and no write of a flag tells the
// others, which do not wait, that it has written.
func chosenInSilence(d *diagnosis) bool {
	if !ticketWithoutFence(d) || !d.w.First.Site.Kind.Writes() {
		return false
	}
	s := d.unfenced()
	return s.PTXLine < min(d.early.Site.PTXLine, d.late.Site.PTXLine) && !d.facts.Waits(hb.GuardSite(s)) && d.unlock(s) == nil && d.onlySetter(s) == nil && d.announcement() == nil
}

func ticketWithoutFence(d *diagnosis) bool {
	return d.across() && !d.run.InTurn && d.unfenced() != nil
}

func arrivesEarly(d *diagnosis) bool       { return d.w.Early }
func arrivesEarlyAcross(d *diagnosis) bool { return d.across() && d.w.Early }
func clusterBlocks(d *diagnosis) bool      { return d.across() && d.inCluster() }

func otherThreadWaits(d *diagnosis) bool {
	a := d.arrivalOf()
	return a != nil && a.alone
}

func goesOnEarly(d *diagnosis) bool { return d.arrivalOf() != nil }

func partialBarrier(d *diagnosis) bool { return d.w.Between != nil && d.w.Between.Part != nil }

// miscounted: the barrier between the two counts fewer threads than come to it.
func miscounted(d *diagnosis) bool { return partialBarrier(d) && len(d.miscounts()) > 0 }

func (d *diagnosis) miscounts() []evidence.Miscount { return d.run.Visits.Miscounts(d.w.Between.ID) }

func countsTwice(d *diagnosis) bool { return partialBarrier(d) && d.w.Between.Twice }

func partialSyncwarp(d *diagnosis) bool {
	return d.w.Between != nil && d.w.Between.Part == nil && d.inOneWarp()
}

func copyTooSoon(d *diagnosis) bool {
	return d.w.InFlight && d.w.Swapped && d.cause == NoBarrier
}

func partOfUpdate(d *diagnosis) bool {
	both := d.run.Shared && d.bothUpdate()
	return (d.update || both) && !d.volatile || d.run.Shared && d.oneAtomic() && d.updates()
}

func sharedElement(d *diagnosis) bool {
	a, z := d.early.Site, d.late.Site
	return d.w.OneInstr || a == z && !d.w.Apart || d.reachesOut() && a.Kind == trace.Write && z.Kind == trace.Write
}

// gridBarrierMissing: a barrier of the grid can order the accesses, as the launch is cooperative.
func gridBarrierMissing(d *diagnosis) bool { return d.reachesOut() && cooperative(d) }

func cooperative(d *diagnosis) bool { return d.run.Launch.GridWorkspace != 0 }

func blocksWrite(d *diagnosis) bool      { return d.reachesOut() && d.hazard == evidence.WAW }
func blocksWriteLater(d *diagnosis) bool { return d.reachesOut() && d.hazard == evidence.WAR }

func atomicAndRead(d *diagnosis) bool {
	a, z := d.early.Site.Kind, d.late.Site.Kind
	return !d.warpOnly() && d.oneAtomic() && (a == trace.Read || z == trace.Read)
}

// Repairs with a place.

func syncwarpBeforeWrite(d *diagnosis) mend {
	return d.adding(finding.AddSyncwarp, finding.Syncwarp, d.w.First.Site, d.w.Link.Site)
}

func syncwarpBeforeArrival(d *diagnosis) mend {
	return d.adding(finding.AddSyncwarp, finding.Syncwarp, d.w.First.Site, d.lane.Arrive)
}

func barrierBeforeWrite(d *diagnosis) mend {
	return d.adding(finding.AddBarrier, finding.Syncthreads, d.w.First.Site, d.w.Link.Site)
}

func syncwarpAfterRead(d *diagnosis) mend {
	return d.adding(finding.AddSyncwarp, finding.Syncwarp, d.w.Link.Acquire.Site, d.w.Then.Site)
}

func barrierAfterWait(d *diagnosis) mend {
	a := d.arrivalOf()
	return d.adding(finding.AddBarrier, finding.Syncthreads, a.wait, a.access)
}

func barrierBeforeCopy(d *diagnosis) mend { return d.barrier().and(copyMayBegin) }
func barrierOrAtomics(d *diagnosis) mend  { return d.barrier().and(orBothAtomic) }

func joinBarrier(d *diagnosis) mend {
	b := d.barrier()
	return b.instead(helpJoinBarrier(d, b.help))
}

// fence is the fence that is wide enough.
func (d *diagnosis) fence() string {
	if d.reachesOut() {
		return "__threadfence()"
	}
	return "__threadfence_block()"
}
