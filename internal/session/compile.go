package session

import (
	"errors"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/report"
)

// NotCompiled is the report of a program that does not compile, for programs that read
// reports: without findings, and with the compiler's errors. It is nil for other errors.
func NotCompiled(err error, cfg Config) *report.Report {
	var failed *clang.CompileError
	if !errors.As(err, &failed) {
		return nil
	}
	r := &report.Report{Schema: report.Schema, Version: Version, Exit: ExitUsage, Messages: []string{"the program does not compile"}}
	if rules, err := registry.Select(cfg.Tools); err == nil {
		for _, rule := range rules {
			r.Tools = append(r.Tools, rule.ID)
		}
	}
	r.Diagnostics = build.Diagnostics(failed.Text)
	return r
}
