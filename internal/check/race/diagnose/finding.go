package diagnose

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Launch makes the findings of a launch's pairs, and returns which pairs have one.
func (g *Diagnoser) Launch(run *evidence.Run) (fs []*finding.Finding, reported map[evidence.Key]bool) {
	reported = map[evidence.Key]bool{}
	facts := g.config.Facts(run.Launch)
	places := placesOf(run, facts)
	for _, k := range evidence.Sorted(run.Pairs) {
		d := g.of(run, places, facts, k)
		if d.retried() {
			continue
		}
		level, ok := d.verdict()
		if !ok {
			continue
		}
		d.decide()
		r := rendering{diagnosis: d}
		fs = append(fs, r.finding(level))
		reported[k] = true
	}
	return fs, reported
}

// rendering writes the finding of a diagnosis of two threads.
type rendering struct {
	*diagnosis
	details Details
}

func (d *rendering) finding(level finding.Level) *finding.Finding {
	l := d.run.Launch
	d.fillDetails()
	f := &finding.Finding{
		Rule: "race", Kind: d.hazard.String(), Level: level,
		Kernel: l.Kernel, Launches: finding.InLaunch(l.ID),
		Message: d.message(), Notes: d.notes(),
		Count: d.details.IntraWarp + d.details.InterWarp, Unit: "thread pair",
		Key:     d.pairKey(),
		Witness: d.rank(),
		Primary: d.place(d.late), Related: []finding.Place{d.place(d.early)},
	}
	f.Object, f.Range = d.subject()
	d.fill(f, d.details)
	return f
}

// fill completes a finding with what the table has decided.
func (d *diagnosis) fill(f *finding.Finding, details Details) {
	details.Cause, details.Reason, details.Repair, details.Origin = d.cause, d.reason, d.mend.Kind, d.origin
	f.Details = details
	f.Cause, f.Origin, f.Follows = d.cause, d.origin, details.Follows
	f.Hangs = d.cause == NotAwaited || d.cause == WrongPhase
	f.Repair, f.Help = &d.mend.Repair, d.mend.help
}

// rank decides which of several launches' findings is shown. A launch whose pairs are all
// within a warp, or else within a block, is shown only if there is none with others: its
// repair would not be enough for those.
func (d *rendering) rank() [4]uint64 {
	narrow := 2 * uint64(evidence.Hazards)
	switch {
	case d.reachesOut():
		narrow = 0
	case d.by[evidence.InBlock] > 0:
		narrow = uint64(evidence.Hazards)
	}
	launch := uint64(d.run.Launch.ID)
	if !d.run.Shared {
		return [4]uint64{uint64(d.hazard) + narrow, launch, uint64(d.late.Block), d.w.Addr}
	}
	observed := evidence.HazardOf(d.w.First.Site.Kind, d.w.Then.Site.Kind)
	return [4]uint64{uint64(observed) + narrow, launch, uint64(d.w.First.Block), d.w.Time}
}

// pairKey is the finding's key: the variable and the two places.
func (d *rendering) pairKey() string {
	variable := "global"
	if d.run.Shared {
		variable = d.details.Variable
	}
	return pairName(variable, d.run.Launch.Sites[d.key.A], d.run.Launch.Sites[d.key.B])
}

func pairName(variable string, a, b *trace.Site) string {
	x, y := check.SiteKey(a), check.SiteKey(b)
	if y < x {
		x, y = y, x
	}
	return variable + "\x00" + x + "\x00" + y
}

func (d *diagnosis) place(a *evidence.Access) finding.Place {
	return check.Place(a.Site, check.Role(a.Site.Kind), d.thread(a))
}

func (d *diagnosis) thread(a *evidence.Access) *finding.Thread {
	return check.Thread(d.run.Launch, uint64(a.Block), a.Warp, a.Lane)
}

