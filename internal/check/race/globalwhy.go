package race

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// threadOf names a thread of a launch for locks and signals.
func threadOf(block uint32, t int) uint64 { return uint64(block)<<16 | uint64(t) }

// flags reports whether a launch may poll flags in global memory: sites that
// read and that write there by volatile or relaxed operations.
func flags(l *trace.Launch) bool {
	var read, write bool
	for _, s := range l.Sites {
		if s.Space == trace.SpaceShared || s.Size == 0 || s.Order == trace.OrderWeak {
			continue
		}
		read = read || s.Kind == trace.Read
		write = write || s.Kind != trace.Read
	}
	return read && write
}

// tell notes a lane's strong access to a word for locks and signals.
func (o *globalObserver) tell(a *trace.Access, lane int, word uint64) {
	g, block := o.launch, uint32(o.block.Index)
	s, t := a.Site, 32*a.Warp+lane
	id := threadOf(block, t)
	if g.locks != nil {
		g.locks.strong(s, id, word, operand(a, lane))
	}
	if s.Kind != trace.Write {
		h := hearing{word, s, t, o.order.now[t/32], o.order.interval}
		if g.sync && (s.Kind == trace.Read || g.sites[s.ID].result) {
			g.heard.note(block, h)
		}
		o.signals.hear(h)
	}
	if s.Kind != trace.Read {
		f, ok := o.order.lastFence[t]
		if g.sites[s.ID].releases {
			f, ok = fenced{o.order.interval, o.order.now[t/32] + 1, s.Scope}, true
		}
		o.signals.say(block, word, signal{thread: id, site: s, interval: o.order.interval,
			stamp: o.order.now[t/32], tick: o.ticks[t/32], fence: f, fenced: ok})
	}
}

// plain takes notes of a plain access.
func (o *globalObserver) plain(a *trace.Access) {
	o.polls.note(a)
	k := o.launch.locks
	switch {
	case k == nil:
	case len(k.held) == 0:
		k.sites[a.Site.ID].free = true
	default:
		for m := a.Mask; m != 0; m &= m - 1 {
			k.weak(a.Site.ID, threadOf(uint32(o.block.Index), 32*a.Warp+bits.TrailingZeros32(m)))
		}
	}
}

// explain looks for the reasons of the race of n and s, which is at work.
func (o *globalObserver) explain(w *globalWitness, l *memline) {
	g, n, s, x := o.launch, &w.first, &w.then, &w.why
	x.update = g.isUpdate(w, l)
	x.polled = o.polls.site[n.site] || o.polls.site[s.site]
	if n.block == s.block {
		a, b := int(n.warp), int(s.warp)
		x.first = o.passed.last(a, w.firstLane, n.stamp, false)
		x.then = o.passed.last(b, w.thenLane, s.stamp, false)
		if !w.oneInstr() {
			x.between = o.passed.between(a, w.firstLane, n.stamp, b, w.thenLane, n.tick > s.tick)
			x.early = x.between != nil && x.between.arrivedEarly(a, w.firstLane, n.stamp)
		}
	}
	if !g.follows || w.oneInstr() {
		return
	}
	first, then := threadOf(n.block, 32*int(n.warp)+w.firstLane), threadOf(s.block, 32*int(s.warp)+w.thenLane)
	if g.locks != nil {
		x.lock = g.locks.of(int(n.site), first, then)
	}
	if n.block != s.block {
		if p := o.early(n, w.firstLane); p != nil {
			x.between, x.early = p, true
		}
		x.waited = g.heard[n.block]
	}
	x.setLink(o.links(w, first, x.lock.taken()), first, n.interval, n.stamp, n.tick)
}

// links are the signals from the block of a witness's first access to the thread of
// the second one, in the block at work; lock is a lock that both have held.
func (o *globalObserver) links(w *globalWitness, first uint64, lock hearing) []link {
	n, t, word := &w.first, 32*int(w.then.warp)+w.thenLane, w.addr>>2
	if n.block != uint32(o.block.Index) {
		return o.signals.links(n.block, t, word, lock)
	}
	single := o.launch.tells
	synced := func(a, b int, from, to uint32) bool {
		return o.order.model == check.Lockstep || o.passed.joins(a, b, from, to)
	}
	return o.signals.linksInBlock([]uint32{n.block}, first, n.stamp, t, word, single, synced)
}

