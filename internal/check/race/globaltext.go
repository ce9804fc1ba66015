package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// globalStory is what the texts of a finding in global memory are made from.
type globalStory struct {
	g           *globalLaunch
	pair        *globalPair
	w           *globalWitness
	hazard      hazard
	first, then *trace.Site
	memory      trace.Memory
	known       bool
	by          [distances]uint64
	// shared and update are as for shared memory.
	shared, update bool
	// test is what threads test and then write, nil for nothing; waits the plain read
	// by which one waits, nil for none.
	test *test
	// lost is the update that others lose, nil for none.
	lost  *rewrite
	waits *trace.Site
	// plain is a plain access to what others access by relaxed atomics, nil for none.
	plain *trace.Site
	// mend is the repair.
	mend mend
}

// finding turns a pair into a finding; ok is false where the policy allows it.
func (g *globalLaunch) finding(k pairKey, all map[pairKey]*globalPair) (f *finding.Finding, ok bool) {
	p := all[k]
	w := p.witness
	st := &globalStory{g: g, pair: p, w: w, first: g.launch.Sites[w.first.site], then: g.launch.Sites[w.then.site]}
	st.hazard = hazardOf(st.first.Kind, st.then.Kind)
	st.shared = written(st.first, st.then, func(site int) bool { return all[pairKey{site, site, 0}] != nil })
	st.update = w.why.update && st.shared && isUpdate(g.launch, st.first, st.then, !p.places.several())
	if g.launch.Memory != nil {
		st.memory, st.known = g.launch.Memory(w.addr)
	}
	for _, c := range p.count {
		for d, n := range c {
			st.by[d] += n
		}
	}
	raced := func(x, y int) bool { return all[pairKey{min(x, y), max(x, y), 0}] != nil }
	if g.checker.retried(g.launch, st.first, st.then) {
		return nil, false
	}
	st.test = g.checker.testOf(g.launch, st.first, st.then, raced, st.reachesOut())
	if st.test == nil && st.volatiles() {
		st.lost = g.checker.lostOf(g.launch, st.first, st.then, &w.why, raced)
	}
	st.waits = g.checker.waitOf(g.launch, st.first, st.then, raced)
	st.plain = st.plainAmong(raced)
	d := st.details()
	level, ok := st.verdict(d)
	if !ok {
		return nil, false
	}
	f = &finding.Finding{
		Rule: Rule.ID, Kind: st.hazard.String(), Level: level,
		Kernel: g.launch.Kernel, Launches: finding.InLaunch(g.launch.ID),
		Message: st.message(), Notes: st.notes(d),
		Count: d.IntraWarp + d.InterWarp, Unit: "thread pair", Details: d,
		Key: pairName("global", g.launch.Sites[k.a], g.launch.Sites[k.b]),
	}
	d.facts(f, st.mend)
	f.Object, f.Range = st.raced(&d)
	f.Witness = [4]uint64{uint64(st.hazard) + narrowest(st.by[inBlock] > 0, st.reachesOut()), uint64(g.launch.ID), uint64(w.then.block), w.addr}
	f.Primary = st.place(st.then, &w.then, w.thenLane)
	f.Related = []finding.Place{st.place(st.first, &w.first, w.firstLane)}
	return f, true
}

func (st *globalStory) place(s *trace.Site, at *span, lane int) finding.Place {
	return check.Place(s, check.Role(s.Kind), st.thread(at, lane))
}

func (st *globalStory) thread(at *span, lane int) *finding.Thread {
	return check.Thread(st.g.launch, uint64(at.block), int(at.warp), lane)
}

// volatiles says that both are volatile and no more, on the same bytes.
func (st *globalStory) volatiles() bool {
	return st.first.Elem == st.then.Elem && st.g.sites[st.w.first.site].strength == volatileOnly && st.g.sites[st.w.then.site].strength == volatileOnly
}

func (st *globalStory) level() finding.Level {
	c := &st.pair.count
	switch {
	case st.lost != nil, st.test != nil:
		return finding.Error
	case c[raw] == [distances]uint64{} && c[war] == [distances]uint64{} && !st.pair.different:
		return finding.Info
	case st.volatiles():
		return finding.Warning
	}
	return finding.Error
}

// verdict is the level by the user's policy; ok is false where nothing is to be
// reported.
func (st *globalStory) verdict(d Details) (level finding.Level, ok bool) {
	p, l := &st.g.checker.policy, st.level()
	switch {
	case st.lost != nil:
		return l, true
	case d.SameValue:
		return p.SameValue.Or(l)
	case st.inWarp() && !st.w.oneInstr():
		return p.WarpSync.Or(l)
	case st.test != nil:
		return l, true
	case st.signal() && st.first.Elem >= 8 && !p.Volatile.Set:
		return l, false // value and flag in one word
	case st.signal() && st.tells() && !st.w.why.published():
		return p.Volatile.Or(finding.Info)
	case st.volatiles():
		return p.Volatile.Or(l)
	}
	return l, true
}

// signal says that single threads tell others something by a volatile word that
// only one of them writes: both are strong operations, and nothing is torn.
func (st *globalStory) signal() bool {
	writer := st.w.first.site
	if st.then.Kind == trace.Write {
		writer = st.w.then.site
	}
	return st.volatiles() && st.hazard != waw && !st.shared && st.g.single(writer) && st.first.Size == st.then.Size &&
		st.first.Size == st.first.Elem
}

