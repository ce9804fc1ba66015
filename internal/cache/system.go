package cache

import (
	"os"
	"syscall"
)

// System is the directory with what root has built for all users (warpgrind setup --system).
const System = "/var/lib/warpgrind"

// IsRoots reports whether a directory below System is there and only root can have written it.
// A user who names a cache directory wants that.
func IsRoots(dir string) bool {
	if os.Getenv(DirEnv) != "" {
		return false
	}
	return onlyRoots(System, dir)
}

// onlyRoots reports whether all of these are directories that root owns and no other user can
// write.
func onlyRoots(dirs ...string) bool {
	for _, d := range dirs {
		st, err := os.Lstat(d)
		if err != nil || !st.IsDir() || st.Mode().Perm()&0o022 != 0 || st.Sys().(*syscall.Stat_t).Uid != 0 {
			return false
		}
	}
	return true
}
