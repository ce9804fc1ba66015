package race

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// factsOf returns what a launch's kernel decides by reading memory, nil where that
// is not known.
func (c *checker) factsOf(l *trace.Launch) *guards.Facts {
	if c.texts == nil {
		return nil
	}
	k := l.Module + " " + l.Kernel
	x, ok := c.facts[k]
	if !ok {
		if f := c.texts(l.Module, l.Kernel); f != nil {
			x = guards.Find(f)
		}
		if c.facts == nil {
			c.facts = map[string]*guards.Facts{}
		}
		c.facts[k] = x
	}
	return x
}

func guardSite(s *trace.Site) guards.Site { return guards.Site{Func: s.Func, Line: s.PTXLine} }

// test is a place that threads test and then write, one after the other where it
// has to be one operation.
type test struct {
	guards.Test
	read, write *trace.Site
}

// testOf returns the test that two racing sites belong to, nil for none. raced
// says which pairs of sites race: several threads have to do both, as a thread
// that waits for another one and then answers tests and writes too. across says that a
// barrier cannot order the two.
func (c *checker) testOf(l *trace.Launch, a, z *trace.Site, raced func(a, b int) bool, across bool) *test {
	facts := c.factsOf(l)
	for _, w := range []*trace.Site{z, a} {
		if w.Kind != trace.Write {
			continue
		}
		t, ok := facts.Test(guardSite(w))
		if !ok || t.Moved && !across {
			continue
		}
		r, other := siteAt(l, t.Read), a
		if w == a {
			other = z
		}
		if r == nil {
			continue
		}
		reads := other == r || facts.SamePlace(guardSite(other), t.Read) || slices.Contains(t.Others, guardSite(other))
		if o, ok := facts.Test(guardSite(other)); !reads && !(ok && o.Read == t.Read) {
			continue
		}
		if raced(w.ID, w.ID) || t.Last && (reads || raced(r.ID, w.ID)) {
			return &test{t, r, w}
		}
	}
	return nil
}

// rewrite is a volatile read and a write to the same place of a value that is computed from
// what was read, by one thread.
type rewrite struct{ read, write *trace.Site }

// updatesOf are the updates of a kernel that a site belongs to.
func (c *checker) updatesOf(l *trace.Launch, s *trace.Site) (list []rewrite) {
	for _, w := range l.Sites {
		if w.Kind != trace.Write || strengthOf(w) != volatileOnly || s.Kind == trace.Write && w != s {
			continue
		}
		if at, ok := c.factsOf(l).Update(guardSite(w)); ok && (w == s || at == guardSite(s)) {
			list = append(list, rewrite{siteAt(l, at), w})
		}
	}
	return list
}

// lostOf returns the update of which others are lost where two volatile sites race, nil for
// none: each belongs to an update, and the writes of the two race. A lock or a flag
// that connects the threads keeps their updates apart.
func (c *checker) lostOf(l *trace.Launch, a, z *trace.Site, x *why, raced func(a, b int) bool) *rewrite {
	if x.lock.both || x.link.ok {
		return nil
	}
	for _, u := range c.updatesOf(l, a) {
		for _, v := range c.updatesOf(l, z) {
			if raced(u.write.ID, v.write.ID) {
				return &u
			}
		}
	}
	return nil
}

func (u *rewrite) reason(file string) string {
	return fmt.Sprintf("the value that %s writes is computed from what %s has read, in two steps: of two threads that read the same value, the update of one is lost",
		check.Where(u.write, file), check.Where(u.read, file))
}

func siteAt(l *trace.Launch, at guards.Site) *trace.Site {
	for _, s := range l.Sites {
		if guardSite(s) == at && s.Size > 0 {
			return s
		}
	}
	return nil
}

func (t *test) reason(file string) string {
	return fmt.Sprintf("the read of %s decides about the write of %s: before one thread writes, others may read the same value and write as well",
		check.Where(t.read, file), check.Where(t.write, file))
}

func (t *test) help() string {
	if t.Extreme {
		return "let one atomic operation compare and write: atomicMax or atomicMin (for a type that has none, atomicCAS in a loop)"
	}
	return "let one atomic operation test and write (atomicCAS, or atomicExch where the written value is always the same), and go on by what it returns"
}
