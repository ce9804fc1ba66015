package hb

import "github.com/warpgrind/warpgrind/internal/trace"

// StreamClock is a vector clock over streams, whose work is numbered from 1: of each stream
// it has up to which number the work is complete.
type StreamClock map[trace.Stream]uint64

// Join makes it cover what o does.
func (c StreamClock) Join(o StreamClock) {
	for s, n := range o {
		c[s] = max(c[s], n)
	}
}
