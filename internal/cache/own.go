package cache

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// An UnsafeError is a directory in which other users could put code that the user
// would run.
type UnsafeError struct{ Path, Why string }

const allMayWrite = "is writable by all users"

func (e *UnsafeError) Error() string {
	return fmt.Sprintf("%s %s: not used; remove it, or set %s to a directory that only you can write", e.Path, e.Why, DirEnv)
}

// own makes a directory of the user's own with permissions mode, and takes permissions
// beyond those from one that is there. It refuses a directory that another user can
// write or replace.
func own(dir string, mode fs.FileMode) error {
	if err := os.MkdirAll(dir, mode); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	for _, path := range []string{dir, real} {
		if err := checkAbove(path); err != nil {
			return err
		}
	}
	st, err := os.Lstat(real)
	if err != nil {
		return err
	}
	if uid := ownerOf(st); uid != os.Geteuid() {
		return &UnsafeError{real, fmt.Sprintf("belongs to user %d", uid)}
	}
	if st.Mode().Perm()&0o002 != 0 {
		return &UnsafeError{real, allMayWrite}
	}
	if st.Mode().Perm()&^mode != 0 {
		return os.Chmod(real, st.Mode().Perm()&mode)
	}
	return nil
}

// Shut takes from other users the right to write a file, or a directory and all in it, before it comes into the cache: what lies there
// is executed, and how it was made depends on the umask. In a directory that the user names a group may share the cache.
func Shut(path string) error {
	others := fs.FileMode(0o022)
	if dir := os.Getenv(DirEnv); dir != "" && dir != "off" {
		others = 0o002
	}
	return filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		st, err := d.Info()
		if err == nil && st.Mode().Perm()&others != 0 {
			err = os.Chmod(path, st.Mode().Perm()&^others)
		}
		return err
	})
}

// checkAbove refuses a path if another user can change what lies at it, by a directory or
// symbolic link on the way or by the last one itself.
func checkAbove(path string) error {
	for ; ; path = filepath.Dir(path) {
		st, err := os.Lstat(path)
		if err != nil {
			return err
		}
		if uid := ownerOf(st); !trusted(uid) {
			return &UnsafeError{path, fmt.Sprintf("belongs to user %d", uid)}
		}
		if st.IsDir() && open(st) {
			return &UnsafeError{path, allMayWrite}
		}
		if path == filepath.Dir(path) {
			return nil
		}
	}
}

// open reports whether any user may replace what lies in a directory.
func open(st fs.FileInfo) bool { return st.Mode().Perm()&0o002 != 0 && st.Mode()&fs.ModeSticky == 0 }

func ownerOf(st fs.FileInfo) int { return int(st.Sys().(*syscall.Stat_t).Uid) }

// unmapped is the owner of files whose user has no number in a user namespace
// (user_namespaces(7)).
const unmapped = 65534

// trusted reports whether a user may own directories above the cache.
func trusted(uid int) bool {
	return uid == os.Geteuid() || uid == 0 || uid == unmapped && inUserNamespace()
}

func inUserNamespace() bool {
	ids, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && strings.Join(strings.Fields(string(ids)), " ") != "0 0 4294967295"
}