// isUpdate is as for shared memory: the thread that writes has read the place
// as the other one does.
func (g *globalLaunch) isUpdate(w *globalWitness, l *memline) bool {
	at := uint8(w.addr % lineBytes)
	switch hazardOf(g.sites[w.first.site].kind, g.sites[w.then.site].kind) {
	case raw:
		return g.hasRead(l, &w.first, w.firstLane, at, w.then.site, w.first.tick)
	case war:
		return g.hasRead(l, &w.then, w.thenLane, at, w.first.site, never)
	}
	return g.hasRead(l, &w.then, w.thenLane, at, anySite, never)
}

// hasRead reports whether the lane that did s has read byte at of the line by a
// site's plain access before a tick of the interval of s.
func (g *globalLaunch) hasRead(l *memline, s *span, lane int, at uint8, site int32, before uint32) bool {
	for i := range l.n {
		n := l.get(i)
		earlier := before == never || n.interval < s.interval || n.interval == s.interval && n.tick < before
		if n.block == s.block && n.warp == s.warp && earlier && n.lo <= at && at < n.hi && n.at(at)>>lane&1 != 0 &&
			g.sites[n.site].kind == trace.Read && g.sites[n.site].strength == weak && (site == anySite || n.site == site) {
			return true
		}
	}
	return false
}

// observed returns the sites in the order of this run.
func (st *globalStory) observed() (a, z *trace.Site) {
	if st.w.why.swapped {
		return st.then, st.first
	}
	return st.first, st.then
}

// reason says why nothing orders the witness's accesses.
func (st *globalStory) reason() (Cause, string) {
	w := st.w
	x, y := &st.g.sites[w.first.site], &st.g.sites[w.then.site]
	a, z := st.observed()
	across := w.distance() == acrossBlocks
	file := st.then.Loc.File
	switch {
	case st.test != nil:
		return TestThenSet, st.test.reason(file)
	case w.oneInstr():
		return OneInstruction, fmt.Sprintf("both are lanes of one instruction of warp %d, and its lanes write in no defined order", w.then.warp)
	case mixedSizes(taken(st.first, st.g.narrow), taken(st.then, st.g.narrow)):
		return MixedSizes, sizesReason(taken(st.first, st.g.narrow), taken(st.then, st.g.narrow))
	case across && x.strength == strong && y.strength == strong:
		return NarrowScope, "scope too narrow: an operation of block scope is atomic for the threads of its block only"
	case w.why.lock.missing():
		return NoLock, w.why.lock.reason(a, z, file)
	case st.lost != nil:
		return LostUpdate, st.lost.reason(file)
	case w.why.polled || st.waits != nil:
		return NotVolatile, waitReason(st.waits, st.first, st.then, file)
	case st.plain != nil:
		return NotAtomic, fmt.Sprintf("%s is a plain access, and other threads access the place by relaxed atomics at the same time", check.Where(st.plain, file))
	case st.reachesOut() && st.halfAtomic():
		return NotAtomic, "one access is atomic and the other is not, and nothing else orders them"
	case w.why.link.ok && across:
		return st.linkReason(file)
	case st.volatiles() && st.tells():
		return NoFence, "one thread tells the other something by a volatile variable, but no fence orders what comes before and after it"
	case across && !st.g.sync && st.unfenced() != nil:
		return NoFence, fmt.Sprintf("the atomic of %s tells the blocks about each other, but the kernel has no fence", check.Where(st.unfenced(), file))
	case across && w.why.early:
		return PartialBarrier, w.why.earlyReason(file)
	case across && st.inCluster():
		return NoBarrier, clusterReason
	case across && st.arrival() != nil:
		return st.arrival().reason(file)
	case across:
		return BlocksUnordered, "the threads are in different blocks, and nothing in the kernel orders these blocks"
	case w.why.link.ok:
		return w.why.linkReason(file)
	case st.reachesOut():
		return BlocksUnordered, fmt.Sprintf("of the thread pairs %d are in different blocks, and nothing in the kernel orders these blocks", st.by[acrossBlocks])
	case w.why.early:
		return PartialBarrier, w.why.earlyReason(file)
	case w.why.between != nil && (w.why.between.part != nil || st.inWarp()):
		return w.why.between.cause(), w.why.between.reason(file, st.g.launch.Block.Size())
	case st.inWarp():
		return NoSyncwarp, "both are in one warp: no __syncwarp and no barrier between them"
	}
	return NoBarrier, "no barrier between them"
}

