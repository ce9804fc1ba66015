package sandbox

import (
	"time"

	"golang.org/x/sys/unix"
)

// limit sets the limits of the process, which its children inherit.
func (o *order) limit() error {
	set := func(resource int, n uint64) error {
		if n == 0 {
			return nil
		}
		var now unix.Rlimit
		if err := unix.Getrlimit(resource, &now); err != nil {
			return err
		}
		n = min(n, now.Max)
		return unix.Setrlimit(resource, &unix.Rlimit{Cur: n, Max: n})
	}
	seconds := uint64((o.CPU + time.Second - 1) / time.Second)
	for _, l := range []struct {
		resource int
		n        uint64
	}{
		{unix.RLIMIT_AS, o.Memory}, {unix.RLIMIT_DATA, o.Data}, {unix.RLIMIT_CPU, seconds}, {unix.RLIMIT_FSIZE, o.Files},
		{unix.RLIMIT_NPROC, o.Processes}, {unix.RLIMIT_NOFILE, 256},
	} {
		if err := set(l.resource, l.n); err != nil {
			return err
		}
	}
	return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
