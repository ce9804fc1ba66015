package warp

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// sync executes a warp-level operation for lanes m of the group. It returns
// false if the lanes wait for others that their member mask names.
func (w *Warp) sync(gi int32, in *program.Instr, m uint32) bool {
	s := &w.Prog.Syncs[in.X]
	if s.Legacy {
		w.perform(s, m, m)
		return true
	}
	for rest := m; rest != 0; {
		want, same := w.memberMask(s, rest)
		w.checkMask(s, same, want)
		if want&w.Live&^same != 0 {
			owed := w.owes(want, same)
			w.park(gi, same, rest&^same)
			g := &w.groups[gi]
			g.state, g.sync, g.want, g.owed, g.since = groupSync, in.X, want, owed, w.Progress-w.exits
			w.suspend(gi)
			w.wakeSync()
			return false
		}
		w.perform(s, same, want)
		rest &^= same
	}
	return true
}

// park leaves only the lanes that wait in the group. Lanes of again become a
// group that executes the step once more, all others one that continues.
func (w *Warp) park(gi int32, wait, again uint32) {
	g := w.groups[gi]
	w.groups[gi].mask = wait
	if wait != g.mask && !w.loose {
		w.loosen(gi)
	}
	if on := g.mask &^ wait &^ again; on != 0 {
		w.spawn(group{pc: g.pc, mask: on, join: g.join, frame: g.frame, split: g.split})
	}
	if again != 0 {
		w.spawn(group{pc: g.pc - 1, mask: again, join: g.join, frame: g.frame, split: g.split})
	}
}

// memberMask returns the mask that the lowest lane of m names and the lanes
// of m that name the same.
func (w *Warp) memberMask(s *program.Sync, m uint32) (want, same uint32) {
	masks := w.V32(s.Mask)
	want = masks[vec.Lowest(m)]
	for r := m; r != 0; r &= r - 1 {
		if l := vec.Lowest(r); masks[l] == want {
			same |= 1 << l
		}
	}
	return want, same
}

// wakeSync completes operations for which all live members have come.
func (w *Warp) wakeSync() {
	if !slices.ContainsFunc(w.groups, func(g group) bool { return g.state == groupSync }) {
		return
	}
	for _, i := range slices.Clone(w.inOrder()) {
		g := &w.groups[i]
		if g.state != groupSync {
			continue
		}
		s := &w.Prog.Syncs[g.sync]
		came := g.mask
		for k := range w.groups {
			h := &w.groups[k]
			if h.state == groupSync && int32(k) != i && h.want == g.want && w.Prog.Syncs[h.sync].Name == s.Name {
				came |= h.mask
			}
		}
		if g.want&w.Live&^came == 0 {
			w.complete(i, s.Name, g.want, came)
		}
	}
}

// complete performs an operation whose lanes wait in several groups, perhaps
// at several places of the same name.
func (w *Warp) complete(first int32, name string, want, came uint32) {
	var in gathered
	in.want = want
	owed := uint32(0)
	for i := range w.groups {
		if h := &w.groups[i]; w.meets(h, name, want) {
			w.gather(&w.Prog.Syncs[h.sync], h.mask, h.saved, &in)
			w.taint.Gather(&w.Prog.Syncs[h.sync], h.mask, len(h.saved) > 0, h.shaded, &in.Exchange)
			if w.Progress-w.exits != h.since { // else the others only computed before they ended, which is as if they had ended at once
				owed |= h.owed
			}
		}
	}
	in.told = w.checkOwed(&w.Prog.Syncs[w.groups[first].sync], want, came, owed)
	for _, i := range w.inOrder() {
		h := &w.groups[i]
		if !w.meets(h, name, want) {
			continue
		}
		s := &w.Prog.Syncs[h.sync]
		w.deliver(s, h.mask, came, want, &in)
		h.state = groupReady
		if k := w.mergeable(i); k >= 0 {
			w.groups[k].mask |= h.mask
			w.endGroup(i)
		} else {
			w.ready = append(w.ready, i)
		}
	}
	w.emitSync(&w.Prog.Syncs[w.groups[first].sync], came)
}

func (w *Warp) meets(g *group, name string, want uint32) bool {
	return g.state == groupSync && g.want == want && w.Prog.Syncs[g.sync].Name == name
}

// gathered holds the operands of all lanes.
type gathered struct {
	a vec.Row64
	// want is the member mask, told the lanes that did not come and of which
	// observers know.
	want, told uint32
	taint.Exchange
}

// perform executes the operation for lanes that came together.
func (w *Warp) perform(s *program.Sync, m, want uint32) {
	if s.Kind != program.SyncWarp {
		in := &w.Env.gathered
		in.want, in.told = want, 0
		w.gather(s, m, nil, in)
		w.taint.ClearExchange(&in.Exchange)
		w.taint.Gather(s, m, false, nil, &in.Exchange)
		w.deliver(s, m, m, want, in)
	}
	w.emitSync(s, m)
}

func (w *Warp) emitSync(s *program.Sync, m uint32) {
	if f := w.Env.On.WarpSync; f != nil && s.Kind == program.SyncWarp {
		f(&trace.WarpSync{Site: s.Site, Warp: w.Index, Mask: m})
	}
}

