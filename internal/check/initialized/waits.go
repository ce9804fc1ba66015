package initialized

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Words that threads wait for
//
// A flag or a state that one thread sets and others wait for needs a value before
// the launch. Where it has none, or one that ends the wait as well, a run finds no
// fault as long as the thread that sets it comes first. So what counts is what
// a waiting thread would have found at the launch's start.

// waitsLaunch watches the words that threads of a launch wait for and that others
// set. The launch's blocks run on one core.
type waitsLaunch struct {
	checker *checker
	launch  *trace.Launch
	waits   []bool // by site
	words   map[uint64]*waitedWord
	found   map[waitKey]*tooEarly
}

// waitedWord is a word that is set by strong writes.
type waitedWord struct {
	// set is set if the launch has set it; before is what it was then, fresh that
	// it had not been written; now what it is, where that is known.
	set, fresh, known bool
	before, now       uint64
	// left is set if the launch has set it to something else than before, as far as is known.
	left bool
	// by is the last write, of a thread of block*2^16 + its number; several says
	// that more threads than one set it, or that the one waits for it too.
	by      *trace.Site
	thread  uint64
	several bool
	// waited is the last thread that waited for it before it was set.
	waited uint64
}

// waitKey tells findings apart: by the site that waits and the allocation.
type waitKey struct{ site, object int }

// tooEarly is a wait that may end too early.
type tooEarly struct {
	count      uint64
	word       *waitedWord
	fresh      bool
	memory     trace.Memory
	block      uint64
	warp, lane int
	addr       uint64
	value      uint64
}

// waits returns what watches the words that a launch's threads wait for, nil where
// they wait for none.
func (c *checker) waits(l *trace.Launch) *waitsLaunch {
	if !l.Ordered || l.Peek == nil || c.texts == nil || !slices.ContainsFunc(l.Sites, mayWait) || !slices.ContainsFunc(l.Sites, sets) {
		return nil
	}
	k := l.Module + " " + l.Kernel
	sites, ok := c.waiting[k]
	if !ok {
		sites = make([]bool, len(l.Sites))
		if f := c.texts(l.Module, l.Kernel); f != nil {
			facts := guards.Find(f)
			for i, s := range l.Sites {
				sites[i] = mayWait(s) && facts.Waits(guards.Site{Func: s.Func, Line: s.PTXLine})
			}
		}
		if c.waiting == nil {
			c.waiting = map[string][]bool{}
		}
		c.waiting[k] = sites
	}
	if !slices.Contains(sites, true) {
		return nil
	}
	return &waitsLaunch{c, l, sites, map[uint64]*waitedWord{}, map[waitKey]*tooEarly{}}
}

// mayWait reports reads that another thread's write can end.
func mayWait(s *trace.Site) bool {
	return s.Kind == trace.Read && s.Order >= trace.OrderVolatile && inGlobal(s)
}

// sets reports what such a read may find.
func sets(s *trace.Site) bool {
	return (s.Kind == trace.Atomic || s.Kind == trace.Write && s.Order >= trace.OrderVolatile) && inGlobal(s)
}

func inGlobal(s *trace.Site) bool {
	return s.Size > 0 && s.Size <= 8 && (s.Space == trace.SpaceGlobal || s.Space == trace.SpaceGeneric)
}

func (w *waitsLaunch) observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{End: w.End, Block: func() *trace.BlockObserver {
		b := &waitsBlock{in: w, pending: map[int]*pendingWait{}}
		return &trace.BlockObserver{Begin: b.Begin, End: b.End, Global: b.Access, Ignores: b.Ignores}
	}}
}

// waitsBlock watches blocks.
type waitsBlock struct {
	in    *waitsLaunch
	block *trace.Block
	// pending has by thread a read that ends a wait, if no other follows there.
	pending map[int]*pendingWait
}

type pendingWait struct {
	site *trace.Site
	addr uint64
	word *waitedWord
}

// Ignores is for trace.BlockObserver.
func (b *waitsBlock) Ignores(s *trace.Site) bool { return !b.in.waits[s.ID] && !sets(s) }

// Begin is for trace.BlockObserver.
func (b *waitsBlock) Begin(blk *trace.Block) {
	b.block = blk
	clear(b.pending)
}

// End is for trace.BlockObserver.
func (b *waitsBlock) End() {
	if !b.block.Cut {
		for _, t := range slices.Sorted(maps.Keys(b.pending)) {
			b.ended(t)
		}
	}
}

// Access is for trace.BlockObserver.
func (b *waitsBlock) Access(a *trace.Access) {
	if a.Space != trace.SpaceGlobal || !b.in.waits[a.Site.ID] && !sets(a.Site) {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		t := 32*a.Warp + l
		if p := b.pending[t]; p != nil {
			if p.site != a.Site || p.addr != a.Addr[l] {
				b.ended(t)
			}
			delete(b.pending, t)
		}
		w := b.in.words[a.Addr[l]]
		if w == nil {
			w = &waitedWord{waited: noThread}
			b.in.words[a.Addr[l]] = w
		}
		if a.Site.Kind == trace.Read {
			b.wait(a, l, w)
		} else {
			b.set(a, l, w)
		}
	}
}

