package host

import (
	"time"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
)

// Streams 0 and 1 are the legacy default stream and its other spelling
// (cudaStreamLegacy). A thread's own default stream (cudaStreamPerThread, 2)
// comes with the thread's number from bit 8 on. Handles made here come after
// them and end in a 0.
const (
	legacyStream    = 1
	perThreadStream = 2
	firstHandle     = 0x1000
	handleStep      = 0x10
)

func isPerThread(id uint64) bool { return id&0xff == perThreadStream }

type stream struct {
	flags    uint32
	priority uint32
	device   uint8
}

// streamNonBlocking is a flag of a stream that does not wait for the legacy default one.
const streamNonBlocking = 1

// event stands for the work that was in its stream when it was recorded.
type event struct {
	flags    uint32
	device   uint8
	recorded bool
	at       time.Time
	after    []*piece
}

// ended is when the event happened: when it was recorded, or when the last of the work
// before it ended.
func (e *event) ended() time.Time {
	at := e.at
	for _, pc := range e.after {
		if pc.endedAt.After(at) {
			at = pc.endedAt
		}
	}
	return at
}

func (p *process) recordEvent(e *event, l lane, apart bool) {
	e.recorded, e.at, e.after = true, p.s.cfg.Now(), p.before(l, apart)
}

// apart reports whether a stream does not wait for the legacy default stream.
func (p *process) apart(stream uint64) bool {
	st := p.streams[stream]
	return st != nil && st.flags&streamNonBlocking != 0
}

const (
	eventDisableTiming = 2
	eventInterprocess  = 4
	// firstShared begins the handles of events of several processes, which are the same
	// in each of them.
	firstShared = 1 << 40
)

// handleID makes a handle that no other program has: to the rules, streams and events of all programs are those of one.
func (p *process) handleID() uint64 {
	p.s.handles++
	return firstHandle + handleStep*p.s.handles
}

func (p *process) order(o Order) {
	if f := p.s.cfg.Hooks.Order; f != nil {
		f(o)
	}
}

// checkStream answers the misuse of an unknown stream handle itself.
func (p *process) checkStream(q *request, r *reply, id uint64) bool {
	if id <= legacyStream || p.streams[id] != nil {
		return true
	}
	if isPerThread(id) {
		p.streams[id] = &stream{device: q.device}
		p.order(Order{Kind: OrderStream, Device: int(q.device), Stream: id})
		return true
	}
	p.misuse(q, r, ErrorInvalidResourceHandle, "stream 0x%x does not exist or was destroyed", id)
	return false
}

// checkDevice answers the misuse of a stream of another device than the
// current one ("CUDA C++ Programming Guide", "Stream and Event Behavior").
func (p *process) checkDevice(q *request, r *reply, id uint64) bool {
	st := p.streams[id]
	if st == nil || isPerThread(id) || st.device == q.device {
		return true
	}
	p.misuse(q, r, ErrorInvalidResourceHandle, "the stream belongs to device %d, the current device is %d", st.device, q.device)
	return false
}

// streamName is the stream's number for the hooks.
func streamName(id uint64) uint64 {
	if id == legacyStream {
		return LegacyStream
	}
	return id
}

// deviceOf returns the device of a stream, of a default stream the current one.
func (p *process) deviceOf(q *request, id uint64) int {
	if st := p.streams[id]; st != nil {
		return int(st.device)
	}
	return int(q.device)
}

func (p *process) findEvent(q *request, r *reply, id uint64) *event {
	e := p.events[id]
	if e == nil {
		p.misuse(q, r, ErrorInvalidResourceHandle, "event 0x%x does not exist or was destroyed", id)
	}
	return e
}

func (p *process) doStreamCreate(q *request, in *protocol.StreamCreate, _ *reply, out *protocol.StreamCreateReply) {
	id := p.handleID()
	st := &stream{flags: in.Flags, priority: in.Priority, device: q.device}
	p.streams[id] = st
	o := Order{Kind: OrderStream, Device: int(q.device), Stream: id, NonBlocking: st.flags&streamNonBlocking != 0, Name: in.Branch, Library: in.Library}
	p.order(o)
	out.Handle = protocol.Pointer(id)
}

func (p *process) doStreamDestroy(q *request, in *protocol.StreamDestroy, r *reply) {
	id := uint64(in.Stream)
	if id <= legacyStream || isPerThread(id) {
		p.misuse(q, r, ErrorInvalidResourceHandle, "the default stream cannot be destroyed")
		return
	}
	if p.checkStream(q, r, id) {
		delete(p.streams, id)
	}
}

func (p *process) doStreamInfo(q *request, in *protocol.StreamInfo, r *reply, out *protocol.StreamInfoReply) {
	id := uint64(in.Stream)
	if !p.checkStream(q, r, id) {
		return
	}
	st := p.streams[id]
	if st == nil {
		st = &stream{device: q.device}
	}
	*out = protocol.StreamInfoReply{Flags: st.flags, Priority: st.priority, Device: uint32(st.device)}
}

func (p *process) doStreamSync(q *request, in *protocol.StreamSync, r *reply) {
	id := uint64(in.Stream)
	r.hideFault = !in.Wait
	if !p.checkStream(q, r, id) {
		return
	}
	l := p.laneOf(q, id)
	p.wait(q, r, p.before(l, p.apart(id)), in.Wait, Order{Kind: OrderSyncStream, Device: l.device, Stream: l.stream})
}

// wait waits for work, or asks whether it has ended, and reports the order that this makes.
func (p *process) wait(q *request, r *reply, list []*piece, wait bool, o Order) {
	if !wait && p.left(q, list) {
		r.code = ErrorNotReady
		return
	}
	p.order(o)
	p.await(q, list)
	if wait {
		r.code = p.sticky
	}
}

