package shared

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// copy plays the issue or the completion of an asynchronous copy by a warp:
// each lane's own word.
func (p *player) copy(phase trace.Async, warp int, mask uint32) {
	p.copyTo(wr, phase, warp, mask, own(warp))
}

// copyTo plays one by a site to addresses of the lanes.
func (p *player) copyTo(site int, phase trace.Async, warp int, mask uint32, addr func(l int) int) {
	a := &trace.Access{Site: p.launch.Sites[site], Space: trace.SpaceShared, Warp: warp, Mask: mask, Addr: new([32]uint64), Async: phase}
	for l := range 32 {
		a.Addr[l] = uint64(addr(l))
	}
	a.Data = values(func(l, _ int) uint64 { return uint64(l) })
	p.to.Shared(a)
}

// TestAsyncCopies plays two warps that copy a tile; line 7 is the copy, line 8
// reads the neighbor's element, line 9 writes the own one.
func TestAsyncCopies(t *testing.T) {
	full := ^uint32(0)
	both := func(f func(w int)) { f(0); f(1) }
	issue := func(p *player) { both(func(w int) { p.copy(trace.AsyncIssue, w, full) }) }
	complete := func(p *player) { both(func(w int) { p.copy(trace.AsyncComplete, w, full) }) }
	read := func(p *player) { both(func(w int) { p.access(rd, w, full, next(w, 64), nil) }) }
	for _, tc := range []struct {
		name string
		play func(p *player)
		want string
	}{
		{"waited for, then a barrier", func(p *player) { issue(p); complete(p); p.barrier(); read(p) }, ""},
		{"waited for, no barrier", func(p *player) { issue(p); complete(p); read(p) }, "RAW 7-8 x64 error"},
		{"a barrier, not waited for", func(p *player) { issue(p); p.barrier(); read(p); complete(p) }, "RAW 7-8 x64 error"},
		{"read in an interval of its own", func(p *player) { issue(p); p.barrier(); read(p); p.barrier(); complete(p) }, "RAW 7-8 x64 error"},
		{"the own element too early", func(p *player) {
			issue(p)
			both(func(w int) { p.access(rd, w, full, own(w), nil) })
			complete(p)
		}, "RAW 7-8 x64 error"},
		{"the own element in time", func(p *player) {
			issue(p)
			complete(p)
			both(func(w int) { p.access(rd, w, full, own(w), nil) })
		}, ""},
		{"written while on its way", func(p *player) {
			issue(p)
			both(func(w int) { p.access(wr2, w, full, own(w), nil) })
			complete(p)
		}, "WAW 7-9 x64 error"},
		{"a place that is still read", func(p *player) { read(p); issue(p); p.barrier(); complete(p) }, "WAR 8-7 x64 error"},
		{"a place that was read before a barrier", func(p *player) { read(p); p.barrier(); issue(p); complete(p) }, ""},
		{"double buffer", func(p *player) {
			issue(p)
			for range 5 {
				complete(p)
				p.barrier()
				read(p)
				p.barrier()
				issue(p)
			}
			complete(p)
		}, ""},
		{"one of two warps did not wait", func(p *player) {
			issue(p)
			p.copy(trace.AsyncComplete, 0, full)
			p.barrier()
			p.access(rd, 0, 1, fixed(4), nil)
			p.access(rd, 0, 1, fixed(128), nil)
			p.copy(trace.AsyncComplete, 1, full)
		}, "RAW 7-8 x1 error"},
		{"some lanes waited", func(p *player) {
			p.copy(trace.AsyncIssue, 0, full)
			p.copy(trace.AsyncComplete, 0, 0xffff)
			p.barrier()
			p.access(rd, 1, full, func(l int) int { return 4 * l }, nil)
			p.copy(trace.AsyncComplete, 0, 0xffff0000)
		}, "RAW 7-8 x16 error"},
		{"bytes beside it", func(p *player) {
			p.copy(trace.AsyncIssue, 0, 1)
			p.access(rd1, 1, 1, fixed(4), nil)
			p.access(rd1, 1, 1, fixed(3), nil)
			p.copy(trace.AsyncComplete, 0, 1)
		}, "RAW 7-13 x1 error"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPlayer(t, check.ITS, 64, 2)
			p.begin(0)
			tc.play(p)
			if got := brief(p.end()); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestCopiesAndKnownIntervals: an interval may not be left out while copies
// are in flight, and nothing is left of them in the next block.
func TestCopiesAndKnownIntervals(t *testing.T) {
	p := newPlayer(t, check.ITS, 64, 2)
	p.begin(0)
	b := p.bo
	for i, step := range []struct {
		do   func()
		want bool
	}{
		{func() {}, true},
		{func() { p.copy(trace.AsyncIssue, 0, 3) }, false},
		{func() { p.copy(trace.AsyncComplete, 0, 1) }, false},
		{func() { p.copy(trace.AsyncComplete, 0, 2) }, true},
		{func() { p.copy(trace.AsyncIssue, 0, 3) }, false},
		{func() { p.begin(1) }, true},
	} {
		if step.do(); b.Repeatable(0) != step.want {
			t.Errorf("step %d: repeatable is %v", i, !step.want)
		}
	}
}

func TestAsyncTexts(t *testing.T) {
	p := newPlayer(t, check.ITS, 64, 1)
	p.begin(0)
	p.copy(trace.AsyncIssue, 0, 1)
	p.barrier()
	p.access(rd, 1, 1, fixed(0), nil)
	f := p.end()[0]
	if notes := strings.Join(f.Notes, "\n"); !strings.Contains(notes, "may still be in flight") {
		t.Errorf("notes %q", notes)
	}
	if !strings.HasPrefix(f.Help, "wait for the copy") || !strings.Contains(f.Help, "between line 7 and line 8") {
		t.Errorf("help %q", f.Help)
	}
}