const noThread = ^uint64(0)

func (b *waitsBlock) thread(t int) uint64 { return b.block.Index<<16 | uint64(t) }

// wait looks at a read by which a thread waits.
func (b *waitsBlock) wait(a *trace.Access, l int, w *waitedWord) {
	t := 32*a.Warp + l
	switch id := b.thread(t); {
	case !w.set:
		w.waited = id
	case id == w.thread:
		w.several = true
	case w.fresh || w.known && w.now == w.before:
		b.pending[t] = &pendingWait{a.Site, a.Addr[l], w}
	}
}

// set notes what a thread sets.
func (b *waitsBlock) set(a *trace.Access, l int, w *waitedWord) {
	id := b.thread(32*a.Warp + l)
	if !w.set {
		old, written := b.in.launch.Peek(a.Addr[l], a.Site.Size)
		w.set, w.fresh, w.before, w.thread = true, old != nil && !written, number(old), id
	}
	w.several = w.several || w.thread != id || w.waited == id
	w.by = a.Site
	if w.known = a.Site.Kind == trace.Write && a.Site.Size == a.Site.Elem && a.Data != nil; w.known {
		w.now = a.Data.Value(l, 0)
	}
	w.left = w.left || !w.known || w.now != w.before
}

// rests reports whether the launch has left the word as it found it, after it had something else: the state of a lock
// that no thread has.
func (w *waitedWord) rests() bool { return w.left && w.known && w.now == w.before }

func number(b []byte) uint64 {
	var full [8]byte
	copy(full[:], b)
	return binary.LittleEndian.Uint64(full[:])
}

// ended notes that a thread's wait has ended with what it could have found before.
func (b *waitsBlock) ended(t int) {
	p, w := b.pending[t], b.in
	m, ok := w.launch.Memory(p.addr)
	if !ok {
		return
	}
	k := waitKey{p.site.ID, m.ID}
	if f := w.found[k]; f != nil && f.fresh == p.word.fresh && f.word == p.word {
		f.count++
	} else if f == nil || f.word.several {
		w.found[k] = &tooEarly{1, p.word, p.word.fresh, m, b.block.Index, t / 32, t % 32, p.addr, p.word.now}
	}
}

// End reports the waits that may end too early. A lock is different: who waits for it sets it too, and others do, or
// the first launch already leaves all its words as it found them, so that the value before a launch is the one that ends
// a wait by right.
func (w *waitsLaunch) End() {
	rests := w.resting()
	for k, e := range w.found {
		if e.fresh && !w.checker.owed(&e.memory) || !e.fresh && !e.word.several && !rests[k.object] {
			w.checker.set.Add(w.finding(k, e))
		}
	}
}

// resting has by allocation whether the first launch that set words there left all of them so.
func (w *waitsLaunch) resting() map[int]bool {
	here := map[int]bool{}
	for addr, word := range w.words {
		if m, ok := w.launch.Memory(addr); ok && word.set {
			was, seen := here[m.ID]
			here[m.ID] = word.rests() && (was || !seen)
		}
	}
	if w.checker.rests == nil {
		w.checker.rests = map[int]bool{}
	}
	for id, rests := range here {
		if before, ok := w.checker.rests[id]; ok {
			here[id] = before
		} else {
			w.checker.rests[id] = rests
		}
	}
	return here
}

func (w *waitsLaunch) finding(k waitKey, e *tooEarly) *finding.Finding {
	site := w.launch.Sites[k.site]
	missing := ^uint64(0) >> (64 - site.Size)
	o := &launchObserver{checker: w.checker, launch: w.launch}
	f := o.finding(readKey{k.site, trace.SpaceGlobal, k.object}, &read{count: e.count, memory: e.memory,
		first: witness{block: e.block, warp: e.warp, lane: e.lane, addr: e.addr, missing: missing, verdict: wrong}})
	d, _ := f.Details.(Details)
	f.Repair.Kind, f.Help = finding.Reset, help(finding.Reset, &d, site) // the kernel leaves it set for its next launch
	set := "in this run it was set before the wait, at " + check.Where(e.word.by, site.Loc.File)
	if e.fresh {
		f.Message = fmt.Sprintf("wait for %s, which is uninitialized before the launch", d.object())
		f.Notes = append(f.Notes, set+"; with another order of the blocks the wait reads arbitrary contents")
		return f
	}
	f.Message = fmt.Sprintf("wait for %s, which ends with the value from before the launch", d.object())
	f.Notes = append(f.Notes, fmt.Sprintf("%s to 0x%x, which is also its value before the launch; with another order of the blocks the wait ends too early", set, e.value))
	f.Cause = EarlyWait
	return f
}
