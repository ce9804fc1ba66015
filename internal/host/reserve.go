package host

import (
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// Virtual memory management: the shim knows the ranges and handles and checks
// the calls; here memory comes and goes.

func (p *process) doReserve(q *request, in *protocol.Reserve, r *reply, out *protocol.ReserveReply) {
	base, err := p.s.cfg.Arena.Reserve(in.Size, in.Alignment)
	if err != nil {
		p.misuse(q, r, ErrorMemoryAllocation, "out of address space for %d bytes", in.Size)
		return
	}
	p.reserved[base] = true
	out.Address = protocol.Pointer(base)
}

func (p *process) doUnreserve(q *request, in *protocol.Unreserve, _ *reply) {
	base := uint64(in.Address)
	if al := p.s.cfg.Arena.Find(base); al != nil && al.Reserved && p.reserved[base] {
		p.reserved[base] = false
		return
	}
	if q.bad = !p.reserved[base] || !p.s.cfg.Arena.Unreserve(base); !q.bad {
		delete(p.reserved, base)
	}
}

// awaitRange waits until the memory before in a reserved range has been freed, and what is before
// its next use in a stream has ended. It answers the misuse of a range that is in use itself.
func (p *process) awaitRange(q *request, r *reply, base, size uint64, kind mem.Kind, stream uint64) bool {
	p.await(q, p.before(p.laneOf(q, stream), p.apart(stream)))
	if r.code = p.sticky; r.code != Success {
		return false
	}
	if al := p.s.cfg.Arena.Find(base); al != nil && p.allocs[base] == al && al.Reserved {
		p.misuse(q, r, ErrorInvalidValue, "the memory that an earlier launch of the graph allocated has not been freed")
		return false
	}
	q.bad = kind != mem.Device || !p.mayMap(base, size) || p.s.cfg.Arena.Reserved(base) != size
	return !q.bad
}

func (p *process) doMap(q *request, in *protocol.Map, r *reply) {
	base, size := uint64(in.Address), in.Size
	if q.bad = !p.mayMap(base, size); q.bad {
		return
	}
	if limit, used := p.s.deviceLimit(), p.s.used[q.device]; size > limit-min(used, limit) {
		p.misuse(q, r, ErrorMemoryAllocation, "out of memory for %d bytes: %d of %d bytes are in use", size, used, limit)
		return
	}
	spec := p.origin(q)
	spec.Size = size
	al, before, err := p.s.cfg.Arena.Map(base, spec)
	if err != nil {
		p.misuse(q, r, ErrorMemoryAllocation, "out of memory for %d bytes", size)
		return
	}
	p.s.used[q.device] += size
	p.replace(q.device, before, []*mem.Allocation{al})
}

// mayMap reports whether a range lies in one that the process has reserved, and has no
// memory yet.
func (p *process) mayMap(addr, size uint64) bool {
	base, free := p.s.cfg.Arena.Unmapped(addr, size)
	return free && p.reserved[base]
}

func (p *process) doContents(q *request, in *protocol.Contents, _ *reply, out *protocol.ContentsReply) {
	base, size := uint64(in.Address), in.Size
	if al := p.s.cfg.Arena.Find(base); al == nil || p.allocs[al.Base] != al || size > al.End()-base {
		q.bad = true
		return
	}
	err := p.s.cfg.Arena.Data(base, size, func(addr, n uint64) { out.Ranges = append(out.Ranges, addr-base, n) })
	if err != nil { // all of it may have memory
		out.Ranges = []uint64{0, size}
	}
}

func (p *process) doUnmap(q *request, in *protocol.Unmap, _ *reply) {
	base, size := uint64(in.Address), in.Size
	if al := p.s.cfg.Arena.Find(base); al == nil || p.allocs[al.Base] != al {
		q.bad = true
		return
	}
	before, left := p.s.cfg.Arena.Unmap(base, size)
	if before == nil {
		q.bad = true
		return
	}
	device := p.devices[before.Base]
	p.s.used[device] -= size
	p.replace(device, []*mem.Allocation{before}, left)
}

// replace puts allocations of mapped memory in the place of others.
func (p *process) replace(device uint8, before, after []*mem.Allocation) {
	for _, al := range before {
		delete(p.allocs, al.Base)
		delete(p.devices, al.Base)
		p.freed(al)
	}
	for _, al := range after {
		p.allocs[al.Base] = al
		if device != 0 {
			p.devices[al.Base] = device
		}
		if f := p.s.cfg.Hooks.Alloc; f != nil {
			f(al)
		}
	}
}

// unreserveAll ends what the process has mapped and reserved.
func (p *process) unreserveAll() {
	for _, al := range p.owned() {
		if al.Mapped || al.Reserved {
			p.endAllocation(al)
		}
	}
	for base := range p.reserved {
		p.s.cfg.Arena.Unreserve(base)
	}
	clear(p.reserved)
}
