package session

import (
	"io"
	"strings"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// launchLog writes what is launched before it runs, so that the last line says
// what a program hangs or crashes in.
type launchLog struct {
	w io.Writer
}

func (g *launchLog) Before(l *device.Launch) {
	var b strings.Builder
	c := l.Config
	_, _ = visible.Fprintf(&b, "launch %d: %s, grid (%d,%d,%d), block (%d,%d,%d), %d bytes of dynamic shared memory\n", l.ID,
		finding.Demangle(l.Kernel), c.Grid.X, c.Grid.Y, c.Grid.Z, c.Block.X, c.Block.Y, c.Block.Z, c.SharedDynamic)
	buffers.WriteParams(&b, l.Arena, l.Params)
	io.WriteString(g.w, b.String()) // in one piece, unbuffered
}

func (g *launchLog) After(l *device.Launch) { _, _ = visible.Fprintf(g.w, "launch %d: ended\n", l.ID) }

// Rejected is for trace.Observer: a launch that CUDA refuses is
// in the log as well, with the reason.
func (g *launchLog) Rejected(r *trace.RejectedLaunch) {
	_, _ = visible.Fprintf(g.w, "refused: %s, grid (%d,%d,%d), block (%d,%d,%d), %d bytes of dynamic shared memory: %s\n",
		finding.Demangle(r.Kernel), r.Grid.X, r.Grid.Y, r.Grid.Z, r.Block.X, r.Block.Y, r.Block.Z, r.SharedDynamic, r.Message)
}

// dumper writes the buffers to files after each launch that is checked.
type dumper struct {
	dir    string
	filter *launchFilter
	types  buffers.Types
	err    error
}

func (d *dumper) Before(l *device.Launch) { d.types.Learn(l.Arena, l.Params) }

func (d *dumper) After(l *device.Launch) {
	if d.err == nil && d.filter.admitted(l.ID) {
		d.err = d.types.Dump(d.dir, l.Arena, l.ID, finding.Demangle(l.Kernel))
	}
}

// watchLaunches adds the observers of launches that the controls ask for. The function that it returns
// says what went wrong with them.
func (s *Session) watchLaunches() (end func()) {
	c := &s.Cfg.RunConfig
	if c.LogLaunches != nil {
		g := &launchLog{w: c.LogLaunches}
		s.LaunchObservers, s.Observers = append(s.LaunchObservers, g), append(s.Observers, &trace.Observer{Rejected: g.Rejected})
	}
	if c.ListLaunches != nil {
		s.listLaunches(c.ListLaunches)
	}
	if c.DumpBuffers == "" {
		return func() {}
	}
	d := &dumper{dir: c.DumpBuffers, filter: s.Filter}
	s.LaunchObservers = append(s.LaunchObservers, d)
	return func() {
		if d.err != nil {
			s.Unwritten = true
			s.Say("buffers not written: %v", d.err)
		}
	}
}

// ran adds a launch that has ended to the report.
func (s *Session) ran(l *device.Ran) {
	if s.afterLaunch != nil {
		s.afterLaunch(l)
	}
	if n := l.Counts; n.Launches > 0 {
		s.Report.AddLaunch(report.Launch{
			ID: l.ID, Count: 1, Kernel: l.Kernel, KernelName: l.Shown,
			Grid: check.Coord(l.Config.Grid), Block: check.Coord(l.Config.Block), SharedDynamic: uint64(l.Config.SharedDynamic),
			Instructions: n.ThreadInstrs, Accesses: n.Accesses,
		})
	}
}
