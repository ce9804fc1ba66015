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
	"github.com/warpgrind/warpgrind/internal/trace"
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
	defer arena.Close()
	s.launchObservers = append(s.launchObservers, &expectation{s: s, c: c})
	d, end, err := s.device(arena)
	if err != nil {
		return err
	}
	if s.on.CopiedUnwritten != nil {
		arena.TrackWrites()
	}
	if err := c.Restore(arena); err != nil {
		return err
	}
	c.RestoreTaints(arena, s.adopt)
	k, cfg, err := s.prepareReplay(d, c)
	if err != nil {
		return err
	}
	if err := s.chooseBlocks(d, c); err != nil {
		return err
	}
	defer s.watch(d)()
	s.report.Dir, s.report.Files = c.Dir, s.files
	s.say("replayed launch %d, recorded by warpgrind %.40s", c.Launch.ID, c.Version)
	for _, m := range c.Missing {
		s.say("not recorded: %.200s", m)
	}
	s.runReplay(ctx, d, k, &host.LaunchInfo{Kernel: c.Launch.Kernel, Module: c.Module.Name, Where: c.Launch.Where, LaunchConfig: cfg})
	end()
	s.finish(ctx, d, host.Exit{Canceled: errors.Is(ctx.Err(), context.Canceled)})
	return s.bad
}

// chooseBlocks chooses the blocks that run: those of the capsule, and of them those that the
// user names.
func (s *session) chooseBlocks(d *device.Device, c *capsule.Capsule) error {
	d.Blocks = c.Launch.Blocks
	if s.cfg.Blocks != "" {
		if c.Launch.Cluster.Size() > 1 || c.Launch.Cooperative {
			return errors.New("--block: blocks of clusters and of cooperative launches run together")
		}
		list, err := parseBlocks(s.cfg.Blocks, c.Launch.Grid.Size())
		if err != nil {
			return err
		}
		if d.Blocks != nil {
			list = slices.DeleteFunc(list, func(b uint64) bool { _, has := slices.BinarySearch(d.Blocks, b); return !has })
		}
		if d.Blocks = list; len(list) == 0 {
			return fmt.Errorf("--block %s: the capsule has none of these blocks", s.cfg.Blocks)
		}
	}
	if d.Blocks != nil {
		s.say("%d of %d blocks ran, without what the others write", len(d.Blocks), c.Launch.Grid.Size())
	}
	return nil
}

// prepareReplay loads the module and finds the kernel.
func (s *session) prepareReplay(d *device.Device, c *capsule.Capsule) (host.Kernel, host.LaunchConfig, error) {
	l := &c.Launch
	cfg := host.LaunchConfig{ID: l.ID, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster, SharedDynamic: l.SharedDynamic, Params: l.Params,
		Stream: l.Stream, Device: l.Device, Limits: host.Limits{Stack: l.Stack, Heap: l.Heap, Printf: l.Printf},
		Resident: l.Resident, Programmatic: l.Programmatic, Cooperative: l.Cooperative, GridWorkspace: l.GridWorkspace}
	text, err := c.PTX()
	if err != nil {
		return nil, cfg, err
	}
	m, err := d.Load(c.Module.Name, text, host.Meta{Build: c.Module.Build, Module: c.Module.Name})
	if err != nil {
		return nil, cfg, err
	}
	if err := checkVariables(m, c, d.Arena); err != nil {
		return nil, cfg, err
	}
	if err := m.Link(c.Module.Addresses); err != nil {
		return nil, cfg, err
	}
	k, err := m.Kernel(l.Kernel)
	if err != nil {
		return nil, cfg, err
	}
	return k, cfg, host.Admissible(s.arch, k, cfg)
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

// runReplay runs a launch and tells the observers what the host would.
func (s *session) runReplay(ctx context.Context, d *device.Device, k host.Kernel, info *host.LaunchInfo) host.LaunchResult {
	if s.on.Enqueued != nil {
		s.on.Enqueued(&trace.Enqueued{Launch: info.ID, Where: info.Where, Programmatic: info.Programmatic, Stream: trace.Stream{Device: info.Device, ID: info.Stream}})
	}
	if s.on.Runs != nil {
		s.on.Runs(info.ID)
	}
	res, err := d.Launch(ctx, k, info.LaunchConfig)
	if s.on.Finished != nil {
		s.on.Finished(info.ID)
	}
	if s.cfg.Stdout != nil {
		_, _ = s.cfg.Stdout.Write(res.Printf)
	}
	s.launched(info, res)
	var u interface{ Unsupported() string }
	switch {
	case errors.As(err, &u):
		s.unsupported = u.Unsupported()
	case err != nil && ctx.Err() == nil:
		s.bug = fmt.Errorf("kernel %s: %w", info.Kernel, err)
	}
	return res
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
