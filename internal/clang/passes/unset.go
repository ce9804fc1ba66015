package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"slices"
	"strconv"
	"strings"
)

// Variables without an initializer
//
// LLVM takes a local variable that is read before it is written for a value of its
// choice, and chooses the one that lets it delete most: what is computed from it, the
// stores of that, and the branches that it decides. So each variable that some path may
// read before it writes it has a twin on the stack, which is never written, and starts
// with what is loaded from there:
//
//	%x = alloca float
//	%x.wgunset = alloca float
//	%wg.home.1 = call ptr addrspace(5) asm "mov.b64 $0, $1;", "=l,l"(...)  ; of %x.wgunset
//	%wg.unset.2 = load float, ptr addrspace(5) %wg.home.1, !invariant.load !{}
//	...
//	store float %wg.unset.2, ptr %x   ; where the life of x begins
//
// The address passes through inline assembly, so that LLVM cannot see that the twin is
// never written. What a variable in a register needs of this is left after optimization:
// where every path writes x first, the load is dead and goes. The engine sees a load of
// uninitialized local memory, at the declaration of x, from a place that the directive
// .pragma "warpgrind.unset x s4 %rd5" calls x (trace.Site.Local, with Register set): one
// for each scalar, at its offset in x. The directive has the position: llc moves the load to where it is needed, and then takes its position off. The value flows on like any other. A variable that
// stays in memory is itself such memory, and the stores from its twin are taken out again
// (see lowerer.unset).

// A variable of an empty class has no twin: it has no value, its byte is padding, and a copy of
// it copies nothing (see emptyClasses). Libraries of templates have tens of thousands of them.

// maxUnset bounds the scalars of a variable that are set one by one. A larger
// array is not kept in registers.
const maxUnset = 256

// unsetName begins the names of the values loaded from twins.
const unsetName = "%wg.unset."

// unsetSuffix ends the names of twins.
const unsetSuffix = ".wgunset"

// unset gives the variables of marked IR that may be read before they are written a
// value that is opaque to LLVM.
func unset(m *irtext.Module, s *State) {
	u := &unsetter{types: m.Types(), empty: readEmptyClasses(m), pure: pureAttributes(s.Major)}
	var out irtext.Builder
	m.Functions(&out, func(lines []*irtext.Line) { u.function(&out, lines) })
	m.Replace(&out)
}

type unsetter struct {
	types *irtext.Types
	empty emptyClasses
	// pure are the attributes of calls without effects.
	pure  string
	fresh int
}

// function writes a function's lines, with twins.
func (u *unsetter) function(out *irtext.Builder, lines []*irtext.Line) {
	f := readFlow(lines, u.types)
	twins, starts := map[int][]string{}, map[int][]string{}
	for _, v := range f.vars {
		if u.empty.has(v.text) && !v.accessed(lines) {
			continue
		}
		at := slices.DeleteFunc(slices.Clone(v.starts), func(line int) bool { return !f.readFirst(v, line) })
		if len(at) == 0 {
			continue
		}
		def, set := u.twin(v, birthplace(lines, at[0]))
		twins[f.body] = append(twins[f.body], def...)
		for _, line := range at {
			starts[line] = append(starts[line], set...)
		}
	}
	for i, l := range lines {
		for _, s := range twins[i] {
			out.WriteString(s + "\n")
		}
		if i == f.body && starts[-1] != nil { // those without a lifetime
			out.WriteString(strings.Join(starts[-1], "\n") + "\n")
		}
		out.Keep(l)
		for _, s := range starts[i] {
			out.WriteString(s + "\n")
		}
	}
}

// birthplace is the position of the line at which a variable's life begins, or of the
// function's end where that is its beginning: only temporaries and results live that long.
func birthplace(lines []*irtext.Line, start int) string {
	if start >= 0 {
		return lines[start].Debug()
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if dbg := lines[i].Debug(); dbg != "" {
			return dbg
		}
	}
	return ""
}

// twin returns the lines that load a variable's twin, and those that store it.
func (u *unsetter) twin(v *flowVar, dbg string) (def, set []string) {
	leaves := v.typ.Leaves(maxUnset)
	if leaves == nil {
		return nil, nil
	}
	u.fresh++
	twin, local := v.twinName(), fmt.Sprintf("%%wg.home.%d", u.fresh)
	def = append(def,
		fmt.Sprintf("  %s = alloca %s, align %d%s", twin, v.text, max(v.align, v.typ.Align), dbg),
		fmt.Sprintf("  %s.a = addrspacecast ptr %s to ptr addrspace(5)%s", local, twin, dbg),
		fmt.Sprintf("  %s = call ptr addrspace(5) asm \"mov.b64 $0, $1;\", \"=l,l\"(ptr addrspace(5) %s.a) %s%s", local, local, u.pure, dbg))
	for _, l := range leaves {
		u.fresh++
		val, from, to := unsetName+strconv.Itoa(u.fresh), local, v.name
		if l.Off > 0 {
			from, to = val+".f", val+".t"
			def = append(def, fmt.Sprintf("  %s = getelementptr i8, ptr addrspace(5) %s, i64 %d%s", from, local, l.Off, dbg))
			set = append(set, fmt.Sprintf("  %s = getelementptr i8, ptr %s, i64 %d%s", to, v.name, l.Off, dbg))
		}
		def = append(def, fmt.Sprintf("  %s = load %s, ptr addrspace(5) %s, align %d, !invariant.load !{}%s", val, l.Type.Scalar, from, l.Type.Align, dbg))
		set = append(set, fmt.Sprintf("  store %s %s, ptr %s, align 1%s", l.Type.Scalar, val, to, dbg))
	}
	return def, set
}

// twinName is a name that sourceName takes for the variable's. Parameters without a name are
// numbered in the IR, and only quotes make a name of what begins with a digit.
func (v *flowVar) twinName() string {
	switch {
	case strings.HasSuffix(v.name, `"`):
		return v.name[:len(v.name)-1] + unsetSuffix + `"`
	case v.name[1] >= '0' && v.name[1] <= '9':
		return `%"` + v.name[1:] + unsetSuffix + `"`
	}
	return v.name + unsetSuffix
}
