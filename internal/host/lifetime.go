package host

import (
	"context"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
)

// A program has one connection for each of its threads, and may lose them all without having
// ended: it closes descriptors that it does not know, or replaces itself by another program.
// So it has left when it says so (Bye), or when its process has ended.

// join adds a connection to a program.
func (p *process) join(c *net.UnixConn) { p.conns[c] = true }

// part takes a connection away. With the last one the program has left, unless its process
// lives on and has not said that it ends. check is the context of the server.
func (p *process) part(check context.Context, c *net.UnixConn) {
	p.s.enter()
	defer p.s.leave()
	delete(p.conns, c)
	p.s.free.Broadcast() // to those who wait for it in touched
	if p.exiting || !p.lives || check.Err() != nil {
		p.leaveIfAlone(check)
	}
}

// leaveIfAlone ends a program that has no connection, and gives back what it held.
func (p *process) leaveIfAlone(check context.Context) {
	if len(p.conns) > 0 || p.s.programs[p.token] != p {
		return
	}
	p.gone()
	p.unwatch()
	p.drop()
	p.endRank()
	if check.Err() == nil { // otherwise the whole arena goes
		p.releaseAll()
	}
	p.forget()
	delete(p.s.programs, p.token)
	p.s.left()
}

// watchProcess has the program leave once its process has ended.
func (p *process) watchProcess(check context.Context) {
	p.unwatch = func() {}
	if p.pid == os.Getpid() { // a test
		return
	}
	fd, err := unix.PidfdOpen(p.pid, unix.PIDFD_NONBLOCK)
	if err != nil {
		return
	}
	file := os.NewFile(uintptr(fd), "process")
	stop := context.AfterFunc(check, func() { file.Close() })
	p.lives, p.unwatch = true, func() { stop(); file.Close() }
	p.s.conns.Go(func() {
		if awaitReadable(file) == nil {
			p.gone() // before the turn: it may be this program's kernel that has it
			p.s.enter()
			defer p.s.leave()
			p.ended(check)
		}
	})
}

// ended has a program leave that says nothing any more. Others may hold copies of its connections.
func (p *process) ended(check context.Context) {
	p.lives = false
	for c := range p.conns {
		c.Close()
	}
	p.leaveIfAlone(check)
}

// awaitReadable waits until a file can be read, which is an error if it is closed before.
func awaitReadable(file *os.File) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Read(func(fd uintptr) bool {
		n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		return n > 0
	})
}

// dismiss has the programs leave that live longer than the one that was to be run, and those that come after it. A kernel of
// theirs that runs ends first: it has the turn.
func (s *Server) dismiss(check context.Context) {
	s.mu.Lock()
	s.dismissed = true
	for _, p := range s.programs {
		if p.outlives() {
			p.gone()
		}
	}
	for c := range s.strangers {
		c.Close()
	}
	s.mu.Unlock()
	s.enter()
	defer s.leave()
	for _, p := range s.programs {
		if p.outlives() {
			p.ended(check)
		}
	}
}

// outlives reports whether a program has not ended, or nothing tells its end.
func (p *process) outlives() bool { return !p.lives || unix.Kill(p.pid, 0) == nil }

// meets notes a connection that has not said yet of which program it is. It reports whether that is still of interest.
func (s *Server) meets(c *net.UnixConn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strangers[c] = true
	return !s.dismissed
}

// replaced lets the programs leave that the process was before it became another one (exec), at
// once or with their last connection: its end may not have been seen yet.
func (s *Server) replaced(check context.Context, pid int) {
	for _, p := range s.programs {
		if p.pid == pid {
			p.lives = false
			p.leaveIfAlone(check)
		}
	}
}

// exitPatience is how long a program that ends waits for a kernel that another of its threads
// runs. A GPU would end it at once; most kernels are over by then, and are checked completely.
const exitPatience = 2 * time.Second

// hurry ends the work of a program that is about to end, if it takes long, until stop is called.
func (p *process) hurry(q *request) (stop func()) {
	if _, bye := q.in.(*protocol.Bye); !bye {
		return func() {}
	}
	t := time.AfterFunc(exitPatience, func() {
		p.s.mu.Lock()
		defer p.s.mu.Unlock()
		if p.s.runs == p {
			p.gone()
		}
	})
	return func() { t.Stop() }
}
