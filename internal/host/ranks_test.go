package host

import (
	"bytes"
	"errors"
	"io"
	"net"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// pairOfRanks are two programs, each with a rank of a communicator and memory of 256 bytes.
type pairOfRanks struct {
	*victim
	conns [2]net.Conn
	at    [2]uint64
	id    string
	team  uint32
}

func newRanks(t *testing.T) *pairOfRanks {
	t.Helper()
	r := &pairOfRanks{victim: newVictim(t)}
	r.server.cfg.Arena.TrackWrites()
	r.conns = [2]net.Conn{r.conn, r.connect(t, 2)}
	var id protocol.RanksIDReply
	r.by(t, 0, protocol.RanksID{}, &id, Success)
	r.id = id.ID
	for rank := range r.conns {
		var joined protocol.RanksJoinReply
		var memory protocol.AllocReply
		r.by(t, rank, protocol.RanksJoin{ID: id.ID, Size: 2, Rank: uint32(rank)}, &joined, Success)
		r.by(t, rank, protocol.Alloc{Size: 256}, &memory, Success)
		if joined.Problem != protocol.RankFits {
			t.Fatalf("rank %d: %+v", rank, joined)
		}
		r.team, r.at[rank] = joined.Team, uint64(memory.Address)
	}
	return r
}

// by sends a request of a rank and fails unless it is answered with want.
func (r *pairOfRanks) by(t *testing.T, rank int, message, reply any, want Code) {
	t.Helper()
	if code, err := send(r.conns[rank], message, reply); code != want || err != nil {
		t.Fatalf("rank %d, %+v: %v, %v", rank, message, code, err)
	}
}

// part is n bytes of a rank's memory.
func (r *pairOfRanks) part(rank int, n uint64) []protocol.Extent {
	return []protocol.Extent{{Lo: r.at[rank], Hi: r.at[rank] + n}}
}

// post brings a rank to an operation, with n bytes.
func (r *pairOfRanks) post(t *testing.T, rank int, n uint64, moves bool) uint64 {
	t.Helper()
	m := protocol.RanksPost{Team: r.team, Rank: uint32(rank), Call: []byte{byte(rank)}, Moves: moves}
	if n > 0 {
		m.Reads = r.part(rank, n)
	}
	var reply protocol.RanksPostReply
	r.by(t, rank, m, &reply, Success)
	return reply.Meeting
}

func (r *pairOfRanks) await(t *testing.T, rank int, meeting uint64) (out protocol.RanksAwaitReply) {
	t.Helper()
	r.by(t, rank, protocol.RanksAwait{Meeting: meeting}, &out, Success)
	return out
}

// TestRanks brings two ranks together, which exchange memory of which a part is written.
func TestRanks(t *testing.T) {
	r := newRanks(t)
	arena := r.server.cfg.Arena
	var reports []*trace.CopiedUnwritten
	var transfers []*trace.Transfer
	on := &trace.Observer{CopiedUnwritten: func(e *trace.CopiedUnwritten) { reports = append(reports, e) },
		Transfer: func(e *trace.Transfer) { transfers = append(transfers, e) }}
	r.server.cfg.Hooks = observed(on, arena, r.server.cfg.Hooks)
	r.by(t, 0, protocol.Set{Dst: protocol.Pointer(r.at[0] + 16), Pattern: []byte{7}, Width: 100, Height: 1, Depth: 1}, nil, Success)
	transfers = nil
	first, second := r.post(t, 0, 256, true), r.post(t, 1, 0, true)
	for rank, m := range []uint64{first, second} {
		out := r.await(t, rank, m)
		if first != second || out.Absence != protocol.RanksCame || out.Broken || len(out.Processes) != 2 || !reflect.DeepEqual(out.Calls, [][]byte{{0}, {1}}) {
			t.Errorf("rank %d: %+v", rank, out)
		}
	}
	r.by(t, 1, protocol.RanksTake{Meeting: first, Offset: 8, Bytes: 200, Dst: protocol.Pointer(r.at[1] + 8)}, nil, Success)
	if got := arena.Bytes(r.at[1], 256); !bytes.Equal(got, arena.Bytes(r.at[0], 256)) {
		t.Errorf("%d", got)
	}
	if from, n, total := arena.Find(r.at[1]).Written.Gap(0, 256); from != 0 || n != 16 || total != 156 {
		t.Errorf("%d bytes from %d of %d are not written, want 16 from 0 of 156", n, from, total)
	}
	if len(reports) != 0 || len(transfers) != 2 || len(transfers[0].Reads) != 1 || len(transfers[1].Writes) != 1 || transfers[1].Waits {
		t.Errorf("%+v, %+v", reports, transfers)
	}
	for rank := range r.conns {
		r.by(t, rank, protocol.RanksDone{Meeting: first}, nil, Success)
	}
	// An operation that computes with the bytes.
	third := r.post(t, 0, 256, false)
	r.post(t, 1, 0, false)
	if len(reports) != 1 || !reports[0].Computed || reports[0].Total != 156 || reports[0].Memory.Base != r.at[0] {
		t.Errorf("%+v", reports)
	}
	r.by(t, 1, protocol.RanksTake{Meeting: third, Bytes: 256, Dst: protocol.Pointer(r.at[1])}, nil, Success)
	if !arena.Find(r.at[1]).Written.Has(0, 256) {
		t.Error("the result is not written")
	}
	for rank := range r.conns {
		r.by(t, rank, protocol.RanksDone{Meeting: third}, nil, Success)
	}
	if len(r.server.meetings) != 0 || r.server.brought != 0 {
		t.Errorf("%d operations are left, with %d bytes", len(r.server.meetings), r.server.brought)
	}
}

// TestRanksInOrder brings ranks to several operations, some of them of pairs, each in an order of its own.
func TestRanksInOrder(t *testing.T) {
	r := newRanks(t)
	post := func(rank int, way protocol.RankWay, peer uint32) uint64 {
		var reply protocol.RanksPostReply
		r.by(t, rank, protocol.RanksPost{Team: r.team, Rank: uint32(rank), Way: way, Peer: peer}, &reply, Success)
		return reply.Meeting
	}
	of0 := []uint64{post(0, protocol.RanksAll, 0), post(0, protocol.RankSends, 1), post(0, protocol.RankSends, 1), post(0, protocol.RanksAll, 0), post(0, protocol.RankReceives, 1)}
	of1 := []uint64{post(1, protocol.RankReceives, 0), post(1, protocol.RanksAll, 0), post(1, protocol.RankSends, 0), post(1, protocol.RanksAll, 0), post(1, protocol.RankReceives, 0)}
	if want := []uint64{of0[1], of0[0], of0[4], of0[3], of0[2]}; !slices.Equal(of1, want) {
		t.Errorf("%d meets %d", of1, of0)
	}
	own := []uint64{post(0, protocol.RankReceives, 0), post(0, protocol.RankSends, 0)} // to itself
	if own[0] != own[1] {
		t.Errorf("a rank's own message: %d", own)
	}
}

// TestRankAbsent lets a rank wait for one that does not come.
func TestRankAbsent(t *testing.T) {
	for name, c := range map[string]struct {
		does func(t *testing.T, r *pairOfRanks)
		want protocol.RankAbsence
	}{
		"nothing": {func(*testing.T, *pairOfRanks) {}, protocol.RankQuiet},
		"leaves": {func(t *testing.T, r *pairOfRanks) {
			r.by(t, 1, protocol.RanksLeave{Team: r.team, Rank: 1}, nil, Success)
		}, protocol.RankLeft},
		"ends": {func(_ *testing.T, r *pairOfRanks) { r.conns[1].Close() }, protocol.RankEnded},
	} {
		for _, early := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				r := newRanks(t)
				if c.want == protocol.RankQuiet {
					r.server.cfg.Patience = 300 * time.Millisecond
				}
				if early {
					c.does(t, r)
					if c.want == protocol.RankEnded && !eventually(func() bool { return r.programs() == 1 }) {
						t.Fatal("the program has not ended")
					}
				}
				meeting := r.post(t, 0, 0, true)
				done := make(chan bool)
				time.AfterFunc(50*time.Millisecond, func() {
					if !early {
						c.does(t, r)
					}
					close(done)
				})
				defer func() { <-done }()
				out := r.await(t, 0, meeting)
				if out.Absence != c.want || out.Absent != 2 {
					t.Errorf("%+v", out)
				}
				r.by(t, 0, protocol.RanksDone{Meeting: meeting}, nil, Success)
				if len(r.server.meetings) != 0 {
					t.Error("the operation is left")
				}
			})
		}
	}
}

// TestRankLeavesWhileItWaits ends a communicator in another thread of the program.
func TestRankLeavesWhileItWaits(t *testing.T) {
	r := newRanks(t)
	meeting := r.post(t, 0, 0, true)
	other := r.again(t)
	done := make(chan bool)
	time.AfterFunc(50*time.Millisecond, func() {
		_, _ = send(other, protocol.RanksLeave{Team: r.team}, nil)
		close(done)
	})
	defer func() { <-done }()
	if out := r.await(t, 0, meeting); out.Absence != protocol.RankLeft || out.Absent != 0 {
		t.Errorf("%+v", out)
	}
}

// TestRankEndsWhileItWaits ends a program of which a thread waits, and its data stays for the other rank.
func TestRankEndsWhileItWaits(t *testing.T) {
	r := newRanks(t)
	meeting := r.post(t, 1, 256, true)
	if _, err := r.conns[1].Write(frame(protocol.OpOf(reflect.TypeFor[protocol.RanksAwait]()), protocol.Encode(nil, protocol.RanksAwait{Meeting: meeting}))); err != nil {
		t.Fatal(err)
	}
	r.conns[1].Close()
	if !eventually(func() bool { return r.programs() == 1 }) {
		t.Fatal("the program has not ended")
	}
	if got := r.post(t, 0, 0, true); got != meeting {
		t.Fatalf("operation %d, not %d", got, meeting)
	}
	if out := r.await(t, 0, meeting); out.Absence != protocol.RanksCame {
		t.Errorf("%+v", out)
	}
	r.by(t, 0, protocol.RanksTake{Meeting: meeting, Slot: 1, Bytes: 256, Dst: protocol.Pointer(r.at[0])}, nil, Success)
	r.by(t, 0, protocol.RanksDone{Meeting: meeting}, nil, Success)
	if len(r.server.meetings) != 0 || r.server.brought != 0 {
		t.Error("the operation is left")
	}
}

