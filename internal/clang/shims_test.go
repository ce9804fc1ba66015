package clang

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRemoveShims: folders that were used within a day stay, and the last few
// of the others.
func TestRemoveShims(t *testing.T) {
	base := t.TempDir()
	for days := range 10 {
		dir := filepath.Join(base, fmt.Sprintf("shim-%d", days))
		if err := os.MkdirAll(filepath.Join(dir, "include"), 0o777); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-time.Duration(days)*shimAge - time.Minute)
		if err := os.Chtimes(dir, at, at); err != nil {
			t.Fatal(err)
		}
	}
	useShim(filepath.Join(base, "shim-9"))
	removeShims(base)
	for days := range 10 {
		_, err := os.Stat(filepath.Join(base, fmt.Sprintf("shim-%d", days)))
		if want := days <= keptShims || days == 9; (err == nil) != want {
			t.Errorf("the folder of %d days ago: kept %v, want %v", days, err == nil, want)
		}
	}
}
