package check

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Coord converts a coordinate for a report.
func Coord(d trace.Dim3) finding.Coord { return finding.Coord{X: d.X, Y: d.Y, Z: d.Z} }

// Thread describes thread 32*warp+lane of the block with linear index block.
func Thread(l *trace.Launch, block uint64, warp, lane int) *finding.Thread {
	t := &finding.Thread{BlockIndex: block, Warp: warp, Lane: lane}
	if l.Grid.Size() > 0 {
		t.Block = Coord(l.Grid.At(block))
	}
	if l.Block.Size() > 0 {
		t.Thread = Coord(l.Block.At(uint64(32*warp + lane)))
	}
	return t
}

// Role says what an access does to its place: "read by" and so on.
func Role(k trace.Kind) string {
	return [...]string{"read by", "written by", "atomically updated by"}[k]
}

// Place describes a site; s may be nil.
func Place(s *trace.Site, role string, t *finding.Thread) finding.Place {
	if s != nil && s.Frees {
		role = "freed by"
	}
	p := finding.Place{Role: role, Thread: t}
	if s != nil {
		p.Loc, p.PTX, p.PTXLine = s.Loc, s.PTX, s.PTXLine
		if s.Size > 0 {
			p.Access = AccessOf(s.Kind)
		}
	}
	return p
}

// CalledPlace describes a site in a function that was called at others, innermost first.
func CalledPlace(s *trace.Site, callers []*trace.Site, role string, t *finding.Thread) finding.Place {
	p := Place(s, role, t)
	for i, c := range callers {
		if i == 0 {
			p.Loc.InlinedAt = slices.Clone(p.Loc.InlinedAt)
		}
		p.Loc.InlinedAt = append(append(p.Loc.InlinedAt, c.Loc.Pos), c.Loc.InlinedAt...)
	}
	return p
}

// HostPlace reads "file:line", which is where host code calls the API; it is unknown
// where that is missing.
func HostPlace(where string) source.Location {
	i := strings.LastIndexByte(where, ':')
	if i < 0 {
		return source.Location{}
	}
	line, err := strconv.Atoi(where[i+1:])
	if err != nil {
		return source.Location{}
	}
	return source.Location{Pos: source.Pos{File: where[:i], Line: line}}
}

// SiteKey identifies a site by its place, so that copies which the compiler
// made of one source access (by unrolling, by inlining at one call) count as
// one. A site without a source line is identified by its PTX line.
func SiteKey(s *trace.Site) string {
	if s == nil {
		return "?"
	}
	if !s.Loc.IsValid() {
		return fmt.Sprintf("%s@%d", s.Func, s.PTXLine)
	}
	k := s.Loc.String()
	for _, p := range s.Loc.InlinedAt {
		k += "<" + p.String()
	}
	return fmt.Sprintf("%s/%v%d", k, s.Kind, s.Size)
}

// lineKey identifies a site by its line, so that the accesses of a[i] += b[i].x, which
// fail for one reason, count as one.
func lineKey(s *trace.Site) string {
	if s == nil || !s.Loc.IsValid() {
		return SiteKey(s)
	}
	k := fmt.Sprintf("%s:%d", s.Loc.File, s.Loc.Line)
	for _, p := range s.Loc.InlinedAt {
		k += "<" + p.String()
	}
	return k
}

// Where names a site's line for a sentence: "line 8", "line 8 of b.cuh" where
// the file is not the one that the sentence is about, or the PTX line.
func Where(s *trace.Site, file string) string {
	if s == nil {
		return "an unknown place"
	}
	return WherePoint(&finding.Point{Pos: s.Loc.Pos, PTXLine: s.PTXLine}, file)
}

// WherePoint names the line of a point as Where does that of a site.
func WherePoint(p *finding.Point, file string) string {
	switch {
	case !p.IsValid() && p.PTXLine > 0:
		return fmt.Sprintf("PTX line %d", p.PTXLine)
	case !p.IsValid():
		return "an unknown line"
	case p.File != file:
		return fmt.Sprintf("line %d of %s", p.Line, filepath.Base(p.File))
	}
	return fmt.Sprintf("line %d", p.Line)
}

// Plural returns "1 thing", "n things" or "n passes".
func Plural(n uint64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if strings.HasSuffix(thing, "s") {
		thing += "e"
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// SharedVariable returns the index in l.Shared of the variable that holds byte
// at of shared memory, or -1.
func SharedVariable(l *trace.Launch, at uint64) int {
	for i := range l.Shared {
		if v := &l.Shared[i]; at >= v.Addr && at-v.Addr < v.Size {
			return i
		}
	}
	return -1
}

// SharedName returns the name of the variable that holds byte at of shared
// memory as the source has it, or "".
func SharedName(l *trace.Launch, at uint64) string {
	if i := SharedVariable(l, at); i >= 0 {
		return VariableName(l.Shared[i].Name)
	}
	return ""
}

// SharedElement names what lies at byte at of shared memory, where size bytes are
// accessed in elements of elem bytes: "m[2][5]" or "a[3].x" where the variable's type
// is known, else "m[21]" in elements; "" where there is no variable.
func SharedElement(l *trace.Launch, at uint64, size, elem int) string {
	if i := SharedVariable(l, at); i >= 0 {
		return ElementOf(&l.Shared[i], int64(at-l.Shared[i].Addr), size, elem)
	}
	return ""
}

// ElementOf names what lies off bytes from a variable's start, which may be
// beyond the variable, as SharedElement does.
func ElementOf(v *trace.Variable, off int64, size, elem int) string {
	name := VariableName(v.Name)
	switch {
	case v.Type != nil:
		return name + v.Type.Path(off, size)
	case elem <= 0 || off%int64(elem) != 0 || v.Size <= uint64(elem) && !v.Dynamic && off == 0:
		return name
	}
	return fmt.Sprintf("%s[%d]", name, off/int64(elem))
}

// GlobalElement names what lies off bytes from the start of a variable in global or
// constant memory, as ElementOf does.
func GlobalElement(m *trace.Memory, off int64, size, elem int) string {
	return ElementOf(&trace.Variable{Name: m.Name, Size: m.Size, Type: m.Type}, off, size, elem)
}

// VariableName returns the last part of a demangled name: "s" for the s of
// kernel(int*)::s.
func VariableName(mangled string) string {
	if first, rest, several := strings.Cut(mangled, trace.NameSeparator); several {
		return VariableName(first) + trace.NameSeparator + VariableName(rest)
	}
	n := finding.DemangleName(mangled)
	if i := strings.LastIndex(n, "::"); i >= 0 {
		n = n[i+2:]
	}
	return n
}
