package finding

import (
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/source"
)

// FromLibrary moves a place in the code of a header library to the user's call of it, and keeps where it
// was in Library: users cannot change the library, and what they did wrong is at their call. That is the
// innermost of the inlined calls that is not the library's, else the line on the host that launched
// the library's kernel; without one the place stays.
func (p Place) FromLibrary(launched source.Pos) Place {
	if source.Library(p.Loc.File) == "" || p.Library != nil {
		return p
	}
	was := p.Loc
	at := p.Loc.InlinedAt
	i := 0
	for i < len(at) && source.Library(at[i].File) != "" {
		i++
	}
	switch {
	case i < len(at):
		p.Loc = source.Location{Pos: at[i], InlinedAt: at[i+1:]}
		if filepath.Ext(p.Loc.File) == ".py" { // a line that Warp wrote in C++, of which the column is
			p.Loc.Col = 0
		}
		was.InlinedAt = at[:i]
	case launched.IsValid():
		p.Loc = source.Location{Pos: launched}
		p.Launched = true
	default:
		return p
	}
	p.Library = &was
	return p
}

// FromLibrary does the same for all places of a finding, and notes where it was launched; launched returns the place
// of a launch on the host. A warning about what a library's kernel does by itself becomes information: it is a debatable
// habit of the library, and no change of the user's removes it. f is not changed.
func (f *Finding) FromLibrary(launched func(id int) source.Pos) *Finding {
	from := launched(f.Launches.First())
	g := *f
	g.LaunchedAt = from
	g.Primary = f.Primary.FromLibrary(from)
	g.Related = make([]Place, len(f.Related))
	for i, p := range f.Related {
		g.Related[i] = p.FromLibrary(from)
	}
	if len(f.Related) == 0 {
		g.Related = nil
	}
	inside := !slices.ContainsFunc(append([]Place{g.Primary}, g.Related...), func(p Place) bool { return !p.Launched })
	if inside && g.Level == Warning && g.Rank == 0 {
		g.Level = Info
	}
	return &g
}
