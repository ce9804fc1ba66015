package work

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// piece is a piece of work in a stream, or several one after the other between
// which the stream's state has not been asked for: a launch, a copy, a fill.
type piece struct {
	evidence.Piece
	n      uint64 // the last one's number
	first  uint64 // the first one's where it is another, else 0
	seq    int    // in the order of all work
	late   int    // the touches in Detector.late when it was enqueued
	flags  flagged
	after  hb.StreamClock // what its beginning is ordered after
	launch bool           // it is a kernel that the host launched
	fence  bool           // it writes a value after a fence
	// function: it is a host function.
	function bool
	// compared is set when it has been compared with what came before.
	compared bool
	dep      dependence
	// from and to are when a launch began and ended, of the detector's moments; 0 for other work.
	from, to int
	// syncs is for a kernel that may synchronize with others that run at once, else nil.
	syncs *syncs
	mu    sync.Mutex
	uses  []*use
}

// use is what one site or one call does to which bytes.
type use struct {
	evidence.Use
	bytes extents
	// released has, by the scope of a fence before them, the bytes of strong
	// writes; nil for none.
	released map[trace.Scope]*extents
	// handed is for a kernel that may synchronize with others that run at once, else nil.
	handed *handed
}

func useOf(l *trace.Launch, s *trace.Site, early bool) *use {
	return &use{Use: evidence.Use{Launch: l, Site: s, Kind: s.Kind, Strong: hb.IsStrong(s), Early: early}}
}

func (w *piece) add(u *use) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.uses = append(w.uses, u)
}

// same reports whether two uses are by one place of the program.
func (u *use) same(o *use) bool {
	if u.Site != nil && o.Site != nil {
		return u.Early == o.Early && u.Site.ID == o.Site.ID && u.Launch.Kernel == o.Launch.Kernel && u.Launch.Module == o.Launch.Module &&
			u.handed.key() == o.handed.key()
	}
	return u.Site == nil && o.Site == nil && u.Call == o.Call && u.Where == o.Where && u.Kind == o.Kind
}

// start is the number of a piece's first work.
func (w *piece) start() uint64 {
	if w.first > 0 {
		return w.first
	}
	return w.n
}

// take joins later work of the same stream.
func (w *piece) take(o *piece) {
	w.first = w.start()
	w.n, w.to = o.n, o.to
	w.merge(o.uses)
}

// merge adds uses, those of one place to each other.
func (w *piece) merge(uses []*use) {
next:
	for _, u := range uses {
		for _, v := range w.uses {
			if v.same(u) {
				v.bytes.union(&u.bytes)
				v.Copied = max(v.Copied, u.Copied)
				v.release(u.released)
				if v.handed != nil {
					v.handed.merge(u.handed)
				}
				continue next
			}
		}
		w.uses = append(w.uses, u)
	}
}

// release adds bytes that are released.
func (u *use) release(more map[trace.Scope]*extents) {
	for scope, bytes := range more {
		if u.released == nil {
			u.released = map[trace.Scope]*extents{}
		}
		if u.released[scope] == nil {
			u.released[scope] = &extents{}
		}
		u.released[scope].union(bytes)
	}
}

// conflict reports whether two uses of one place race if they are not ordered.
func (u *use) conflict(o *use) bool {
	return (u.Kind.Writes() || o.Kind.Writes()) && !(u.Strong && o.Strong)
}

// mayPrecede reports whether something of w may come before something of o in this run: when copies ran is not known.
func (w *piece) mayPrecede(o *piece) bool { return o.to == 0 || w.from < o.to }

// side is what a use of the piece does, with what is known by now of both.
func (w *piece) side(u *use) evidence.Work {
	w.Wait, w.Trigger = w.dep.wait, w.dep.trigger
	return evidence.Work{Use: &u.Use, Piece: &w.Piece}
}

// kernel is the first launch of the piece, nil for none.
func (w *piece) kernel() *trace.Launch {
	for _, u := range w.uses {
		if u.Launch != nil {
			return u.Launch
		}
	}
	return nil
}

// unhanded returns the first range of bytes that two uses share and that is not handed over to the second through words
// that were acquired before, and how many there are.
func (u *use) unhanded(then *use, acquired *wordSet, sameDevice bool) (first extent, n uint64) {
	if u.handed == nil || acquired == nil {
		return u.bytes.common(&then.bytes)
	}
	var over extents
	for to, bytes := range u.handed.through {
		if to == allWords || acquired.has(to, sameDevice) {
			over.union(bytes)
		}
	}
	over = over.without(&u.handed.kept)
	rest := u.bytes.without(&over)
	return rest.common(&then.bytes)
}
