package host

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// DefaultLimits are those of a program that sets none.
func DefaultLimits() Limits {
	return Limits{Heap: DefaultHeap, SyncDepth: defaultSyncDepth, Pending: defaultPending, Printf: DefaultPrintf}
}

// doReset ends what the program has on the current device; what it has on others
// stays ("CUDA Runtime API", cudaDeviceReset).
func (p *process) doReset(q *request, _ *protocol.Reset, _ *reply) {
	p.await(q, p.onDevice(int(q.device)))
	p.resetModules(q.device)
	held := p.heldBy(q.device)
	p.reportLeaks(slices.Clone(held))
	for _, al := range held {
		p.endAllocation(al)
	}
	p.symbols[q.device], p.limits[q.device] = map[string]uint64{}, DefaultLimits()
	maps.DeleteFunc(p.streams, func(_ uint64, s *stream) bool { return s.device == q.device })
	maps.DeleteFunc(p.events, func(_ uint64, e *event) bool { return e.device == q.device })
	maps.DeleteFunc(p.textures, func(h uint64, d uint8) bool {
		if d == q.device {
			p.s.cfg.Arena.Textures.Set(h, nil)
		}
		return d == q.device
	})
}

// heldBy returns the allocations of a device, without variables that modules on
// other devices share. The device heap is taken for the one device's.
func (p *process) heldBy(device uint8) []*mem.Allocation {
	shared := map[*mem.Allocation]bool{}
	for _, m := range p.modules {
		if m != nil {
			for _, al := range m.symbols {
				shared[al] = true
			}
		}
	}
	return slices.DeleteFunc(p.owned(), func(al *mem.Allocation) bool {
		return p.devices[al.Base] != device || shared[al] || al.Kind == mem.Heap && p.s.cfg.Devices > 1
	})
}

// resetModules forgets the modules of a device and their kernels. Their numbers are
// not used again.
func (p *process) resetModules(device uint8) {
	for i, m := range p.modules {
		if m != nil && m.device == device {
			p.modules[i] = nil
		}
	}
	for i, k := range p.kernels {
		if k != nil && k.module.device == device {
			p.kernels[i] = nil
		}
	}
}

// endAllocation ends one allocation of the process.
func (p *process) endAllocation(al *mem.Allocation) {
	if al.Mapped {
		p.s.used[p.devices[al.Base]] -= al.Size
		p.s.cfg.Arena.Unmap(al.Base, al.Size)
		p.replace(0, []*mem.Allocation{al}, nil)
		return
	}
	if _, err := p.s.cfg.Arena.Free(al.Base); err == nil {
		p.released(al)
	}
}
