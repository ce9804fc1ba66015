package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/report"
)

// Replay runs the launch of a capsule again and checks it. What cfg leaves open is as when it
// was recorded. The error is a *UsageError, or a bug.
func Replay(ctx context.Context, file string, cfg Config) (*report.Report, error) {
	c, err := capsule.Open(file)
	if err != nil {
		return nil, &UsageError{err}
	}
	defer c.Close()
	cfg.recorded(&c.Settings)
	s, err := newSession(cfg)
	if err != nil {
		return nil, &UsageError{err}
	}
	if cfg.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cfg.Timeout)
		defer cancel()
	}
	if err := s.replay(ctx, c); err != nil {
		return nil, &UsageError{&capsule.Error{File: file, Err: err}}
	}
	return s.report, nil
}

// recorded takes the settings of a capsule where the user names none.
func (cfg *Config) recorded(s *capsule.Settings) {
	if cfg.Arch == "" && cfg.RaceModel == "" {
		cfg.RaceModel = s.RaceModel
	}
	cfg.Arch, cfg.Tools = or(cfg.Arch, s.Arch), or(cfg.Tools, s.Tools)
	cfg.RacePolicy, cfg.OnFault = or(cfg.RacePolicy, s.RacePolicy), or(cfg.OnFault, s.OnFault)
	if cfg.Schedule == "" {
		cfg.Schedule, cfg.Seed = s.Schedule, s.Seed
	}
	if cfg.MaxSteps == 0 {
		cfg.MaxSteps = s.MaxSteps
	}
	if cfg.OnlyBlocks == "" { // blocks that the user names are all checked
		cfg.Sample = or(cfg.Sample, s.Sample)
	}
	cfg.Kernel, cfg.KernelExclude, cfg.LaunchCount = s.Kernel, s.KernelExclude, s.Count
}

// replay runs the launch of c.
func (s *session) replay(ctx context.Context, c *capsule.Capsule) error {
	for _, f := range c.Sources {
		text, err := c.Text(f)
		if err != nil {
			return fmt.Errorf("source %s: %w", f.File, err)
		}
		s.files.Add(f.File, text)
	}
	arena, err := mem.New(c.Memory.Size)
	if err != nil {
		return err
	}
	after := &expectation{s: s, c: c}
	s.launchObservers = append(s.launchObservers, after)
	d, end, err := s.device(arena)
	if err != nil {
		return err
	}
	r := s.replays(d, s.hooks())
	defer func() {
		if !r.Abandoned() {
			arena.Close()
		}
	}()
	if err := c.Restore(arena); err != nil {
		return err
	}
	ctx, endRoom := s.watchRoom(ctx, arena)
	defer endRoom()
	c.RestoreTaints(arena, s.adopt)
	m, k, cfg, err := s.prepareReplay(d, c)
	if err != nil {
		return err
	}
	if cfg.Blocks, err = s.chooseBlocks(c); err != nil {
		return err
	}
	defer s.watch(d)()
	s.report.Dir, s.report.Files = c.Dir, s.files
	s.say("replayed launch %d, recorded by warpgrind %.40s", c.Launch.ID, c.Version)
	for _, m := range c.Missing {
		s.say("not recorded: %.200s", m)
	}
	next := c.Launch.ID + 1
	if c.Launch.Children != nil {
		next = c.Launch.Children.Next
	}
	printed, _ := r.Run(ctx, m, k, &host.LaunchInfo{Kernel: c.Launch.Kernel, Module: c.Module.Name, Where: c.Launch.Where, LaunchConfig: cfg}, next)
	if s.cfg.Stdout != nil {
		_, _ = s.cfg.Stdout.Write(printed)
	}
	if !r.Abandoned() {
		after.end(arena)
	}
	end()
	s.finish(ctx, d, host.Exit{Canceled: errors.Is(ctx.Err(), context.Canceled)})
	return s.bad
}

