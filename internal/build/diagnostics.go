package build

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/report"
)

// Diagnostics are the errors in the output of the compiler or the linker, or its first line where it has none.
func Diagnostics(text string) (out []report.Diagnostic) {
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
