package host

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
)

// ServeUntilIdle serves a program that has started its server, by a connection that both have
// from the start, and all that connect meanwhile. It ends when no program is connected
// any more.
func (s *Server) ServeUntilIdle(ctx context.Context, first *net.UnixConn) error {
	l, remove, err := s.listen()
	if err != nil {
		first.Close()
		return err
	}
	defer remove()
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	defer s.conns.Wait()
	var open atomic.Int32
	serve := func(c *net.UnixConn) {
		open.Add(1)
		s.conns.Go(func() {
			s.serveConn(ctx, c)
			if open.Add(-1) == 0 {
				l.Close()
			}
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
