package host

import (
	"context"
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// ServeUntilIdle serves a program that has started its server, by a connection that both have
// from the start, and all that connect meanwhile. It ends when no program is left.
func (s *Server) ServeUntilIdle(ctx context.Context, first *net.UnixConn) error {
	l, remove, err := s.listen()
	if err != nil {
		first.Close()
		return err
	}
	defer remove()
	if s.starter, err = s.peerOf(first); err != nil {
		first.Close()
		return err
	}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	defer s.conns.Wait()
	s.idle = func() { l.Close() }
	serve := func(c *net.UnixConn) {
		s.opened(1)
		s.conns.Go(func() {
			s.serveConn(ctx, c)
			s.opened(-1)
		})
	}
	for serve(first); ; {
		c, err := l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		serve(c)
	}
}

// opened counts the connections. It awaits no turn: a kernel that runs keeps none from coming.
func (s *Server) opened(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += n
	s.left()
}

// left is called when a program or a connection has gone.
func (s *Server) left() {
	if s.idle != nil && s.open == 0 && len(s.programs) == 0 {
		s.idle()
		return
	}
	if s.farewell != nil && s.cfg.SoFar != nil && !s.busy && s.onlyDaemons() {
		s.tell(s.cfg.SoFar())
	}
}

// starts keeps the connection of the process that has started the server for its exit code.
func (s *Server) starts(pid int, c *net.UnixConn) bool {
	s.enter()
	defer s.leave()
	if pid == 0 || pid != s.starter {
		return false
	}
	s.farewell = c
	return true
}

// onlyDaemons reports whether all programs that are left run in sessions other than the
// starter's, whose end does not await theirs.
func (s *Server) onlyDaemons() bool {
	own, err := unix.Getsid(s.starter)
	if err != nil {
		return false
	}
	for _, p := range s.programs {
		if sid, err := unix.Getsid(p.pid); p.pid == s.starter || err != nil || sid == own {
			return false
		}
	}
	return len(s.programs) > 0
}

// Tell ends the program that has started the server, with an exit code; 0 means its own. One that
// has ended already misses nothing.
func (s *Server) Tell(code int) {
	s.enter()
	defer s.leave()
	s.tell(code)
}

func (s *Server) tell(code int) {
	if s.farewell == nil {
		return
	}
	_, _ = s.farewell.Write([]byte{byte(code)})
	s.farewell.Close()
	s.farewell = nil
}

// ServeConnections serves a program over the connections that it has inherited, one for each of its threads that
// calls CUDA, until they end. A thread beyond them gets an error.
func (s *Server) ServeConnections(ctx context.Context, conns []*net.UnixConn) {
	for _, c := range conns {
		s.conns.Go(func() { s.serveConn(ctx, c) })
	}
	s.conns.Wait()
}
