package session

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
)

// Status is how far the launch has come that is running.
type Status struct {
	// Kernel is its name as in the source, Launch its number from 0.
	Kernel string
	Launch int
	// Done and Blocks count the blocks of the grid.
	Done, Blocks uint64
	// Rate is the instructions of threads in the last second.
	Rate float64
	// Elapsed is the time since the launch began, Left an estimate of what
	// remains; 0 where nothing can be said.
	Elapsed, Left time.Duration
	// Findings counts those of the launches before.
	Findings int
}

// tick is the time between two calls of Config.Progress.
const tick = 250 * time.Millisecond

// watcher tells Config.Progress how far the launches come.
type watcher struct {
	engine *engine.Engine
	tell   func(*Status)
	// count asks for the findings to be counted after the next launch.
	count    atomic.Bool
	findings atomic.Int64
	// shown tells that the last call had a status.
	shown bool
	last  engine.Progress
}

// Watch calls s.cfg.Progress until the function that it returns is called.
func (s *Session) Watch(d *device.Device) (end func()) {
	if s.Cfg.Progress == nil {
		return func() {}
	}
	w := &watcher{engine: d.Engine, tell: s.Cfg.Progress}
	ran := d.Ran
	d.Ran = func(l *device.Ran) {
		ran(l)
		if w.count.Swap(false) {
			n := 0
			for _, c := range s.checkers {
				n += len(c.Findings())
			}
			w.findings.Store(int64(n))
		}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		t := time.NewTicker(tick)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				w.step()
			case <-stop:
				w.show(nil)
				return
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

func (w *watcher) step() {
	w.count.Store(true)
	p, ok := w.engine.Progress()
	if !ok {
		w.show(nil)
		return
	}
	st := &Status{
		Kernel: finding.Demangle(p.Kernel), Launch: p.Launch, Done: p.Done, Blocks: p.Blocks,
		Elapsed: p.Elapsed, Findings: int(w.findings.Load()),
	}
	if p.Launch == w.last.Launch && p.Instrs >= w.last.Instrs && p.Elapsed > w.last.Elapsed {
		st.Rate = float64(p.Instrs-w.last.Instrs) / (p.Elapsed - w.last.Elapsed).Seconds()
	}
	if p.Done > 0 {
		st.Left = time.Duration(float64(p.Elapsed) / float64(p.Done) * float64(p.Blocks-p.Done))
	}
	w.last = p
	w.show(st)
}

// show passes a status on, and once that there is none.
func (w *watcher) show(st *Status) {
	if st != nil || w.shown {
		w.tell(st)
	}
	w.shown = st != nil
}

// slow is the warning of a block that takes long.
func (s *Session) slow(b engine.Slow) {
	if s.Cfg.Warn != nil {
		s.Cfg.Warn(fmt.Sprintf("%s, launch %d: block (%d,%d,%d) has run for %v: %s",
			report.ShortName(finding.Demangle(b.Kernel)), b.Launch, b.Block.X, b.Block.Y, b.Block.Z, b.Elapsed, b.Where))
	}
}
