package session

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/patience"
)

// unsettled are the runs that ended while work on a kernel continued. Their memory has the addresses that the next run of the
// process needs.
var unsettled struct {
	sync.Mutex
	runs []<-chan struct{}
}

// closeLater closes the arena of a run once nothing uses it.
func closeLater(server *host.Server, arena *mem.Arena) {
	done := make(chan struct{})
	go func() {
		server.Settle()
		arena.Close()
		close(done)
	}()
	unsettled.Lock()
	defer unsettled.Unlock()
	unsettled.runs = append(unsettled.runs, done)
}

// settleTime is how long a run waits for the work of earlier ones.
const settleTime = time.Minute

// settled waits for earlier runs that still have memory.
func settled(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	unsettled.Lock()
	defer unsettled.Unlock()
	if len(unsettled.runs) > 0 {
		defer patience.Begin(patience.EarlierRun, "")()
	}
	for len(unsettled.runs) > 0 {
		select {
		case <-unsettled.runs[0]:
			unsettled.runs = unsettled.runs[1:]
		case <-ctx.Done():
			return fmt.Errorf("the work of an earlier run does not end: %w", ctx.Err())
		}
	}
	return nil
}
