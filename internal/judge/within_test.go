package judge

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// TestWithin: a compilation may use its limit of the processor and take that long, however busy the machine is; what runs takes
// its time by the clock.
func TestWithin(t *testing.T) {
	const limit = 0.1
	var ticks atomic.Int64
	busy := func() time.Duration { return time.Duration(ticks.Add(1)) * time.Hour }
	starved := func() time.Duration { return time.Hour } // it got no processor since the request began
	for _, c := range []struct {
		name     string
		q        request
		used     func() time.Duration
		exceeded bool
		ends     error
	}{
		{"busy", request{Compile: &compileRequest{}, Seconds: limit}, busy, true, context.Canceled},
		{"starved", request{Compile: &compileRequest{}, Seconds: limit}, starved, false, nil},
		{"kernels", request{Run: &runRequest{}, Seconds: -grace.Seconds()}, starved, false, context.DeadlineExceeded},
	} {
		ctx, stop := c.q.within(t.Context(), c.used)
		select {
		case <-ctx.Done():
		case <-time.After(400 * time.Millisecond):
		}
		if err := ctx.Err(); !errors.Is(err, c.ends) {
			t.Errorf("%s: ended by %v", c.name, err)
		}
		if exceeded := stop(); exceeded != c.exceeded {
			t.Errorf("%s: exceeded %v", c.name, exceeded)
		}
	}
}
