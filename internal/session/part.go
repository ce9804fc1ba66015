package session

import (
	"bytes"

	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// trial is what makes one run part of a study, and what came of it.
type trial struct {
	// partial leaves out conclude, which makes the report's findings and exit
	// code, at the end of a run.
	Partial  bool
	Conclude func()
	// launchObservers and edit go to the device, observers join those of the checkers in on.
	LaunchObservers []device.Observer
	Edit            func(*ptx.Module)
	Observers       []*trace.Observer
	// replaced are texts that are compiled instead of files.
	Replaced map[string][]byte
	// modules are used instead of the device code of sources, by their names; foreign is set if there was a module of another one.
	Modules map[string][]byte
	Foreign bool
	On      *trace.Observer
	// found are the findings as the rules gave them, failed why modules were not loaded, exit how the program
	// ended, output what it printed.
	Found  []*finding.Finding
	Failed []error
	Exit   host.Exit
	Output bytes.Buffer
}
