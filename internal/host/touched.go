package host

import (
	"errors"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// touched takes what host code did to memory that the device accesses too. Threads tell
// it in the order of a number.
func (p memoryCalls) touched(q *request, in *protocol.Touched) error {
	h := &p.s.cfg.Hooks
	for p.s.busy || in.Number > p.touches && p.ctx.Err() == nil {
		p.s.free.Wait() // for another thread that is about to
	}
	p.touches++
	p.s.free.Broadcast()
	if h.HostTouch == nil {
		return nil
	}
	m := p.s.cfg.Arena
	if !p.watched && h.HostWatched != nil {
		h.HostWatched(trace.Range{Addr: m.HostBase(), N: mem.ArenaBase + m.Size() - m.HostBase()})
	}
	p.watched = true
	for _, t := range p.readTouches(q, in.Touches) {
		h.HostTouch(t)
	}
	if q.bad {
		return errors.New("malformed accesses")
	}
	return nil
}

// doHostWork takes what a host function of a stream did, when it has ended.
func (p memoryCalls) doHostWork(q *request, in *protocol.HostWork, _ *reply) {
	stream := uint64(in.Stream)
	all, f := p.readTouches(q, in.Touches), p.s.cfg.Hooks.HostFunction
	if f == nil {
		return
	}
	for _, t := range all {
		f(&HostFunction{Device: p.onStreams().deviceOf(q, stream), Stream: streamName(stream), Touch: t})
	}
}

// readTouches are the accesses of a request; none if it is malformed.
func (p memoryCalls) readTouches(q *request, in []protocol.Touch) []*trace.HostTouch {
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
