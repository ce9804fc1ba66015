package sandbox

import (
	"testing"
	"time"
)

// TestProcessor: the time of a program is that of a child that runs and of one that has ended, and not that of its sleep.
func TestProcessor(t *testing.T) {
	for name, b := range boxes(t) {
		for script, want := range map[string]bool{
			"sleep 1002": false,
			"i=0; while :; do i=$((i+1)); done & sleep 1002":                  true,
			"(i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done); sleep 1002": true,
		} {
			p, err := b.Start(Spec{Path: "/bin/sh", Args: []string{"sh", "-c", script}, Env: []string{"PATH=/bin:/usr/bin"}, Read: system}, nil, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			before, used := time.Now(), time.Duration(0)
			for used < 100*time.Millisecond && time.Since(before) < 20*time.Second && (want || time.Since(before) < time.Second) {
				time.Sleep(20 * time.Millisecond)
				used = p.Processor()
			}
			p.Kill()
			if (used >= 100*time.Millisecond) != want {
				t.Errorf("%s: %q used %v", name, script, used)
			}
		}
	}
}
