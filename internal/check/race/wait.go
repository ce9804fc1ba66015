package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// waitOf returns the plain read by which one thread waits for another, and that
// one of two racing sites is or that should order them: the flag that it
// waits for is set behind the first access, and the second one follows the
// read. raced says which pairs of sites race. It returns nil for none.
func (c *checker) waitOf(l *trace.Launch, a, z *trace.Site, raced func(a, b int) bool) *trace.Site {
	facts := c.factsOf(l)
	plain := func(s *trace.Site) bool {
		return s.Kind == trace.Read && s.Order == trace.OrderWeak && facts.Waits(guardSite(s))
	}
	for _, s := range []*trace.Site{a, z} {
		if plain(s) {
			return s
		}
	}
	for _, s := range l.Sites {
		if !plain(s) {
			continue
		}
		for _, set := range l.Sites {
			if set.Kind.Writes() && raced(s.ID, set.ID) && (follows(a, set) && follows(s, z) || follows(z, set) && follows(s, a)) {
				return s
			}
		}
	}
	return nil
}

// follows reports whether one site comes before another in the text of one function.
func follows(a, z *trace.Site) bool { return a.Func == z.Func && a.PTXLine < z.PTXLine }

// waitReason says what is wrong with a plain read that waits; it may be one of
// the two accesses.
func waitReason(wait, a, z *trace.Site, file string) string {
	if wait == nil || wait == a || wait == z {
		return "one thread polls the place by plain reads, which the compiler may hoist out of the loop and which nothing orders"
	}
	return fmt.Sprintf("the flag that %s waits for should order the two, but is read by plain reads, which the compiler may hoist out of the loop and which nothing orders",
		check.Where(wait, file))
}

// originOf names what is missing for a cause: what a link lacks, or what a flag is
// not; "" where nothing is known.
func (x *why) originOf(l *trace.Launch, c Cause, t *test, wait *trace.Site) string {
	switch {
	case c == TestThenSet:
		return originAt(l, "test", t.read)
	case c == NotVolatile && wait != nil:
		return originAt(l, "plain", wait)
	case c != NoFence && c != NarrowScope || !x.link.ok:
		return ""
	case x.fault == noAcquire && c == NoFence:
		return originAt(l, "acquire", x.link.heard.site)
	}
	return originAt(l, "release", x.link.site)
}

// originAt names what is missing at a site.
func originAt(l *trace.Launch, what string, s *trace.Site) string {
	return what + " " + l.Kernel + " " + check.SiteKey(s)
}

// writer is the one of two sites that writes, the later one if both do.
func writer(a, z *trace.Site) *trace.Site {
	if z.Kind == trace.Read {
		return a
	}
	return z
}
