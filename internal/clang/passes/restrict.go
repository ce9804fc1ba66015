package passes

import (
	"bytes"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"strconv"
	"strings"
)

// Parameters that a compiler may read through the read-only path
//
// Code generators read "const T *__restrict__" parameters of kernels by ld.global.nc. The
// source-keeping build does not, since LLVM would be free to merge such loads. So the
// kernels' debug information is asked which parameters these are, and a directive of the
// PTX says so: .pragma "warpgrind.params KERNEL rpn", with a letter for each parameter.

// restrictedParams adds the directives for kernels that have such parameters.
func restrictedParams(m *irtext.Module, s *State) {
	names := map[int]string{} // of kernels, by the number of their debug information
	var order []int
	for _, l := range m.Lines {
		if l.Defines() {
			if name, id, ok := definedKernel(l.Text, m.Kernels()); ok {
				names[id] = name
				order = append(order, id)
			}
		}
	}
	letters := debugTypes(m.Nodes()).paramLetters(names)
	for _, id := range order {
		if p := letters[id]; bytes.IndexByte(p, pragma.RestrictedParam) >= 0 {
			s.directive(pragma.Params{Kernel: names[id], Letters: string(p)})
		}
	}
}

// definedKernel returns the name of the kernel that a line defines, and the number of its
// debug information.
func definedKernel(line string, kernels map[string]bool) (name string, id int, ok bool) {
	at, dbg := strings.IndexByte(line, '@'), strings.LastIndex(line, " !dbg !")
	if at < 0 || dbg < at {
		return "", 0, false
	}
	name = strings.Trim(line[at+1:at+irtext.NameEnd(line[at:])], `"`)
	number, _, _ := strings.Cut(line[dbg+len(" !dbg !"):], " ")
	id, err := strconv.Atoi(number)
	return name, id, err == nil && kernels[name] && !strings.ContainsAny(name, " \\")
}

// paramLetters returns the letters of the parameters of functions, by the number of their
// debug information.
func (m debugTypes) paramLetters(of map[int]string) map[int][]byte {
	letters := map[int][]byte{}
	for _, n := range m {
		arg, scope := n.Int("arg"), n.Ref("scope")
		if n.Kind != "!DILocalVariable" || arg < 1 || arg > 1<<10 || of[scope] == "" {
			continue
		}
		s := letters[scope]
		for len(s) < int(arg) {
			s = append(s, pragma.OtherParam)
		}
		s[arg-1] = m.paramLetter(n.Ref("type"))
		letters[scope] = s
	}
	return letters
}

func (m debugTypes) paramLetter(id int) byte {
	restricted, pointer := false, false
	for range maxTypeDepth {
		n := m[id]
		tag := n.Field("tag")
		switch {
		case n.Kind == "!DIBasicType" && !pointer:
			return pragma.NumberParam
		case n.Kind != "!DIDerivedType":
			return pragma.OtherParam
		case strings.HasPrefix(tag, "DW_TAG_restrict_type"):
			restricted = restricted || !pointer
		case strings.HasPrefix(tag, "DW_TAG_pointer_type") && pointer:
			return pragma.OtherParam
		case strings.HasPrefix(tag, "DW_TAG_pointer_type"):
			pointer = true
		case strings.HasPrefix(tag, "DW_TAG_const_type") && pointer && restricted:
			return pragma.RestrictedParam
		}
		id = n.Ref("baseType")
	}
	return pragma.OtherParam
}
