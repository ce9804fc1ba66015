package session

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/report"
)

// ran adds a launch that has ended to the report.
func (s *session) ran(l *device.Ran) {
	if n := l.Counts; n.Launches > 0 {
		s.report.AddLaunch(report.Launch{
			ID: l.ID, Count: 1, Kernel: l.Kernel, KernelName: l.Shown,
			Grid: check.Coord(l.Config.Grid), Block: check.Coord(l.Config.Block), SharedDynamic: uint64(l.Config.SharedDynamic),
			Instructions: n.ThreadInstrs, Accesses: n.Accesses,
		})
	}
}
