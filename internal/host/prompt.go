package host

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// grace is how long work on a kernel may still take when the check is to end:
// enough for what a launch found to be told, not for a long proof.
const grace = time.Second

// promptly calls f and returns what it does, and ctx's error if f has not returned
// soon after ctx has ended: f is then left alone, and its result is lost. A panic
// becomes an error.
func promptly[T any](ctx context.Context, s *Server, f func() (T, error)) (v T, err error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.err = &panicError{p, debug.Stack()}
			}
			done <- r
		}()
		r.v, r.err = f()
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case r := <-done:
		return r.v, r.err
	case <-t.C:
		s.abandoned.Store(true)
		s.unfinished.Add(1)
		go func() {
			<-done
			s.unfinished.Done()
		}()
		return v, ctx.Err()
	}
}

// Abandoned reports whether work on a kernel continues although the check is over. It
// may still use the arena.
func (s *Server) Abandoned() bool { return s.abandoned.Load() }

// Settle waits for the work that continues although the check is over.
func (s *Server) Settle() { s.unfinished.Wait() }

// panicError is a panic in work for a request: a bug of warpgrind.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }
