package clang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ctype"
)

// Local arrays
//
// llc puts all local variables of a function into one array of the PTX, the
// depot. So that an index beyond one of them is known for what it is, a directive
// behind each one's definition says where it lies:
//
//	.pragma "warpgrind.local NAME TYPE %rd5";
//
// with the register that holds its address. It stands in inline assembly, which
// is how llc is made to compute the address. The directive of a variable that lives in
// registers is warpgrind.unset (see unset.go), that of one that stands for a member or a row
// warpgrind.member or warpgrind.row (see subobject.go).

// localPragma returns the directive for a line of optimised IR, "" if that does not
// define a variable on the stack.
func (l *lowerer) localPragma(line string) string {
	name, def, ok := strings.Cut(line[2:], " = alloca ")
	if !ok || name == "" || name[0] != '%' {
		return ""
	}
	typ, rest := cutType(def)
	if strings.HasPrefix(rest, ", i") {
		return "" // of a variable size
	}
	unset := strings.Contains(name, unsetSuffix)
	t, _ := l.layout(typ, 0)
	if t == nil || t.Size == 0 {
		return ""
	}
	ptr := "ptr"
	if i := strings.Index(rest, "addrspace("); i >= 0 {
		ptr = "ptr " + rest[i:i+strings.IndexByte(rest[i:], ')')+1]
	}
	directive, called := "local", sourceName(name)
	if unset {
		directive = "unset"
	} else if rest, ok := strings.CutPrefix(strings.Trim(name[1:], `"`), boundName); ok {
		called, _, _ = strings.Cut(rest, ".")
		directive = "member"
		if row, ok := strings.CutSuffix(called, "[]"); ok {
			directive, called = "row", row
		}
	}
	return fmt.Sprintf("  call void asm sideeffect \".pragma \\22warpgrind.%s %s %v $0\\22;\", \"l\"(%s %s)\n",
		directive, called, t, ptr, name)
}

// sourceName is what the source calls the value %name: without what clang and
// opt have added, and "-" where it has no name.
func sourceName(name string) string {
	s := strings.Trim(name[1:], `"`)
	if i := strings.IndexByte(s, '.'); i >= 0 {
		s = s[:i]
	}
	if s == "" || s[0] >= '0' && s[0] <= '9' || strings.ContainsAny(s, " $\\") {
		return "-"
	}
	return s
}

// layout returns the type that reports know of an IR type, with its alignment:
// arrays with their dimensions, all else as so many bytes (LLVM, "Data Layout").
// It returns nil for types that it does not know.
func (l *lowerer) layout(typ string, depth int) (t *ctype.Type, align uint64) {
	if depth > maxTypeDepth {
		return nil, 0
	}
	if n := uint64(typeBits(typ)) / 8; n > 0 {
		return &ctype.Type{Size: n}, min(n, 16)
	}
	switch {
	case strings.HasPrefix(typ, "["):
		n, elem, ok := strings.Cut(strings.Trim(typ, "[]"), " x ")
		count, err := strconv.ParseUint(n, 10, 40)
		if strings.HasPrefix(elem, "[") { // Trim took its bracket
			elem = typ[strings.Index(typ, " x ")+3 : len(typ)-1]
		}
		if t, align = l.layout(elem, depth+1); t == nil || !ok || err != nil {
			return nil, 0
		}
		return ctype.Array(count, t), align
	case strings.HasPrefix(typ, "%"):
		return l.layout(l.types[typ], depth+1)
	case strings.HasPrefix(typ, "{"):
		return l.fields(typ[1:len(typ)-1], false, depth)
	case strings.HasPrefix(typ, "<{"):
		return l.fields(typ[2:len(typ)-2], true, depth)
	}
	return nil, 0
}

func (l *lowerer) fields(list string, packed bool, depth int) (*ctype.Type, uint64) {
	size, most := uint64(0), uint64(1)
	for list = strings.TrimSpace(list); list != ""; {
		var field string
		field, list = cutType(list)
		list = strings.TrimLeft(list, ", ")
		t, align := l.layout(field, depth+1)
		if t == nil || field == "" {
			return nil, 0
		}
		if packed {
			align = 1
		}
		size = (size+align-1)/align*align + t.Size
		most = max(most, align)
	}
	return &ctype.Type{Size: (size + most - 1) / most * most}, most
}

// defineType notes the line "%struct.S = type { ... }".
func (l *lowerer) defineType(line string) {
	if name, def, ok := strings.Cut(line, " = type "); ok {
		l.types[name] = def
	}
}
