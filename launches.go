package warpgrind

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/report"
)

// recordLaunch tells of the launch with a number that has ended.
func (d *device) recordLaunch(k *kernel, c host.LaunchConfig, id int, n engine.Counts) {
	if d.record == nil || n.Launches == 0 {
		return
	}
	d.record(report.Launch{
		ID: id, Count: 1, Kernel: k.prog.Name, KernelName: k.shown,
		Grid: check.Coord(c.Grid), Block: check.Coord(c.Block), SharedDynamic: uint64(c.SharedDynamic),
		Instructions: n.ThreadInstrs, Accesses: n.Accesses,
	})
}
