package session

import (
	"errors"
	"strings"

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
	r.Diagnostics = diagnostics(failed.Text)
	return r
}

// diagnostics are the errors in the output of the compiler or the linker, or its first line where it has none.
func diagnostics(text string) (out []report.Diagnostic) {
	for _, m := range clang.ParseMessages(text, "") {
		if m.File != "" && (m.Severity == clang.Error || m.Severity == clang.Fatal) {
			out = append(out, report.Diagnostic{File: m.File, Line: m.Line, Col: m.Col, Message: m.Text})
		}
	}
	if len(out) == 0 {
		for _, m := range clang.LinkErrors(text) {
			out = append(out, report.Diagnostic{File: m.File, Line: m.Line, Message: m.Text})
		}
	}
	if len(out) == 0 {
		first, _, _ := strings.Cut(text, "\n")
		out = append(out, report.Diagnostic{Message: first})
	}
	return out
}
