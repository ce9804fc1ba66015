package sandbox

import "golang.org/x/sys/unix"

// forks are the system calls besides clone that make processes.
var forks = []uintptr{unix.SYS_FORK, unix.SYS_VFORK}
