package judge

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Listen listens on a Unix socket that only this user can connect to. A socket that nothing
// listens on any more is replaced.
func Listen(path string) (*net.UnixListener, error) {
	if st, err := os.Lstat(path); err == nil {
		if st.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("%s is there, and no socket", path)
		}
		if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
			c.Close()
			return nil, fmt.Errorf("%s: something listens there already", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	before := unix.Umask(0o077)
	defer unix.Umask(before)
	return net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
}

// Serve judges the jobs of all connections until ctx ends, each connection as Stream does.
func (j *Judge) Serve(ctx context.Context, l *net.UnixListener, folder string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	context.AfterFunc(ctx, func() { l.Close() })
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		c, err := l.AcceptUnix()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil: // too many open files: others will be closed
			time.Sleep(100 * time.Millisecond)
			continue
		}
		wg.Go(func() {
			defer c.Close()
			defer context.AfterFunc(ctx, func() { c.Close() })()
			_, _, _ = j.Stream(ctx, c, c, folder) // of a client that has gone
		})
	}
}
