package host

import "github.com/warpgrind/warpgrind/internal/host/protocol"

// Host functions run in the program, on a thread of its own. One that nothing is before runs at
// once; for another a thread of the program waits for its turn, and says when it has ended.

// doHostFunction puts a host function into a stream. It may tell the host that what comes
// before it is done.
func (p streamCalls) doHostFunction(q *request, in *protocol.HostFunction, r *reply, out *protocol.HostFunctionReply) {
	id := uint64(in.Stream)
	r.hideFault = true
	if !p.checkStream(q, r, id) {
		return
	}
	l, apart := p.laneOf(q, id), p.apart(id)
	list := p.before(l, apart)
	if out.Due = len(list) == 0; out.Due {
		p.order(Order{Kind: OrderSyncStream, Device: l.device, Stream: l.stream})
		return
	}
	p.hostFunctions++
	out.ID = p.hostFunctions
	p.work = append(p.work, &piece{lane: l, apart: apart, p: p.process, grid: -1, after: list, function: out.ID})
}

// function finds a host function that has not ended; nil if a kernel has failed.
func (p streamCalls) function(id uint64) *piece {
	for _, pc := range p.work {
		if pc.function == id && id != 0 {
			return pc
		}
	}
	return nil
}

// doHostTurn waits until a function may run.
func (p streamCalls) doHostTurn(q *request, in *protocol.HostTurn, r *reply, out *protocol.HostTurnReply) {
	defer whileConnected(q.conn, p.gone)()
	r.hideFault = true
	p.waiters++
	defer func() { p.waiters-- }()
	var idle idling
	for {
		pc := p.function(in.ID)
		if pc == nil || p.ctx.Err() != nil {
			return
		}
		if out.Run = pc.state == running; out.Run {
			return
		}
		idle.pause(p.s)
	}
}

// begin gives a host function its turn.
func (pc *piece) begin() {
	pc.state = running
	pc.p.onStreams().order(Order{Kind: OrderSyncStream, Device: pc.device, Stream: pc.stream})
}

func (p streamCalls) doHostEnd(q *request, in *protocol.HostEnd, r *reply) {
	r.hideFault = true
	if pc := p.function(in.ID); pc != nil {
		p.end(pc)
		p.advance()
	}
}
