package engine

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// group is a block, a cluster or a grid with a barrier in two parts: threads arrive, and
// wait later. All its blocks run on one worker.
type group struct {
	kind trace.Group
	// blocks are those that run, by rank; nil for those that have ended or not begun.
	blocks []*block
	// ahead is how many blocks have not begun.
	ahead int
	// phase counts those of the barrier. failed is set when a block has ended by a
	// fault: the others are given up.
	phase  uint64
	failed bool
}

// member is a block's part in a group and in its barrier.
type member struct {
	*group
	rank int
	// By warp: arrived are lanes that reached the phase that runs, owed those
	// that reached an earlier one and have not waited yet, came all of the last
	// one. since has Warp.Accessed when lanes last arrived, at where they did.
	arrived, owed, came []uint32
	since               []uint64
	at                  []*trace.Site
	// waited is where lanes of a warp waited at an aligned instruction, and have not arrived since. divergent is
	// set when lanes of a warp arrive or wait at two such places, until observers are told.
	waited    []arrivedAt
	divergent *trace.Divergent
	// told are lanes with too few waits of which observers know.
	told    []uint32
	waiting []waiter
	// parked is set if no thread of the block can continue before others arrive.
	parked bool
}

// join makes the block one of a group.
func (m *member) join(b *block, g *group, rank int) {
	n := len(b.warps)
	if m.arrived == nil {
		m.arrived, m.owed, m.came = make([]uint32, n), make([]uint32, n), make([]uint32, n)
		m.told, m.since, m.at = make([]uint32, n), make([]uint64, n), make([]*trace.Site, n)
		m.waited = make([]arrivedAt, n)
	}
	clear(m.arrived)
	clear(m.owed)
	clear(m.told)
	clear(m.waited)
	m.divergent = nil
	m.group, m.rank, m.waiting, m.parked = g, rank, m.waiting[:0], false
	g.blocks[rank] = b
}

// joinGroups begins the block's part in the groups of the kernel. That in a cluster
// begins with the cluster.
func (b *block) joinGroups() {
	for g := range b.groups {
		b.groups[g].group = nil
	}
	if b.r.prog.Groups[trace.BlockGroup] {
		b.groups[trace.BlockGroup].join(b, &group{kind: trace.BlockGroup, blocks: make([]*block, 1)}, 0)
	}
	if b.r.prog.Groups[trace.GridGroup] {
		r := b.r
		if r.grid == nil {
			r.grid = &group{kind: trace.GridGroup, blocks: make([]*block, r.total), ahead: int(r.total)}
		}
		r.grid.ahead--
		b.groups[trace.GridGroup].join(b, r.grid, int(b.env.Block.Index))
	}
}

// leaveGroups is called when the block has ended.
func (b *block) leaveGroups() {
	for g := range b.groups {
		m := &b.groups[g]
		if m.group == nil {
			continue
		}
		m.blocks[m.rank] = nil
		if m.kind == trace.ClusterGroup {
			b.env.Cluster.Blocks[m.rank] = nil
		}
		m.failed = m.failed || b.env.Fault != nil
		if !m.failed {
			m.advance()
		}
	}
}

// abandoned reports whether another block's fault has ended a group of the block.
func (b *block) abandoned() bool {
	return slices.ContainsFunc(b.groups[:], func(m member) bool { return m.group != nil && m.failed })
}

// acrossBlocks reports whether the barrier is more than one of the block: a cluster may be of one
// block, which is so for kernels that are launched without clusters.
func (g *group) acrossBlocks() bool {
	return g.kind == trace.GridGroup || g.kind == trace.ClusterGroup && len(g.blocks) > 1
}

// come is Arrive for the barrier of a group.
func (m *member) come(b *block, w *warp.Warp, a warp.Arrival) (pass bool, value uint32) {
	if a.Bar.Kind == program.BarArrive {
		m.arrive(b, w, a)
		return true, 0
	}
	m.apart(w.Index, &m.waited[w.Index], a)
	m.waiting = append(m.waiting, waiter{w, a})
	b.held++
	if m.allWait(b) {
		m.pass(b, w, a.Mask)
		return true, 0
	}
	return false, 0
}

