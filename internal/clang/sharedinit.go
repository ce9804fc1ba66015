package clang

import (
	"bytes"
	"fmt"
	"strings"
)

// clang copies a local aggregate that is initialised with constants from a
// variable of its own, "@__const.k.span". The address of a shared variable is
// such a constant to it, but a variable in global memory cannot hold one: it
// differs between kernels. nvcc stores the value instead, and so does this.

// storeSharedAddresses makes a store of each copy from a constant that has the
// address of a shared variable in it.
func storeSharedAddresses(ir []byte) []byte {
	values := sharedConstants(ir)
	if len(values) == 0 {
		return ir
	}
	var b bytes.Buffer
	for line := range bytes.Lines(ir) {
		b.WriteString(storeOf(string(line), values))
	}
	return b.Bytes()
}

// sharedConstants are the types and values of the constants, by name.
func sharedConstants(ir []byte) map[string]string {
	out := map[string]string{}
	for line := range bytes.Lines(ir) {
		if len(line) == 0 || line[0] != '@' || !bytes.Contains(line, []byte("addrspace(3)")) {
			continue
		}
		s := string(line)
		name := s[:nameEnd(s)]
		_, value, ok := strings.Cut(s, " constant ")
		if !ok || !isInitialiser(name) {
			continue
		}
		typ, rest := cutType(value)
		operand, _ := cutOperand(strings.TrimPrefix(rest, " "))
		out[name] = typ + " " + operand
	}
	return out
}

// storeOf returns a line, or the store that takes its place.
func storeOf(line string, values map[string]string) string {
	name, args, tail := callee(line)
	if !strings.HasPrefix(name, "llvm.memcpy.") {
		return line
	}
	dst, rest := parsePointer(args)
	src, _ := parsePointer(rest)
	value, ok := values[src.op]
	if !ok {
		return line
	}
	return fmt.Sprintf("  store %s, %s %s, align %d%s", value, dst.typ, dst.op, max(dst.align, 1), tail)
}
