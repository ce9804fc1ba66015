package warpgrind

import (
	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// launch is one launch as a spy sees it.
type launch struct {
	// ID counts launches from 0, Kernel is the mangled name.
	ID     int
	Kernel string
	Config host.LaunchConfig
	Params []buffers.Param
	arena  *mem.Arena
}

// spy looks at each launch before it begins and after it has ended.
type spy interface {
	before(*launch)
	after(*launch)
}

// spied calls the spies before a launch, and returns what calls them after it.
func (d *device) spied(k *kernel, c host.LaunchConfig) (after func()) {
	if len(d.spies) == 0 {
		return func() {}
	}
	var offsets, sizes []uint32
	for _, p := range k.Params() {
		offsets, sizes = append(offsets, p.Offset), append(sizes, p.Size)
	}
	l := &launch{ID: d.engine.Totals.Launches, Kernel: k.prog.Name, Config: c, arena: d.arena,
		Params: buffers.Params(k.prog.Name, c.Params, offsets, sizes)}
	for _, s := range d.spies {
		s.before(l)
	}
	return func() {
		for _, s := range d.spies {
			s.after(l)
		}
	}
}

// recorder keeps what the buffers hold after each launch.
type recorder struct{ history *buffers.History }

func (r *recorder) before(l *launch) { r.history.Launch(l.arena, l.Params) }
func (r *recorder) after(l *launch)  { r.history.Add(l.arena) }

// comparer notes the first difference of each buffer from a recorded run.
type comparer struct {
	history *buffers.History
	seen    map[string]bool
	found   []difference
}

// difference is a buffer that differs after a launch of kernel.
type difference struct {
	buffers.Difference
	kernel string
}

func (c *comparer) before(*launch) {}

func (c *comparer) after(l *launch) {
	for _, d := range c.history.Compare(l.ID, l.arena) {
		if !c.seen[d.Buffer] {
			c.seen[d.Buffer] = true
			c.found = append(c.found, difference{d, l.Kernel})
		}
	}
}
