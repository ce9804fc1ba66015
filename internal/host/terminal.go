package host

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// foreground lets a program that reads the terminal do so from its own
// process group. The result gives the terminal back.
func foreground(cmd *exec.Cmd) (restore func()) {
	f, ok := cmd.Stdin.(*os.File)
	if !ok {
		return func() {}
	}
	fd := int(f.Fd())
	owner, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	if err != nil || owner != unix.Getpgrp() {
		return func() {}
	}
	cmd.SysProcAttr.Foreground = true
	cmd.SysProcAttr.Ctty = fd
	return func() {
		signal.Ignore(syscall.SIGTTOU)
		defer signal.Reset(syscall.SIGTTOU)
		_ = unix.IoctlSetPointerInt(fd, unix.TIOCSPGRP, owner)
	}
}
