package host

import (
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Operators run in the program, which waits until the work before has run (Settle), computes on the
// device's memory, and then reports what it did. To the rules that is work of the stream.

func (p *process) doOperator(q *request, in *protocol.Operator, r *reply) {
	id := uint64(in.Stream)
	if !p.checkStream(q, r, id) {
		return
	}
	o := &Operator{Call: in.Name, Where: in.Where, Device: p.deviceOf(q, id), Stream: streamName(id),
		Reads: p.ranges(q, in.Reads), Writes: p.ranges(q, in.Writes), Marks: p.ranges(q, in.Marks)}
	if q.bad {
		return
	}
	if f := p.s.cfg.Hooks.Operator; f != nil {
		f(o)
	}
	p.s.enqueued++
	p.changes++ // parked work may wait for what was written
}

// ranges are the extents of a request; it is bad if one is not memory of the device.
func (p *process) ranges(q *request, in []protocol.Extent) (out []trace.Range) {
	for _, e := range in {
		if e.Hi <= e.Lo || !p.s.cfg.Arena.Contains(e.Lo, e.Hi-e.Lo) {
			q.bad = true
			return nil
		}
		out = append(out, trace.Range{Addr: e.Lo, N: e.Hi - e.Lo})
	}
	return out
}
