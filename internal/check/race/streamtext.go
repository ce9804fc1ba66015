package race

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// streamRace is a race of work in two streams: use u of a, which the host
// issued first, with use v of b. They share n bytes, the first of them in first.
type streamRace struct {
	a, b  *work
	u, v  *use
	first extent
	n     uint64
	// known is up to which work of the first's stream the second is ordered.
	known uint64
}

func streamName(n int) string { return fmt.Sprintf("stream %d", n) }

// streamFinding makes the finding of a race between streams.
func (c *checker) streamFinding(r *streamRace) *finding.Finding {
	h := hazardOf(r.u.kind, r.v.kind)
	d := Details{Space: "global", Address: r.first.lo, Bytes: int(r.n), Index: -1, Cause: StreamsUnordered, Repair: OrderStreams, Origin: r.origin(), Follows: r.follows(),
		Reason: "nothing orders the two streams: neither waits for the other by an event, and the host has not waited in between",
		First:  r.u.side(r.a), Then: r.v.side(r.b)}
	f := r.finding(h, "streams")
	f.Message = fmt.Sprintf("%v on %s, between streams", h, r.object(&d))
	f.Notes = []string{r.sides(), "synchronised last: the first on " + r.a.synced + ", the second on " + r.b.synced, d.Reason, fmt.Sprintf("%s shared", check.Plural(r.n, "byte"))}
	d.facts(f, by(OrderStreams, r.help()))
	f.Details = d
	return f
}

// finding is what all findings of races between pieces of work have in common;
// sort names what they are between.
func (r *streamRace) finding(h hazard, sort string) *finding.Finding {
	launch := -1
	for _, u := range []*use{r.u, r.v} {
		if u.launch != nil {
			launch = u.launch.ID
		}
	}
	f := &finding.Finding{Rule: Rule.ID, Kind: h.String(), Level: finding.Error, Count: r.n, Unit: "byte",
		Key:     strings.Join([]string{sort, r.u.key(), r.v.key()}, "\x00"),
		Witness: [4]uint64{uint64(h), uint64(launch + 1), r.first.lo},
		Primary: r.v.place(), Related: []finding.Place{r.u.place()},
	}
	if launch >= 0 {
		f.Launches = finding.InLaunch(launch)
	}
	if m, _, ok := r.memory(); ok {
		f.Object, f.Range = check.ObjectOf(trace.SpaceGlobal, &m), check.Range(r.first.lo, m.Base, int(r.first.hi-r.first.lo))
	}
	switch {
	case r.v.launch != nil:
		f.Kernel = r.v.launch.Kernel
	case r.u.launch != nil:
		f.Kernel = r.u.launch.Kernel
	}
	return f
}

// object names what is shared and fills in where it is.
func (r *streamRace) object(d *Details) string {
	if m, elem, ok := r.memory(); ok {
		return r.within(m, elem, d)
	}
	return fmt.Sprintf("global memory at 0x%x", r.first.lo)
}

// memory is what is shared, and the bytes of an element as one of the two accesses it.
func (r *streamRace) memory() (m trace.Memory, elem uint64, ok bool) {
	for _, u := range []*use{r.u, r.v} {
		if u.launch != nil && u.launch.Memory != nil {
			if m, ok = u.launch.Memory(r.first.lo); ok {
				return m, uint64(max(u.site.Elem, 1)), true
			}
		}
	}
	for _, u := range []*use{r.u, r.v} {
		if u.memory != nil {
			if m, ok = u.memory(r.first.lo); ok {
				return m, 1, true
			}
		}
	}
	return trace.Memory{}, 0, false
}

// within names the element of an allocation that is shared and fills in where
// it is; elem is its size in bytes.
func (r *streamRace) within(m trace.Memory, elem uint64, d *Details) string {
	d.Variable, d.Offset = check.VariableName(m.Name), r.first.lo-m.Base
	d.Index = int64(d.Offset / elem)
	what := "element"
	if elem == 1 {
		what = "byte"
	}
	switch {
	case m.Name != "":
		return fmt.Sprintf("global variable %s[%d]", d.Variable, d.Index)
	case m.Where != "":
		return fmt.Sprintf("%s %d of the memory of %s", what, d.Index, m.Where)
	}
	return fmt.Sprintf("global memory at 0x%x", r.first.lo)
}

// sides says who the two are and what each of them waits for.
func (r *streamRace) sides() string {
	return fmt.Sprintf("first %s in %s, then %s in %s", r.u.what(r.a), r.a.name, r.v.what(r.b), r.b.name)
}

func (u *use) what(w *work) string {
	if u.launch == nil {
		return u.call
	}
	s := fmt.Sprintf("kernel %s (launch %d", finding.DemangleName(u.launch.Kernel), u.launch.ID)
	if w.where != "" {
		s += " at " + w.where
	}
	return s + ")"
}

func (u *use) side(w *work) Side {
	s := Side{Kind: u.kind.String(), Order: trace.OrderWeak.String(), Synced: w.synced}
	if u.site != nil {
		s.Size, s.Order = u.site.Size, u.site.Order.String()
	}
	return s
}

// key tells the places of a program apart.
func (u *use) key() string {
	if u.site == nil {
		return u.call + "@" + u.where + "/" + u.kind.String()
	}
	return u.launch.Kernel + "/" + check.SiteKey(u.site)
}

// place is a line of the kernel, or the host's call.
func (u *use) place() finding.Place {
	if u.site != nil {
		return check.Place(u.site, check.Role(u.kind), nil)
	}
	p := finding.Place{Role: check.Role(u.kind) + " " + u.call, Access: check.AccessOf(u.kind), Loc: check.HostPlace(u.where)}
	switch u.does {
	case trace.Allocates:
		p.Role = "allocated by " + u.call
	case trace.Frees:
		p.Role = "freed by " + u.call
	}
	if u.kind == trace.Atomic && !u.strong { // x += 1 on the host
		p.Role = "updated by " + u.call
	}
	return p
}

// origin names the place in time where one stream lacks a wait for the other: races
// of all that comes behind it with what the other had been given are of one
// cause.
func (r *streamRace) origin() string {
	return fmt.Sprintf("order of %s before %s after work %d", r.a.name, r.b.name, r.known)
}

// follows reports a free of memory that is allocated in another stream: what uses
// it tells more.
func (r *streamRace) follows() bool {
	return r.u.does == trace.Allocates && r.v.does == trace.Frees
}

func (r *streamRace) help() string {
	if r.a.graph || r.b.graph {
		return "let the second's node depend on the first's (cudaGraphAddDependencies, or an event between captured streams); " +
			"if one is not of the graph, let its stream wait for the one that the graph was launched into"
	}
	s := "record an event in " + r.a.name + " after the first and let " + r.b.name +
		" wait for it (cudaEventRecord, cudaStreamWaitEvent), wait for it on the host, or use one stream for both"
	if isLegacy(r.a.stream) || isLegacy(r.b.stream) {
		s += "; a stream made with cudaStreamNonBlocking and the default stream do not wait for each other"
	}
	return s
}