// chooseBlocks chooses the blocks that run: those of the capsule, and of them those that the
// user names; nil for all.
func (s *session) chooseBlocks(c *capsule.Capsule) ([]uint64, error) {
	blocks := c.Launch.Blocks
	if s.cfg.OnlyBlocks != "" {
		if c.Launch.Cluster.Size() > 1 || c.Launch.Cooperative {
			return nil, errors.New("--only-blocks: blocks of clusters and of cooperative launches run together")
		}
		list, err := s.only.of(c.Launch.Grid.Size())
		if err != nil {
			return nil, err
		}
		if blocks != nil {
			list = slices.DeleteFunc(list, func(b uint64) bool { _, has := slices.BinarySearch(blocks, b); return !has })
		}
		if blocks = list; len(list) == 0 {
			return nil, fmt.Errorf("--only-blocks %s: the capsule has none of these blocks; the grid has %d, numbered from 0", s.cfg.OnlyBlocks, c.Launch.Grid.Size())
		}
	}
	if blocks != nil {
		s.stated = true
		s.say("%d of %d blocks ran, without what the others write", len(blocks), c.Launch.Grid.Size())
	}
	return blocks, nil
}

// prepareReplay loads the module and finds the kernel.
func (s *session) prepareReplay(d *device.Device, c *capsule.Capsule) (host.Module, host.Kernel, host.LaunchConfig, error) {
	l := &c.Launch
	cfg := host.LaunchConfig{ID: l.ID, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster, SharedDynamic: l.SharedDynamic, Params: l.Params,
		Stream: l.Stream, Device: l.Device, Limits: host.Limits{Stack: l.Stack, Heap: l.Heap, Printf: l.Printf},
		Resident: l.Resident, Programmatic: l.Programmatic, Cooperative: l.Cooperative, GridWorkspace: l.GridWorkspace}
	if l.Children != nil {
		cfg.Limits.SyncDepth, cfg.Limits.Pending = l.Children.SyncDepth, l.Children.Pending
	}
	text, err := c.PTX()
	if err != nil {
		return nil, nil, cfg, err
	}
	m, err := d.Load(c.Module.Name, text, host.Meta{Build: c.Module.Build, Module: c.Module.Name})
	if err != nil {
		return nil, nil, cfg, err
	}
	if err := checkVariables(m, c, d.Arena); err != nil {
		return nil, nil, cfg, err
	}
	if err := m.Link(c.Module.Addresses); err != nil {
		return nil, nil, cfg, err
	}
	k, err := m.Kernel(l.Kernel)
	if err != nil {
		return nil, nil, cfg, err
	}
	return m, k, cfg, host.Admissible(s.arch, k, cfg)
}

// checkVariables checks that each variable of the module has its memory: accesses to variables
// are not checked again when they run.
func checkVariables(m host.Module, c *capsule.Capsule, arena *mem.Arena) error {
	for _, v := range m.Variables() {
		addr, known := c.Module.Addresses[v.Name]
		if !known {
			return fmt.Errorf("variable %s has no address", v.Name)
		}
		al := arena.Find(addr)
		if al == nil || addr-al.Base > al.Size || v.Size > al.Size-(addr-al.Base) {
			return fmt.Errorf("variable %s of %d bytes has no memory at 0x%x", v.Name, v.Size, addr)
		}
	}
	return nil
}

// replays makes what runs launches without a program.
func (s *session) replays(d *device.Device, hooks host.Hooks) *host.Replay {
	r := host.NewReplay(host.Config{Arena: d.Arena, Arch: s.arch, Forgive: s.cfg.OnFault == "kernel", Runner: d, Observer: s.on, Hooks: hooks})
	s.numbers = r
	return r
}

// ExportCapsule writes the launch of a capsule as a CUDA program.
func ExportCapsule(w io.Writer, file string) error {
	c, err := capsule.Open(file)
	if err != nil {
		return &UsageError{err}
	}
	defer c.Close()
	title := fmt.Sprintf("launch %d of %s", c.Launch.ID, finding.Demangle(c.Launch.Kernel))
	if err := c.Export(w, title); err != nil {
		return &UsageError{&capsule.Error{File: file, Err: err}}
	}
	return nil
}
