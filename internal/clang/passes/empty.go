package passes

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// emptyClasses tells the classes without members. Clang gives such a class one byte, as it gives one to a
// class whose only member is a char; the members of that one are addressed somewhere.
type emptyClasses struct {
	types *irtext.Types
	// addressed are the types in which some instruction addresses a member.
	addressed map[string]bool
}

func readEmptyClasses(m *irtext.Module) emptyClasses {
	e := emptyClasses{m.Types(), map[string]bool{}}
	for _, l := range m.Lines {
		if !l.IsInstruction() {
			continue
		}
		if _, op, rest := l.Op(); op == "getelementptr" {
			typ, rest := cutGEPType(rest)
			if _, rest, ok := irtext.CutPointer(strings.TrimPrefix(rest, ", ")); ok && strings.Contains(rest, ", i") {
				e.addressed[typ] = true
			}
		}
	}
	return e
}

// has reports whether a type is an empty class, or one that consists of nothing else. The members of a union
// are accessed without an address of their own, so that none counts.
func (e emptyClasses) has(typ string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(typ, "%"), `"`)
	if !strings.HasPrefix(name, "struct.") && !strings.HasPrefix(name, "class.") {
		return false
	}
	fields, ok := e.types.FieldsOf(typ)
	if !ok {
		return false
	}
	if len(fields) == 1 && fields[0] == "i8" {
		return !e.addressed[typ]
	}
	for _, f := range fields {
		if !e.has(f) {
			return false
		}
	}
	return len(fields) > 0
}

// accessed reports whether a line loads or stores a scalar of the variable, as an access to a bit-field
// does without addressing it.
func (v *flowVar) accessed(lines []*irtext.Line) bool {
	for _, u := range v.uses {
		if a, ok := lines[u.line].Access(); ok && a.Ptr == v.name && irtext.TypeBits(a.Type) > 0 {
			return true
		}
	}
	return false
}
