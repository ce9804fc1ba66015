package evidence

import (
	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Run is a launch with its pairs in one memory space, and what is asked of it as a whole.
type Run struct {
	Launch *trace.Launch
	// Shared: the pairs are in shared memory of one block, else in global memory or in
	// the shared memory of a cluster.
	Shared bool
	// InTurn: blocks may synchronize, and ran one at a time.
	InTurn bool
	Sites  []hb.Site
	Pairs  map[Key]*Pair
	// Single has the strong sites that only single threads of warps executed.
	Single []bool
	// Visits are arrivals and waits at the barriers of a block.
	Visits Visits
	// Released has the last releases of blocks, Acquired their last acquires.
	Released map[ReleaseKey]Release
	Acquired BlockAcquires
	// Locks are the locks of the launch, nil where it takes none.
	Locks *Locks
}

// Raced reports whether two sites race in a variable.
func (r *Run) Raced(x, y, variable int) bool { return r.Pairs[KeyOf(x, y, variable)] != nil }

// Stale is a read through the read-only path and a write of one launch that an order
// connects: the read need not see the write.
type Stale struct {
	Launch      *trace.Launch
	Hazard      Hazard
	Count       uint64
	Addr        uint64
	Bytes       int
	First, Then Access
}

// Config is what the detectors of a run share: how it is checked, and where they put what
// they find.
type Config struct {
	Model  check.RaceModel
	Policy check.RacePolicy
	// Facts returns what a launch's kernel decides by reading memory, nil where that is
	// unknown.
	Facts func(*trace.Launch) *guards.Facts
	// Private proves which accesses of a launch to global memory cannot race, so that they
	// need not be watched; nil if all are to be.
	Private func(*trace.Launch) *ownership.Proof
	// Report takes the pairs of a launch and returns those that there is a finding of;
	// ReportStale takes those that are not races.
	Report      func(*Run) map[Key]bool
	ReportStale func(*Stale)
	// ReportLifetime takes accesses to shared memory of a block that need not be there.
	ReportLifetime func(*Lifetime)
	Stats          Statistics
}

// Sites describes the sites of a launch.
func (c *Config) Sites(l *trace.Launch) []hb.Site {
	return hb.Sites(l, c.Facts(l), c.Policy.FenceToAcquire)
}

// Order makes the order of a block of a launch.
func (c *Config) Order(l *trace.Launch, sites []hb.Site) *hb.Order {
	return hb.New(int(l.Block.Size()), sites, c.Model, c.Policy.FenceToAcquire)
}
