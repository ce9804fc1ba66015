package cache

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOnlyRoots holds what of the directories for all users is trusted.
func TestOnlyRoots(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make directories of root and of others")
	}
	dir := t.TempDir()
	folder := func(name string, mode os.FileMode, owner int) string {
		t.Helper()
		d := filepath.Join(dir, name)
		if err := os.Mkdir(d, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(d, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(d, owner, owner); err != nil {
			t.Fatal(err)
		}
		return d
	}
	roots := folder("roots", 0o755, 0)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(roots, link); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		dir  string
		want bool
	}{
		{roots, true},
		{folder("group", 0o775, 0), false},
		{folder("all", 0o757, 0), false},
		{folder("other", 0o755, 65534), false},
		{link, false},
		{filepath.Join(dir, "none"), false},
	} {
		if got := onlyRoots(roots, tc.dir); got != tc.want {
			t.Errorf("%s: %v, want %v", filepath.Base(tc.dir), got, tc.want)
		}
		if got := onlyRoots(tc.dir, roots); got != tc.want {
			t.Errorf("below %s: %v, want %v", filepath.Base(tc.dir), got, tc.want)
		}
	}
}
