package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// deviceLimit is the memory of each device.
func (s *Server) deviceLimit() uint64 {
	_, limit := s.cfg.Arena.Usage()
	return limit / uint64(s.cfg.Devices)
}

// allocate makes an allocation that the process owns, in the memory of a
// device unless the host sees it.
func (p *process) allocate(device uint8, spec mem.Spec) (*mem.Allocation, error) {
	if limit, used := p.s.deviceLimit(), p.s.used[device]; !spec.Kind.HostVisible() && spec.Size > limit-min(used, limit) {
		return nil, mem.ErrOutOfMemory
	}
	al, err := p.s.cfg.Arena.AllocSpec(spec)
	if err != nil {
		return nil, err
	}
	p.allocs[al.Base] = al
	if device != 0 {
		p.devices[al.Base] = device
	}
	if !al.Kind.HostVisible() {
		p.s.used[device] += al.Size
	}
	if f := p.s.cfg.Hooks.Alloc; f != nil {
		f(al)
	}
	return al, nil
}

func (p *process) doAlloc(q *request, in *protocol.Alloc, r *reply, out *protocol.AllocReply) {
	kind, size := mem.Kind(in.Kind), in.Size
	rows := mem.Rows{Width: in.Width, Pitch: in.Pitch}
	if rows.Width > rows.Pitch || size > 0 && rows.Pitch > size {
		q.bad = true
		return
	}
	if size == 0 || in.InStream && !p.checkStream(q, r, uint64(in.Stream)) { // no bytes: a null pointer
		return
	}
	if at := uint64(in.At); at != 0 && !p.awaitRange(q, r, at, size, kind, uint64(in.Stream)) {
		return
	}
	spec := p.origin(q)
	spec.Size, spec.Kind, spec.Rows, spec.Reserved = size, kind, rows, uint64(in.At)
	al, err := p.allocate(q.device, spec)
	if err != nil {
		p.misuse(q, r, ErrorMemoryAllocation, "out of memory for %d bytes: %d of %d bytes are in use",
			size, p.s.used[q.device], p.s.deviceLimit())
		return
	}
	if in.InStream {
		p.inStream(q, al, false, uint64(in.Stream))
	}
	out.Address = protocol.Pointer(al.Base)
}

// origin is where an allocation comes from: the call, which of its calls it is, and its
// place.
func (p *process) origin(q *request) mem.Spec {
	p.calls[q.call]++
	s := mem.Spec{Call: q.call, At: p.where(q), Where: fmt.Sprintf("%s #%d", q.call, p.calls[q.call])}
	if s.At != "" {
		s.Where += " at " + s.At
	}
	return s
}

// caller is the call of a request.
func (p *process) caller(q *request) mem.Caller { return mem.Caller{Call: q.call, At: p.where(q)} }

// inStream reports an allocation, or a free, that is part of a stream's work.
func (p *process) inStream(q *request, al *mem.Allocation, free bool, id uint64) {
	if h := p.s.cfg.Hooks.InStream; h != nil {
		h(InStream{Free: free, Call: q.call, Where: p.where(q), Alloc: al, Device: p.deviceOf(q, id), Stream: streamName(id)})
	}
}

func (p *process) doFree(q *request, in *protocol.Free, r *reply) {
	addr, host := uint64(in.Address), in.Host
	if addr == 0 {
		return
	}
	if !p.s.cfg.Arena.Contains(addr, 1) {
		p.invalidFree(q, r, trace.CauseNotAllocated, nil, "the pointer does not belong to memory that CUDA allocated")
		return
	}
	al := p.s.cfg.Arena.Find(addr)
	if al != nil && al.Mapped {
		p.invalidFree(q, r, trace.CauseMapped, al, fmt.Sprintf("0x%x is mapped memory, which %s does not free", addr, q.call))
		return
	}
	if al != nil && al.Base == addr && al.Kind != mem.Heap && p.allocs[addr] != al {
		p.invalidFree(q, r, trace.CauseOtherAllocator, al, fmt.Sprintf("0x%x is memory of another process, which %s does not free", addr, q.call))
		return
	}
	if al != nil && al.Base == addr && (al.Kind == mem.Symbol || host != (al.Kind == mem.Pinned)) {
		p.invalidFree(q, r, trace.CauseOtherAllocator, al, fmt.Sprintf("0x%x is %s memory, which %s does not free", addr, al.Kind, q.call))
		return
	}
	if in.InStream && !p.checkStream(q, r, uint64(in.Stream)) {
		return
	}
	if p.freeing[al] && al.Base == addr { // a stream is to do it, which may be later
		e := &mem.FreeError{Addr: addr, Double: true, Alloc: al}
		p.invalidFree(q, r, freeCause(e), al, e.Error())
		return
	}
	if in.InStream && al != nil && al.Base == addr {
		p.freeInStream(q, al, uint64(in.Stream))
		return
	}
	p.await(q, p.work)
	if r.code = p.sticky; r.code != Success {
		return
	}
	al, err := p.s.cfg.Arena.FreeBy(addr, p.caller(q))
	if err != nil {
		var fe *mem.FreeError
		if !errors.As(err, &fe) {
			fe = &mem.FreeError{Addr: addr}
		}
		p.invalidFree(q, r, freeCause(fe), fe.Alloc, err.Error())
		return
	}
	if f := p.s.cfg.Hooks.Freeing; f != nil {
		f(Freeing{Alloc: al})
	}
	p.released(al)
}

