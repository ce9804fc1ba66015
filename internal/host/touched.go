package host

import (
	"errors"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// touched takes what host code did to memory that the device accesses too. Threads tell
// it in the order of a number.
func (p *process) touched(q *request, in *protocol.Touched) error {
	h := &p.s.cfg.Hooks
	if in.Number < p.touches || in.Number-p.touches >= uint64(len(p.conns)) {
		return fmt.Errorf("accesses with number %d, after %d by %d threads", in.Number, p.touches, len(p.conns))
	}
	p.telling++
	p.s.free.Broadcast()
	for p.s.busy || in.Number > p.touches && p.isAwaited(in.Number) && p.ctx.Err() == nil {
		p.s.free.Wait() // for another thread that is about to
	}
	p.telling--
	p.touches = max(p.touches, in.Number+1)
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

// isAwaited reports whether other threads may still tell all accesses before those with a
// number: each is about to tell once at most, and not all wait for each other.
func (p *process) isAwaited(number uint64) bool {
	return number-p.touches < uint64(len(p.conns)) && p.telling < len(p.conns)
}

// readTouches are the accesses of a request; none if it is malformed.
func (p *process) readTouches(q *request, in []protocol.Touch) []*trace.HostTouch {
	var all []*trace.HostTouch
	for i := range in {
		t := &in[i]
		touch := &trace.HostTouch{Kind: trace.Kind(t.Kind), Strong: t.Strong, Incomplete: t.Incomplete, Where: p.lines.find(t.Frames)}
		for _, e := range t.Bytes {
			if e.Hi <= e.Lo || !p.s.cfg.Arena.Contains(e.Lo, e.Hi-e.Lo) {
				q.bad = true
				return nil
			}
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
