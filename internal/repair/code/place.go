package code

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

func Places(f *finding.Finding) []finding.Place {
	return append([]finding.Place{f.Primary}, f.Related...)
}

// FunctionsOf are the functions in which the places of a finding are, and those into which these were inlined.
func FunctionsOf(p *Program, f *finding.Finding) (out []*Function) {
	for _, at := range Places(f) {
		for _, pos := range append([]source.Pos{at.Loc.Pos}, at.Loc.InlinedAt...) {
			if fn, _ := p.At(pos); fn != nil && !slices.Contains(out, fn) {
				out = append(out, fn)
			}
		}
	}
	return out
}
