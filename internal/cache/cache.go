// Package cache keeps results of compilations on disk, across runs and
// processes.
//
// A result is found by a key, which names everything the caller knows
// beforehand (source, flags, compiler), and is valid while the files that it
// was made from are unchanged: the headers that the compiler opened. So a hit
// needs no compiler at all.
//
// Every file is written under a temporary name and renamed, so that any number
// of processes may use one directory at once without locks; the worst that can
// happen is that two of them do the same work. A file that is damaged in any
// way counts as absent.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/warpgrind/warpgrind/internal/fallback"
)

// DirEnv names the environment variable with the directory to use instead of
// the user's cache directory; the value "off" turns the cache off.
const DirEnv = "WARPGRIND_CACHE_DIR"

// SizeEnv names the environment variable with the bound on the cache's size,
// a number of bytes with an optional suffix K, M or G.
const SizeEnv = "WARPGRIND_CACHE_SIZE"

// DefaultLimit is the bound on the cache's size in bytes.
const DefaultLimit = 1 << 30

// Dir returns the directory for everything that warpgrind keeps between runs:
// the one that WARPGRIND_CACHE_DIR names, else warpgrind/ in the user's cache
// directory, else one in the directory for temporary files. It exists, and other users
// cannot write to it. The error may be an UnsafeError.
func Dir() (string, error) {
	if dir := os.Getenv(DirEnv); dir != "" && dir != "off" {
		return named(dir)
	}
	if base, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(base, "warpgrind")
		if own(dir, 0o700) == nil && writable(dir) {
			return dir, nil
		}
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("warpgrind-%d", os.Getuid()))
	return dir, own(dir, 0o700)
}

// named makes the directory that the user names. Whose it is, and who else may read it, is
// the user's choice; that anyone may write to it is refused.
func named(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o775); err != nil {
		return "", fmt.Errorf("%s: %w", DirEnv, err)
	}
	if st, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("%s: %w", DirEnv, err)
	} else if st.Mode().Perm()&0o002 != 0 {
		return "", &UnsafeError{dir, allMayWrite}
	}
	return dir, nil
}

func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "probe-")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// Store is a cache. A nil Store is one that is always empty.
type Store struct {
	dir   string
	limit int64
}

// Open returns the store in Dir, or nil if the cache is turned off or cannot
// be written.
func Open() *Store {
	if os.Getenv(DirEnv) == "off" {
		return nil
	}
	dir, err := Dir()
	if err != nil {
		return nil
	}
	limit, err := limitOf(os.Getenv(SizeEnv))
	if err != nil {
		limit = DefaultLimit // see CheckSize
	}
	return New(filepath.Join(dir, "results"), limit)
}

// CheckSize returns what is wrong with the size that the environment names.
func CheckSize() error {
	_, err := limitOf(os.Getenv(SizeEnv))
	return err
}

// New returns the store in a directory, which need not exist, bounded to about
// limit bytes.
func New(dir string, limit int64) *Store { return &Store{dir: dir, limit: limit} }

// limitOf reads a size such as "500M"; "" is DefaultLimit.
func limitOf(size string) (int64, error) {
	if size == "" {
		return DefaultLimit, nil
	}
	n, ok := ParseSize(size)
	if !ok {
		return 0, fmt.Errorf("%s=%s: want a size such as 500M", SizeEnv, size)
	}
	return n, nil
}

// ParseSize reads a number of bytes, at least 1, such as "4096", "500M" or "80G"; K, M and G are powers of 1024.
func ParseSize(size string) (n int64, ok bool) {
	if size == "" {
		return 0, false
	}
	digits, shift := size, 0
	if i := strings.IndexByte("KMG", size[len(size)-1]); i >= 0 {
		digits, shift = size[:len(size)-1], 10*(i+1)
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return 0, false
	}
	return n << shift, true
}

// Result is what is kept: named pieces of data.
type Result map[string][]byte

// Key makes a key of parts. Different lists of parts give different keys.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// path returns where an entry lies.
func (s *Store) path(key, ext string) string {
	return filepath.Join(s.dir, key[:2], key[2:]+ext)
}

// Get returns the result for a key, if there is one and the files that it was
// made from are as they were.
func (s *Store) Get(key string) (Result, bool) {
	if s == nil {
		return nil, false
	}
	m := s.readManifest(key)
	for _, v := range m.Variants {
		if !v.valid() {
			continue
		}
		r, err := readResult(s.path(v.Result, ".r"))
		if err != nil {
			continue
		}
		touch(s.path(key, ".m"))
		touch(s.path(v.Result, ".r"))
		return r, true
	}
	return nil, false
}

// Put keeps a result, which was made from the files with the given paths, by
// name relative to the working directory or absolute. A result whose files
// cannot be read, or use the time of compilation, is not kept. Problems with the disk count as a fallback: the cache is then of
// no use, but nothing is wrong.
func (s *Store) Put(key string, files []string, r Result) {
	if s == nil {
		return
	}
	v, ok := s.newVariant(key, files)
	if !ok {
		return
	}
	if !s.keeps(write(s.path(v.Result, ".r"), encode(r))) {
		return
	}
	m := s.readManifest(key)
	m.add(v)
	if s.keeps(write(s.path(key, ".m"), m.encode())) {
		s.maybeTrim()
	}
}

// keeps reports whether a file was written; that the system refuses it is counted. That a directory is gone is another matter:
// the user, or a test, has removed the cache.
func (s *Store) keeps(err error) bool {
	var why syscall.Errno
	if errors.As(err, &why) && why != syscall.ENOENT {
		fallback.Took(fallback.Room, fmt.Errorf("%s: %w", s.dir, why))
	}
	return err == nil
}

// write puts a file into place in one step.
func write(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o775); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

const tempPrefix = "tmp-"

// DataDir returns the directory for what programs built earlier need, and so
// must stay: the one that WARPGRIND_CACHE_DIR names, else warpgrind/ in
// XDG_DATA_HOME or ~/.local/share, else Dir. It exists.
func DataDir() (string, error) {
	if dir := os.Getenv(DirEnv); dir != "" && dir != "off" {
		return Dir()
	}
	base := os.Getenv("XDG_DATA_HOME")
	if home, err := os.UserHomeDir(); err == nil && !filepath.IsAbs(base) {
		base = filepath.Join(home, ".local", "share")
	}
	if filepath.IsAbs(base) {
		dir := filepath.Join(base, "warpgrind")
		if own(dir, 0o755) == nil && writable(dir) {
			return dir, nil
		}
	}
	return Dir()
}
