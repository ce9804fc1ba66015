package race

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

func (st *story) notes() []string {
	notes := []string{st.values(), st.interval(), st.sides(), st.details.Reason, st.pairs()}
	if st.strong {
		notes = append(notes, "both are volatile, relaxed or atomic: that makes each access happen, "+
			"but orders nothing between threads")
	}
	out := notes[:0]
	for _, n := range notes {
		if n != "" {
			out = append(out, n)
		}
	}
	return out
}

func (st *story) values() string {
	w := st.w
	in := formatValue(w.memory, w.then.site)
	switch {
	case w.then.site.Kind == trace.Read:
		return "value read: " + in
	case !w.then.hasWrote:
		return "value before: " + in
	case w.oneInstr && w.first.hasWrote && st.pair.different:
		return fmt.Sprintf("values: one lane writes %s, the other %s",
			formatValue(w.first.wrote, w.first.site), formatValue(w.then.wrote, w.then.site))
	case w.then.site.Kind == trace.Atomic:
		return fmt.Sprintf("value before: %s; operand of the atomic: %s", in, formatValue(w.then.wrote, w.then.site))
	}
	return fmt.Sprintf("value before: %s; value written: %s", in, formatValue(w.then.wrote, w.then.site))
}

func (st *story) interval() string {
	n := st.details.Interval
	if n.Number == 0 {
		return "barrier interval: from the kernel's start, no barrier passed"
	}
	return fmt.Sprintf("barrier interval: after the %s, number %d of the block", n.After, n.Number)
}

// synced says what a thread synchronised on last; p is what it passed in the
// barrier interval.
func (st *story) synced(p *passed) string {
	switch {
	case p != nil:
		return p.text(st.w.then.site.Loc.File)
	case st.w.since.site != nil:
		return "the barrier of " + check.Where(st.w.since.site, st.w.then.site.Loc.File)
	}
	return "the kernel's start"
}

// sides says it of both where that is more than the interval tells.
func (st *story) sides() string {
	if st.w.why.first == nil && st.w.why.then == nil {
		return ""
	}
	a, z := st.details.First, st.details.Then
	if st.w.ahead {
		a, z = z, a
	}
	return fmt.Sprintf("synchronised last: before the %s, %s; before the %s, %s", a.Kind, a.Synced, z.Kind, z.Synced)
}

// reason says why nothing orders the two accesses.
func (st *story) reason() (Cause, string) {
	w := st.w
	x := &w.why
	file := w.then.site.Loc.File
	switch {
	case st.unheard != nil && st.unheard.told == nil:
		return NotAwaited, st.unheard.reason(st.launch, file)
	case w.inFlight && !w.ahead && !st.pair.awaited:
		return InFlight, "the asynchronous copy may still be on its way: its thread has not waited for it"
	case st.test != nil:
		return TestThenSet, st.test.reason(file)
	case w.oneInstr:
		return OneInstruction, fmt.Sprintf("both are lanes of one instruction of warp %d, and its lanes write in no defined order", w.then.warp)
	case mixedSizes(w.first.site, w.then.site):
		return MixedSizes, sizesReason(w.first.site, w.then.site)
	case x.lock.missing():
		return NoLock, x.lock.reason(w.first.site, w.then.site, file)
	case st.lost != nil:
		return LostUpdate, st.lost.reason(file)
	case x.polled || st.waits != nil:
		return NotVolatile, waitReason(st.waits, w.first.site, w.then.site, file)
	case x.link.ok:
		return x.linkReason(file)
	case st.signal() && st.model != check.Threads:
		return NoFence, "one thread tells the other something by a volatile variable, but no fence orders what comes before and after it"
	case st.unheard != nil:
		return NotAwaited, st.unheard.reason(st.launch, file)
	case len(st.phased) > 0:
		return WrongPhase, st.phasedReason(file)
	case x.early:
		return PartialBarrier, x.earlyReason(file)
	case x.between != nil && (x.between.part != nil || st.inWarp):
		return x.between.cause(), x.between.reason(file, st.launch.Block.Size())
	case (w.first.site.Kind == trace.Atomic) != (w.then.site.Kind == trace.Atomic) && st.updates():
		return NotAtomic, "one update is atomic and the other is not"
	case st.inWarp && st.model == check.ITS:
		return NoSyncwarp, "both are in one warp: no __syncwarp and no barrier between them"
	}
	return NoBarrier, "no barrier between them"
}

