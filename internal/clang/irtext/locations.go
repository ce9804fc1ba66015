package irtext

import (
	"fmt"
	"slices"
	"strings"
)

// Location is a !DILocation.
type Location struct {
	Line, Col int
	// Scope and InlinedAt are metadata numbers; InlinedAt is -1 if absent.
	Scope, InlinedAt int
}

// Scope is a subprogram, lexical block or lexical block file.
type Scope struct {
	// Parent is the enclosing scope, -1 for a subprogram.
	Parent, File int
	// Line is where it begins.
	Line int
	// Linkage is a subprogram's mangled name.
	Linkage string
}

// Locations holds the debug positions of a module by metadata number.
type Locations struct {
	Locs   map[int]Location
	Scopes map[int]Scope
	Files  map[int]string
}

// Locations are the positions in the module's debug information.
func (m *Module) Locations() *Locations {
	if m.locations != nil {
		return m.locations
	}
	l := &Locations{Locs: map[int]Location{}, Scopes: map[int]Scope{}, Files: map[int]string{}}
	for id, n := range m.Nodes() {
		l.add(id, n)
	}
	m.locations = l
	return l
}

func (l *Locations) add(id int, n Node) {
	switch n.Kind {
	case "!DILocation":
		l.Locs[id] = Location{n.Int("line"), n.Int("column"), n.Ref("scope"), n.Ref("inlinedAt")}
	case "!DISubprogram":
		name := n.Quoted("linkageName")
		if name == "" {
			name = n.Quoted("name")
		}
		l.Scopes[id] = Scope{-1, n.Ref("file"), n.Int("line"), name}
	case "!DILexicalBlock", "!DILexicalBlockFile":
		l.Scopes[id] = Scope{n.Ref("scope"), n.Ref("file"), n.Int("line"), ""}
	case "!DIFile":
		name, dir := n.Quoted("filename"), n.Quoted("directory")
		if dir != "" && !strings.HasPrefix(name, "/") {
			name = strings.TrimSuffix(dir, "/") + "/" + name
		}
		l.Files[id] = name
	}
}

// Numbered returns a location whose line is the number of location id plus one, 0 where
// it has no line. Its scope becomes that of the outermost call site, which is in the
// function that holds the code.
func (l *Locations) Numbered(id int) (text string, ok bool) {
	loc, ok := l.Locs[id]
	if !ok {
		return "", false
	}
	line := id + 1
	if loc.Line == 0 {
		line = 0
	}
	for depth := 0; loc.InlinedAt >= 0 && depth < MaxInlineDepth; depth++ {
		loc = l.Locs[loc.InlinedAt]
	}
	return fmt.Sprintf("!%d = !DILocation(line: %d, column: 1, scope: !%d)", id, line, loc.Scope), true
}

// MaxInlineDepth bounds the chains that are followed.
const MaxInlineDepth = 1000

// Place is a resolved location.
type Place struct {
	File      string
	Line, Col int
	// Function is the mangled name of the function that the place lies in.
	Function string
}

// Chain returns the places of a number of Numbered, the outermost call site first, the
// code's own place last; nil for an unknown number.
func (l *Locations) Chain(number int) []Place {
	var ps []Place
	id := number - 1
	for depth := 0; id >= 0 && depth < MaxInlineDepth; depth++ {
		loc, ok := l.Locs[id]
		if !ok {
			break
		}
		ps = append(ps, l.Resolve(loc))
		id = loc.InlinedAt
	}
	slices.Reverse(ps)
	return ps
}

// Resolve finds a location's file and function.
func (l *Locations) Resolve(loc Location) Place {
	p := Place{Line: loc.Line, Col: loc.Col}
	for s, depth := loc.Scope, 0; s >= 0 && depth < MaxInlineDepth; depth++ {
		n, ok := l.Scopes[s]
		if !ok {
			break
		}
		if p.File == "" && n.File >= 0 {
			p.File = l.Files[n.File]
		}
		p.Function = n.Linkage
		s = n.Parent
	}
	return p
}
