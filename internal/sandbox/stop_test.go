package sandbox

import (
	"sync/atomic"
	"testing"
	"time"
)

// total counts the bytes that are written to it.
type total struct{ atomic.Int64 }

func (t *total) Write(b []byte) (int, error) { t.Add(int64(len(b))); return len(b), nil }

// TestStop: a program stands still between Stop and Continue, and both return where it has ended.
func TestStop(t *testing.T) {
	for name, b := range boxes(t) {
		t.Run(name, func(t *testing.T) {
			var out total
			p, err := b.Start(Spec{Path: "/bin/sh", Args: []string{"sh", "-c", "while :; do echo line; done"}, Read: system, Alone: true}, nil, &out, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Kill()
			grows := func(limit time.Duration) bool {
				before := out.Load()
				for end := time.Now().Add(limit); time.Now().Before(end) && out.Load() == before; {
					time.Sleep(time.Millisecond)
				}
				return out.Load() > before
			}
			if !grows(10 * time.Second) {
				t.Fatal("it writes nothing")
			}
			for range 10 {
				p.Stop()
				for grows(20 * time.Millisecond) { // what is still in the pipe
				}
				if grows(20 * time.Millisecond) {
					t.Fatal("it writes while it is stopped")
				}
				p.Continue()
				if !grows(10 * time.Second) {
					t.Fatal("it does not continue")
				}
			}
			p.Kill()
			p.Stop()
			p.Continue()
		})
	}
}