func (st *story) pairs() string {
	d := &st.details
	s := check.Plural(d.IntraWarp+d.InterWarp, "thread pair")
	var parts []string
	for _, k := range []struct {
		n    uint64
		name string
	}{{d.RAW, "RAW"}, {d.WAR, "WAR"}, {d.WAW, "WAW"}} {
		if k.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", k.n, k.name))
		}
	}
	if len(parts) > 1 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case d.InterWarp == 0:
		s += ", all within a warp"
	case d.IntraWarp > 0:
		s += fmt.Sprintf(", %d of them within a warp", d.IntraWarp)
	}
	return s
}

// updates reports whether one of the accesses is part of an update such as
// x += y, which reads and writes at one place of the source.
func (st *story) updates() bool {
	return partOfUpdate(st.launch, st.w.first.site) || partOfUpdate(st.launch, st.w.then.site)
}

// bothUpdate says that both are, in different places.
func (st *story) bothUpdate() bool {
	a, z := st.w.first.site, st.w.then.site
	return a.Loc.Line != z.Loc.Line && partOfUpdate(st.launch, a) && partOfUpdate(st.launch, z)
}

func partOfUpdate(l *trace.Launch, s *trace.Site) bool {
	return s.Kind != trace.Atomic && s.Loc.IsValid() && slices.ContainsFunc(l.Sites, func(o *trace.Site) bool {
		return o.Kind != trace.Atomic && o.Kind != s.Kind && o.Space == s.Space && o.Loc.Pos == s.Loc.Pos
	})
}

// repair is the smallest change that removes the race, and the help that says
// so.
func (st *story) repair(c Cause) mend {
	w := st.w
	early, late := w.inProgram()
	a, z := early.site, late.site
	between := between(a, z)
	atomics := (a.Kind == trace.Atomic) != (z.Kind == trace.Atomic)
	switch {
	case c == WrongPhase:
		return by(CountArrivals, st.phasedHelp())
	case c == NotAwaited:
		return by(WaitThere, st.unheard.help(st.launch, z.Loc.File))
	case w.inFlight && w.ahead && c == NoBarrier:
		return st.barrier(a, z).and(": the copy may begin only when all are done with what it overwrites")
	case c == InFlight && groupHelp(st.launch, z) != "":
		return by(WaitForCopy, groupHelp(st.launch, z))
	case c == InFlight && st.inWarp && w.first.lane == w.then.lane:
		return by(WaitForCopy, "wait for the copy (cp.async.wait_group, __pipeline_wait_prior, consumer_wait) "+between)
	case c == InFlight:
		return by(WaitForCopy, fmt.Sprintf("wait for the copy (cp.async.wait_group, __pipeline_wait_prior, consumer_wait) and then add %s, both %s",
			st.barrierCall(), between))
	case c == MixedSizes:
		return by(MakeAtomic, sizesHelp)
	case c == LostUpdate:
		return by(MakeAtomic, updateHelp)
	case st.hazard == waw && !st.pair.different && st.test == nil:
		return by(Nothing, sameValueHelp)
	case c == TestThenSet:
		return by(MakeAtomic, st.test.help())
	case c == NoLock:
		return by(TakeLock, lockHelp)
	case c == NotVolatile:
		return by(MakeVolatile, volatileHelp("__threadfence_block()"))
	case c == NoSyncwarp && w.why.link.ok:
		return w.why.linkRepair(AddSyncwarp, "", w.first.site, w.then.site)
	case c == NoFence && !w.why.link.ok:
		return by(AddFence, "add __threadfence_block() before the variable is written and after it is read")
	case c == NoFence:
		return w.why.linkRepair(AddFence, "__threadfence_block()", w.first.site, w.then.site)
	case (st.update || st.bothUpdate()) && !st.strong, atomics && st.updates():
		return by(MakeAtomic, updateHelp)
	case a == z && !w.apart || w.oneInstr:
		return by(OwnElement, "let one thread write it, give each thread its own element, or use an atomic")
	case c == PartialSyncwarp:
		return by(AddSyncwarp, "let all lanes that exchange data take part in "+w.why.between.name(a.Loc.File)+", with a mask that names them")
	case w.why.early:
		return by(AddBarrier, w.why.earlyHelp(a.Loc.File))
	case c == PartialBarrier:
		m := st.barrier(a, z)
		return m.instead("let both threads take part in " + w.why.between.name(a.Loc.File) + ", or " + m.help)
	case st.warpOnly():
		return st.barrier(a, z)
	case atomics && (a.Kind == trace.Read || z.Kind == trace.Read):
		return st.barrier(a, z).and(", or make both accesses atomic")
	}
	return st.barrier(a, z)
}

