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