func (d *rendering) fillDetails() {
	p, w, x := d.pair, d.w, &d.details
	*x = Details{Bytes: w.Bytes, Index: -1, IntraWarp: d.by[evidence.InWarp],
		InterWarp: d.by[evidence.InBlock] + d.by[evidence.AcrossBlocks], InterBlock: d.by[evidence.AcrossBlocks],
		RAW: p.Of(evidence.RAW), WAR: p.Of(evidence.WAR), WAW: p.Of(evidence.WAW), SameValue: d.sameValue(),
		First: d.side(d.early), Then: d.side(d.late)}
	d.locate()
	x.Interval = Interval{d.late.Since.Number, startName(d.late.Since)}
	if d.half != nil && d.cause == NotVolatile {
		x.Follows = d.half.wait != d.early.Site && d.half.wait != d.late.Site
		return
	}
	x.Follows = d.cause == NotVolatile && d.waits != nil && d.waits != d.early.Site && d.waits != d.late.Site
}

func (d *rendering) side(a *evidence.Access) Side {
	s := Side{Kind: a.Site.Kind.String(), Size: a.Site.Size, Order: a.Site.Order.String(), Thread: d.thread(a), Synced: d.synced(a)}
	switch {
	case a.HasWrote:
		s.Value = formatValue(a.Wrote, a.Site)
	case d.w.HasFound && a == &d.w.Then && a.Site.Kind == trace.Read:
		s.Value = formatValue(d.w.Found, a.Site)
	}
	return s
}

// locate fills in where the race is.
func (d *rendering) locate() {
	l, w, x := d.run.Launch, d.w, &d.details
	a, z := d.early.Site, d.late.Site
	x.Space, x.Address = trace.SpaceGlobal.String(), w.Addr
	owner, off, cluster := evidence.OwnerOf(w.Addr)
	lane, column, tensor := evidence.TensorOf(w.Addr)
	switch {
	case d.run.Shared && tensor:
		x.Space, x.Address = trace.SpaceTensor.String(), uint64(lane)<<16|uint64(column)
	case d.run.Shared:
		x.Space = trace.SpaceShared.String()
		if i := d.key.Variable; i >= 0 {
			x.in(&l.Shared[i], uint64(max(min(a.Size, z.Size), 1)))
		}
	case cluster:
		b := uint64(owner)
		x.Space, x.Address, x.Offset, x.Owner = trace.SpaceShared.String(), off, off, &b
		if i := check.SharedVariable(l, off); i >= 0 {
			x.in(&l.Shared[i], uint64(max(min(a.Elem, z.Elem), 1)))
		}
	default:
		if m, ok := d.memory(); ok {
			x.Variable, x.Offset = check.VariableName(m.Name), w.Addr-m.Base
			if size := uint64(max(min(a.Elem, z.Elem), 1)); m.Size > size {
				x.Index = int64(x.Offset / size)
			}
		}
	}
}

// in fills in the element of a shared variable at the details' address.
func (x *Details) in(v *trace.Variable, size uint64) {
	x.Variable, x.Offset = check.VariableName(v.Name), x.Address-v.Addr
	if v.Size > size || v.Dynamic {
		x.Index = int64(x.Offset / size)
	}
}

// memory is what lies in global memory at the witness's address.
func (d *rendering) memory() (m trace.Memory, ok bool) {
	if d.run.Launch.Memory != nil {
		m, ok = d.run.Launch.Memory(d.w.Addr)
	}
	return m, ok
}

// subject is the variable or memory that the race is about, and its bytes.
func (d *rendering) subject() (*finding.Object, finding.Bytes) {
	l, x := d.run.Launch, &d.details
	switch {
	case d.run.Shared && d.key.Variable < 0:
		return nil, finding.Bytes{}
	case d.run.Shared:
		v := &l.Shared[d.key.Variable]
		return check.VariableObject(trace.SpaceShared, v), d.pair.Words.Within(v.Addr, v.Size)
	case d.inCluster():
		return check.SharedObject(l, x.Address, x.Bytes)
	}
	m, ok := d.memory()
	if !ok {
		return nil, finding.Bytes{}
	}
	return check.ObjectOf(trace.SpaceGlobal, &m), d.pair.Words.Within(m.Base, m.Size)
}
