package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// span is where a missing barrier has to go: between two lines, of which the
// first comes before the other in the program unless it is a loop's next pass.
type span struct {
	f       *finding.Finding
	index   int // of f
	barrier string
	object  string
	repair  finding.Repair
	// early and late are the lines in the order of execution, low and high the same in
	// the order of the file.
	early, late int
	low, high   int
}

// spanOf is where a finding's barrier has to go. A barrier within one function repairs
// each of its calls: where both sides are in it, by different calls, the span is that of
// their own lines.
func spanOf(f *finding.Finding) (span, bool) {
	r := f.Repair
	if !r.Placed() || r.Call == "" || len(f.Related) == 0 || r.Kind != finding.AddBarrier && r.Kind != finding.AddSyncwarp {
		return span{}, false
	}
	a, b := f.Related[0].Loc, f.Primary.Loc
	if !a.IsValid() || !b.IsValid() || a.File != b.File || r.From.File != r.To.File {
		return span{}, false
	}
	early, late, repair := r.From.Line, r.To.Line, *r
	if a.Func == b.Func && !slices.Equal(a.InlinedAt, b.InlinedAt) {
		early, late = a.Line, b.Line
		repair.Next = early >= late // a later call is what the next pass of a loop is
	}
	if early == 0 || late == 0 {
		return span{}, false
	}
	return span{f: f, barrier: r.Call, object: objectKey(f.Object), repair: repair, early: early, late: late,
		low: min(early, late), high: max(early, late)}, true
}

// forward is set if there is a gap between the two lines, within a pass of all loops.
func (s span) forward() bool { return s.early < s.late }

// wraps is set if the second line is reached in a loop's next pass.
func (s span) wraps() bool { return s.early > s.late || s.early == s.late && s.repair.Next }

// placed is the repair, at the span's own lines.
func (s span) placed() *finding.Repair {
	r := s.repair
	if r.From.Line != s.early || r.To.Line != s.late {
		from, to := *r.From, *r.To
		from.Line, to.Line = s.early, s.late
		r.From, r.To, r.Next = &from, &to, s.wraps()
	}
	return &r
}

// missingBarriers joins the spans of one kernel and file. Those that need a
// barrier of the block come first: it is one for the warps too, so that a span
// within a warp in which one of them goes belongs to it.
func (u *union) missingBarriers(ss []span) {
	var block, warp []span
	for _, s := range ss {
		if s.barrier == finding.Syncthreads {
			block = append(block, s)
		} else {
			warp = append(warp, s)
		}
	}
	u.overlapping(block)
	var rest []span
	for _, s := range warp {
		if i := slices.IndexFunc(block, s.alsoMendedBy); i >= 0 {
			u.join(s.index, block[i].index)
		} else {
			rest = append(rest, s)
		}
	}
	u.overlapping(rest)
}

// alsoMendedBy reports whether a barrier anywhere in o is in s too; of two that lead to
// the next pass of a loop, whether one at its end can be in both.
func (s span) alsoMendedBy(o span) bool {
	if s.early > s.late && o.early > o.late {
		return s.low <= o.high && o.low <= s.high
	}
	return s.forward() && o.forward() && s.early <= o.early && s.late >= o.late
}

// overlapping joins findings that one barrier can repair, and those on one object whose
// spans touch.
func (u *union) overlapping(ss []span) {
	slices.SortStableFunc(ss, func(a, b span) int { return cmp.Or(a.low-b.low, a.high-b.high) })
	u.oneGap(ss)
	u.nextPass(ss)
	last := map[string]span{}
	for _, s := range ss {
		l, ok := last[s.object]
		if ok && s.object != "" && s.low <= l.high {
			u.join(s.index, l.index)
		}
		if !ok || s.high > l.high {
			last[s.object] = s
		}
	}
}

// oneGap joins the spans that have one gap between lines in common, all of them: a
// chain of spans that need a barrier each has no one cause. The spans come by their
// start.
func (u *union) oneGap(ss []span) {
	var common span
	for _, s := range ss {
		switch {
		case !s.forward():
		case common.f != nil && s.low < common.high:
			u.join(s.index, common.index)
			common.low, common.high = s.low, min(common.high, s.high)
		default:
			common = s
		}
	}
}

// nextPass joins the spans that lead to the next pass of one loop, whose end is in all of
// them.
func (u *union) nextPass(ss []span) {
	var first, widest span
	for _, s := range ss {
		switch {
		case !s.wraps():
		case first.f != nil && s.low < widest.high:
			u.join(s.index, first.index)
			widest.high = max(widest.high, s.high)
		default:
			first, widest = s, s
		}
	}
}

// barrierHelps asks for the fewest barriers, one text for each kind, in a finding of the file home.
func barrierHelps(ss []span, home string) []string {
	byBarrier := map[string][]string{}
	for _, b := range barriers(ss) {
		byBarrier[b.barrier] = append(byBarrier[b.barrier], b.placed().Between(home))
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(byBarrier)) {
		parts = append(parts, "add "+name+" "+listed(byBarrier[name], ", "))
	}
	return parts
}

// barriers returns the fewest places that lie in every span. Spans that go
// forward in the file are stabbed from the left (the greedy algorithm for
// points in intervals, which is optimal); those of a loop's next pass all
// contain the loop's end; those within one line have a place of their own.
func barriers(ss []span) []span {
	slices.SortStableFunc(ss, func(a, b span) int { return cmp.Or(a.high-b.high, b.low-a.low) })
	var out []span
	var wrap *span
	for _, s := range ss {
		switch {
		case s.early < s.late:
			out = stab(out, s)
		case s.early > s.late:
			wrap = wrapped(wrap, s)
		case !slices.ContainsFunc(out, func(o span) bool { return o.early == s.early && o.late == s.late && o.repair.Next == s.repair.Next }):
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b span) int { return cmp.Or(a.high-b.high, a.low-b.low) })
	if wrap != nil {
		out = append(out, *wrap)
	}
	return out
}

// stab adds a forward span: it narrows the last one that it shares a gap with,
// or is a new one. The barrier just before the end of each is what counts.
func stab(out []span, s span) []span {
	for i := range out {
		if o := &out[i]; o.early < o.late && s.early < o.late && s.late >= o.late {
			o.early = max(o.early, s.early)
			o.barrier = stronger(o.barrier, s.barrier)
			return out
		}
	}
	return append(out, s)
}

func wrapped(w *span, s span) *span {
	if w == nil {
		return &s
	}
	w.early, w.late = max(w.early, s.early), min(w.late, s.late)
	w.barrier = stronger(w.barrier, s.barrier)
	return w
}

// stronger returns the barrier that orders more threads.
func stronger(a, b string) string {
	if a == finding.Syncthreads {
		return a
	}
	return b
}