// freeInStream frees memory when its stream reaches it.
func (p *process) freeInStream(q *request, al *mem.Allocation, id uint64) {
	l, apart := p.laneOf(q, id), p.apart(id)
	p.inStream(q, al, true, id)
	by := p.caller(q)
	p.freeing[al] = true
	p.enqueue(l, apart, -1, func(context.Context, *piece) {
		if !p.freeing[al] {
			return // the reset of its device was first
		}
		if _, err := p.s.cfg.Arena.FreeBy(al.Base, by); err != nil {
			return // the host was first
		}
		if f := p.s.cfg.Hooks.Freeing; f != nil {
			f(Freeing{Alloc: al, InStream: true})
		}
		p.released(al)
	}, nil)
}

// freeCause is why the arena refuses to free an address.
func freeCause(e *mem.FreeError) trace.Cause {
	switch {
	case e.Double:
		return trace.CauseFreedTwice
	case e.Alloc != nil:
		return trace.CauseInside
	}
	return trace.CauseNotAllocated
}

// invalidFree reports a free of what is not an allocation.
func (p *process) invalidFree(q *request, r *reply, cause trace.Cause, al *mem.Allocation, msg string) {
	p.misuse(q, r, ErrorInvalidValue, "%s", msg)
	f := p.s.cfg.Hooks.InvalidFree
	if f == nil {
		return
	}
	e := &trace.InvalidFree{Call: q.call, Where: p.where(q), Cause: cause, Message: msg}
	if al != nil {
		m := al.Describe()
		e.Memory = &m
	}
	if al != nil && al.Where != "" {
		e.Notes = append(e.Notes, "allocated by "+al.Where)
	}
	if cause == trace.CauseFreedTwice && al.FreedBy.At != "" {
		e.Notes = append(e.Notes, "freed before by "+al.FreedBy.String())
	}
	f(e)
}

// released does the bookkeeping for an allocation that has ended.
func (p *process) released(al *mem.Allocation) {
	if !al.Kind.HostVisible() && al.Kind != mem.Heap {
		p.s.used[p.devices[al.Base]] -= al.Size
	}
	delete(p.allocs, al.Base)
	delete(p.devices, al.Base)
	delete(p.freeing, al)
	p.freed(al)
	if kept, ok := p.reserved[al.Base]; ok && !kept && p.s.cfg.Arena.Unreserve(al.Base) {
		delete(p.reserved, al.Base)
	}
}

func (p *process) freed(al *mem.Allocation) {
	if f := p.s.cfg.Hooks.Free; f != nil {
		f(al)
	}
}

