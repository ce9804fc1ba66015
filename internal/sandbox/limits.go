package sandbox

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// limit sets the limits of the process, which its children inherit, but for those of memory.
func (o *order) limit() error {
	set := func(resource int, n uint64) error {
		if n == 0 {
			return nil
		}
		now, err := lowered(resource, n)
		if err != nil {
			return err
		}
		return unix.Setrlimit(resource, &now)
	}
	seconds := uint64((o.CPU + time.Second - 1) / time.Second)
	for _, l := range []struct {
		resource int
		n        uint64
	}{
		{unix.RLIMIT_CPU, seconds}, {unix.RLIMIT_FSIZE, o.fileSize()}, {unix.RLIMIT_NPROC, o.Processes}, {unix.RLIMIT_NOFILE, 256},
	} {
		if err := set(l.resource, l.n); err != nil {
			return err
		}
	}
	return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}

// fileSize is the most bytes of one file, 0 for no bound.
func (l *Limits) fileSize() uint64 {
	if l.Files == 0 {
		return 0
	}
	return max(l.Files, l.MemoryFile)
}

// lowered is a limit of at most n.
func lowered(resource int, n uint64) (unix.Rlimit, error) {
	var now unix.Rlimit
	err := unix.Getrlimit(resource, &now)
	n = min(n, now.Max)
	return unix.Rlimit{Cur: n, Max: n}, err
}

// execute sets the limits of memory and becomes the program. Go's runtime has reserved more
// than a small limit allows, so that it ends at its next request for memory: between the two only the
// kernel is called, by this thread.
func (o *order) execute(path string, args, env []string) error {
	type limit struct {
		resource int
		unix.Rlimit
	}
	var limits []limit
	for _, l := range []struct {
		resource int
		n        uint64
	}{{unix.RLIMIT_AS, o.Memory}, {unix.RLIMIT_DATA, o.Data}} {
		if l.n == 0 {
			continue
		}
		now, err := lowered(l.resource, l.n)
		if err != nil {
			return err
		}
		limits = append(limits, limit{l.resource, now})
	}
	file, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	argv, err := syscall.SlicePtrFromStrings(args)
	if err != nil {
		return err
	}
	envv, err := syscall.SlicePtrFromStrings(env)
	if err != nil {
		return err
	}
	for i := range limits {
		l := &limits[i]
		if _, _, errno := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, uintptr(l.resource), uintptr(unsafe.Pointer(&l.Rlimit)), 0, 0, 0); errno != 0 {
			return errno
		}
	}
	_, _, errno := unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(file)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])))
	return errno
}
