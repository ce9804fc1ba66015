package warp

import (
	"maps"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// TestSpecials compares the special registers that programs may use with those that warps provide.
func TestSpecials(t *testing.T) {
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
}
