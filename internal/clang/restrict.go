package clang

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Parameters that a compiler may read through the read-only path
//
// Code generators read "const T *__restrict__" parameters of kernels by ld.global.nc. The
// source-keeping build does not, since LLVM would be free to merge such loads. So the
// kernels' debug information is asked which parameters these are, and a directive of the
// PTX says so: .pragma "warpgrind.params KERNEL rpn", with a letter for each parameter.

// The letters of parameters.
const (
	restrictedParam = 'r' // const T *__restrict__
	numberParam     = 'n'
	otherParam      = 'p'
)

// restrictedParams returns the directives for kernels that have such parameters.
func restrictedParams(ir []byte) []byte {
	m := &typeNodes{nodes: map[int]typeNode{}}
	kernels := kernelNames(ir)
	names := map[int]string{} // of kernels, by the number of their debug information
	var out bytes.Buffer
	var order []int
	for rest := ir; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		switch {
		case bytes.HasPrefix(line, []byte("define ")):
			if name, id, ok := definedKernel(string(line), kernels); ok {
				names[id] = name
				order = append(order, id)
			}
		case len(line) > 0 && line[0] == '!':
			m.add(string(line))
		}
	}
	letters := m.paramLetters(names)
	for _, id := range order {
		if s := letters[id]; bytes.IndexByte(s, restrictedParam) >= 0 {
			fmt.Fprintf(&out, ".pragma \"warpgrind.params %s %s\";\n", names[id], s)
		}
	}
	return out.Bytes()
}

// definedKernel returns the name of the kernel that a line defines, and the number of its
// debug information.
func definedKernel(line string, kernels map[string]bool) (name string, id int, ok bool) {
	at, dbg := strings.IndexByte(line, '@'), strings.LastIndex(line, " !dbg !")
	if at < 0 || dbg < at {
		return "", 0, false
	}
	name = strings.Trim(line[at+1:at+nameEnd(line[at:])], `"`)
	number, _, _ := strings.Cut(line[dbg+len(" !dbg !"):], " ")
	id, err := strconv.Atoi(number)
	return name, id, err == nil && kernels[name] && !strings.ContainsAny(name, " \\")
}

// paramLetters returns the letters of the parameters of functions, by the number of their
// debug information.
func (m *typeNodes) paramLetters(of map[int]string) map[int][]byte {
	letters := map[int][]byte{}
	for _, n := range m.nodes {
		arg, scope := intField(n.body, "arg"), refField(n.body, "scope")
		if n.kind != "!DILocalVariable" || arg < 1 || arg > 1<<10 || of[scope] == "" {
			continue
		}
		s := letters[scope]
		for len(s) < int(arg) {
			s = append(s, otherParam)
		}
		s[arg-1] = m.paramLetter(refField(n.body, "type"))
		letters[scope] = s
	}
	return letters
}

func (m *typeNodes) paramLetter(id int) byte {
	restricted, pointer := false, false
	for range maxTypeDepth {
		n := m.nodes[id]
		tag, _ := field(n.body, "tag")
		switch {
		case n.kind == "!DIBasicType" && !pointer:
			return numberParam
		case n.kind != "!DIDerivedType":
			return otherParam
		case strings.HasPrefix(tag, "DW_TAG_restrict_type"):
			restricted = restricted || !pointer
		case strings.HasPrefix(tag, "DW_TAG_pointer_type") && pointer:
			return otherParam
		case strings.HasPrefix(tag, "DW_TAG_pointer_type"):
			pointer = true
		case strings.HasPrefix(tag, "DW_TAG_const_type") && pointer && restricted:
			return restrictedParam
		}
		id = refField(n.body, "baseType")
	}
	return otherParam
}
