package cache

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// trimOdds is how many results are kept, on average, between two looks at the
// size of the whole cache.
const trimOdds = 32

// abandoned is the age at which a temporary file belongs to no live process.
const abandoned = time.Hour

// maybeTrim bounds the cache now and then.
func (s *Store) maybeTrim() {
	if rand.IntN(trimOdds) == 0 {
		s.Trim()
	}
}

// entry is a file of the cache.
type entry struct {
	path string
	size int64
	used time.Time
}

// Trim removes the files that were not used for longest until nine tenths of
// the limit are left.
func (s *Store) Trim() {
	if s == nil {
		return
	}
	entries, total := s.entries()
	if total <= s.limit {
		return
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.used.Compare(b.used) })
	for _, e := range entries {
		if total <= s.limit/10*9 {
			return
		}
		if os.Remove(e.path) == nil {
			total -= e.size
		}
	}
}

// entries lists the cache's files with the bytes they take, and removes what
// interrupted processes left.
func (s *Store) entries() (list []entry, total int64) {
	_ = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		st, err := d.Info()
		if err != nil {
			return nil
		}
		if strings.HasPrefix(d.Name(), tempPrefix) && time.Since(st.ModTime()) > abandoned {
			os.Remove(path)
			return nil
		}
		list = append(list, entry{path, st.Size(), st.ModTime()})
		total += st.Size()
		return nil
	})
	return list, total
}

// Rewrite replaces every result by what change makes of it. Tests damage results with it.
func (s *Store) Rewrite(change func(Result) Result) {
	paths, _ := filepath.Glob(filepath.Join(s.dir, "*", "*.r"))
	for _, p := range paths {
		if r, err := readResult(p); err == nil {
			write(p, encode(change(r)))
		}
	}
}
