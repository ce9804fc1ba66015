package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// story is what the texts of one finding are made from.
type story struct {
	checker *checker
	launch  *trace.Launch
	model   check.RaceModel
	policy  check.RacePolicy
	pair    *pair
	hazard  hazard
	w       *witness
	details Details
	// inWarp says that all pairs are within a warp.
	inWarp bool
	strong bool
	// shared says that several threads write what the two access, update that
	// they belong to an update such as x += y.
	shared, update bool
	// flag says that single threads make the strong accesses.
	flag bool
	// test is what threads test and then write, nil for nothing; waits the plain read
	// by which one waits, nil for none.
	test *test
	// lost is the update that others lose, nil for none.
	lost  *rewrite
	waits *trace.Site
	// unheard is what one of the threads tells and nobody waits for, nil for nothing.
	unheard *unheard
	// phased are the mbarriers that should order the two.
	phased []phased
	// mend is the repair.
	mend mend
}

// finding turns a pair into a finding; ok is false where the policy allows it.
func (o *launchObserver) finding(k pairKey, all map[pairKey]*pair, ms visits) (f *finding.Finding, ok bool) {
	p := all[k]
	st := &story{checker: o.checker, launch: o.launch, model: o.checker.model, policy: o.checker.policy, pair: p}
	a, b := o.launch.Sites[k.a], o.launch.Sites[k.b]
	st.strong = isStrong(a) && isStrong(b) && a.Elem == b.Elem
	st.flag = st.strong && o.single(k.a) && o.single(k.b)
	intra, inter := p.sums()
	st.inWarp = inter == 0
	raced := func(x, y int) bool { return all[pairKey{min(x, y), max(x, y), k.variable}] != nil }
	st.test = o.checker.testOf(o.launch, a, b, raced, false)
	st.waits = o.checker.waitOf(o.launch, a, b, func(x, y int) bool {
		for k := range all {
			if k.a == min(x, y) && k.b == max(x, y) {
				return true
			}
		}
		return false
	})
	level := st.level(intra)
	st.hazard, st.w = p.choose(level == finding.Error && st.strong && st.model == check.ITS)
	observed := st.hazard
	early, late := st.w.inProgram()
	st.hazard = hazardOf(early.site.Kind, late.site.Kind)
	several := func(site int) bool { return all[pairKey{site, site, k.variable}] != nil }
	st.shared = written(st.w.first.site, st.w.then.site, several)
	if st.test == nil && st.strong {
		st.lost = o.checker.lostOf(o.launch, early.site, late.site, &st.w.why, raced)
		level = st.level(intra)
	}
	st.update = st.w.why.update && st.shared && isUpdate(o.launch, st.w.first.site, st.w.then.site, !p.places.several())
	st.unheard, st.phased = st.unheardOf(ms), st.phasedOf(ms)
	st.fill(k.variable, intra, inter)
	if o.checker.retried(o.launch, early.site, late.site) {
		return nil, false
	}
	if level, ok = st.verdict(level); !ok {
		return nil, false
	}
	f = &finding.Finding{
		Rule: Rule.ID, Kind: st.hazard.String(), Level: level,
		Kernel: o.launch.Kernel, Launches: finding.InLaunch(o.launch.ID),
		Message: st.message(), Notes: st.notes(),
		Count: intra + inter, Unit: "thread pair", Details: st.details,
		Key:     pairName(st.details.Variable, a, b),
		Witness: [4]uint64{uint64(observed) + narrowest(inter > 0, false), uint64(o.launch.ID), st.w.block, st.w.time},
	}
	st.details.facts(f, st.mend)
	f.Object, f.Range = st.raced(k.variable)
	f.Primary = st.place(late)
	f.Related = []finding.Place{st.place(early)}
	return f, true
}

// narrowest makes a launch whose pairs are all within a warp, or else within a
// block, tell about the race only if there is none with others: its repair would
// not be enough for those.
func narrowest(inBlock, acrossBlocks bool) uint64 {
	switch {
	case acrossBlocks:
		return 0
	case inBlock:
		return uint64(hazards)
	}
	return 2 * uint64(hazards)
}

// written reports whether several threads write what two sites access, by the
// one that writes: each adds to a counter, say. If only one thread does, and
// others read, they do not update it.
func written(a, z *trace.Site, several func(site int) bool) bool {
	for _, s := range []*trace.Site{a, z} {
		if s.Kind == trace.Write && !several(s.ID) {
			return false
		}
	}
	return true
}

// isUpdate reports whether two accesses of threads that both read and write what
// they access belong to one update: they are at one place of the source, as in
// x += y, or all is about one word. Threads that exchange elements of an array do
// both, but at places of their own.
func isUpdate(l *trace.Launch, a, z *trace.Site, oneWord bool) bool {
	return oneWord || a != z && a.Loc.IsValid() && a.Loc.Pos == z.Loc.Pos || a == z && partOfUpdate(l, a)
}

// single reports whether only single threads of warps executed a strong site.
func (o *launchObserver) single(site int) bool {
	most := none
	for _, b := range o.blocks {
		if b.singles != nil {
			most = max(most, b.singles[site])
		}
	}
	return most == alone
}

func (st *story) place(s *side) finding.Place {
	return check.Place(s.site, check.Role(s.site.Kind), check.Thread(st.launch, st.w.block, s.warp, s.lane))
}

// pairName is the finding's key: the variable and the two places.
func pairName(variable string, a, b *trace.Site) string {
	x, y := check.SiteKey(a), check.SiteKey(b)
	if y < x {
		x, y = y, x
	}
	return variable + "\x00" + x + "\x00" + y
}

