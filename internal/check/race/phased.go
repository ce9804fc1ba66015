package race

import (
	"fmt"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// phased is an mbarrier at which one thread arrives behind its access and the other
// waits before its own, and that does not order the two all the same: the phase that
// the one waits for ends without the arrival of the other.
type phased struct {
	object     object
	tell, wait *trace.Site
}

// phasedOf looks for such mbarriers in both directions. A thread that both arrives and
// waits uses the mbarrier as a barrier of all, and says nothing here.
func (st *story) phasedOf(vs visits) (out []phased) {
	a, z := &st.w.first, &st.w.then
	for _, d := range [][2]*side{{a, z}, {z, a}} {
		for _, o := range slices.SortedFunc(maps.Keys(vs), object.compare) {
			if p, ok := vs[o].between(o, d[0], d[1]); ok && !slices.ContainsFunc(out, p.alike) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

func (p phased) alike(q phased) bool { return p.tell == q.tell && p.wait == q.wait }

func (v *visit) between(o object, a, z *side) (p phased, ok bool) {
	p.object = o
	for _, k := range inOrder(v.waits) {
		switch lanes := v.waits[k]; {
		case k.warp == a.warp && lanes>>a.lane&1 != 0:
			return p, false
		case k.warp == z.warp && lanes>>z.lane&1 != 0 && behind(k.site, z.site) && (p.wait == nil || behind(p.wait, k.site)):
			p.wait = k.site
		}
	}
	for _, k := range inOrder(v.arrived) {
		if k.warp == a.warp && v.arrived[k]>>a.lane&1 != 0 && behind(a.site, k.site) && (p.tell == nil || behind(k.site, p.tell)) {
			p.tell = k.site
		}
	}
	return p, p.wait != nil && p.tell != nil
}

func (st *story) phasedReason(file string) string {
	p := st.phased[0]
	return fmt.Sprintf("%s waits at %s for the arrival of %s, but a phase ends without it", check.Where(p.wait, file), p.object.name(st.launch),
		check.Where(p.tell, file))
}

func (st *story) phasedHelp() string {
	var names []string
	for _, p := range st.phased {
		if n := p.object.name(st.launch); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	what := names[0]
	if len(names) > 1 {
		what += " and of " + names[1]
	}
	return "let the count of " + what + " be that of all arrivals of one phase, let each thread arrive once in it, and let it track the copies it is for"
}
