package clang

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// The extracted files of package shim are kept in the cache for each version
// of them. Those of versions that are gone are removed: of folders that no one
// used for a day the last few stay, for someone who changes between versions.
const (
	keptShims = 4
	shimAge   = 24 * time.Hour
)

// useShim notes that a folder is in use.
func useShim(dir string) {
	if st, err := os.Stat(dir); err == nil && time.Since(st.ModTime()) > shimAge/4 {
		now := time.Now()
		_ = os.Chtimes(dir, now, now)
	}
}

// removeShims removes old folders.
func removeShims(base string) {
	dirs, err := filepath.Glob(filepath.Join(base, "shim-*"))
	if err != nil {
		return
	}
	type folder struct {
		path string
		used time.Time
	}
	var old []folder
	for _, d := range dirs {
		if st, err := os.Stat(d); err == nil && time.Since(st.ModTime()) > shimAge {
			old = append(old, folder{d, st.ModTime()})
		}
	}
	slices.SortFunc(old, func(a, b folder) int { return b.used.Compare(a.used) })
	for i, f := range old {
		if i >= keptShims {
			_ = os.RemoveAll(f.path)
		}
	}
}