// owned returns the allocations of the process by ID. The device heap is its
// own when it is alone.
func (p *process) owned() []*mem.Allocation {
	var all []*mem.Allocation
	for _, al := range p.allocs {
		all = append(all, al)
	}
	if len(p.s.programs) == 1 {
		for _, al := range p.s.cfg.Arena.Live() {
			if al.Kind == mem.Heap {
				all = append(all, al)
			}
		}
	}
	slices.SortFunc(all, func(a, b *mem.Allocation) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// reportLeaks reports what of some memory the program did not free. After a fault
// nothing can be freed: what it has tried to free then does not leak.
func (p *process) reportLeaks(held []*mem.Allocation) {
	f := p.s.cfg.Hooks.Leaks
	if f == nil {
		return
	}
	leaks := slices.DeleteFunc(held, func(al *mem.Allocation) bool {
		return al.Kind == mem.Symbol || al.Name != "" || p.refused[al.Base] ||
			p.sticky != Success && (al.Kind == mem.Heap || al.Mapped) // kernels that did not run might have freed it
	})
	if len(leaks) > 0 {
		f(leaks)
	}
}

// refuse notes what a request asked for that is refused after a fault: a launch, or
// memory that would have been freed.
func (p *process) refuse(q *request) {
	switch in := q.in.(type) {
	case *protocol.Launch:
		if k, f := p.kernelByID(q, in.Kernel), p.s.cfg.Hooks.NotRun; f != nil && k != nil {
			f(k.Name())
		}
	case *protocol.Free:
		if p.refused == nil {
			p.refused = map[uint64]bool{}
		}
		p.refused[uint64(in.Address)] = true
	}
}

func (p *process) releaseAll() {
	p.unreserveAll()
	for _, al := range p.owned() {
		p.endAllocation(al)
	}
}

// role is what kind of memory one side of a copy must be.
type role uint8

const (
	anyMemory role = iota
	hostMemory
	deviceMemory
)

// directions is indexed by cudaMemcpyKind.
var directions = [...]struct {
	name     string
	dst, src role
}{
	{"cudaMemcpyHostToHost", hostMemory, hostMemory},
	{"cudaMemcpyHostToDevice", deviceMemory, hostMemory},
	{"cudaMemcpyDeviceToHost", hostMemory, deviceMemory},
	{"cudaMemcpyDeviceToDevice", deviceMemory, deviceMemory},
	{"cudaMemcpyDefault", anyMemory, anyMemory},
}

func (p *process) doCopy(q *request, in *protocol.Copy, r *reply, out *protocol.CopyReply) {
	kind := in.Kind
	c := &Copy{Call: q.call, Async: in.Async, Stream: uint64(in.Stream),
		Dst: Box{Addr: uint64(in.Dst), Width: in.Width, Height: in.Height, Depth: in.Depth, Pitch: in.DstPitch, Slice: in.DstSlice},
		Src: Box{Addr: uint64(in.Src), Width: in.Width, Height: in.Height, Depth: in.Depth, Pitch: in.SrcPitch, Slice: in.SrcSlice}}
	c.Device = p.deviceOf(q, c.Stream)
	r.hideFault = c.Async
	switch {
	case !p.checkStream(q, r, c.Stream):
		return
	case int(kind) >= len(directions):
		p.misuse(q, r, ErrorInvalidMemcpyDirection, "%d is not a cudaMemcpyKind", kind)
		return
	case c.Dst.Width == 0 || c.Dst.Height == 0 || c.Dst.Depth == 0:
		return
	}
	var ok bool
	d := directions[kind]
	q.ends = [2]uint64{c.Dst.Addr, c.Src.Addr}
	if c.DstAlloc, ok = p.checkBox(q, r, "destination", c.Dst, d.dst, d.name); !ok {
		return
	}
	if c.SrcAlloc, ok = p.checkBox(q, r, "source", c.Src, d.src, d.name); !ok {
		return
	}
	p.checkApart(q, c)
	apart := p.apart(c.Stream)
	c.Where, c.Stream = p.where(q), streamName(c.Stream)
	if f := p.s.cfg.Hooks.Copy; f != nil {
		f(c)
	}
	out.Carrier = p.copy(q, r, c, apart)
}

// checkApart reports a copy whose two sides have bytes in common: "the memory areas may not overlap" (CUDA
// Runtime API, cudaMemcpy). The call succeeds.
func (p *process) checkApart(q *request, c *Copy) {
	at, ok := c.Dst.meets(c.Src)
	if !ok {
		return
	}
	e := APIError{Cause: trace.CauseOverlap, Transfer: true}
	if c.Dst == c.Src {
		e.Cause, e.Detail = trace.CauseItself, "the source and the destination are the same,"
	} else {
		e.Detail = "the source and the destination overlap"
	}
	if al := c.DstAlloc; al != nil {
		name := cmp.Or(al.Where, "an allocation")
		if al.Name != "" {
			name = "variable " + al.Name
		}
		e.Detail += fmt.Sprintf(" from byte %d of %s on", at-al.Base, name)
	}
	p.apiError(q, e)
}

// copy returns who carries out a copy. One that the host waits for, and one to memory of the
// program's own, waits for what is before it.
func (p *process) copy(q *request, r *reply, c *Copy, apart bool) protocol.Carrier {
	l := lane{c.Device, c.Stream}
	list := p.before(l, apart)
	switch {
	case len(list) > 0 && c.Async && c.DstAlloc != nil && c.SrcAlloc != nil:
		p.copyLater(c, apart, nil)
		return protocol.CarrierLater
	case len(list) > 0 && c.Async && c.DstAlloc != nil:
		p.staged = &staged{c, apart}
		return protocol.CarrierStaged
	}
	p.await(q, list)
	if r.code = p.sticky; r.code == Success {
		p.s.enqueued++
		p.copying(c)
	}
	return protocol.CarrierNow
}

func (p *process) copying(c *Copy) {
	if f := p.s.cfg.Hooks.Copying; f != nil {
		f(c)
	}
}

// copyLater puts a copy into its stream, of data in rows without gaps unless that is nil.
func (p *process) copyLater(c *Copy, apart bool, data []byte) {
	p.enqueue(lane{c.Device, c.Stream}, apart, -1, func(ctx context.Context, _ *piece) {
		p.copying(c)
		a := p.s.cfg.Arena
		if !p.isThere(c.Dst) || data == nil && !p.isThere(c.Src) {
			return
		}
		rows(c, func(to, from, n uint64) {
			if data == nil {
				inParts(ctx, n, func(at, n uint64) { copy(a.Bytes(to+at, n), a.Bytes(from+at, n)) })
			} else {
				data = data[copy(a.Bytes(to, n), data):]
			}
		})
	}, nil)
}

// inParts calls f for parts of n bytes, until the run ends: a fill of a whole device's memory takes minutes.
func inParts(ctx context.Context, n uint64, f func(at, n uint64)) {
	const part = 32 << 20 // a multiple of all patterns
	for at := uint64(0); at < n && ctx.Err() == nil; at += part {
		f(at, min(part, n-at))
	}
}

// isThere reports whether a box still lies in an allocation: another stream, or the host, may
// have ended that since a copy or fill was enqueued.
func (p *process) isThere(b Box) bool {
	n, _ := b.extent()
	al := p.s.cfg.Arena.Find(b.Addr)
	return al != nil && n <= al.End()-b.Addr
}

// staged is a copy whose bytes the program sends next.
type staged struct {
	*Copy
	apart bool
}

// doStage takes the bytes of the copy that the last request was about.
func (p *process) doStage(q *request, in *protocol.Stage, r *reply) {
	r.hideFault = true
	st := p.staged
	if p.staged = nil; st == nil || uint64(len(in.Data)) != st.Dst.Width*st.Dst.Height*st.Dst.Depth {
		q.bad = true
		return
	}
	p.copyLater(st.Copy, st.apart, in.Data)
}

// checkBox checks one side of a copy; it answers the misuse itself. The
// allocation is nil for host memory that the server does not know.
func (p *process) checkBox(q *request, r *reply, side string, b Box, want role, call string) (*mem.Allocation, bool) {
	n, ok := b.extent()
	arena := p.s.cfg.Arena
	switch {
	case !ok:
		p.badSize(q, r, side, b)
		return nil, false
	case b.overlaps():
		p.misuse(q, r, ErrorInvalidPitchValue, "rows or slices of the %s overlap: rows of %d bytes are %d apart, slices of %d rows %d", side, b.Width, b.Pitch, b.Height, b.Slice)
		return nil, false
	case b.Addr == 0:
		p.badRange(q, r, trace.CauseNull, "the %s is a null pointer", side)
		return nil, false
	case !arena.Contains(b.Addr, 1):
		if want == deviceMemory {
			p.badRange(q, r, trace.CauseDirection, "the %s is host memory, but %s needs device memory there",
				side, call)
		}
		return nil, want != deviceMemory
	}
	al := arena.Find(b.Addr)
	if al == nil || n > al.End()-b.Addr {
		cause, what := p.describe(b.Addr, n)
		p.badRange(q, r, cause, "the %s, %s at 0x%x, %s", side, countBytes(n), b.Addr, what)
		return nil, false
	}
	if want == hostMemory && !al.Kind.HostVisible() {
		p.badRange(q, r, trace.CauseDirection, "the %s 0x%x is %s memory, but %s needs host memory there",
			side, b.Addr, al.Kind, call)
		return nil, false
	}
	return al, true
}

// badSize reports a box that no memory can hold.
func (p *process) badSize(q *request, r *reply, side string, b Box) {
	for _, n := range []uint64{b.Width, b.Height, b.Depth} {
		if int64(n) < 0 {
			p.badRange(q, r, trace.CauseNegative, "the size of the %s is negative: %d", side, int64(n))
			return
		}
	}
	p.badRange(q, r, trace.CauseOutside, "the %s's size overflows", side)
}

// badRange reports a call that would access memory that it may not.
func (p *process) badRange(q *request, r *reply, cause trace.Cause, format string, args ...any) {
	r.code = ErrorInvalidValue
	p.apiError(q, APIError{Code: r.code, Cause: cause, Detail: fmt.Sprintf(format, args...), Transfer: true, Ends: q.ends})
}

// describe returns what is wrong with a range of the arena, and the same in words.
func (p *process) describe(addr, n uint64) (trace.Cause, string) {
	al, freed := p.s.cfg.Arena.Nearest(addr)
	if al == nil {
		return trace.CauseNotAllocated, "is not an allocation"
	}
	name := fmt.Sprintf("the %d bytes of %s", al.Size, al.Where)
	if al.Name != "" {
		name = fmt.Sprintf("variable %s of %d bytes", al.Name, al.Size)
	}
	switch {
	case freed && al.Contains(addr):
		if al.FreedBy.At != "" {
			return trace.CauseFreed, "lies in " + name + ", which were freed by " + al.FreedBy.String()
		}
		return trace.CauseFreed, "lies in " + name + ", which are freed"
	case al.Contains(addr):
		if addr+n < addr { // no memory is that large
			return trace.CauseOutside, "goes beyond " + name
		}
		return trace.CauseOutside, fmt.Sprintf("goes %s beyond %s", countBytes(addr+n-al.End()), name)
	case addr >= al.End():
		return trace.CauseOutside, fmt.Sprintf("lies %s after %s", countBytes(addr-al.End()), name)
	}
	return trace.CauseOutside, fmt.Sprintf("lies %s before %s", countBytes(al.Base-addr), name)
}

func (p *process) doSet(q *request, in *protocol.Set, r *reply) {
	f := &Fill{Call: q.call, Async: in.Async, Stream: uint64(in.Stream), Pattern: in.Pattern,
		Dst: Box{Addr: uint64(in.Dst), Width: in.Width, Height: in.Height, Depth: in.Depth, Pitch: in.Pitch, Slice: in.Slice}}
	f.Device = p.deviceOf(q, f.Stream)
	r.hideFault = f.Async
	if f.Dst.Width%uint64(len(f.Pattern)) != 0 {
		q.bad = true
		return
	}
	if !p.checkStream(q, r, f.Stream) || f.Dst.Width == 0 || f.Dst.Height == 0 || f.Dst.Depth == 0 {
		return
	}
	p.fill(q, r, f)
}

// fill puts a fill into its stream, and waits for it unless it is asynchronous.
func (p *process) fill(q *request, r *reply, f *Fill) {
	q.ends = [2]uint64{f.Dst.Addr}
	al, ok := p.checkBox(q, r, "destination", f.Dst, deviceMemory, q.call)
	if !ok {
		return
	}
	f.Alloc = al
	apart := p.apart(f.Stream)
	f.Where, f.Stream = p.where(q), streamName(f.Stream)
	h := &p.s.cfg.Hooks
	if h.Fill != nil {
		h.Fill(f)
	}
	p.enqueue(lane{f.Device, f.Stream}, apart, -1, func(ctx context.Context, _ *piece) {
		if h.Filling != nil {
			h.Filling(f)
		}
		if p.isThere(f.Dst) {
			f.Dst.Ranges(func(addr, n uint64) {
				inParts(ctx, n, func(at, n uint64) { p.s.cfg.Arena.Fill(addr+at, n, f.Pattern) })
			})
		}
		if f.Number != 0 {
			p.order(Order{Kind: OrderWroteValue, Device: f.Device, Stream: f.Stream, Event: f.Number})
		}
	}, nil)
	if !f.Async {
		p.await(q, p.before(lane{f.Device, f.Stream}, apart))
		r.code = p.sticky
	}
}

func (p *process) doMemInfo(q *request, _ *protocol.MemInfo, _ *reply, out *protocol.MemInfoReply) {
	used, limit := p.s.used[q.device], p.s.deviceLimit()
	*out = protocol.MemInfoReply{Free: limit - min(used, limit), Total: limit}
}

func (p *process) doPointer(_ *request, in *protocol.PointerInfo, _ *reply, out *protocol.PointerReply) {
	al := p.s.cfg.Arena.Find(uint64(in.Address))
	if al == nil || p.freeing[al] {
		return
	}
	kind := uint32(2)
	switch al.Kind {
	case mem.Pinned:
		kind = 1
	case mem.Managed:
		kind = 3
	}
	*out = protocol.PointerReply{Type: kind, Base: al.Base, Size: al.Size, Device: uint32(p.devices[al.Base])}
}

// countBytes writes a number of bytes. A size that the program computed as a negative
// number is written as one.
func countBytes(n uint64) string {
	switch {
	case n == 1:
		return "1 byte"
	case int64(n) < 0:
		return fmt.Sprintf("%d bytes (a negative size)", int64(n))
	}
	return fmt.Sprintf("%d bytes", n)
}
