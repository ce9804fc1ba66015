package host

import (
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// doTouched takes what host code did to memory that the device accesses too.
func (p *process) doTouched(q *request, in *protocol.Touched, _ *reply, out *protocol.TouchedReply) {
	h := &p.s.cfg.Hooks
	if h.HostTouch == nil {
		return
	}
	out.Watch = true
	m := p.s.cfg.Arena
	if !p.watched && h.HostWatched != nil {
		h.HostWatched(trace.Range{Addr: m.HostBase(), N: mem.ArenaBase + m.Size() - m.HostBase()})
	}
	p.watched = true
	for _, t := range p.touches(q, in.Touches) {
		h.HostTouch(t)
	}
}

// doHostWork takes what a host function of a stream did, when it has ended.
func (p *process) doHostWork(q *request, in *protocol.HostWork, _ *reply) {
	stream := uint64(in.Stream)
	all, f := p.touches(q, in.Touches), p.s.cfg.Hooks.HostFunction
	if f == nil {
		return
	}
	for _, t := range all {
		f(&HostFunction{Device: p.deviceOf(q, stream), Stream: streamName(stream), Touch: t})
	}
}

// touches are the accesses of a request; none if it is malformed.
func (p *process) touches(q *request, in []protocol.Touch) []*trace.HostTouch {
	var all []*trace.HostTouch
	for i := range in {
		t := &in[i]
		if trace.Kind(t.Kind) > trace.Atomic {
			q.bad = true
			return nil
		}
		touch := &trace.HostTouch{Kind: trace.Kind(t.Kind), Strong: t.Strong, Incomplete: t.Incomplete, Where: p.lines.find(t.Frames)}
		for _, e := range t.Bytes {
			touch.Ranges = append(touch.Ranges, trace.Range{Addr: e.Lo, N: e.Hi - e.Lo})
		}
		all = addTouch(all, touch)
	}
	return all
}

// addTouch adds a touch to a list. Compilers make several accesses of one in the
// source: those of one line since the last strong read are joined.
func addTouch(all []*trace.HostTouch, t *trace.HostTouch) []*trace.HostTouch {
	for i := len(all) - 1; i >= 0; i-- {
		o := all[i]
		if (t.Acquires() || o.Acquires()) && i < len(all)-1 {
			break
		}
		if t.Where != "" && o.Where == t.Where && o.Kind == t.Kind && o.Strong == t.Strong {
			o.Ranges = append(o.Ranges, t.Ranges...)
			o.Incomplete = o.Incomplete || t.Incomplete
			return all
		}
	}
	return append(all, t)
}
