package engine

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// repeat runs a launch again from its beginning, for observers that ask for it
// (trace.LaunchObserver.Again): those that look at it in a way that costs little, and need all
// events of a launch that they suspect. The repetition leaves nothing but what these observers
// make of it, and memory: what it prints, its faults and its counts are the first run's.
//
//	keep: copies of what the launch may write ──► first run ──► its blocks have ended:
//	          the copies are put back, the launch runs again, memory stays as that leaves it
//	                                                    └─────► it waits for the host or another stream:
//	          the same, but then memory is as the first run left it, and that continues
type repeat struct {
	launch    Launch
	observers []*trace.LaunchObserver
	kept      []keptMemory
	first     *run
	// over: it has been repeated, or cannot be any more.
	over bool
}

// keptMemory is what an allocation had before the launch.
type keptMemory struct {
	base         uint64
	memory, data []byte
}

// Bounds on what is kept: bytes in all, and for each thread, so that small launches do not
// copy much memory. Threads that do much, as those of persistent kernels, are told by the launch
// of the kernel before: a byte for each of their instructions may be kept. The first launch of a kernel whose blocks may
// wait for each other may have more, as other orders of its blocks may be worth a try.
const (
	maxKept       = 1 << 30
	keptPerThread = 256
	keptAtFirst   = 16 << 20
)

// repeatable reports whether a launch can run again: it asks for nothing but memory, nothing
// else sees what it writes before it ends, and that is not too much. unseen is Launch.Unseen, did are the instructions of
// the kernel's last launch, 0 before one.
func (e *Engine) repeatable(t *trace.Launch, unseen func() bool, did uint64) bool {
	if t.Nests || slices.ContainsFunc(t.Sites, func(s *trace.Site) bool { return s.Allocates || s.Frees || s.Texture && s.Kind.Writes() }) {
		return false
	}
	size := uint64(0)
	for _, al := range e.writable(t) {
		if al.Kind.HostVisible() && !(al.Kind == mem.Managed && unseen != nil && unseen()) || al.Mapped {
			return false
		}
		size += al.Size
	}
	may := max(keptPerThread*t.Grid.Size()*t.Block.Size(), did)
	if t.Ordered && did == 0 {
		may = max(may, keptAtFirst)
	}
	if e.cfg.Keeps {
		may = maxKept
	}
	return size <= min(maxKept, may)
}

// writable lists the allocations that a launch may write: those of the parameters that its
// addresses come from, or all.
func (e *Engine) writable(t *trace.Launch) (list []*mem.Allocation) {
	for _, s := range t.Sites {
		if !s.Kind.Writes() || s.Size == 0 || s.Space != trace.SpaceGlobal && s.Space != trace.SpaceGeneric {
			continue
		}
		if len(s.Roots) == 0 {
			return e.cfg.Arena.Live()
		}
		for _, at := range s.Roots {
			if uint64(at)+8 > uint64(len(t.Params)) {
				return e.cfg.Arena.Live()
			}
			addr := binary.LittleEndian.Uint64(t.Params[at:])
			al := e.cfg.Arena.Find(addr)
			if al == nil && e.cfg.Arena.Contains(addr, 1) { // beside the one that is meant
				return e.cfg.Arena.Live()
			}
			if al != nil && !al.ReadOnly && !slices.Contains(list, al) {
				list = append(list, al)
			}
		}
	}
	return list
}

// keep copies what a launch may write, if an observer may ask for it again.
func (e *Engine) keep(r *run, l Launch) *repeat {
	p := &repeat{launch: l, first: r}
	tries := false
	for _, o := range r.observers {
		if o.Again != nil {
			p.observers = append(p.observers, o)
		}
		tries = tries || o.Trial != nil
	}
	if len(p.observers) == 0 && !tries {
		return nil
	}
	list, size := e.writable(r.launch), uint64(0)
	for _, al := range list {
		size += al.Size
	}
	if uint64(len(e.spare)) < size {
		e.spare = make([]byte, size)
	}
	room := e.spare
	for _, al := range list {
		k := keptMemory{al.Base, e.cfg.Arena.Bytes(al.Base, al.Size), room[:al.Size:al.Size]}
		copy(k.data, k.memory)
		p.kept, room = append(p.kept, k), room[al.Size:]
	}
	return p
}

// graceTime is how long a launch is repeated that was ended from outside.
const graceTime = 400 * time.Millisecond

// ended repeats a launch whose blocks have ended, and for a short time one that was ended from
// outside: most races show soon.
func (p *repeat) ended(r *run) {
	if p == nil || p.over || r.bug != nil {
		return
	}
	ctx := r.ctx
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), graceTime)
		defer cancel()
	}
	if asking := p.asking(false); len(asking) > 0 {
		p.run(ctx, asking)
	}
}

// waits repeats a launch that is about to wait for something outside of it. What that
// changes would be lost if it were repeated later.
func (p *repeat) waits() {
	if p == nil || p.over {
		return
	}
	p.over = true
	if asking := p.asking(true); len(asking) > 0 {
		now := p.now()
		p.launch.Await = nil
		p.run(p.first.ctx, asking)
		p.put(now)
		for _, b := range p.first.slots { // the observers may ignore less from now on
			b.env.Forget(p.first.prog)
		}
	}
}

// now copies what the memory has that the launch may write.
func (p *repeat) now() (list [][]byte) {
	for _, k := range p.kept {
		list = append(list, slices.Clone(k.memory))
	}
	return list
}

// put puts back what now has copied.
func (p *repeat) put(list [][]byte) {
	for i, data := range list {
		copy(p.kept[i].memory, data)
	}
}

// asking lists the observers that ask for the launch again.
func (p *repeat) asking(waits bool) (list []*trace.LaunchObserver) {
	for _, o := range p.observers {
		if o.Again(waits) {
			list = append(list, o)
		}
	}
	return list
}

// run runs the launch for some observers, with the memory that it began with.
func (p *repeat) run(ctx context.Context, observers []*trace.LaunchObserver) {
	for _, k := range p.kept {
		copy(k.memory, k.data)
	}
	r := p.first.e.newRun(ctx, p.first.prog, p.launch, p.first.launch, observers)
	accesses := r.launch.GlobalAccesses
	r.execute()
	r.launch.GlobalAccesses = accesses
	if p.first.bug == nil {
		p.first.bug = r.bug
	}
}
