package mem

import (
	"errors"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// claimed is set if the arena's place is held for the next one.
var claimed struct {
	sync.Mutex
	held bool
	size uint64
}

// Claim holds the arena's place until New: Go places its heap anywhere from Go
// 1.26 on, and reports are to have the same addresses in each run. It reports
// false if something lies there already, which another start of the process
// cures.
func Claim() bool {
	claimed.Lock()
	defer claimed.Unlock()
	if claimed.held {
		return true
	}
	claimed.size = fits(MaxSize, addressSpace())
	err := hold(claimed.size, unix.MAP_FIXED_NOREPLACE)
	claimed.held = err == nil
	return !errors.Is(err, unix.EEXIST)
}

// hold maps size bytes at the arena's place that nothing can access.
func hold(size uint64, fixed int) error {
	_, err := unix.MmapPtr(-1, 0, unsafe.Add(nil, uintptr(ArenaBase)), uintptr(size), unix.PROT_NONE,
		unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE|fixed)
	return err
}

// take returns the flag for mapping an arena of size bytes: over the place that is
// held, or only where nothing is.
func take(size uint64) int {
	claimed.Lock()
	defer claimed.Unlock()
	if claimed.held && size <= claimed.size {
		claimed.held = false
		return unix.MAP_FIXED
	}
	return unix.MAP_FIXED_NOREPLACE
}

// refused tells that the mapping which take was for could not be had.
func refused(fixed int) {
	claimed.Lock()
	defer claimed.Unlock()
	claimed.held = claimed.held || fixed == unix.MAP_FIXED
}

// giveBack takes the place of an arena away, and holds it if it was held before.
func (a *Arena) giveBack() error {
	claimed.Lock()
	defer claimed.Unlock()
	if !a.claimed {
		return unix.MunmapPtr(a.base, uintptr(a.size))
	}
	err := hold(a.size, unix.MAP_FIXED)
	claimed.held = err == nil
	return err
}
