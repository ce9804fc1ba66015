package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// rootSize bounds the directories and links of a sandbox's own root in bytes.
const rootSize = 1 << 20

// mounts gives the process a file system of its own: what it may read, /dev/null, and /scratch.
func (o *order) mounts() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	if err := mountMemory(o.Root, rootSize); err != nil {
		return err
	}
	for _, path := range append([]string{"/dev/null"}, o.Read...) {
		if err := o.show(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	inside := filepath.Join(o.Root, o.Scratch)
	if err := os.MkdirAll(inside, 0o777); err != nil {
		return err
	}
	size := o.Files
	if size == 0 {
		size = 1 << 30
	}
	if err := mountMemory(inside, size); err != nil {
		return err
	}
	return o.pivot()
}

func mountMemory(at string, size uint64) error {
	err := unix.Mount("tmpfs", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, fmt.Sprintf("size=%d,nr_inodes=4096,mode=700", size))
	if err != nil {
		return fmt.Errorf("tmpfs: %w", err)
	}
	return nil
}

// show makes a file or directory visible at its own path, read-only. A link stays one: what it
// leads to must be shown as well.
func (o *order) show(path string) error {
	st, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // /lib64 and the like
	}
	if err != nil {
		return err
	}
	at := filepath.Join(o.Root, path)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	switch {
	case st.Mode()&os.ModeSymlink != 0:
		to, err := os.Readlink(path)
		if err == nil {
			err = os.Symlink(to, at)
		}
		if errors.Is(err, os.ErrExist) {
			return nil
		}
		return err
	case st.IsDir():
		err = os.MkdirAll(at, 0o755)
	default:
		err = os.WriteFile(at, nil, 0o644)
	}
	if err != nil {
		return err
	}
	if err := unix.Mount(path, at, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return err
	}
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	if !strings.HasPrefix(path, "/dev/") {
		attr.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	return unix.MountSetattr(unix.AT_FDCWD, at, unix.AT_RECURSIVE, attr)
}

// pivot makes the root that was prepared the only one.
func (o *order) pivot() error {
	if err := os.Chdir(o.Root); err != nil {
		return err
	}
	// The old root is stacked over the new one, and taken away (pivot_root(2), NOTES).
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount of the old root: %w", err)
	}
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", 0, attr); err != nil {
		return fmt.Errorf("read-only root: %w", err)
	}
	return os.Chdir(o.Scratch)
}
