package warpgrind

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/report"
)

// recordLaunch tells of a launch that has ended; before are the engine's counts
// when it began.
func (d *device) recordLaunch(k *kernel, c host.LaunchConfig, before engine.Counts) {
	now := d.engine.Totals
	if d.record == nil || now.Launches == before.Launches {
		return
	}
	d.record(report.Launch{
		ID: int(before.Launches), Count: 1, Kernel: k.prog.Name, KernelName: k.shown,
		Grid: check.Coord(c.Grid), Block: check.Coord(c.Block), SharedDynamic: uint64(c.SharedDynamic),
		Instructions: now.ThreadInstrs - before.ThreadInstrs, Accesses: now.Accesses - before.Accesses,
	})
}