// TestRankThatCannot brings ranks that cannot do their part: the others hear of it.
func TestRankThatCannot(t *testing.T) {
	for name, c := range map[string]struct {
		message func(r *pairOfRanks) protocol.RanksPost
		want    Code
	}{
		"outside": {func(r *pairOfRanks) protocol.RanksPost {
			return protocol.RanksPost{Reads: []protocol.Extent{{Lo: r.at[0], Hi: r.at[0] + 257}}}
		}, ErrorInvalidValue},
		"huge": {func(r *pairOfRanks) protocol.RanksPost {
			return protocol.RanksPost{Reads: []protocol.Extent{{Lo: r.at[0], Hi: ^uint64(0)}}}
		}, ErrorInvalidValue},
		"memory of the host": {func(*pairOfRanks) protocol.RanksPost {
			return protocol.RanksPost{Reads: []protocol.Extent{{Lo: 0x1000, Hi: 0x1100}}}
		}, ErrorInvalidValue},
		"no stream": {func(r *pairOfRanks) protocol.RanksPost {
			return protocol.RanksPost{Stream: 0x5555550, Reads: r.part(0, 256)}
		}, ErrorInvalidResourceHandle},
		"an error before": {func(r *pairOfRanks) protocol.RanksPost {
			return protocol.RanksPost{Broken: true, Reads: r.part(0, 257)}
		}, Success},
		"too much in all": {func(r *pairOfRanks) protocol.RanksPost {
			r.server.brought = r.server.deviceLimit() - 255
			return protocol.RanksPost{Reads: r.part(0, 256)}
		}, ErrorMemoryAllocation},
		"after a fault": {func(r *pairOfRanks) protocol.RanksPost {
			r.server.programs[1].sticky = ErrorIllegalAddress
			return protocol.RanksPost{Reads: r.part(0, 256)}
		}, ErrorIllegalAddress},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRanks(t)
			message := c.message(r)
			message.Team = r.team
			var reply protocol.RanksPostReply
			r.by(t, 0, message, &reply, c.want)
			r.server.brought = 0
			if got := r.post(t, 1, 256, true); got != reply.Meeting {
				t.Fatalf("operation %d, not %d", got, reply.Meeting)
			}
			if out := r.await(t, 1, reply.Meeting); !out.Broken || out.Absence != protocol.RanksCame {
				t.Errorf("%+v", out)
			}
		})
	}
}

