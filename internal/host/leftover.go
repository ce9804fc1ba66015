package host

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// registered is the file by which LLVM's OpenMP runtime (libomp) finds another copy of itself in a process. It removes the file
// at exit, so that a process which is killed leaves it in memory.
const registered = "/dev/shm/__KMP_REGISTERED_LIB_%d_%d"

// sweep removes what killed processes of a program have left outside their folders.
func sweep(pids []int) {
	for _, pid := range pids {
		if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			_ = os.Remove(fmt.Sprintf(registered, pid, os.Getuid()))
		}
	}
}
