package trial

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/session"
)

// Minimized is what came of Minimize.
type Minimized struct {
	// File is the new capsule; Findings are those that it still shows, as one-line texts.
	File     string
	Findings []string
	// Blocks and Bytes are how many blocks run and how much memory has contents, before
	// and after; Replays how often the launch ran.
	Blocks, Bytes [2]uint64
	Replays       int
	// Cut is set if the time was over before all had been tried.
	Cut bool
}

// Minimize writes to dir the smallest capsule that it finds in the time that cfg.Timeout gives
// and that shows the same findings at cfg.ErrorLevel and above: fewer blocks, less memory with
// contents. Parts are left out by delta debugging (Zeller and Hildebrandt, "Simplifying and
// Isolating Failure-Inducing Input", 2002), each time with a replay.
func Minimize(ctx context.Context, file, dir string, cfg session.Config) (*Minimized, error) {
	c, err := capsule.Open(file)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	defer c.Close()
	recorded(&cfg, &c.Settings)
	limit := cfg.Timeout
	cfg.Timeout = 0
	cfg.Stdout, cfg.Stderr, cfg.Progress, cfg.Warn = nil, nil, nil, nil
	m := &minimizer{ctx: ctx, cfg: cfg, c: c}
	first, err := m.replay()
	if err != nil {
		return nil, &build.UsageError{Err: &capsule.Error{File: file, Err: err}}
	}
	level, err := finding.ParseLevel(cmp.Or(cfg.ErrorLevel, "error"))
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	out := &Minimized{Blocks: [2]uint64{c.Blocks()}, Bytes: [2]uint64{c.Bytes()}}
	for _, f := range first {
		if f.Level >= level {
			m.wanted = append(m.wanted, keyOf(f))
			out.Findings = append(out.Findings, f.Rule+": "+f.Message)
		}
	}
	if len(m.wanted) == 0 {
		return nil, &build.UsageError{Err: &capsule.Error{File: file, Err: fmt.Errorf("no finding at level %v: nothing to keep", level)}}
	}
	if limit > 0 {
		m.until = time.Now().Add(limit)
	}
	m.blocks()
	m.chunks()
	m.marks()
	if m.failed != nil {
		return nil, m.failed
	}
	out.Blocks[1], out.Bytes[1], out.Replays, out.Cut = c.Blocks(), c.Bytes(), m.replays, m.over()
	out.File = filepath.Join(dir, filepath.Base(file))
	c.DropOutputs()
	if err := c.CopyTo(dir, filepath.Base(file)); err != nil {
		return nil, &build.UsageError{Err: err}
	}
	return out, nil
}

// minimizer makes a capsule smaller.
type minimizer struct {
	ctx     context.Context
	cfg     session.Config
	c       *capsule.Capsule
	wanted  []string
	until   time.Time // zero for no limit
	replays int
	failed  error
}

// keyOf names a finding in each replay. How often something happened is not part of it.
func keyOf(f *finding.Finding) string { return f.Rule + "\x00" + f.Key }

// replay runs the capsule as it is now.
func (m *minimizer) replay() ([]*finding.Finding, error) {
	m.replays++
	s, err := session.NewSession(m.cfg)
	if err != nil {
		return nil, err
	}
	s.Partial = true // the findings as the rules gave them
	if err := replayOne(m.ctx, s, m.c, Expected{}); err != nil {
		return nil, err
	}
	if s.Bug != nil {
		return nil, s.Bug
	}
	return s.Found, m.ctx.Err()
}

func (m *minimizer) over() bool {
	return m.failed != nil || m.ctx.Err() != nil || !m.until.IsZero() && time.Now().After(m.until)
}

// shows reports whether the capsule still shows all that is wanted. Without a part that it
// needs, a replay may fail: then it does not.
func (m *minimizer) shows() bool {
	found, err := m.replay()
	if err != nil {
		if m.ctx.Err() != nil {
			m.failed = m.ctx.Err()
		}
		return false
	}
	var keys []string
	for _, f := range found {
		keys = append(keys, keyOf(f))
	}
	return !slices.ContainsFunc(m.wanted, func(k string) bool { return !slices.Contains(keys, k) })
}

// maxBlocks bounds the grids whose blocks are left out one by one.
const maxBlocks = 1 << 20

// blocks leaves out blocks of the grid, or clusters of them.
func (m *minimizer) blocks() {
	if m.c.Launch.Cooperative || m.c.Blocks() > maxBlocks || m.c.Launch.Cluster.Size() > 1 {
		return // they wait for each other
	}
	all := m.c.Launch.Blocks
	if all == nil {
		for i := range m.c.Blocks() {
			all = append(all, i)
		}
	}
	kept := reduce(all, m.over, func(list []uint64) bool {
		m.c.Launch.Blocks = list
		return len(list) > 0 && m.shows()
	})
	if m.c.Launch.Blocks = kept; uint64(len(kept)) == m.c.Launch.Grid.Size() {
		m.c.Launch.Blocks = nil
	}
}

// chunks leaves out memory contents, which then are zero.
func (m *minimizer) chunks() {
	type place struct{ allocation, chunk int }
	var all []place
	before := slices.Clone(m.c.Memory.Allocations)
	for i, a := range before {
		for k := range a.Chunks {
			all = append(all, place{i, k})
		}
	}
	keep := func(list []place) {
		for i := range before {
			m.c.Memory.Allocations[i].Chunks = nil
		}
		for _, p := range list {
			a := &m.c.Memory.Allocations[p.allocation]
			a.Chunks = append(a.Chunks, before[p.allocation].Chunks[p.chunk])
		}
	}
	keep(reduce(all, m.over, func(list []place) bool { keep(list); return m.shows() }))
}

// marks leaves out which bytes are uninitialized.
func (m *minimizer) marks() {
	before := slices.Clone(m.c.Memory.Allocations)
	var all []int
	for i, a := range before {
		if a.Marks != nil {
			all = append(all, i)
		}
	}
	keep := func(list []int) {
		for _, i := range all {
			m.c.Memory.Allocations[i].Marks = nil
			if slices.Contains(list, i) {
				m.c.Memory.Allocations[i].Marks = before[i].Marks
			}
		}
	}
	keep(reduce(all, m.over, func(list []int) bool { keep(list); return m.shows() }))
}

// reduce returns a part of a list, in its order, that ok holds for and from which, unless over
// says stop, no single element can be left out: ddmin. ok must hold for the whole list.
func reduce[T any](list []T, over func() bool, ok func([]T) bool) []T {
	if len(list) > 0 && !over() && ok(nil) {
		return nil
	}
	for parts := 2; len(list) > 1 && !over(); {
		size := (len(list) + parts - 1) / parts
		next := smaller(list, size, over, ok)
		switch {
		case next != nil:
			parts = max(2, (len(next)+size-1)/size)
			list = next
		case size == 1:
			return list
		default:
			parts = min(2*parts, len(list))
		}
	}
	return list
}

// smaller tries the parts of a list of so many elements alone, then the list without each of them.
// It returns nil if ok holds for none.
func smaller[T any](list []T, size int, over func() bool, ok func([]T) bool) []T {
	for from := 0; from < len(list) && !over(); from += size {
		if part := slices.Clone(list[from:min(from+size, len(list))]); len(part) < len(list) && ok(part) {
			return part
		}
	}
	for from := 0; from < len(list) && !over(); from += size {
		rest := slices.Concat(list[:from], list[min(from+size, len(list)):])
		if len(rest) > 0 && len(rest) < len(list) && ok(rest) {
			return rest
		}
	}
	return nil
}
