package host

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"time"
)

// firstConnection is how long a program may take to connect once it has
// started its server.
const firstConnection = time.Minute

// ServeUntilIdle is Serve for a server that a program has started: it ends
// when no program is connected any more.
func (s *Server) ServeUntilIdle(ctx context.Context, l *net.UnixListener) error {
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	defer s.conns.Wait()
	var open atomic.Int32
	if err := l.SetDeadline(time.Now().Add(firstConnection)); err != nil {
		return err
	}
	for {
		c, err := l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		if err := l.SetDeadline(time.Time{}); err != nil {
			return err
		}
		open.Add(1)
		s.conns.Go(func() {
			s.serveConn(ctx, c)
			if open.Add(-1) == 0 {
				l.Close()
			}
		})
	}
}
