// Package fallback counts what failed where something slower or lesser could take its place: no run
// is slow, or checks less, without a reason in its report.
//
// The counts belong to the process, as the executor and the cache do. A session reports those that
// were added while it ran (Since).
package fallback

import (
	"slices"
	"sync"
)

// Way is a way of doing something that another one can replace.
type Way uint8

const (
	// GeneratedCode executes kernels as machine code; the interpreter replaces it.
	GeneratedCode Way = iota
	// Cache keeps results of compilations; they are made again without it.
	Cache
	// UnreadErrors marks results of API calls that host code discards; it is compiled without the marks.
	UnreadErrors
	// Room is that of the cache's directory for results; later runs make them again.
	Room
	// Libraries are ours for programs that were built before; those run without them.
	Libraries
	// Linker is LLD; the system's linker takes three times as long.
	Linker
	// Cleaner is the process that removes temporary files if this one is killed.
	Cleaner
	ways
)

// String is the way's name in JSON reports.
func (w Way) String() string {
	return [ways]string{"generated-code", "cache", "unread-errors", "cache-room", "libraries", "linker", "cleaner"}[w]
}

// Ways are all ways.
func Ways() (list []Way) {
	for w := range ways {
		list = append(list, w)
	}
	return list
}

// Told reports whether users are told: runs are much slower, or check less.
func (w Way) Told() bool { return w == GeneratedCode || w == Room || w == Libraries }

// Taken is how often a way failed, and the reasons, each once, in their order.
type Taken struct {
	Way     Way
	Count   int
	Reasons []string
}

// maxReasons bounds the different reasons that are kept for each way.
const maxReasons = 8

var (
	mu    sync.Mutex
	taken [ways]Taken
)

// Took notes that a way failed, and why.
func Took(w Way, why error) {
	mu.Lock()
	defer mu.Unlock()
	t := &taken[w]
	t.Count++
	if text := why.Error(); len(t.Reasons) < maxReasons && !slices.Contains(t.Reasons, text) {
		t.Reasons = append(t.Reasons, text)
	}
}

// A Mark is a point in the process's history.
type Mark [ways]int

// Now is the current point.
func Now() (m Mark) {
	mu.Lock()
	defer mu.Unlock()
	for w := range taken {
		m[w] = taken[w].Count
	}
	return m
}

// Since lists the ways that failed after a point, with all reasons that the process has seen: the
// same failure has the same reason, whichever session met it first.
func Since(m Mark) (list []Taken) {
	mu.Lock()
	defer mu.Unlock()
	for w, t := range taken {
		if n := t.Count - m[w]; n > 0 {
			list = append(list, Taken{Way(w), n, slices.Clone(t.Reasons)})
		}
	}
	return list
}