func (m *member) arrive(b *block, w *warp.Warp, a warp.Arrival) {
	if twice := a.Mask & (m.arrived[w.Index] | m.owed[w.Index]); twice != 0 {
		b.misused(trace.DefectArrivedTwice, a.Bar.Site, w, twice)
		m.told[w.Index] |= twice // one wait more is missing
	}
	if m.arrived[w.Index] == 0 {
		m.since[w.Index] = w.Accessed()
	}
	m.apart(w.Index, &arrivedAt{m.at[w.Index], m.arrived[w.Index]}, a)
	m.waited[w.Index] = arrivedAt{}
	m.since[w.Index]++ // that of the arrival itself
	m.arrived[w.Index] |= a.Mask
	m.at[w.Index] = a.Bar.Site
	if f := b.env.On.Arrived; f != nil {
		f(&trace.Arrival{Site: a.Bar.Site, ID: m.kind.Barrier(m.phase), Warp: w.Index, Mask: a.Mask})
	}
	if f := b.env.On.GroupArrived; f != nil && m.acrossBlocks() {
		f(&trace.GroupSync{Site: a.Bar.Site, Group: m.kind, Warp: w.Index, Mask: a.Mask, Phase: m.phase, Relaxed: a.Bar.Relaxed})
	}
	if w.Live&^m.arrived[w.Index] == 0 {
		m.advance()
	}
}

// apart notes lanes that reach the barrier elsewhere than others of their warp, which did at f: all of a
// warp must execute an aligned instruction.
func (m *member) apart(k int, f *arrivedAt, a warp.Arrival) {
	if !a.Bar.Aligned {
		return
	}
	if f.mask != 0 && f.site != a.Bar.Site && m.divergent == nil {
		m.divergent = &trace.Divergent{Warp: k, Site: f.site, Mask: f.mask, Other: a.Bar.Site, Elsewhere: a.Mask, OtherWarp: k}
	}
	f.site = a.Bar.Site
	f.mask |= a.Mask
}

// advance completes the phase if all threads of the group that have not ended
// have arrived.
func (g *group) advance() {
	any := false
	for _, b := range g.blocks {
		if b == nil {
			continue
		}
		m := &b.groups[g.kind]
		for k, w := range b.warps {
			if w.Live&^m.arrived[k] != 0 {
				return
			}
			any = any || m.arrived[k] != 0
		}
	}
	if !any || g.ahead > 0 {
		return
	}
	g.phase++
	for _, b := range g.blocks {
		if b == nil {
			continue
		}
		m := &b.groups[g.kind]
		copy(m.came, m.arrived)
		for k := range m.arrived {
			m.owed[k] |= m.arrived[k]
		}
		clear(m.arrived)
		if m.allWait(b) {
			m.pass(b, nil, 0)
		}
	}
}

// mayPass reports whether the phase that lanes wait for is complete.
func (m *member) mayPass(q waiter) bool { return q.a.Mask&^m.owed[q.w.Index] == 0 }

// allWait reports whether all threads of the block wait for a phase that is
// complete. The block passes the barrier as a whole then, as it does others.
func (m *member) allWait(b *block) bool {
	n := 0
	for _, q := range m.waiting {
		if !m.mayPass(q) {
			return false
		}
		n += bits.OnesCount32(q.a.Mask)
	}
	for _, w := range b.warps {
		n -= bits.OnesCount32(w.Live)
	}
	return len(m.waiting) > 0 && n == 0
}

// passEarly lets threads pass whose phase is complete while others of the block
// are elsewhere, and perhaps wait for them. It reports whether there are any.
func (b *block) passEarly() bool {
	any := false
	for g := range b.groups {
		m := &b.groups[g]
		if m.group != nil && slices.ContainsFunc(m.waiting, m.mayPass) {
			m.pass(b, nil, 0)
			any = true
		}
	}
	return any
}