// origin names what is missing; a flag that is told without its data lacks the
// same as these.
func (st *story) origin(c Cause) string {
	switch c {
	case WrongPhase:
		return "phase " + st.launch.Kernel
	case NotAwaited:
		return originAt(st.launch, "await", st.unheard.tell)
	case InFlight:
		return "wait " + st.launch.Kernel
	case LostUpdate:
		return originAt(st.launch, "update", st.lost.read)
	}
	if x := &st.w.why; c != NoFence || x.link.ok {
		return x.originOf(st.launch, c, st.test, st.waits)
	}
	return originAt(st.launch, "release", writer(st.w.first.site, st.w.then.site))
}

// warpOnly says that lanes of one warp race only, which __syncwarp orders.
func (st *story) warpOnly() bool { return st.inWarp && st.model == check.ITS }

// barrierCall names the weakest barrier that orders all pairs of the finding.
func (st *story) barrierCall() string {
	if st.warpOnly() {
		return finding.Syncwarp
	}
	return finding.Syncthreads
}

// barrier adds that barrier between two accesses.
func (st *story) barrier(a, z *trace.Site) mend {
	if st.warpOnly() {
		return st.checker.warpBarrier(st.launch, a, z, st.w.first.warp)
	}
	return st.checker.blockBarrier(st.launch, a, z)
}

// goesBetween is a repair that goes where a comes before z.
func goesBetween(a, z *trace.Site) finding.Repair {
	p, q := inOneFunction(a, z)
	later := p.File == q.File && p.Line > q.Line
	again := p.Line == q.Line && !(p == a.Loc.Pos && a.Kind == trace.Read)
	return finding.Repair{From: &finding.Point{Pos: p, PTXLine: a.PTXLine}, To: &finding.Point{Pos: q, PTXLine: z.PTXLine},
		Next: p.IsValid() && q.IsValid() && (later || again && p.File == q.File)}
}

// between puts into words where a repair has to go so that a comes before z.
func between(a, z *trace.Site) string {
	r := goesBetween(a, z)
	return r.Between()
}

// inOneFunction returns the places of two sites in the innermost function that
// both are in, called ones inlined.
func inOneFunction(a, z *trace.Site) (p, q source.Pos) {
	if a.Func != z.Func {
		return a.Loc.Pos, z.Loc.Pos
	}
	i, j := len(a.Loc.InlinedAt), len(z.Loc.InlinedAt)
	for p, q = frame(a, i), frame(z, j); p == q && i > 0 && j > 0; {
		i, j = i-1, j-1
		p, q = frame(a, i), frame(z, j)
	}
	return p, q
}

// frame is the place of a site that n calls lead to from it, outward.
func frame(s *trace.Site, n int) source.Pos {
	if n == 0 {
		return s.Loc.Pos
	}
	return s.Loc.InlinedAt[n-1]
}

// formatValue prints an element as the site's instruction types it: a float
// for .f32 and .f64, signed for .s8 to .s64, else unsigned and hexadecimal.
func formatValue(v uint64, s *trace.Site) string {
	typ, size := s.Op.Type.Class, s.Elem
	switch {
	case typ == inst.Float && size == 4:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	case typ == inst.Float && size == 8:
		return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
	case typ == inst.Signed && size >= 1 && size <= 8:
		return strconv.FormatInt(int64(v<<(64-8*size))>>(64-8*size), 10)
	case v < 10:
		return strconv.FormatUint(v, 10)
	}
	return fmt.Sprintf("%d (0x%x)", v, v)
}