// unfenced returns the ticket or the lock that lies between the two accesses
// in the program, or before both, in a kernel without fences; nil for none. It
// is an atomic whose result is used and that single threads execute; before both, one
// that takes a lock or waits for a turn.
func (st *globalStory) unfenced() *trace.Site {
	facts := st.g.checker.factsOf(st.g.launch)
	lo, hi := st.first.PTXLine, st.then.PTXLine
	for i, s := range st.g.launch.Sites {
		if s.Kind != trace.Atomic || !st.g.single(int32(i)) || s.Func != st.first.Func {
			continue
		}
		waits := takes(s) || facts.Waits(guardSite(s))
		if s.PTXLine < hi && (s.PTXLine > lo && !waits || s.PTXLine < lo && waits) {
			return s
		}
	}
	return nil
}

// unfencedHelp says where the fences of a ticket or a lock have to go.
func (st *globalStory) unfencedHelp() string {
	file, s := st.first.Loc.File, st.unfenced()
	if s.PTXLine > min(st.first.PTXLine, st.then.PTXLine) {
		if !st.g.checker.policy.FenceToAcquire {
			return "add __threadfence() before " + check.Where(s, file)
		}
		return "add __threadfence() before and after " + check.Where(s, file)
	}
	for i, u := range st.g.launch.Sites { // what gives the lock back
		if u.Kind != trace.Read && st.g.sites[i].strength == strong && u.Func == s.Func && u.PTXLine > max(st.first.PTXLine, st.then.PTXLine) {
			return "add __threadfence() behind " + check.Where(s, file) + " and before " + check.Where(u, file)
		}
	}
	return "add __threadfence() behind " + check.Where(s, file) + ", and before the write that lets others go on"
}

// lanes says how many lanes of a warp executed a site at once.
type lanes uint8

const (
	none lanes = iota
	alone
	together
)

func lanesOf(mask uint32) lanes {
	if mask&(mask-1) == 0 {
		return alone
	}
	return together
}

// single reports whether only single threads of warps executed a strong site.
func (g *globalLaunch) single(site int32) bool {
	most := none
	for _, o := range g.slots {
		most = max(most, o.strong[site])
	}
	return most == alone
}

// linkReason tells scopes that are too narrow from fences that are missing.
func (st *globalStory) linkReason(file string) (Cause, string) {
	x := &st.w.why
	if x.link.narrow() {
		return NarrowScope, fmt.Sprintf("scope too narrow: what %s writes and %s reads is of block scope, and the threads are in different blocks",
			check.Where(x.link.site, file), check.Where(x.link.heard.site, file))
	}
	if x.fault == noAcquire && x.link.fence.scope == trace.ScopeCTA {
		return NarrowScope, fmt.Sprintf("scope too narrow: the fence before %s orders for the threads of its block only", check.Where(x.link.site, file))
	}
	return x.linkReason(file)
}

// narrow says that the flag itself is of block scope.
func (l *link) narrow() bool { return tooNarrow(l.site.Scope) || tooNarrow(l.heard.site.Scope) }

