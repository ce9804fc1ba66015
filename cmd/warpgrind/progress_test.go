package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestStatusLine(t *testing.T) {
	for _, c := range []struct {
		status session.Status
		want   string
	}{
		{session.Status{Kernel: "scan(float*)", Done: 3, Blocks: 12, Rate: 1234e6, Left: 92 * time.Second},
			"warpgrind: scan, launch 0: 3 of 12 blocks, 1.23G instructions/s, 1m32s left"},
		{session.Status{Kernel: "a_kernel_with_a_very_long_name_indeed", Launch: 7, Blocks: 1, Rate: 999.7, Findings: 2},
			"warpgrind: a_kernel_with_a_very_long_n..., launch 7: 0 of 1 blocks, 1k instructions/s, findings: 2"},
		{session.Status{Kernel: "k", Done: 1, Blocks: 1 << 31, Left: 100 * time.Hour},
			"warpgrind: k, launch 0: 1 of 2147483648 blocks, 0 instructions/s, 4 days left"},
		{session.Status{Kernel: "k", Done: 1, Blocks: 1 << 31, Left: 1 << 62},
			"warpgrind: k, launch 0: 1 of 2147483648 blocks, 0 instructions/s, months left"},
	} {
		if got := statusLine(&c.status); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// TestProgressLine is cut to the terminal's width and is erased at the end.
func TestProgressLine(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, width: func() int { return 40 }}
	s := &session.Status{Kernel: "kernel", Done: 1, Blocks: 2}
	p.update(s)
	if out.Len() > 0 {
		t.Errorf("shown at once: %q", out.String())
	}
	s.Elapsed = 2 * time.Second
	p.update(s)
	p.update(nil)
	p.update(nil)
	const clear = "\r\x1b[K"
	lines := strings.Split(out.String(), clear)
	if len(lines) != 3 || len(lines[1]) != 39 || lines[2] != "" {
		t.Errorf("got %q", lines)
	}
}

// TestNoTerminal has no line to rewrite, and texts of 80 columns.
func TestNoTerminal(t *testing.T) {
	if p := newProgress(&bytes.Buffer{}); p != nil {
		t.Error("progress without a terminal")
	}
	if n := textWidth(&bytes.Buffer{}); n != 80 {
		t.Errorf("%d columns without a terminal, want 80", n)
	}
}

// TestTextWidth follows the terminal within its limits.
func TestTextWidth(t *testing.T) {
	for columns, want := range map[int]int{0: 80, 20: 60, 60: 60, 100: 100, 120: 120, 300: 120} {
		_, tty := tooltest.Terminal(t, columns)
		if n := textWidth(tty); n != want {
			t.Errorf("%d columns on a terminal of %d, want %d", n, columns, want)
		}
	}
}

// TestBuilding: a terminal shows how far the runtime library is, and nothing of it is left.
func TestBuilding(t *testing.T) {
	t.Setenv("TERM", "xterm")
	screen, tty := tooltest.Terminal(t, 80)
	show := (&command{stderr: tty}).building()
	show("the runtime library", 0, 60)
	show("the runtime library", 60, 60)
	tty.Close()
	var text strings.Builder
	_, _ = io.Copy(&text, screen) // ends with an error once the terminal is closed
	if got := text.String(); !strings.Contains(got, "building the runtime library, once: 0 of 60 files") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("%q", got)
	}
	if (&command{stderr: io.Discard}).building() != nil {
		t.Error("progress without a terminal")
	}
}
