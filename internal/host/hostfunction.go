package host

import "github.com/warpgrind/warpgrind/internal/host/protocol"

// Host functions run in the program, on a thread of its own. One that nothing is before runs at
// once; for another a thread of the program waits for its turn. Each is a piece of work, which
// ends when the program says so.

// doHostFunction puts a host function into a stream.
func (p *process) doHostFunction(q *request, in *protocol.HostFunction, r *reply, out *protocol.HostFunctionReply) {
	id := uint64(in.Stream)
	r.hideFault = true
	if !p.checkStream(q, r, id) {
		return
	}
	l, apart := p.laneOf(q, id), p.apart(id)
	p.hostFunctions++
	pc := &piece{lane: l, apart: apart, p: p, grid: -1, after: p.before(l, apart), function: p.hostFunctions}
	p.order(pc.functionOrder(OrderFunction))
	p.work = append(p.work, pc)
	p.advance(true)
	out.ID, out.Due = pc.function, pc.state == running
}

func (pc *piece) functionOrder(kind OrderKind) Order {
	return Order{Kind: kind, Device: pc.device, Stream: pc.stream, Event: pc.function}
}

// function finds a host function that has not ended; nil if a kernel has failed.
func (p *process) function(id uint64) *piece {
	for _, pc := range p.work {
		if pc.function == id && id != 0 {
			return pc
		}
	}
	return nil
}

// doHostTurn waits until a function may run.
func (p *process) doHostTurn(q *request, in *protocol.HostTurn, r *reply, out *protocol.HostTurnReply) {
	defer whileConnected(q.conn, p.gone)()
	r.hideFault = true
	defer p.waits(q)()
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

// begin gives a host function its turn. It may tell the host that what comes before it is done.
func (pc *piece) begin() {
	pc.state = running
	p := pc.p
	p.functionThread = true
	p.order(pc.functionOrder(OrderFunctionBegins))
}

func (p *process) doHostEnd(q *request, in *protocol.HostEnd, r *reply) {
	r.hideFault = true
	pc := p.function(in.ID)
	touches, f := p.readTouches(q, in.Touches), p.s.cfg.Hooks.HostFunction
	if pc == nil || q.bad {
		return
	}
	for _, t := range touches {
		if f != nil {
			f(&HostFunction{Number: pc.function, Device: pc.device, Stream: pc.stream, Touch: t})
		}
	}
	p.endFunction(pc)
	p.advance(false)
}

func (p *process) endFunction(pc *piece) {
	p.order(pc.functionOrder(OrderFunctionEnds))
	p.end(pc)
}
