package main

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/session"
)

// broken panics where it is written to.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("forged\x1b[2J\n::error::words") }

// TestBug: a panic is exit code 6 with one line, and its stack with WARPGRIND_DEBUG.
func TestBug(t *testing.T) {
	for _, debug := range []string{"", "1"} {
		t.Setenv("WARPGRIND_DEBUG", debug)
		var errs strings.Builder
		code := run(t.Context(), []string{"explain", "RAW"}, strings.NewReader(""), broken{}, &errs)
		line, stack, _ := strings.Cut(errs.String(), "\n")
		if code != session.ExitBug || !strings.HasPrefix(line, "warpgrind: bug in warpgrind: forged") || strings.Contains(line, "\x1b") {
			t.Errorf("code %d, %q", code, line)
		}
		if got := strings.Contains(stack, "broken.Write"); got != (debug != "") || debug == "" && strings.Contains(stack, "goroutine") {
			t.Errorf("WARPGRIND_DEBUG=%q: %q", debug, stack)
		}
	}
}
