package warp

import (
	"maps"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// TestTables compares what programs may use with what warps provide.
func TestTables(t *testing.T) {
	special := map[string]program.SpecialKind{}
	for n := range laneSpecials {
		special[n] = program.Lane
	}
	for n := range warpSpecials {
		special[n] = program.PerWarp
	}
	if want := program.Specials(); !maps.Equal(special, want) {
		t.Errorf("special registers: %v, want %v", special, want)
	}
	have, want := slices.Sorted(maps.Keys(hostFuncs)), slices.Sorted(maps.Keys(program.HostFuncs()))
	if !slices.Equal(have, want) {
		t.Errorf("functions: %v, want %v", have, want)
	}
}
