package diagnose

import (
	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Diagnoser makes findings of what the detectors of a run yield.
type Diagnoser struct {
	config *evidence.Config
	// last is the static form of the last launch that a barrier was advised for.
	last *ways
}

// New makes the diagnoser of a run.
func New(c *evidence.Config) *Diagnoser { return &Diagnoser{config: c} }

// diagnosis is one pair with what follows from its evidence. work is set for pieces of work,
// stale for a read through the read-only path; for others all that follows is.
type diagnosis struct {
	*Diagnoser
	work  *evidence.WorkPair
	stale *evidence.Stale

	*places
	run  *evidence.Run
	key  evidence.Key
	pair *evidence.Pair
	w    *evidence.Witness
	// early and late are the witness's accesses in the order of the program, hazard is
	// theirs; by are the thread pairs by distance.
	early, late *evidence.Access
	hazard      evidence.Hazard
	by          [evidence.Distances]uint64
	facts       *guards.Facts
	// volatile: both accesses are volatile and no more, on the same bytes.
	volatile bool
	// several: more than one thread writes what the two access. update: they belong to an
	// update such as x += y.
	several, update bool
	// test, lost, waits and plain are those of decided.go, nil for none.
	test  *test
	lost  *rewrite
	waits *trace.Site
	// half is a flag of which only the reads are strong, nil for none.
	half  *flag
	plain *trace.Site
	// overlap are two arrays that are partly the same memory, nil for none.
	overlap *overlap
	// unawaited is the arrival that no thread waits for, nil for none; phases are the mbarriers
	// that should order the two.
	unawaited *evidence.Unawaited
	phases    []evidence.WrongPhase
	// lane is an mbarrier at which another lane arrives for the first thread, nil for none.
	lane *evidence.WrongPhase

	// What the table decides.
	cause  Cause
	reason string
	mend   *mend
	origin string
}

// of makes the diagnosis of a pair, without the table's decision.
func (g *Diagnoser) of(run *evidence.Run, p *places, facts *guards.Facts, k evidence.Key) *diagnosis {
	d := &diagnosis{Diagnoser: g, places: p, run: run, key: k, pair: run.Pairs[k], facts: facts}
	x, y := &run.Sites[k.A], &run.Sites[k.B]
	d.by = d.pair.By()
	d.volatile = x.Strength == hb.Volatile && y.Strength == hb.Volatile && x.Elem == y.Elem
	d.test = d.testOf()
	if run.Shared {
		// That warps no longer run in step is what matters of volatile accesses.
		d.choose(d.pair.Choose(d.volatile && g.config.Model == check.ITS && d.level() == finding.Error))
	} else {
		d.choose(d.pair.Best())
	}
	d.settle()
	d.several = d.severalWrite()
	d.overlap = d.overlapOf()
	d.lost = d.lostOf()
	d.update = d.w.Update && d.several && d.oneUpdate()
	d.waits, d.half = d.waitOf(), d.halfOf()
	d.plain = d.plainAmong()
	d.unawaited, d.phases = run.Visits.Unawaited(d.copies, d.w), run.Visits.WrongPhases(d.w)
	d.lane = run.Visits.OtherLane(d.w)
	return d
}

func (d *diagnosis) choose(w *evidence.Witness) {
	d.w, d.hazard = w, w.Hazard()
	d.early, d.late = w.InProgram()
}

// raced reports whether two sites race, in the same variable.
func (d *diagnosis) raced(x, y *trace.Site) bool { return d.run.Raced(x.ID, y.ID, d.key.Variable) }

// severalWrite reports whether several threads write what the two access, by the
// one that writes: each adds to a counter, say. If only one thread does, and
// others read, they do not update it.
func (d *diagnosis) severalWrite() bool {
	for _, s := range []*trace.Site{d.early.Site, d.late.Site} {
		if s.Kind == trace.Write && !d.raced(s, s) {
			return false
		}
	}
	return true
}

// oneUpdate reports whether two accesses of threads that both read and write what
// they access belong to one update: they are at one place of the source, as in
// x += y, or all is about one word. Threads that exchange elements of an array do
// both, but at places of their own.
func (d *diagnosis) oneUpdate() bool {
	a, z := d.early.Site, d.late.Site
	return !d.pair.Words.Several() || a != z && a.Loc.IsValid() && a.Loc.Pos == z.Loc.Pos || a == z && evidence.PartOfUpdate(d.run.Launch, a)
}

// strengths are those of the two accesses in the order of the program.
func (d *diagnosis) strengths() (x, y hb.Strength) {
	return d.run.Sites[d.early.Site.ID].Strength, d.run.Sites[d.late.Site.ID].Strength
}

// across: the witness's threads are in different blocks. reachesOut: those of some pair are.
func (d *diagnosis) across() bool     { return d.w.Distance() == evidence.AcrossBlocks }
func (d *diagnosis) reachesOut() bool { return d.by[evidence.AcrossBlocks] > 0 }

// inOneWarp: all pairs are of lanes of one warp. warpOnly: and __syncwarp orders these.
func (d *diagnosis) inOneWarp() bool { return d.by[evidence.InBlock]+d.by[evidence.AcrossBlocks] == 0 }
func (d *diagnosis) warpOnly() bool  { return d.inOneWarp() && d.config.Model == check.ITS }

// inCluster: the race is in shared memory of a cluster.
func (d *diagnosis) inCluster() bool { return evidence.InCluster(d.w.Addr) }

// onlyWrites: neither site is a read.
func (d *diagnosis) onlyWrites() bool {
	return d.run.Sites[d.key.A].Kind.Writes() && d.run.Sites[d.key.B].Kind.Writes()
}

// halfAtomic: one access is atomic and the other a plain read or part of a plain update.
func (d *diagnosis) halfAtomic() bool {
	plain := func(s *trace.Site) bool {
		return (s.Kind == trace.Read || evidence.PartOfUpdate(d.run.Launch, s)) && d.run.Sites[s.ID].Strength == hb.Weak
	}
	a, z := d.early.Site, d.late.Site
	return a.Kind == trace.Atomic && plain(z) || z.Kind == trace.Atomic && plain(a)
}

// oneAtomic: one access is atomic and the other is not.
func (d *diagnosis) oneAtomic() bool {
	return (d.early.Site.Kind == trace.Atomic) != (d.late.Site.Kind == trace.Atomic)
}

// updates: one of the accesses is part of an update such as x += y. bothUpdate: both are, in
// different places.
func (d *diagnosis) updates() bool {
	return evidence.PartOfUpdate(d.run.Launch, d.early.Site) || evidence.PartOfUpdate(d.run.Launch, d.late.Site)
}

func (d *diagnosis) bothUpdate() bool {
	a, z := d.early.Site, d.late.Site
	return a.Loc.Line != z.Loc.Line && evidence.PartOfUpdate(d.run.Launch, a) && evidence.PartOfUpdate(d.run.Launch, z)
}

// signals: both sites may be those of a flag: single threads execute them, or wait by one
// of them.
func (d *diagnosis) signals() bool {
	flag := func(s *trace.Site) bool {
		return d.run.Single[s.ID] || !d.run.Shared && s.Kind == trace.Read && d.facts.Waits(hb.GuardSite(s))
	}
	return d.volatile && flag(d.early.Site) && flag(d.late.Site) && !(d.run.Shared && d.config.Model == check.Threads)
}

// writer is the one of two accesses that writes, the later one if both do.
func (d *diagnosis) writer() *trace.Site {
	if d.late.Site.Kind == trace.Read {
		return d.early.Site
	}
	return d.late.Site
}

// sizesDiffer reports whether an atomic meets another strong access of a different size,
// so that neither is atomic for the other ("PTX ISA", "Morally Strong Operations"). Relaxed loads and stores are such
// accesses as well, other than volatile ones.
func (d *diagnosis) sizesDiffer() bool {
	a, z := d.taken()
	x, y := d.strengths()
	atomics := a.Kind == trace.Atomic || z.Kind == trace.Atomic || x == hb.Strong && y == hb.Strong
	return atomics && a.Order != trace.OrderWeak && z.Order != trace.OrderWeak && a.Elem != z.Elem
}

// taken are the operations that the two sites stand for.
func (d *diagnosis) taken() (a, z *trace.Site) {
	a, z = d.early.Site, d.late.Site
	return d.run.Sites[a.ID].Taken(a), d.run.Sites[z.ID].Taken(z)
}

// narrowFlag: the flag that connects the threads is of block scope.
func (d *diagnosis) narrowFlag() bool {
	l := &d.w.Link
	return l.OK && (l.Site.Scope == trace.ScopeCTA || l.Acquire.Site.Scope == trace.ScopeCTA)
}