// mostQueries is how often the host may ask in vain, and do nothing else, before it counts
// as waiting.
const mostQueries = 10_000

// left reports whether work has not ended, when all that may has run.
func (p *process) left(q *request, list []*piece) bool {
	if len(unfinished(list)) == 0 {
		return false
	}
	if p.s.preparing { // nothing can run
		return true
	}
	p.advance(true)
	if p.look() {
		p.queries = 0
	}
	if p.queries++; p.queries > mostQueries {
		p.await(q, list)
	}
	return len(unfinished(list)) > 0
}

func (p *process) doDeviceSync(q *request, _ *protocol.DeviceSync, r *reply) {
	p.wait(q, r, p.onDevice(int(q.device)), true, Order{Kind: OrderSyncDevice, Device: int(q.device)})
}

func (p *process) doSettle(q *request, in *protocol.Settle, r *reply) {
	if id := uint64(in.Stream); p.checkStream(q, r, id) {
		p.await(q, p.before(p.laneOf(q, id), p.apart(id)))
		r.code = p.sticky
	}
}

// onDevice is the unfinished work of a device.
func (p *process) onDevice(device int) (list []*piece) {
	for _, pc := range p.work {
		if pc.device == device {
			list = append(list, pc)
		}
	}
	return list
}

func (p *process) doStreamWait(q *request, in *protocol.StreamWait, r *reply) {
	ev, st := uint64(in.Event), uint64(in.Stream)
	if e := p.findEvent(q, r, ev); e != nil && p.checkStream(q, r, st) {
		p.awaitEvent(p.laneOf(q, st), p.apart(st), e)
		p.order(Order{Kind: OrderWait, Device: p.deviceOf(q, st), Stream: streamName(st), Event: ev})
	}
}

// awaitEvent lets all later work of a stream wait for an event.
func (p *process) awaitEvent(l lane, apart bool, e *event) {
	if list := unfinished(e.after); len(list) > 0 {
		w := p.awaited[l]
		if w == nil {
			w = &awaited{apart: apart}
			p.awaited[l] = w
		}
		w.pieces = append(unfinished(w.pieces), list...)
	}
}

func (p *process) doEventCreate(q *request, in *protocol.EventCreate, _ *reply, out *protocol.EventCreateReply) {
	e := &event{flags: in.Flags, device: q.device}
	id := uint64(firstShared + handleStep*len(p.s.shared))
	if e.flags&eventInterprocess != 0 {
		p.s.shared = append(p.s.shared, e)
	} else {
		id = p.handleID()
	}
	p.events[id] = e
	out.Handle = protocol.Pointer(id)
}

// doEventOpen makes an event of another process, or of this one, known to the process, as
// one of its current device.
func (p *process) doEventOpen(q *request, in *protocol.EventOpen, r *reply) {
	id := in.Number
	n := (id - firstShared) / handleStep
	if id < firstShared || n >= uint64(len(p.s.shared)) {
		p.misuse(q, r, ErrorInvalidValue, "event 0x%x was not created with cudaEventInterprocess", id)
		return
	}
	if p.events[id] == nil {
		p.events[id] = &event{flags: p.s.shared[n].flags, device: q.device}
	}
}

func (p *process) doEventDestroy(q *request, in *protocol.EventDestroy, r *reply) {
	id := uint64(in.Event)
	if p.findEvent(q, r, id) != nil {
		delete(p.events, id)
	}
}

func (p *process) doEventRecord(q *request, in *protocol.EventRecord, r *reply) {
	ev, st := uint64(in.Event), uint64(in.Stream)
	e := p.findEvent(q, r, ev)
	if e == nil || !p.checkStream(q, r, st) {
		return
	}
	if s := p.streams[st]; s != nil && s.device != e.device || s == nil && e.device != q.device {
		p.misuse(q, r, ErrorInvalidResourceHandle, "the event belongs to device %d, the stream to another", e.device)
		return
	}
	p.recordEvent(e, p.laneOf(q, st), p.apart(st))
	p.order(Order{Kind: OrderRecord, Device: p.deviceOf(q, st), Stream: streamName(st), Event: ev})
}

func (p *process) doEventSync(q *request, in *protocol.EventSync, r *reply) {
	ev := uint64(in.Event)
	r.hideFault = !in.Wait
	if e := p.findEvent(q, r, ev); e != nil {
		p.wait(q, r, e.after, in.Wait, Order{Kind: OrderSyncEvent, Event: ev})
	}
}

func (p *process) doEventElapsed(q *request, in *protocol.EventElapsed, r *reply, out *protocol.EventElapsedReply) {
	a, b := p.findEvent(q, r, uint64(in.Start)), p.findEvent(q, r, uint64(in.End))
	switch {
	case a == nil || b == nil:
	case a.device != b.device:
		p.misuse(q, r, ErrorInvalidResourceHandle, "the events belong to devices %d and %d", a.device, b.device)
	case a.flags&eventDisableTiming != 0 || b.flags&eventDisableTiming != 0:
		p.misuse(q, r, ErrorInvalidResourceHandle, "an event was created with cudaEventDisableTiming")
	case !a.recorded || !b.recorded:
		p.misuse(q, r, ErrorInvalidResourceHandle, "an event was not recorded")
	case p.left(q, a.after) || p.left(q, b.after):
		r.code = ErrorNotReady
	default:
		out.Nanoseconds = b.ended().Sub(a.ended()).Nanoseconds()
	}
}
