package clang

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/scratch"
)

// The header libraries that setup fetched lie in a folder for each package, beside CCCLDir, which is a link to the folder in use. A
// compilation that is under way reads the folder that it found (see pinned); a new package is a new folder, and the link changes at once.

// placeCCCL makes what was unpacked in made, on the same file system, what CCCLDir leads to. name is the package with its version.
func placeCCCL(made, dir, name string) error {
	folder := dir + "-" + name
	if err := renameInto(made, folder); err != nil {
		return err
	}
	before, _ := filepath.EvalSymlinks(dir)
	if err := switchLink(filepath.Base(folder), dir); err != nil {
		return err
	}
	removeCCCL(dir, folder, before)
	return nil
}

// switchLink makes dir a link to target, at once: also where a folder is in its place, as versions before had it, which is then kept
// beside it.
func switchLink(target, dir string) error {
	tmp, remove, err := scratch.In(filepath.Dir(dir), "cccl-new-")
	if err != nil {
		return err
	}
	defer remove()
	link := filepath.Join(tmp, "link")
	if err := os.Symlink(target, link); err != nil {
		return err
	}
	st, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && st.Mode()&fs.ModeSymlink != 0:
		return os.Rename(link, dir)
	case err != nil:
		return err
	}
	old := dir + "-before"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := unix.Renameat2(unix.AT_FDCWD, link, unix.AT_FDCWD, dir, unix.RENAME_EXCHANGE); err != nil {
		if err := os.Rename(dir, old); err != nil { // a file system that cannot exchange names
			return err
		}
		return os.Rename(link, dir)
	}
	return os.Rename(link, old)
}

// removeCCCL removes the folders that were replaced a day ago: what began before may read them that long. before is the one that was
// replaced just now.
func removeCCCL(dir, folder, before string) {
	now := time.Now()
	if before != "" && before != folder {
		_ = os.Chtimes(before, now, now)
	}
	list, _ := filepath.Glob(dir + "-*")
	for _, f := range list {
		if st, err := os.Lstat(f); err == nil && f != folder && f != before && now.Sub(st.ModTime()) > shimAge {
			_ = os.RemoveAll(f)
		}
	}
}

// pinned is the toolkit with its links followed: a compilation reads one version from its beginning to its end.
func (t *Toolkit) pinned() *Toolkit {
	if dir, err := CCCLDir(); err != nil || t.Dir != dir {
		return t
	}
	real, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return t
	}
	return &Toolkit{real}
}
