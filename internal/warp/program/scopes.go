package program

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// ScopeMark is where the scope of a variable, Program.Scopes[Scope], begins or ends for the lanes that come there.
type ScopeMark struct {
	Scope int
	Ends  bool
	// Site has the position, for reports. It has no number.
	Site *trace.Site
}

// Slots implements Step.
func (s *ScopeMark) Slots(SlotFunc) {}

// Outlives reports whether an access to local memory may be one to a variable whose scope has ended.
func (p *Program) Outlives(m *Mem) bool {
	return slices.ContainsFunc(p.Scopes, func(v trace.Variable) bool { return m.From == 0 || m.Lo < v.Addr+v.Size && v.Addr < m.Hi })
}
