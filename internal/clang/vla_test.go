package clang

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestVariableLengthArrays compiles initialized arrays of variable length, and rejects
// what cannot be repaired.
func TestVariableLengthArrays(t *testing.T) {
	tc := toolchain(t)
	for text, good := range map[string]bool{
		"int main(int n, char **v) { int a[2][n] = {{1}}, b[n] = {0}; return a[0][0] + b[0]; }": true,
		"int main(int n, char **v) { int a[2][n] = {1, 2}; return a[0][0]; }":                   false,
	} {
		dir := t.TempDir()
		src := filepath.Join(dir, "a.cu")
		if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := tc.Build(context.Background(), Options{Sources: []string{src}, WorkDir: dir, DeviceOnly: true})
		var rejected *CompileError
		if good && err != nil || !good && !errors.As(err, &rejected) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
