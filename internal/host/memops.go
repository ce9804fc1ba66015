package host

import (
	"context"
	"encoding/binary"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Memory operations of streams ("CUDA Driver API", "Stream Memory Operations"): a stream
// writes a value, or its later work waits until memory has one. A wait is a piece of work
// like any other, which is parked while memory does not have its value.

// maxValue is the size of the largest value.
const maxValue = 8

// valueBytes are the bytes of a value, and whether it is of a size that there is.
func valueBytes(value uint64, size uint8) ([]byte, bool) {
	b := binary.LittleEndian.AppendUint64(nil, value)
	return b[:min(size, maxValue)], size == maxValue/2 || size == maxValue
}

func (p *process) doWriteValue(q *request, in *protocol.WriteValue, r *reply) {
	id := uint64(in.Stream)
	bytes, ok := valueBytes(in.Value, in.Bytes)
	r.hideFault = true
	if q.bad = !ok; q.bad || !p.checkStream(q, r, id) {
		return
	}
	p.memoryOps++
	p.fill(q, r, &Fill{Call: q.call, Async: true, Device: p.deviceOf(q, id), Stream: id, Pattern: bytes,
		Dst: valueAt(in.Address, len(bytes)), Number: p.memoryOps, Fence: in.Fence})
}

// valueAt is the place of a value.
func valueAt(addr protocol.Pointer, size int) Box {
	return Box{Addr: uint64(addr), Width: uint64(size), Height: 1, Depth: 1}
}

func (p *process) doWaitValue(q *request, in *protocol.WaitValue, r *reply) {
	id := uint64(in.Stream)
	bytes, ok := valueBytes(in.Value, in.Bytes)
	r.hideFault = true
	if q.bad = !ok; q.bad || !p.checkStream(q, r, id) {
		return
	}
	at := valueAt(in.Address, len(bytes))
	q.ends = [2]uint64{at.Addr}
	al, ok := p.checkBox(q, r, "value", at, deviceMemory, q.call)
	if !ok {
		return
	}
	p.memoryOps++
	l := p.laneOf(q, id)
	w := &valueWait{process: p, number: p.memoryOps, lane: l, at: at, alloc: al,
		stuck: trace.StuckWait{Call: q.call, Where: p.where(q), Addr: at.Addr, Size: len(bytes), Wanted: wide(bytes),
			Test: trace.ValueTest(in.Condition), Memory: al.Describe(), HostVisible: al.Kind.HostVisible()}}
	p.order(Order{Kind: OrderWaitValue, Device: l.device, Stream: l.stream, Event: w.number, Range: trace.Range{Addr: at.Addr, N: at.Width}})
	p.enqueue(l, p.apart(id), -1, w.run, nil)
}

// wide is a value of up to 8 bytes.
func wide(b []byte) uint64 {
	var all [maxValue]byte
	copy(all[:], b)
	return binary.LittleEndian.Uint64(all[:])
}

// valueWait is a stream's wait for a value.
type valueWait struct {
	*process
	number uint64
	lane   lane
	at     Box
	alloc  *mem.Allocation
	// stuck is the report of the wait, for the case that it never ends.
	stuck trace.StuckWait
}

// run ends when memory has the value.
func (w *valueWait) run(ctx context.Context, pc *piece) {
	w.copying(&Copy{Call: w.stuck.Call, Where: w.stuck.Where, Src: w.at, Dst: Box{Width: w.at.Width, Height: 1, Depth: 1},
		SrcAlloc: w.alloc, Device: w.lane.device, Stream: w.lane.stream, Async: true, Wait: true})
	for !w.there() {
		switch host := pc.park(false); {
		case ctx.Err() != nil:
			return
		case host != nil:
			w.stuck.Host = host
			if !w.s.cfg.Forgive {
				w.fail(ErrorLaunchTimeout)
			}
			if f := w.s.cfg.Hooks.StuckWait; f != nil {
				f(&w.stuck)
			}
			return
		}
	}
	w.order(Order{Kind: OrderSawValue, Device: w.lane.device, Stream: w.lane.stream, Event: w.number})
}

// there looks at memory. Memory that has been freed stays as it was.
func (w *valueWait) there() bool {
	s := &w.stuck
	s.Value = wide(w.s.cfg.Arena.Bytes(s.Addr, uint64(s.Size)))
	return s.Test.Passes(s.Value, s.Wanted, s.Size)
}
