package trial

import (
	"context"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

// Check compiles and runs the program and returns the report. The error is a
// *UsageError, or a bug.
func Check(ctx context.Context, cfg session.Config) (*report.Report, error) {
	if len(cfg.Inputs) == 1 {
		cfg.Inputs = []string{build.FindProgram(cfg.Inputs[0])}
		if cfg.Arch == "" && !build.IsSource(cfg.Inputs[0]) {
			cfg.Arch = build.BuiltFor(cfg.Inputs[0])
		}
	}
	s, err := session.NewSession(cfg)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	if err := build.CheckInputs(cfg.Inputs); err != nil {
		return nil, &build.UsageError{Err: err}
	}
	exe, remove, err := s.Executable(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	if cfg.Runs > 1 {
		return runAll(ctx, s, exe)
	}
	return s.Run(ctx, exe)
}
