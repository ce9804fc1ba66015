package solve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

var errTooLong = errors.New("z3 took too long")

// working returns a context that ends once z3 has had d of the processor for a
// question, or hardly any of it for d: then it hangs. On a busy machine it may take
// longer, so that answers do not depend on what else runs there.
func (p *process) working(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	within, cancel := context.WithCancelCause(ctx)
	begin := p.used()
	go func() {
		tick := time.NewTicker(d)
		defer tick.Stop()
		for last := begin; ; {
			select {
			case <-within.Done():
				return
			case <-tick.C:
			}
			now := p.used()
			if now-begin >= d || now-last < d/50 {
				cancel(errTooLong)
			}
			last = now
		}
	}()
	return within, func() { cancel(nil) }
}

// used is the processor time of z3 until now, 0 where that is not known.
func (p *process) used() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, fields, _ := bytes.Cut(text, []byte(") ")) // after the name
	var user, system int64
	var skip string
	fmt.Sscan(string(fields), &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &user, &system)
	return time.Duration(user+system) * time.Second / ticksPerSecond
}

// ticksPerSecond is the unit of times in /proc, on Linux the same everywhere.
const ticksPerSecond = 100
