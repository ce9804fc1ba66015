package host

import (
	"crypto/rand"
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Ranks of a communicator of NCCL that are in several programs meet here. Each brings what the operation reads of its
// memory, which is copied, waits until the others have come, and takes what it needs of theirs. To the rules that is
// work of the rank's stream on the rank's own memory; what NCCL's library does with it is its matter
// (internal/shim/libraries/nccl).

// team is the ranks of a communicator.
type team struct {
	id      string
	members []member // by rank
	// open are the operations that a rank has come to and another has not, the oldest first.
	open map[between][]*meeting
}

// member is a rank: p is nil if it has not come yet, left is set if it will take part in nothing any more, and failed if
// that is after a kernel's fault.
type member struct {
	p      *process
	left   protocol.RankAbsence
	failed bool
}

// between is who meets: a sender and a receiver, or all ranks.
type between struct{ from, to uint32 }

var allRanks = between{^uint32(0), ^uint32(0)}

// meeting is one operation.
type meeting struct {
	number uint64
	team   *team
	who    between
	slots  []slot
	// over is closed when all have come, or one of the absent never will.
	over    chan struct{}
	absence protocol.RankAbsence
	absent  uint64
	// broken is set if a rank cannot do its part.
	broken bool
}

// slot is what a rank has brought to a meeting: p is nil while it has not come. done is set if it needs nothing more.
type slot struct {
	p       *process
	call    []byte
	brought *deposit
	done    bool
}

// rankOf is the rank of a slot.
func (m *meeting) rankOf(slot int) uint32 {
	switch {
	case m.who == allRanks:
		return uint32(slot)
	case slot == 0:
		return m.who.from
	}
	return m.who.to
}

func (m *meeting) isOver() bool {
	select {
	case <-m.over:
		return true
	default:
		return false
	}
}

// end closes a meeting to which all have come, or the absent never will.
func (m *meeting) end(why protocol.RankAbsence, absent uint64) {
	m.absence, m.absent = why, absent
	close(m.over)
	m.team.open[m.who] = slices.DeleteFunc(m.team.open[m.who], func(x *meeting) bool { return x == m })
}

// missing are the slots whose ranks have not come.
func (m *meeting) missing() (slots uint64) {
	for i := range m.slots {
		if m.slots[i].p == nil {
			slots |= 1 << i
		}
	}
	return slots
}

// settle ends a meeting if that is due: all have come, or some will not. Of these, ranks whose processes have ended may
// be why others have left; what follows from a kernel's fault is not told as an absence.
func (m *meeting) settle() {
	if m.missing() == 0 {
		m.end(protocol.RanksCame, 0)
		return
	}
	var left, ended, failed uint64
	for i := range m.slots {
		switch r := &m.team.members[m.rankOf(i)]; {
		case m.slots[i].p != nil || r.left == protocol.RanksCame:
		case r.failed:
			failed |= 1 << i
		case r.left == protocol.RankEnded:
			ended |= 1 << i
		default:
			left |= 1 << i
		}
	}
	switch {
	case failed != 0:
		m.broken = true
		m.end(protocol.RanksCame, 0)
	case ended != 0:
		m.end(protocol.RankEnded, ended)
	case left != 0:
		m.end(protocol.RankLeft, left)
	}
}

// deposit is bytes of a rank's memory: which of them were never written, and which values are undefined, where that
// goes with them.
type deposit struct {
	data  []byte
	gaps  []trace.Range
	taint *mem.Taint
}

// add copies n bytes of an allocation.
func (d *deposit) add(a *mem.Arena, al *mem.Allocation, addr, n uint64, state bool) {
	at := uint64(len(d.data))
	d.data = append(d.data, a.Bytes(addr, n)...)
	if !state {
		return
	}
	if w := al.Written; w != nil && !w.Full() {
		w.EachGap(addr-al.Base, n, func(start, length uint64) bool {
			d.gaps = append(d.gaps, trace.Range{Addr: at + start - (addr - al.Base), N: length})
			return true
		})
	}
	if al.Taint != nil && al.Taint.Any() {
		d.taint = mem.NewTaint(at + n)
		d.taint.Copy(at, al.Taint, addr-al.Base, n)
	}
}

// give copies n bytes from an offset on into an allocation.
func (d *deposit) give(a *mem.Arena, al *mem.Allocation, addr, from, n uint64) {
	copy(a.Bytes(addr, n), d.data[from:from+n])
	at, end := addr-al.Base, from+n
	if w := al.Written; w != nil {
		next := from
		for _, g := range d.gaps {
			if lo := min(max(g.Addr, from), end); lo > next {
				w.Mark(at+next-from, lo-next)
			}
			next = min(max(next, g.Addr+g.N), end)
		}
		if end > next {
			w.Mark(at+next-from, end-next)
		}
	}
	if al.Taint != nil {
		al.Taint.Copy(at, d.taint, from, n)
		if al.Taint.Any() {
			a.Tainted()
		}
	}
}

// maxIDs bounds how many identifiers a run has.
const maxIDs = 1 << 16

func (p *process) doID(_ *request, _ *protocol.RanksID, r *reply, out *protocol.RanksIDReply) {
	var id [16]byte
	if len(p.s.teams) == maxIDs {
		r.code = ErrorMemoryAllocation
		return
	}
	_, _ = rand.Read(id[:]) // never fails
	out.ID = string(id[:])
	p.s.teams[out.ID] = nil
}

func (p *process) doJoin(q *request, in *protocol.RanksJoin, _ *reply, out *protocol.RanksJoinReply) {
	t, known := p.s.teams[in.ID]
	switch {
	case in.Rank >= in.Size:
		q.bad = true
		return
	case !known:
		out.Problem = protocol.RankUnknownID
		return
	case t == nil:
		t = &team{id: in.ID, members: make([]member, in.Size), open: map[between][]*meeting{}}
		p.s.teams[in.ID] = t
		p.s.teamsByNumber = append(p.s.teamsByNumber, t)
	}
	out.Team, out.Size = uint32(slices.Index(p.s.teamsByNumber, t)), uint32(len(t.members))
	switch {
	case out.Size != in.Size:
		out.Problem = protocol.RankOtherSize
	case t.members[in.Rank].p != nil:
		out.Problem = protocol.RankTaken
	default:
		t.members[in.Rank].p = p
	}
}

// member finds the team of a rank of this program.
func (p *process) member(q *request, number, rank uint32) *team {
	if int64(number) < int64(len(p.s.teamsByNumber)) {
		if t := p.s.teamsByNumber[number]; t != nil && int64(rank) < int64(len(t.members)) && t.members[rank].p == p {
			return t
		}
	}
	q.bad = true
	return nil
}

func (p *process) doLeave(q *request, in *protocol.RanksLeave, _ *reply) {
	if t := p.member(q, in.Team, in.Rank); t != nil {
		p.s.leaves(t, in.Rank, protocol.RankLeft)
	}
}

// leaves lets a rank take part in nothing any more. The team is gone with the last one that has come.
func (s *Server) leaves(t *team, rank uint32, why protocol.RankAbsence) {
	if t.members[rank].left != protocol.RanksCame {
		return
	}
	t.members[rank].left, t.members[rank].failed = why, t.members[rank].p.sticky != Success
	for who, list := range t.open {
		if who != allRanks && who.from != rank && who.to != rank {
			continue
		}
		for _, m := range slices.Clone(list) {
			if m.settle(); !m.isOver() && why == protocol.RankLeft {
				m.end(why, 0) // it has come, and another of its threads waits
			}
		}
	}
	if !slices.ContainsFunc(t.members, func(m member) bool { return m.p != nil && m.left == protocol.RanksCame }) {
		s.teams[t.id] = nil
		s.teamsByNumber[slices.Index(s.teamsByNumber, t)] = nil
	}
}

// end lets all ranks of a program leave that has ended.
func (p *process) endRank() {
	for _, t := range p.s.teamsByNumber {
		for rank := 0; t != nil && rank < len(t.members); rank++ {
			if t.members[rank].p == p {
				p.s.leaves(t, uint32(rank), protocol.RankEnded)
			}
		}
	}
	for _, m := range p.s.meetings {
		for i := range m.slots {
			if m.slots[i].p == p {
				m.slots[i].done = true
			}
		}
		p.s.forgetMeeting(m)
	}
}

// forgetMeeting forgets a meeting that no rank needs any more.
func (s *Server) forgetMeeting(m *meeting) {
	if !m.isOver() || slices.ContainsFunc(m.slots, func(x slot) bool { return x.p != nil && !x.done }) {
		return
	}
	for i := range m.slots {
		if d := m.slots[i].brought; d != nil {
			s.brought -= uint64(len(d.data))
		}
	}
	delete(s.meetings, m.number)
}

func (p *process) doPost(q *request, in *protocol.RanksPost, r *reply, out *protocol.RanksPostReply) {
	t := p.member(q, in.Team, in.Rank)
	if t == nil {
		return
	}
	who, slots, at := allRanks, len(t.members), in.Rank
	if in.Way != protocol.RanksAll {
		if int64(in.Peer) >= int64(len(t.members)) {
			q.bad = true
			return
		}
		who, slots, at = between{in.Rank, in.Peer}, 2, 0
		if in.Way == protocol.RankReceives {
			who, at = between{in.Peer, in.Rank}, 1
		}
	}
	var brought *deposit
	if !in.Broken {
		brought = p.bring(q, r, in)
	}
	if q.bad {
		return
	}
	if t.members[in.Rank].left != protocol.RanksCame { // another thread has ended it in the meantime
		r.code = ErrorInvalidResourceHandle
		return
	}
	i := slices.IndexFunc(t.open[who], func(m *meeting) bool { return m.slots[at].p == nil })
	var m *meeting
	if i >= 0 {
		m = t.open[who][i]
	} else {
		p.s.lastMeeting++
		m = &meeting{number: p.s.lastMeeting, team: t, who: who, slots: make([]slot, slots), over: make(chan struct{})}
		p.s.meetings[m.number] = m
		t.open[who] = append(t.open[who], m)
	}
	m.slots[at] = slot{p: p, call: in.Call, brought: brought}
	if brought == nil {
		m.broken = true
	} else {
		p.s.brought += uint64(len(brought.data))
	}
	m.settle()
	out.Meeting = m.number
}

// bring copies what an operation reads of a rank's memory, when that is its turn in the stream; nil if it cannot.
func (p *process) bring(q *request, r *reply, in *protocol.RanksPost) *deposit {
	d, id, total := &deposit{}, uint64(in.Stream), uint64(0)
	if r.code = p.sticky; r.code != Success || !p.checkStream(q, r, id) {
		return nil
	}
	for _, e := range in.Reads {
		if q.bad = e.Hi <= e.Lo; q.bad {
			return nil
		}
		q.ends = [2]uint64{0, e.Lo}
		if _, ok := p.checkBox(q, r, "source", bytesAt(e.Lo, e.Hi-e.Lo), deviceMemory, q.call); !ok {
			return nil
		}
		total += e.Hi - e.Lo
	}
	if total > p.s.deviceLimit()-min(p.s.brought, p.s.deviceLimit()) {
		r.code = ErrorMemoryAllocation
		return nil
	}
	if total == 0 {
		return d
	}
	if !p.reach(q, r, id) {
		return nil
	}
	p.tell(q, id, p.ranges(q, in.Reads), nil, in.Moves)
	d.data = make([]byte, 0, total)
	for _, e := range in.Reads {
		al := p.s.cfg.Arena.Find(e.Lo)
		if al == nil || e.Hi > al.End() { // another thread has freed it
			r.code = ErrorInvalidValue
			return nil
		}
		d.add(p.s.cfg.Arena, al, e.Lo, e.Hi-e.Lo, in.Moves)
	}
	return d
}

func bytesAt(addr, n uint64) Box { return Box{Addr: addr, Width: n, Height: 1, Depth: 1} }

// reach waits until all work before in a stream has run.
func (p *process) reach(q *request, r *reply, id uint64) bool {
	p.await(q, p.before(p.laneOf(q, id), p.apart(id)))
	r.code = p.sticky
	return r.code == Success
}

// tell reports what an operation reads or writes as work of a stream.
func (p *process) tell(q *request, id uint64, reads, writes []trace.Range, moves bool) {
	p.s.enqueued++
	if f := p.s.cfg.Hooks.Operator; f != nil {
		f(&Operator{Call: q.call, Where: p.where(q), Device: p.deviceOf(q, id), Stream: streamName(id), Reads: reads, Writes: writes,
			Moves: moves, Library: true})
	}
}

// meeting finds one that this program takes part in.
func (p *process) meeting(q *request, number uint64) *meeting {
	m := p.s.meetings[number]
	if m == nil || !slices.ContainsFunc(m.slots, func(x slot) bool { return x.p == p }) {
		q.bad = true
		return nil
	}
	return m
}

// meetingTick is how often a rank that waits looks whether anything happens.
const meetingTick = 100 * time.Millisecond

func (p *process) doAwait(q *request, in *protocol.RanksAwait, r *reply, out *protocol.RanksAwaitReply) {
	m := p.meeting(q, in.Meeting)
	if m == nil {
		return
	}
	if !m.isOver() {
		p.awaitRank(q, m)
	}
	if !m.isOver() { // the program is gone
		r.code = ErrorUnknown
		return
	}
	out.Absence, out.Absent, out.Broken, out.Quiet = m.absence, m.absent, m.broken, p.s.cfg.Patience.String()
	for i := range m.slots {
		s := &m.slots[i]
		out.Calls = append(out.Calls, s.call)
		pid := uint64(0)
		if s.p != nil {
			pid = uint64(s.p.pid)
		}
		out.Processes = append(out.Processes, pid)
	}
}

// await waits until a meeting is over, which it is made when all programs have done nothing for long.
func (p *process) awaitRank(q *request, m *meeting) {
	defer whileConnected(q.conn, p.gone)()
	s, lived := p.s, p.lives
	s.underway--
	defer func() { s.underway++ }()
	var still stillness
	starter := s.starter
	for !m.isOver() && p.ctx.Err() == nil && p.lives == lived {
		s.apart(func() {
			select {
			case <-m.over:
			case <-p.ctx.Done():
			case <-time.After(meetingTick):
				still.look(starter)
			}
		})
		if !m.isOver() && still.lasts(s) >= s.cfg.Patience {
			m.end(protocol.RankQuiet, m.missing())
		}
	}
}

func (p *process) doTake(q *request, in *protocol.RanksTake, r *reply) {
	m := p.meeting(q, in.Meeting)
	if m == nil {
		return
	}
	if q.bad = !m.isOver() || m.absence != protocol.RanksCame || int64(in.Slot) >= int64(len(m.slots)); q.bad {
		return
	}
	d, id, addr := m.slots[in.Slot].brought, uint64(in.Stream), uint64(in.Dst)
	if q.bad = d == nil || in.Offset > uint64(len(d.data)) || in.Bytes > uint64(len(d.data))-in.Offset; q.bad || in.Bytes == 0 {
		return
	}
	q.ends = [2]uint64{addr}
	if !p.checkStream(q, r, id) {
		return
	}
	if _, ok := p.checkBox(q, r, "destination", bytesAt(addr, in.Bytes), deviceMemory, q.call); !ok || !p.reach(q, r, id) {
		return
	}
	al := p.s.cfg.Arena.Find(addr)
	if al == nil || in.Bytes > al.End()-addr { // another thread has freed it
		r.code = ErrorInvalidValue
		return
	}
	p.tell(q, id, nil, []trace.Range{{Addr: addr, N: in.Bytes}}, true)
	d.give(p.s.cfg.Arena, al, addr, in.Offset, in.Bytes)
	p.changes++ // parked work may wait for what was written
}

func (p *process) doDone(q *request, in *protocol.RanksDone, _ *reply) {
	m := p.meeting(q, in.Meeting)
	if m == nil {
		return
	}
	i := slices.IndexFunc(m.slots, func(x slot) bool { return x.p == p && !x.done })
	if i >= 0 {
		m.slots[i].done = true
	}
	p.s.forgetMeeting(m)
}
