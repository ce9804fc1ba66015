package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/pragma"
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
// registers is warpgrind.unset (see unset.go), with the position of its declaration in front, that of one that stands for a member or a row
// warpgrind.member or warpgrind.row (see subobject.go).

// localPragma returns the directive for a line of optimized IR, "" if that does not
// define a variable on the stack.
func (l *lowerer) localPragma(line *irtext.Line) string {
	name, op, def := line.Op()
	if op != "alloca" {
		return ""
	}
	typ, rest := irtext.CutType(def)
	if strings.HasPrefix(rest, ", i") {
		return "" // of a variable size
	}
	unset := strings.Contains(name, unsetSuffix)
	t := layoutType(l.types.Of(typ))
	if t == nil || t.Size == 0 {
		return ""
	}
	ptr := "ptr"
	if i := strings.Index(rest, "addrspace("); i >= 0 {
		ptr = "ptr " + rest[i:i+strings.IndexByte(rest[i:], ')')+1]
	}
	kind, called, dbg := pragma.Local, sourceName(name), ""
	if unset {
		kind, dbg = pragma.Unset, line.Debug()
	} else if rest, ok := strings.CutPrefix(strings.Trim(name[1:], `"`), boundName); ok {
		called, _, _ = strings.Cut(rest, ".")
		kind = pragma.Member
		if row, ok := strings.CutSuffix(called, "[]"); ok {
			kind, called = pragma.Row, row
		}
	}
	d := pragma.Variable{Kind: kind, Name: called, Type: t.String(), Register: "$0"}
	return fmt.Sprintf("  call void asm sideeffect \"%s\", \"l\"(%s %s)%s\n", pragma.Asm(d), ptr, name, dbg)
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

// layoutType returns the type that reports know of an IR type: arrays with their
// dimensions, all else as so many bytes. It returns nil for types that it does not know.
func layoutType(t *irtext.Type) *ctype.Type {
	switch {
	case t == nil:
		return nil
	case t.Elem != nil:
		return ctype.Array(uint64(t.Count), layoutType(t.Elem))
	}
	return &ctype.Type{Size: uint64(t.Size)}
}