// TestRankFailsAndLeaves ends a rank whose kernel has failed: the other one hears that it cannot do its part, not that it
// does not come.
func TestRankFailsAndLeaves(t *testing.T) {
	r := newRanks(t)
	first := r.post(t, 0, 0, true)
	r.server.enter()
	r.server.programs[2].sticky = ErrorIllegalAddress
	r.server.leave()
	r.by(t, 1, protocol.RanksLeave{Team: r.team, Rank: 1}, nil, Success)
	for _, m := range []uint64{first, r.post(t, 0, 0, true)} {
		if out := r.await(t, 0, m); !out.Broken || out.Absence != protocol.RanksCame {
			t.Errorf("%+v", out)
		}
	}
}

// TestRanksLeaveAndEnd ends a rank of three, whereupon another leaves: the one that ended is the reason.
func TestRanksLeaveAndEnd(t *testing.T) {
	r := newRanks(t)
	var id protocol.RanksIDReply
	r.by(t, 0, protocol.RanksID{}, &id, Success)
	conns := [3]net.Conn{r.conns[0], r.conns[1], r.connect(t, 3)}
	var joined protocol.RanksJoinReply
	for rank, c := range conns {
		if _, err := send(c, protocol.RanksJoin{ID: id.ID, Size: 3, Rank: uint32(rank)}, &joined); err != nil {
			t.Fatal(err)
		}
	}
	conns[1].Close()
	if !eventually(func() bool { return r.programs() == 2 }) {
		t.Fatal("the program has not ended")
	}
	if _, err := send(conns[2], protocol.RanksLeave{Team: joined.Team, Rank: 2}, nil); err != nil {
		t.Fatal(err)
	}
	var reply protocol.RanksPostReply
	r.by(t, 0, protocol.RanksPost{Team: joined.Team}, &reply, Success)
	if out := r.await(t, 0, reply.Meeting); out.Absence != protocol.RankEnded || out.Absent != 2 {
		t.Errorf("%+v", out)
	}
}

// TestRanksJoin gives identifiers and sizes that do not fit.
func TestRanksJoin(t *testing.T) {
	r := newRanks(t)
	for _, c := range []struct {
		join protocol.RanksJoin
		want protocol.RankProblem
	}{
		{protocol.RanksJoin{ID: "guess", Size: 2}, protocol.RankUnknownID},
		{protocol.RanksJoin{ID: r.id, Size: 3, Rank: 2}, protocol.RankOtherSize},
		{protocol.RanksJoin{ID: r.id, Size: 2, Rank: 1}, protocol.RankTaken},
	} {
		var out protocol.RanksJoinReply
		r.by(t, 0, c.join, &out, Success)
		if out.Problem != c.want {
			t.Errorf("%+v: %+v", c.join, out)
		}
	}
	for rank := range r.conns {
		r.by(t, rank, protocol.RanksLeave{Team: r.team, Rank: uint32(rank)}, nil, Success)
	}
	var out protocol.RanksJoinReply // the identifier can be used again
	r.by(t, 0, protocol.RanksJoin{ID: r.id, Size: 3, Rank: 2}, &out, Success)
	if out.Problem != protocol.RankFits || out.Team == r.team {
		t.Errorf("%+v", out)
	}
}

