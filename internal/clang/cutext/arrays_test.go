package cutext

import "testing"

// TestAssignArrays changes a text for arrays at places.
func TestAssignArrays(t *testing.T) {
	for _, tc := range []struct {
		text, want string
		places     []Place
	}{
		{"int a[2][n] = {{1}, {2, f(3, 4)}};", "int a[2][n] ; __builtin_memset(a, 0, sizeof a); a[0][0] = 1; a[1][0] = 2; a[1][1] = f(3, 4);", []Place{{1, 7}}},
		{"float z[n] {};", "float z[n] ; __builtin_memset(z, 0, sizeof z);", []Place{{1, 9}}},
		{"int m[n] = {1,\n 2}, k;", "int m[n] , __wg_m = (__builtin_memset(m, 0, sizeof m), m[0] = 1, m[1] = 2, 0)\n, k;", []Place{{1, 7}}},
		{"\nint a[n] = {}; int b[n] = {0};", "\nint a[n] ; __builtin_memset(a, 0, sizeof a); int b[n] ; __builtin_memset(b, 0, sizeof b); b[0] = 0;",
			[]Place{{2, 7}, {2, 22}}},
		// What is left to the compiler's error: braces left out, designators.
		{"int a[2][n] = {1, 2};", "int a[2][n] = {1, 2};", []Place{{1, 7}}},
		{"int a[n] = {[2] = 1};", "int a[n] = {[2] = 1};", []Place{{1, 7}}},
		{"int a[n];", "int a[n];", []Place{{1, 7}}},
	} {
		if got := string(AssignArrays([]byte(tc.text), tc.places)); got != tc.want {
			t.Errorf("%q becomes\n%q, want\n%q", tc.text, got, tc.want)
		}
	}
}