// repair is the smallest change that removes the race, and the help that says
// so.
func (st *globalStory) repair(c Cause) mend {
	w := st.w
	between := between(st.first, st.then)
	a, z := st.observed()
	across := w.distance() == acrossBlocks
	switch {
	case c == LostUpdate:
		return by(MakeAtomic, updateHelp)
	case st.hazard == waw && !st.pair.different && st.test == nil:
		return by(Nothing, sameValueHelp)
	case c == MixedSizes:
		return by(MakeAtomic, sizesHelp)
	case c == NarrowScope && w.why.link.ok && !w.why.link.narrow():
		return by(WidenScope, "use __threadfence() instead of __threadfence_block()")
	case c == NarrowScope:
		return by(WidenScope, "use device scope: the atomic without _block, cuda::thread_scope_device")
	case c == TestThenSet:
		return by(MakeAtomic, st.test.help())
	case c == NoLock:
		return by(TakeLock, lockHelp)
	case c == NotVolatile:
		return by(MakeVolatile, volatileHelp("__threadfence()"))
	case c == NotAtomic && st.plain != nil:
		return by(MakeAtomic, "make the access of "+check.Where(st.plain, st.then.Loc.File)+" a relaxed atomic as well, or order the threads")
	case c == NotAtomic:
		return by(MakeAtomic, "read it by an atomic too (or by volatile, for any of the values that it has), or order the two by a barrier of the grid or by separate launches")
	case c == NotArrived, c == NoBarrier && st.arrival() != nil:
		return st.arrival().repair()
	case c == NoBarrier && across && w.why.link.ok:
		return w.why.linkRepair(AddBarrier, "", a, z)
	case c == NoFence && st.volatiles() && !w.why.link.ok:
		return by(AddFence, "add "+st.fence()+" before the variable is written and after it is read")
	case c == NoFence && !w.why.link.ok:
		return by(AddFence, st.unfencedHelp())
	case c == NoFence:
		return w.why.linkRepair(AddFence, st.fence(), a, z)
	case across && c == PartialBarrier:
		return by(AddBarrier, w.why.earlyHelp(st.then.Loc.File))
	case across && st.inCluster() && c == NoBarrier && !w.why.link.ok:
		return by(AddBarrier, clusterHelp(between))
	case st.update && !st.volatiles():
		return by(MakeAtomic, updateHelp)
	case w.oneInstr() || a == z && (across || w.first.tick == w.then.tick) || st.reachesOut() && a.Kind == trace.Write && z.Kind == trace.Write:
		return by(OwnElement, "give each thread its own element (does the index use blockIdx?), or use an atomic")
	case st.reachesOut() && st.hazard == waw:
		return by(SplitKernel, "write it before the launch, for example with cudaMemset, or in a kernel of its own")
	case st.reachesOut() && st.hazard == war:
		return by(SplitKernel, "write the results to another array, or split the kernel in two launches "+between)
	case st.reachesOut():
		return by(SplitKernel, "split the kernel in two launches "+between+", or order the blocks (grid.sync() of a cooperative launch, a flag with __threadfence)")
	}
	return st.repairInBlock(c)
}

// origin names what is missing; a flag that is told without its data lacks the
// same as these.
func (st *globalStory) origin(c Cause) string {
	if c == NotAtomic && st.plain != nil {
		return "plain " + st.plain.Loc.Pos.String()
	}
	if c == LostUpdate {
		return originAt(st.g.launch, "update", st.lost.read)
	}
	if x := &st.w.why; c != NoFence || x.link.ok {
		return x.originOf(st.g.launch, c, st.test, st.waits)
	}
	s := writer(st.first, st.then)
	if !st.volatiles() {
		s = st.unfenced()
	}
	return originAt(st.g.launch, "release", s)
}

// fence is the fence that is wide enough.
func (st *globalStory) fence() string {
	if st.reachesOut() {
		return "__threadfence()"
	}
	return "__threadfence_block()"
}

// reachesOut says that some pairs are of threads of different blocks.
func (st *globalStory) reachesOut() bool { return st.by[acrossBlocks] > 0 }

