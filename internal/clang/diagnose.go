package clang

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// diagnoseFlags turn warnings on that clang is asked for where nothing runs, and have it say which values an
// enumeration can have, which is assumed there (passes, assumptions.go).
var diagnoseFlags = []string{"-Wuninitialized", "-Winfinite-recursion", "-fstrict-enums"}

// Diagnostic is a warning of clang's on device code.
type Diagnostic struct {
	Message
	// Function is the mangled name of the function that it is in.
	Function string
}

// parseDiagnostics reads the warnings in what clang wrote. The second result is the rest.
func parseDiagnostics(text, dir string) (list []Diagnostic, rest string) {
	for _, m := range ParseMessages(text, dir) {
		if m.Severity == Warning && m.Group != "" {
			list = append(list, Diagnostic{Message: m})
		} else {
			rest += m.Output
		}
	}
	return list, rest
}

// extent is the text of a function of the device: the lines that its code comes from.
type extent struct {
	file, function string
	from, to       int
}

// deviceExtents are the functions of a module, from its debug information. Those that
// nothing of the device calls and the host alone has are not among them.
func deviceExtents(m *irtext.Module) []extent {
	l := m.Locations()
	found := map[int]*extent{}
	grow := func(scope, file, line int) {
		for s, depth := scope, 0; s >= 0 && depth < irtext.MaxInlineDepth; depth++ {
			n, ok := l.Scopes[s]
			if !ok {
				return
			}
			if file < 0 {
				file = n.File
			}
			if n.Parent < 0 && n.File == file {
				e := found[s]
				if e == nil {
					e = &extent{filepath.Clean(l.Files[n.File]), n.Linkage, n.Line, n.Line}
					found[s] = e
				}
				e.to = max(e.to, line)
			}
			s = n.Parent
		}
	}
	for _, loc := range l.Locs {
		grow(loc.Scope, -1, loc.Line)
	}
	for id, n := range l.Scopes {
		grow(id, n.File, n.Line)
	}
	var out []extent
	for _, e := range found {
		out = append(out, *e)
	}
	return out
}

// diagnostics are the warnings on device code in what clang wrote, each once, and what it
// wrote besides.
func diagnostics(text, dir string, m *irtext.Module) (list []Diagnostic, rest string) {
	all, rest := parseDiagnostics(text, dir)
	if len(all) == 0 {
		return nil, rest
	}
	extents, sent := deviceExtents(m), exchanged(m)
	seen := map[Position]map[string]bool{}
	for _, d := range all {
		e := innermost(extents, d.Position)
		if e == nil {
			rest += d.Output
			continue
		}
		if slices.ContainsFunc(d.Notes, func(n Note) bool { return sent[n.Position] }) {
			continue
		}
		d.Function = e.function
		if groups := seen[d.Position]; groups[d.Group] { // another instance of a template
			continue
		} else if groups == nil {
			seen[d.Position] = map[string]bool{}
		}
		seen[d.Position][d.Group] = true
		list = append(list, d)
	}
	return list, rest
}

// innermost is the smallest extent around a position, nil for none: a lambda's text is
// within that of another function. Of instances of one template it is the first by name.
func innermost(extents []extent, p Position) (best *extent) {
	for i := range extents {
		e := &extents[i]
		if e.file != p.File || p.Line < e.from || p.Line > e.to {
			continue
		}
		if best == nil || e.to-e.from < best.to-best.from || e.to-e.from == best.to-best.from && e.function < best.function {
			best = e
		}
	}
	return best
}

// laneExchange names the functions that hand a value to other lanes: those that need it
// have set it ("int p; if (lane == 0) p = ...; p = __shfl_sync(m, p, 0)").
var laneExchange = regexp.MustCompile(`^_Z\d+__shfl_(up_|down_|xor_)?(sync)?`)

// exchanged are the places where a variable is read to be handed to other lanes.
func exchanged(m *irtext.Module) map[Position]bool {
	out := map[Position]bool{}
	if !m.Contains("__shfl_") {
		return out
	}
	locs := m.Locations()
	var loads map[string]int // the location of each value that is loaded
	for _, l := range m.Lines {
		if l.Defines() {
			loads = map[string]int{}
		}
		if !l.IsInstruction() {
			continue
		}
		if a, ok := l.Access(); ok && !a.Store {
			loads[a.Name()] = -1
			if id, ok := strings.CutPrefix(l.Debug(), ", !dbg !"); ok {
				loads[a.Name()] = irtext.LeadingInt(id)
			}
		} else if name, args, _ := l.Call(); laneExchange.MatchString(name) {
			for _, v := range irtext.Values(args) {
				if loc, ok := locs.Locs[loads[v]]; ok {
					p := locs.Resolve(loc)
					out[Position{filepath.Clean(p.File), p.Line, p.Col}] = true
				}
			}
		}
	}
	return out
}