// TestRankAttacks sends what the runtime library does not: the connection ends, and no memory has changed.
func TestRankAttacks(t *testing.T) {
	for name, attack := range map[string]func(r *pairOfRanks, over, open uint64) any{
		"a rank that there is not": func(r *pairOfRanks, _, _ uint64) any { return protocol.RanksJoin{ID: r.id, Size: 2, Rank: 2} },
		"no ranks":                 func(r *pairOfRanks, _, _ uint64) any { return protocol.RanksJoin{ID: r.id} },
		"too many ranks":           func(r *pairOfRanks, _, _ uint64) any { return protocol.RanksJoin{ID: r.id, Size: 65} },
		"another's rank":           func(r *pairOfRanks, _, _ uint64) any { return protocol.RanksPost{Team: r.team, Rank: 0} },
		"another's end":            func(r *pairOfRanks, _, _ uint64) any { return protocol.RanksLeave{Team: r.team, Rank: 0} },
		"no team":                  func(r *pairOfRanks, _, _ uint64) any { return protocol.RanksPost{Team: ^uint32(0), Rank: 1} },
		"a huge rank":              func(r *pairOfRanks, _, _ uint64) any { return protocol.RanksPost{Team: r.team, Rank: ^uint32(0)} },
		"a peer that there is not": func(r *pairOfRanks, _, _ uint64) any {
			return protocol.RanksPost{Team: r.team, Rank: 1, Way: protocol.RankSends, Peer: 2}
		},
		"bytes that end before they begin": func(r *pairOfRanks, _, _ uint64) any {
			return protocol.RanksPost{Team: r.team, Rank: 1, Reads: []protocol.Extent{{Lo: r.at[1] + 8, Hi: r.at[1]}}}
		},
		"too many parts": func(r *pairOfRanks, _, _ uint64) any {
			return protocol.RanksPost{Team: r.team, Rank: 1, Reads: slices.Repeat(r.part(1, 8), 3)}
		},
		"a long call": func(r *pairOfRanks, _, _ uint64) any {
			return protocol.RanksPost{Team: r.team, Rank: 1, Call: make([]byte, 129)}
		},
		"another's wait":   func(_ *pairOfRanks, _, open uint64) any { return protocol.RanksAwait{Meeting: open} },
		"another's end of": func(_ *pairOfRanks, _, open uint64) any { return protocol.RanksDone{Meeting: open} },
		"bytes too early": func(r *pairOfRanks, _, open uint64) any {
			return protocol.RanksTake{Meeting: open, Bytes: 8, Dst: protocol.Pointer(r.at[1])}
		},
		"bytes of no rank": func(r *pairOfRanks, over, _ uint64) any {
			return protocol.RanksTake{Meeting: over, Slot: 2, Bytes: 8, Dst: protocol.Pointer(r.at[1])}
		},
		"more bytes than there are": func(r *pairOfRanks, over, _ uint64) any {
			return protocol.RanksTake{Meeting: over, Offset: 250, Bytes: 7, Dst: protocol.Pointer(r.at[1])}
		},
		"bytes behind them": func(r *pairOfRanks, over, _ uint64) any {
			return protocol.RanksTake{Meeting: over, Offset: ^uint64(0), Bytes: 2, Dst: protocol.Pointer(r.at[1])}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRanks(t)
			over := r.post(t, 0, 256, true)
			r.post(t, 1, 0, true)
			open := r.post(t, 0, 256, true)
			if code, err := send(r.conns[1], attack(r, over, open), nil); !errors.Is(err, io.EOF) {
				t.Errorf("%v, %v", code, err)
			}
			if a := r.server.cfg.Arena; !bytes.Equal(a.Bytes(r.other.Base, 4), []byte("mine")) {
				t.Error("memory has changed")
			}
		})
	}
	r := newRanks(t) // what a program may try
	over := r.post(t, 0, 256, true)
	r.post(t, 1, 0, true)
	for _, to := range []uint64{0, 0x1000, r.at[1] + 1, mem.ArenaBase - 1, ^uint64(0)} {
		r.by(t, 1, protocol.RanksTake{Meeting: over, Bytes: 256, Dst: protocol.Pointer(to)}, nil, ErrorInvalidValue)
	}
}

// TestProcessorTime counts the time of what a process has started.
func TestProcessorTime(t *testing.T) {
	if got := processorTime(1 << 30); got != 0 {
		t.Errorf("%v of a process that there is not", got)
	}
	var st stillness
	s := &Server{}
	st.look(0)
	st.lasts(s)
	st.lasts(s) // that is, since the first look
	time.Sleep(20 * time.Millisecond)
	if got := st.lasts(s); got < 20*time.Millisecond {
		t.Errorf("still for %v", got)
	}
	st.look(0)
	s.handled++
	if got := st.lasts(s); got > 10*time.Millisecond {
		t.Errorf("still for %v after a request", got)
	}
}
