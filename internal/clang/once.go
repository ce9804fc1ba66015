package clang

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/patience"
)

// lockPatience is how long a process waits for another one that makes the same file. That may be stopped, or hang: the file is
// then made here as well, since both put it into place in one step.
var lockPatience = 5 * time.Minute

// once runs produce unless the file, an object or a shared library, is there, in one process at a time: in a parallel build one
// process compiles and the others use its result. The kernel releases the lock of a process that is
// killed. waiting, if not nil, is called before this process waits for another.
func once(ctx context.Context, file string, waiting func(), produce func() error) error {
	if isObject(file) {
		return nil
	}
	lock, err := os.OpenFile(file+".lock", os.O_CREATE|os.O_RDWR, 0o664)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := takeTurn(ctx, file, lock, waiting); err != nil || isObject(file) {
		return err
	}
	return produce()
}

// takeTurn waits for a lock as long as another process has it and has not made the file.
func takeTurn(ctx context.Context, file string, lock *os.File, waiting func()) error {
	defer patience.Begin(patience.Lock, lock.Name())()
	for late := time.Now().Add(lockPatience); time.Now().Before(late) && !isObject(file); {
		err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			break // locked, or a file system without locks: then several may compile
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}
