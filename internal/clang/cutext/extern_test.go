package cutext

import "testing"

// TestRestoreNames: the names of the arrays in IR, mangled and as the source has them.
func TestRestoreNames(t *testing.T) {
	for in, want := range map[string]string{
		"@_ZZ1kvE12s__wg_extern = external addrspace(3) global [0 x i8]\n": "@_ZZ1kvE1s = external addrspace(3) global [0 x i8]\n",
		`ptr @_ZZ1kvE15ab22__wg_extern, name: "ab22__wg_extern"`:           `ptr @_ZZ1kvE4ab22, name: "ab22"`,
		"@s__wg_extern": "@s",
		"@other = 12":   "@other = 12",
	} {
		if got := string(RestoreNames([]byte(in))); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}
