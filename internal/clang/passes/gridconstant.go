package passes

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// clang 19 does not know __grid_constant__: it makes a copy of a parameter that a kernel writes to or hands on,
// and the write changes the copy. With the attribute a parameter is in the parameter space, which is read-only, and has one
// address there in all threads ("CUDA C++ Programming Guide", "__grid_constant__"). Our macro of that name makes
// an annotation. The passes read it and give the parameter its generic address ("PTX ISA", "cvta"); llc
// has an annotation for that, too, on which LLVM 19 crashes where the parameter is written to.

const gridConstantNote = `c"warpgrind.grid_constant\00"`

var gridConstantText = regexp.MustCompile(`^(@\.str[.\d]*) = .*` + regexp.QuoteMeta(gridConstantNote))

// gridConstants reads which parameters are annotated, and takes the annotations off.
func gridConstants(m *irtext.Module, s *State) {
	if !m.Contains(gridConstantNote) {
		return
	}
	g := &gridConstantMarker{texts: map[string]bool{}, params: map[string][]int{}, now: map[*irtext.Line]string{}}
	for _, l := range m.Lines {
		if f := gridConstantText.FindStringSubmatch(l.Text); f != nil {
			g.texts[f[1]] = true
		}
	}
	for i, l := range m.Lines {
		if body := m.Body(i); body != nil {
			name, _, _ := l.Call()
			g.function(body, name)
		}
	}
	var out irtext.Builder
	for _, l := range m.Lines {
		if text := g.text(l); text != "" || l.Text == "" {
			out.Line(l, text)
		}
	}
	m.Replace(&out)
	s.gridConstants = g.params
}

type gridConstantMarker struct {
	texts  map[string]bool         // the constants with the note, by name
	params map[string][]int        // numbers of the annotated parameters, by kernel
	now    map[*irtext.Line]string // what becomes of lines, "" for those that go away
}

// note returns the variable that a call annotates.
func (g *gridConstantMarker) note(l *irtext.Line) string {
	name, args, _ := l.Call()
	if !strings.HasPrefix(name, "llvm.var.annotation") {
		return ""
	}
	of, rest := irtext.CutArgument(args)
	text, _ := irtext.CutArgument(strings.TrimPrefix(rest, ", "))
	if !g.texts[text.Op] {
		return ""
	}
	return of.Op
}

// function takes the notes out of a kernel and collects the parameters that have one.
func (g *gridConstantMarker) function(body []*irtext.Line, name string) {
	for _, l := range body {
		of := g.note(l)
		if of == "" {
			continue
		}
		g.now[l] = ""
		if at, ok := g.param(body, of); ok {
			g.params[name] = append(g.params[name], at)
		}
	}
}

// param returns the number of the parameter that a variable is. A number that clang passes by value and
// stores in a variable becomes a parameter in memory, and the variable an alias of it.
func (g *gridConstantMarker) param(body []*irtext.Line, variable string) (at int, ok bool) {
	_, args, _ := body[0].Call()
	for rest := args; rest != ""; at++ {
		var p string // such as "i32 noundef %0"
		p, rest = irtext.CutItem(rest)
		typ, after := irtext.CutType(p)
		op := after[strings.LastIndexByte(after, ' ')+1:]
		switch {
		case op == variable && strings.Contains(after, "byval("):
			return at, true
		case typ == "ptr" || irtext.TypeBits(typ) == 0 || !g.becomes(body, typ, op, variable):
			continue
		}
		bytes := strconv.Itoa(irtext.TypeBits(typ) / 8)
		g.now[body[0]] = strings.Replace(g.text(body[0]), p, "ptr noundef byval("+typ+") align "+bytes+" "+op, 1)
		return at, true
	}
	return 0, false
}

// becomes reports whether a parameter is stored to a variable; if so, it makes the variable an alias of the parameter.
func (g *gridConstantMarker) becomes(body []*irtext.Line, typ, param, variable string) bool {
	var made, stored *irtext.Line
	for _, l := range body[1:] {
		switch {
		case l.HasPrefix("  " + variable + " = alloca " + typ + ","):
			made = l
		case l.HasPrefix("  store " + typ + " " + param + ", ptr " + variable + ","):
			stored = l
		}
	}
	if made == nil || stored == nil {
		return false
	}
	g.now[made], g.now[stored] = "  "+variable+" = getelementptr i8, ptr "+param+", i64 0", ""
	return true
}

// text is a line's text by now.
func (g *gridConstantMarker) text(l *irtext.Line) string {
	if text, ok := g.now[l]; ok {
		return text
	}
	return l.Text
}

// gridConstantAddresses lets accesses of grid constants be accesses of the parameter space where llc would copy
// a parameter: where its address does more than to load from it.
func gridConstantAddresses(m *irtext.Module, s *State) {
	if len(s.gridConstants) == 0 {
		return
	}
	var out irtext.Builder
	for i := 0; i < len(m.Lines); i++ {
		body := m.Body(i)
		if body == nil {
			out.Keep(m.Lines[i])
			continue
		}
		i += len(body) - 1
		name, args, _ := body[0].Call()
		addresses := map[string]string{} // generic ones, by the parameter
		var made []string
		for _, at := range s.gridConstants[name] {
			param := paramName(args, at)
			if param == "" || !handsOn(body[1:], param) {
				continue
			}
			generic := "%wg.grid_constant." + strconv.Itoa(at)
			addresses[param] = generic
			made = append(made, fmt.Sprintf(`  %s = call ptr asm "{ .reg .b64 a; mov.b64 a, %s_param_%d; cvta.param.u64 $0, a; }", "=l"()`, generic, name, at))
		}
		emitAddresses(&out, body, made, addresses)
	}
	m.Replace(&out)
}

// emitAddresses writes a function that has generic addresses of some of its parameters.
func emitAddresses(out *irtext.Builder, body []*irtext.Line, made []string, addresses map[string]string) {
	out.Keep(body[0])
	for _, l := range body[1:] {
		if len(made) > 0 && l.IsInstruction() {
			out.WriteString(strings.Join(made, "\n") + "\n")
			made = nil
		}
		text := l.Text
		for param, generic := range addresses {
			if slices.Contains(l.Values(), param) {
				text = replaceValue(text, param, generic)
			}
		}
		out.Line(l, text)
	}
}

// paramName is the name of a parameter in memory, "" for any other.
func paramName(args string, at int) string {
	p := ""
	for i := 0; i <= at; i++ {
		p, args = irtext.CutItem(args)
	}
	if !strings.Contains(p, "byval(") {
		return ""
	}
	return p[strings.LastIndexByte(p, ' ')+1:]
}

// handsOn reports whether a function does more with a pointer, or with what it computes of it, than load
// from there.
func handsOn(body []*irtext.Line, pointer string) bool {
	of := map[string]bool{pointer: true}
	uses := func(l *irtext.Line) bool {
		return slices.ContainsFunc(l.Values(), func(v string) bool { return of[v] })
	}
	for _, l := range body {
		if !uses(l) {
			continue
		}
		name, op, rest := l.Op()
		switch op {
		case "getelementptr":
			of[name] = true
		case "load":
			if strings.Contains(rest, "atomic ") {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// replaceValue gives a value of a line another name.
func replaceValue(text, from, to string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, from)
		if at < 0 {
			return out.String() + text
		}
		end := at + len(from)
		out.WriteString(text[:at])
		if end < len(text) && irtext.IsNameByte(text[end]) {
			out.WriteString(from)
		} else {
			out.WriteString(to)
		}
		text = text[end:]
	}
}
