package session

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// newArena makes the memory of all emulated GPUs together: as the user says, or as a product of the architecture has. It may be much more
// than the machine has, since only what a program touches takes memory, but not more than the process has addresses for: a size that the
// user gives is an error then, one of a product is cut, and the report says so.
func (s *Session) newArena() (*mem.Arena, error) {
	n, each := uint64(max(1, s.Cfg.Devices)), s.memory
	if each == 0 {
		each = s.Arch.Memory()
	}
	arena, err := mem.New(mem.SizeFor(min(each, mem.MaxSize) * n))
	if err != nil {
		return nil, err
	}
	switch most := arena.MaxLimit(); {
	case each <= most/n:
	case s.memory > 0:
		arena.Close()
		return nil, &build.UsageError{Err: fmt.Errorf("--device-memory %s: at most %s for all GPUs together, and there are %d", s.Cfg.DeviceMemory, gib(most), n)}
	default:
		s.Say("the memory of each GPU is %s, not the %s of a product of %v: there are addresses for %s", gib(most/n), gib(each), s.Arch, gib(most))
	}
	arena.SetLimit(each * n)
	return arena, nil
}

// WatchRoom ends the context when the contents of device memory outgrow what the machine has memory to check: the system would end
// the engine without a report. The function that it returns ends the watch.
// What a capsule brings with it has been weighed before, and comes on top.
func (s *Session) WatchRoom(parent context.Context, arena *mem.Arena) (context.Context, func()) {
	room := arena.Resident() + mem.Room()
	const interval = 20 * time.Millisecond // in which a kernel touches a few hundred MB
	ctx, cancel := context.WithCancel(parent)
	var over sync.WaitGroup
	over.Go(func() {
		t := time.NewTicker(interval)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				if arena.Resident() > room {
					s.overfull.Store(true)
					cancel()
				}
			}
		}
	})
	return ctx, func() { cancel(); over.Wait() }
}

// gib writes a number of bytes for people.
func gib(n uint64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }
