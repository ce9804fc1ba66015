package trial

import (
	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// Recorder keeps what the buffers hold after each launch.
type Recorder struct{ History *buffers.History }

func (r *Recorder) Before(l *device.Launch) { r.History.Launch(l.Arena, l.Params) }
func (r *Recorder) After(l *device.Launch) {
	if at, ok := momentOf(l); ok {
		r.History.Add(at, l.Arena)
	}
}

// momentOf is when a launch has ended. It is not ok if other work has not.
func momentOf(l *device.Launch) (at buffers.Moment, ok bool) {
	n, ok := l.Config.Moment()
	return buffers.Moment{Work: n, Launch: l.ID}, ok
}

// comparer notes the first difference of each buffer that compare tells from what was recorded.
type comparer struct {
	compare func(buffers.Moment, *mem.Arena) []buffers.Difference
	seen    map[string]bool
	found   []Difference
}

// Difference is a buffer that differs after a launch of kernel.
type Difference struct {
	buffers.Difference
	kernel string
}

func (c *comparer) Before(*device.Launch) {}

func (c *comparer) After(l *device.Launch) {
	at, ok := momentOf(l)
	if !ok {
		return
	}
	for _, d := range c.compare(at, l.Arena) {
		if !c.seen[d.Name] {
			c.seen[d.Name] = true
			c.found = append(c.found, Difference{d, l.Kernel})
		}
	}
}
