package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
)

// LifetimeKind is the kind of findings about shared memory whose block need not be there.
const LifetimeKind = "lifetime"

// The causes that only these findings have, next to InFlight.
const (
	// NotStarted: an access to shared memory of another block of the cluster, of which the thread
	// does not know that it runs; MayHaveExited: of which nothing delays the exit.
	NotStarted    Cause = "not-started"
	MayHaveExited Cause = "may-have-exited"
	// NotVisible: an mbarrier of another block of the cluster, the initialization of which need not be
	// visible.
	NotVisible Cause = "init-not-visible"
)

// lifetimeText is what a report says of a fault.
type lifetimeText struct {
	cause               Cause
	repair              finding.RepairKind
	message, note, help string
	unit                string
}

const clusterSync = "cluster.sync() (barrier.cluster.arrive and .wait)"

func textOf(l *evidence.Lifetime) lifetimeText {
	what := l.By.Site.Kind.String()
	if l.By.Site.Op.IsMBarrier() {
		what = "arrival or count"
		if l.By.Site.Op.Kind == inst.MBarrierArrive {
			what = "arrival"
		}
	}
	switch l.Fault {
	case evidence.NotStarted:
		return lifetimeText{NotStarted, finding.ClusterBarrier,
			what + " in shared memory of another block of the cluster, which may not have started",
			"nothing that this thread has waited for tells it that the block runs",
			"add " + clusterSync + " before the first access to another block's shared memory", "thread"}
	case evidence.MayHaveExited:
		return lifetimeText{MayHaveExited, finding.ClusterBarrier,
			what + " in shared memory of another block of the cluster, which may have exited",
			fmt.Sprintf("block %d waits for nothing that comes after the access: its shared memory ends when it exits", l.Owner),
			"add " + clusterSync + " after the last access to another block's shared memory, so that all blocks exit together", "thread"}
	}
	if l.Fault == evidence.NotVisible {
		return lifetimeText{NotVisible, finding.ClusterBarrier,
			"use of an mbarrier of another block of the cluster, whose initialization may not be visible",
			fmt.Sprintf("block %d initializes it, and no fence and barrier of the cluster come between", l.Owner),
			"after mbarrier.init, add fence.mbarrier_init.release.cluster and then " + clusterSync + " before its first use by other blocks", "thread"}
	}
	if l.Fault == evidence.NotFenced || l.Fault == evidence.BarrierOnly {
		return lifetimeText{NotVisible, finding.AddProxyFence,
			"a bulk copy completes on an mbarrier whose initialization the async proxy need not see",
			"mbarrier.init is an access of the generic proxy, and neither fence.mbarrier_init nor fence.proxy.async comes between it and the copy",
			"after mbarrier.init, add fence.mbarrier_init.release.cluster (cutlass::arch::fence_barrier_init) or fence.proxy.async (cuda::ptx::fence_proxy_async), and then a __syncthreads()", "copy"}
	}
	return lifetimeText{InFlight, finding.WaitForCopy,
		"a block exits while an asynchronous operation may still access its shared memory",
		fmt.Sprintf("no thread of block %d waits until the operation has completed, and its shared memory ends when it exits", l.Owner),
		"wait for the mbarrier or the group of the operation (mbarrier.try_wait, cp.async.bulk.wait_group.read) before the block exits", "operation"}
}

// Lifetime makes the finding of an access to shared memory of a block that need not be there.
func (g *Diagnoser) Lifetime(l *evidence.Lifetime) *finding.Finding {
	x := textOf(l)
	s := l.By.Site
	f := &finding.Finding{
		Rule: "race", Kind: LifetimeKind, Level: finding.Error, Kernel: l.Launch.Kernel, Launches: finding.InLaunch(l.Launch.ID),
		Cause: x.cause, Message: x.message, Notes: []string{x.note}, Help: x.help, Repair: &finding.Repair{Kind: x.repair},
		Count: l.Count, Unit: x.unit,
		Key:     fmt.Sprintf("lifetime %d %s", l.Fault, check.SiteKey(s)),
		Primary: check.Place(s, check.Role(s.Kind), check.Thread(l.Launch, uint64(l.By.Block), l.By.Warp, l.By.Lane)),
		Witness: [4]uint64{uint64(l.Fault), uint64(l.Launch.ID), uint64(l.By.Block), uint64(l.By.Number())},
	}
	if l.Fault == evidence.InFlightAtExit && !s.Kind.Writes() {
		// Neither the PTX ISA nor the programming guide defines what happens to a copy that is still reading. NVIDIA's examples wait; kernels that
		// are in wide use (DeepGEMM's epilogues) do not, and give right results.
		f.Level = finding.Warning
		f.Notes = append(f.Notes, "the operation only reads; that the memory stays until it has is not documented")
	}
	if l.Fault == evidence.BarrierOnly {
		// So are the documented uses of cuda::memcpy_async, which issues bulk copies.
		f.Level = finding.Warning
		f.Notes = append(f.Notes, "a barrier is between; libraries and compilers rely on it where they leave the fence out, the PTX ISA does not say that it is enough")
	}
	f.Details = Details{Space: s.Space.String(), Index: -1, Cause: x.cause, Reason: x.note, Repair: x.repair}
	return f
}