// pass lets all waiting threads continue that may; lanes of now are those that
// came just now and need no call for that: others of their warp may wait as well.
func (m *member) pass(b *block, now *warp.Warp, lanes uint32) {
	var stay, pass []waiter
	synced := make([]uint32, len(b.warps))
	full := m.allWait(b)
	for _, q := range m.waiting {
		if !m.mayPass(q) {
			stay = append(stay, q)
			continue
		}
		pass = append(pass, q)
		synced[q.w.Index] |= q.a.Mask
		full = full && q.w.Accessed() == m.since[q.w.Index]
	}
	m.waiting, m.parked = stay, false
	b.held -= len(pass)
	more := false
	for k := range synced {
		m.owed[k] &^= synced[k]
		more = more || m.owed[k]&b.warps[k].Live != 0
	}
	m.report(b, pass, &trace.Barrier{Arrived: m.came, Synced: synced, Full: full, More: more, Divergent: m.divergent})
	m.divergent = nil
	for _, q := range pass {
		if full {
			q.w.NewInterval()
			b.gone[q.w.Index] = q.w.Exist &^ q.w.Live
		}
		if q.w != now || q.a.Mask != lanes {
			q.w.Resume(q.a, 0)
		}
	}
}

// report sends the events of threads that pass the barrier. To the block it is one like
// others if nothing was accessed between arriving and waiting.
func (m *member) report(b *block, pass []waiter, e *trace.Barrier) {
	if f := b.env.On.Barrier; f != nil {
		e.Site, e.ID = pass[len(pass)-1].a.Bar.Site, m.kind.Barrier(m.phase-1)
		f(e)
	}
	if f := b.env.On.GroupPassed; f != nil && m.acrossBlocks() {
		for _, q := range pass {
			f(&trace.GroupSync{Site: q.a.Bar.Site, Group: m.kind, Warp: q.w.Index, Mask: q.a.Mask, Phase: m.phase - 1})
		}
	}
}

// exitedInGroups looks again at the groups' barriers after threads have ended.
func (b *block) exitedInGroups() {
	for g := range b.groups {
		m := &b.groups[g]
		if m.group == nil {
			continue
		}
		m.left(b)
		m.advance()
		if m.allWait(b) {
			m.pass(b, nil, 0)
		}
	}
}

// left reports threads that arrived and have ended without waiting. PTX asks for no
// wait at the barrier of a cluster.
func (m *member) left(b *block) {
	for k, w := range b.warps {
		if gone := (m.arrived[k] | m.owed[k]) &^ (w.Live | m.told[k]); gone != 0 && m.kind != trace.ClusterGroup {
			b.misused(trace.DefectNeverWaited, m.at[k], w, gone)
			m.told[k] |= gone
		}
	}
}

// neverArrived reports whether threads wait that have not arrived.
func (m *member) neverArrived() bool {
	return m.group != nil && slices.ContainsFunc(m.waiting, func(q waiter) bool {
		return q.a.Mask&^(m.arrived[q.w.Index]|m.owed[q.w.Index]) != 0
	})
}

// misused reports lanes that do not arrive and wait in turn.
func (b *block) misused(k trace.DefectKind, s *trace.Site, w *warp.Warp, lanes uint32) {
	if f := b.env.On.Defect; f != nil {
		f(&trace.Defect{Kind: k, Site: s, Warp: w.Index, Mask: lanes, Exist: w.Exist})
	}
}

// awaitsOthers reports whether a block, none of whose threads can continue, waits
// for others of its groups that can.
func (b *block) awaitsOthers() bool {
	any := false
	for g := range b.groups {
		m := &b.groups[g]
		if m.group == nil || len(m.waiting) == 0 {
			continue
		}
		m.parked = true
		any = any || m.ahead > 0 || slices.ContainsFunc(m.blocks, func(o *block) bool { return o != nil && !o.groups[g].parked })
	}
	return any
}

// describe says what the group's barrier waits for, if threads wait there.
func (m *member) describe() []string {
	if m.group == nil || len(m.waiting) == 0 {
		return nil
	}
	came, live := 0, 0
	for _, b := range m.blocks {
		for k := 0; b != nil && k < len(b.warps); k++ {
			came += bits.OnesCount32(b.groups[m.kind].arrived[k])
			live += bits.OnesCount32(b.warps[k].Live)
		}
	}
	of := "of its blocks "
	if m.kind == trace.BlockGroup {
		of = ""
	}
	return []string{fmt.Sprintf("the barrier of the %s waits for all %d threads %sthat have not exited, of which %d arrived", m.kind, live, of, came)}
}
