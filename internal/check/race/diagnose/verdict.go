package diagnose

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// level is how bad the pair is where the user has not decided.
func (d *diagnosis) level() finding.Level {
	model := d.config.Model
	switch {
	case d.lost != nil, d.test != nil, d.overlap != nil:
		return finding.Error
	case d.onlyWrites() && !d.pair.Different:
		return finding.Info
	case d.volatile && (!d.run.Shared || model == check.Lockstep || model == check.ITS && d.by[evidence.InWarp] == 0):
		return finding.Warning
	}
	return finding.Error
}

// verdict is the level by the user's policy; ok is false where nothing is to be
// reported.
func (d *diagnosis) verdict() (level finding.Level, ok bool) {
	p, l := &d.config.Policy, d.level()
	switch {
	case d.lost != nil, d.overlap != nil:
		return l, true
	case d.replicated() && !p.SameValue.Set:
		return l, false
	case d.sameValue():
		return p.SameValue.Or(l)
	case d.warpOnly() && !d.w.OneInstr && !d.w.InFlight:
		return p.WarpSync.Or(l)
	case d.test != nil:
		return l, true
	case d.flag() && !d.run.Shared && d.early.Site.Elem >= 8 && !p.Volatile.Set:
		return l, false // value and flag in one word
	case d.flag() && d.signals() && !d.w.Published():
		return p.Volatile.Or(finding.Info)
	case d.volatile:
		return p.Volatile.Or(l)
	}
	return l, true
}

// sameValue: all pairs are writes of the same value, and no thread has tested the place
// before.
func (d *diagnosis) sameValue() bool {
	return d.onlyWrites() && !d.pair.Different && d.test == nil
}

// replicated: lanes that hold the same element of a tensor store it in memory of the compiler's own.
// Lanes of one instruction may have computed it with other roundings: of a sum of products each lane
// fuses its own multiplication with the addition. Several instructions that do may be those of two
// statements, which a barrier has to order.
func (d *diagnosis) replicated() bool {
	v := d.key.Variable
	return d.run.Shared && v >= 0 && d.run.Launch.Shared[v].Compiler && d.early.Site == d.late.Site &&
		d.onlyWrites() && !d.pair.Scattered && d.test == nil
}

// flag: a single thread signals others by a volatile word that only it writes: both are
// strong operations, and nothing is torn.
func (d *diagnosis) flag() bool {
	if !d.volatile || d.hazard == evidence.WAW || d.several {
		return false
	}
	a, z := d.early.Site, d.late.Site
	return d.run.Shared || d.run.Single[d.writer().ID] && a.Size == z.Size && a.Size == a.Elem
}
