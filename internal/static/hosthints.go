package static

import (
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/solve"
)

// Host code that takes sizes from its arguments mostly has sizes of its own, too: "int n = 1024; if (argc > 1) n = ...", or
// calls "run(64, 128)" of the function that launches. These are launches that the program makes.

// mostHints bounds the sets of values that are noted for one launch.
const mostHints = 6

// calledWith has, for each function of host code, the arguments of its calls.
type calledWith map[string][][]string

// note reads the calls of a line.
func (c calledWith) note(l *irtext.Line) {
	if !l.IsInstruction() || !l.Contains("call ") {
		return
	}
	if name, args, _ := l.Call(); name != "" && !strings.HasPrefix(name, "llvm.") && len(c[name]) < mostHints {
		c[name] = append(c[name], arguments(args))
	}
}

// hints are sets of values for the variables of terms that the program surely has.
func (f *hostFunc) hints(terms []*solve.Term, calls calledWith) (out []map[string]uint64) {
	own := map[string]uint64{}
	for _, v := range solve.Variables(terms...) {
		if value, ok := f.initial(v.Name()); ok {
			own[v.Name()] = value
		}
	}
	for _, args := range calls[f.name] {
		values := maps.Clone(own)
		for i, p := range f.params() {
			if i < len(args) {
				if bits, ok := scalar(args[i]); ok {
					values[f.variable(p)] = bits
				}
			}
		}
		if len(values) > 0 {
			out = append(out, values)
		}
	}
	if len(out) == 0 && len(own) > 0 {
		out = append(out, own)
	}
	return out
}

// variable is the name of the variable for a value that is not computed from others.
func (f *hostFunc) variable(name string) string { return hostPrefix + f.name + " " + name }

// params are the names of the function's parameters.
func (f *hostFunc) params() (out []string) {
	_, params, _ := f.lines[0].Call()
	for _, p := range arguments(params) {
		name, _ := operandOf(p)
		out = append(out, name)
	}
	return out
}

// initial is the constant that a value has unless something else is computed: in a program that gets no arguments.
func (f *hostFunc) initial(variable string) (bits uint64, ok bool) {
	name, own := strings.CutPrefix(variable, f.variable(""))
	if !own {
		return 0, false
	}
	if p := f.params(); f.name == "main" && len(p) > 0 && name == p[0] {
		return 1, true
	}
	line, ok := f.defs[name]
	if !ok {
		return 0, false
	}
	_, op, rest := f.lines[line].Op()
	if op != "phi" {
		return 0, false
	}
	typ, rest := irtext.CutType(rest)
	for _, way := range strings.Split(rest, "[ ")[1:] {
		value, _ := irtext.CutOperand(way)
		if bits, ok := scalar(typ + " " + value); ok {
			return bits, true
		}
	}
	return 0, false
}

// terms are all that the facts are made of.
func (f facts) terms() []*solve.Term {
	all := slices.Concat(f.block[:], f.grid[:], f.when, slices.Collect(maps.Values(f.params)), slices.Collect(maps.Values(f.sizes)))
	return slices.DeleteFunc(all, func(t *solve.Term) bool { return t == nil })
}
