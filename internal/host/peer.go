package host

import (
	"fmt"
	"net"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/scratch"
)

// listen opens the server's socket, in a directory that only its user may enter, until remove
// is called.
func (s *Server) listen() (l *net.UnixListener, remove func(), err error) {
	dir, removeDir, err := scratch.Dir()
	if err != nil {
		return nil, nil, err
	}
	s.socket = filepath.Join(dir, "gpu")
	if l, err = net.ListenUnix("unix", &net.UnixAddr{Name: s.socket, Net: "unix"}); err != nil {
		removeDir()
		return nil, nil, fmt.Errorf("listen for the program: %w", err)
	}
	return l, func() {
		l.Close()
		removeDir()
	}, nil
}

// peerOf returns the process at the other end of a connection, as it was when it connected. It
// is an error if that is another user's, but for root's (unix(7), SO_PEERCRED).
func (s *Server) peerOf(c *net.UnixConn) (pid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	cerr := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	switch {
	case cerr != nil:
		return 0, cerr
	case err != nil:
		return 0, err
	case cred.Uid != s.owner && cred.Uid != 0:
		return 0, fmt.Errorf("a connection of user %d", cred.Uid)
	}
	return int(cred.Pid), nil
}