// halfAtomic says that one access is atomic and the other a plain read or part
// of a plain update.
func (st *globalStory) halfAtomic() bool {
	plain := func(s *trace.Site, at *span) bool {
		return (s.Kind == trace.Read || partOfUpdate(st.g.launch, s)) && st.g.sites[at.site].strength == weak
	}
	return st.first.Kind == trace.Atomic && plain(st.then, &st.w.then) || st.then.Kind == trace.Atomic && plain(st.first, &st.w.first)
}

// tells says that both sites are those of a flag: single threads execute them, or wait
// by one of them.
func (st *globalStory) tells() bool {
	return st.g.tells(st.first) && st.g.tells(st.then)
}

// tells says it of one site.
func (g *globalLaunch) tells(s *trace.Site) bool {
	return g.single(int32(s.ID)) || s.Kind == trace.Read && g.checker.factsOf(g.launch).Waits(guardSite(s))
}

// plainAmong returns the plain one of two accesses where the other is a relaxed load or
// store, and threads come to the plain one from such an access to what it races for too: it is
// in the midst of them, and no initialisation and no last look.
func (st *globalStory) plainAmong(raced func(a, b int) bool) *trace.Site {
	x, y := &st.g.sites[st.w.first.site], &st.g.sites[st.w.then.site]
	var p *trace.Site
	switch {
	case x.strength == weak && y.strength == strong:
		p = st.first
	case y.strength == weak && x.strength == strong:
		p = st.then
	case x.strength == weak && y.strength == weak:
		p = writer(st.first, st.then)
	default:
		return nil
	}
	if !st.reachesOut() {
		return nil
	}
	for i, o := range st.g.launch.Sites {
		if st.g.sites[i].strength == strong && o.Kind != trace.Atomic && raced(o.ID, p.ID) && behind(o, p) {
			return p
		}
	}
	return nil
}

// inWarp says that all pairs are of lanes of a warp, which __syncwarp orders.
func (st *globalStory) inWarp() bool {
	return st.by[inBlock]+st.by[acrossBlocks] == 0 && st.g.checker.model == check.ITS
}

func (st *globalStory) repairInBlock(c Cause) mend {
	w, file := st.w, st.first.Loc.File
	barrier := func() mend { return st.g.checker.blockBarrier(st.g.launch, st.first, st.then) }
	switch {
	case c == PartialSyncwarp:
		return by(AddSyncwarp, "let all lanes that exchange data take part in "+w.why.between.name(file)+", with a mask that names them")
	case w.why.early:
		return by(AddBarrier, w.why.earlyHelp(file))
	case c == PartialBarrier:
		b := barrier()
		return b.instead("let both threads take part in " + w.why.between.name(file) + ", or " + b.help)
	case st.inWarp():
		return st.g.checker.warpBarrier(st.g.launch, st.first, st.then, int(w.first.warp))
	case st.first.Kind == trace.Atomic && st.then.Kind == trace.Read, st.first.Kind == trace.Read && st.then.Kind == trace.Atomic:
		return barrier().and(", or make both accesses atomic")
	}
	return barrier()
}

// synced says what the thread of a side synchronised on last; p is what it
// passed in its barrier interval.
func (st *globalStory) synced(s *span, p *passed) string {
	file := st.then.Loc.File
	if p != nil {
		return p.text(file)
	}
	switch id, ok := st.g.paths.site(s.block, s.interval); {
	case ok:
		return "the barrier of " + check.Where(st.g.launch.Sites[id], file)
	case s.interval > 0:
		return fmt.Sprintf("barrier number %d of its block", s.interval)
	}
	return "the kernel's start"
}

// sides says what each side synchronised on last.
func (st *globalStory) sides(d Details) string {
	heard := ""
	if h := st.w.why.link.heard; st.w.why.link.ok {
		heard = " and then read " + check.Where(h.site, st.then.Loc.File)
	}
	return fmt.Sprintf("synchronised last: before the %s, %s; before the %s, %s", d.First.Kind, d.First.Synced, d.Then.Kind, d.Then.Synced) + heard
}
