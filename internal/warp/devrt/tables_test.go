package devrt

import (
	"maps"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// TestFunctions compares the functions that programs may call with those that are here.
func TestFunctions(t *testing.T) {
	have, want := slices.Sorted(maps.Keys(hostFuncs)), slices.Sorted(maps.Keys(program.HostFuncs()))
	if !slices.Equal(have, want) {
		t.Errorf("functions: %v, want %v", have, want)
	}
}
