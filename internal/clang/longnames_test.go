package clang

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLongNames compiles two variables whose names LLVM cuts at the same place.
func TestLongNames(t *testing.T) {
	tc := toolchain(t)
	dir := t.TempDir()
	src := filepath.Join(dir, "a.cu")
	text := strings.ReplaceAll("__global__ void k(int *p, int n) {\n  for (int NAMEa = 0; NAMEa < n; NAMEa++) p[NAMEa] += n;\n  for (int NAMEb = n; NAMEb < 2 * n; NAMEb++) p[NAMEb] -= n;\n}\nint main() { k<<<1, 1>>>(nullptr, 0); }\n",
		"NAME", strings.Repeat("a", 1100))
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []Mode{SourceKeeping, Optimized} {
		if _, err := tc.Build(context.Background(), Options{Sources: []string{src}, WorkDir: dir, Mode: mode, DeviceOnly: true}); err != nil {
			t.Errorf("%v: %v", mode, err)
		}
	}
	if _, err := tc.HostIR(context.Background(), Options{Sources: []string{src}, WorkDir: dir}); err != nil {
		t.Error(err)
	}
}