func (p *pair) sums() (intra, inter uint64) {
	for _, c := range p.count {
		inter += c[0]
		intra += c[1]
	}
	return intra, inter
}

// choose returns the witness to show: RAW before WAR before WAW, then the
// smallest. inWarp asks for one within a warp where there is one.
func (p *pair) choose(inWarp bool) (hazard, *witness) {
	for _, only := range []bool{inWarp, false} {
		for h, ws := range p.witness {
			w := ws[1]
			if !only && (w == nil || ws[0] != nil && ws[0].before(w)) {
				w = ws[0]
			}
			if w != nil {
				return hazard(h), w
			}
		}
	}
	panic("race: a pair without a witness")
}

// isStrong reports whether a site is a strong operation (PTX ISA, "Memory
// Consistency Model": volatile, relaxed and stronger, atomics).
func isStrong(s *trace.Site) bool { return s.Order != trace.OrderWeak || s.Kind == trace.Atomic }

// level of a pair with intra thread pairs within a warp.
func (st *story) level(intra uint64) finding.Level {
	p := st.pair
	if st.lost != nil {
		return finding.Error
	}
	onlyWAW := p.witness[raw] == [2]*witness{} && p.witness[war] == [2]*witness{}
	switch {
	case st.test != nil:
		return finding.Error
	case onlyWAW && !p.different:
		return finding.Info
	case st.strong && st.model == check.Lockstep, st.strong && st.model == check.ITS && intra == 0:
		return finding.Warning
	}
	return finding.Error
}

// verdict applies the user's policy to a level; ok is false where nothing is to
// be reported.
func (st *story) verdict(l finding.Level) (level finding.Level, ok bool) {
	p := &st.policy
	switch {
	case st.lost != nil:
		return l, true
	case st.details.SameValue:
		return p.SameValue.Or(l)
	case st.inWarp && st.model == check.ITS && !st.w.oneInstr && !st.w.inFlight:
		return p.WarpSync.Or(l)
	case st.test != nil:
		return l, true
	case st.strong && st.hazard != waw && st.model != check.Threads && !st.shared && st.signal() && !st.w.why.published():
		return p.Volatile.Or(finding.Info)
	case st.strong:
		return p.Volatile.Or(l)
	}
	return l, true
}

// signal says that one thread tells others something by a volatile word, and
// does nothing else with it: both are strong operations, and nothing is torn.
func (st *story) signal() bool {
	return st.flag && st.w.first.site.Kind != trace.Atomic && st.w.then.site.Kind != trace.Atomic
}

// fill computes the details.
func (st *story) fill(variable int, intra, inter uint64) {
	p, w := st.pair, st.w
	d := &st.details
	d.Space, d.Address, d.Bytes, d.Index = "shared", w.addr, w.bytes, -1
	if variable >= 0 {
		v := st.launch.Shared[variable]
		d.Variable, d.Offset = check.VariableName(v.Name), w.addr-v.Addr
		if size := uint64(max(min(w.first.site.Size, w.then.site.Size), 1)); v.Size > size || v.Dynamic {
			d.Index = int64(d.Offset / size)
		}
	}
	d.RAW = p.count[raw][0] + p.count[raw][1]
	d.WAR = p.count[war][0] + p.count[war][1]
	d.WAW = p.count[waw][0] + p.count[waw][1]
	d.IntraWarp, d.InterWarp, d.SameValue = intra, inter, !p.different && d.RAW+d.WAR == 0 && st.test == nil
	d.First, d.Then = st.side(w.first, w.why.first), st.side(w.then, w.why.then)
	if w.then.site.Kind == trace.Read {
		d.Then.Value = formatValue(w.memory, w.then.site)
	}
	d.Interval = Interval{w.since.number, "kernel start"}
	if w.since.site != nil {
		d.Interval.After = "barrier at " + check.Where(w.since.site, w.since.site.Loc.File)
	}
	d.Cause, d.Reason = st.reason()
	st.mend = st.repair(d.Cause)
	d.Repair = st.mend.Kind
	d.Origin = st.origin(d.Cause)
	d.Follows = d.Cause == NotVolatile && st.waits != nil && st.waits != w.first.site && st.waits != w.then.site
}

func (st *story) side(s side, last *passed) Side {
	out := Side{
		Kind: s.site.Kind.String(), Size: s.site.Size, Order: s.site.Order.String(),
		Thread: check.Thread(st.launch, st.w.block, s.warp, s.lane),
	}
	out.Synced = st.synced(last)
	if s.hasWrote {
		out.Value = formatValue(s.wrote, s.site)
	}
	return out
}

// raced is the variable that the race is about, and its bytes.
func (st *story) raced(variable int) (*finding.Object, finding.Bytes) {
	if variable < 0 {
		return nil, finding.Bytes{}
	}
	v := &st.launch.Shared[variable]
	return check.VariableObject(trace.SpaceShared, v), st.pair.places.within(v.Addr, v.Size)
}

// object names what the race is about: "s[32]", "count" or an address.
func (st *story) object() string {
	d := &st.details
	switch {
	case d.Variable == "":
		return fmt.Sprintf("shared memory at offset 0x%x", d.Address)
	case d.Index >= 0:
		return "shared variable " + check.SharedElement(st.launch, d.Address, d.Bytes, min(st.w.first.site.Size, st.w.then.site.Size))
	}
	return "shared variable " + d.Variable
}

func (st *story) message() string {
	if st.hazard == waw && !st.pair.different && st.test == nil {
		return fmt.Sprintf("WAW of the same value on %s", st.object())
	}
	return fmt.Sprintf("%v on %s", st.hazard, st.object())
}
