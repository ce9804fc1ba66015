package host

import (
	"context"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// doTouched takes what host code did to memory that the device accesses too;
// shim/runtime/hostwatch.h has the layout. It answers whether anybody hears.
func (p *process) doTouched(_ context.Context, q *request, r *reply) {
	h := &p.s.cfg.Hooks
	if h.HostTouch == nil {
		r.u32(0)
		return
	}
	r.u32(1)
	m := p.s.cfg.Arena
	if !p.watched && h.HostWatched != nil {
		h.HostWatched(trace.Range{Addr: m.HostBase(), N: mem.ArenaBase + m.Size() - m.HostBase()})
	}
	p.watched = true
	for _, t := range p.touches(q) {
		h.HostTouch(t)
	}
}

// doHostWork takes what a host function of a stream did, when it has ended.
func (p *process) doHostWork(_ context.Context, q *request, _ *reply) {
	stream := q.u64()
	all, f := p.touches(q), p.s.cfg.Hooks.HostFunction
	if f == nil {
		return
	}
	for _, t := range all {
		f(&HostFunction{Device: p.deviceOf(q, stream), Stream: streamName(stream), Touch: t})
	}
}

// touches reads the accesses of a request; none if it is malformed.
func (p *process) touches(q *request) []*trace.HostTouch {
	var all []*trace.HostTouch
	for n := q.u32(); n > 0 && !q.bad; n-- {
		all = addTouch(all, p.touch(q))
	}
	if q.bad {
		return nil
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

func (p *process) touch(q *request) *trace.HostTouch {
	t := &trace.HostTouch{Kind: trace.Kind(q.u8()), Strong: q.u8() != 0, Incomplete: q.u8() != 0}
	q.bad = q.bad || t.Kind > trace.Atomic
	q.frames = q.frames[:0]
	for range q.u8() {
		q.frames = append(q.frames, q.u64())
	}
	t.Where = p.where(q)
	n := q.u32()
	if uint64(n)*16 > uint64(len(q.buf)) {
		q.bad = true
		return t
	}
	for range n {
		t.Ranges = append(t.Ranges, trace.Range{Addr: q.u64(), N: q.u64()})
	}
	return t
}
