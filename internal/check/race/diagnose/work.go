package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// workRendering writes the finding of a diagnosis of two pieces of work.
type workRendering struct{ *diagnosis }

// keys of findings by what they are between.
var relationKeys = map[evidence.Relation]string{evidence.BetweenStreams: "streams", evidence.BetweenGrids: "grids", evidence.WithHost: "host", evidence.WithChild: "nested"}

// Work makes the finding of a race of two pieces of work.
func (g *Diagnoser) Work(p *evidence.WorkPair) *finding.Finding {
	d := workRendering{&diagnosis{Diagnoser: g, work: p}}
	d.hazard = evidence.HazardOf(p.First.Kind, p.Then.Kind)
	d.decide()
	f := d.workFinding()
	details := Details{Space: trace.SpaceGlobal.String(), Address: p.Addr, Bytes: int(p.Bytes), Index: -1,
		First: d.workSide(&p.First), Then: d.workSide(&p.Then)}
	object := d.workObject(&details)
	f.Message = topLine(accesses(p.First.Kind, p.Then.Kind, false), object, d.cause, d.related(), d.hazard.String())
	if p.Between == evidence.WithChild {
		f.Notes = d.childNotes()
	} else {
		f.Notes = d.workNotes()
	}
	d.follows(&details)
	d.fill(f, details)
	if p.Between == evidence.WithChild {
		d.onDevice(f.Repair)
	} else {
		d.onHost(f.Repair)
	}
	f.Named = d.named()
	return f
}

