package occupancy

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The limits of occupancy that a launch has in its hands.
const (
	Blocks finding.Cause = "resident-blocks" // as many blocks as a multiprocessor holds, and small ones
	Shared finding.Cause = "shared-memory"
	Shape  finding.Cause = "block-shape" // whole blocks leave a remainder of the threads
)

// Details is the rule's part of a finding in JSON.
type Details struct {
	// Warps can be resident on one multiprocessor in so many Blocks; Most could.
	Warps  int `json:"resident_warps"`
	Blocks int `json:"resident_blocks"`
	Most   int `json:"most_warps"`
	// Block is the extent of a block, SharedBytes what it has of shared memory.
	Block       finding.Coord `json:"block"`
	SharedBytes uint64        `json:"shared_bytes"`
}

// New makes the checker.
func New(c check.Config) check.Checker {
	return &checker{arch: c.Geometry(), kernels: map[string]*kernel{}, where: map[int]string{}}
}

type checker struct {
	arch    *arch.Arch
	kernels map[string]*kernel
	where   map[int]string // of launches, by ID
}

// kernel has the launches of low occupancy, and the one with the lowest.
type kernel struct {
	launches finding.Launches
	worst    *trace.Launch
	residence
}

// residence is what fits on one multiprocessor.
type residence struct {
	blocks, warps int
	limit         finding.Cause
}

// Observer observes launches.
func (c *checker) Observer() *trace.Observer {
	return &trace.Observer{
		Launch:   func(l *trace.Launch) []*trace.LaunchObserver { c.launch(l); return nil },
		Enqueued: func(e *trace.Enqueued) { c.where[e.Launch] = e.Where },
	}
}

// most is the number of warps that a multiprocessor can hold.
func (c *checker) most() int { return c.arch.MaxThreadsPerSM / arch.WarpSize }

func (c *checker) launch(l *trace.Launch) {
	r := resident(c.arch, l)
	if 2*r.warps > c.most() {
		return
	}
	k := c.kernels[l.Kernel]
	if k == nil {
		k = &kernel{}
		c.kernels[l.Kernel] = k
	}
	k.launches = k.launches.Union(finding.InLaunch(l.ID))
	if k.worst == nil || r.warps < k.warps {
		k.worst, k.residence = l, r
	}
}

// resident returns what of a launch fits on one multiprocessor at once, registers left
// aside (CUDA C++ Programming Guide, "Hardware Multithreading").
func resident(a *arch.Arch, l *trace.Launch) residence {
	warps := l.Warps()
	r := residence{blocks: a.MaxThreadsPerSM / arch.WarpSize / warps, limit: Shape}
	if a.MaxBlocksPerSM < r.blocks {
		r.blocks, r.limit = a.MaxBlocksPerSM, Blocks
	}
	if s := sharedBytes(l); s > 0 && a.SharedPerSM/int(s) < r.blocks {
		r.blocks, r.limit = a.SharedPerSM/int(s), Shared
	}
	r.blocks = max(r.blocks, 1) // it does run
	r.warps = r.blocks * warps
	return r
}

func sharedBytes(l *trace.Launch) uint64 { return uint64(l.SharedStatic) + uint64(l.SharedDynamic) }

// Findings returns the kernels, by name.
func (c *checker) Findings() []*finding.Finding {
	fs := []*finding.Finding{}
	for name, k := range c.kernels {
		fs = append(fs, c.finding(name, k))
	}
	finding.Sort(fs)
	return fs
}

func (c *checker) finding(name string, k *kernel) *finding.Finding {
	l := k.worst
	d := Details{k.warps, k.blocks, c.most(), check.Coord(l.Block), sharedBytes(l)}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "low", Level: finding.Info, Cause: k.limit,
		Kernel: name, KernelName: finding.Demangle(name), Launches: k.launches,
		Message: fmt.Sprintf("at most %d of %d warps (%d %%) are resident on a multiprocessor", d.Warps, d.Most, 100*d.Warps/d.Most),
		Count:   uint64(k.launches.Count()), Unit: "launch", Details: d, Key: name,
		Primary: finding.Place{Role: "launched here", Loc: check.HostPlace(c.where[l.ID])},
	}
	if 4*d.Warps <= d.Most && l.Grid.Size() > uint64(d.Blocks) {
		f.Level = finding.Warning
	}
	kind, note, help := k.explain(c.arch, d)
	f.Notes, f.Help, f.Repair = []string{note}, help, &finding.Repair{Kind: kind}
	return f
}

// explain renders what limits a launch, and what to change.
func (k *kernel) explain(a *arch.Arch, d Details) (kind finding.RepairKind, note, help string) {
	threads := k.worst.Block.Size()
	switch k.limit {
	case Blocks:
		return finding.LargerBlocks, fmt.Sprintf("a multiprocessor of %v holds %d blocks, and these have %s each", a, a.MaxBlocksPerSM, check.Plural(threads, "thread")),
			"launch blocks of 128 to 256 threads"
	case Shared:
		return finding.LessShared, fmt.Sprintf("a block has %d bytes of shared memory, of %d on a multiprocessor of %v", d.SharedBytes, a.SharedPerSM, a),
			fmt.Sprintf("three quarters of the warps need at most %d bytes of shared memory per warp", 4*a.SharedPerSM/(3*d.Most))
	}
	return finding.OtherBlocks, fmt.Sprintf("blocks of %d threads fit %s on a multiprocessor of %v, which holds %d threads",
			threads, check.Plural(uint64(d.Blocks), "time"), a, a.MaxThreadsPerSM),
		"choose a block size that divides the threads of a multiprocessor, such as 256"
}