func (st *globalStory) details() Details {
	p, w := st.pair, st.w
	d := Details{Space: "global", Address: w.addr, Bytes: w.bytes, Index: -1, IntraWarp: st.by[inWarp],
		InterWarp: st.by[inBlock] + st.by[acrossBlocks], InterBlock: st.by[acrossBlocks]}
	if st.known {
		d.Variable, d.Offset = check.VariableName(st.memory.Name), w.addr-st.memory.Base
		if size := uint64(max(min(st.first.Elem, st.then.Elem), 1)); st.memory.Size > size {
			d.Index = int64(d.Offset / size)
		}
	}
	if st.inCluster() {
		st.clusterDetails(&d)
	}
	sum := func(h hazard) uint64 { return p.count[h][inWarp] + p.count[h][inBlock] + p.count[h][acrossBlocks] }
	d.RAW, d.WAR, d.WAW = sum(raw), sum(war), sum(waw)
	d.SameValue = !p.different && d.RAW+d.WAR == 0 && st.test == nil
	d.First, d.Then = st.side(st.first, &w.first, w.firstLane, w.why.first), st.side(st.then, &w.then, w.thenLane, w.why.then)
	d.Interval = Interval{uint64(w.then.interval), "kernel start"}
	if id, ok := st.g.paths.site(w.then.block, w.then.interval); ok {
		b := st.g.launch.Sites[id]
		d.Interval.After = "barrier at " + check.Where(b, b.Loc.File)
	}
	d.Cause, d.Reason = st.reason()
	st.mend = st.repair(d.Cause)
	d.Repair = st.mend.Kind
	d.Origin = st.origin(d.Cause)
	d.Follows = d.Cause == NotVolatile && st.waits != nil && st.waits != st.first && st.waits != st.then
	return d
}

func (st *globalStory) side(s *trace.Site, at *span, lane int, last *passed) Side {
	return Side{Synced: st.synced(at, last), Kind: s.Kind.String(), Size: s.Size, Order: s.Order.String(), Thread: st.thread(at, lane)}
}

// object names what the race is about.
func (st *globalStory) object() string {
	switch {
	case st.inCluster():
		return st.clusterObject()
	case st.memory.Name != "":
		return memoryName(&st.memory, st.known, st.w.addr, st.then.Elem)
	}
	return memoryName(&st.memory, st.known, st.w.addr, max(min(st.first.Elem, st.then.Elem), 1))
}

// memoryName names what lies at an address of global memory, in elements of elem bytes.
func memoryName(m *trace.Memory, known bool, addr uint64, elem int) string {
	switch {
	case !known:
		return fmt.Sprintf("global memory at 0x%x", addr)
	case m.Name != "" && m.Size <= uint64(elem):
		return "global variable " + check.VariableName(m.Name)
	case m.Name != "":
		return "global variable " + check.GlobalElement(m, int64(addr-m.Base), elem, elem)
	case m.Where != "":
		return fmt.Sprintf("element %d of the memory of %s", (addr-m.Base)/uint64(elem), m.Where)
	}
	return fmt.Sprintf("element %d of an allocation of %d bytes", (addr-m.Base)/uint64(elem), m.Size)
}

// raced is the memory that the race is about, and its bytes.
func (st *globalStory) raced(d *Details) (*finding.Object, finding.Bytes) {
	switch {
	case st.inCluster():
		o, at := check.SharedObject(st.g.launch, d.Address, d.Bytes)
		return o, at
	case !st.known:
		return nil, finding.Bytes{}
	}
	return check.ObjectOf(trace.SpaceGlobal, &st.memory), st.pair.places.within(st.memory.Base, st.memory.Size)
}

func (st *globalStory) message() string {
	if st.first.Frees || st.then.Frees {
		return "free of memory that other threads use"
	}
	if st.hazard == waw && !st.pair.different && st.test == nil {
		return fmt.Sprintf("WAW of the same value on %s", st.object())
	}
	return fmt.Sprintf("%v on %s", st.hazard, st.object())
}

func (st *globalStory) notes(d Details) []string {
	notes := []string{d.Reason}
	switch {
	case st.w.distance() == acrossBlocks, st.w.why.first != nil, st.w.why.then != nil:
		notes = append(notes, st.sides(d))
	case d.Interval.Number == 0:
		notes = append(notes, "barrier interval: from the kernel's start, no barrier passed")
	default:
		notes = append(notes, fmt.Sprintf("barrier interval: after the %s, number %d of the block", d.Interval.After, d.Interval.Number))
	}
	notes = append(notes, st.pairs(d))
	if st.volatiles() {
		notes = append(notes, "both are volatile: that makes each access happen, but orders nothing between threads")
	}
	return notes
}

func (st *globalStory) pairs(d Details) string {
	s := check.Plural(d.IntraWarp+d.InterWarp, "thread pair")
	if st.by[acrossBlocks] > 0 && !st.g.sync {
		s += " in the blocks compared"
	}
	switch {
	case st.by[acrossBlocks] == d.IntraWarp+d.InterWarp:
		s += ", all in different blocks"
	case d.InterWarp == 0:
		s += ", all within a warp"
	case st.by[acrossBlocks] > 0:
		s += fmt.Sprintf(", %d of them in different blocks", st.by[acrossBlocks])
	}
	return s
}
