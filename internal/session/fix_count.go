package session

import (
	"math/bits"
	"sync"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// lineCounts counts the valid accesses of threads at lines: a condition that leaves out invalid
// accesses and no others does not change them.
type lineCounts struct {
	lines map[line]bool
	mu    sync.Mutex
	n     map[line]map[int]uint64 // by launch
	// last is the number of the last launch that began.
	last int
}

// line is a line of a file.
type line struct {
	file   string
	number int
}

func lineOf(p source.Pos) line { return line{p.File, p.Line} }

func newLineCounts(lines map[line]bool) *lineCounts {
	return &lineCounts{lines: lines, n: map[line]map[int]uint64{}, last: -1}
}

func (c *lineCounts) observer() *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		c.mu.Lock()
		c.last = max(c.last, l.ID)
		c.mu.Unlock()
		at := map[int]line{}
		for _, s := range l.Sites {
			if p := lineOf(s.Loc.Pos); c.lines[p] {
				at[s.ID] = p
			}
		}
		if len(at) == 0 {
			return nil
		}
		return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver { return c.block(l.ID, at) }}}
	}}
}

func (c *lineCounts) block(launch int, at map[int]line) *trace.BlockObserver {
	n := map[line]uint64{}
	count := func(a *trace.Access) {
		if p, ok := at[a.Site.ID]; ok {
			n[p] += uint64(bits.OnesCount32(a.Mask))
		}
	}
	return &trace.BlockObserver{Shared: count, Global: count, Local: count, Const: count, End: func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for p, k := range n {
			if c.n[p] == nil {
				c.n[p] = map[int]uint64{}
			}
			c.n[p][launch] += k
		}
		clear(n)
	}}
}

// same reports whether other has the accesses of c at a line, in the launches that c has there,
// without those that hit another object than they mean, and how many it has.
func (c *lineCounts) same(other *lineCounts, at line, strayed uint64) (same bool, now uint64) {
	var was uint64
	for launch, n := range c.n[at] {
		was += n
		now += other.n[at][launch]
	}
	return was > strayed && now == was-strayed, now
}

// strayed counts the accesses at a line that hit another object than they mean.
func strayed(fs []*finding.Finding, at line) uint64 {
	n := uint64(0)
	for _, f := range fs {
		if f.Hit != nil && lineOf(f.Primary.Loc.Pos) == at {
			n += f.Count
		}
	}
	return n
}
