package session

import (
	"fmt"
	"os"
	"strings"

	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// capsules records the launches that are checked.
type capsules struct {
	s    *session
	to   *capsule.Recorder
	only *launchList
	near *neighbors
	at   map[int]string             // the calls of the launches, by number
	open map[int]*capsule.Recording // launches that run, by number
	n    int
	err  error
}

// record begins to record launches, if the controls ask for it. The function that it returns
// ends the recording and adds the number of launches to the report.
func (s *session) record() (end func(), err error) {
	dir := s.cfg.Record
	if dir == "" {
		return func() {}, nil
	}
	only, err := parseLaunches(s.cfg.Launches)
	if err != nil {
		return nil, &UsageError{err}
	}
	to, err := capsule.NewRecorder(dir)
	if err != nil {
		return nil, &UsageError{err}
	}
	c := &capsules{s: s, to: to, only: only, near: newNeighbors(), at: map[int]string{}, open: map[int]*capsule.Recording{}}
	s.launchObservers = append(s.launchObservers, c)
	s.observers = append(s.observers, c.near.observer(), &trace.Observer{Enqueued: func(e *trace.Enqueued) { c.at[e.Launch] = e.Where }})
	return func() {
		if c.err != nil {
			s.say("recording stopped: %v", c.err)
		}
		s.say("recorded %d launches in %s", c.n, dir)
		if err := to.Close(); err != nil {
			s.say("%s: %v", dir, err)
		}
	}, nil
}

// Before implements device.Observer.
func (c *capsules) Before(l *device.Launch) {
	where := c.at[l.ID]
	delete(c.at, l.ID)
	c.near.runs(l.ID, l.Kernel)
	if c.err != nil || !c.s.filter.admit(l.ID, l.Kernel) || !c.only.has(l.ID, l.Kernel) {
		return
	}
	if l.Nests {
		c.s.say("launch %d of %s is not recorded: its kernel can launch child grids", l.ID, finding.Demangle(l.Kernel))
		return
	}
	dir, _ := os.Getwd()
	m := &capsule.Capsule{Version: Version, Dir: dir, Settings: c.s.settings(), Launch: launchOf(l),
		Module: capsule.Module{Name: l.Module.Name, Build: l.Module.Build, Addresses: l.Module.Addresses}}
	m.Launch.Where, m.Launch.Neighbors = where, c.near.of(l.ID)
	m.Missing = unordered(m.Launch.Neighbors)
	t := capsule.Texts{PTX: l.Module.PTX, Sources: map[string][]byte{}, Origin: c.s.origin}
	for _, f := range l.Module.Files {
		if b := c.s.text(f); b != nil {
			t.Files, t.Sources[f] = append(t.Files, f), b
		}
	}
	var g *capsule.Recording
	if g, c.err = c.to.Begin(capsuleName(l), m, t, l.Arena, c.s.cfg.RecordAll); c.err == nil {
		c.open[l.ID] = g
		c.n++
	}
}

// After implements device.Observer.
func (c *capsules) After(l *device.Launch) {
	g := c.open[l.ID]
	if g == nil {
		return
	}
	delete(c.open, l.ID)
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
func (s *session) origin(number uint32) (capsule.Origin, bool) {
	for _, c := range s.checkers {
		if k, is := c.(check.OriginKeeper); is {
			o, ok := k.Origin(number)
			return capsule.Origin(o), ok
		}
	}
	return capsule.Origin{}, false
}

// adopt returns a number for an origin that a capsule has.
func (s *session) adopt(o capsule.Origin) uint32 {
	for _, c := range s.checkers {
		if k, is := c.(check.OriginKeeper); is {
			return k.Adopt(check.Origin(o))
		}
	}
	return 0
}

// text is a source file that positions name, nil if it cannot be read.
func (s *session) text(file string) []byte {
	if text, ok := s.files.Text(file); ok {
		return []byte(text)
	}
	return nil
}

// settings are those that decide what a check finds.
func (s *session) settings() capsule.Settings {
	return capsule.Settings{Arch: s.arch.String(), Tools: s.cfg.Tools, RaceModel: s.report.RaceModel, RacePolicy: s.cfg.RacePolicy,
		OnFault: s.cfg.OnFault, Schedule: s.cfg.Schedule, Seed: s.cfg.Seed, MaxSteps: s.cfg.MaxSteps}
}

func launchOf(l *device.Launch) capsule.Launch {
	c := l.Config
	out := capsule.Launch{ID: l.ID, Kernel: l.Kernel, Grid: c.Grid, Block: c.Block, Cluster: c.Cluster, SharedDynamic: c.SharedDynamic,
		Params: c.Params, Stream: c.Stream, Device: c.Device, Stack: c.Limits.Stack, Heap: c.Limits.Heap, Printf: c.Limits.Printf,
		Resident: c.Resident, Programmatic: c.Programmatic, Cooperative: c.Cooperative, GridWorkspace: c.GridWorkspace}
	out.Arguments = argumentsOf(l)
	return out
}
