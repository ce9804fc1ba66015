// Package patience tells users what a run waits for, by one line on standard error for each wait that lasts.
// Waits whose end the run itself decides, as that for a kernel, have their own messages.
package patience

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// For is what a run can wait for.
type For uint8

// The kinds of waits.
const (
	Lock       For = iota // that another process has
	Compiler              // clang or a tool of it
	Program               // that was told to stop, with its processes
	Device                // kernels that were told to stop, and requests under way
	EarlierRun            // of this process, whose memory the next one needs
	kinds
)

// String is the kind's name in a line.
func (f For) String() string {
	return [kinds]string{"another process, which has the lock", "the compiler", "the program to end, which was told to stop", "work of the program on the emulated GPU to end", "the work of an earlier run to end"}[f]
}

// limits are for how long each wait may last without a line: compilers take their time.
var limits = [kinds]time.Duration{30 * time.Second, time.Minute, 30 * time.Second, 30 * time.Second, 30 * time.Second}

var (
	mu    sync.Mutex
	told  [kinds]int
	lines io.Writer = os.Stderr
)

// Begin begins a wait for something with a name, which may be "", until end is called.
func Begin(f For, name string) (end func()) {
	t := time.AfterFunc(limits[f], func() { tell(f, name) })
	return func() { t.Stop() }
}

func tell(f For, name string) {
	mu.Lock()
	defer mu.Unlock()
	told[f]++
	if name != "" {
		name = fmt.Sprintf(": %q", name)
	}
	fmt.Fprintf(lines, "warpgrind: waiting for %v%s (%v until now)\n", f, name, limits[f])
}

// Told is how many waits of a kind have had a line.
func Told(f For) int {
	mu.Lock()
	defer mu.Unlock()
	return told[f]
}

// Hasten shortens all waits without a line, and has the lines written elsewhere, until the function that it returns is called.
// Tests use it.
func Hasten(limit time.Duration, to io.Writer) (restore func()) {
	mu.Lock()
	defer mu.Unlock()
	oldLimits, oldLines := limits, lines
	for f := range limits {
		limits[f] = limit
	}
	lines = to
	return func() {
		mu.Lock()
		defer mu.Unlock()
		limits, lines = oldLimits, oldLines
	}
}
