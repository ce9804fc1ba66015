package host

import (
	"context"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// Virtual memory management: the shim knows the ranges and handles and checks
// the calls; here memory comes to addresses and goes.

func (p *process) doReserve(_ context.Context, q *request, r *reply) {
	size, align := q.u64(), q.u64()
	if q.bad {
		return
	}
	base, err := p.s.cfg.Arena.Reserve(size, align)
	if err != nil {
		p.misuse(q, r, ErrMemoryAllocation, "out of address space for %d bytes", size)
		return
	}
	p.reserved[base] = true
	r.u64(base)
}

func (p *process) doUnreserve(_ context.Context, q *request, _ *reply) {
	base := q.u64()
	if p.reserved[base] {
		delete(p.reserved, base)
		p.s.cfg.Arena.Unreserve(base)
	}
}

func (p *process) doMap(_ context.Context, q *request, r *reply) {
	base, size := q.u64(), q.u64()
	if q.bad {
		return
	}
	if limit, used := p.s.deviceLimit(), p.s.used[q.device]; size > limit-min(used, limit) {
		p.misuse(q, r, ErrMemoryAllocation, "out of memory for %d bytes: %d of %d bytes are in use", size, used, limit)
		return
	}
	spec := p.origin(q)
	spec.Size = size
	al, before, err := p.s.cfg.Arena.Map(base, spec)
	if err != nil {
		p.misuse(q, r, ErrMemoryAllocation, "out of memory for %d bytes", size)
		return
	}
	p.s.used[q.device] += size
	p.replace(q.device, before, []*mem.Allocation{al})
}

func (p *process) doUnmap(_ context.Context, q *request, _ *reply) {
	base, size := q.u64(), q.u64()
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
		if al.Mapped {
			p.endAllocation(al)
		}
	}
	for base := range p.reserved {
		p.s.cfg.Arena.Unreserve(base)
	}
	clear(p.reserved)
}
