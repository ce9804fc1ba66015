package session

import (
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
)

// AddLimits adds the instructions that are not executed, or only approximately, to a report.
func AddLimits(r *report.Report, list []device.Limit) {
	for _, l := range list {
		text := l.Text
		if text == "" {
			text = l.Reason.Text()
		}
		r.AddLimit(report.Limit{Kernel: l.Func, KernelName: finding.DemangleName(l.Func), File: l.File, Line: l.Line, PTXLine: l.PTXLine,
			Instruction: l.Opcode, Count: l.Count, Reason: l.Reason.String(), Text: text}, l.Reason.Approximate())
	}
}
