package clang

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAssignArrays(t *testing.T) {
	for _, tc := range []struct {
		text, want string
		places     []vlaPlace
	}{
		{"int a[2][n] = {{1}, {2, f(3, 4)}};", "int a[2][n] ; __builtin_memset(a, 0, sizeof a); a[0][0] = 1; a[1][0] = 2; a[1][1] = f(3, 4);", []vlaPlace{{1, 7}}},
		{"float z[n] {};", "float z[n] ; __builtin_memset(z, 0, sizeof z);", []vlaPlace{{1, 9}}},
		{"int m[n] = {1,\n 2}, k;", "int m[n] , __wg_m = (__builtin_memset(m, 0, sizeof m), m[0] = 1, m[1] = 2, 0)\n, k;", []vlaPlace{{1, 7}}},
		{"\nint a[n] = {}; int b[n] = {0};", "\nint a[n] ; __builtin_memset(a, 0, sizeof a); int b[n] ; __builtin_memset(b, 0, sizeof b); b[0] = 0;",
			[]vlaPlace{{2, 7}, {2, 22}}},
		// What is left to the compiler's error: braces left out, designators.
		{"int a[2][n] = {1, 2};", "int a[2][n] = {1, 2};", []vlaPlace{{1, 7}}},
		{"int a[n] = {[2] = 1};", "int a[n] = {[2] = 1};", []vlaPlace{{1, 7}}},
		{"int a[n];", "int a[n];", []vlaPlace{{1, 7}}},
	} {
		j := &job{arrays: []map[string][]vlaPlace{{"f": tc.places}}}
		if got := string(j.assignArrays("f", []byte(tc.text))); got != tc.want {
			t.Errorf("%q becomes\n%q, want\n%q", tc.text, got, tc.want)
		}
	}
}

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
