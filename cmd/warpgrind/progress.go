package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// showAfter is how long a launch runs before its progress is shown.
const showAfter = time.Second

// progress rewrites one line of a terminal. Its methods may be called from
// several goroutines.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	width func() int
	shown bool
}

// newProgress returns nil if w is not a terminal.
func newProgress(w io.Writer) *progress {
	if _, ok := columns(w); !ok || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{w: w, width: func() int {
		n, _ := columns(w)
		return n
	}}
}

// update shows the progress of a launch; nil removes the line.
func (p *progress) update(s *session.Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == nil || s.Elapsed < showAfter {
		p.clear()
		return
	}
	line := statusLine(s)
	if n := p.width(); n > 1 && len(line) >= n {
		line = line[:n-1]
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", visible.Line(line))
	p.shown = true
}

func (p *progress) clear() {
	if p.shown {
		io.WriteString(p.w, "\r\x1b[K")
	}
	p.shown = false
}

// statusLine is the text of a status. Names of kernels come first but may be
// long, so they are cut.
func statusLine(s *session.Status) string {
	name := s.Kernel
	if i := strings.IndexByte(name, '('); i > 0 {
		name = name[:i]
	}
	if len(name) > 30 {
		name = name[:27] + "..."
	}
	line := fmt.Sprintf("warpgrind: %s, launch %d: %d of %d blocks, %s instructions/s", name, s.Launch, s.Done, s.Blocks, short(s.Rate))
	if s.Left > 0 {
		line += ", " + roughly(s.Left) + " left"
	}
	if s.Findings > 0 {
		line += fmt.Sprintf(", findings: %d", s.Findings)
	}
	return line
}

// short writes a number with three digits: 12.3M.
func short(v float64) string {
	for _, u := range []string{"", "k", "M", "G"} {
		if v < 999.5 || u == "G" {
			return fmt.Sprintf("%.3g%s", v, u)
		}
		v /= 1000
	}
	return ""
}

// roughly writes a duration in its largest units.
func roughly(d time.Duration) string {
	switch {
	case d > 100*24*time.Hour:
		return "months"
	case d > 48*time.Hour:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	case d > time.Hour:
		return d.Round(time.Minute).String()
	}
	return d.Round(time.Second).String()
}

// warner writes warnings, each on a line of its own.
func (c *command) warner(p *progress) func(string) {
	var mu sync.Mutex
	return func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if p != nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.clear()
		}
		fmt.Fprint(c.stderr, visible.Log("warpgrind: "+text+"\n"))
	}
}