// named are the kernels that the sentences may name.
func (d workRendering) named() (out []string) {
	p := d.work
	mangled := []string{p.First.Synced.Kernel, p.Then.Synced.Kernel}
	for _, l := range []*trace.Launch{p.First.Launch, p.Then.Launch, p.Before} {
		if l != nil {
			mangled = append(mangled, l.Kernel)
		}
	}
	for _, name := range mangled {
		if name = finding.DemangleName(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// onHost places a repair of host code between the calls, or the accesses, of the host for the two pieces of work; onDevice one of
// device code between the launches of child grids and what the parent grid does.
func (d workRendering) onHost(r *finding.Repair) {
	if r.Kind == finding.HostWait || r.Kind == finding.OrderStreams {
		d.between(r, func(w *evidence.Work) *finding.Point {
			if w.Piece != nil && w.Piece.Where != "" {
				return &finding.Point{Pos: check.HostPlace(w.Piece.Where).Pos}
			}
			return &finding.Point{Pos: check.HostPlace(w.Use.Where).Pos}
		})
	}
}

func (d workRendering) onDevice(r *finding.Repair) {
	if d.work.Between == evidence.WithChild && !r.Placed() {
		d.between(r, func(w *evidence.Work) *finding.Point {
			switch {
			case w.Child != nil && w.Child.Site != nil:
				return &finding.Point{Pos: w.Child.Site.Loc.Pos}
			case w.Child == nil && w.Site != nil:
				return &finding.Point{Pos: w.Site.Loc.Pos}
			}
			return &finding.Point{}
		})
	}
}

func (d workRendering) between(r *finding.Repair, where func(*evidence.Work) *finding.Point) {
	if a, z := where(&d.work.First), where(&d.work.Then); a.IsValid() && z.IsValid() {
		r.From, r.To = a, z
	}
}

// follows is set for a free of memory that is allocated in another stream: what uses
// it shows more.
func (d workRendering) follows(details *Details) {
	details.Follows = d.cause == StreamsUnordered && d.work.First.Does == trace.Allocates && d.work.Then.Does == trace.Frees
}

func (d workRendering) workFinding() *finding.Finding {
	p := d.work
	launch := -1
	for _, u := range []*evidence.Use{p.First.Use, p.Then.Use} {
		if u.Launch != nil {
			launch = u.Launch.ID
		}
	}
	f := &finding.Finding{Rule: "race", Kind: d.hazard.String(), Level: d.workLevel(), Count: p.Bytes, Unit: "byte",
		Key:     strings.Join([]string{relationKeys[p.Between], useKey(p.First.Use), useKey(p.Then.Use)}, "\x00"),
		Witness: [4]uint64{uint64(d.hazard), uint64(launch + 1), p.Addr},
		Primary: d.workPlace(&p.Then), Related: []finding.Place{d.workPlace(&p.First)},
	}
	if launch >= 0 {
		f.Launches = finding.InLaunch(launch)
	}
	if m, _, ok := p.Memory(); ok {
		f.Object, f.Range = check.ObjectOf(trace.SpaceGlobal, &m), check.Range(p.Addr, m.Base, int(p.End-p.Addr))
	}
	switch {
	case p.Then.Launch != nil:
		f.Kernel = p.Then.Launch.Kernel
	case p.First.Launch != nil:
		f.Kernel = p.First.Launch.Kernel
	}
	return f
}

// workLevel is that of a race; what is wrong with an atomic of narrow scope shows
// only where the host writes as well.
func (d workRendering) workLevel() finding.Level {
	if d.work.Between != evidence.WithHost {
		if d.cause == ReadOnlyPath && !d.work.Then.Use.Site.Op.NonCoherent {
			return finding.Warning // the compiler may take the read-only path, and need not
		}
		if stagedCopy(d.diagnosis) {
			return d.stagedLevel()
		}
		return finding.Error
	}
	l := finding.Error
	if d.cause == NarrowScope && d.work.First.Strong && d.work.Then.Strong && d.work.Then.Kind == trace.Read {
		l = finding.Warning
	}
	l, _ = d.config.Policy.Host.Or(l)
	return l
}

// stagedLevel is that of a race with a copy from pageable memory.
func (d workRendering) stagedLevel() finding.Level {
	l, _ := d.config.Policy.Staged.Or(finding.Error)
	return l
}

// workObject names what is shared and fills in where it is.
func (d workRendering) workObject(details *Details) string {
	m, elem, ok := d.work.Memory()
	if !ok {
		return unknownMemory(d.work.Addr)
	}
	details.Variable, details.Offset = check.VariableName(m.Name), d.work.Addr-m.Base
	details.Index = int64(details.Offset / elem)
	what := "element"
	if elem == 1 {
		what = "byte"
	}
	switch {
	case m.Name != "":
		return fmt.Sprintf("%s[%d]", details.Variable, details.Index)
	case m.Where != "":
		return fmt.Sprintf("%s %d of the memory of %s", what, details.Index, m.Where)
	}
	return unknownMemory(d.work.Addr)
}

func (d workRendering) workSide(w *evidence.Work) Side {
	s := Side{Kind: w.Kind.String(), Order: trace.OrderWeak.String(), Synced: synced(w.Synced), Thread: d.workThread(w)}
	if w.Site != nil {
		s.Size, s.Order = w.Site.Size, w.Site.Order.String()
	}
	return s
}

// workThread is the thread of a parent grid's access, nil for other work.
func (d workRendering) workThread(w *evidence.Work) *finding.Thread {
	if w.Thread == nil {
		return nil
	}
	return check.Thread(d.work.Parent, uint64(w.Thread.Block), w.Thread.Warp, w.Thread.Lane)
}

// useKey tells the places of a program apart.
func useKey(u *evidence.Use) string {
	if u.Site == nil {
		return callName(u) + "@" + u.Where + "/" + u.Kind.String()
	}
	return u.Launch.Kernel + "/" + check.SiteKey(u.Site)
}

// workPlace is a line of the kernel, or the host's call.
func (d workRendering) workPlace(w *evidence.Work) finding.Place {
	if w.Site != nil {
		return check.Place(w.Site, check.Role(w.Kind), d.workThread(w))
	}
	return finding.Place{Role: role(w.Use), Access: check.AccessOf(w.Kind), Loc: check.HostPlace(w.Use.Where)}
}

// parentSide and childSide are the sides of a race of a grid and a child.
func (d *diagnosis) parentSide() *evidence.Work {
	if d.work.First.Thread != nil {
		return &d.work.First
	}
	return &d.work.Then
}

func (d *diagnosis) childSide() *evidence.Work {
	if d.work.First.Thread != nil {
		return &d.work.Then
	}
	return &d.work.First
}
