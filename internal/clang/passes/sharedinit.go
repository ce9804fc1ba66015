package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strings"
)

// clang copies a local aggregate that is initialized with constants from a
// variable of its own, "@__const.k.span". The address of a shared variable is
// such a constant to it, but a variable in global memory cannot hold one: it
// differs between kernels. nvcc stores the value instead, and so does this.

// storeSharedAddresses makes a store of each copy from a constant that has the
// address of a shared variable in it.
func storeSharedAddresses(m *irtext.Module, _ *State) {
	values := sharedConstants(m)
	if len(values) == 0 {
		return
	}
	var b irtext.Builder
	for _, l := range m.Lines {
		b.Line(l, storeOf(l, values))
	}
	m.Replace(&b)
}

// HasSharedConstants reports whether a module has a constant with the address of a shared
// variable in it.
func HasSharedConstants(m *irtext.Module) bool { return len(sharedConstants(m)) > 0 }

// sharedConstants are the types and values of the constants, by name.
func sharedConstants(m *irtext.Module) map[string]string {
	out := map[string]string{}
	for _, l := range m.Lines {
		if !l.HasPrefix("@") || !l.Contains("addrspace(3)") {
			continue
		}
		name := l.Text[:irtext.NameEnd(l.Text)]
		_, value, ok := strings.Cut(l.Text, " constant ")
		if !ok || !isInitializer(name) {
			continue
		}
		typ, rest := irtext.CutType(value)
		operand, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
		out[name] = typ + " " + operand
	}
	return out
}

// storeOf returns a line's text, or the store that takes its place.
func storeOf(l *irtext.Line, values map[string]string) string {
	name, args, tail := l.Call()
	if !strings.HasPrefix(name, "llvm.memcpy.") {
		return l.Text
	}
	dst, rest := irtext.CutArgument(args)
	src, _ := irtext.CutArgument(rest)
	value, ok := values[src.Op]
	if !ok {
		return l.Text
	}
	return fmt.Sprintf("  store %s, %s %s, align %d%s", value, dst.Type, dst.Op, max(dst.Align, 1), tail)
}
