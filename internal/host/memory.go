package host

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// allocate makes an allocation that the process owns.
func (p *process) allocate(spec mem.Spec) (*mem.Allocation, error) {
	al, err := p.s.cfg.Arena.AllocSpec(spec)
	if err != nil {
		return nil, err
	}
	p.allocs[al.Base] = al
	if f := p.s.cfg.Hooks.Alloc; f != nil {
		f(al)
	}
	return al, nil
}

func (p *process) doAlloc(_ context.Context, q *request, r *reply) {
	kind, size := mem.Kind(q.u8()), q.u64()
	if q.bad || kind > mem.Managed {
		q.bad = true
		return
	}
	if size == 0 { // succeeds with a null pointer
		r.u64(0)
		return
	}
	p.calls[q.call]++
	where := fmt.Sprintf("%s #%d", q.call, p.calls[q.call])
	if at := p.where(q); at != "" {
		where += " at " + at
	}
	al, err := p.allocate(mem.Spec{Size: size, Kind: kind, Where: where})
	if err != nil {
		used, limit := p.s.cfg.Arena.Usage()
		p.misuse(q, r, ErrMemoryAllocation, "no room for %d bytes: %d of %d bytes are in use", size, used, limit)
		return
	}
	r.u64(al.Base)
}

func (p *process) doFree(_ context.Context, q *request, r *reply) {
	addr, host := q.u64(), q.u8() != 0
	if addr == 0 || q.bad {
		return
	}
	if !p.s.cfg.Arena.Contains(addr, 1) {
		p.misuse(q, r, ErrInvalidValue, "the pointer is no memory that CUDA allocated")
		return
	}
	al := p.s.cfg.Arena.Find(addr)
	if al != nil && al.Base == addr && (al.Kind == mem.Symbol || host != (al.Kind == mem.Pinned)) {
		p.misuse(q, r, ErrInvalidValue, "0x%x is %s memory, which %s does not free", addr, al.Kind, q.call)
		return
	}
	al, err := p.s.cfg.Arena.Free(addr)
	if err != nil {
		p.misuse(q, r, ErrInvalidValue, "%s", err)
		return
	}
	delete(p.allocs, addr)
	p.freed(al)
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
	if p.hello && p.s.present == 1 {
		for _, al := range p.s.cfg.Arena.Live() {
			if al.Kind == mem.Heap {
				all = append(all, al)
			}
		}
	}
	slices.SortFunc(all, func(a, b *mem.Allocation) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// reportLeaks tells what the program did not free. After a fault nothing can
// be freed, so nothing leaks.
func (p *process) reportLeaks() {
	f := p.s.cfg.Hooks.Leaks
	if f == nil || p.sticky != Success {
		return
	}
	leaks := slices.DeleteFunc(p.owned(), func(al *mem.Allocation) bool {
		return al.Kind == mem.Symbol || al.Name != ""
	})
	if len(leaks) > 0 {
		f(leaks)
	}
}

func (p *process) releaseAll() {
	for _, al := range p.owned() {
		if _, err := p.s.cfg.Arena.Free(al.Base); err == nil {
			p.freed(al)
		}
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

func (p *process) doCopy(_ context.Context, q *request, r *reply) {
	kind := q.u32()
	c := &Copy{Call: q.call, Async: q.u8() != 0, Stream: q.u64()}
	c.Dst.Addr, c.Src.Addr = q.u64(), q.u64()
	c.Dst.Width, c.Dst.Height, c.Dst.Depth = q.u64(), q.u64(), q.u64()
	c.Src.Width, c.Src.Height, c.Src.Depth = c.Dst.Width, c.Dst.Height, c.Dst.Depth
	c.Dst.Pitch, c.Src.Pitch, c.Dst.Slice, c.Src.Slice = q.u64(), q.u64(), q.u64(), q.u64()
	r.hideFault = c.Async
	switch {
	case q.bad || !p.checkStream(q, r, c.Stream):
		return
	case int(kind) >= len(directions):
		p.misuse(q, r, ErrInvalidDirection, "%d is no cudaMemcpyKind", kind)
		return
	case c.Dst.Width == 0 || c.Dst.Height == 0 || c.Dst.Depth == 0:
		return
	}
	var ok bool
	d := directions[kind]
	if c.DstAlloc, ok = p.checkBox(q, r, "destination", c.Dst, d.dst, d.name); !ok {
		return
	}
	if c.SrcAlloc, ok = p.checkBox(q, r, "source", c.Src, d.src, d.name); !ok {
		return
	}
	if f := p.s.cfg.Hooks.Copy; f != nil {
		c.Where = p.where(q)
		f(c)
	}
}

// checkBox checks one side of a copy; it answers the misuse itself. The
// allocation is nil for host memory that the server does not know.
func (p *process) checkBox(q *request, r *reply, side string, b Box, want role, call string) (*mem.Allocation, bool) {
	n, ok := b.extent()
	arena := p.s.cfg.Arena
	switch {
	case !ok:
		p.misuse(q, r, ErrInvalidValue, "the %s's size overflows", side)
		return nil, false
	case b.Addr == 0:
		p.misuse(q, r, ErrInvalidValue, "the %s is a null pointer", side)
		return nil, false
	case !arena.Contains(b.Addr, 1):
		if want == deviceMemory {
			p.misuse(q, r, ErrInvalidValue, "the %s is host memory, but %s needs device memory there",
				side, call)
		}
		return nil, want != deviceMemory
	}
	al := arena.Find(b.Addr)
	if al == nil || n > al.End()-b.Addr {
		p.misuse(q, r, ErrInvalidValue, "the %s, %d bytes at 0x%x, %s", side, n, b.Addr, p.describe(b.Addr, n))
		return nil, false
	}
	if want == hostMemory && !al.Kind.HostVisible() {
		p.misuse(q, r, ErrInvalidValue, "the %s 0x%x is %s memory, but %s needs host memory there",
			side, b.Addr, al.Kind, call)
		return nil, false
	}
	return al, true
}

// describe says in words what is wrong with a range of the arena.
func (p *process) describe(addr, n uint64) string {
	al, freed := p.s.cfg.Arena.Nearest(addr)
	if al == nil {
		return "is no allocation"
	}
	name := fmt.Sprintf("the %d bytes of %s", al.Size, al.Where)
	if al.Name != "" {
		name = fmt.Sprintf("variable %s of %d bytes", al.Name, al.Size)
	}
	switch {
	case freed && al.Contains(addr):
		return "lies in " + name + ", which are freed"
	case al.Contains(addr):
		return fmt.Sprintf("goes %d bytes beyond %s", addr+n-al.End(), name)
	case addr >= al.End():
		return fmt.Sprintf("lies %d bytes after %s", addr-al.End(), name)
	}
	return fmt.Sprintf("lies %d bytes before %s", al.Base-addr, name)
}

func (p *process) doSet(_ context.Context, q *request, r *reply) {
	f := &Fill{Call: q.call, Async: q.u8() != 0, Stream: q.u64()}
	f.Dst.Addr, f.Value = q.u64(), q.u8()
	f.Dst.Width, f.Dst.Height, f.Dst.Depth = q.u64(), q.u64(), q.u64()
	f.Dst.Pitch, f.Dst.Slice = q.u64(), q.u64()
	if q.bad || !p.checkStream(q, r, f.Stream) || f.Dst.Width == 0 || f.Dst.Height == 0 || f.Dst.Depth == 0 {
		return
	}
	al, ok := p.checkBox(q, r, "destination", f.Dst, deviceMemory, q.call)
	if !ok {
		return
	}
	f.Alloc = al
	if h := p.s.cfg.Hooks.Fill; h != nil {
		f.Where = p.where(q)
		h(f)
	}
	f.Dst.Ranges(func(addr, n uint64) { fill(p.s.cfg.Arena.Bytes(addr, n), f.Value) })
}

func fill(b []byte, v byte) {
	if v == 0 {
		clear(b)
		return
	}
	b[0] = v
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

func (p *process) doMemInfo(_ context.Context, _ *request, r *reply) {
	used, limit := p.s.cfg.Arena.Usage()
	r.u64(limit - min(used, limit)).u64(limit)
}

// doPointer answers cudaMemoryType, base and size.
func (p *process) doPointer(_ context.Context, q *request, r *reply) {
	al := p.s.cfg.Arena.Find(q.u64())
	switch {
	case al == nil:
		r.u32(0).u64(0).u64(0)
	case al.Kind == mem.Pinned:
		r.u32(1).u64(al.Base).u64(al.Size)
	case al.Kind == mem.Managed:
		r.u32(3).u64(al.Base).u64(al.Size)
	default:
		r.u32(2).u64(al.Base).u64(al.Size)
	}
}
