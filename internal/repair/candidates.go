package repair

import (
	"github.com/warpgrind/warpgrind/internal/finding"
)

// most bounds the candidates of one finding.
const most = 12

// Candidates are patches each of which may remove a finding, the likeliest first. There are
// none for repairs of other kinds, and where the finding's places are not in the project.
func (p *Program) Candidates(f *finding.Finding) []*Patch {
	r := f.Repair
	if r == nil {
		return nil
	}
	var out []*Patch
	switch {
	case r.Placed() && r.Call != "":
		out = p.insertions(r)
	case updates[r.Kind]:
		out = p.atomics(f)
	case moves[r.Kind]:
		out = p.moved(f)
	case guards[r.Kind]:
		out = p.guarded(f)
	}
	return out[:min(len(out), most)]
}
