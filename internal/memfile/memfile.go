// Package memfile makes files of memory that have no name: what two processes, or two mappings, share.
package memfile

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// New makes an empty file and reports whether its size can be sealed (fcntl(2), "File Sealing"). A sandbox that measures memory refuses
// memfd_create(2), since such a file can exist where nothing shows it; its directory for temporary files is memory, with a
// bound that the kernel holds, and has the file instead. No other file system than tmpfs is taken.
func New(name string) (f *os.File, sealable bool, err error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err == nil {
		return os.NewFile(uintptr(fd), name), true, nil
	}
	if !errors.Is(err, unix.EPERM) {
		return nil, false, fmt.Errorf("memfd_create: %w", err)
	}
	var fs unix.Statfs_t
	if unix.Statfs(os.TempDir(), &fs) != nil || fs.Type != unix.TMPFS_MAGIC {
		return nil, false, fmt.Errorf("memfd_create: %w", err)
	}
	if fd, err = unix.Open(os.TempDir(), unix.O_TMPFILE|unix.O_RDWR|unix.O_EXCL|unix.O_CLOEXEC, 0o600); err != nil {
		return nil, false, fmt.Errorf("a file without a name in %s: %w", os.TempDir(), err)
	}
	return os.NewFile(uintptr(fd), name), false, nil
}