// gather reads the operands of lanes m. saved are the uniform values of lanes
// that waited while others ran, nil for those that run.
func (w *Warp) gather(s *program.Sync, m uint32, saved []uint64, in *gathered) {
	at := func(slot int32) unsafe.Pointer {
		if len(saved) > 0 && slot < w.Prog.Uniform {
			return unsafe.Pointer(&saved[slot/8])
		}
		return w.Ptr(slot)
	}
	switch s.Kind {
	case program.SyncWarp, program.Elect, program.Converge:
		return
	case program.VoteAll, program.VoteAny, program.VoteUni, program.VoteBallot:
		p := *(*uint32)(at(s.A))
		if s.PredNot {
			p = ^p
		}
		in.Pred = in.Pred&^m | p&m
		return
	}
	a := at(s.A)
	for r := m; r != 0; r &= r - 1 {
		l := vec.Lowest(r) & 31
		if s.Wide {
			in.a[l] = (*vec.Row64)(a)[l]
		} else {
			in.a[l] = uint64((*vec.Row32)(a)[l])
		}
		if s.B != program.NoSlot {
			in.B[l] = (*vec.Row32)(at(s.B))[l]
		}
		if s.C != program.NoSlot {
			in.C[l] = (*vec.Row32)(at(s.C))[l]
		}
	}
}

// deliver computes the results for lanes m of those that came.
func (w *Warp) deliver(s *program.Sync, m, came, want uint32, in *gathered) {
	w.taint.Deliver(s, m, came, &in.Exchange)
	switch s.Kind {
	case program.SyncWarp:
	case program.ShflUp, program.ShflDown, program.ShflBfly, program.ShflIdx:
		w.shuffle(s, m, came, in)
	case program.VoteAll, program.VoteAny, program.VoteUni, program.VoteBallot:
		w.vote(s, m, came, in.Pred&came)
	case program.MatchAny, program.MatchAll:
		w.match(s, m, came, in)
	case program.Redux:
		w.redux(s, m, came, in)
	case program.Elect:
		leader := uint64(vec.Lowest(came))
		for r := m; r != 0; r &= r - 1 {
			l := vec.Lowest(r)
			w.SetLane(s.Dst, alu.W32, l, leader)
			w.SetLane(s.DstPred, alu.Pred, l, vec.Bool64(uint64(l) == leader))
		}
	}
}

// shuffle follows the pseudo-code of PTX ISA, "shfl.sync". The value of a
// source lane that did not come is undefined there, and followed as such; here it is 0,
// so that each run is the same.
func (w *Warp) shuffle(s *program.Sync, m, came uint32, in *gathered) {
	var readers, absent uint32
	var source vec.Row64
	for r := m; r != 0; r &= r - 1 {
		l := vec.Lowest(r)
		j, ok := vec.ShuffleSource(s.Kind, l, in.B[l], in.C[l])
		v := in.a[l]
		switch {
		case ok && came>>j&1 == 0:
			v = 0
			readers, absent, source[l] = readers|1<<l, absent|1<<j, uint64(j)
		case ok:
			v = in.a[j]
		}
		w.SetLane(s.Dst, alu.W32, l, v)
		w.SetLane(s.DstPred, alu.Pred, l, vec.Bool64(ok))
	}
	if readers != 0 {
		w.taint.ShadeAbsent(s, readers, came, w.Exist, &source)
	}
	if absent&^in.told != 0 && !s.Legacy {
		w.defect(trace.DefectAbsent, s, readers, absent, in.want, came)
	}
}

func (w *Warp) vote(s *program.Sync, m, came, pred uint32) {
	var v uint64
	switch s.Kind {
	case program.VoteAll:
		v = vec.Bool64(pred == came)
	case program.VoteAny:
		v = vec.Bool64(pred != 0)
	case program.VoteUni:
		v = vec.Bool64(pred == came || pred == 0)
	case program.VoteBallot:
		v = uint64(pred)
	}
	width := alu.W32
	if s.DstIsPred {
		width = alu.Pred
	}
	for r := m; r != 0; r &= r - 1 {
		w.SetLane(s.Dst, width, vec.Lowest(r), v)
	}
}

func (w *Warp) match(s *program.Sync, m, came uint32, in *gathered) {
	for r := m; r != 0; r &= r - 1 {
		l := vec.Lowest(r)
		var same uint32
		for q := came; q != 0; q &= q - 1 {
			if k := vec.Lowest(q); in.a[k] == in.a[l] {
				same |= 1 << k
			}
		}
		if s.Kind == program.MatchAll {
			all := same == came
			if !all {
				same = 0
			}
			w.SetLane(s.DstPred, alu.Pred, l, vec.Bool64(all))
		}
		w.SetLane(s.Dst, alu.W32, l, uint64(same))
	}
}

func (w *Warp) redux(s *program.Sync, m, came uint32, in *gathered) {
	keep := ^uint64(0)
	if s.Abs {
		keep = 1<<31 - 1
	}
	v := in.a[vec.Lowest(came)] & keep
	if s.Float {
		v, _ = s.Reduce.Fn(v, v, 0, 0) // a NaN becomes the canonical one
	}
	for r := came & (came - 1); r != 0; r &= r - 1 {
		v, _ = s.Reduce.Fn(v, in.a[vec.Lowest(r)]&keep, 0, 0)
	}
	for r := m; r != 0; r &= r - 1 {
		w.SetLane(s.Dst, alu.W32, vec.Lowest(r), v)
	}
}

// SyncStuck returns the lanes of a waiting operation's mask that are not
// there, for reports: the lanes that came and those that are missing.
func (w *Warp) SyncStuck(i int) (came, missing uint32) {
	g := &w.groups[i]
	return g.mask, g.want & w.Live &^ g.mask & bitsBelow(bits.Len32(w.Exist))
}

func bitsBelow(n int) uint32 { return uint32(vec.LowBits(uint(n))) }
