package session

import (
	"fmt"
	"os"
	"strings"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// capsules records the launches that are checked.
type capsules struct {
	s    *Session
	to   *capsule.Recorder
	only *launchList
	near *Neighbors
	at   map[int]string          // the calls of the launches, by number
	open map[int]*recordedLaunch // launches that run, by number
	// child has the launches that are child grids, top is the one without parents that runs.
	child map[int]bool
	top   int
	n     int
	err   error
}

// recordedLaunch is a launch that is recorded. Its child grids are part of it: top is the launch that it
// is below, or is. over is set when its own threads have ended.
type recordedLaunch struct {
	*capsule.Recording
	top         int
	nests, over bool
}

// record begins to record launches, if the controls ask for it. The function that it returns
// ends the recording and adds the number of launches to the report.
func (s *Session) record() (end func(), err error) {
	dir := s.Cfg.Record
	if dir == "" {
		return func() {}, nil
	}
	only, err := parseLaunches(s.Cfg.Launches)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	to, err := capsule.NewRecorder(dir)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	c := &capsules{s: s, to: to, only: only, near: NewNeighbors(), at: map[int]string{}, open: map[int]*recordedLaunch{}, child: map[int]bool{}}
	s.LaunchObservers = append(s.LaunchObservers, c)
	s.Observers = append(s.Observers, c.near.Observer(), &trace.Observer{Enqueued: c.enqueued, Runs: c.runs, Finished: c.finished})
	return func() {
		if c.err != nil {
			s.Say("recording stopped: %v", c.err)
		}
		s.Say("recorded %d launches in %s", c.n, dir)
		if err := to.Close(); err != nil {
			s.Say("%s: %v", dir, err)
		}
	}, nil
}

func (c *capsules) enqueued(e *trace.Enqueued) {
	c.at[e.Launch] = e.Where
	if e.FromDevice {
		c.child[e.Launch] = true
	}
}

// runs notes the launch that begins or continues.
func (c *capsules) runs(launch int) {
	if !c.child[launch] {
		c.top = launch
	}
}

// within reports whether a launch that begins is a child grid of one that is recorded.
func (c *capsules) within() bool {
	for _, o := range c.open {
		if o.nests && o.top == c.top {
			return true
		}
	}
	return false
}

// Before implements device.Observer.
func (c *capsules) Before(l *device.Launch) {
	where := c.at[l.ID]
	delete(c.at, l.ID)
	c.near.runs(l.ID, l.Kernel)
	if c.err != nil || !c.s.Filter.admit(l.ID, l.Kernel) || !c.only.has(l.ID, l.Kernel) || c.within() {
		return
	}
	dir, _ := os.Getwd()
	m := &capsule.Capsule{Version: Version, Dir: dir, Settings: c.s.settings(), Launch: launchOf(l),
		Module: capsule.Module{Name: l.Module.Name, Build: l.Module.Build, Addresses: l.Module.Addresses}}
	m.Launch.Where, m.Launch.Neighbors = where, c.near.of(l.ID)
	m.Missing = unordered(m.Launch.Neighbors)
	if l.Nests {
		lim := &l.Config.Limits
		m.Launch.Children = &capsule.Children{Next: c.s.Numbers.Launches(), SyncDepth: lim.SyncDepth, Pending: lim.Pending}
		m.Settings.Kernel, m.Settings.KernelExclude, m.Settings.Count = c.s.Cfg.Kernel, c.s.Cfg.KernelExclude, c.s.Filter.left()
	}
	t := capsule.Texts{PTX: l.Module.PTX, Sources: map[string][]byte{}, Origin: c.s.origin}
	for _, f := range l.Module.Files {
		if b := c.s.text(f); b != nil {
			t.Files, t.Sources[f] = append(t.Files, f), b
		}
	}
	var g *capsule.Recording
	if g, c.err = c.to.Begin(capsuleName(l), m, t, l.Arena, c.s.Cfg.RecordAll); c.err == nil {
		c.open[l.ID] = &recordedLaunch{Recording: g, top: c.top, nests: l.Nests}
		c.n++
	}
}

// After implements device.Observer.
func (c *capsules) After(l *device.Launch) {
	if g := c.open[l.ID]; g != nil {
		g.over = true
	}
}

// finished ends the recording of a launch that is over, with all its child grids.
func (c *capsules) finished(launch int) {
	delete(c.child, launch)
	g := c.open[launch]
	if g == nil || !g.over { // the check was ended, and the kernel was not
		return
	}
	delete(c.open, launch)
	if err := g.End(); err != nil && c.err == nil {
		c.err = err
	}
}

// maxKernelName bounds a kernel's name in a file's.
const maxKernelName = 60

// capsuleName is "launch-0003-scan.json": what people look for, in the order of launches.
func capsuleName(l *device.Launch) string {
	name := finding.DemangleName(l.Kernel)
	name, _, _ = strings.Cut(name, "<")
	name = name[strings.LastIndexByte(name, ':')+1:]
	name = strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '-'
	}, name)
	return fmt.Sprintf("launch-%04d-%s.json", l.ID, name[:min(len(name), maxKernelName)])
}

// origin is where an undefined value in memory comes from.
func (s *Session) origin(number uint32) (capsule.Origin, bool) {
	for _, c := range s.checkers {
		if k, is := c.(check.OriginKeeper); is {
			o, ok := k.Origin(number)
			return capsule.Origin(o), ok
		}
	}
	return capsule.Origin{}, false
}

// Adopt returns a number for an origin that a capsule has.
func (s *Session) Adopt(o capsule.Origin) uint32 {
	for _, c := range s.checkers {
		if k, is := c.(check.OriginKeeper); is {
			return k.Adopt(check.Origin(o))
		}
	}
	return 0
}

// text is a source file that positions name, nil if it cannot be read.
func (s *Session) text(file string) []byte {
	if text, ok := s.Files.Text(file); ok {
		return []byte(text)
	}
	return nil
}

// settings are those that decide what a check finds.
func (s *Session) settings() capsule.Settings {
	return capsule.Settings{Arch: s.Arch.String(), Tools: s.Cfg.Tools, RaceModel: s.Report.RaceModel, RacePolicy: s.Cfg.RacePolicy,
		OnFault: s.Cfg.OnFault, Schedule: s.Cfg.Schedule, Seed: s.Cfg.Seed, MaxSteps: s.Cfg.MaxSteps, Sample: s.Cfg.Sample}
}

func launchOf(l *device.Launch) capsule.Launch {
	c := l.Config
	out := capsule.Launch{ID: l.ID, Kernel: l.Kernel, Grid: c.Grid, Block: c.Block, Cluster: c.Cluster, SharedDynamic: c.SharedDynamic,
		Params: c.Params, Stream: c.Stream, Device: c.Device, Stack: c.Limits.Stack, Heap: c.Limits.Heap, Printf: c.Limits.Printf,
		Resident: c.Resident, Programmatic: c.Programmatic, Cooperative: c.Cooperative, GridWorkspace: c.GridWorkspace, Blocks: c.Blocks}
	out.Arguments = argumentsOf(l)
	return out
}
