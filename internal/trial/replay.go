package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/kernels"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

// Replay runs the launch of a capsule again, checks it, and compares the memory after it. What cfg leaves open is as when it
// was recorded. The error is a *UsageError, or a bug.
func Replay(ctx context.Context, file string, cfg session.Config, want Expected) (*report.Report, error) {
	c, err := capsule.Open(file)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	defer c.Close()
	recorded(&cfg, &c.Settings)
	s, err := session.NewSession(cfg)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	if cfg.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cfg.Timeout)
		defer cancel()
	}
	if err := replayOne(ctx, s, c, want); err != nil {
		return nil, &build.UsageError{Err: &capsule.Error{File: file, Err: err}}
	}
	return s.Report, nil
}

// recorded takes the settings of a capsule where the user names none.
func recorded(cfg *session.Config, s *capsule.Settings) {
	if cfg.Arch == "" && cfg.RaceModel == "" {
		cfg.RaceModel = s.RaceModel
	}
	cfg.Arch, cfg.Tools = cmp.Or(cfg.Arch, s.Arch), cmp.Or(cfg.Tools, s.Tools)
	cfg.RacePolicy, cfg.OnFault = cmp.Or(cfg.RacePolicy, s.RacePolicy), cmp.Or(cfg.OnFault, s.OnFault)
	if cfg.Schedule == "" {
		cfg.Schedule, cfg.Seed = s.Schedule, s.Seed
	}
	if cfg.MaxSteps == 0 {
		cfg.MaxSteps = s.MaxSteps
	}
	if cfg.OnlyBlocks == "" { // blocks that the user names are all checked
		cfg.Sample = cmp.Or(cfg.Sample, s.Sample)
	}
	cfg.Kernel, cfg.KernelExclude, cfg.LaunchCount = s.Kernel, s.KernelExclude, s.Count
}

// replayOne runs the launch of c.
func replayOne(ctx context.Context, s *session.Session, c *capsule.Capsule, want Expected) error {
	for _, f := range c.Sources {
		text, err := c.Text(f)
		if err != nil {
			return fmt.Errorf("source %s: %w", f.File, err)
		}
		s.Files.Add(f.File, text)
	}
	arena, err := mem.New(c.Memory.Size)
	if err != nil {
		return err
	}
	after := &expectation{s: s, c: c, want: want}
	s.LaunchObservers = append(s.LaunchObservers, after)
	d, end, err := s.Device(arena)
	if err != nil {
		return err
	}
	r := kernels.NewReplay(s, d, s.Hooks())
	defer func() {
		if !r.Abandoned() {
			arena.Close()
		}
	}()
	if err := c.Restore(arena); err != nil {
		return err
	}
	ctx, endRoom := s.WatchRoom(ctx, arena)
	defer endRoom()
	c.RestoreTaints(arena, s.Adopt)
	m, k, cfg, err := prepareReplay(s, d, c)
	if err != nil {
		return err
	}
	if cfg.Blocks, err = chooseBlocks(s, c); err != nil {
		return err
	}
	defer s.Watch(d)()
	s.Report.Dir, s.Report.Files = c.Dir, s.Files
	s.Say("replayed launch %d, recorded by warpgrind %.40s", c.Launch.ID, c.Version)
	for _, m := range c.Missing {
		s.Say("not recorded: %.200s", m)
	}
	next := c.Launch.ID + 1
	if c.Launch.Children != nil {
		next = c.Launch.Children.Next
	}
	printed, _ := r.Run(ctx, m, k, &host.LaunchInfo{Kernel: c.Launch.Kernel, Module: c.Module.Name, Where: c.Launch.Where, LaunchConfig: cfg}, next)
	if s.Cfg.Stdout != nil {
		_, _ = s.Cfg.Stdout.Write(printed)
	}
	if !r.Abandoned() {
		after.end(arena)
	}
	end()
	s.Finish(ctx, d, host.Exit{Canceled: errors.Is(ctx.Err(), context.Canceled)})
	return s.Bad
}

// chooseBlocks chooses the blocks that run: those of the capsule, and of them those that the
// user names; nil for all.
func chooseBlocks(s *session.Session, c *capsule.Capsule) ([]uint64, error) {
	blocks := c.Launch.Blocks
	if s.Cfg.OnlyBlocks != "" {
		if c.Launch.Cluster.Size() > 1 || c.Launch.Cooperative {
			return nil, errors.New("--only-blocks: blocks of clusters and of cooperative launches run together")
		}
		list, err := s.Only.Of(c.Launch.Grid.Size())
		if err != nil {
			return nil, err
		}
		if blocks != nil {
			list = slices.DeleteFunc(list, func(b uint64) bool { _, has := slices.BinarySearch(blocks, b); return !has })
		}
		if blocks = list; len(list) == 0 {
			return nil, fmt.Errorf("--only-blocks %s: the capsule has none of these blocks; the grid has %d, numbered from 0", s.Cfg.OnlyBlocks, c.Launch.Grid.Size())
		}
	}
	if blocks != nil {
		s.Stated = true
		s.Say("%d of %d blocks ran, without what the others write", len(blocks), c.Launch.Grid.Size())
	}
	return blocks, nil
}

// prepareReplay loads the module and finds the kernel.
func prepareReplay(s *session.Session, d *device.Device, c *capsule.Capsule) (host.Module, host.Kernel, host.LaunchConfig, error) {
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
	return m, k, cfg, host.Admissible(s.Arch, k, cfg)
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

// ExportCapsule writes the launch of a capsule as a CUDA program.
func ExportCapsule(w io.Writer, file string) error {
	c, err := capsule.Open(file)
	if err != nil {
		return &build.UsageError{Err: err}
	}
	defer c.Close()
	title := fmt.Sprintf("launch %d of %s", c.Launch.ID, finding.Demangle(c.Launch.Kernel))
	if err := c.Export(w, title); err != nil {
		return &build.UsageError{Err: &capsule.Error{File: file, Err: err}}
	}
	return nil
}
